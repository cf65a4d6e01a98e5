"""Killed clients: their hosts and bots end soon."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from netcode.client.client import Client
from netcode.host.local_host import resume_local_host
from netcode.host.saved_games import list_saved_games
from tests.faults.default_host import DefaultHost, children_of, runs
from tests.faults.kill_runs import ROOT
from tests.netcode.running_host import until
from tests.patience import PATIENCE_S
from tui.app import start_host
from tui.app.menu_rows import host_rows
from tui.config.settings import Settings

SOLO = """
import asyncio, sys
from netcode.client.client import Client
from netcode.host.config import HostConfig
from netcode.host.local_host import start_local_host

async def play(solo):
    kim = Client(solo.join, "Kim")
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    print(solo.process.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(play(start_local_host(HostConfig(seats=3), "Kim")))
"""


async def test_a_killed_solo_player_leaves_neither_host_nor_bots_but_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    player = await asyncio.create_subprocess_exec(sys.executable, "-c", SOLO, stdout=-1, cwd=ROOT)
    assert player.stdout is not None
    host = int(await asyncio.wait_for(player.stdout.readline(), PATIENCE_S))
    left = [host, *children_of(host)]
    assert len(left) == 2, "where are its bots?"
    player.kill()
    await player.wait()
    await until(lambda: not any(runs(pid) for pid in left), PATIENCE_S)
    (kept,) = list_saved_games()
    back = await asyncio.to_thread(resume_local_host, kept)
    kim = Client(back.join, "Kim", home=tmp_path)
    await kim.join()
    await kim.wait_for(lambda one: one.view is not None)
    await kim.close()
    back.release()
    assert await asyncio.to_thread(back.process.wait, 10) == 0, "it ends when its screen leaves, too"
    assert len(list_saved_games()) == 1


@pytest.mark.long(0)
async def test_a_hosted_table_to_which_nobody_comes_ends_with_its_host(tmp_path: Path) -> None:
    host = DefaultHost(tmp_path / "home")
    await host.start("--port", "0", "--idle", "1", "--bots", "2")
    try:
        assert host.process is not None
        assert await asyncio.to_thread(host.process.wait, 30) == 0
        assert host.folders == []
    finally:
        host.kill()


@pytest.mark.long(0)
async def test_the_menu_leads_back_to_an_unfinished_table_or_opens_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its host ends soon without people, and logs to a private file."""
    host = DefaultHost(tmp_path / "home")
    monkeypatch.setenv("KICKDOOR_DATA", str(host.home))
    values = {row.name: row.value for row in host_rows(Settings(), start_host.DEFAULT_SETS)}
    values["reach"] = "this machine"
    first = await host.start("--port", "0")
    port = host.folders[0]
    await host.stop(signal.SIGKILL)
    values["port"] = port
    assert start_host.unfinished_at(values) and not start_host.unfinished_at({**values, "port": "1"})
    monkeypatch.setattr(start_host, "IDLE_S", 1)
    back = await asyncio.to_thread(start_host.start_for_friends, values, start_host.DEFAULT_SETS, (), True)
    assert back.string == first["owner"]
    with pytest.raises(start_host.TableError, match=f"port {port} .*is in use|another host is using"):
        await asyncio.to_thread(start_host.start_for_friends, values, start_host.DEFAULT_SETS, ())
    log = host.home / start_host.LOG
    assert "is restored from" in log.read_text() and log.stat().st_mode & 0o777 == 0o600
    for pid in _hosts_at(port):
        os.kill(pid, signal.SIGTERM)
    await until(lambda: not _hosts_at(port), PATIENCE_S)


def _hosts_at(port: str) -> list[int]:
    """Return the ids of `kickdoor host` processes at this port."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and runs(int(entry.name)):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if b"host" in words and b"--port" in words and words[words.index(b"--port") + 1] == port.encode():
                found.append(int(entry.name))
    return found
