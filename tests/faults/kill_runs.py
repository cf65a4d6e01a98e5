"""Kill a real host again and again while six people play, and check that nothing that they were told is lost.

    python -m tests.faults.kill_runs [--kills 500] [--seed 1]       one JSON line of figures at the end, exit code 0

After each kill the host is started again on the same folder and port. Then no acknowledged action may be missing in the
journal or be there twice; nobody may have seen more than the journal has; every seat sees exactly the game to which the
journal leads.
"""

import argparse
import asyncio
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from netcode.client.client import Client
from netcode.protocol.credentials import parse_join
from tests.faults.busy_players import Player, sit_down
from tests.faults.dying_host import POINTS
from tests.faults.journal_ledger import Ledger
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]


@dataclass
class Figures:
    """Seconds from each kill until the new host listened, and until the last of six was back; and the point of the
    kill."""

    started: list[float] = field(default_factory=list)
    back: list[float] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=dict)
    acknowledged: int = 0

    def line(self) -> dict[str, Any]:
        """Return the figures as one row of a report."""
        return {
            "name": "killed hosts restored", "kills": len(self.back), "acknowledged": self.acknowledged,
            "host_listens_s": _spread(self.started), "all_play_again_s": _spread(self.back), "points": self.points,
        }  # fmt: skip


def _spread(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {
        "p50": round(median(ordered), 3), "p99": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 3),
        "max": round(ordered[-1], 3),
    }  # fmt: skip


class RestartableHost:
    """A host that is started again and again on one folder and port."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port, self.join = folder, 0, ""
        self.process: subprocess.Popen[bytes] | None = None

    async def start(self, point: str = "", number: int = 0, *more: str) -> None:
        """Start the host and wait until it listens. It dies when it reaches this point ("": never) for the number-th
        time."""
        program = ["tests.faults.dying_host", point, str(number), "--"] if point else ["tui"]
        arguments = ["host", "--json", "--port", str(self.port), "--seats", "6", "--pace", "relaxed", "--no-restart"]
        command = [sys.executable, "-m", *program, *arguments, "--data", str(self.folder / "data"), *more]
        with open(self.folder / "host.err", "ab") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT)
        assert self.process.stdout is not None
        line = await asyncio.to_thread(self.process.stdout.readline)
        assert line, f"the host did not start: {self.errors[-2000:]}"
        self.join = json.loads(line)["join"]
        self.port = parse_join(self.join).port

    @property
    def errors(self) -> str:
        """The host's standard error, over all its starts."""
        return (self.folder / "host.err").read_text()

    async def ended(self) -> int:
        """Wait until it ends; return its exit code."""
        assert self.process is not None
        return await asyncio.to_thread(self.process.wait, PATIENCE_S)

    async def died(self) -> None:
        """Wait until it has been killed."""
        code = await self.ended()
        assert code == -9, f"the host ended by itself ({code}): {self.errors[-2000:]}"

    def signal(self, number: int) -> None:
        """Send the host a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill it now, if it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()


async def kill_repeatedly(kills: int, seed: int, folder: Path) -> Figures:
    """Kill a host this many times. Raises AssertionError if anything was lost, done twice, or seen too early."""
    rng, figures, host, players = random.Random(seed), Figures(), RestartableHost(folder), list[Player]()
    plan = [("random", POINTS[at // 2 % len(POINTS)])[at % 2] for at in range(kills)]
    playing, tasks = asyncio.Event(), list[asyncio.Task[None]]()
    playing.set()
    try:
        await host.start(*_point(plan[0], rng))
        join = host.join
        players = await sit_down(join)
        ledger = Ledger(folder / "data")
        tasks = [asyncio.ensure_future(player.play(playing)) for player in players]
        for at, point in enumerate(plan):
            playing.set()
            if point == "random":
                await asyncio.sleep(rng.uniform(0.1, 0.8))
                host.kill()
            else:
                host.signal(signal.SIGUSR2)
            await host.died()
            began = time.perf_counter()
            playing.clear()
            seen = [player.newest for player in players]
            await host.start(*(_point(plan[at + 1], rng) if at + 1 < kills else ("", 0)))
            figures.started.append(time.perf_counter() - began)
            assert host.join == join, "the join string has changed"
            await _all_back(players, epoch=at + 2)
            figures.back.append(time.perf_counter() - began)
            figures.points[point] = figures.points.get(point, 0) + 1
            await nothing_lost(players, ledger, seen)
        figures.acknowledged = sum(len(player.acknowledged) for player in players)
        return figures
    finally:
        for task in tasks:
            task.cancel()
        for player in players:
            await player.client.close()
        host.kill()
        if host.process is not None:
            host.process.communicate()


def _point(name: str, rng: random.Random) -> tuple[str, int]:
    return ("", 0) if name == "random" else (name, rng.randint(1, 12))


async def _all_back(players: list[Player], epoch: int) -> None:
    for player in players:
        await player.client.wait_for(
            lambda one: one.stage == "synced" and one.welcome is not None and one.welcome.epoch == epoch, PATIENCE_S
        )


async def nothing_lost(players: list[Player], ledger: Ledger, seen: list[int]) -> None:
    """Check that the journal has everything that was acknowledged or seen, and that everybody sees the game to which it
    leads."""
    game = ledger.game
    ledger.read()
    if game == ledger.game:
        ahead = [(one.client.name, rev) for one, rev in zip(players, seen) if rev > ledger.view(one.client.seat).rev]
        assert not ahead, f"seen before it was on disk: {ahead}"
    await all_see([one.client for one in players], ledger)
    all_kept(players, ledger)


async def all_see(clients: Sequence[Client], ledger: Ledger) -> None:
    """Wait until everybody sees the game to which the journal leads. Raises AssertionError if they never do."""
    deadline = time.monotonic() + PATIENCE_S
    while differ := [one.name for one in clients if one.view != ledger.view(one.seat)]:
        assert time.monotonic() < deadline, f"{differ} do not see the game of the journal"
        await asyncio.sleep(0.02)
        ledger.read()


def all_kept(players: list[Player], ledger: Ledger) -> None:
    """Check that every acknowledged action is in the journal, once."""
    for one in players:
        assert one.client.welcome is not None
        s = one.client.welcome.s
        ledger.must_have(one.client.name, {(s, n): action for n, action in one.acknowledged.items()})


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill_runs", description=__doc__)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(kill_repeatedly(options.kills, options.seed, Path(folder)))
    print(json.dumps(figures.line()))


if __name__ == "__main__":
    main()
