"""A game as a file: what one seat was told, message by message, with the cards it was played with. docs/replays.md.

    kickdoor replay\n            these sixteen bytes
    length, header               msgpack of Header
    length, packs                zlib of the msgpack map {set id: {file name: bytes}}
    length, opened               zlib of what the host opened after the game (netcode/protocol/revealed_game.py);
    empty: nothing
    length, ms, message          again and again: a frame of the wire, ms after the first one

A length is four bytes, big end first. Each message is compressed by itself with the one before as its dictionary, so
that a file can grow while the game goes on, and half of one is still worth something.
"""

import os
import secrets
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import msgpack  # type: ignore[import-untyped]
import msgspec
from msgspec import Struct

from netcode.protocol import limits, wire
from netcode.protocol.pack_files import pack_hash

MAGIC = b"kickdoor replay\n"
FORMAT = 1
SUFFIX = ".kickdoor"
FILE_LIMIT = 32 * 1024 * 1024
MESSAGES_LIMIT = 50_000
RAW_LIMIT = 96 * 1024 * 1024
"""Bytes of all messages together, uncompressed."""
_WINDOW = 32 * 1024
_SIZE = struct.Struct(">I")
_BOTH = struct.Struct(">II")


class ReplayError(ValueError):
    """A file that cannot be replayed; one line for people."""


class Header(Struct, omit_defaults=True):
    """What the file is about. protocol: of the wire. began: seconds since 1970. seat: who saw it (-1: who looked on).
    messages: how many there are, once the recording is complete (-1: it is not). late: it begins in mid-game.
    commitment, nonce, again: this seat's part in the deal (netcode/client/deal_commitment.py)."""

    format: int
    version: str
    protocol: int
    began: int
    table: str
    game: int
    seat: int
    packs: list[wire.PackInfo]
    players: list[str]
    bots: list[bool]
    options: list[str] = []
    pace: str = ""
    machine: str = ""
    late: bool = False
    commitment: bytes = b""
    nonce: bytes = b""
    again: int = 0
    messages: int = -1
    turns: int = 0
    winners: list[int] = []


class _Start(Struct):
    format: int


@dataclass
class Recording:
    """A file as read. messages: ms after the first one, and the frame."""

    header: Header
    packs: list[dict[str, bytes]]
    opened: bytes = b""
    messages: list[tuple[int, bytes]] = field(default_factory=list)


class Squeezer:
    """Compresses messages, or makes them whole again: each with the one before as its dictionary."""

    def __init__(self) -> None:
        self._before = b""

    def squeeze(self, frame: bytes) -> bytes:
        """A message for the file."""
        packer = zlib.compressobj(6, zdict=self._before) if self._before else zlib.compressobj(6)
        self._before = frame[-_WINDOW:]
        return packer.compress(frame) + packer.flush()

    def restore(self, data: bytes) -> bytes:
        """A message from the file. Raises zlib.error if it is damaged or longer than a message can be."""
        reader = zlib.decompressobj(zdict=self._before) if self._before else zlib.decompressobj()
        frame = reader.decompress(data, limits.DOWN_BYTES + 1)
        if not reader.eof or reader.unused_data or len(frame) > limits.DOWN_BYTES:
            raise zlib.error("incomplete")
        self._before = frame[-_WINDOW:]
        return frame


# -------------------------------------------------------------------------------------------------------------- writing
def beginning(header: Header, packs: list[dict[str, bytes]], opened: bytes = b"") -> bytes:
    """Everything before the messages."""
    files = {info.set_id: pack for info, pack in zip(header.packs, packs)}
    packed = zlib.compress(msgpack.packb(files), 9)
    parts = (msgspec.msgpack.encode(header), packed, opened and zlib.compress(opened, 9))
    return MAGIC + b"".join(_SIZE.pack(len(part)) + part for part in parts)


def entry(squeezer: Squeezer, ms: int, frame: bytes) -> bytes:
    """One more message."""
    data = squeezer.squeeze(frame)
    return _BOTH.pack(len(data), min(ms, 0xFFFFFFFF)) + data


