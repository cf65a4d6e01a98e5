"""A host that turns evil on demand: `python -m tests.faults.evil_host CONFIG` is a real host. Lines on its standard
input say how to alter, add or withhold frames to one player.

The host itself is unchanged: its outgoing and incoming frames pass through this module. Only the client that says hello
as VICTIM, or to watch, meets the evil; others at the same host are served honestly. A line is one JSON object; `do`
says what happens:

    alter    each honest message of kind gets value at path (keys and indexes), until `honest`; a path may lead into the
             parts of a view: ["public", ...] and ["own", ...]. Such deltas are sent whole.
    send     these frames (hexadecimal) are sent
    flood    these frames, or the last whole delta (frames: [], kind: "delta"), are sent as fast as the line takes them
    answer   to each message of kind that the victim sends, these frames are the answer; the host does not hear it
    mute     nothing more is sent to the victim, or nothing of these kinds
    deaf     nothing that the victim sends is heard, or nothing of these kinds
    honest   everything above ends (also: stop)
    restore  the last honest info and view are sent again
    dump     prints a JSON line with the last honest message of each kind (hexadecimal); a delta is a whole one
    count    prints a JSON line with what has been sent to the victim: frames, bytes

A frame that begins with b"@delta" is sent as the delta that follows, with the next number; one that begins with
b"@parts" as one ZeroMQ message of many parts.
"""

import asyncio
import json
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from unittest.mock import patch

import msgpack
import zmq
from msgspec.structs import asdict

from netcode.host.config import HostConfig
from netcode.host.main import run_host
from netcode.host.receiver import Receiver
from netcode.host.server import Server
from netcode.processes.start import child_env
from netcode.protocol import limits
from netcode.protocol.deltas import difference, inflated
from tests.netcode.running_host import RunningHost

VICTIM = "Vic"
QUEUE = 4096
"""Frames that ZeroMQ keeps for a client that does not read: an evil host sends as fast as the line allows."""
AT_ONCE = 256
"""Frames of a flood that are sent before the host does something else."""
PARTS = ("public", "own", "veiled")


