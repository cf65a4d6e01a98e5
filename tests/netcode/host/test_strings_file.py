"""The strings of a running host in a file, and `kickdoor strings` in another terminal."""

import asyncio
import signal
import stat
from pathlib import Path

import pytest

from netcode.host.strings_file import running_hosts
from netcode.protocol.credentials import parse_join
from netcode.protocol.string_files import STRINGS
from tests.faults.default_host import DefaultHost
from tests.netcode.running_host import running_host, until
from tests.tui.command_line import kickdoor


async def test_a_host_keeps_its_strings_in_a_file_as_they_are_now(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    async with running_host(data=str(folder), front=False) as host:
        file = folder / STRINGS
        await until(file.is_file)
        text = file.read_text(encoding="utf-8")
        assert all(string in text for string in (host.join, host.watch, host.owner, host.lobby))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert running_hosts(folder=folder) == [text.strip()]
        assert str(parse_join(text)) == host.join, "what comes first is the join string"
        owner = host.client("Ann", join=host.owner)
        await owner.join()
        owner.admin("renew", value="join")
        await until(lambda: host.join not in file.read_text(encoding="utf-8"))
        assert host.watch in file.read_text(encoding="utf-8")
        await owner.close()
        assert host.stop(signal.SIGTERM)[0] == 0
        assert not file.exists() and running_hosts(folder=folder) == []


async def test_strings_prints_those_of_running_hosts_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    host = DefaultHost(tmp_path)
    try:
        strings = await host.start("--port", "0")
        await until(lambda: bool(list(tmp_path.glob(f"hosts/*/{STRINGS}"))))
        done = await asyncio.to_thread(kickdoor, "strings", home=tmp_path)
        assert done.returncode == 0 and strings["join"] in done.stdout and strings["owner"] in done.stdout
    finally:
        host.kill()
    left = tmp_path / "hosts" / "7788"
    left.mkdir(parents=True, exist_ok=True)
    (left / STRINGS).write_text(strings["join"])
    done = await asyncio.to_thread(kickdoor, "strings", home=tmp_path)
    assert done.returncode == 1 and "no host of yours runs here" in done.stderr and not done.stdout
