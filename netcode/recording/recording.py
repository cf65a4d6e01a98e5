"""The file format of a recorded game: every message that one seat was sent, and the packs it was played with.

    kickdoor replay, newline     these sixteen bytes
    length, header               msgpack of Header
    length, packs                zlib of the msgpack map {set id: {file name: bytes}}
    length, revealed game        zlib of the game as the host revealed it (netcode/protocol/revealed_game.py); empty if
                                 it was not revealed
    length, ms, message          repeated: a wire frame, and the ms since the header's `began`

A length is four bytes, big-endian. Each message is compressed with the previous one as its dictionary, so that a file
can grow during the game and a truncated one is readable up to its end. docs/replays.md describes it for readers.
"""

import os
import secrets
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import msgpack
import msgspec
from msgspec import Meta, Struct, field

from core.language.catalog import Catalog
from core.language.definition import Def
from core.state.numbers import SEATS_MOST, EachSeat, SeatNo, Word
from netcode.protocol import codec, limits, wire
from netcode.protocol.clean_text import clean
from netcode.protocol.consistency import Consistency
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import pack_hash
from netcode.protocol.table_info import Counter, SaidMachine, SaidName, SaidOptions, SaidTable, Token
from netcode.recording.story import STORY_BYTES
from netcode.sandbox.regular_files import FileRefused, open_file

MAGIC = b"kickdoor replay\n"
FORMAT = 1
SUFFIX = ".kickdoor"
FILE_LIMIT = 32 * 1024 * 1024
"""Bytes of a file."""
MESSAGES_LIMIT = 50_000
"""Messages of a recording."""
RAW_LIMIT = 96 * 1024 * 1024
"""Bytes of all messages together, uncompressed."""
HEADER_BYTES = 64 * 1024
"""Bytes of the header."""
MESSAGE_BYTES = limits.DOWN_BYTES + 1024
"""Bytes of one compressed message; incompressible data grows by a few bytes."""
_WINDOW = 32 * 1024
"""Bytes of a message that zlib can use as a dictionary."""
_LENGTH = struct.Struct(">I")
_LENGTH_AND_MS = struct.Struct(">II")


class ReplayError(ValueError):
    """A file cannot be replayed; the text is one line for people."""


class Header(Struct, omit_defaults=True):
    """The header of a file. protocol: version of the wire; began: seconds since 1970; seat: who saw the game (-1: a
    spectator); messages: how many a complete recording has (-1: it is not complete); late: it begins in mid-game;
    commitment, nonce, again: this seat's part in the deal (netcode/client/deal_commitment.py); story: the story of the
    game (story.unpack), empty in files of older versions; taken_back: how many undos there were; counts: False if an
    undo left somebody alone with bots knowing more than before, so that no statistics count the game."""

    format: wire.Version
    version: Word
    protocol: wire.Version
    began: Annotated[int, Meta(ge=0, le=2**36)]
    table: SaidTable
    game: Counter
    seat: SeatNo
    packs: Annotated[list[wire.PackInfo], Meta(min_length=1, max_length=limits.SETS)]
    players: Annotated[list[SaidName], Meta(min_length=1, max_length=SEATS_MOST)]
    bots: EachSeat[bool]
    options: SaidOptions = []
    pace: Word = ""
    machine: SaidMachine = ""
    late: bool = False
    commitment: Token = b""
    nonce: Token = b""
    again: Counter = 0
    messages: Annotated[int, Meta(ge=-1, le=MESSAGES_LIMIT)] = -1
    turns: Annotated[int, Meta(ge=0, le=10**6)] = 0
    winners: EachSeat[SeatNo] = []
    story: Annotated[bytes, Meta(max_length=STORY_BYTES)] = b""
    taken_back: Annotated[int, Meta(ge=0, le=10**6)] = 0
    counts: bool = True


class _Format(Struct):
    format: int


_headers, _formats = msgspec.msgpack.Decoder(Header), msgspec.msgpack.Decoder(_Format)


def remedy(header: Header) -> str:
    """Return the advice about invalid messages, as the end of a sentence: an older kickdoor may have recorded messages
    that this one no longer reads."""
    if header.protocol == wire.WIRE:
        return ""
    spoken = f"protocol {header.protocol}, this one has {wire.WIRE}"
    return f": kickdoor {header.version} recorded it ({spoken}), so open it with that version"


