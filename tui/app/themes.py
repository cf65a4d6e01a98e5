"""The themes: three of our own, and colours of the same names for every theme of the toolkit.

A colour means one thing, whatever the theme (TOKENS); styles name it as `$kd-gold` and so on. Text is readable in every
theme: a colour of the toolkit that is too near to the ground is moved away from it until its contrast is CONTRAST.
"""

from collections.abc import Mapping

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

CONTRAST = 4.5
"""The least contrast of text with any ground it stands on (WCAG 2.2, level AA)."""
LINE_CONTRAST = 3.0
"""The least contrast of a border with the ground, the panel and a card."""
DEFAULT = "tavern"
GROUNDS = ("ground", "panel", "raised", "tile", "tile2")
"""What text stands on: the table, a box, a card, the tiles of the level track."""
SEATS = tuple(f"seat{number}" for number in range(1, 7))
TEXTS = (
    "text", "dim", "gold", "hero", "foe", "curse", "info", "race", "boost", "oneshot", *SEATS,
)  # fmt: skip
"""text, dim: contents and labels. gold: you act here; keys, Treasure, Level 10. hero, foe: good and bad for you, the
heroes' and the monsters' side. curse, info, race, boost, oneshot: kinds of card. seat1 to seat6: who."""
FILLED = {"on-gold": "gold", "on-band": "band", "on-good": "good"}
"""Text on a filled strip. band: the game is at stake; good: it is averted."""
TOKENS = (*GROUNDS, "line", *TEXTS, "band", "good", *FILLED)
PREFIX = "kd-"

_SEATS = {
    "tavern": "ffb52e 6cc0ff 3fd6a2 f2e85c ff8a5c e8a0cf",
    "parchment": "7d4a00 0a5590 00614a 4a4a5e 9c360e 8a2f6c",
    "contrast": "ffb52e 7cc8ff 4fe0b0 fff266 ff9a70 f0b0da",
}
_OWN = {
    "tavern": "14100d 1c1713 2a231c 261f19 30271f 806d57 f4ebdc b8a993 f5bd4f 7fd38b ff8d74 cba6ff 82bdf5 62d2c6 ff95ba"
    f" ffb066 {_SEATS['tavern']} 8c1f16 1f5a2e 1d1407 fff3ea eafff0",
    "parchment": "eadfc6 f6eedb fffaef eadfc6 e0d2b3 8f7a58 2a1f14 5d4d38 7a4f00 1c6330 a3231a 65359f 1b4f88 0c5c59"
    f" 962057 8a4200 {_SEATS['parchment']} 9c2219 1c6330 fff6e0 fff3ea eafff0",
    "contrast": "000000 000000 141414 141414 262626 c8c8c8 ffffff dcdcdc ffd75f 7dffa0 ff9c8a dcc2ff 9cd0ff 6ff0e2"
    f" ffb0cf ffc080 {_SEATS['contrast']} a01208 0a5a24 000000 fff3ea eafff0",
}
"""The colours of our themes in the order of TOKENS."""
_ANSI = {
    "ground": "ansi_default", "panel": "ansi_default", "raised": "ansi_default", "tile": "ansi_default",
    "tile2": "ansi_default", "line": "ansi_default", "text": "ansi_default", "dim": "ansi_default",
    "band": "ansi_red", "good": "ansi_green", "on-gold": "ansi_black", "on-band": "ansi_white", "on-good": "ansi_black",
}  # fmt: skip
_ANSI_TEXTS = {
    "gold": "yellow", "hero": "green", "foe": "red", "curse": "magenta", "info": "blue", "race": "cyan",
    "boost": "magenta", "oneshot": "yellow", "seat1": "yellow", "seat2": "blue", "seat3": "green", "seat4": "cyan",
    "seat5": "red", "seat6": "magenta",
}  # fmt: skip
"""Text in the sixteen colours of the terminal, whose shades are the terminal's: bright on dark, dark on light."""


def own_themes() -> tuple[Theme, ...]:
    """Return our themes: tavern, parchment and contrast."""
    return tuple(_theme(name, tokens(name)) for name in _OWN)


def offered() -> tuple[str, ...]:
    """Return the names of all themes: ours, then those of the toolkit."""
    return (*_OWN, *sorted(BUILTIN_THEMES))


def tokens(name: str) -> dict[str, str]:
    """Return the colours of one of our themes by token, each as #rrggbb."""
    return dict(zip(TOKENS, (f"#{colour}" for colour in _OWN[name].split()), strict=True))


def _theme(name: str, colours: Mapping[str, str]) -> Theme:
    return Theme(
        name, primary=colours["info"], secondary=colours["race"], accent=colours["gold"], warning=colours["oneshot"],
        error=colours["foe"], success=colours["hero"], foreground=colours["text"], background=colours["ground"],
        surface=colours["panel"], panel=colours["raised"], dark=name != "parchment", variables=as_variables(colours),
    )  # fmt: skip


def as_variables(colours: Mapping[str, str]) -> dict[str, str]:
    """Return colours by token as variables of style sheets."""
    return {PREFIX + token: colour for token, colour in colours.items()}


def variables_of(theme: Theme) -> dict[str, str]:
    """Return what a theme lacks of our variables: for a theme of the toolkit its own colours, made readable."""
    if PREFIX + TOKENS[0] in theme.variables:
        return {}
    if theme.ansi:
        shade = "ansi_bright_" if theme.dark else "ansi_"
        return as_variables({**_ANSI, **{token: shade + colour for token, colour in _ANSI_TEXTS.items()}})
    system = theme.to_color_system().generate()
    ground, text = Color.parse(system["background"]), Color.parse(system["foreground"]).rgb
    mixed = {name: ground.blend(Color(*text), share) for name, share in _MIXED.items()}
    grounds = [mixed[name] for name in GROUNDS]
    like = tokens("tavern" if theme.dark else "parchment")
    wanted = {token: Color.parse(like[token]) for token in TEXTS}
    wanted |= {token: Color.parse(system[name]) for token, name in _TAKEN.items()}
    wanted |= {"text": Color(*text), "dim": ground.blend(Color(*text), 0.7)}
    found = {name: colour.hex for name, colour in mixed.items()}
    found |= {token: readable(colour, grounds, CONTRAST).hex for token, colour in wanted.items()}
    found["line"] = readable(mixed["line"], grounds[:3], LINE_CONTRAST).hex
    found |= {token: like[token] for token in ("band", "good", "on-band", "on-good")}
    found["on-gold"] = readable(ground, [Color.parse(found["gold"])], CONTRAST).hex
    return as_variables(found)


_MIXED = {"ground": 0.0, "panel": 0.03, "raised": 0.07, "tile": 0.06, "tile2": 0.1, "line": 0.4}
"""How much of the text's colour is in the grounds and the borders."""
_TAKEN = {
    "gold": "warning", "hero": "success", "foe": "error", "curse": "accent", "info": "primary", "race": "secondary",
}  # fmt: skip


def readable(colour: Color, grounds: list[Color], contrast: float) -> Color:
    """Return a colour that has this contrast with all grounds: this one, or the first on its way to white or black."""
    away = Color(255, 255, 255) if grounds[0].brightness < 0.5 else Color(0, 0, 0)
    for step in range(21):
        moved = colour.blend(away, step / 20)
        if min(ratio(moved, ground) for ground in grounds) >= contrast:
            return moved
    return away


def ratio(one: Color, other: Color) -> float:
    """Return the contrast of two colours, 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
