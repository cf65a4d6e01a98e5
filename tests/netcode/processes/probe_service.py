"""A service that tells how it was started, then does what its standard input says."""

import json
import os
import sys
import threading
from pathlib import Path


def main() -> int:
    """Print what this process is as one line of JSON; then end with the exit code that standard input names, or raise
    the error that it names."""
    own = {
        "arguments": sys.argv[1:], "path": sys.path, "leads": os.getsid(0) == os.getpid(),
        "open": sorted(int(number) for number in os.listdir("/proc/self/fd"))[:-1],
        "name": Path("/proc/self/comm").read_text().strip(), "threads": threading.active_count(),
    }  # fmt: skip
    print(json.dumps(own), flush=True)
    word = sys.stdin.readline().strip()
    if word == "fail":
        raise ValueError("as it was told")
    if word == "exit":
        sys.exit(7)
    return int(word or 0)
