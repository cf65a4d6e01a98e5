"""The modules that a host loads until it prints its strings, and a program that is interrupted while it loads."""

import subprocess
import sys
from pathlib import Path

import pytest

from netcode.processes.start import child_env

LATER = ("core.engine", "core.view", "core.knowledge.veil", "core.language.catalog",
         "core.scenario", "netcode.table.rules_game", "netcode.protocol.pack_cache", "netcode.journal.salvage",
         "tomllib")  # fmt: skip
"""Modules that are loaded after the strings are printed, or never."""
PROGRAM = """
import sys
from netcode.processes.service import loading
with loading():
    import netcode.host.supervised_host
print(*(name for name in sys.argv[1:] if name in sys.modules))
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


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="children are counted by Linux's /proc")
@pytest.mark.parametrize("command", ["host", "play", "menu"])
def test_ctrl_c_while_the_command_line_is_loaded_ends_quietly_and_leaves_no_child(command: str, tmp_path: Path) -> None:
    environment = {**child_env(), "KICKDOOR_DATA": str(tmp_path)}
    interrupted = [sys.executable, "-c", INTERRUPTED, command]
    done = subprocess.run(interrupted, env=environment, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "children: 0\n")
