"""Failures at one table stay there: internal errors, rows that cannot be written, floods, overload."""

import asyncio
import logging
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from core.state.actions import Answer, Done
from netcode.client.client import Client
from netcode.client.connection import ClientError
from netcode.client.lobby_client import LobbyClient
from netcode.client.state_machine import ConnectionChanged
from netcode.host import faults
from netcode.host.fair_queue import FairQueue, Lane, QueuedMessage
from netcode.host.table_runner import BLOCKED, CLOSED, PAUSED, RESTORED, UNRESTORABLE
from netcode.journal import ActRow, FactRow, Journal, Row
from netcode.protocol import codec, limits, wire
from netcode.protocol.credentials import new_pair
from netcode.table.table import Table
from tests.netcode.conftest import OpenJournal
from tests.netcode.in_process_host import InProcessHost, Trap, in_process_host
from tests.netcode.raw_client import RawClient, hello
from tests.netcode.running_host import running_host, until, you
from tests.netcode.stepped_host import SteppedHost
from tests.patience import PATIENCE_S

TWO = ((), ("listen",))


async def two_tables(inside: InProcessHost) -> tuple[list[Client], list[Client]]:
    """Begin a game at a quiet table and at a trapped one; return their clients."""
    quiet, trapped = inside.registry.tables.values()
    return await inside.seated(quiet, "Kim", "Roger", "Ross"), await inside.seated(trapped, "Gro", "Jan", "Ines")


async def keeps_playing(clients: list[Client]) -> None:
    """Check that the game continues: let the first player finish laying out cards, and wait until all see it.

    It does not check the other seats: after a restart a first view may be older than the last act of another player.
    """
    seat = you(clients[0]).seat
    assert await clients[0].do(Done()) == wire.Ack(clients[0]._actions._last, "applied")
    for client in clients:
        await client.wait_for(lambda one: all(deciding.seat != seat for deciding in one.view.deciding))


def sentences(clients: list[Client]) -> list[str]:
    """Return a list that collects the sentences which the host sends to these clients."""
    said: list[str] = []
    for client in clients:
        client.subscribe(lambda message: said.append(message.text) if isinstance(message, wire.Error) else None)
    return said


