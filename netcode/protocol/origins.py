"""Where a client comes from, as its host sees it: a network address, or the label of a guest of an SSH door.

A label stands in place of the address everywhere (netcode/front/guests.py). The door makes it from who the guest is, so
it stays the same when the guest comes from another machine, or with another key of the game.
"""

import hashlib
import re

GUEST = "ssh-"
"""How the label of a guest begins."""
DIGITS = 16
"""The digits of a guest's identity in its label."""
_LABEL = re.compile(rf"{GUEST}[0-9a-f]{{{DIGITS}}}")


def label_of(identity: str) -> str:
    """Return the label of a guest. identity: at least DIGITS hexadecimal digits. Raises ValueError."""
    label = GUEST + identity[:DIGITS].lower()
    if not _LABEL.fullmatch(label):
        raise ValueError("an identity has sixteen hexadecimal digits at least")
    return label


def loopback_address(name: str) -> str:
    """Return an address of 127.0.0.0/8 that stands for this name, and is none of those in use: a guest's, as a host on
    this machine sees it; or that of a host of a club, where a guest's program calls it."""
    one, two, three = hashlib.sha256(name.encode()).digest()[:3]
    return f"127.{64 + one % 64}.{two}.{1 + three % 254}"


def is_guest(where: str) -> bool:
    """Return whether this is the label of a guest, which stands for one person, and no address, behind which there may
    be many."""
    return _LABEL.fullmatch(where) is not None


def origin(where: str) -> str:
    """Return where somebody comes from, for people."""
    return f"ssh (guest {where.removeprefix(GUEST)[:8]})" if is_guest(where) else where
