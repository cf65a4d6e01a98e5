"""The table of bot levels: each level's name, the words that players read, and the name of its numbers.

The wire, the host, the settings, the menus, the command line and the simulation read it. It imports no other module of
the project, so none of them loads the code of bots with it.
"""

from typing import TYPE_CHECKING, Literal, NamedTuple


class BotLevel(NamedTuple):
    """One level. words: what it does, for the menus; style: the numbers by which it plays, by
    their name in data/tuning.toml; None if it takes legal actions at random, which only simulations offer; searches: it
    tries actions out in imagined games (search.py) and plays by its style where it does not search."""

    name: str
    words: str
    style: str | None
    searches: bool = False


LEVELS: dict[str, BotLevel] = {
    level.name: level
    for level in (
        BotLevel("random", "takes any legal action", None),
        BotLevel("easy", "makes mistakes", "easy"),
        BotLevel("normal", "bargains", "normal"),
        BotLevel("hard", "plays ahead", "hard", searches=True),
    )
}  # fmt: skip
"""All levels by name, from the weakest to the strongest."""
LEVEL_NAMES = tuple(LEVELS)
"""The levels that `kickdoor simulate` takes."""
TABLE_LEVELS = tuple(level.name for level in LEVELS.values() if level.style is not None)
"""The levels that a table takes."""
DEFAULT_LEVEL = "normal"

if TYPE_CHECKING:
    TableLevel = str
else:
    TableLevel = Literal[TABLE_LEVELS]
    """The type of a level in a message: msgspec refuses any other name."""


def level_words() -> str:
    """Return one sentence about the levels of a table, for the menus."""
    return ", ".join(f"{name} {LEVELS[name].words}" for name in TABLE_LEVELS) + "."


def level_named(name: str, among: tuple[str, ...] = TABLE_LEVELS) -> BotLevel:
    """Return the level of this name. Raises ValueError with one line for people if `among` does not list it."""
    if name not in among:
        raise ValueError(f"unknown level {name!r}: choose from {', '.join(among)}")
    return LEVELS[name]
