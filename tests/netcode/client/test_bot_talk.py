"""A bot talks at its table through its client: a moment after an event, if people watch, and only from public
events."""

import asyncio
from pathlib import Path
from typing import Any, cast

import pytest

from core.state import events as ev
from core.state.model import Bargain
from netcode.bots.lines import WHO, lines_of
from netcode.bots.personalities import Personality
from netcode.bots.talk import lines_for
from netcode.client import bot_talk
from netcode.client.bot_talk import BotTalk
from netcode.client.client import Client
from netcode.client.heard_lines import HeardLines
from netcode.protocol import wire
from tests.netcode.bots.bot_views import CATALOG, ViewBuilder

EVEN = (0.5,) * 7
"""Temper, thrift, show and company."""
CHATTERBOX = Personality("some", "Some", "talks", 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, *EVEN)
WON = [ev.Won([0], "level")]


class Table:
    """Stands for a client at a table, with or without a person, and keeps its lines."""

    def __init__(self, person: bool = True, folder: Path | None = None) -> None:
        seats = [wire.SeatInfo("Some", "bot", bot="normal/some"), wire.SeatInfo("Bea", "bot", bot="normal")]
        seats += [wire.SeatInfo("Kim", "here") if person else wire.SeatInfo("Cyril", "bot", bot="normal")] * 2
        packs = [wire.PackInfo("munchkins-and-mazes", "")]
        self.info = wire.TableInfo("t", seats, stage="playing", packs=packs, game=1, speed="fast")
        self.said: list[str] = []
        self.seat, self.view = 0, ViewBuilder().see()
        self.talk = BotTalk(cast(Client, self), CHATTERBOX, HeardLines(folder))
        self.talk.catalog = CATALOG

    def say(self, text: str) -> bool:
        self.said.append(text)
        return True

    def happens(self, *events: Any, whole: bool = False) -> None:
        numbered = [wire.NumberedEvent(at + 1, event) for at, event in enumerate(events)]
        self.talk.heard(wire.Update(1, 1, ViewBuilder().see(), numbered, whole=whole))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_talk, "PACE", {"fast": 0.01})


async def test_it_speaks_a_moment_later() -> None:
    table = Table()
    table.happens(*WON)
    assert not table.said
    await asyncio.sleep(0.1)
    assert len(table.said) == 1


async def test_it_does_not_repeat_what_another_bot_has_said() -> None:
    one, two = Table(), Table()
    one.happens(*WON)
    await asyncio.sleep(0.1)
    two.happens()
    two.talk.heard(wire.Talk(1, "Bea", one.said[0]))
    two.happens(*WON)
    await asyncio.sleep(0.1)
    assert two.said and two.said != one.said


async def test_something_weightier_takes_the_place_of_a_line_that_waits_but_nothing_lighter_does() -> None:
    table = Table()
    table.happens()
    for seat, why in ((1, "level"), (0, "level")):
        table.happens(ev.Won([seat], why))
    table.happens(ev.SealOpened(2, 1, 1))
    await asyncio.sleep(0.1)
    victories = lines_for(["munchkins-and-mazes"]).shared["victory"]
    assert len(table.said) == 1 and table.said[0] in victories


async def test_it_answers_a_person_who_names_it_and_no_spectator() -> None:
    table = Table()
    table.happens()
    table.talk.heard(wire.Talk(-1, "(spectator)", "hello Some"))
    table.talk.heard(wire.Talk(2, "Kim", "hello Bea"))
    await asyncio.sleep(0.1)
    assert not table.said
    table.talk.heard(wire.Talk(2, "Kim", "Hello, Some!"))
    await asyncio.sleep(0.1)
    assert len(table.said) == 1 and table.said[0].replace("Kim", WHO) in lines_of("talk.toml")["greeted"]


async def test_lines_of_its_own_are_counted_across_games_and_a_broken_file_is_forgotten(tmp_path: Path) -> None:
    table = Table(folder=tmp_path)
    table.happens(*WON)
    await asyncio.sleep(0.1)
    table.talk.heard(wire.Talk(0, "Some", table.said[0]))
    table.talk.heard(wire.Talk(0, "Some", "a line of nobody's"))
    assert HeardLines(tmp_path).counts == {table.said[0]: 1}
    (tmp_path / "heard-lines.json").write_bytes(b'{"x')
    assert HeardLines(tmp_path).counts == {}
    (tmp_path / "heard-lines.json").write_bytes(b'{"a line of nobody\'s": 3}')
    assert HeardLines(tmp_path).counts == {}


@pytest.mark.parametrize("how", ["nobody watches", "old news", "taken back", "silenced"])
async def test_it_is_silent(how: str) -> None:
    table = Table(person=how != "nobody watches")
    table.happens()
    table.happens(*WON, *([ev.SteppedBack(2, 2, "kick")] if how == "taken back" else []), whole=how == "old news")
    if how == "silenced":
        table.talk.silence()
    await asyncio.sleep(0.1)
    assert not table.said


async def test_its_talker_is_shown_nothing_that_only_its_seat_sees(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(bot_talk.Talker, "remark", lambda self, events, view, names: shown.append((events, view)))
    table, card = Table(), 7 * 4096 + 5
    offer = Bargain(4, 0, 1, "help", 1, 1, False, [], [], [card], 1)
    own = [ev.Drew(0, "door", 1, [card]), ev.Peeked(0, "door", 1, [5]), ev.Noted("charity", 0)]
    table.happens(*own, ev.Offered(offer))
    [(events, view)] = shown
    assert view.you is None
    assert events == [
        ev.Drew(0, "door", 1, []), ev.Peeked(0, "door", 1, []),
        ev.Offered(Bargain(4, 0, 1, "help", 1, 1, False, [], [], [], 1), 1),
    ]  # fmt: skip
