"""A plugin of pytest that notes which functions of the program each test calls: -p tests.called_functions.

It writes a line of JSON for each test into the folder that KICKDOOR_CALLED names: its name, how long it took (seconds),
and the functions as "file:first line". Child processes are not seen.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = f"{Path(__file__).resolve().parents[1]}{os.sep}"
PROGRAM = tuple(f"{ROOT}{folder}{os.sep}" for folder in ("core", "netcode", "tui"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    """Note what is called while a test and its fixtures run."""
    called: set[CodeType] = set()

    def note(frame: FrameType, event: str, arg: object) -> None:
        if event == "call":
            called.add(frame.f_code)

    began = time.monotonic()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        return (yield)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        files = [(code.co_filename, code.co_firstlineno) for code in called]
        names = sorted(f"{file[len(ROOT):]}:{line}" for file, line in files if file.startswith(PROGRAM))
        row = {"test": item.nodeid, "seconds": round(time.monotonic() - began, 3), "calls": names}
        with (Path(os.environ["KICKDOOR_CALLED"]) / f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as out:
            out.write(json.dumps(row) + "\n")
