"""Scenarios are read by threads of the screen, several at once."""

import subprocess
import sys

import pytest

RUNS = 12
"""The number of processes. One in seven would crash if the types of scenarios were not prepared beforehand."""
_READ_IN_THREADS = """
import sys, threading
from contextlib import suppress
import msgspec
from core.scenario.schema import Scenario

sys.setswitchinterval(1e-6)
ready = threading.Barrier(40)

def read():
    ready.wait()
    with suppress(msgspec.ValidationError):
        msgspec.convert({"name": "x", "seats": {}}, Scenario)

threads = [threading.Thread(target=read) for _ in range(40)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.long(0)
def test_threads_may_read_their_first_scenarios_at_once() -> None:
    codes = [subprocess.run([sys.executable, "-c", _READ_IN_THREADS]).returncode for _ in range(RUNS)]
    assert codes == [0] * RUNS
