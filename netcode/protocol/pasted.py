"""Join strings as people paste them: inside a whole printed line, broken over several lines, with quotes, marks of a
mail or of a frame around a window, percent signs, and whatever else a program for chatting makes of them.

The lengths of the key and of the token are known, so what belongs to a string is known too, wherever its lines break.
"""

import base64
import binascii
import re
from typing import NamedTuple

KEY_BYTES, TOKEN_BYTES = 32, 16
"""Bytes of the server's public key, and of a token."""
LINES, CHARS = 40, 8192
"""Lines and characters in which a join string is looked for."""
_BREAK = r"(?:\s*\n\s*)?"
_SCHEME = re.compile(_BREAK.join([*"kickdoor", "(?::|%3a)", "(?:/|%2f)", "(?:/|%2f)"]), re.IGNORECASE)
_SHAPE = re.compile(
    r"(?P<host>\[[0-9A-Fa-f:.]+(?:%[^\s\[\]/#]{1,40})?\]|[^\s:/#\[\]]+)(?::(?P<port>[0-9]{1,5}))?"
    r"/(?P<table>[A-Za-z0-9_-]{1,24})"
)
_PLACE = re.compile(
    r"[@,]\s{0,8}(?P<host>\[[0-9A-Fa-f:.]{2,45}(?:%[\w.-]{1,40})?\]|[A-Za-z0-9.-]{1,255}):(?P<port>[0-9]{1,5})(?![0-9])"
)
PLACES = 8
"""Addresses of hosts in one join string."""
_FRAME = re.compile(r"(?m)^[ \t>|│┃║▌▏]+|[ \t|│┃║▕]+$")
"""What a mail, or the frame of a window, puts before and behind a line."""
_ENCODED = re.compile(r"(\[[^\]\s]*\])|%([0-9A-Fa-f]{2})")
"""A percent sign with its two digits; inside of square brackets it is the zone of an address."""
_SIGNS = re.compile(r"[A-Za-z0-9_-]")
_LOOKS = str.maketrans(
    {"\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2212": "-", "\u2014": "--", "\xa0": " ",
     "\r": "\n", "\xad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None}
)  # fmt: skip
"""What programs make of a hyphen, a blank and the end of a line, and what nobody sees."""


class JoinError(ValueError):
    """A join string that is not valid. The text is one line for people."""


class Parts(NamedTuple):
    """What a join string says. port: None if it says none. others: further addresses at which the host may be."""

    host: str
    port: int | None
    table: str
    key: bytes
    token: bytes
    others: tuple[tuple[str, int], ...] = ()


def parts_of(text: str) -> Parts:
    """Return what the first join string in this text says. Raises JoinError, which says what is wrong, and where."""
    text = _FRAME.sub("", text[:CHARS].translate(_LOOKS))
    if not text.strip():
        raise JoinError("the join string is empty: copy the whole line that starts with kickdoor://")
    found = _SCHEME.search(text)
    if found is None:
        raise JoinError("a join string starts with kickdoor:// — copy the whole line the host printed")
    rest = _ENCODED.sub(lambda sign: sign[1] or chr(int(sign[2], 16)), text[found.end() :])
    head, mark, tail = rest.partition("#")
    shape = _SHAPE.fullmatch(re.sub(r"\s*\n\s*", "", head))
    if not mark or shape is None:
        raise JoinError(_wrong_head(head, bool(mark)))
    port = int(shape["port"]) if shape["port"] else None
    if port is not None and not 0 < port < 65536:
        raise JoinError(f"port {port} in this join string is out of range: it must be 1 to 65535")
    key, at = _signs(tail, 0, _length(KEY_BYTES))
    tail = tail[at:].lstrip()
    if not tail.startswith("."):
        raise JoinError(_wrong_key(key, tail[:1]))
    token, end = _signs(tail, 1, _length(TOKEN_BYTES))
    return Parts(
        re.sub(r"%25(?=.)", "%", shape["host"].strip("[]")),  # a zone as RFC 6874 writes it
        port, shape["table"], _bytes(key, KEY_BYTES, "key", "."),
        _bytes(token, TOKEN_BYTES, "token", tail[end : end + 1]), _others(tail[end:]),
    )  # fmt: skip


def _others(tail: str) -> tuple[tuple[str, int], ...]:
    """Return the further addresses behind a token: @HOST:PORT,HOST:PORT. One that is damaged ends them."""
    found: list[tuple[str, int]] = []
    at = 0
    while (place := _PLACE.match(tail, at)) is not None and len(found) < PLACES - 1:
        if 0 < int(place["port"]) < 65536:
            found.append((re.sub(r"%25(?=.)", "%", place["host"].strip("[]")), int(place["port"])))
        at = place.end()
    return tuple(found)


def has_more(text: str) -> bool:
    """Whether a join string begins in this text, or may in its next line, and does not end there: more lines of it may
    follow."""
    if len(text) >= CHARS or text.count("\n") >= LINES:
        return False
    try:
        parts_of(text)
    except JoinError:
        flat = _FRAME.sub("", text.translate(_LOOKS))
        found = _SCHEME.search(flat)
        if found is None:
            return all(map(_comes_before, flat.splitlines()))
        return bool(re.fullmatch(r"[\w.:\[\]%/#\n-]*", flat[found.end() :].strip()))
    return False


def _comes_before(line: str) -> bool:
    """Whether a line may stand above a join string: the command that it follows, a sentence, a heading, a rule."""
    return "kickdoor" in line.lower() or len(line.split()) > 2 or line.endswith(":") or not re.search(r"\w", line)


def _length(size: int) -> int:
    """Return how many characters this many bytes have in base64url without padding."""
    return -(-size * 8 // 6)


def _signs(text: str, at: int, wanted: int) -> tuple[str, int]:
    """Return the characters of base64url from here on, and where they end. Line breaks and blanks between them are left
    out until as many as wanted are found. An option of a command line (`--name`) ends them."""
    signs = ""
    while at < len(text):
        gap = len(text[at:]) - len(text[at:].lstrip())
        if gap and (len(signs) >= wanted or (text.startswith("--", at + gap) and "\n" not in text[at : at + gap])):
            break
        at += gap
        if at >= len(text) or not _SIGNS.fullmatch(text[at]):
            break
        signs += text[at]
        at += 1
    return signs, at


def _bytes(text: str, size: int, what: str, behind: str) -> bytes:
    """Return the bytes of a key or token. behind: the character that ended it."""
    wanted = _length(size)
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) == size:
        return data
    if len(text) < wanted and behind.strip(" \n.'\"") and behind.isprintable():
        raise JoinError(f"the {what} in this join string is damaged: its character {len(text) + 1} is {behind}")
    cut = "cut off" if what == "token" and len(text) < wanted else "damaged"
    raise JoinError(f"the {what} in this join string is {cut}: {wanted} characters expected, found {len(text)}")


def _wrong_head(head: str, marked: bool) -> str:
    """Return what is wrong before the # of a join string."""
    shape = "this join string is damaged: it reads kickdoor://HOST:PORT/TABLE#KEY.TOKEN, without spaces"
    address, slash, table = head.strip().partition("/")
    if not marked:
        ends = table if slash else address
        return f"{shape}; here it ends behind {ends[:24]}" if ends.isprintable() and ends else shape
    if not slash:
        return f"{shape}; here no / stands before the #"
    if re.fullmatch(r"[A-Za-z0-9_-]{1,24}", table):
        return f"{shape}; here HOST:PORT is wrong"
    return f"{shape}; here TABLE is wrong"


def _wrong_key(key: str, behind: str) -> str:
    """Return what is wrong with a key behind which no dot stands."""
    wanted = _length(KEY_BYTES)
    if behind.strip(" \n'\"") and behind.isprintable() and len(key) < wanted:
        return f"the key in this join string is damaged: its character {len(key) + 1} is {behind}"
    if len(key) > wanted:
        return f"the key in this join string is damaged: {wanted} characters and a dot expected, found {len(key)}"
    return (
        f"this join string is cut off: after # it needs a key, a dot and a token, and only {len(key)} of the "
        f"{wanted} characters of the key are there"
    )