class Recording(Struct):
    """The contents of a file. packs: the files of each pack by name; revealed: the revealed game, empty if there is
    none; messages: ms since the header's `began`, and the wire frame."""

    header: Header
    packs: list[dict[str, bytes]]
    revealed: bytes = b""
    messages: list[tuple[int, bytes]] = field(default_factory=list)

    def unpacked_messages(self, definitions: Sequence[Def] = ()) -> Iterator[tuple[int, wire.Told]]:
        """Yield every message, with its time in ms. definitions: of its cards, if they are read. Raises WireError for
        the first that cannot be read, or that does not fit this game or those before it."""
        fits = self.consistency(definitions)
        for ms, frame in self.messages:
            message = codec.unpack_told(frame)
            fits.check(message)
            yield ms, message

    def consistency(self, definitions: Sequence[Def] = ()) -> Consistency:
        """Return the checks that the messages of this recording must pass."""
        return Consistency(definitions, self.header.seat, len(self.header.players))

    def catalog(self) -> Catalog:
        """Return the catalog of its packs. Packs that are not built in are read in a child process. Raises
        PackError."""
        return catalog_of([(info.set_id, files) for info, files in zip(self.header.packs, self.packs)])


class MessageCompressor:
    """Compresses or decompresses the messages of one file in order, each with the previous one as its dictionary."""

    def __init__(self) -> None:
        self._before = b""

    def compress(self, frame: bytes) -> bytes:
        """Compress a wire frame."""
        packer = zlib.compressobj(6, zdict=self._before) if self._before else zlib.compressobj(6)
        self._before = frame[-_WINDOW:]
        return packer.compress(frame) + packer.flush()

    def decompress(self, data: bytes) -> bytes:
        """Return the wire frame. Raises zlib.error if it is damaged or longer than a message may be."""
        reader = zlib.decompressobj(zdict=self._before) if self._before else zlib.decompressobj()
        frame = reader.decompress(data, limits.DOWN_BYTES + 1)
        if not reader.eof or reader.unused_data or len(frame) > limits.DOWN_BYTES:
            raise zlib.error("incomplete")
        self._before = frame[-_WINDOW:]
        return frame


# -------------------------------------------------------------------------------------------------------------- writing
def head_bytes(header: Header, packs: list[dict[str, bytes]], revealed: bytes = b"") -> bytes:
    """Return everything before the messages."""
    files = {info.set_id: pack for info, pack in zip(header.packs, packs)}
    packed = zlib.compress(msgpack.packb(files), 9)
    parts = (msgspec.msgpack.encode(header), packed, revealed and zlib.compress(revealed, 9))
    return MAGIC + b"".join(_LENGTH.pack(len(part)) + part for part in parts)


def message_bytes(compressor: MessageCompressor, ms: int, frame: bytes) -> bytes:
    """Return the next message as the file has it. ms: since the header's `began`."""
    data = compressor.compress(frame)
    return _LENGTH_AND_MS.pack(len(data), min(ms, 0xFFFFFFFF)) + data


def write_recording(path: Path, recording: Recording) -> None:
    """Write a complete recording atomically, readable by its owner only. Raises OSError."""
    compressor = MessageCompressor()
    header = msgspec.structs.replace(recording.header, messages=len(recording.messages))
    parts = [head_bytes(header, recording.packs, recording.revealed)]
    parts += [message_bytes(compressor, ms, frame) for ms, frame in recording.messages]
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_name(f".{secrets.token_hex(4)}.new")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.writelines(parts)
            out.flush()
            os.fsync(out.fileno())
        os.replace(new, path)
    except OSError:
        new.unlink(missing_ok=True)
        raise


# -------------------------------------------------------------------------------------------------------------- reading
def read_recording(path: Path) -> Recording:
    """Read a whole file. Raises ReplayError."""
    with _opened(path) as file, _readable(path):
        return _FileReader(path, file).recording()


def read_header(path: Path) -> Header:
    """Read only the header of a file. Raises ReplayError."""
    with _opened(path) as file, _readable(path):
        return _FileReader(path, file).header()


