"""The table of bot levels: each level's name, the words that players read, and the numbers that make it play that way.

The wire, the host, the settings, the menus, the command line and the simulation read it. It imports no other module of
the project, so that reading it costs none of them the bots' code.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal


@dataclass(frozen=True, slots=True)
class Style:
    """The numbers by which a bot weighs its choices. Points: a Level is ten (effect_values)."""

    bargains: bool = True
    """Asks for help and weighs offers."""
    sells: bool = True
    """Sells Items for levels."""
    abilities: bool = True
    """Uses abilities outside combat."""
    curses: bool = True
    """Plays curses that charity would give away."""
    guards: bool = True
    """Stops rivals from winning fights, at match point at least."""
    interference_cost: float = 1.6
    """Points that a rival's lost fight must bring for each point of card spent (0: interferes at match point only)."""
    card_cost: float = 1.0
    """Points that its own won fight must bring for each point of card spent."""
    help_price: float = 1.0
    """How much the fighter's gain counts against its own when it prices its help."""
    own_price: float = 1.0
    """How much more it wants for its own help than it thinks that others want for theirs."""
    fear: float = 1.0
    """How much Bad Stuff counts in its own fights."""
    highest_share: float = 0.5
    """The share of the Treasures that it pays for help at most."""
    trouble_margin: float = 1.0
    """Strength to spare without which it does not look for trouble."""
    treasure: float = 5.0
    """Points of a Treasure."""
    level_sale: float = 6.0
    """Points of Items that it gives for a level."""


@dataclass(frozen=True, slots=True)
class BotLevel:
    """One level. words: what it does, for the menus; style: None if it takes legal actions at random, which only
    simulations offer; searches: it tries out what it could do in games that it imagines (search.py), and plays in its
    style what it does not try."""

    name: str
    words: str
    style: Style | None
    searches: bool = False


LEVELS: dict[str, BotLevel] = {
    level.name: level
    for level in (
        BotLevel("random", "takes any legal action", None),
        BotLevel(
            "easy", "makes mistakes",
            Style(bargains=False, abilities=False, guards=False, interference_cost=0.0, trouble_margin=2.0),
        ),
        BotLevel("normal", "bargains", Style()),
        BotLevel("hard", "plays ahead", Style(), searches=True),
    )
}  # fmt: skip
"""All levels by name, from the weakest to the strongest."""
LEVEL_NAMES = tuple(LEVELS)
"""What `kickdoor simulate` takes."""
TABLE_LEVELS = tuple(level.name for level in LEVELS.values() if level.style is not None)
"""What a table takes."""
DEFAULT_LEVEL = "normal"

if TYPE_CHECKING:
    TableLevel = str
else:
    TableLevel = Literal[TABLE_LEVELS]
    """The type of a level in a message: msgspec refuses any other name."""


def level_words() -> str:
    """Return what the levels of a table do, as one sentence for the menus."""
    return ", ".join(f"{name} {LEVELS[name].words}" for name in TABLE_LEVELS) + "."


def level_named(name: str, among: tuple[str, ...] = TABLE_LEVELS) -> BotLevel:
    """Return the level of this name. Raises ValueError with one line for people if `among` does not list it."""
    if name not in among:
        raise ValueError(f"unknown level {name!r}: choose from {', '.join(among)}")
    return LEVELS[name]
