"""All printed or logged text goes through one door: no module bypasses it, and it works in every process."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import cards
import core
import netcode
import tui
from tests.netcode.words.hostile import FORGED, FORGING, raw_in
from tests.patience import PATIENCE_S
from tests.tui.command_line import ROOT
from tui.app.app import crash_details

CALLS = (
    "print", "pprint", "input", "breakpoint", "click.echo", "click.secho", "click.prompt", "click.confirm",
    "click.pause", "click.progressbar", "click.echo_via_pager", "os.write", "os.writev", "logging.basicConfig",
    "logging.StreamHandler", "logging.FileHandler", "Console", "unguarded", "warnings.warn",
    "warnings.showwarning", "faulthandler.enable", "getpass.getpass",
)  # fmt: skip
"""Names that write to a terminal or a log, or create something that does."""
ENDINGS = (
    ".print", ".print_exc", ".print_exception", ".print_stack", ".print_tb", ".print_last", ".addHandler",
    ".default_exception_handler", ".lastResort", ".__stdout__", ".__stderr__", ".stdout.buffer", ".stderr.buffer",
    ".stdout.write", ".stderr.write", ".stdout.writelines", ".stderr.writelines",
)  # fmt: skip
"""The endings of such calls and names."""
MODULES = ("logging.handlers", "syslog", "pprint", "readline")
"""Names that a module which prints through the door need not import."""
WHOLE = ("sys", "os", "logging", "traceback", "warnings", "click")
"""Modules that are imported whole, so that this search finds what is used of them."""
_PARTS = {part for name in (*CALLS, *ENDINGS, *MODULES) for part in name.split(".")[-2:]}
_PARTS -= {"write", "buffer", "os", ""}
WORDS = rf"\b({'|'.join(sorted({*_PARTS, 'os.write'}))}|from ({'|'.join(WHOLE)}) import)\b"
"""Each module that writes to a stream contains one of these words."""
DOORS = {
    ("netcode/protocol/printing.py", "print"): "the door of the commands",
    ("netcode/reporting.py", "print"): "the door of lines and logs",
    ("netcode/reporting.py", "unguarded"): "a QR code, whose colours stay; its text is cleaned",
    ("netcode/reporting.py", "logging.basicConfig"): "the log, with our own handler",
    ("netcode/front/process.py", "logging.basicConfig"): "the front imports nothing of ours; its streams are guarded",
    ("netcode/front/process.py", "os.write"): "a heartbeat, one dot",
    ("netcode/short_words/process.py", "os.write"): "a heartbeat, or JSON for the host",
    ("netcode/announcer/process.py", "os.write"): "the same, an empty line",
    ("netcode/host/supervised_host.py", "sys.stdout.buffer"): "JSON in ASCII for the supervisor, which prints it",
    ("netcode/door/relay.py", "os.write"): "a guest's keys, to the guest's own terminal",
    ("netcode/door/confinement/means.py", "os.write"): "a sentence of ours, to the parent",
    ("netcode/door/confinement/means.py", "print"): "sentences of ours, to the door",
    ("netcode/sandbox/child.py", "sys.stdout.buffer"): "msgpack for the parent",
    ("netcode/sandbox/child.py", "print"): "repr() of a name for the parent",
    ("tui/app/first_words.py", "sys.__stderr__"): "the first screen, made of our own words",
    ("tui/app/app.py", "Console"): "writes into a buffer",
    ("tui/app/given_string.py", "click.echo"): "a prompt of ours",
    ("tui/cli/cards.py", "Console"): "portraits with colours; names of a pack have no such characters",
    ("tui/cli/cards.py", "unguarded"): "the same",
    ("tui/cli/progress.py", "Console"): "a bar with words of ours",
    ("tui/cli/progress.py", "unguarded"): "the same",
    ("tui/portraits/gallery.py", "console.print"): "portraits, see tui/cli/cards.py",
}  # fmt: skip
"""The modules that may write, by which names, and why no stranger's text gets out there."""
GUARDED = {
    "tui/cli/main.py": "main", "netcode/processes/service.py": "run", "netcode/sandbox/child.py": "main",
    "netcode/processes/workers.py": "_begin",
    "netcode/door/forking/child.py": "_settle_python",
    "netcode/door/confinement/means.py": "main",
}  # fmt: skip
"""The entry points of our processes, where they guard their streams."""


def sources(words: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the modules in which one of these words (a regular expression) stands, by name."""
    for package in (cards, core, netcode, tui):
        folder = Path(package.__file__ or "").resolve().parent
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if re.search(words, text):
                yield path.relative_to(folder.parent).as_posix(), ast.parse(text)


def dotted(node: ast.AST) -> str:
    """Return the name of an expression, such as `sys.stdout.write`; a call or the like in it becomes a blank."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else " "


def writers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of everything that bypasses the door, unless the module is a door."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and dotted(node.func) in CALLS:
            yield node.lineno, dotted(node.func)
        if isinstance(node, ast.Attribute) and dotted(node).endswith(ENDINGS):
            yield node.lineno, dotted(node)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, f"import {one.name}") for one in node.names if one.name in MODULES)
        elif isinstance(node, ast.ImportFrom) and node.module in (*MODULES, *WHOLE):
            yield from ((node.lineno, f"from {node.module} import {one.name}") for one in node.names)


