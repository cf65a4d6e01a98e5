"""The speed of bots and when they wait: the last choice at the table counts, also after a restart."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from core.state.actions import Done
from netcode.journal import JournalError
from netcode.protocol import wire
from netcode.protocol.credentials import parse_join
from tests.netcode.in_process_host import in_process_host
from tests.netcode.offline_table import OfflineTable
from tests.netcode.restored_table import journal_rows, restored_table
from tests.netcode.running_host import running_host, seated
from tests.patience import PATIENCE_S

TWO = ((), ("listen",))


def test_the_last_choice_counts_after_a_restart(tmp_path: Path) -> None:
    offline = OfflineTable(None, pace="book")
    kim, roger, _ = offline.sit("Kim", "Roger", "Ross")
    kim.set(speed="slow", waits="each")
    roger.set(speed="fast", waits="touching")
    table = restored_table(offline, journal_rows(offline, tmp_path))
    assert (table.info().speed, table.lifecycle.waits) == ("fast", "touching")
    assert table.match is not None and table.match.bot_pacer.speed == "fast"


def test_a_choice_made_again_is_not_written_again() -> None:
    offline = OfflineTable(None, pace="book")
    kim, *_ = offline.sit("Kim", "Roger", "Ross")
    kim.set(speed="slow", waits="each")
    before = len(offline.rows)
    kim.set(speed="slow", waits="each")
    assert not [row for row in offline.rows[before:] if getattr(row, "name", "") in ("speed", "waits")]


@pytest.mark.parametrize("what", ["speed", "waits"])
def test_an_unknown_choice_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    offline = OfflineTable()
    offline.sit("Kim", "Roger", "Ross")
    saved = journal_rows(offline, tmp_path)
    with pytest.raises(JournalError, match=f"the journal's {what} cannot be read"):
        restored_table(offline, replace(saved, facts={**saved.facts, what: b"glacial"}))


async def test_a_table_restored_after_an_internal_error_has_the_speed_and_waits_as_before(tmp_path: Path) -> None:
    async with in_process_host(tmp_path, tables=TWO) as inside:
        _, trapped = inside.registry.tables.values()
        clients = await inside.seated(trapped, "Gro", "Jan", "Ines")
        clients[0].set(speed="slow", waits="each")
        await clients[0].wait_for(lambda one: one.info.speed == "slow")
        failed = trapped.table
        inside.trap.views = 1
        await clients[0].do(Done())
        for client in clients:
            await client.wait_for(lambda one: one.stage == "synced" and one.info.speed == "slow")
        assert trapped.table is not failed
        assert (trapped.table.lifecycle.speed, trapped.table.lifecycle.waits) == ("slow", "each")


@pytest.mark.long(2)
@pytest.mark.parametrize("alone", [False, True])
async def test_only_somebody_alone_tells_a_restarted_host_their_choice_again(
    alone: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ("Kim",) if alone else ("Kim", "Roger")
    settings = {"data": str(tmp_path), "pace": "relaxed", "bots": 3 - len(names)}
    async with running_host(**settings) as host, seated(host, *names) as clients:
        kim, last = clients[0], clients[-1]
        kim.set(speed="slow", waits="each")
        await kim.wait_for(lambda one: one.info.speed == "slow")
        if last is not kim:
            last.set(speed="fast")
            await kim.wait_for(lambda one: one.info.speed == "fast")
        sent, send = list[wire.Up](), kim._send

        def record(message: wire.Up) -> bool:
            sent.append(message)
            return send(message)

        monkeypatch.setattr(kim, "_send", record)
        port = parse_join(host.join).port
        host.process.kill()
        host.process.communicate()
        async with running_host(data=str(tmp_path), port=port):
            for client in clients:
                await client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
            assert kim.info.speed == ("slow" if alone else "fast")
            told = [(one.speed, one.waits) for one in sent if isinstance(one, wire.Set)]
            assert told == ([("slow", "each")] if alone else [])