# --------------------------------------------------------------------------------------------------- in the process
class Evil:
    """The evil of one host towards its victim."""

    def __init__(self) -> None:
        self.receiver: Receiver | None = None
        self.address = b""
        """The connection of the victim."""
        self.frames = self.bytes = 0
        self._alter: list[tuple[str, list[Any], Any]] = []
        self._mute: frozenset[str] | None = frozenset()
        self._deaf: frozenset[str] | None = frozenset()
        self._answers: dict[str, list[bytes]] = {}
        self._flood: list[bytes] = []
        self._honest: dict[str, bytes] = {}
        """The last honest message of each kind; the last delta is kept as a whole one."""
        self._parts = dict.fromkeys(PARTS, b"")
        self._seq = 0
        self._loop: asyncio.AbstractEventLoop | None = None

    # ------------------------------------------------------------------------------------------------------ commands
    def listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Do what standard input says from now on."""
        self._loop = loop
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._do, json.loads(line))

    def _do(self, command: dict[str, Any]) -> None:
        frames = [bytes.fromhex(frame) for frame in command.get("frames", ())]
        kinds = frozenset(command["kinds"]) if command.get("kinds") else None
        match command["do"]:
            case "alter":
                self._alter.append((command["kind"], command["path"], _value(command)))
            case "send":
                for frame in frames:
                    self._send(frame)
            case "flood":
                self._flood = frames or [b"@delta" + self._honest["delta"]]
                self._go_on()
            case "restore":
                for kind, prefix in (("info", b""), ("delta", b"@delta")):
                    if kind in self._honest:
                        self._send(prefix + self._honest[kind])
            case "dump":
                print(json.dumps({kind: frame.hex() for kind, frame in self._honest.items()}), flush=True)
            case "answer":
                self._answers[command["kind"]] = frames
            case "mute":
                self._mute = kinds
            case "deaf":
                self._deaf = kinds
            case "honest" | "stop":
                self._alter, self._flood, self._mute, self._deaf = [], [], frozenset(), frozenset()
                self._answers = {}
            case "count":
                print(json.dumps({"frames": self.frames, "bytes": self.bytes}), flush=True)

    def _go_on(self) -> None:
        """Send the next frames of the flood."""
        if not self._flood or self._loop is None:
            return
        room = True
        for at in range(AT_ONCE):
            room = self._send(self._flood[at % len(self._flood)])
            if not room:
                break
        self._loop.call_later(0 if room else 0.001, self._go_on)

    # -------------------------------------------------------------------------------------------------- what is sent
    def _send(self, frame: bytes) -> bool:
        """Send a frame to the victim; return whether the connection took it."""
        if self.receiver is None or not self.address:
            return False
        if frame.startswith(b"@parts"):
            return self._send_parts(*msgpack.unpackb(frame[6:]))
        if frame.startswith(b"@delta"):
            frame = self._numbered(frame[6:])
        with self.receiver._lock:
            problem = TRUE_SEND(self.receiver, self.address, frame)
        if problem is None:
            self.frames, self.bytes = self.frames + 1, self.bytes + len(frame)
        return problem is None

    def _send_parts(self, count: int, size: int) -> bool:
        """Send one message with this many parts of this many bytes; return whether the connection took it."""
        assert self.receiver is not None
        part, flags = bytes(size), int(zmq.NOBLOCK | zmq.SNDMORE)
        with self.receiver._lock:
            try:
                self.receiver._send_part(self.address, flags)
            except zmq.ZMQError:
                return False
            for _ in range(count - 1):
                self.receiver._send_part(part, flags)
            self.receiver._send_part(part, int(zmq.NOBLOCK))
        self.frames, self.bytes = self.frames + count, self.bytes + count * size
        return True

    def _numbered(self, frame: bytes) -> bytes:
        """Return a delta with the next number, unless it is too malformed to number."""
        self._seq += 1
        with suppress(ValueError, TypeError):
            message = msgpack.unpackb(frame, strict_map_key=False)
            if message.get("seq") in (0, 1) or message.get("whole"):
                numbered: bytes = msgpack.packb({**message, "seq": self._seq})
                return numbered
        return frame

    def sends(self, address: bytes, frame: bytes) -> bytes | None:
        """Return the frame to send instead of an honest one, None for nothing."""
        if address != self.address:
            return frame
        message = msgpack.unpackb(frame, strict_map_key=False)
        kind = message["k"]
        if kind == "welcome":
            self._seq = 0
            self._parts = dict.fromkeys(PARTS, b"")
        if kind == "delta":
            message = self._delta(message)
        self._honest[kind] = msgpack.packb(message)
        for what, path, value in self._alter:
            if what == kind:
                message = altered(message, path, value)
        if self._mute is None or kind in self._mute:
            return None
        changed: bytes = msgpack.packb(message)
        self.frames, self.bytes = self.frames + 1, self.bytes + len(changed)
        return changed

    def _delta(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return a delta as a whole one with the next number."""
        self._seq += 1
        for name in PARTS:
            base = b"" if message.get("whole") else self._parts[name]
            self._parts[name] = inflated(message.get(name, b""), base)
        parts = {name: difference(part, b"") for name, part in self._parts.items() if part}
        whole = {**{key: value for key, value in message.items() if key not in PARTS}, **parts, "whole": True}
        return {**whole, "seq": self._seq}

    # ---------------------------------------------------------------------------------------------- what is received
    def hears(self, frames: list[Any]) -> bool:
        """Note which client is the victim. Return whether the host hears this message."""
        try:
            message = msgpack.unpackb(bytes(frames[1].bytes), strict_map_key=False)
            kind = message["k"]
        except (ValueError, KeyError, TypeError, IndexError):
            return True
        if kind == "hello" and (message.get("name") == VICTIM or message.get("role") == "watch"):
            self.address = bytes(frames[0])
        if bytes(frames[0]) != self.address:
            return True
        for answer in self._answers.get(kind, ()):
            self._send(answer)
        return self._deaf is not None and kind not in self._deaf and kind not in self._answers


