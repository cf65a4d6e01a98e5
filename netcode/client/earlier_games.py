"""What the bots of this machine remember of people from game to game, if whoever hosts them wants that: how much each
person has hurt or helped each of them, by name, in a file that can be read and deleted."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from netcode.protocol.limits import NAME_CHARS

LOG = logging.getLogger("kickdoor.earlier_games")
FILE = "bots-remember.json"
FILE_BYTES = 1 << 18
"""The largest file that is read."""
PEOPLE = 100
"""How many people each bot remembers: those it has met last."""
MOST = 10.0
"""The most that is remembered of somebody's deeds; one counts about 1."""
LEAST = 0.1
"""Less than this is forgotten."""
Sum = Annotated[float, Meta(ge=0, le=MOST)]


class Deeds(Struct, frozen=True, forbid_unknown_fields=True):
    """How much somebody has hurt and helped a bot."""

    hurt: Sum = 0.0
    helped: Sum = 0.0


Remembered = dict[str, dict[str, Deeds]]
"""By the id of a personality: deeds by the name of a person, whoever was met last at the end."""


class EarlierGames:
    """The memory in a file of the data folder. A file that cannot be read is reported once and left as it is; until
    somebody corrects or deletes it, nothing is remembered."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._said = ""

    def of(self, bot: str) -> dict[str, Deeds]:
        """Return the deeds of each person towards this personality."""
        return (self._read() or {}).get(bot, {})

    def keep(self, bot: str, deeds: Mapping[str, tuple[float, float]]) -> None:
        """Remember the deeds of each person after a game, what was left of earlier games included."""
        every = self._read()
        if every is None:
            return
        people = every.setdefault(bot, {})
        for name, sums in deeds.items():
            people.pop(name, None)
            hurt, helped = (round(min(MOST, max(0.0, one)), 2) for one in sums)
            if max(hurt, helped) >= LEAST and 0 < len(name) <= NAME_CHARS:
                people[name] = Deeds(hurt, helped)
        every[bot] = dict(list(people.items())[-PEOPLE:])
        self._write(every)

    def problem(self) -> str:
        """Return why the file cannot be read, one sentence with what to do; "" if it can, or there is none."""
        try:
            self._decoded()
        except (OSError, ValueError) as problem:
            return self._unreadable(problem)
        return ""

    def _unreadable(self, problem: Exception) -> str:
        why = problem.strerror if isinstance(problem, OSError) else problem
        return f"Bots remember nothing of earlier games: {self.path} cannot be read ({why}); correct or delete it."

    def _decoded(self) -> Remembered:
        """Return what the file says, nothing if there is none. Raises OSError, and ValueError with the place."""
        try:
            if self.path.stat().st_size > FILE_BYTES:
                raise ValueError(f"more than {FILE_BYTES} bytes")
            return msgspec.json.decode(self.path.read_bytes(), type=Remembered)
        except FileNotFoundError:
            return {}

    def _read(self) -> Remembered | None:
        """Return what the file says; report it and return None if it cannot be read."""
        try:
            return self._decoded()
        except (OSError, ValueError) as problem:
            self._say(self._unreadable(problem))
            return None

    def _write(self, every: Remembered) -> None:
        beside = self.path.with_name(f"{FILE}.{os.getpid()}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(msgspec.json.format(msgspec.json.encode(every)) + b"\n")
            beside.replace(self.path)
        except OSError as problem:
            self._say(f"Bots forget this game: {self.path} cannot be written ({problem.strerror}).")

    def _say(self, text: str) -> None:
        if text != self._said:
            LOG.warning(text)
        self._said = text
