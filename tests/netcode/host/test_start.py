"""The modules that a host loads until it prints its strings, and a program that is interrupted while it loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from netcode.host.first_host import first_host
from netcode.processes.start import child_command, child_env
from tests.patience import PATIENCE_S

CHILDREN = Path(f"/proc/self/task/{os.getpid()}/children")
LATER = ("core.engine", "core.view", "core.knowledge.veil", "core.language.catalog",
         "core.scenario", "netcode.table.rules_game", "netcode.protocol.pack_cache", "netcode.journal.salvage",
         "tomllib", "zeroconf", "ifaddr", "netcode.host.announcer_process", "spake2", "cryptography",
         "netcode.short_words.exchange")  # fmt: skip
"""Modules that are loaded after the strings are printed, or never."""
BEHIND = ("msgspec", "hashlib", "json", "logging", "netcode.host.config", "netcode.host.supervisor")
"""Modules that a supervisor loads while its first host loads its own."""
PROGRAM = """
import sys
from netcode.processes.service import loading
with loading():
    import netcode.host.supervised_host
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""
FIRST = """
import sys
import tui.cli.main
import netcode.host.first_host
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""
FRONT_AND_CLIENT = """
import sys
import netcode.front.process
print(*(name for name in ("msgspec", "zmq", "spake2", "netcode.protocol") if name in sys.modules))
import tui.app.launch, tui.app.by_words
print(*(name for name in ("spake2", "cryptography") if name in sys.modules))
"""
INTERRUPTED = """
import atexit, sys
from importlib.abc import MetaPathFinder
from pathlib import Path

class Interrupts(MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == "tui.cli.main":
            raise KeyboardInterrupt

def children():
    return sum(len((task / "children").read_text().split()) for task in Path("/proc/self/task").iterdir())

sys.meta_path.insert(0, Interrupts())
atexit.register(lambda: print("children:", children(), file=sys.stderr))
import tui.__main__
tui.__main__.main()
"""


def test_a_host_prints_its_strings_before_it_loads_the_rules_and_the_cards() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *LATER], env=child_env(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], ""), "these make every start of a host longer"


def test_a_front_is_the_standard_library_only_and_a_client_loads_the_exchange_only_for_short_words() -> None:
    done = subprocess.run([sys.executable, "-c", FRONT_AND_CLIENT], env=child_env(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are counted by Linux's /proc")
@pytest.mark.parametrize("command", ["host", "play", "menu"])
def test_ctrl_c_while_the_command_line_is_loaded_ends_quietly_and_leaves_no_child(command: str, tmp_path: Path) -> None:
    environment = {**child_env(), "KICKDOOR_DATA": str(tmp_path)}
    interrupted = [sys.executable, "-c", INTERRUPTED, command]
    done = subprocess.run(interrupted, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "children: 0\n")


def test_the_first_host_is_started_before_its_supervisor_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", FIRST, *BEHIND], env=child_env(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == ([], ""), "these make every start of a host longer"


@pytest.mark.skipif(not CHILDREN.exists(), reason="children are counted by Linux's /proc")
@pytest.mark.parametrize("front", [True, False])
def test_a_first_host_that_no_supervisor_takes_is_ended(front: bool) -> None:
    before = CHILDREN.read_text().split()
    with first_host(front) as first:
        assert first is not None and (first.channel is not None) == front
        assert len(CHILDREN.read_text().split()) == len(before) + 1
    assert CHILDREN.read_text().split() == before


def test_wrong_options_end_the_first_host_and_say_one_sentence(tmp_path: Path) -> None:
    command = [*child_command("tui"), "host", "--bind", "nowhere", "--data", str(tmp_path)]
    done = subprocess.run(command, env=child_env(), capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (2, ""), "its pipes are closed: nothing that it started holds them"
    assert done.stderr.startswith("kickdoor host: --bind nowhere is not an address"), done.stderr