def altered(message: dict[str, Any], path: list[Any], value: Any) -> dict[str, Any]:
    """Return a message (as msgpack holds it) with this value at this path. In a delta, which must be a whole one, the
    path may lead inside its parts. A path that leads nowhere changes nothing."""
    changed: dict[str, Any] = msgpack.unpackb(msgpack.packb(message), strict_map_key=False)
    with suppress(KeyError, IndexError, TypeError):
        if path[0] in PARTS and len(path) > 1:
            part = msgpack.unpackb(inflated(changed[path[0]], b""), strict_map_key=False)
            _put(part, path[1:], value)
            changed[path[0]] = _deflated(msgpack.packb(part))
        else:
            _put(changed, path, value)
    return changed


def _value(command: dict[str, Any]) -> Any:
    return bytes.fromhex(command["hex"]) if "hex" in command else command["value"]


def _put(where: Any, path: list[Any], value: Any) -> None:
    for step in path[:-1]:
        where = where[step]
    where[path[-1]] = value


def _deflated(part: bytes) -> bytes:
    deflate = zlib.compressobj(3, zlib.DEFLATED, -15)
    return deflate.compress(part) + deflate.flush()


TRUE_SEND = Receiver._send


def run(config: HostConfig) -> int:
    """Run a host with an evil one around it; return its exit code."""
    evil = Evil()
    true_begin, true_read = Server._begin, Server._read

    def begin(server: Server, receiver: Receiver) -> None:
        evil.receiver = receiver
        evil.listen(asyncio.get_running_loop())
        true_begin(server, receiver)

    def read(server: Server, frames: list[Any], stamp: int) -> None:
        if evil.hears(frames):
            true_read(server, frames, stamp)

    def send(receiver: Receiver, address: bytes, frame: bytes) -> zmq.ZMQError | None:
        changed = evil.sends(address, frame)
        return TRUE_SEND(receiver, address, changed) if changed is not None else None

    limits.HOST_SEND_QUEUE = QUEUE
    from netcode.protocol import sockets

    sockets._HOST[zmq.SNDHWM] = QUEUE
    with (
        patch.object(Server, "_begin", begin), patch.object(Server, "_read", read),
        patch.object(Receiver, "_send", send),
    ):  # fmt: skip
        return run_host(config)


# -------------------------------------------------------------------------------------------------------- for tests
class EvilHost(RunningHost):
    """A running evil host."""

    def tell(self, do: str, **more: Any) -> None:
        """Send a command. frames: as bytes."""
        if "frames" in more:
            more["frames"] = [frame.hex() for frame in more["frames"]]
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self.process.stdin.flush()

    def sent(self) -> dict[str, int]:
        """Return how many frames and bytes the victim has been sent."""
        self.tell("count")
        return dict(self._answer())

    def honest(self) -> dict[str, bytes]:
        """Return the last honest message of each kind that the victim was sent."""
        self.tell("dump")
        return {kind: bytes.fromhex(text) for kind, text in self._answer().items()}

    def _answer(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


def start_evil_host(**config: Any) -> EvilHost:
    """Start an evil host for three seats; it listens when this returns."""
    wanted = json.dumps({**asdict(HostConfig(port=0, seats=3, json=True)), "pace": "relaxed", **config})
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.evil_host", wanted], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=child_env(),
    )  # fmt: skip
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise AssertionError(f"the host did not start: {process.communicate()[1]}")
    return EvilHost(process, **json.loads(line))


@asynccontextmanager
async def evil_host(**config: Any) -> AsyncIterator[EvilHost]:
    """Run an evil host; it is killed at the end."""
    host = await asyncio.to_thread(lambda: start_evil_host(**config))
    try:
        yield host
    finally:
        if host.process.poll() is None:
            host.process.kill()
        host.process.communicate()


def frame(kind: str, **fields: Any) -> bytes:
    """Return a wire frame of this kind, with any fields."""
    packed: bytes = msgpack.packb({"k": kind, **fields})
    return packed


def delta(**fields: Any) -> bytes:
    """Return a delta for `send` and `flood`; the host numbers it."""
    return b"@delta" + frame("delta", seq=0, **fields)


def parts(count: int, size: int) -> bytes:
    """Return a message with this many parts of this many bytes, for `send` and `flood`."""
    packed: bytes = msgpack.packb([count, size])
    return b"@parts" + packed


def main(arguments: Sequence[str]) -> int:
    """Run the host of this configuration (JSON)."""
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    return run(HostConfig(**json.loads(arguments[0])))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
