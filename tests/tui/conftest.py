"""Put the project's folder on the import path, so that `tests.tui` can be imported from any working directory; let no
terminal of a developer decide what is drawn."""

import os
import sys
from pathlib import Path

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
os.environ["TERM"] = "xterm-256color"
