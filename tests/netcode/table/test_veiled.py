"""Veiled states at a table: only a session that asks gets them; a seat's knowledge survives a restart."""

import random
from pathlib import Path

import msgpack
import pytest

from core.knowledge.imagine import imagine
from core.knowledge.veil import veil
from core.state.veiled import Veiled
from core.view import view
from netcode.client.client import Client
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join
from netcode.recording.recording import read_recording
from netcode.table.rules_game import RulesGame
from tests.netcode.offline_table import OfflineTable
from tests.netcode.recorded_games import finished_game, recorded
from tests.netcode.restored_table import journal_rows, restored_table


class AskingTable(OfflineTable):
    """A table whose players ask for veiled states."""

    veiled = True


def test_whoever_asks_has_what_the_seat_knows_now_and_can_imagine_a_game_of_it() -> None:
    offline = AskingTable(None, pace="book")
    watcher = offline.spectator()
    players = offline.sit("Kim", "Roger", "Ross")
    for acts in (0, 12, 60, 150):
        offline.play_randomly(acts)
        running = offline.table.match.game
        for player in players:
            veiled = player.update.veiled
            seen = running._game.seen[player.seat]
            assert veiled == veil(running._catalog, running.state, player.seat, seen)
            game = imagine(running._catalog, veiled, random.Random(acts))
            assert codec.packed(view(running._catalog, game, player.seat)) == codec.packed(player.view)
    assert all(update.veiled is None for update in watcher.received(wire.Update))


def test_nobody_else_is_sent_a_byte_of_them_and_nothing_is_veiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def veiled(game: RulesGame, seat: int) -> bytes:
        raise AssertionError("nobody has asked for it")

    monkeypatch.setattr(RulesGame, "veiled", veiled)
    offline = OfflineTable(bots=1)
    offline.spectator()
    offline.seat_own_bots()
    sent: list[bytes] = []
    monkeypatch.setattr(offline, "sent", lambda out: sent.extend(codec.pack(one.message) for one in out))
    offline.sit("Kim", "Roger")
    offline.play_randomly(30)
    deltas = [frame for frame in (msgpack.unpackb(one, strict_map_key=False) for one in sent) if frame["k"] == "delta"]
    assert len(deltas) > 30 and not any("veiled" in delta for delta in deltas)


def test_a_state_that_cannot_be_veiled_leaves_the_game_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    offline = AskingTable()
    players = offline.sit("Kim", "Roger", "Ross")
    offline.play_randomly(20)
    assert all(player.update.veiled is not None for player in players)
    monkeypatch.setattr("netcode.table.rules_game.veil", lambda *_: 1 / 0)
    offline.play_randomly(40)
    assert any(player.update.veiled is None and player.view is not None for player in players)


async def test_a_client_asks_for_them_only_if_it_is_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for wanted in (False, True):
        hellos: list[wire.Up] = []
        monkeypatch.setattr(Client, "_send", lambda self, message, hellos=hellos: bool(hellos.append(message)))
        client = Client(Join("127.0.0.1", 1, "t", b"k" * 32, b"t" * 16), "Bot", role="bot", keep=False, veiled=wanted)
        client._hello()
        (hello,) = hellos
        assert isinstance(hello, wire.Hello) and hello.veiled == wanted
        assert (b"veiled" in codec.pack(hello)) == wanted
        client._host_is_older = True
        client._hello_at = -60.0
        client._hello()
        assert not hellos[-1].veiled, "an older host does not know the word"
        await client.close()


def test_recordings_are_as_large_as_before(tmp_path: Path) -> None:
    kim, *_ = finished_game(AskingTable)
    saved = recorded(kim, tmp_path)
    assert any(isinstance(update.veiled, Veiled) for update in kim.received(wire.Update))
    kept = [codec.unpack_told(frame) for _, frame in read_recording(saved).messages]
    assert not any(message.veiled for message in kept if isinstance(message, wire.Update))


def test_what_seats_have_learned_outlives_a_restart(tmp_path: Path) -> None:
    offline = AskingTable(None, pace="book")
    offline.sit("Kim", "Roger", "Ross")
    offline.play_randomly(200)
    before = [offline.table.match.game.veiled(seat) for seat in range(3)]
    table = restored_table(offline, journal_rows(offline, tmp_path))
    assert [table.match.game.veiled(seat) for seat in range(3)] == before
    fresh = RulesGame(table.match.game._catalog, table.match.game.state)
    assert all(fresh.veiled(seat) != known for seat, known in enumerate(before)), "nobody has learned anything"
