"""Runs kickdoor in a separate process, without a terminal."""

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]


def kickdoor(*args: str, home: Path | None = None, text: str = "") -> "subprocess.CompletedProcess[str]":
    """Run `kickdoor ARGS` without a terminal. home: the folder of its settings; text: its standard input."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    if home is not None:
        environment["KICKDOOR_CONFIG"] = str(home / "settings.toml")
    return subprocess.run(
        [sys.executable, "-m", "tui", *args], capture_output=True, text=True, timeout=PATIENCE_S,
        env=environment, input=text,
    )  # fmt: skip
