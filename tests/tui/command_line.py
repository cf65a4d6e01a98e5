"""Runs kickdoor in a separate process, without a terminal; the values that its parameters accept."""

import os
import subprocess
import sys
from pathlib import Path

import click

from tests.patience import PATIENCE_S
from tui.cli.main import cli

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


def choices_of(command: str, parameter: str) -> tuple[str, ...]:
    """Return the values that a parameter of a kickdoor command accepts."""
    found = next((one for one in cli.commands[command].params if parameter in one.opts), None)
    return tuple(found.type.choices) if found is not None and isinstance(found.type, click.Choice) else ()
