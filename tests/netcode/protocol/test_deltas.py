"""Deltas: a client reconstructs the whole view from them, whatever was lost; a hostile delta changes nothing."""

import random
import tracemalloc
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.state.actions import Play
from core.state.views import View
from core.view import Showing
from netcode.client.client import Client, ConnectionChanged
from netcode.client.flood import BAD_HOST
from netcode.protocol import limits, wire
from netcode.protocol.codec import WireError, pack, packed, unpack_down
from netcode.protocol.credentials import Join
from netcode.protocol.deltas import Folder, difference, inflated
from netcode.table.broadcast import Broadcaster, ClockNews
from netcode.table.session import Out, Session
from tests.blends import BLENDS_AND_PAIRS, EXCHANGES, GROWTH, catalog_of
from tests.core.random_table import RandomTable
from tests.netcode.offline_table import OfflineTable, at_the_fight
from tests.thorough import examples

GAMES = [*BLENDS_AND_PAIRS, EXCHANGES, GROWTH]
ACTIONS = 400


class Reader:
    """A session of a broadcaster, and its client, which applies the deltas. seat: -1 for a spectator."""

    def __init__(self, seat: int) -> None:
        self.session = Session(b"s", seat, "player", "key")
        self.folder, self.update = Folder(), wire.Update(1, 0, None)
        self.events: list[wire.NumberedEvent] = []

    def read(self, broadcaster: Broadcaster, lost: bool = False) -> None:
        """Read what the broadcaster has for this session. lost: the connection could not take it."""
        message = broadcaster.news(self.session, ClockNews((), wire.Timers))
        if lost:
            self.session.whole = True
        elif isinstance(message, wire.Delta):
            delta = unpack_down(pack(message))
            assert isinstance(delta, wire.Delta)
            assert delta.whole or delta.seq == self.update.seq + 1
            self.update = self.folder.fold(delta, 1, wire.Timers())
            self.events = [*([] if delta.whole else self.events), *self.update.events]


@pytest.mark.long(4)
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_deltas_fold_to_the_whole_view_in_random_games(number: int) -> None:
    """Players and a spectator; each of them now and then reads nothing, reads late, or loses a message."""
    seats, rng = 3 + number % 4, random.Random(number)
    table, broadcaster = RandomTable(catalog_of(GAMES[number]), seats, number), Broadcaster(seats)
    readers = [Reader(seat) for seat in range(-1, seats)]
    for _ in range(ACTIONS):
        if table.state.winners:
            break
        broadcaster.happened(table.act())
        showing = Showing(table.catalog, table.state)
        views = [showing.view(seat) for seat in range(seats)]
        broadcaster.show(views, showing.view(-1))
        for reader in readers:
            if rng.random() < 0.8:
                lost = rng.random() < 0.05
                reader.read(broadcaster, lost)
                if not lost:
                    assert packed(reader.update.view) == packed([*views, showing.view(-1)][reader.session.seat])
    for reader in readers:
        numbers = [told.no for told in reader.events]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "no event is missing"


class ListeningTable(OfflineTable):
    """An offline table that keeps the deltas that it sends, and to which seat."""

    def sent(self, out: list[Out]) -> None:
        self.deltas: list[tuple[int, wire.Delta]] = getattr(self, "deltas", [])
        for one in out:
            if one.session is not None and isinstance(one.message, wire.Delta):
                self.deltas.append((one.session.seat, one.message))


def test_everybody_folds_the_spectators_view_and_only_seats_an_own_part() -> None:
    offline = ListeningTable(None, pace="book")
    watcher = offline.spectator()
    offline.sit("Kim", "Roger", "Ross")
    offline.play_randomly(60)
    for seat in (-1, 0, 1, 2):
        part, deltas = b"", [delta for to, delta in offline.deltas if to == seat]
        for delta in deltas:
            part = inflated(delta.public, b"" if delta.whole else part)
        assert part == packed(watcher.view) and len(deltas) > 20
        assert any(delta.own for delta in deltas) == (seat >= 0)


def test_the_public_part_is_deflated_once_for_all_who_were_sent_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    def counted(part: bytes, base: bytes) -> bytes:
        made.append(part)
        return difference(part, base)

    monkeypatch.setattr("netcode.table.broadcast.difference", counted)
    offline = ListeningTable()
    offline.spectator()
    kim, *_ = at_the_fight(offline)
    made.clear()
    offline.deltas.clear()
    kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
    assert [seat for seat, _ in offline.deltas] == [0, 1, 2, -1]
    assert len({delta.public for _, delta in offline.deltas}) == 1
    assert len(made) == 1 + 4, "the public part once, and four own parts, of which the spectator's is empty"


# ---------------------------------------------------------------------------------------------------- hostile deltas
def folded(view: View) -> tuple[Folder, bytes]:
    """Return a `Folder` that has received this spectators' view, and the public part of the view."""
    folder, part = Folder(), packed(view)
    folder.fold(wire.Delta(1, difference(part, b""), whole=True), 1, wire.Timers())
    return folder, part