def test_no_module_prints_or_logs_past_the_door() -> None:
    found = [(name, line, what) for name, tree in sources(WORDS) for line, what in writers(tree)]
    past = [f"{name}:{line} {what}" for name, line, what in found if (name, what) not in DOORS]
    assert past == [], "print through netcode/protocol/printing.py or netcode/reporting.py, or say in DOORS why not"
    assert DOORS.keys() <= {(name, what) for name, _, what in found}, "a door that is not there any more"


@pytest.mark.parametrize(
    "text",
    (
        "print(1)", "sys.stderr.write(x)", "sys.__stdout__.write(x)", "os.write(1, x)", "traceback.print_exc()",
        "logging.getLogger().addHandler(logging.FileHandler('x'))", "from sys import stdout", "click.secho('x')",
        "sys.stdout.buffer.write(x)", "import logging.handlers", "warnings.warn('x')", "Console().print('x')",
    ),
)  # fmt: skip
def test_the_search_finds_what_writes_past_the_door(text: str) -> None:
    assert list(writers(ast.parse(text)))


def test_every_process_of_ours_guards_its_streams_when_it_begins() -> None:
    found = {}
    for name, tree in sources("guard_streams"):
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(one, ast.Call) and ast.unparse(one.func) == "guard_streams" for one in ast.walk(node)
            ):
                found[name] = node.name
    assert found == GUARDED
    begins = {name for name, tree in sources("__main__") if any(_is_main(node) for node in tree.body)}
    assert begins - GUARDED.keys() == {"tui/__main__.py"}, "it runs tui/cli/main.py"


def _is_main(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"


BEGINNINGS = {
    "command": "import tui.cli.main as m; m.cli = lambda **_: throw(); m.main()",
    "wrong words": "import tui.cli.main as m\nfor words in WRONG: run(m.main, words)",
    "bot": "import netcode.client.bot_runner as m; m._run_one = beside; "
           "import tui.cli.main as c; run(c.main, ['bot', 'x'])",
    "plain": "import tui.plain.launch as m; m._stay = beside; "
             "import tui.cli.main as c; run(c.main, ['join', '--plain', JOIN])",
    "bots of a host": "import netcode.client.bot_runner as m; m._run_all = beside; serve(m)",
    "host": "import netcode.host.main as m; m._run = lambda *_: throw(); sys.stdin = Line(); serve(m)",
    "front": "import netcode.front.process as m; m.from_json = lambda line: None; m.socket = Sockets; "
             "sys.argv[:] = ['front', '0', '1']; m._relay = beside; serve(m)",
    "parser of packs": "import netcode.sandbox.child as m; import netcode.sandbox.tasks as t; "
                       "t.run_task = lambda *_: (throw(), b'')[1]; m.main('packs')",
    "worker": "import netcode.processes.workers as m; m._end_with_parent = bool; m._begin(throw)",
}  # fmt: skip
"""The start of each process, with throwing code in place of its work."""
BINARY = ("parser of packs",)
"""Their standard output is for programs."""
LOGGED = ("bot", "plain", "bots of a host", "host")
"""These processes log with our own handler."""


@pytest.mark.long(3)
@pytest.mark.parametrize("name", BEGINNINGS)
def test_whatever_is_thrown_in_a_process_comes_out_harmless(name: str, tmp_path: Path) -> None:
    """Records, warnings, prints, and errors in threads, callbacks, tasks, finalizers and the process itself."""
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", f"from tests.netcode.words.throwing import *\n{BEGINNINGS[name]}"],
        capture_output=True, timeout=PATIENCE_S, check=False, stdin=subprocess.DEVNULL, cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "KICKDOOR_DATA": str(tmp_path)},
    )  # fmt: skip
    printed = done.stderr if name in BINARY else done.stderr + done.stdout
    assert raw_in(printed) == "", printed.decode(errors="replace")
    assert len(printed) > 60, "it was said"
    if name in LOGGED:
        records = [line for line in done.stderr.decode().splitlines() if "record: " in line]
        assert len(records) == 6 and all(FORGED in line for line in records), "a record is one line"


def test_a_crash_file_holds_nothing_raw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    try:
        exec(compile("raise OSError(words)", FORGING.replace("\0", ""), "exec"), {"words": FORGING})
    except OSError as error:
        words = crash_details(error)
    assert "please report it" in words and raw_in((tmp_path / "crash.txt").read_bytes()) == ""
