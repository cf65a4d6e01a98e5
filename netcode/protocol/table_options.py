"""All table options: those of the rules and those of the host; how they are spelled in commands and messages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from core.state.options import GAME_OPTIONS, TableOption

if TYPE_CHECKING:
    from core.state.model import Options  # the command line names options without the state of a game

OPEN_HANDS = TableOption(
    "open-hands",
    "Open hands at the end",
    "After the game everybody gets the seed and all hands: the proof of the deal.",
)
TABLE_OPTIONS = (*GAME_OPTIONS, OPEN_HANDS)
SPELLINGS = tuple(spelling for option in TABLE_OPTIONS for spelling in option.spellings)
"""All spellings that `--option` and the messages of the wire accept."""


def parse_options(spellings: Sequence[str]) -> "Options":
    """Return the options of the rules that these spellings choose; options that concern only the host are ignored.

    Raise ValueError, in one line for people, for a spelling that does not exist.
    """
    from core.state.model import Options  # the command line names options without the state of a game

    chosen: dict[str, Any] = {}
    for spelling in spellings:
        if spelling not in SPELLINGS:
            raise ValueError(f"unknown option {spelling!r}: choose from {', '.join(SPELLINGS)}")
        name, _, value = spelling.partition("=")
        option = next(option for option in TABLE_OPTIONS if option.name == name)
        if option in GAME_OPTIONS:
            chosen[option.field] = int(value) if option.values else True
    return Options(**chosen)


def spell_options(options: "Options") -> tuple[str, ...]:
    """Return the spellings of all options that differ from their defaults."""
    spellings = []
    for option in GAME_OPTIONS:
        value = getattr(options, option.field)
        if option.values and value != option.values[0]:
            spellings.append(f"{option.name}={value}")
        elif not option.values and value:
            spellings.append(option.name)
    return tuple(spellings)


def options_text(spellings: Sequence[str]) -> str:
    """Return the labels of these options, for a list: `Shared victory, Winning Level 20`."""
    labels = {option.name: option.label for option in TABLE_OPTIONS}
    texts = []
    for spelling in spellings:
        name, _, value = spelling.partition("=")
        texts.append(f"{labels[name]} {value}".rstrip() if name in labels else spelling)
    return ", ".join(texts)
