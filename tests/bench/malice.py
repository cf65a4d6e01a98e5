"""An evening of malice: four honest players play game after game at a table of a default `kickdoor host`, while attacks
by strangers, spectators, guests and players, crashes and hangs happen at random.

    python -m tests.bench malice [--minutes 20] [--seed 1] [--only NAME]... [--disk]

Prints a table of attacks and faults, and a JSON line. Exit code 1 if a promise is broken (`malice_report.py` lists the
promises).
The journal is in memory where the system has such a folder, so that stalls of the machine's disk do not count; host
and players run at real-time priority where the system allows it, since real attackers would use other processors. The
seed determines the choice and order of attacks; their exact times depend on the machine. --only names the attacks and
faults that may happen, to find which of them causes a failure.
"""

import argparse
import asyncio
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from netcode.host.load_monitor import LoadMonitor, Probe
from netcode.protocol.credentials import parse_join
from tests.bench import evil_guests
from tests.bench.abuse import attacker_command
from tests.bench.evil import at_evil_host
from tests.bench.malice_report import Report, Restart
from tests.bench.processes import ROOT, bare_echo, memory_mib
from tests.faults.damage_runs import fast_folder
from tests.faults.default_host import DefaultHost
from tests.faults.honest_players import HonestTable
from tests.faults.host_faults import check_bad_pack, serve_damaged_copy, suspended
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import all_see
from tests.faults.priority import coming_first
from tests.faults.process_watch import HostProcesses, end_of

MINUTES, SEED = 20.0, 1
SEATS = 6
"""The four honest players leave two seats to strangers."""
LANES, ATTACK_S = 2, (3.0, 6.0)
"""How many attacks run at a time, and how long each of them lasts (s)."""
QUIET_S, PAUSE_S = 8.0, (4.0, 8.0)
"""How long the honest players play alone first, and the pause between two faults (s)."""
DEATHS_S = 21.0
"""Time between two deaths (s): a supervisor whose host dies more often than three times a minute waits on purpose."""
SUSPENDED_S, HUNG_S = (0.2, 1.5), 30.0
"""How long a host is suspended, and how long its supervisor may take to replace one that hangs (s)."""
FLOOD_S = 2.0
"""How long after the end of its front a host may still crash because of floods whose connections broke (s)."""
WAKE_S = 0.005
"""How often this process checks whether it itself could run (s)."""
BACK_S, POLL_S, LOOK_S = 30.0, 0.01, 0.5
"""How long everybody may take to come back before a table counts as gone; how often to look for a starting process, and
how often to check the others (s)."""
LOG_CHARS = 4000
"""How much of the host's log is printed if a promise was broken."""
ATTACKS: tuple[tuple[str, str], ...] = (
    ("strangers", "join"), ("silence", "join"), ("newcomers", "join"), ("flood", "join"), ("bombs", "join"),
    ("fat", "join"), ("deaf", "join"), ("endless", "join"), ("pings", "join"), ("held", "join"), ("stall", "join"),
    ("squat", "join"), ("hang_up", "join"), ("hang_up", "watch"), ("hang_up", "lobby"), ("heartbeats", "join"),
    ("heartbeats", "watch"), ("heartbeats", "lobby"), ("multipart", "watch"), ("multipart", "lobby"),
    ("mute", "join"), ("mute", "lobby"), ("lobbyists", "lobby"),
    ("churn_line", "join"), ("churn_hello_line", "join"), ("hellos", "join"), ("hellos", "watch"),
)  # fmt: skip
"""The attacks (tests/faults/attacker.py), and the string of the host that each attacker has. Attackers open connections
only as fast as a line at home allows: at full rate they use a whole core of the front, which `tests.bench front`
measures."""


