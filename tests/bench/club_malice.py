"""An evening of malice at a club of three hosts: four honest players play game after game, while attackers are at all
hosts, and hosts and the database are killed, stopped, drained and started again.

What is promised: nobody loses their seat, everybody is back within BACK_S, every acknowledged action is in the database
once, everybody sees the game to which the journal leads, and no log has an internal error."""

import asyncio
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from netcode.protocol.credentials import parse_join
from tests.bench.figures import line, spread
from tests.bench.malice import ATTACKS, run_attack
from tests.bench.malice_report import INTERNAL
from tests.faults.default_host import DefaultHost
from tests.faults.honest_players import HonestTable
from tests.faults.journal_ledger import Ledger
from tests.faults.kill_runs import all_see
from tests.netcode.club.cluster import Cluster

HOSTS, SEATS = 3, 6
QUIET_S, PAUSE_S, ATTACK_S, LANES = 5.0, (3.0, 6.0), (3.0, 6.0), 2
"""How long the players play alone first, the pause between two faults, how long an attack lasts (s); how many at once.
"""
BACK_S, ASLEEP_S, LOOK_S = 30.0, 7.0, 0.5
"""How long everybody may take to be back; how much longer than that a host is stopped; how often the players are
checked (s)."""
LOG_CHARS = 4000


class ClubLedger(Ledger):
    """Follows a table in the database of a club."""

    def __init__(self, club: str, table: str) -> None:
        self._club, self._table = club, table
        self.game, self._state, self._rows, self._played = -1, None, [], 0

    def _db(self) -> Any:
        return _Asked(self._club)


class _Asked:
    """A connection that takes sqlite's place holders."""

    def __init__(self, club: str) -> None:
        import psycopg  # needs the extra

        self._db = psycopg.connect(club, autocommit=True)

    def execute(self, query: str, values: tuple[object, ...] = ()) -> Any:
        return self._db.execute(query.replace("?", "%s").encode(), values)

    def close(self) -> None:
        self._db.close()


