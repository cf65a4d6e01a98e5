"""Start the forker: `python -m netcode.processes.service netcode.door.forking.process FD PROGRAM MODE`.

FD: its end of the channel (netcode/door/messages.py). PROGRAM: the module of the guests' program; it has `preload()`,
called once, and `run(start) -> int`, called in the process of each guest. MODE: `confined` or `unconfined`."""

import importlib
import socket
import sys

from netcode.door.forking.forker import Forker


def main() -> int:
    """Load the program, and fork it until the listener closes the channel. Return the exit code."""
    descriptor, module, mode = sys.argv[1:]
    channel = socket.socket(fileno=int(descriptor))
    channel.setblocking(False)
    program = importlib.import_module(module)  # the listener names the module: this package must not import a screen
    program.preload()
    return Forker(channel, program.run, confined=mode == "confined").serve()
