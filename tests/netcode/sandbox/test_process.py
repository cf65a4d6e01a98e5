"""Files of strangers are parsed in a child process that ends at its limits, and reports where it was."""

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cards import BUILT_IN, pack_files
from core.authoring import untrusted
from core.authoring.lint import Problem
from core.authoring.template import new_pack
from core.authoring.untrusted import parse_untrusted_pack
from core.language.catalog import ParsedPack, load
from core.language.errors import PackError
from netcode.client.client import Client, ClientError
from netcode.protocol import pack_catalog as door
from netcode.protocol import wire
from netcode.sandbox import process
from netcode.sandbox.process import SandboxError, run_limited
from tests.netcode.running_host import alive, until
from tests.patience import PATIENCE_S

BUSY = """
import sys
import netcode.sandbox.child as child
from netcode.sandbox import tasks
child.CPU_S, child.MEMORY_BYTES = 1, 400 * 1024 * 1024
def work(files, at):
    at("slow.toml")
    {work}
tasks.TASKS["check"] = tasks.TASKS["packs"] = (work, object)
child.main(sys.argv[1])
"""


def own_pack() -> dict[str, bytes]:
    return {name: data for name, data in new_pack("My Set").items() if "/" not in name}


def instead(monkeypatch: pytest.MonkeyPatch, work: str) -> None:
    """Let the child do this instead of its task."""
    command = [sys.executable, "-c", BUSY.format(work=work)]
    monkeypatch.setattr(process, "child_command", lambda module: command)


