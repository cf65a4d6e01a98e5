"""The themes: three of our own, and colours of the same names for every theme of the toolkit.

A colour means one thing, whatever the theme (TOKENS); styles name it as `$kd-gold` and so on. Text is readable in every
theme: a colour of the toolkit that is too near to the background is moved away from it until its contrast is CONTRAST.
"""

from collections.abc import Mapping

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from tui.config.palette import GROUNDS, OWN, PREFIX, TEXTS, TOKENS, tokens

CONTRAST = 4.5
"""The least contrast of text with any background (WCAG 2.2, level AA)."""
LINE_CONTRAST = 3.0
"""The least contrast of a border with the ground, the panel and a card."""
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
    return tuple(_theme(name, tokens(name)) for name in OWN)


def offered() -> tuple[str, ...]:
    """Return the names of all themes: ours, then those of the toolkit."""
    return (*OWN, *sorted(BUILTIN_THEMES))


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
    """Return those of our variables that a theme lacks: for a theme of the toolkit, its own colours made readable."""
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
"""The share of the text's colour in the backgrounds and the borders."""
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
