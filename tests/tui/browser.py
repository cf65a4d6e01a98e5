"""Rendering SVG to PNG with a browser, if the machine has one: `python -m tests.tui.browser PICTURE.svg OUT.png`."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.patience import PATIENCE_S

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip
NEEDS = "no browser to render pictures with: install chromium (apt-get install chromium)"


def browser() -> str:
    """Return the path of a browser; "" if there is none."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), "")


def render(svg: Path, png: Path, after_ms: int = 0) -> None:
    """Render a picture as a browser shows it. after_ms: the delay before a moving picture is taken. Raise LookupError
    without a browser."""
    found = browser()
    if not found:
        raise LookupError(NEEDS)
    head = svg.read_text("utf-8")[:2000]
    width, height = (round(float(size)) for size in re.findall(r'(?:width|height)="([\d.]+)"', head)[:2])
    with TemporaryDirectory() as profile:
        subprocess.run(
            [found, *FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}",
             f"--virtual-time-budget={after_ms or 1000}", f"--screenshot={png}", svg.resolve().as_uri()],
            check=True, capture_output=True, timeout=PATIENCE_S,
        )  # fmt: skip


if __name__ == "__main__":
    render(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 0)