class Evening:
    """One evening at one host. folder: everything that is written goes there."""

    def __init__(self, folder: Path, seed: int, only: Sequence[str] = ()) -> None:
        """only: the names of the attacks and faults that may happen; none: all."""
        self.folder, self.seed = folder, seed
        self.attacks = [one for one in ATTACKS if one[0] in only or not only]
        faults = [name for name in FAULTS if name in only or not only]
        self.faults = [[name for name in faults if (name in BESIDE) == beside] for beside in (False, True)]
        self.report = Report()
        self.host = DefaultHost(folder / "data")
        self._over = asyncio.Event()
        self._whole = asyncio.Event()
        """Set while all processes of the host run and everybody is at the table."""
        self._whole.set()
        self._causes: dict[int, str] = {}
        self._died_at = self._front_killed_at = 0.0

    async def run(self, seconds: float) -> Report:
        """Play for this long, then check everything."""
        load = LoadMonitor()
        probe = Probe(load)
        echo = await bare_echo(seconds, str(self.folder / "echo"))
        strings = await self.host.start("--port", "0", "--seats", str(SEATS))
        self.strings, target = strings, parse_join(strings["join"])
        self.processes = HostProcesses(self.host.pid, target.port)
        self.table = HonestTable(strings["join"], strings["owner"], self.seed)
        try:
            await self.table.sit_down()
            self.ledger = Ledger(self.host.home, target.table)
            await self._play(seconds)
        except Exception as problem:
            self._break(f"{type(problem).__name__}: {problem}")
            traceback.print_exc()
        finally:
            probe.close()
            if self._over.is_set():
                echo.cancel()
            echoes = (await asyncio.gather(echo, return_exceptions=True))[0]
            self.report.echoes = echoes if isinstance(echoes, list) else []
            self.report.lag_ms = load.figures()["lag_ms"]
            self.report.take(self.table)
            self.report.judge(seconds, self.host.errors)
            if self.report.broken:
                print(self.host.errors[-LOG_CHARS:], file=sys.stderr)
            await self.table.close()
            await self._stop()
        return self.report

    async def _play(self, seconds: float) -> None:
        """Run all attacks and faults for this long, then compare everybody's view with the journal."""
        watches = [self._watch("host", self.processes.host), self._watch("front", self.processes.front), self._guard()]
        watching = [asyncio.ensure_future(watch) for watch in [*watches, self._watch_itself()]]
        doing = [asyncio.ensure_future(self._attack(lane)) for lane in range(LANES if self.attacks else 0)]
        doing += [asyncio.ensure_future(self._disturb(faults)) for faults in self.faults if faults]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)
        await _cancelled(doing)
        try:
            if not self._over.is_set():
                await asyncio.wait_for(self._whole.wait(), BACK_S)
                await self._compare()
        finally:
            await _cancelled(watching)

    async def _stop(self) -> None:
        """Stop the host, and kill what is left of it."""
        try:
            if await self.host.stop():
                self._break("the host did not end with exit code 0 when it was told to stop")
        finally:
            self.host.kill()

    def _break(self, promise: str, end: bool = False) -> None:
        """Note that a promise is broken. end: the evening cannot continue."""
        self.report.broken.append(promise)
        print(f"BROKEN: {promise}", file=sys.stderr, flush=True)
        if end:
            self._over.set()

    # ----------------------------------------------------------------------------------------------------- attackers
    async def _attack(self, lane: int) -> None:
        """Run one attack after another; each runs once before the first is repeated."""
        rng = random.Random(f"{self.seed} attacks {lane}")
        await asyncio.sleep(QUIET_S)
        while True:
            for kind, string in rng.sample(self.attacks, len(self.attacks)):
                seconds = rng.uniform(*ATTACK_S)
                with self.report.during(f"{kind}, {string} string"):
                    self.report.repelled += not await run_attack(kind, self.strings[string], seconds)

    # -------------------------------------------------------------------------------------------------------- faults
    async def _disturb(self, faults: Sequence[str]) -> None:
        """Cause one of these faults after another; each happens once before the first is repeated."""
        rng = random.Random(f"{self.seed} {faults}")
        await asyncio.sleep(QUIET_S)
        while True:
            for fault in rng.sample(faults, len(faults)):
                await asyncio.sleep(rng.uniform(*PAUSE_S))
                await self._whole.wait()
                try:
                    await FAULTS[fault](self, rng)
                except AssertionError as problem:
                    self._break(str(problem))

    async def _kill_host(self, rng: random.Random) -> None:
        await self._kill(self.processes.host, "kill -9 of the host")

    async def _kill_front(self, rng: random.Random) -> None:
        await self._kill(self.processes.front, "kill -9 of the front")

    async def _kill(self, find: Callable[[], int], cause: str) -> None:
        await asyncio.sleep(max(0.0, self._died_at + DEATHS_S - time.perf_counter()))
        pid = self._found(find, cause)
        self._causes[pid] = cause
        self._whole.clear()
        self._front_killed_at = time.perf_counter() if find == self.processes.front else self._front_killed_at
        os.kill(pid, signal.SIGKILL)
        await asyncio.wait_for(self._whole.wait(), BACK_S)

    def _found(self, find: Callable[[], int], what: str) -> int:
        """Return the process to signal. Raises AssertionError if there is none: a signal to process 0 would go to this
        one."""
        pid = find()
        assert pid > 0, f"{what}: there is no such process"
        return pid

    async def _hang_host(self, rng: random.Random) -> None:
        """Suspend the host until its supervisor replaces it."""
        await asyncio.sleep(max(0.0, self._died_at + DEATHS_S - time.perf_counter()))
        pid = self._found(self.processes.host, "SIGSTOP of the host")
        self._causes[pid] = "a host that hung"
        self._whole.clear()
        with self.report.excluding(), suspended(pid):
            try:
                await asyncio.wait_for(end_of(pid), HUNG_S)
            except TimeoutError:
                self._break(f"a host that hung was not replaced within {HUNG_S:g} s")
                del self._causes[pid]
                self._whole.set()
            except asyncio.CancelledError:  # the evening ended before the host was killed for hanging: continue it
                self._causes.pop(pid, None)
                self._whole.set()
                raise
        await asyncio.wait_for(self._whole.wait(), BACK_S)

    async def _suspend_host(self, rng: random.Random) -> None:
        pid = self._found(self.processes.host, "SIGSTOP of the host")
        with self.report.during("a host suspended for a moment"), self.report.excluding(), suspended(pid):
            await asyncio.sleep(rng.uniform(*SUSPENDED_S))

    async def _damage(self, rng: random.Random) -> None:
        """Copy the journal as a crash would leave it, damage the copy, and let a host read it."""
        copy = self.folder / f"copy{self.report.count('a damaged journal')}"
        with self.report.during("a damaged journal"):
            pid = self._found(self.processes.host, "SIGSTOP of the host")
            with self.report.excluding(), suspended(pid):
                shutil.copytree(self.ledger.folder, copy)
            problem = await serve_damaged_copy(copy, rng)
        if problem:
            self._break(problem)

    async def _bad_pack(self, rng: random.Random) -> None:
        folder = self.folder / f"pack{self.report.count('a bad pack')}"
        with self.report.during("a bad pack"):
            problem = await check_bad_pack(folder, rng)
        if problem:
            self._break(problem)

    async def _evil_host(self, rng: random.Random) -> None:
        """Let a player sit at an evil host beside this one."""
        with self.report.during("an evil host beside this one"):
            problems = await at_evil_host(rng)
        for problem in problems:
            self._break(problem)

    async def _door(self, rng: random.Random) -> None:
        """Let guests come to an SSH door beside this host, one of them an attacker."""
        with self.report.during("an attack at an SSH door"):
            problems = await asyncio.to_thread(evil_guests.at_door, rng)
        for problem in problems:
            self._break(problem)

    # ------------------------------------------------------------------------------------------------------- watching
    async def _guard(self) -> None:
        """Watch the memory; end the evening if the supervisor ends, a player is lost or the table stands still."""
        supervisor = asyncio.ensure_future(end_of(self.host.pid))
        while not supervisor.done():
            for problem in self.table.problems():
                self._break(problem, end=True)
            for role, find in (("host", self.processes.host), ("front", self.processes.front)):
                with contextlib.suppress(OSError):  # it has just ended
                    self.report.uses(role, memory_mib(find()) if find() else 0.0)
            await asyncio.sleep(LOOK_S)
        self._break("the supervisor has ended", end=True)

    async def _watch_itself(self) -> None:
        """Note when this process, in which the honest players are, could not run: the host is not to blame for that."""
        while True:
            due = time.perf_counter() + WAKE_S
            await asyncio.sleep(WAKE_S)
            if (now := time.perf_counter()) - due > WAKE_S:
                self.report.late.append((due, now))

    async def _watch(self, role: str, find: Callable[[], int]) -> None:
        """Measure how long it takes until a process that has died is replaced and everybody is back."""
        while True:
            while not (pid := find()):
                await asyncio.sleep(0.2)
            died = await end_of(pid)
            self._whole.clear()
            cause = self._causes.pop(pid, "") or self._cause(role, died)
            before = [player.welcome for player in self.table.players]
            try:
                async with asyncio.timeout(BACK_S):
                    while find() in (0, pid) or not self.processes.listen(find()):
                        await asyncio.sleep(POLL_S)
                    listens = time.perf_counter()
                    for player, welcome in zip(self.table.players, before):
                        await player.back_after(welcome)
            except TimeoutError:
                self._break(f"{cause}: not everybody was back after {BACK_S:g} s", end=True)
                return
            back = self._died_at = time.perf_counter()
            await asyncio.to_thread(self._kept)
            self.report.restarts.append(Restart(cause, listens - died, back - died, self.report.met(died, back), died))
            self.report.exclude(died, time.perf_counter())
            self._whole.set()

    def _cause(self, role: str, died: float) -> str:
        """Return why a process died that nobody killed. If a front is killed during floods, their broken connections
        may end a host (docs/trust.md)."""
        if role == "host" and died - self._front_killed_at < FLOOD_S:
            return "a host whose front was killed"
        return f"the {role} died by itself"

    # -------------------------------------------------------------------------------------------------------- judging
    def _kept(self) -> None:
        """Check that the journal has every acknowledged action, once."""
        try:
            for player in self.table.players:
                self.ledger.must_have(player.name, dict(player.acknowledged))
        except AssertionError as problem:
            self._break(str(problem))

    async def _compare(self) -> None:
        """Pause the game, and compare everybody's view with the game to which the journal leads."""
        await self.table.pause()
        self._kept()
        self.ledger.read()
        await all_see(self.table.players, self.ledger)


