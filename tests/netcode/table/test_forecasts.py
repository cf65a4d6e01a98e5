"""Forecasts at a table: they are computed and sent only for sessions that ask."""

import asyncio
from pathlib import Path
from typing import Literal

import msgpack
import pytest

from core.state.actions import Play
from core.state.forecasts import Forecast
from core.state.model import defn_of
from core.state.views import View
from netcode.client.client import Client
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join
from netcode.recording.recording import read_recording
from netcode.recording.verify import failed, verify
from netcode.table.rules_game import RulesGame
from tests.netcode.offline_table import OfflineTable, Player, at_the_fight, card
from tests.netcode.recorded_games import finished_game, recorded


class AskingTable(OfflineTable):
    """A table whose players ask for forecasts."""

    forecasts = True


def of_card(player: Player, name: str, side: Literal["heroes", "monsters"]) -> Forecast:
    """Return a player's forecasts of a card on a side."""
    update = player.update
    rows = update.view.you.legal
    wanted = Play(next(held for held in update.view.you.hand if defn_of(held) == card(name)), side=side)
    (found,) = [told for told in update.forecasts if any(rows[at].action == wanted for at in told.rows)]
    return found


def test_whoever_asks_is_told_what_each_card_would_do_and_again_after_each_change() -> None:
    kim, roger, _ = at_the_fight(AskingTable())
    told = of_card(kim, "Prismatic Glitter", "heroes")
    assert (told.heroes, told.foes, told.wins, told.fighter) == (9, 14, False, kim.seat)
    kim.act(Play(kim.holds("Prismatic Glitter"), side="monsters"))
    advantaged = [one for one in roger.update.forecasts if one.fate == "chance"]
    assert advantaged and not any(one.fate == "chance" for one in kim.update.forecasts)
    assert all(told.foes == 19 for told in kim.update.forecasts if told.fate == "sums")


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seats for which forecasts are computed."""
    seats: list[int] = []
    made = RulesGame.forecasts

    def counting(game: RulesGame, seat: int, view: View) -> list[Forecast]:
        seats.append(seat)
        return made(game, seat, view)

    monkeypatch.setattr(RulesGame, "forecasts", counting)
    return seats


def test_nobody_else_is_sent_a_byte_of_them_and_nothing_is_worked_out(counted: list[int]) -> None:
    offline = OfflineTable(bots=1)
    watcher = offline.spectator()
    bots = offline.seat_own_bots()
    players = offline.sit("Kim", "Roger")
    offline.play_randomly(30)
    assert offline.table.match.seq >= 30 and len(bots) == 1
    for player in (*players, *bots, watcher):
        for update in player.received(wire.Update):
            assert "forecasts" not in msgpack.unpackb(codec.pack(update), strict_map_key=False)
    assert not counted


def test_only_the_session_that_asks_pays(counted: list[int]) -> None:
    offline = OfflineTable()
    kim, roger, _ = at_the_fight(offline)
    before = len(codec.pack(roger.update))
    roger.session.forecasts = True
    roger.send(wire.Sync(roger.session.s))
    assert set(counted) == {roger.seat} and roger.update.forecasts and before < len(codec.pack(roger.update))
    kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
    assert set(counted) == {roger.seat} and not kim.update.forecasts


def test_an_internal_error_costs_the_forecast_and_not_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("made by the test")

    monkeypatch.setattr("core.knowledge.forecast.Forecaster.forecasts", broken)
    kim, *_ = at_the_fight(AskingTable())
    assert kim.view.fight is not None and not kim.update.forecasts


def test_a_client_asks_an_older_host_again_without_forecasts() -> None:
    sent: list[wire.Up] = []

    class Muted(Client):
        """A client that keeps its outgoing messages."""

        def _send(self, message: wire.Up) -> bool:
            sent.append(message)
            return True

    async def asking() -> None:
        client = Muted(Join("127.0.0.1", 1, "t", b"k" * 32, b"t" * 16), "Kim", keep=False, forecasts=True)
        client._hello()
        client._on_error(wire.Error("bad_schema", "unknown field `forecasts`"))
        client._on_error(wire.Error("bad_schema", "something else"))
        await client.close()

    asyncio.run(asking())
    assert [message.forecasts for message in sent] == [True, False]
    assert b"forecasts" not in codec.pack(sent[1])


def test_a_recording_keeps_them_and_is_proved_as_before(tmp_path: Path) -> None:
    kim, *_ = finished_game(table=AskingTable)
    found = read_recording(recorded(kim, tmp_path))
    updates = [message for _, frame in found.messages if isinstance(message := codec.unpack_told(frame), wire.Update)]
    assert sum(len(update.forecasts) for update in updates) > 100
    assert not failed(verify(found)), verify(found)
