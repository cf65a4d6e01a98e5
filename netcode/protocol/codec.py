"""Packs messages into wire frames and unpacks them: msgpack of a bounded length, straight to the types of wire.py.

Also cleans every text that one person can show to another (clean_text.py). Functions raise WireError and nothing else.
"""

import re
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec.msgpack import Decoder, Encoder

from netcode.protocol import limits, wire
from netcode.protocol.clean_text import clean as clean
from netcode.protocol.clean_text import clean_name
from netcode.protocol.printing import quoted
from netcode.protocol.wire import Down, Told, Up

packed = Encoder().encode
"""Return a message as msgpack, however long it is."""
_UP_KINDS = frozenset(get_args(Up))


class WireError(Exception):
    """A wire frame that is not valid. code: bad_frame (not msgpack within the limits) or bad_schema (not a known
    message); text: for people; it may quote the frame. place: the wrong field, in our own words."""

    def __init__(self, code: str, text: str, place: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.place = place


# Decoders are made when they are first needed: each takes a millisecond, and no process needs all.
@cache
def _up() -> Decoder[Any]:
    return Decoder(Up)


@cache
def _down() -> Decoder[Any]:
    return Decoder(Down)


@cache
def _told() -> Decoder[Any]:
    return Decoder(Told, strict=False)  # in recordings of protocol 2, numbers as keys of a map are texts


def pack(message: Up | Told) -> bytes:
    """Return the wire frame of a message. Raises WireError if it is longer than its direction allows."""
    limit = limits.UP_BYTES if type(message) in _UP_KINDS else limits.DOWN_BYTES
    frame = packed(message)
    if len(frame) > limit:
        raise WireError("bad_frame", f"{type(message).__name__} takes {len(frame)} bytes, the limit is {limit}")
    return frame


def unpack_up(frame: bytes) -> Up:
    """Return the message that a client sent, its texts cleaned. Raises WireError, and nothing else, if it is not
    valid."""
    message: Up = unpack(frame, limits.UP_BYTES, _up())
    if isinstance(message, wire.Hello):
        return msgspec.structs.replace(message, name=clean_name(message.name))
    if isinstance(message, wire.CreateTable):
        return msgspec.structs.replace(message, title=clean(message.title, limits.TITLE_CHARS))
    if isinstance(message, wire.Say):
        return msgspec.structs.replace(message, text=clean(message.text, limits.TEXT_CHARS) or "…")
    return message


def unpack_down(frame: bytes) -> Down:
    """Return the message that the host sent, its texts cleaned, since a host may be hostile too. Raises WireError, and
    nothing else, if it is not valid."""
    message: Down = unpack(frame, limits.DOWN_BYTES, _down())
    _clean_texts(message)
    return message


def unpack_told(frame: bytes) -> Told:
    """Return a message that a recording has, its texts cleaned. Raises WireError, and nothing else, if it is not
    valid."""
    message: Told = unpack(frame, limits.DOWN_BYTES, _told())
    _clean_texts(message)
    return message


def _clean_texts(message: Told) -> None:
    match message:
        case wire.Talk():
            message.name = clean(message.name, limits.NAME_CHARS)
            message.text = clean(message.text, limits.TEXT_CHARS)
        case wire.Error() | wire.Bye():
            message.text = clean(message.text, limits.TEXT_CHARS)
        case wire.Refused() | wire.Reason():
            refusal = message.refusal
            if refusal is not None:
                message.refusal = msgspec.structs.replace(refusal, text=clean(refusal.text, limits.TEXT_CHARS))
        case wire.Welcome() | wire.Info():
            _clean_info(message.info)
        case wire.Knocks():
            for knock in message.knocks:
                knock.name, knock.like = clean(knock.name, limits.NAME_CHARS), clean(knock.like, limits.NAME_CHARS)
                knock.fingerprint = clean(knock.fingerprint, limits.LEVEL_CHARS)
                knock.where = clean(knock.where, limits.WHERE_CHARS)
        case wire.Entered():
            message.machine = clean(message.machine, limits.MACHINE_CHARS)
            message.sets = [clean(name, limits.SET_ID_CHARS) for name in message.sets]
        case wire.Tables():
            for row in message.rows or ():
                _clean_row(row)


_PLACE = re.compile(r" - at `\$\.?(?P<place>[A-Za-z0-9_.\[\]]{1,60})`$")


def place_of(problem: Exception) -> str:
    """Return the field in which the decoder found a mistake, "" if it does not say. The rest of its text may quote the
    sender."""
    found = _PLACE.search(str(problem))
    return found["place"] if found is not None else ""


def unpack(frame: bytes, limit: int, decoder: Decoder[Any]) -> Any:
    """Decode a wire frame of at most `limit` bytes. Raises WireError.

    The length is checked first, which bounds memory too: each entry takes at least a byte, whatever a header claims."""
    if len(frame) > limit:
        raise WireError("bad_frame", f"a frame of {len(frame)} bytes, the limit is {limit}")
    try:
        return decoder.decode(frame)
    except (msgspec.ValidationError, RecursionError) as problem:
        text = f"not a message of protocol {wire.WIRE}: {quoted(problem)}"
        raise WireError("bad_schema", text, place_of(problem)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise WireError("bad_frame", f"not msgpack: {quoted(problem)}") from None


def _clean_info(info: wire.TableInfo) -> None:
    info.table, info.machine = clean(info.table, limits.TABLE_CHARS), clean(info.machine, limits.MACHINE_CHARS)
    for pack in info.packs:
        pack.set_id = clean(pack.set_id, limits.SET_ID_CHARS)
    for seat in info.seats:
        seat.name, seat.bot = clean(seat.name, limits.NAME_CHARS), clean(seat.bot, limits.BOT_CHARS)


def _clean_row(row: wire.TableRow) -> None:
    row.title, row.owner = clean(row.title, limits.TITLE_CHARS), clean(row.owner, limits.NAME_CHARS)
    row.stage, row.pace = clean(row.stage, limits.LEVEL_CHARS), clean(row.pace, limits.LEVEL_CHARS)
    row.entry = clean(row.entry, limits.LEVEL_CHARS)
    row.sets = [clean(name, limits.SET_ID_CHARS) for name in row.sets]
    row.options = [clean(option, limits.OPTION_CHARS) for option in row.options]