FAULTS: dict[str, Callable[[Evening, random.Random], Awaitable[None]]] = {
    "kill_host": Evening._kill_host, "kill_front": Evening._kill_front, "suspend_host": Evening._suspend_host,
    "hang_host": Evening._hang_host, "damage": Evening._damage, "bad_pack": Evening._bad_pack,
    "evil_host": Evening._evil_host, **({"door": Evening._door} if evil_guests.is_possible() else {}),
}  # fmt: skip
"""Faults of the host, its files and its user, by name."""
BESIDE = ("evil_host", "door")
"""Faults that do not affect the host, so that they go on during other faults."""


async def run_attack(kind: str, string: str, seconds: float) -> bool:
    """Run an attacker for this long with this string; return whether it could begin."""
    attacker = await asyncio.create_subprocess_exec(
        *attacker_command(kind), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT
    )
    assert attacker.stdin is not None
    try:
        attacker.stdin.write(string.encode() + b"\n")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(attacker.wait(), seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            attacker.kill()
        said, _ = await attacker.communicate()
    return b"ready" in said


async def _cancelled(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def main(arguments: Sequence[str] = ()) -> int:
    """Spend the evening; return 1 if a promise was broken, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench malice", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="how long it lasts")
    parser.add_argument("--seed", type=int, default=SEED, help="repeats the choice of attacks and their order")
    names = sorted({*(kind for kind, _ in ATTACKS), *FAULTS})
    parser.add_argument("--only", action="append", default=[], choices=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--disk", action="store_true", help="keep the journal on disk even if memory would do")
    wanted = parser.parse_args(arguments)
    where = None if wanted.disk else fast_folder()
    with tempfile.TemporaryDirectory(prefix="kickdoor-malice-", dir=where) as folder, coming_first():
        report = asyncio.run(Evening(Path(folder), wanted.seed, wanted.only).run(60 * wanted.minutes))
    report.print(wanted.minutes, wanted.seed)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
