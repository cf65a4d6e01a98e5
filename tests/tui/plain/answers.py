"""Answer the questions of lines using only their printed text: at random, or in every way."""

import random
import re
import time
from collections.abc import Iterator

from tests.tui.fake_client import FakeClient
from tui.config.settings import Settings
from tui.plain.lines import Desk, Typed
from tui.plain.table import PlainTable
from tui.scene.table_session import TableSession

STEPS = 120
"""After at most this many random answers there must be an action or a command. (Answers that end a question are more
likely.)"""
SENDS = ("send this offer", "give it away")
CHOICE = re.compile(r"(\d+)\. (.+)")


class NobodyTypes:
    """The lines of a player whose answers come from a test."""

    on_demand = False

    async def next(self) -> Typed:
        """Never read: the test passes the lines in itself."""
        raise NotImplementedError


class Reader:
    """One player's lines for one view: the question and its answers."""

    def __init__(self, session: TableSession, client: FakeClient) -> None:
        self.client = client
        self.lines: list[str] = []
        self.table = PlainTable(session, Desk(self.lines.append, NobodyTypes()), Settings())
        self.look()

    def look(self) -> None:
        """Read the question of this moment."""
        self.lines.clear()
        self.table.look()

    @property
    def answered(self) -> bool:
        """Whether an action was sent, or a command was run."""
        client = self.client
        return bool(client.acts or client.sets or client.votes or client.requests or self.table.how)

    @property
    def asked(self) -> bool:
        """Whether something is asked of the player."""
        return any(line.startswith("You are asked: ") for line in self.lines)

    def choices(self) -> list[str]:
        """Return the words of the choices that were printed last. Raise AssertionError if their numbers are wrong."""
        found: list[str] = []
        for line in self.lines:
            choice = CHOICE.fullmatch(line)
            if choice is not None:
                assert int(choice[1]) == len(found) + 1, self.lines
                found.append(choice[2])
        return found

    def offered(self, rng: random.Random) -> str:
        """Return one of the answers that the last line of a question offers."""
        how = next(line for line in reversed(self.lines) if not line.startswith("Time: "))
        most = len(self.choices())
        if how == "Answer yes or no.":
            return rng.choice(("yes", "yes", "no"))
        if how == "Answer with an empty line.":
            return ""
        if how.startswith("There is nothing to choose from: answer none"):
            return "none"
        if how.startswith("Answer with all numbers in one line, for example "):
            example = " ".join(re.findall(r"\d+", how))
            everything = " ".join(str(number) for number in range(1, most + 1))  # a sum may need more
            return rng.choice((example, everything, *(("none",) if ", or none" in how else ())))
        assert re.fullmatch(rf"Answer {'1' if most == 1 else f'1 to {most}'}(, or back)?\.", how), self.lines
        return str(rng.randint(1, most))

    def answer(self, text: str) -> None:
        """Pass in a line, and read the output that follows."""
        self.lines.clear()
        self.table._hear(Typed(text, time.monotonic()))
        if not self.answered and not self.lines:
            self.look()
        if not self.answered and not self.asked and not self.choices():
            self.table.repeat()


def sensible(reader: Reader, rng: random.Random) -> str:
    """Return a random answer; answers that send an offer or end a question are more likely."""
    sends = [str(at) for at, words in enumerate(reader.choices(), 1) if words.startswith(SENDS)]
    return sends[0] if sends and rng.random() < 0.3 else reader.offered(rng)


def walk(session: TableSession, client: FakeClient, rng: random.Random) -> Iterator[list[str]]:
    """Answer at random until something is sent; yield every question on the way. Raise AssertionError if it leads
    nowhere."""
    client.acts.clear()
    client.sets.clear()
    client.requests.clear()
    reader = Reader(session, client)
    if not reader.asked:
        reader.table.repeat()
        if not reader.choices():
            return
    for _ in range(STEPS):
        yield list(reader.lines)
        reader.answer(sensible(reader, rng))
        if reader.answered:
            return
    raise AssertionError(f"so many answers have led nowhere: {reader.lines}")
