"""Bots remember from game to game who has hurt or helped them, only where that was asked for, in a file for people."""

import json
import logging
import random
from pathlib import Path
from typing import Any, cast

import pytest

from core.state import events as ev
from core.state.actions import EndTurn
from netcode.bots.brain import Brain
from netcode.client.bot_runner import BotPlayer
from netcode.client.client import Client
from netcode.client.earlier_games import FILE, PEOPLE, EarlierGames
from netcode.protocol import wire
from tests.netcode.bots.bot_views import CATALOG, ViewBuilder, ask

CURSE = ViewBuilder().card("Two Trapdoors")


class Table:
    """Stands for the client of a bot in seat 0, with two people and another bot."""

    def __init__(self, folder: Path, remembers: bool = True, spec: str = "normal/bertha") -> None:
        seats = [wire.SeatInfo("Bertha", "bot", bot=spec), wire.SeatInfo("Kim", "here"), wire.SeatInfo("Lou", "here")]
        self.info = wire.TableInfo("t", [*seats, wire.SeatInfo("Gilda", "bot", bot="normal/gilda")], stage="playing")
        self.seat, self.veiled, self.view = 0, None, ViewBuilder().see(EndTurn(), asks=[ask("end")])
        self.bot = BotPlayer(cast(Client, self), spec, random.Random(1), {},
                             earlier=EarlierGames(folder) if remembers else None)  # fmt: skip
        self.bot._talk = None
        player = self.bot._player = self.bot._made(CATALOG)
        self.brain = cast(Any, player) if isinstance(player, Brain) else cast(Any, player).policy
        self.brain.decide(self.bot._observed(False, False))

    def subscribe(self, callback: object) -> None: ...

    def clocks(self) -> wire.Timers:
        return wire.Timers()

    def happens(self, *events: ev.AnyEvent, over: bool = False) -> None:
        self.view = ViewBuilder().see(EndTurn(), asks=[ask("end")])
        self.view.winners = [1] if over else []
        self.bot._heard(wire.Update(1, 1, self.view, [wire.NumberedEvent(1, event) for event in events]))


def cursed(by: int) -> ev.Moved:
    return ev.Moved(CURSE, CURSE, "hand", by, "limbo", -1, "played", by, on_seat=0)


@pytest.mark.parametrize("spec", ["normal/bertha", "hard/bertha"])
def test_half_of_a_grudge_is_left_in_the_next_game_and_only_people_are_remembered(tmp_path: Path, spec: str) -> None:
    table = Table(tmp_path, spec=spec)
    table.happens(cursed(1), cursed(1), cursed(3))
    assert not (tmp_path / FILE).exists(), "the game is not over"
    table.happens(over=True)
    table.happens(over=True)
    known = json.loads((tmp_path / FILE).read_text())
    assert known == {"bertha": {"Kim": {"hurt": 2.0, "helped": 0.0}}}
    again = Table(tmp_path, spec=spec)
    assert again.brain.deeds() == {1: (1.0, 0.0)}
    again.happens(over=True)
    assert json.loads((tmp_path / FILE).read_text())["bertha"]["Kim"]["hurt"] == 1.0, "it fades"


def test_nothing_is_remembered_unless_that_was_asked_for(tmp_path: Path) -> None:
    table = Table(tmp_path, remembers=False)
    table.happens(cursed(1))
    table.happens(over=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("bad", [b'{"bertha": {"Kim"', b'{"bertha": {"Kim": {"hurt": -3}}}', b"[]", b" " * (1 << 19)])
def test_a_bad_file_is_named_with_the_remedy_and_left_as_it_is(
    tmp_path: Path, bad: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    (tmp_path / FILE).write_bytes(bad)
    table = Table(tmp_path)
    table.happens(cursed(1))
    table.happens(over=True)
    assert (tmp_path / FILE).read_bytes() == bad
    (said,) = {message for message in caplog.messages if "remember" in message}
    assert str(tmp_path / FILE) in said and said.endswith("correct or delete it.") and "\n" not in said
    assert said == EarlierGames(tmp_path).problem()
    (tmp_path / FILE).unlink()
    table.happens(over=True)
    assert "Kim" in EarlierGames(tmp_path).of("bertha") and not EarlierGames(tmp_path).problem()


def test_a_bounded_number_of_people_is_remembered_those_met_last(tmp_path: Path) -> None:
    games = EarlierGames(tmp_path)
    for number in range(PEOPLE + 5):
        games.keep("bertha", {f"P{number}": (1e9, -4.0), "Kim": (0.5, 0.5), "Lou": (0.01, 0.0)})
    people = games.of("bertha")
    assert len(people) == PEOPLE and "Kim" in people and "P0" not in people and "Lou" not in people
    assert max(deeds.hurt for deeds in people.values()) <= 10 and not games.of("gilda")


def test_a_folder_that_cannot_be_written_costs_no_game(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").touch()
    games = EarlierGames(tmp_path / "file")
    games.keep("bertha", {"Kim": (1.0, 0.0)})
    assert any("bots-remember.json" in message for message in caplog.messages)