def write(path: Path, recording: Recording) -> None:
    """Write a complete recording, whole or not at all, for its owner's eyes. Raises OSError."""
    squeezer = Squeezer()
    header = msgspec.structs.replace(recording.header, messages=len(recording.messages))
    parts = [beginning(header, recording.packs, recording.opened)]
    parts += [entry(squeezer, ms, frame) for ms, frame in recording.messages]
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{secrets.token_hex(4)}.new")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.writelines(parts)
            out.flush()
            os.fsync(out.fileno())
        os.replace(draft, path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


# -------------------------------------------------------------------------------------------------------------- reading
def read(path: Path) -> Recording:
    """A whole recording. Raises ReplayError."""
    try:
        with path.open("rb") as file:
            return _Reader(path, file).recording()
    except OSError as problem:
        raise ReplayError(f"{path} cannot be read: {problem.strerror}") from None


def read_header(path: Path) -> Header:
    """Only what it is about. Raises ReplayError."""
    try:
        with path.open("rb") as file:
            return _Reader(path, file).header()
    except OSError as problem:
        raise ReplayError(f"{path} cannot be read: {problem.strerror}") from None


class _Reader:
    """Reads one file from its beginning; every fault is a ReplayError that names the file."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        if os.fstat(file.fileno()).st_size > FILE_LIMIT:
            raise self._fault(f"is too big: a replay has at most {FILE_LIMIT // 1024 // 1024} MB")
        if file.read(len(MAGIC)) != MAGIC:
            raise self._fault("is no replay of kickdoor")

    def _fault(self, text: str) -> ReplayError:
        return ReplayError(f"{self._path} {text}")

    def _damaged(self, where: str) -> ReplayError:
        return self._fault(f"is damaged ({where}): copy it again from where it was recorded")

    def _part(self, what: str) -> bytes:
        size = self._file.read(_SIZE.size)
        data = self._file.read(_SIZE.unpack(size)[0]) if len(size) == _SIZE.size else b""
        if len(size) < _SIZE.size or len(data) < _SIZE.unpack(size)[0]:
            raise self._damaged(f"it ends within its {what}")
        return data

    def header(self) -> Header:
        data = self._part("heading")
        try:
            made = msgspec.msgpack.decode(data, type=_Start).format
            if made > FORMAT:
                text = f"was made by a newer kickdoor (format {made}, this one reads {FORMAT}): update kickdoor"
                raise self._fault(text)
            header = msgspec.msgpack.decode(data, type=Header)
            if header.protocol != wire.WIRE:
                text = f"was made with protocol {header.protocol}, this kickdoor speaks {wire.WIRE}"
                raise self._fault(f"{text}: look at it with a version of its time")
        except msgspec.MsgspecError as problem:
            raise self._damaged(f"its heading: {problem}") from None
        seats = len(header.players)
        if not 0 < seats <= 12 or not -1 <= header.seat < seats or not 0 < len(header.packs) <= limits.SETS:
            raise self._damaged("its heading names impossible seats or packs")
        return header

    def recording(self) -> Recording:
        header = self.header()
        recording = Recording(header, self._packs(header), self._opened(), list(self._messages(header)))
        found = len(recording.messages)
        if header.messages not in (-1, found):
            raise self._damaged(f"{found} of its {header.messages} messages are there")
        return recording

    def _packs(self, header: Header) -> list[dict[str, bytes]]:
        data = self._whole(self._part("card packs"), limits.SETS * limits.PACKED_BYTES, "card packs")
        try:
            found = msgpack.unpackb(
                data, max_map_len=limits.PACK_FILES, max_str_len=128, max_bin_len=limits.PACK_FILE_BYTES,
                max_array_len=0, max_ext_len=0,
            )  # fmt: skip
            packs = [msgspec.convert(found[info.set_id], dict[str, bytes]) for info in header.packs]
        except (ValueError, KeyError, TypeError, msgspec.MsgspecError, msgpack.exceptions.UnpackException):
            raise self._damaged("its card packs") from None
        for info, pack in zip(header.packs, packs):
            if pack_hash(pack) != info.hash:
                raise self._damaged(f"its card pack {info.set_id[:48]} is not the one it names")
        return packs

    def _opened(self) -> bytes:
        data = self._part("opened game")
        return self._whole(data, limits.REVEALED_GAME_BYTES, "opened game") if data else b""

    def _whole(self, data: bytes, limit: int, what: str) -> bytes:
        reader = zlib.decompressobj()
        try:
            whole = reader.decompress(data, limit + 1)
        except zlib.error:
            raise self._damaged(f"its {what}") from None
        if not reader.eof or len(whole) > limit:
            raise self._damaged(f"its {what}")
        return whole

    def _messages(self, header: Header) -> Iterator[tuple[int, bytes]]:
        """All messages; one that is cut off at the end of a file not yet complete is left out."""
        squeezer, raw = Squeezer(), 0
        for number in range(1, MESSAGES_LIMIT + 2):
            start = self._file.read(_BOTH.size)
            if not start:
                return
            size, ms = _BOTH.unpack(start) if len(start) == _BOTH.size else (-1, 0)
            data = self._file.read(max(0, size))
            if len(data) != size:
                if header.messages < 0:
                    return
                raise self._damaged(f"it ends within message {number}")
            try:
                frame = squeezer.restore(data)
            except zlib.error:
                raise self._damaged(f"message {number}") from None
            raw += len(frame)
            if number > MESSAGES_LIMIT or raw > RAW_LIMIT:
                limits = f"{MESSAGES_LIMIT} messages and {RAW_LIMIT // 1024 // 1024} MB of them"
                raise self._fault(f"is too long: a replay has at most {limits}")
            yield ms, frame
