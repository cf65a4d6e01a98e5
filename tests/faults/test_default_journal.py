"""`kickdoor host` without options keeps a journal, restarts, and limits its memory; each can be switched off."""

import stat
from collections.abc import AsyncIterator
from pathlib import Path
from signal import SIGINT, SIGKILL, SIGTERM

import pytest

from core.state.actions import Done
from netcode.client.client import Client
from netcode.host.config import MEMORY_MB
from netcode.protocol.credentials import parse_join
from tests.faults.default_host import DefaultHost, children_of, host_of
from tests.netcode.running_host import you
from tests.patience import PATIENCE_S

BOTS = ("--bots", "2", "--pace", "relaxed")


@pytest.fixture
async def host(tmp_path: Path) -> AsyncIterator[DefaultHost]:
    """Hosts of one user, ended with the test."""
    made = DefaultHost(tmp_path / "home")
    try:
        yield made
    finally:
        made.kill()


async def playing(string: str, home: Path) -> Client:
    """Return a client in a game that has begun."""
    client = Client(string, "Kim", home=home)
    await client.join()
    client.set(ready=True)
    await client.wait_for(lambda one: one.view is not None, PATIENCE_S)
    return client


def limit_mb(pid: int) -> int | None:
    """Return the limit of a process's data segment in MB, None: it has none."""
    limits = Path(f"/proc/{pid}/limits").read_text()
    found = next(line for line in limits.splitlines() if line.startswith("Max data size")).split()[3]
    return None if found == "unlimited" else int(found) // 1024 // 1024


@pytest.mark.long(2)
@pytest.mark.parametrize("number", (SIGKILL, SIGINT))
async def test_the_same_command_restores_the_game_after_a_power_cut_and_after_ctrl_c(
    host: DefaultHost, tmp_path: Path, number: int
) -> None:
    first = await host.start("--port", "0", *BOTS)
    port = str(parse_join(first["join"]).port)
    kim = await playing(first["join"], tmp_path / "kim")
    try:
        hand = you(kim).hand
        assert host.folders == [port]
        folder = host.home / "hosts" / port
        modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder.parent, folder, *folder.iterdir())}
        assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}, modes
        assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}, modes
        await host.stop(number)
        assert host.folders == [port] and not list(host.temporary.iterdir()), "what is in the temporary folder?"
        assert await host.start("--port", port) == first, "the strings have changed"
        if number == SIGINT:  # the host has said good-bye
            await kim.close()
            kim = await playing(first["join"], tmp_path / "kim")
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
        assert you(kim).hand == hand and await kim.do(Done()) is not None
        assert host.errors.count("is restored from") == 1, host.errors
    finally:
        await kim.close()


@pytest.mark.long(0)
async def test_a_folder_without_an_unfinished_game_is_removed(host: DefaultHost, tmp_path: Path) -> None:
    strings = await host.start("--port", "0")
    waiting = Client(strings["join"], "Kim", home=tmp_path / "kim")
    await waiting.join()  # no game has begun
    await waiting.close()
    assert len(host.folders) == 1 and await host.stop() == 0
    assert host.folders == []
    strings = await host.start("--port", "0", *BOTS)
    kim = await playing(strings["join"], tmp_path / "kim")
    assert len(host.folders) == 1
    await kim.leave()
    await kim.close()
    await host.stop()
    assert len(host.folders) == 1, "a game was on: bots play the seat that was given up"


@pytest.mark.long(0)
async def test_a_supervised_host_has_a_memory_limit_and_another_host_another_folder(tmp_path: Path) -> None:
    one, other = DefaultHost(tmp_path / "home"), DefaultHost(tmp_path / "home")
    try:
        await one.start("--port", "0")
        await other.start("--port", "0", "--memory", "0")
        assert len(one.folders) == 2
        child, unlimited = host_of(one.pid), host_of(other.pid)
        assert limit_mb(child) == MEMORY_MB and limit_mb(unlimited) is None
        assert await one.stop() == await other.stop() == 0 and one.folders == []
    finally:
        one.kill()
        other.kill()


async def test_journal_and_supervisor_can_be_switched_off(host: DefaultHost) -> None:
    await host.start("--port", "0", "--no-journal")
    assert host.folders == [] and children_of(host.pid) == []
    assert await host.stop() == 0
    await host.start("--port", "0", "--no-restart")
    assert len(host.folders) == 1 and children_of(host.pid) == []
    assert await host.stop() == 0 and host.folders == []


async def test_a_new_table_opens_beside_a_restored_one_if_asked_for(host: DefaultHost, tmp_path: Path) -> None:
    first = await host.start("--port", "0", *BOTS)
    port = str(parse_join(first["join"]).port)
    kim = await playing(first["join"], tmp_path / "kim")
    try:
        await host.stop(SIGKILL)
        second = await host.start("--port", port, "--new")
        assert second["join"] != first["join"] and parse_join(second["join"]).key == parse_join(first["join"]).key
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
        ann = await playing_alone(second["join"], tmp_path / "ann")
        await ann.close()
        await kim.close()
        await host.stop(SIGKILL)
        await host.start("--port", "0")
        assert f"--port {port} restores them" in host.errors, "who names no port learns where the tables wait"
    finally:
        await kim.close()


async def playing_alone(string: str, home: Path) -> Client:
    """Return a client in the waiting room of its table."""
    client = Client(string, "Ann", home=home)
    await client.join()
    assert client.info is not None and client.info.stage == "lobby"
    return client


async def test_a_host_that_cannot_start_leaves_no_folder(host: DefaultHost) -> None:
    with pytest.raises(AssertionError, match="no card pack"):
        await host.start("--port", "0", "--set", "nowhere")
    assert await host.stop(SIGTERM) == 2 and host.folders == []