# ------------------------------------------------------------------------------------------------------------- limits
@pytest.mark.long(3)
@pytest.mark.parametrize(
    ("work", "says"),
    [
        ("while True: pass", "slow.toml: reading it takes more than 20 s of processor time"),
        ("return [bytes(1 << 20) for _ in range(1000)]", "more than 400 MB of memory"),
        ("open('written', 'wb', 0).write(b'x')", "slow.toml: it cannot be read"),
        ("sys.exit(3)", "ended with code 3"),
        ("sys.stdout.buffer.write(b'x'); sys.stdout.flush(); import os; os._exit(0)", "gave no valid answer"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit less: docs/trust.md")
def test_a_child_ends_at_its_limits(work: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, work)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SandboxError, match=says):
        run_limited("check", {}, list[Problem])
    assert all(path.stat().st_size == 0 for path in tmp_path.iterdir()), "the child wrote a file"


def test_a_child_that_hangs_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, "import time; time.sleep(600)")
    monkeypatch.setattr(process, "WALL_S", 2.0)
    with pytest.raises(SandboxError, match=r"reading it takes more than 2 s"):
        run_limited("check", {}, list[Problem])


def test_whoever_interrupts_the_wait_ends_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[subprocess.Popen[bytes]] = []

    def interrupted(child: "subprocess.Popen[bytes]", data: bytes, timeout: float) -> None:
        children.append(child)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_limited("check", {}, list[Problem])
    (child,) = children
    assert child.wait(20) == -signal.SIGKILL and child.stdout is not None and child.stdout.closed


def test_modules_in_the_folder_the_user_is_in_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("msgspec", "tomllib", "core", "netcode"):
        (tmp_path / f"{module}.py").write_text("open('was-run', 'w')")
    monkeypatch.chdir(tmp_path)
    assert run_limited("check", own_pack(), list[Problem]) == []
    assert not (tmp_path / "was-run").exists()


# ----------------------------------------------------------------------------------------------------------- the door
def test_what_the_check_reports_is_refused_by_the_loader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loader refuses by calling the check itself, so it refuses whatever the check reports, now and later."""
    monkeypatch.setattr(untrusted, "check_pack", lambda files, at: [Problem("a.toml", "b", "c", "a new mistake")])
    with pytest.raises(PackError, match=r"a\.toml, b, c: a new mistake"):
        parse_untrusted_pack(own_pack())


@pytest.mark.long(4)
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("by = -1", "by = 9223372036854775807", "stage-fright, play.0..by: 9223372036854775807 is out of range"),
        ("by = -1", "by = 9223372036854775808", "a number has more than 64 bits"),
        ("by = -1", "by = " + "9" * 400_000, "a line has 4000"),
        ("by = -1", "by = -1, " + ".".join("a" * 60_000) + " = 1", "a line has 1200"),
        ("copies = 5", "copies = 4", "says 26 door cards, but there are 25"),
        ("Lose a level.", "Lose a\u0020\u0020level.", "extra spaces"),
        ('name = "Stage Fright"', 'name = "\\u001b[2J"', r"invisible character U\+001B"),
        ('kind = "curse"', 'kind = "curse"\ntarget = "none"', "is played on 'seat'"),
    ],
)
def test_a_pack_with_a_mistake_is_refused_with_its_place(old: str, new: str, says: str) -> None:
    files = own_pack()
    assert old.encode() in files["doors.toml"]
    files["doors.toml"] = files["doors.toml"].replace(old.encode(), new.encode(), 1)
    with pytest.raises(PackError, match=f"the card pack my-set cannot be used: .*{says}") as refusal:
        door.catalog_of([("my-set", files)])
    assert "\n" not in str(refusal.value) and "\x1b" not in str(refusal.value) and len(str(refusal.value)) < 400


def test_built_in_packs_are_read_without_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    packs = [(set_id, pack_files(set_id)) for set_id in BUILT_IN]
    assert door.catalog_of(packs).cards == load([files for _, files in packs]).cards


def test_packs_of_others_and_built_in_ones_keep_their_order() -> None:
    mazes = pack_files(BUILT_IN[0])
    for packs in ([("a", own_pack()), ("b", mazes)], [("b", mazes), ("a", own_pack())]):
        assert door.catalog_of(packs).cards == load([files for _, files in packs]).cards


async def test_a_pack_of_a_host_is_refused_while_the_screen_goes_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = Client("kickdoor://127.0.0.1:1/t#" + "A" * 43 + "." + "A" * 22, "Kim", keep=False)
    client.info = wire.TableInfo("t", [], packs=[wire.PackInfo("endless", "0" * 32, built_in=False)])
    ticked = tmp_path / "ticked"

    async def tick() -> None:
        for _ in range(10):
            await asyncio.sleep(0.02)
        ticked.touch()

    ticking = asyncio.ensure_future(tick())
    waits = f"import os, time; any(time.sleep(0.01) for _ in iter(lambda: os.path.exists({str(ticked)!r}), True))"
    instead(monkeypatch, f"{waits}; raise tasks.Mistaken('the card pack endless is wrong')")
    with pytest.raises(ClientError, match="the card pack endless is wrong"):
        await client.catalog([own_pack()])
    await ticking


READERS = {
    "tomllib": set(),
    "check_pack": {"netcode/sandbox/tasks.py"},
    "parse_untrusted_pack": {"netcode/sandbox/tasks.py"},
    "parse_pack": {"netcode/protocol/pack_cache.py"},
    "read_head": set(),
    "read_cards": set(),
    "catalogs.load": {"tui/scene/card_book.py"},
    "catalog.load": set(),
}
"""The functions that read packs, and the modules that may use them: the child, the door itself for built-in packs, the
browser of built-in sets."""


@pytest.mark.parametrize("reader", READERS)
def test_netcode_and_tui_read_packs_by_the_door_only(reader: str) -> None:
    root = Path(process.__file__).resolve().parents[2]
    paths = [path for package in ("netcode", "tui") for path in (root / package).rglob("*.py")]
    pattern = re.compile(rf"(?<![\w.]){re.escape(reader)}\b")
    found = {path.relative_to(root).as_posix() for path in paths if pattern.search(path.read_text("utf-8"))}
    assert found == READERS[reader]


async def test_whoever_does_not_wait_any_more_ends_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instead(monkeypatch, f"import os, time; os.mkdir({str(tmp_path)!r} + '/' + str(os.getpid())); time.sleep(600)")
    reading = asyncio.ensure_future(process.run_limited_beside("check", {}, list[Problem]))
    await until(lambda: any(tmp_path.iterdir()), PATIENCE_S)
    pid = int(next(tmp_path.iterdir()).name)
    reading.cancel()
    await until(lambda: not alive(pid), PATIENCE_S)
    with pytest.raises(asyncio.CancelledError):
        await reading


# ------------------------------------------------------------------------------------------------- inside a sandbox
async def test_a_process_in_a_sandbox_reads_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "child_command", lambda module: ["/nothing/may/be/started"])
    files = own_pack()
    with process.in_a_sandbox():
        (found,) = run_limited("packs", [("my-set", files)], list[ParsedPack])
        assert found == parse_untrusted_pack(files)
        with pytest.raises(SandboxError, match=r"^the card pack my-set cannot be used: pack\.toml"):
            await process.run_limited_beside("packs", [("my-set", {**files, "pack.toml": b"="})], list[ParsedPack])
    with pytest.raises(SandboxError, match="cannot be started"):
        run_limited("packs", [("my-set", files)], list[ParsedPack])
