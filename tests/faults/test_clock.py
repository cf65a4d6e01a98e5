"""Nothing in the rules or at a table depends on the time of day."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OF_THE_DAY = {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime", "now", "today", "utcnow", "fromtimestamp"}
FOR_PEOPLE = {
    ("netcode/recording/recorder.py", "time"), ("netcode/recording/recorder.py", "fromtimestamp"),
    ("netcode/recording/career.py", "strftime"), ("netcode/client/saved_seats.py", "time"),
    ("netcode/host/host_folders.py", "time"), ("netcode/door/identities.py", "time"),
    ("netcode/door/door_log.py", "time"), ("netcode/door/door_log.py", "gmtime"),
    ("netcode/door/door_log.py", "strftime"),
}  # fmt: skip
"""The date in the name of a recording or of a file set aside, when a seat was left last, whether the journal of a host
that has stopped is from the last minutes, the log of the door, and when its guests were here last. No game and no table
depends on it."""


def calls(path: Path) -> Iterator[str]:
    """Yield the names that a file uses of the modules time and datetime."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in ("time", "datetime"):
            yield from (name.name for name in node.names)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
            owner = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
            if owner in ("time", "datetime", "date"):
                yield node.attr


@pytest.mark.long(2)
@pytest.mark.parametrize("room", ["core", "netcode"])
def test_nothing_is_decided_by_the_time_of_day(room: str) -> None:
    found = {(str(path.relative_to(ROOT)), name) for path in (ROOT / room).rglob("*.py") for name in calls(path)}
    wrong = {(path, name) for path, name in found if name in OF_THE_DAY} - FOR_PEOPLE
    assert not wrong, f"use the monotonic clock: {sorted(wrong)}"


def test_core_imports_no_clock() -> None:
    assert not [path for path in (ROOT / "core").rglob("*.py") if "import time" in path.read_text("utf-8")]
