"""Faults of a host and its files: it hangs, its journal is damaged, its user gets a bad pack.

Each function returns "" if the promise about it held, else the failure.
"""

import asyncio
import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.faults.kill_runs import ROOT

READ_S = 20.0
"""How long a program may take to read, or to refuse, a damaged journal or a bad pack (s)."""
REFUSED = (1, 2)
"""Exit codes of `kickdoor cards check`: mistakes were found, or the files cannot be read."""
PROGRAM = ("nice", "-n", "5", sys.executable, "-m", "tui")
"""The program as it runs on another machine: here it must yield to the host."""
Act = tuple[str, int, int, bytes]


@contextlib.contextmanager
def suspended(pid: int) -> Iterator[None]:
    """Suspend a process, and continue it; it must not be 0, which means this process and all of its group."""
    assert pid > 0
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


# --------------------------------------------------------------------------------------------------- damaged journals
async def serve_damaged_copy(copy: Path, rng: random.Random) -> str:
    """Damage a copy of a journal and start a host on it. It must serve every action of the copy or name the damage."""
    sound = copy.with_name(copy.name + "-sound")
    shutil.copytree(copy, sound)
    acts = _acts(sound)
    what = _damage(copy, rng)
    code, said = await _served(copy)
    if "Traceback" in said:
        return f"a journal with {what}: {said.strip().splitlines()[-1]}"
    if code == 0 and not acts <= _acts(copy) and "kickdoor host:" not in said:
        return f"a journal with {what} was restored without a word, and actions are missing"
    return ""


def _acts(folder: Path) -> set[Act]:
    with contextlib.closing(sqlite3.connect(next(folder.rglob("*.sqlite")))) as db:
        return set(db.execute("SELECT tab, game, seq, action FROM acts"))


def _damage(folder: Path, rng: random.Random) -> str:
    """Flip a bit of a file, cut it off, or delete it; return what was done, in words."""
    path = rng.choice(sorted(path for path in folder.rglob("*.sqlite*") if path.stat().st_size))
    data = bytearray(path.read_bytes())
    match rng.randrange(3):
        case 0:
            at = rng.randrange(len(data))
            data[at] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            return f"a flipped bit at byte {at} of {path.name}"
        case 1:
            size = rng.randrange(len(data))
            path.write_bytes(data[:size])
            return f"{path.name} cut off after {size} of {len(data)} bytes"
        case _:
            path.unlink()
            return f"{path.name} deleted"


async def _served(folder: Path) -> tuple[int, str]:
    """Start a host on a journal, stop it as soon as it serves; return its exit code and standard error."""
    command = [*PROGRAM, "host", "--json", "--port", "0", "--no-restart", "--data", str(folder)]
    host = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    assert host.stdout is not None
    try:
        async with asyncio.timeout(READ_S):
            if await host.stdout.readline():
                host.terminate()
            _, errors = await host.communicate()
    finally:
        if host.returncode is None:
            host.kill()
            await host.communicate()
    assert host.returncode is not None
    return host.returncode, errors.decode(errors="replace")


# ------------------------------------------------------------------------------------------------------------ bad packs
def _deep(folder: Path) -> str:
    (folder / "pack.toml").write_text(".".join(["a"] * 60_000) + " = 1\n")
    return "a key of 60,000 parts"


def _long(folder: Path) -> str:
    (folder / "pack.toml").write_text(f'id = "long"\nversion = {"9" * 400_000}\n')
    return "a number of 400,000 digits"


def _pipe(folder: Path) -> str:
    os.mkfifo(folder / "pack.toml")
    return "a FIFO for pack.toml"


BAD_PACKS = (_deep, _long, _pipe)


async def check_bad_pack(folder: Path, rng: random.Random) -> str:
    """Let `kickdoor cards check` read a bad pack in a new folder. It must refuse it soon, in sentences."""
    folder.mkdir()
    what = rng.choice(BAD_PACKS)(folder)
    checking = await asyncio.create_subprocess_exec(
        *PROGRAM, "cards", "check", str(folder), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, cwd=ROOT,
    )  # fmt: skip
    try:
        said, _ = await asyncio.wait_for(checking.communicate(), READ_S)
    except TimeoutError:
        checking.kill()
        await checking.communicate()
        return f"a pack with {what} was not refused within {READ_S:g} s"
    if checking.returncode not in REFUSED or b"Traceback" in said:
        return f"a pack with {what}: exit code {checking.returncode}, {said[-200:]!r}"
    return ""
