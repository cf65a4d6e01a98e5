"""The program with other rules: a copy of `core` with one figure changed, for processes that a test starts."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[1]
FIGURES = {
    "a Treasure more": ("return max(printed + (reward if killed", "return 1 + max(printed + (reward if killed"),
    "a level more": ("return max(0, levels), printed", "return 1 + max(0, levels), printed"),
}
"""Changes of core/queries/rewards.py, what a combat pays: the old and the new text."""


class OtherRules:
    """A folder with this program and one figure of its rules changed."""

    def __init__(self, folder: Path, figure: str) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "core", folder / "core", ignore=shutil.ignore_patterns("__pycache__"))
        file, (old, new) = folder / "core" / "queries" / "rewards.py", FIGURES[figure]
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, "the rules of a combat's reward are written otherwise now: change FIGURES"
        file.write_text(text.replace(old, new), encoding="utf-8")
        for name in ("cards", "netcode", "tests", "tui"):
            (folder / name).symlink_to(ROOT / name)

    def run(self, *command: str, home: Path | None = None) -> "subprocess.CompletedProcess[str]":
        """Run `python -m COMMAND` with these rules. home: its data folder."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        if home is not None:
            environment["KICKDOOR_DATA"] = str(home)
        return subprocess.run(
            [sys.executable, "-P", "-m", *command], capture_output=True, text=True, timeout=PATIENCE_S, env=environment,
            cwd=self.folder, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
