"""A full disk: the host ends with one sentence, and what it acknowledged is there when it starts again."""

import asyncio
import resource
import sys
from pathlib import Path

from netcode.processes.start import child_env
from tests.faults.busy_players import at_play
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import RestartableHost, all_kept
from tests.netcode.running_host import without_busy
from tests.patience import PATIENCE_S


async def test_a_full_disk_ends_the_host_and_nothing_acknowledged_is_missing(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    await host.start()
    assert host.process is not None
    try:
        async with at_play(host.join) as (players, playing):
            room = max(file.stat().st_size for file in (tmp_path / "data").iterdir()) + 160 * 1024
            resource.prlimit(host.process.pid, resource.RLIMIT_FSIZE, (room, room))
            assert await host.ended() == 1
            assert without_busy(host.errors).count("\n") == 1, host.errors
            assert "the journal cannot be written" in host.errors and "is the disk full?" in host.errors
            playing.clear()
            shown = [player.newest for player in players]
            ledger = Ledger(tmp_path / "data")
            ledger.read()
            all_kept(players, ledger)
            assert [rev for one, rev in zip(players, shown) if rev > ledger.view(one.client.seat).rev] == []
            assert sum(len(player.acknowledged) for player in players) > 5
            await host.start()
            for player in players:
                await player.client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
    finally:
        host.kill()


async def test_a_host_that_cannot_write_its_first_rows_says_so(tmp_path: Path) -> None:
    """If there is no space for the table's own row, the host prints one sentence and no join strings, and exits with
    code 2."""
    program = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000)); import runpy, sys; "
    program += "sys.argv[0] = 'kickdoor'; runpy.run_module('tui', run_name='__main__')"
    arguments = ("host", "--json", "--port", "0", "--data", str(tmp_path / "data"))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, stdout=-1, stderr=-1, env=child_env()
    )
    out, errors = await process.communicate()
    assert (process.returncode, out) == (2, b"") and errors.count(b"\n") == 1, errors
