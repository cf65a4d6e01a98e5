"""A service that is a copy of this process has its own streams, session and path, and ends by itself."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from netcode.processes.service import process_name
from netcode.processes.start import child_env, root_folder
from tests.faults.default_host import runs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="services are copies on Linux only")
SERVICE = "tests.netcode.processes.probe_service"
BEGIN = f"""
import json, os, signal, subprocess, sys, threading
from netcode.processes.forked import can_fork, fork_service
kept, other = os.open(os.devnull, os.O_RDONLY), os.open(os.devnull, os.O_RDONLY)
os.set_inheritable(other, True)
assert can_fork()
child = fork_service("{SERVICE}", "one", "two", pass_fds=[kept])
own = json.loads(child.stdout.readline())
"""


def outcome(program: str, folder: Path) -> tuple[Any, str]:
    """Run a program that starts the service in this folder; return the JSON that it prints, and its errors."""
    command = [sys.executable, "-c", BEGIN + program]
    done = subprocess.run(command, env=child_env(), cwd=folder, capture_output=True, text=True, timeout=30)
    return json.loads(done.stdout or "null"), done.stderr


def test_it_has_streams_a_session_a_name_and_arguments_of_its_own(tmp_path: Path) -> None:
    program = "child.stdin.close(); child.wait(); print(json.dumps([own, kept]))"
    (own, kept), errors = outcome(program, tmp_path)
    assert errors == ""
    assert own["arguments"] == ["one", "two"] and own["leads"] and own["threads"] == 1
    assert own["name"] == process_name(SERVICE)[:15], "as the system cuts it"
    assert own["open"] == [0, 1, 2, kept], "it keeps nothing but what it was given"


def test_it_finds_our_modules_and_none_in_the_folder_the_user_is_in(tmp_path: Path) -> None:
    own, errors = outcome("child.stdin.close(); child.wait(); print(json.dumps(own))", tmp_path)
    assert errors == "" and own["path"][0] == root_folder()
    assert "" not in own["path"] and str(tmp_path) not in own["path"]


@pytest.mark.parametrize(("word", "code"), [("", 0), ("3", 3), ("exit", 7)])
def test_its_exit_code_is_that_of_its_main(word: str, code: int, tmp_path: Path) -> None:
    program = f"child.stdin.write(b'{word}'); child.stdin.close(); print(json.dumps([child.wait(), child.poll()]))"
    assert outcome(program, tmp_path) == ([code, code], "")


def test_an_error_ends_it_with_a_traceback_and_nothing_of_its_starter_goes_on_in_it(tmp_path: Path) -> None:
    program = "child.stdin.write(b'fail'); child.stdin.close(); print(json.dumps(child.wait()))"
    code, errors = outcome(program, tmp_path)
    assert code == 1 and errors.endswith("ValueError: as it was told\n")


def test_it_can_be_waited_for_and_killed(tmp_path: Path) -> None:
    program = """
try:
    child.wait(0.05)
except subprocess.TimeoutExpired:
    runs = child.poll()
    child.kill()
    codes = child.wait(5), child.returncode
    child.terminate()
    print(json.dumps([runs, *codes]))
"""
    assert outcome(program, tmp_path) == ([None, -9, -9], "")


def test_it_ends_when_its_starter_is_gone(tmp_path: Path) -> None:
    """Nobody else has the other end of its standard input."""
    program = "os.write(1, json.dumps(child.pid).encode()); os._exit(0)"
    pid, errors = outcome(program, tmp_path)
    until = time.monotonic() + 10
    while runs(pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert errors == "" and not runs(pid)


def test_a_process_with_threads_is_not_copied(tmp_path: Path) -> None:
    program = """
child.stdin.close()
child.wait()
wait = threading.Event()
threading.Thread(target=wait.wait).start()
print(json.dumps(can_fork()))
wait.set()
"""
    assert outcome(program, tmp_path) == (False, "")