class ClubEvening:
    """One evening. folder: of everything that the hosts write. club: the address of an empty club in this cluster."""

    def __init__(self, cluster: Cluster, club: str, folder: Path, seed: int) -> None:
        self._cluster, self._club, self._seed = cluster, club, seed
        self._hosts = [DefaultHost(folder / f"host{number}") for number in range(HOSTS)]
        self.broken: list[str] = []
        self.attacks = 0
        self.back: dict[str, list[float]] = {}

    async def run(self, seconds: float) -> None:
        """Play for this long, then check everything."""
        for number in range(HOSTS):
            await self._start(number)
        places = [parse_join(host.strings["join"]).places[0] for host in self._hosts]
        own = self._hosts[0].strings
        self._strings = {name: str(parse_join(own[name]).at(places)) for name in ("join", "watch", "owner", "lobby")}
        self._table = HonestTable(self._strings["join"], self._strings["owner"], self._seed)
        self._ledger = ClubLedger(self._club, parse_join(own["join"]).table)
        try:
            await self._table.sit_down()
            await self._play(seconds)
        except (AssertionError, TimeoutError) as problem:
            self._break(f"{type(problem).__name__}: {problem}")
        finally:
            await self._table.close()
            await self._end()

    async def _play(self, seconds: float) -> None:
        doing = [asyncio.ensure_future(self._attack(lane)) for lane in range(LANES)]
        disturbing = asyncio.ensure_future(self._disturb())
        until = time.monotonic() + seconds
        try:
            while time.monotonic() < until and not self.broken:
                for problem in self._table.problems():
                    self._break(problem)
                await asyncio.wait([disturbing], timeout=LOOK_S)
                if disturbing.done():
                    disturbing.result()
            if not self.broken:
                await self._finish(disturbing, doing)
        finally:
            for one in (*doing, disturbing):
                one.cancel()
            await asyncio.gather(*doing, disturbing, return_exceptions=True)

    async def _finish(self, disturbing: "asyncio.Task[None]", doing: "list[asyncio.Task[None]]") -> None:
        """Let the last fault be over, end the attacks, and compare everybody's view with the journal."""
        self._over = True
        await asyncio.wait_for(disturbing, 3 * BACK_S)
        for one in doing:
            one.cancel()
        await self._table.pause()
        self._kept()
        self._ledger.read()
        await all_see(self._table.players, self._ledger)

    _over = False

    def _kept(self) -> None:
        for player in self._table.players:
            self._ledger.must_have(player.name, dict(player.acknowledged))

    def _break(self, promise: str) -> None:
        self.broken.append(promise)
        print(f"BROKEN: {promise}", file=sys.stderr, flush=True)

    # --------------------------------------------------------------------------------------------------------- hosts
    async def _start(self, number: int) -> None:
        """Start a host, for the first time or again at its port."""
        host = self._hosts[number]
        folder, key = host.home / "club", self._hosts[0].home / "club" / "server.key"
        folder.mkdir(parents=True, exist_ok=True)
        if number and not (folder / "server.key").exists():
            shutil.copy(key, folder)
        port = parse_join(host.strings["join"]).port if host.strings else 0
        more = ("--club", self._club, "--data", str(folder), "--no-restart", "--tables", "60")
        await host.start("--port", str(port), "--seats", str(SEATS), *more)

    def _holder(self) -> int:
        """Return the number of the host that has the table of the honest players."""
        names = [(host.home / "club" / "club.name").read_text().strip() for host in self._hosts]
        db = _Asked(self._club)
        try:
            query = "SELECT host FROM tables WHERE id = ?"
            return names.index(db.execute(query, (parse_join(self._strings["join"]).table,)).fetchone()[0])
        finally:
            db.close()

    async def _end(self) -> None:
        for number, host in enumerate(self._hosts):
            if host.process is not None and host.process.poll() is None and await host.stop():
                self._break(f"host {number} did not end with exit code 0 when it was told to stop")
            host.kill()
            if found := INTERNAL.search(host.errors):
                self._break(f"the log of host {number} has: {found[0]}")
                print(host.errors[-LOG_CHARS:], file=sys.stderr)

    # -------------------------------------------------------------------------------------------------------- attacks
    async def _attack(self, lane: int) -> None:
        rng = random.Random(f"{self._seed} attacks {lane}")
        await asyncio.sleep(QUIET_S)
        while True:
            for kind, string in rng.sample(ATTACKS, len(ATTACKS)):
                place = parse_join(rng.choice(self._hosts).strings["join"]).places[0]
                await run_attack(kind, str(parse_join(self._strings[string]).at([place])), rng.uniform(*ATTACK_S))
                self.attacks += 1

    # --------------------------------------------------------------------------------------------------------- faults
    async def _disturb(self) -> None:
        rng = random.Random(f"{self._seed} faults")
        await asyncio.sleep(QUIET_S)
        while not self._over:
            for name in rng.sample(sorted(FAULTS), len(FAULTS)):
                await asyncio.sleep(rng.uniform(*PAUSE_S))
                if self._over:
                    return
                await FAULTS[name](self, name)
                self._kept()

    async def _everybody_back(self, name: str, do: Callable[[], object]) -> None:
        """Do this, and wait until all players were let in again after it."""
        before = [player.welcome for player in self._table.players]
        began = time.perf_counter()
        await asyncio.to_thread(do)
        try:
            async with asyncio.timeout(BACK_S):
                for player, welcome in zip(self._table.players, before):
                    await player.back_after(welcome)
        except TimeoutError:
            raise AssertionError(f"{name}: not everybody was back after {BACK_S:g} s") from None
        self.back.setdefault(name, []).append(time.perf_counter() - began)

    async def _kill(self, name: str) -> None:
        number = self._holder()
        await self._everybody_back(name, lambda: self._signal(number, signal.SIGKILL))
        await self._again(number)

    async def _kill_another(self, name: str) -> None:
        """Nobody at the table should notice it."""
        number = (self._holder() + 1) % HOSTS
        self._signal(number, signal.SIGKILL)
        await self._again(number)

    async def _stop(self, name: str) -> None:
        """Stop the host until others have its table; it wakes up while they play on."""
        number = self._holder()
        try:
            await self._everybody_back(name, lambda: self._signal(number, signal.SIGSTOP))
            await asyncio.sleep(ASLEEP_S)
        finally:
            self._signal(number, signal.SIGCONT)

    async def _drain(self, name: str) -> None:
        number = self._holder()
        await self._everybody_back(name, lambda: self._signal(number, signal.SIGTERM))
        await self._again(number)

    async def _database(self, name: str) -> None:
        def restart() -> None:
            self._cluster.stop()
            time.sleep(2.0)
            self._cluster.start()

        await self._everybody_back(name, restart)

    def _signal(self, number: int, what: int) -> None:
        os.kill(self._hosts[number].pid, what)

    async def _again(self, number: int) -> None:
        """Wait until a host has ended, and start it again."""
        process = self._hosts[number].process
        assert process is not None
        await asyncio.to_thread(process.wait, BACK_S)
        await self._start(number)

    def print(self, minutes: float) -> None:
        """Print what happened."""
        games, players = self._table.games, self._table.players
        back = {name: {**spread(found), "times": len(found)} for name, found in sorted(self.back.items())}
        line("malice at a club of three hosts, broken promises", len(self.broken), "promises", "0", minutes=minutes,
             attacks=self.attacks, games=games, acknowledged=sum(len(one.acknowledged) for one in players),
             longest_pause_s=round(self._table.longest_pause_s, 1), back_s=back, broken=self.broken)  # fmt: skip


FAULTS: dict[str, Callable[[ClubEvening, str], Awaitable[None]]] = {
    "kill": ClubEvening._kill, "kill another": ClubEvening._kill_another, "stop": ClubEvening._stop,
    "drain": ClubEvening._drain, "database": ClubEvening._database,
}  # fmt: skip


async def evening(cluster: Cluster, club: str, folder: Path, seed: int, seconds: float) -> bool:
    """Spend an evening; return whether a promise was broken."""
    one = ClubEvening(cluster, club, folder, seed)
    await one.run(seconds)
    one.print(seconds / 60)
    return bool(one.broken)
