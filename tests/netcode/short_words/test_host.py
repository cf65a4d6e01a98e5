"""A real host behind its front: short words seat people, five wrong tries let them rest, and the owner renews them."""

import asyncio
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from netcode.processes.service import process_name
from netcode.processes.start import child_env
from netcode.short_words.exchange import ClientSide
from netcode.short_words.word_list import TRIES, number_of, renewed
from tests.netcode.running_host import running_host, start_process, until
from tests.netcode.short_words.words_host import address_of, ask, own

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a host has words only behind a front")


async def test_five_wrong_tries_let_the_words_rest_also_after_a_restart_until_the_owner_renews_them(
    tmp_path: Path,
) -> None:
    async with running_host(front=True, data=str(tmp_path)) as host:
        words = host.words
        owner = await own(host)
        assert (owner.words, owner.words_rest) == (words, False)
        assert await ask(host, words) == host.join
        said = {await ask(host, renewed(words)) for _ in range(TRIES - 1)}
        assert len(said) == 1 and "these are not the words" in said.pop()
        assert await ask(host, f"otter-lamp-{number_of(words) % 90 + 10}") not in (host.join, ""), "no such table"
        assert await ask(host, words) == host.join, "four wrong tries, and one at no table of this host"
        tries = await asyncio.gather(*(ask(host, renewed(words)) for _ in range(6)))
        assert sum("these are not the words" in one for one in tries) == 1, "of six at once one is looked at"
        assert sum("rest, since too many" in one for one in tries) == 5
        assert "rest, since too many" in await ask(host, words), "the right ones too"
        await owner.wait_for(lambda one: one.words_rest)
        guest = host.client("Roger")
        await guest.join()  # the string still works
        await guest.close()
        await owner.close()
        host.process.send_signal(signal.SIGKILL)
        errors = host.ended()[1]
        assert not any(word in errors for word in words.split("-")[:2]), "no log has them"
        assert not (tmp_path / "table.sqlite").stat().st_mode & 0o077, "nobody else reads the journal"
    async with running_host(front=True, data=str(tmp_path)) as host:
        assert host.words == words and "rest, since too many" in await ask(host, words)
        owner = await own(host)
        assert owner.words_rest
        owner.admin("renew", value="words")
        await owner.wait_for(lambda one: not one.words_rest)
        assert owner.words != words and number_of(owner.words) == number_of(words)
        assert "these are not the words" in await ask(host, words)
        assert await ask(host, owner.words) == host.join
        newer = owner.words
        owner.admin("renew", value="join")
        await owner.wait_for(lambda one: one.words != newer)
        assert await ask(host, owner.words) == owner.strings[0] != host.join, "a new string brings new words"
        await owner.close()


def name_of(pid: int) -> str:
    """Return the name of a process, empty if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/comm").read_text().strip()
    return ""


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="processes are looked up in Linux's /proc")
@pytest.mark.long(0)
async def test_a_crowd_with_calls_disturbs_no_table_and_the_words_are_loaded_only_when_they_are_used() -> None:
    async with running_host(front=True) as host:
        owner = await own(host)
        name = process_name("netcode.short_words.process")[:15]

        def children() -> list[int]:
            pids = Path(f"/proc/{host.process.pid}/task").glob("*/children")
            found = [int(pid) for path in pids for pid in path.read_text().split()]
            return [pid for pid in found if name_of(pid) == name]

        maps = Path(f"/proc/{host.process.pid}/maps")
        assert not children()
        call = ClientSide(renewed(host.words)).call  # the callers send this, and then nothing more
        crowd = [await asyncio.open_connection(*address_of(host)) for _ in range(1000)]
        for _, writer in crowd:
            writer.write(call)
        assert await ask(host, host.words) == host.join, "somebody with the words has their turn"
        assert len(children()) == 1 and "spake2" not in maps.read_text()
        owner.set(ready=True)
        await owner.wait_for(lambda one: one.info is not None and one.info.seats[one.seat].ready)
        assert not owner.words_rest, "who guesses nothing uses up no try"
        for _, writer in crowd:
            writer.transport.abort()
        (pid,) = children()
        subprocess.run(["kill", "-9", str(pid)], check=True)
        await until(lambda: children() not in ([], [pid]))
        assert await ask(host, host.words) == host.join, "the process is started again"
        await owner.close()


async def test_a_host_without_a_front_has_no_words() -> None:
    async with running_host() as host:
        assert host.words == ""
        assert "knows no short words" in await ask(host, "otter-lamp-42")
        owner = host.client("Kim", join=host.owner)
        await owner.join()
        await owner.wait_for(lambda one: bool(one.strings))
        assert owner.words == ""
        await owner.close()
    shown = start_process(json=False)
    assert shown.stdout is not None
    try:
        while "Short words such as" not in (line := await asyncio.to_thread(shown.stdout.readline)):
            assert line, "it says nothing of them"
    finally:
        shown.kill()
        shown.communicate()


async def test_kickdoor_join_sits_down_by_words(tmp_path: Path) -> None:
    async with running_host(front=True, bots=2) as host:
        first, second, number = host.words.upper().split("-")
        where = "{}:{}".format(*address_of(host))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tui", "join", "--plain", "--name", "Bo", where, first, second, number,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**child_env(), "KICKDOOR_DATA": str(tmp_path), "KICKDOOR_CONFIG": str(tmp_path / "config.toml")},
        )  # fmt: skip
        watcher = host.client("Ann", join=host.watch, role="watch")
        await watcher.join()
        await watcher.wait_for(lambda one: one.info is not None and any(seat.name == "Bo" for seat in one.info.seats))
        await watcher.close()
        process.terminate()
        _, errors = await process.communicate()
        assert b"Traceback" not in errors
