"""Which side to update when client and host do not speak the same version of the protocol."""

import re

from netcode.protocol import wire

_SPEAKS = re.compile(r"the host speaks protocol (\d{1,6})")
_FEW = "the host speaks protocol {}, yours {}"
_HERE = "your kickdoor is older than the host's: update it here (the host speaks protocol {}, yours {})"
_THERE = "the host's kickdoor is older than yours: whoever runs it has to update it (it speaks protocol {}, yours {})"


def version_problem(lo: int, hi: int) -> str:
    """Return what a host says to a client of these versions, "" if it speaks one of them."""
    if lo <= wire.WIRE and hi >= wire.OLDEST:
        return ""
    return (_HERE if hi < wire.WIRE else _THERE).format(wire.WIRE, hi if hi < wire.WIRE else lo)


def redirect_problem(hi: int) -> str:
    """Return what a host of a club says to a client of this version that is too old to be sent to another host; "" if
    it is not."""
    if hi >= wire.WIRE:
        return ""
    text = "this is at another host of the club, and your kickdoor is too old to be led there: update it here"
    return f"{text} ({_FEW.format(wire.WIRE, hi)})"


def in_own_words(text: str) -> str:
    """Return what a host said about versions in the words of this client: older hosts do not say which side to
    update."""
    found = _SPEAKS.match(text)
    if found is None or int(found[1]) == wire.WIRE:
        return text
    return (_HERE if int(found[1]) > wire.WIRE else _THERE).format(int(found[1]), wire.WIRE)
