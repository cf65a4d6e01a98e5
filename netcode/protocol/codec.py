"""Frames to messages and back: msgpack with tight limits, then the types of wire.py. Nothing but WireError escapes.

Also cleans every piece of text that one person can put before another's eyes.
"""

import unicodedata
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec

from netcode.protocol import wire
from netcode.protocol.wire import Down, Up

_UP_LIMITS: dict[str, Any] = {
    "max_array_len": 64, "max_map_len": 32, "max_str_len": 512, "max_bin_len": 64, "max_ext_len": 0,
}  # fmt: skip
_DOWN_LIMITS: dict[str, Any] = {
    "max_array_len": 1024, "max_map_len": 64, "max_str_len": 4096, "max_bin_len": wire.DOWN_LIMIT, "max_ext_len": 0,
}  # fmt: skip


class WireError(Exception):
    """A frame that is none of ours. code: bad_frame (no msgpack within the limits), bad_schema (no known message)."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def pack(message: Up | Down) -> bytes:
    """The frame of a message. Raises WireError if it is longer than its direction allows."""
    limit = wire.UP_LIMIT if isinstance(message, Up) else wire.DOWN_LIMIT
    frame = packed(message)
    if len(frame) > limit:
        raise WireError("bad_frame", f"{type(message).__name__} takes {len(frame)} bytes, the limit is {limit}")
    return frame


def packed(message: msgspec.Struct) -> bytes:
    """A message as msgpack, however long."""
    plain = msgspec.to_builtins(message, str_keys=True, builtin_types=(bytes,))
    frame: bytes = msgpack.packb(plain, use_bin_type=True)
    return frame


def unpack_up(frame: bytes) -> Up:
    """What a client sent. Raises WireError, and nothing else, for anything that is no message of a client."""
    message: Up = unpack(frame, wire.UP_LIMIT, _UP_LIMITS, Up)
    if isinstance(message, wire.Hello):
        return msgspec.structs.replace(message, name=clean(message.name, 20) or "Player")
    if isinstance(message, wire.CreateTable):
        return msgspec.structs.replace(message, title=clean(message.title, 24))
    if isinstance(message, wire.Say):
        return msgspec.structs.replace(message, text=clean(message.text, 300) or "…")
    return message


def unpack_down(frame: bytes) -> Down:
    """What the host sent, its texts clean again (a host may be hostile too). Raises WireError and nothing else."""
    message: Down = unpack(frame, wire.DOWN_LIMIT, _DOWN_LIMITS, Down)
    match message:
        case wire.Talk():
            message.name, message.text = clean(message.name, 20), clean(message.text, 300)
        case wire.Error() | wire.Bye():
            message.text = clean(message.text, 300)
        case wire.Refused() | wire.Reason():
            refusal = message.refusal
            if refusal is not None:
                message.refusal = msgspec.structs.replace(refusal, text=clean(refusal.text, 300))
        case wire.Welcome() | wire.Info():
            _clean_info(message.info)
        case wire.Entered():
            message.machine, message.sets = clean(message.machine, 64), [clean(name, 48) for name in message.sets]
        case wire.Tables():
            for row in message.rows or ():
                _clean_row(row)
    return message


def unpack(frame: bytes, limit: int, limits: dict[str, Any], kind: Any) -> Any:
    """A frame of at most `limit` bytes within msgpack's limits as a message of this kind. Raises WireError."""
    if len(frame) > limit:
        raise WireError("bad_frame", f"a frame of {len(frame)} bytes, the limit is {limit}")
    try:
        plain = msgpack.unpackb(frame, raw=False, strict_map_key=True, **limits)
    except (ValueError, msgpack.exceptions.UnpackException) as problem:
        raise WireError("bad_frame", f"no msgpack within the limits: {problem}") from None
    try:
        return msgspec.convert(plain, kind, str_keys=True, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as problem:
        raise WireError("bad_schema", f"no message of wire {wire.WIRE}: {problem}") from None


def _clean_info(info: wire.TableInfo) -> None:
    info.table, info.machine = clean(info.table, 24), clean(info.machine, 64)
    for seat in info.seats:
        seat.name, seat.bot = clean(seat.name, 20), clean(seat.bot, 12)


def _clean_row(row: wire.TableRow) -> None:
    row.title, row.owner, row.stage = clean(row.title, 24), clean(row.owner, 20), clean(row.stage, 12)
    row.pace, row.sets = clean(row.pace, 12), [clean(name, 48) for name in row.sets]
    row.options = [clean(option, 24) for option in row.options]


def clean(text: str, limit: int) -> str:
    """This text harmless on any terminal: one line of at most `limit` characters, without control, bidi or invisible
    characters, without square brackets (markup) and without towers of accents."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[: limit * 8]):
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\t\r\n":
            kept.append(" ")
        elif kind[0] != "C" and marks <= 2:
            kept.append({"[": "(", "]": ")"}.get(char, char))
    return " ".join("".join(kept).split())[:limit].rstrip()
