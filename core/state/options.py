"""The table options that rules read: what players agree on before the first deal. Each one is described here, once.

A row names a field of `core.state.model.Options`, which holds its type and its default. This module imports no
msgspec: the command line reads it before it has parsed anything.
"""

from typing import NamedTuple


class TableOption(NamedTuple):
    """One option of a table, for the command line, the menus, scenario files, messages and documents."""

    name: str
    """Its name in `--option`, in scenario files and in messages."""
    label: str
    """Its name in lists."""
    sentence: str
    """Its effect, in words for a person who has to decide."""
    values: tuple[int, ...] = ()
    """The values a player may choose from, the default first; empty for an option that is either on or off."""

    @property
    def spellings(self) -> tuple[str, ...]:
        """Every form that `--option` takes: `name`, or `name=value` for each of its values."""
        return tuple(f"{self.name}={value}" for value in self.values) or (self.name,)

    @property
    def field(self) -> str:
        """The field of `Options` that holds it."""
        return self.name.replace("-", "_")


GAME_OPTIONS = (
    TableOption(
        "listen",
        "Listen At The Door",
        "Faster play: a turn begins with a face-down Door; looting draws a Treasure.",
    ),
    TableOption("shared-victory", "Shared victory", "Whoever helps at the winning kill wins too."),
    TableOption(
        "seal-die", "A die for Seals", "Every turn begins with a die, and a 1 opens a Seal. Needs Apocalypse."
    ),
    TableOption("win-level", "Winning Level", "The Level that wins: 10, or 20 for a long game.", (10, 20)),
)
"""In the order of the fields of `Options`."""
