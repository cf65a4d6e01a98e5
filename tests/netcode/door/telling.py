"""A guests' program for tests: it says as JSON what it was started with, then says back what is typed, until `q`."""

import json
import os
import tty

from netcode.door.messages import Start


def preload() -> None:
    """Nothing to load."""


def run(start: Start) -> int:
    """Tell, then echo."""
    if start.terminal:
        tty.setraw(0)
    told = {
        "identity": start.identity, "name": start.name, "join": start.join, "what": start.what, "door": start.door,
        "code": start.code, "environment": start.environment, "terminal": start.terminal, "folder": start.folder,
        "size": list(os.get_terminal_size(0)) if start.terminal else [],
    }  # fmt: skip
    os.write(1, f"<<{json.dumps(told)}>>\r\n".encode())
    while data := os.read(0, 4096):
        if b"q" in data:
            return 7
        if b"s" in data:
            os.write(1, f"size {list(os.get_terminal_size(0))}\r\n".encode())
        os.write(1, data)
    return 0
