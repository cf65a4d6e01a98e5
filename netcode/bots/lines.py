"""The lines that bots may say, and how much each occasion weighs.

It loads no rules: a host asks it whenever a bot speaks at a table."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from core.language import toml
from netcode.bots.data_files import FOLDER, read_data

HEAVY = ("victory", "defeat", "death", "betrayed", "curse", "thanks", "near", "help", "mine", "lost")
"""The weightiest occasions, in order: every personality has lines of its own for them."""
DEEDS = ("revenge", "repaid")
"""Occasions on which the speaker returns what somebody did, and says what that was."""
ALLIANCE, ALLIANCE_OVER = "alliance", "alliance_over"
"""The speaker begins to spare all others because one seat is far ahead; that seat no longer is."""
EVENTS = (
    *HEAVY, *DEEDS, ALLIANCE, ALLIANCE_OVER, "robbed", "looted", "curse_void", "caught", "refused", "seal", "escaped",
    "won", "door_big", "haggle", "door_own", "door", "bluff",
)  # fmt: skip
"""All occasions at which something happens in the game."""
REPLIES = ("asked_offer", "threatened", "begged", "insulted", "praised", "greeted")
"""What a person may have said to the speaker."""
KINDS = (*EVENTS, *REPLIES)
"""All occasions."""
WHO = "{who}"
"""Stands for the name of the other player."""
CARD, MONSTER, TURN = "{card}", "{monster}", "{turn}"
"""Stand for what is returned: the card that was played, the monster that was fought, the number of the turn."""
_BLANK = re.compile(r"\{[a-z]+\}")


class Lines(NamedTuple):
    """What may be said, by occasion. own: lines of the speaker alone; shared: lines of anybody at the table."""

    own: Mapping[str, Sequence[str]]
    shared: Mapping[str, Sequence[str]]

    def every(self) -> Iterator[str]:
        """Yield each line."""
        for part in (self.own, self.shared):
            for lines in part.values():
                yield from lines


def read(text: str, name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a TOML text by occasion. Raises ValueError, with one line that names the place."""
    found = {}
    for kind, lines in toml.parse(text).items():
        if kind not in KINDS:
            raise ValueError(f"{name}: there is no occasion {kind!r}: choose from {', '.join(KINDS)}")
        if not isinstance(lines, list) or not all(isinstance(line, str) and line.strip() for line in lines):
            raise ValueError(f"{name}: {kind} must be a list of lines")
        found[kind] = tuple(lines)
    return found


@cache
def lines_of(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lines of a data file by occasion; none if there is no such file. Raises BrokenData."""
    return read_data(name, partial(read, name=name)) if (FOLDER / name).is_file() else {}


def weight_of(kind: str) -> int:
    """Return the weight of an occasion: 0 if it gives way to whatever was said before in the same turn."""
    return len(HEAVY) - HEAVY.index(kind) if kind in HEAVY else 0


def general_form(text: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a line that was said as the files could have it: as it is, and with each of these names as {who}."""
    yield text
    for name in names:
        if name and name in text:
            yield text.replace(name, WHO)
    yield from (line for line in _of_deeds() if _is_filled(line, text))


@cache
def _of_deeds() -> tuple[str, ...]:
    """Return the lines that say what was done."""
    return tuple(line for line in known_lines() if TURN in line)


def _is_filled(line: str, text: str) -> bool:
    """Return whether a text is this line with something in its blanks. The time is linear in the text, which may come
    from anybody."""
    first, *between, last = _BLANK.split(line)
    if not text.startswith(first) or not text.endswith(last):
        return False
    at = len(first)
    for part in between:
        found = text.find(part, at + 1)
        if found < 0:
            return False
        at = found + len(part)
    return at < len(text) - len(last)


@cache
def known_lines() -> Mapping[str, int]:
    """Return every line of the files, with its weight."""
    found: dict[str, int] = {}
    for path in sorted(FOLDER.glob("*.toml")):
        if path.name.startswith(("talk", "voice-")):
            for kind, lines in lines_of(path.name).items():
                found.update(dict.fromkeys(lines, weight_of(kind)))
    return found


def weight_of_line(text: str, names: Iterable[str]) -> int:
    """Return the weight of a line that was said; 0 if the files do not have it. names: of the seats."""
    known = known_lines()
    return max((known.get(form, 0) for form in general_form(text, names)), default=0)


