"""A host whose journal was damaged says what is left, changes nothing, and plays on from a repaired copy.

`python -m tests.faults.damage_runs` damages journals thousands of times.
"""

import asyncio
import os
import shutil
import sys
import tempfile
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from netcode.processes.start import child_env
from netcode.protocol import wire
from netcode.protocol.credentials import parse_join
from tests.faults.busy_players import at_play
from tests.faults.damage_runs import fast_folder, run
from tests.faults.kill_runs import RestartableHost
from tests.patience import PATIENCE_S
from tests.thorough import TURN


@pytest.mark.long(0)
@pytest.mark.parametrize("seed", [TURN] if TURN else [1, 2])
def test_no_damage_to_a_journal_is_silent(seed: int) -> None:
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        figures = run(250, seed, Path(folder))
    assert min(figures.outcomes[name] for name in ("harmless", "refused", "a table is refused")) >= 5, figures.line()


async def kickdoor(*arguments: str) -> tuple[int | None, str, str]:
    """Run a command; return its exit code, output and errors."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tui", *arguments, stdout=PIPE, stderr=PIPE, env=child_env()
    )
    out, errors = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, out.decode(), errors.decode()


@pytest.mark.long(0)
@pytest.mark.parametrize("restart", ["--restart", "--no-restart"])
async def test_a_cut_log_is_refused_repaired_and_played_on(tmp_path: Path, restart: str) -> None:
    host = RestartableHost(tmp_path)
    await host.start()
    data, copy = tmp_path / "data", tmp_path / "data-repaired"
    async with at_play(host.join) as (players, playing):
        async with asyncio.timeout(PATIENCE_S):
            while sum(len(player.acknowledged) for player in players) < 30:
                await asyncio.sleep(0.05)
        playing.clear()
        host.kill()
        await host.died()
        log = data / "table.sqlite-wal"
        os.truncate(log, log.stat().st_size * 2 // 3)
        before = {file.name: file.read_bytes() for file in data.iterdir()}
        port = ("--port", str(parse_join(host.join).port))
        code, out, errors = await kickdoor("host", "--json", restart, *port, "--data", str(data))
        assert (code, out, errors.count("\n")) == (1, "", 1), errors
        assert "changes are missing" in errors and "actions are left" in errors and "--repair --data" in errors
        assert {file.name: file.read_bytes() for file in data.iterdir()} == before, "it stays as it is"
        code, out, _ = await kickdoor("host", "--repair", *port, "--data", str(data))
        assert code == 0 and f"kickdoor host --data {copy} {' '.join(port)}" in out
        shutil.move(data, tmp_path / "damaged")
        shutil.move(copy, data)
        join = host.join
        told: list[wire.Older] = []
        players[0].client.subscribe(lambda message: told.append(message) if isinstance(message, wire.Older) else None)
        for player in players:
            player.acknowledged.clear()
        await host.start()
        assert host.join == join, "the strings stay valid"
        for player in players:
            await player.client.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch >= 2, PATIENCE_S)
        seats = {player.client.seat for player in players}
        await players[0].client.wait_for(lambda one: {message.seat for message in told} == seats)
        assert min(message.missing for message in told) > 0
        playing.set()
        async with asyncio.timeout(PATIENCE_S):
            while not all(player.acknowledged for player in players):
                await asyncio.sleep(0.05)
        host.kill()


async def test_repair_says_what_it_cannot_do(tmp_path: Path) -> None:
    code, out, errors = await kickdoor("host", "--repair", "--data", str(tmp_path))
    assert (code, out) == (2, "") and "there is no journal" in errors and errors.count("\n") == 1
