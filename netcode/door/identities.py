"""Whom the door knows: for each identity the name, the way to the table, when it was here last, and its return code.

An identity is the SHA-256 of a public key (its first 32 hexadecimal digits), or random for a guest without one. The
file `identities.json` is the door owner's (0600): whoever reads a code or a join string in it can play in the guest's
seat.
"""

import hashlib
import logging
import secrets
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from netcode.door import guest_folders, return_codes
from netcode.door.interfaces import HostingError
from netcode.protocol import limits
from netcode.protocol.clean_text import clean_name
from netcode.protocol.credentials import write_private
from netcode.protocol.names import free_name, name_problem

LOG = logging.getLogger("kickdoor.door.identities")
FILE = "identities.json"
MOST = 1000
"""The most identities that are kept. The first to go is the least recently used one with an empty folder."""
FILE_BYTES = 4 << 20
HERE_S = 7 * 86400.0
"""A name belongs to the guest who used it within this time (s); another guest with this name gets a number."""
NAMELESS = "guest"
"""The name of guests whose user name has no letter."""
DIGITS = 32
"""Hexadecimal digits of an identity."""
_Identity = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class Known(Struct):
    """What is known of an identity. join: the string of their table, "" until they have come in once. seen: s since
    1970. code: the return code of a guest without a key; wrong: how many wrong tries there were at it."""

    name: Annotated[str, Meta(max_length=limits.NAME_CHARS)] = ""
    join: Annotated[str, Meta(max_length=400)] = ""
    seen: float = 0
    code: Annotated[str, Meta(max_length=60)] = ""
    wrong: int = 0

    def __repr__(self) -> str:
        return f"Known(name={self.name!r})"  # no string, no code


def identity_of(public_data: bytes) -> str:
    """Return the identity of a public key, as SSH packs it."""
    return hashlib.sha256(public_data).hexdigest()[:DIGITS]


class Identities:
    """All identities that a door knows. folder: the door's. Raises HostingError if the file is damaged, OSError."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path, self._guests, self._clock = folder / FILE, folder / "guests", clock
        self._known: dict[str, Known] = {}
        self._guests.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._path.exists():
            try:
                with open(self._path, "rb") as file:
                    self._known = msgspec.json.decode(file.read(FILE_BYTES), type=dict[_Identity, Known])
            except msgspec.MsgspecError:
                text = f"{self._path} is damaged: put back a copy, or remove it (guests are then asked for words again)"
                raise HostingError(text) from None

    def __len__(self) -> int:
        return len(self._known)

    def get(self, identity: str) -> Known | None:
        """Return what is known of an identity."""
        return self._known.get(identity)

    def is_known(self, identity: str) -> bool:
        """Whether this identity has come in before."""
        return identity in self._known

    def folder(self, identity: str) -> Path:
        """Return the folder of a guest, made if there is none. Raises OSError."""
        folder = self._guests / identity
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder

    def enter(self, identity: str, user: str, join: str, here: Iterable[str] = ()) -> Known:
        """Note that a guest comes in, and return what is known of them. user: their user name. here: the identities of
        guests who are in. Raises OSError, and HostingError if there is no room for one more."""
        known = self._known.pop(identity, None)
        try:
            if known is None:
                self._make_room(set(here))
                known = Known()
            if not known.name or not guest_folders.has_seat(self._guests / identity):
                known.name = self._name(user)
            known.join, known.seen = join, self._clock()
        finally:
            if known is not None:
                self._known[identity] = known  # the newest last
        self._save()
        return known

    def left(self, identity: str) -> None:
        """Note when a guest has left, and keep their folder within its quota. Remove the folder if the guest is
        unknown."""
        if (known := self._known.pop(identity, None)) is not None:
            known.seen = self._clock()
            self._known[identity] = known
            guest_folders.trim(self._guests / identity)
        else:
            guest_folders.remove(self._guests / identity)

    # ------------------------------------------------------------------------------------------ guests without a key
    def new_guest(self) -> str:
        """Return an identity for a guest without a key."""
        return secrets.token_hex(DIGITS // 2)

    def give_code(self, identity: str) -> str:
        """Return the return code of a guest without a key, made if there is none. Raises OSError."""
        known = self._known[identity]
        if not known.code:
            known.code = return_codes.new_code({return_codes.number_of(one.code) for one in self._known.values()})
            self._save()
        return known.code

    def by_code(self, typed: str) -> str:
        """Return the identity whose code was typed, "" if it is wrong. A wrong try is on disk before anybody learns of
        it. Raises LookupError if the code rests, OSError."""
        number = return_codes.number_of(typed)
        found = [(one, known) for one, known in self._known.items() if return_codes.number_of(known.code) == number]
        if not found or not number:
            return ""
        identity, known = found[0]
        if return_codes.rests(known.wrong):
            raise LookupError("this return code rests, since too many tries were wrong: ask the owner of the door")
        if return_codes.is_right(known.code, typed):
            return identity
        known.wrong += 1
        self._save()
        return ""

    def let_codes_be_tried(self) -> None:
        """Forget the wrong tries at all codes. Raises OSError."""
        for known in self._known.values():
            known.wrong = 0
        self._save()

    # --------------------------------------------------------------------------------------------------------- parts
    def save(self) -> None:
        """Write when guests were here last. Raises OSError."""
        self._save()

    def _name(self, user: str) -> str:
        since = self._clock() - HERE_S
        wanted = clean_name(user)
        if name_problem(wanted):
            wanted = NAMELESS
        return free_name(wanted, [known.name for known in self._known.values() if known.name and known.seen > since])

    def _make_room(self, here: set[str]) -> None:
        """If there are as many identities as may be, forget the least recently used one with an empty folder; if there
        is none, the least recently used one."""
        if len(self._known) < MOST:
            return
        gone = [one for one in self._known if one not in here]
        empty = (one for one in gone if guest_folders.is_empty(self._guests / one))
        identity = next(empty, "") or next(iter(gone), "")
        if not identity:
            raise HostingError(f"the door knows {MOST} guests, and all of them are in")
        del self._known[identity]
        guest_folders.remove(self._guests / identity)

    def _save(self) -> None:
        write_private(self._path, msgspec.json.encode(self._known).decode())
