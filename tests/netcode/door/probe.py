"""Runs the attacker in a client's place: `python -m tests.netcode.door.probe confined|unconfined FOLDER [ATTACK...]`.

It prints how each attack ended, as JSON. The targets are real: a key and a journal of the user who runs the door, a
neighbour at the same door with files and a terminal, services that listen."""

import asyncio
import fcntl
import json
import os
import socket
import sys
from pathlib import Path
from typing import Any

from netcode.door.session import Session
from tests.netcode.door.channel import Door, open_door

_TIOCGPTN = 0x80045430
PROGRAM = "tests.netcode.door.attacker"


async def probe(mode: str, folder: Path, only: list[str]) -> dict[str, Any]:
    """Return how all attacks ended, what a client needs, and what has become of the neighbour."""
    async with open_door(folder, PROGRAM, confined=mode == "confined") as door:
        neighbour, quiet = await door.guest(what="watch")
        await quiet.until_text("ready")
        with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as path, \
                socket.socket(socket.AF_UNIX) as abstract:  # fmt: skip
            path.bind(str(folder / "socket"))
            path.listen()
            name = f"kickdoor-probe-{os.getpid()}"
            abstract.bind("\0" + name)
            abstract.listen()
            others = Path(neighbour.guest.folder) / "seat"
            others.write_text("secret")
            (folder / "key").write_text("secret")
            (folder / "journal").write_text("secret")
            targets = {
                "key": str(folder / "key"), "journal": str(folder / "journal"), "others_file": str(others),
                "others_folder": str(others.parent), "neighbour": neighbour.pid, "door": os.getpid(),
                "tcp": tcp.getsockname(), "unix": str(folder / "socket"), "abstract": name,
                "terminal": _terminal_of(neighbour), "only": only,
            }  # fmt: skip
            found: dict[str, Any] = {"attacks": await _run(door, "attacks", targets)}
            if not only:
                found["permitted"] = await _run(door, "permitted", targets)
                foreign, _ = await door.guest(what="help")
                found["foreign"] = await foreign.over
        neighbour.typed(b"q")
        return {**found, "neighbour": await neighbour.over, "key": (folder / "key").read_text()}


async def _run(door: Door, what: str, targets: dict[str, Any]) -> dict[str, str]:
    identity = {"attacks": "a", "permitted": "b"}[what] * 32
    own = door.folder / identity
    own.mkdir(mode=0o700)
    (own / "targets.json").write_text(json.dumps(targets))
    (own / "way_out").symlink_to(targets["key"])
    session, channel = await door.guest(what=what, identity=identity)
    code = await session.over
    if code != 0:
        raise RuntimeError(f"the attacker ended with code {code}: {channel.text}")
    results: dict[str, str] = json.loads(channel.text)
    return results


def _terminal_of(session: Session) -> str:
    number = fcntl.ioctl(session._relay._reading, _TIOCGPTN, bytes(4))
    return f"/dev/pts/{int.from_bytes(number, sys.byteorder)}"


def main() -> None:
    """Run the probe and print what it found."""
    mode, folder, *only = sys.argv[1:]
    print(json.dumps(asyncio.run(probe(mode, Path(folder), only))))


if __name__ == "__main__":
    main()