# ------------------------------------------------------------------------------------------------------ internal errors
async def test_an_internal_error_closes_its_table_with_a_sentence_and_the_others_continue(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with in_process_host(tables=TWO) as inside:
        quiet, trapped = await two_tables(inside)
        inside.trap.views = 1
        with caplog.at_level(logging.ERROR, "kickdoor.table_runner"):
            trapped[0].act(Done())
            for client in trapped:
                assert await asyncio.wait_for(client.wait_closed(), 5) == CLOSED
                assert client.code == "fault"
        (record,) = [record for record in caplog.records if record.exc_info]
        assert record.exc_info is not None
        assert "an error made by the test" in str(record.exc_info[1]) and "Act" in record.message
        await keeps_playing(quiet)
        assert len(inside.registry.tables) == 1
        assert all(client.stage == "synced" for client in quiet)


async def test_with_a_journal_the_table_is_restored_and_its_players_return_and_read_why(
    tmp_path: Path, opened: OpenJournal
) -> None:
    async with in_process_host(tmp_path, tables=TWO, opened=opened) as inside:
        quiet, trapped = await two_tables(inside)
        noticed: list[ConnectionChanged] = []
        for client in quiet:
            client.subscribe(lambda told: noticed.append(told) if isinstance(told, ConnectionChanged) else None)
        assert isinstance(await trapped[1].do(Done()), wire.Ack)
        hands = [you(client).hand for client in trapped]
        said = sentences(trapped)
        inside.trap.views = 1
        answer = await trapped[0].do(Done())
        assert isinstance(answer, wire.Refused) and answer.refusal.clause == "internal"
        for client in trapped:
            await client.wait_for(lambda one: one.stage == "synced")
        assert said == [RESTORED] * 3
        assert [you(client).hand for client in trapped] == hands
        await keeps_playing(trapped)
        await keeps_playing(quiet)
        assert noticed == [], "nobody at the other table noticed anything"
        assert inside.trap.sprung == 1


async def test_an_action_that_always_fails_is_refused_and_does_not_end_the_table(tmp_path: Path) -> None:
    async with in_process_host(tmp_path, tables=TWO) as inside:
        _, trapped = await two_tables(inside)
        inside.trap.action = Answer
        answer = await trapped[0].do(Answer(1))
        assert isinstance(answer, wire.Refused) and "The host has logged it" in answer.refusal.text
        await trapped[1].wait_for(lambda one: one.stage == "synced")
        await keeps_playing(trapped)
        assert inside.trap.sprung == 1, "it was sent again, but not carried out again"


async def test_an_action_that_failed_twice_is_not_tried_again_for_a_while(tmp_path: Path) -> None:
    """Its player may do everything else, and nobody else notices."""
    async with in_process_host(tmp_path, tables=TWO) as inside:
        _, trapped = await two_tables(inside)
        inside.trap.action = Answer
        for _ in range(faults.STRIKES):
            assert isinstance(await trapped[0].do(Answer(1)), wire.Refused)
        said = sentences(trapped)
        answer = await trapped[0].do(Answer(1))
        assert isinstance(answer, wire.Error) and (answer.code, answer.text) == ("rate_limited", BLOCKED)
        assert 0 < answer.retry_ms <= faults.BLOCKED_S * 1000
        assert inside.trap.sprung == faults.STRIKES and said == [BLOCKED]
        assert await trapped[0].why(Done()) is None
        await keeps_playing(trapped[1:])


async def test_a_table_whose_ticks_fail_comes_back_after_growing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its players read how long it takes; strangers read the same as for any table of which they have no string."""
    monkeypatch.setattr(faults, "FIRST_PAUSE_S", 0.3)
    async with in_process_host(tmp_path, tables=TWO) as inside:
        quiet, trapped = await two_tables(inside)
        entry = next(entry for entry in inside.registry.tables.values() if entry.record.options)
        hands, heard, fails = [you(client).hand for client in trapped], [sentences([one]) for one in trapped], [True]
        tick = type(entry.table).tick
        monkeypatch.setattr(type(entry.table), "tick", _failing_tick(tick, entry.id, fails))
        paused = PAUSED.partition("%")[0]
        await until(lambda: all(any(text.startswith(paused) for text in said) for said in heard), PATIENCE_S)
        assert entry.faults.in_a_row > faults.FREE
        assert [said[0] for said in heard] == [RESTORED] * 3, "at first it is restored at once"
        stranger = inside.client(inside.string(entry.id, bytes(16)), "Eve")
        with pytest.raises(ClientError, match="no table here fits"):
            await stranger.join()
        await keeps_playing(quiet)
        fails.clear()
        for client in trapped:
            await client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        assert [you(client).hand for client in trapped] == hands
        await keeps_playing(trapped)
        assert inside.host.lost == []


def _failing_tick(tick: Any, name: str, fails: list[bool]) -> Any:
    def failing(table: Table, stamp: int) -> None:
        if fails and table.config.table == name:
            raise RuntimeError("an error made by the test")
        tick(table, stamp)

    return failing


async def test_a_table_that_cannot_be_restored_now_is_tried_again_and_waits_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faults, "FIRST_PAUSE_S", 0.01)
    async with in_process_host(tmp_path, tables=TWO) as inside:
        quiet, trapped = await two_tables(inside)
        (name,) = [entry.id for entry in inside.registry.tables.values() if entry.record.options]
        inside.trap.views = 4  # the views of the action, and three attempts to restore the table
        assert isinstance(await trapped[1].do(Done()), wire.Refused | wire.Ack)
        await trapped[0].wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        await keeps_playing(trapped)
        assert inside.host.lost == []
        inside.trap.views = -1
        trapped[2].act(Done())
        assert await asyncio.wait_for(trapped[0].wait_closed(), PATIENCE_S) == UNRESTORABLE
        await keeps_playing(quiet)
        assert inside.host.lost == [name]
    async with in_process_host(tmp_path) as again:
        assert name in again.registry.tables


def test_pauses_grow_and_end() -> None:
    history = faults.FaultHistory()
    pauses = []
    for now in range(100, 100 + 12):
        pauses.append(history.count(now))
        history.runs(now)
    assert pauses == [0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert history.count(111 + faults.QUIET_S) == 0, "it has recovered"


def test_one_client_alone_causes_no_pause_however_often_it_tries() -> None:
    history, now, tried = faults.FaultHistory(), 0.0, 0
    for now in range(0, 3600):
        if not history.blocked_ms(now, "key", "Act"):
            tried += 1
            assert history.count(now, "key", "Act") == 0
            history.runs(now)
    assert tried <= 2 * 3600 / faults.BLOCKED_S and not history.blocked_ms(now, "key", "Set")


async def test_a_table_that_cannot_be_restored_at_the_start_does_not_stop_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with in_process_host(tmp_path, tables=TWO) as inside:
        await two_tables(inside)
        names = list(inside.registry.tables)
    async with in_process_host(tmp_path, trap=Trap(views=-1)) as again:
        assert list(again.registry.tables) == names[:1]
        (fault,) = again.faults
        assert fault.startswith(f"table {names[1]} cannot be restored: an internal error")
        assert any(record.exc_info for record in caplog.records), "the log has the traceback"
    async with in_process_host(tmp_path) as mended:
        assert list(mended.registry.tables) == names, "it stayed in the journal"


async def test_errors_in_a_tick_and_in_a_hello_stay_at_their_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async with in_process_host(tables=((), (), ())) as inside:
        first, second, third = list(inside.registry.tables.values())
        quiet = await inside.seated(first, "Kim", "Roger", "Ross")
        waiting = inside.client(inside.string(second.id, second.record.join), "Gro")
        await waiting.join()

        def fail(*_: Any) -> None:
            raise RuntimeError("an error made by the test")

        monkeypatch.setattr(second.table, "tick", fail)
        monkeypatch.setattr(third.table, "hello", fail)
        assert await asyncio.wait_for(waiting.wait_closed(), 5) == CLOSED
        inside.clients.append(late := Client(inside.string(third.id, third.record.join), "Jan", keep=False))
        with pytest.raises(Exception, match="no table here fits"):
            await late.join()
        assert list(inside.registry.tables) == [first.id]
        await keeps_playing(quiet)


async def test_rows_that_cannot_be_written_restore_their_table_and_no_other(
    tmp_path: Path, opened: OpenJournal
) -> None:
    async with in_process_host(tmp_path, tables=TWO, opened=opened) as inside:
        quiet, trapped = await two_tables(inside)
        said = sentences(trapped)
        entry = next(entry for entry in inside.registry.tables.values() if entry.record.options)
        assert entry.table.match is not None
        entry.table.match._keep(ActRow(1, 1, 0, b"", None, 0, 0))
        entry.table.match._keep(ActRow(1, 1, 0, b"", None, 0, 0))  # the same number twice: the journal rejects it
        acting = asyncio.ensure_future(trapped[0].do(Done()))
        await keeps_playing(quiet)
        assert await acting == wire.Ack(trapped[0]._actions._last, "applied"), "sent again to the restored table"
        assert said == [RESTORED] * 3


def test_after_rejected_rows_the_journal_rejects_all_rows_of_the_table_until_it_is_restored(
    tmp_path: Path, opened: OpenJournal
) -> None:
    journal = opened(tmp_path)
    told: list[str] = []

    def commit(table: str, name: str, *rows: Any) -> None:
        journal.commit(table, rows, lambda: told.append(name), lambda text: told.append(f"{name} spoiled"))

    act = ActRow(1, 1, 0, b"", None, 0, 0)
    commit("a", "a1", FactRow("config", b"a"), FactRow("game", b"1"), act)
    commit("b", "b1", FactRow("config", b"b"), act)
    commit("a", "a2", act)
    commit("a", "a3", ActRow(1, 2, 0, b"", None, 0, 0))
    commit("b", "b2", ActRow(1, 2, 0, b"", None, 0, 0))
    commit("a", "a4")
    commit("a", "a5", ActRow(1, 2, 0, b"", None, 0, 0))
    journal.close()
    assert [name for name in told if name[0] == "a"] == ["a1", "a2 spoiled", "a3 spoiled", "a4", "a5"]
    assert [name for name in told if name[0] == "b"] == ["b1", "b2"]
    journal = opened(tmp_path)
    saved = journal.load("a")
    assert saved is not None and [row.seq for row in saved.acts] == [1, 2]
    journal.close()


def test_a_full_disk_is_an_error_of_the_whole_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path)
    told: list[str] = []

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(journal, "_put", full)
    journal.failed = told.append
    journal.commit("a", [FactRow("config", b"")], lambda: told.append("done"))
    journal.close()
    assert told == ["the journal cannot be written (database or disk is full): is the disk full?"]


# ------------------------------------------------------------------------------------------------------------ fairness
def item(sender: bytes, n: int = 0) -> QueuedMessage:
    return QueuedMessage(sender, wire.Ping(b"s", n), "", 0)


def test_the_lane_that_has_used_the_loop_least_is_next_and_keeps_its_order() -> None:
    queue: FairQueue = FairQueue()
    flooded, quiet = Lane(), Lane()
    for n in range(20):
        queue.put(flooded, item(b"f%d" % (n % 3), n))
    for n in range(2):
        queue.put(quiet, item(b"q", n))
    order = []
    while (found := queue.next()) is not None:
        lane, one = found
        order.append(("quiet" if lane is quiet else "flooded", one.message.nonce))
        queue.charge(lane, 1000)
    assert [place for place, (name, _) in enumerate(order) if name == "quiet"] == [1, 3]
    assert [n for name, n in order if name == "flooded"] == list(range(20))


def test_tables_of_bots_leave_the_loop_to_people() -> None:
    queue: FairQueue = FairQueue()
    people, bots = Lane(), Lane(weight=8)
    for n in range(27):
        for lane in (people, bots):
            queue.put(lane, item(b"%d" % n, n))
    first = Counter[bool]()
    for _ in range(27):
        found = queue.next()
        assert found is not None
        first[found[0] is people] += 1
        queue.charge(found[0], 1000)
    assert first[True] >= 23 and first[False] >= 3, "eight to one, and nobody starves"


def test_an_idle_lane_does_not_save_up_time() -> None:
    queue: FairQueue = FairQueue()
    busy, late = Lane(), Lane()
    for n in range(20):
        queue.put(busy, item(b"%d" % n))
    for _ in range(10):
        queue.next()
        queue.charge(busy, 1000)
    for n in range(20):
        queue.put(late, item(b"%d" % n))
    order = []
    while (found := queue.next()) is not None:
        order.append(found[0] is late)
        queue.charge(found[0], 1000)
    assert order.count(True) == 20 and order[:10].count(True) in (5, 6), "unused time is not made up for"


def test_a_sender_who_does_not_wait_for_answers_loses_messages_beyond_the_limit() -> None:
    queue: FairQueue = FairQueue()
    lane = Lane()
    taken = [queue.put(lane, item(b"rude", n)) for n in range(limits.QUEUED_MESSAGES + 5)]
    assert taken.count(True) == limits.QUEUED_MESSAGES
    assert queue.put(lane, item(b"kind")), "others at the table are still heard"
    while queue.next() is not None:
        queue.charge(lane, 1)
    assert queue.put(lane, item(b"rude"))
    assert not +Counter({key: n - 1 for key, n in lane.senders.items()}), "nothing is remembered of the flood"


@pytest.mark.parametrize("more", [False, True])
def test_a_loop_for_which_other_messages_wait_leaves_the_journal_to_its_thread(more: bool) -> None:
    ways, on_disk = list[str](), list[Callable[[], None]]()

    def write_now(table: str, rows: Sequence[Row]) -> bool:
        ways.append("the loop")
        return True

    def commit(table: str, rows: Sequence[Row], done: Callable[[], None], rejected: object) -> None:
        ways.append("its thread")
        on_disk.append(done)

    async def script(host: SteppedHost) -> None:
        journal: Any = host.server.registry.journal
        journal.write_now, journal.commit = write_now, commit
        host.server.wire.has_more = more
        host.hello("Kim", host.table.record.join)
        await asyncio.sleep(0.1)
        assert set(ways) == {"its thread" if more else "the loop"}
        assert bool(host.heard("Kim", wire.Welcome)) is not more, "nothing is said before it is on disk"
        for done in on_disk:
            done()
        await asyncio.sleep(0.1)
        assert host.heard("Kim", wire.Welcome)
        journal.commit = lambda table, rows, done, rejected: done()

    SteppedHost().run(script)


async def test_a_flood_at_one_table_is_limited_and_another_is_answered_meanwhile() -> None:
    """`tests.bench tables` measures how long the answers take."""
    async with running_host(pace="relaxed", seats=3) as host:
        visitor = LobbyClient(host.lobby, "Ann", keep=False)
        await visitor.enter()
        other = await visitor.create(["axe-cop"], seats=3, pace="relaxed")
        await visitor.close()
        quiet = [Client(other.join, name, keep=False) for name in ("Kim", "Roger", "Ross")]
        for client in quiet:
            await client.join()
            client.set(ready=True)
        await quiet[1].wait_for(lambda one: one.view is not None)
        pair = new_pair()
        with RawClient(host.join, pair) as rude, RawClient(host.join, pair) as again:
            rude.send(hello(host.join))
            welcome = await rude.answer(wire.Welcome)
            sent, done, stop, out = [0], set[int](), asyncio.Event(), asyncio.Event()
            began = time.monotonic()

            def flood() -> None:
                while not stop.is_set():
                    sent[0] += 1
                    rude.send(wire.Act(welcome.s, sent[0], Done()))
                    if sent[0] % 50 == 0:
                        time.sleep(0.005)
                    while rude.socket.poll(0):
                        told = codec.unpack_down(rude.socket.recv())
                        if isinstance(told, wire.Ack | wire.Refused):
                            done.add(told.n)
                        if isinstance(told, wire.Error) and told.code == "unknown_session":
                            out.set()  # the Bye comes first, but it is lost if too many messages wait to be read

            flooding = asyncio.create_task(asyncio.to_thread(flood))
            await until(lambda: sent[0] > 1000)
            for _ in range(50):
                assert await quiet[1].why(Answer(1), timeout=PATIENCE_S) is not None
                await asyncio.sleep(0.02)  # the flood goes on
            await until(out.is_set, PATIENCE_S)
            stop.set()
            await flooding
            again.send(hello(host.join))
            refused = await again.answer((wire.Error, wire.Welcome))
            assert isinstance(refused, wire.Error) and refused.code == "kicked"
        allowed = wire.Act.rate.burst + wire.Act.rate.per_second * (time.monotonic() - began)
        assert len(done) <= allowed, f"{len(done)} of {sent[0]} acts were done"
        assert all(client.stage == "synced" for client in quiet)
        for client in quiet:
            await client.close()
