"""The colours of our own themes, by their meaning. Does not import Textual: the first words appear before it is
loaded."""

DEFAULT = "tavern"
GROUNDS = ("ground", "panel", "raised", "tile", "tile2")
"""Backgrounds of text: the table, a box, a card, the tiles of the level track."""
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
OWN = {
    "tavern": "14100d 1c1713 2a231c 261f19 30271f 806d57 f4ebdc b8a993 f5bd4f 7fd38b ff8d74 cba6ff 82bdf5 62d2c6 ff95ba"
    f" ffb066 {_SEATS['tavern']} 8c1f16 1f5a2e 1d1407 fff3ea eafff0",
    "parchment": "eadfc6 f6eedb fffaef eadfc6 e0d2b3 8f7a58 2a1f14 5d4d38 7a4f00 1c6330 a3231a 65359f 1b4f88 0c5c59"
    f" 962057 8a4200 {_SEATS['parchment']} 9c2219 1c6330 fff6e0 fff3ea eafff0",
    "contrast": "000000 000000 141414 141414 262626 c8c8c8 ffffff dcdcdc ffd75f 7dffa0 ff9c8a dcc2ff 9cd0ff 6ff0e2"
    f" ffb0cf ffc080 {_SEATS['contrast']} a01208 0a5a24 000000 fff3ea eafff0",
}
"""The colours of our themes in the order of TOKENS."""


def tokens(name: str) -> dict[str, str]:
    """Return the colours of one of our themes by token, each as #rrggbb."""
    return dict(zip(TOKENS, (f"#{colour}" for colour in OWN[name].split()), strict=True))