def _opened(path: Path) -> IO[bytes]:
    try:
        with _readable(path):
            return open_file(path, FILE_LIMIT)
    except FileRefused as problem:
        raise ReplayError(str(problem)) from None


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Turn an OSError into a ReplayError that names the file."""
    try:
        yield
    except OSError as problem:
        raise ReplayError(f"{path} cannot be read: {problem.strerror}") from None


def _cleaned(header: Header) -> Header:
    """Return a header with texts that are harmless on any terminal, because the file may come from anywhere."""
    return msgspec.structs.replace(
        header,
        version=clean(header.version, limits.VERSION_CHARS),
        table=clean(header.table, limits.TABLE_CHARS),
        players=[clean(name, limits.NAME_CHARS) for name in header.players],
        options=[clean(option, limits.OPTION_CHARS) for option in header.options],
        pace=clean(header.pace, limits.LEVEL_CHARS),
        machine=clean(header.machine, limits.MACHINE_CHARS),
    )


class _FileReader:
    """Reads one file part by part; each problem is a ReplayError that names the file."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path, self._file = path, file
        if file.read(len(MAGIC)) != MAGIC:
            raise self._problem("is not a kickdoor replay")

    def _problem(self, text: str) -> ReplayError:
        return ReplayError(f"{self._path} {text}")

    def _damaged(self, where: str) -> ReplayError:
        return self._problem(f"is damaged ({where}): copy it again from the computer that recorded it")

    def _part(self, what: str, limit: int) -> bytes:
        """Return the next part of the file. A longer one than `limit` bytes is refused before it is read."""
        start = self._file.read(_LENGTH.size)
        size = _LENGTH.unpack(start)[0] if len(start) == _LENGTH.size else -1
        if size > limit:
            raise self._damaged(f"the {what} would have {size} bytes: at most {limit}")
        data = self._file.read(max(0, size))
        if len(data) != size:
            raise self._damaged(f"it ends within the {what}")
        return data

    def header(self) -> Header:
        """Read the header, and check its format, protocol and numbers."""
        data = self._part("header", HEADER_BYTES)
        try:
            version = _formats.decode(data).format
            if version > FORMAT:
                text = f"was recorded by a newer kickdoor (format {version}, this one reads {FORMAT}): update kickdoor"
                raise self._problem(text)
            header = _headers.decode(data)
            if header.protocol > wire.WIRE:
                text = f"was recorded with protocol {header.protocol}, this kickdoor has {wire.WIRE}: update kickdoor"
                raise self._problem(text)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
            where = codec.place_of(problem)
            raise self._damaged(f"the header says what cannot be{f': {where}' if where else ''}") from None
        seats = len(header.players)
        sets = {clean(info.set_id, limits.SET_ID_CHARS) for info in header.packs}
        if not max(header.seat, *header.winners, -1) < seats == len(header.bots) or len(sets) < len(header.packs):
            raise self._damaged("the header names impossible seats or packs")
        return _cleaned(header)

    def recording(self) -> Recording:
        """Read everything; a complete recording must have all its messages."""
        header = self.header()
        recording = Recording(header, self._packs(header), self._revealed(), list(self._messages(header)))
        found = len(recording.messages)
        if header.messages not in (-1, found):
            raise self._damaged(f"it has {found} of its {header.messages} messages")
        return recording

    def _packs(self, header: Header) -> list[dict[str, bytes]]:
        data = self._decompressed(self._part("card packs", FILE_LIMIT), limits.SETS * limits.PACKED_BYTES, "card packs")
        try:
            found = msgpack.unpackb(
                data, max_map_len=limits.PACK_FILES, max_str_len=128, max_bin_len=limits.PACK_FILE_BYTES,
                max_array_len=0, max_ext_len=0,
            )  # fmt: skip
            packs = [msgspec.convert(found[info.set_id], dict[str, bytes]) for info in header.packs]
        except (ValueError, KeyError, TypeError, msgspec.MsgspecError, msgpack.exceptions.UnpackException):
            raise self._damaged("the card packs") from None
        for info, pack in zip(header.packs, packs):
            if pack_hash(pack) != info.hash:
                name = info.set_id[: limits.SET_ID_CHARS]
                raise self._damaged(f"the card pack {name} is not the one that the header names")
        return packs

    def _revealed(self) -> bytes:
        data = self._part("revealed game", FILE_LIMIT)
        return self._decompressed(data, limits.REVEALED_GAME_BYTES, "revealed game") if data else b""

    def _decompressed(self, data: bytes, limit: int, what: str) -> bytes:
        reader = zlib.decompressobj()
        try:
            found = reader.decompress(data, limit + 1)
        except zlib.error:
            raise self._damaged(f"the {what}") from None
        if not reader.eof or len(found) > limit:
            raise self._damaged(f"the {what}")
        return found

    def _messages(self, header: Header) -> Iterator[tuple[int, bytes]]:
        """Yield all messages, without a truncated one at the end of an incomplete file."""
        compressor, raw = MessageCompressor(), 0
        for number in range(1, MESSAGES_LIMIT + 2):
            start = self._file.read(_LENGTH_AND_MS.size)
            if not start:
                return
            size, ms = _LENGTH_AND_MS.unpack(start) if len(start) == _LENGTH_AND_MS.size else (-1, 0)
            if size > MESSAGE_BYTES:
                raise self._damaged(f"message {number} would have {size} bytes: at most {MESSAGE_BYTES}")
            data = self._file.read(max(0, size))
            if len(data) != size:
                if header.messages < 0:
                    return
                raise self._damaged(f"it ends within message {number}")
            try:
                frame = compressor.decompress(data)
            except zlib.error:
                raise self._damaged(f"message {number}") from None
            raw += len(frame)
            if number > MESSAGES_LIMIT or raw > RAW_LIMIT:
                most = f"{MESSAGES_LIMIT} messages and {RAW_LIMIT // 1024 // 1024} MB of them"
                raise self._problem(f"is too long: a replay has at most {most}")
            yield ms, frame