@pytest.fixture(scope="module")
def public() -> View:
    """A spectators' view of a fight."""
    offline = OfflineTable()
    watcher = offline.spectator()
    at_the_fight(offline)
    return watcher.view


def _hostile(part: bytes) -> dict[str, dict[str, Any]]:
    good = difference(part, part[:100])
    bomb = zlib.compressobj(wbits=-15)
    return {
        "cut off": {"public": good[:-3]},
        "followed by something": {"public": good + b"more"},
        "nothing of the kind": {"public": b"\xff" * 40},
        "a bomb": {"public": bomb.compress(bytes(50_000_000)) + bomb.flush()},
        "no view": {"public": difference(packed([1, 2, 3]), part)},
        "deeply nested": {"public": difference(b"\x91" * 60_000, part)},
        "more than a view": {"public": difference(part + b"\x01", part)},
        "no own part": {"own": difference(packed({"you": 1}), b"")},
        "an own part of a wrong type": {"own": difference(packed(["you", None, None, None, None]), b"")},
    }


@pytest.mark.long(3)
@pytest.mark.parametrize("name", list(_hostile(bytes(1000))))
def test_a_hostile_delta_is_refused_cheaply_and_changes_nothing(name: str, public: View) -> None:
    folder, part = folded(public)
    hostile = _hostile(part)[name]
    tracemalloc.start()
    try:
        with pytest.raises(WireError, match="part of a view") as refused:
            folder.fold(wire.Delta(2, **hostile), 1, wire.Timers())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 2_000_000, f"{peak} bytes"
    assert not refused.value.place.endswith(", "), "the sentence for people breaks off"
    assert packed(folder.fold(wire.Delta(2), 1, wire.Timers()).view) == part


@pytest.mark.long
@settings(max_examples=examples(300, 10), deadline=None)
@given(st.data())
def test_any_bytes_are_a_view_or_a_wire_error(public: View, data: st.DataObject) -> None:
    folder, part = folded(public)
    changed = bytearray(part)
    for _ in range(data.draw(st.integers(0, 3))):
        changed[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    delta = bytearray(difference(bytes(changed), part))
    for _ in range(data.draw(st.integers(0, 3)) if delta else 0):
        delta[data.draw(st.integers(0, len(delta) - 1))] = data.draw(st.integers(0, 255))
    try:
        update = folder.fold(wire.Delta(2, bytes(delta), data.draw(st.binary(max_size=20))), 1, wire.Timers())
    except WireError as error:
        assert error.code in ("bad_frame", "bad_schema")
    else:
        assert isinstance(update.view, View)


def test_a_part_of_a_view_that_no_client_would_read_is_not_sent() -> None:
    with pytest.raises(WireError, match="more than a client reads"):
        difference(bytes(limits.PART_OF_VIEW_BYTES + 1), b"")
    longest = random.Random(1).randbytes(limits.PART_OF_VIEW_BYTES)
    assert inflated(difference(longest, longest[1:]), longest[1:]) == longest


# ----------------------------------------------------------------------------------------------------- at the client
class HeardClient(Client):
    """A client that keeps its outgoing messages, and those to its subscribers."""

    def __init__(self) -> None:
        super().__init__(Join("127.0.0.1", 1, "t", b"k" * 32, b"t" * 16), "Wes", role="watch", keep=False)
        self.sent: list[wire.Up] = []
        self.told: list[object] = []
        self.subscribe(self.told.append)

    def _send(self, message: wire.Up) -> bool:
        self.sent.append(message)
        return True


def welcomed(client: HeardClient, public: View) -> bytes:
    """Let a client in and give it a view; return the public part of that."""
    part = packed(public)
    info = wire.TableInfo("t", [wire.SeatInfo()] * len(public.seats), packs=[wire.PackInfo("x", "0" * 32)])
    client._received(pack(wire.Welcome(wire.WIRE, b"s" * 16, -1, b"", 1, 2000, info)))
    client._received(pack(wire.Delta(1, difference(part, b""), whole=True)))
    assert isinstance(client.told[-1], wire.Update) and packed(client.view) == part
    client.sent.clear()
    return part


async def test_a_client_asks_for_a_whole_delta_after_a_gap_and_keeps_its_view(public: View) -> None:
    client = HeardClient()
    part = welcomed(client, public)
    told = len(client.told)
    client._received(pack(wire.Delta(3)))
    assert client.sent == [wire.Sync(b"s" * 16)] and packed(client.view) == part and len(client.told) == told
    client._received(pack(wire.Delta(9, difference(part, b""), whole=True)))
    assert isinstance(client.told[-1], wire.Update) and client.told[-1].seq == 9
    await client.close()


@pytest.mark.parametrize("later", [wire.Delta(2, b"\xff"), wire.Update(1, 2, None)], ids=["hostile delta", "update"])
async def test_a_delta_of_which_no_view_can_be_made_ends_the_connection(later: wire.Told, public: View) -> None:
    client = HeardClient()
    part = welcomed(client, public)
    client._received(pack(later))
    assert (client.stage, client.code, client.sent) == ("closed", BAD_HOST, []) and packed(client.view) == part
    assert isinstance(client.told[-1], ConnectionChanged)
    await client.close()
