"""Credentials: CURVE key pairs, join strings, tokens, and the client's folder of saved seats.

A join string is kickdoor://HOST:PORT/TABLE#KEY.TOKEN, with KEY and TOKEN in base64url: the server's public key (32
bytes) and a token that says what its bearer may do (16 bytes). The string is a secret: anybody who has it may come in.

ZeroMQ is imported only where keys are made, because the supervisor of a host and the menu read folders and strings
without it.
"""

import base64
import errno
import hmac
import json
import os
import re
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

from netcode.protocol.pasted import PLACES, parts_of
from netcode.protocol.pasted import JoinError as JoinError
from netcode.protocol.ports import DEFAULT_PORT

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

SCHEME = "kickdoor://"
NO_HOME = "this user has no home folder: set KICKDOOR_DATA to a folder of theirs"
TABLES_KEPT = 200
"""How many tables' seats stay saved; the table unused for longest is dropped."""
SERVER_KEY = "server.key"
"""The name of the host's key in its data folder."""
LOCK = "host.lock"
"""The name of the lock file in a host's data folder."""
SEATS_EACH = 64
"""Seats of one name at one table that clients of one user may hold at the same time."""
_SEEN_CHARS, _COUNTER_MAX = 60, 2**53
_NOTHING_SEEN = (0, 0, 0)
"""The content of such a file: two numbers that fit into a hello."""


@dataclass(frozen=True)
class KeyPair:
    """A CURVE key pair, 32 raw bytes each."""

    public: bytes
    secret: bytes = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the public key, for people to recognise it."""
        from zmq.utils import z85  # the command line and a supervisor read strings without ZeroMQ

        return fingerprint(z85.encode(self.public).decode())


@dataclass(frozen=True)
class Join:
    """A join string: the address and id of a table, the server's public key, and a token. others: further addresses,
    of other hosts of a club, in the order in which to try them."""

    host: str
    port: int
    table: str
    key: bytes
    token: bytes = field(repr=False)
    others: tuple[tuple[str, int], ...] = ()

    def __str__(self) -> str:
        more = f"@{','.join(place_text(*place) for place in self.others)}" if self.others else ""
        where = place_text(self.host, self.port)
        return f"{SCHEME}{where}/{self.table}#{_text(self.key)}.{_text(self.token)}{more}"

    @property
    def places(self) -> tuple[tuple[str, int], ...]:
        """All its addresses, in the order in which to try them."""
        return ((self.host, self.port), *self.others)

    def at(self, places: Iterable[tuple[str, int]]) -> "Join":
        """Return the same string with these addresses, PLACES at the most, in this order."""
        (host, port), *others = list(dict.fromkeys(places))[:PLACES]
        return replace(self, host=host, port=port, others=tuple(others))

    @property
    def endpoint(self) -> str:
        """The address as ZeroMQ takes it: tcp://HOST:PORT."""
        return f"tcp://[{self.host}]:{self.port}" if ":" in self.host else f"tcp://{self.host}:{self.port}"


def parse_join(text: str) -> Join:
    """Return the first join string in this text, however it was pasted (pasted.py). Raises JoinError."""
    parts = parts_of(text)
    join = Join(parts.host, parts.port or DEFAULT_PORT, parts.table, parts.key, parts.token)
    return join.at([*join.places, *parts.others])


def place_text(host: str, port: int) -> str:
    """Return an address as people write it: HOST:PORT, with brackets around IPv6."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def parse_place(text: str) -> tuple[str, int]:
    """Return the host and port of such an address. Raises ValueError."""
    host, _, port = text.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise ValueError(f"{text} is no address: HOST:PORT")
    return host.strip("[]"), int(port)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def new_token() -> bytes:
    """Return a new token: 16 random bytes."""
    return secrets.token_bytes(16)


def token_hash(token: bytes) -> bytes:
    """Return the hash of a token; the host stores hashes only."""
    return blake2b(token, digest_size=16, person=b"kickdoor-token").digest()


def same(left: bytes, right: bytes) -> bool:
    """Return whether two secrets are equal, in constant time."""
    return hmac.compare_digest(left, right)


def fingerprint(key: str) -> str:
    """Return the fingerprint of a client's public key (as ZeroMQ writes it, Z85): eight hexadecimal digits in two
    groups, which two people can compare on the telephone."""
    digits = blake2b(key.encode(), digest_size=4, person=b"kickdoor-finger").hexdigest()
    return f"{digits[:4]} {digits[4:]}"


def new_pair() -> KeyPair:
    """Return a new key pair."""
    import zmq  # the command line and a supervisor read strings without ZeroMQ
    from zmq.utils import z85  # the command line and a supervisor read strings without ZeroMQ

    public, secret = zmq.curve_keypair()
    return KeyPair(z85.decode(public), z85.decode(secret))


def server_pair(folder: Path) -> KeyPair:
    """Return the host's key pair: the one in `folder`, created if needed (readable by its owner only).

    Raises OSError if the folder cannot be used, ValueError if the key file is damaged.
    """
    import zmq  # the command line and a supervisor read strings without ZeroMQ
    from zmq.utils import z85  # the command line and a supervisor read strings without ZeroMQ

    path = folder / SERVER_KEY
    if not path.exists():
        pair = new_pair()
        write_private(path, (pair.public + pair.secret).hex())
        return pair
    try:
        data = bytes.fromhex(path.read_text(encoding="ascii"))
    except ValueError:
        data = b""
    if len(data) != 64 or z85.decode(zmq.curve_public(z85.encode(data[32:]))) != data[:32]:
        raise ValueError(f"{path} is damaged: remove it to get a new key (old join strings stop working)")
    os.chmod(path, 0o600)
    return KeyPair(data[:32], data[32:])


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner may read, whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    os.replace(draft, path)


_own_folder: Path | None = None


@contextmanager
def keeping_in(folder: Path) -> Iterator[None]:
    """Keep everything of the player of this process in this folder, whatever the environment says."""
    global _own_folder
    before, _own_folder = _own_folder, folder
    try:
        yield
    finally:
        _own_folder = before


def own_folder() -> Path | None:
    """Return the folder in which this process keeps everything (`keeping_in`); None: the environment decides."""
    return _own_folder


def data_folder() -> Path:
    """Return the folder of this user's seats, packs and tables: that of `keeping_in`, $KICKDOOR_DATA, or the platform's
    data folder. Raises OSError if there is none, rather than make a folder called ~ wherever the user is."""
    if _own_folder is not None:
        return _own_folder
    chosen = os.environ.get("KICKDOOR_DATA")
    if chosen:
        return Path(chosen)
    import platformdirs  # not where $KICKDOOR_DATA names the folder

    try:
        folder = Path(platformdirs.user_data_dir("kickdoor", appauthor=False))
    except RuntimeError:  # newer versions say so; older ones return ~ as it is
        folder = Path("~")
    if not folder.is_absolute():
        raise OSError(errno.ENOENT, NO_HOME, "~")
    return folder


class SavedSeat:
    """A seat that this user may return to: key pair and resume token in a file, locked while a client uses it."""

    def __init__(
        self, pair: KeyPair, path: Path | None = None, lock: IO[bytes] | None = None, token: bytes = b""
    ) -> None:
        self.pair = pair
        self.token = token
        self.seen = _read_seen(path) if path is not None else _NOTHING_SEEN
        """How far the game was seen: its number, the revision of the view, and the number of the last event."""
        self.kept_at = _kept_when(path) if path is not None else 0.0
        """When that was last kept in the file of this seat, before it was claimed (s since 1970); 0: not known."""
        self.shared = False
        """Whether another process of this user has it too; the host decides which of them plays."""
        self.way: dict[str, Any] = {}
        """How to return without a string, see saved_seats.py; empty: this seat is not offered."""
        self.table: dict[str, str | int] = {}
        """What was last known of its table."""
        self._path = path
        self._lock = lock
        self._kept, self._kept_table = self.seen, self.table

    def keep(self, token: bytes) -> None:
        """Save the newest resume token, and how to return. Raises OSError."""
        self.token = token
        if self._path is not None:
            saved = {"key": (self.pair.public + self.pair.secret).hex(), "token": token.hex()}
            write_private(self._path, json.dumps({**saved, **self.way}))

    def keep_seen(self) -> None:
        """Save how far the game was seen, and what is known of the table, without forcing it to the disk. After a power
        cut it may be behind, and then nobody notices that a host restored an older game. Raises OSError."""
        if self.shared and self._path is not None:
            self._lock = lock_file(self._path.with_suffix(".lock"))
            self.shared = self._lock is None
        if self._path is None or self._lock is None:
            return
        if self.seen != self._kept:
            self._kept = self.seen
            _seen_path(self._path).write_text(" ".join(map(str, self.seen)), encoding="ascii")
        if self.way and self.table != self._kept_table:
            self._kept_table = dict(self.table)
            table_path(self._path).write_text(json.dumps(self.table), encoding="utf-8")

    def forget(self) -> None:
        """Remove the saved seat: it cannot be resumed."""
        self.token, self.seen = b"", _NOTHING_SEEN
        if self._path is not None:
            for path in (self._path, _seen_path(self._path), table_path(self._path)):
                path.unlink(missing_ok=True)

    def release(self) -> None:
        """Unlock the seat for other clients of this user."""
        self.shared = False
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _seen_path(path: Path) -> Path:
    return path.with_suffix(".seen")


def table_path(path: Path) -> Path:
    """Return the file beside that of a seat which has what is known of its table."""
    return path.with_suffix(".table")


def _read_seen(path: Path) -> tuple[int, int, int]:
    """Return how far the game of a saved seat was seen; the beginning if that is not known."""
    try:
        with open(_seen_path(path), encoding="ascii") as file:
            seen = [int(number) for number in file.read(_SEEN_CHARS).split()]
    except (OSError, ValueError):
        return _NOTHING_SEEN
    game, rev, heard = seen if len(seen) == 3 else (*seen, 0) if len(seen) == 2 else _NOTHING_SEEN
    return (game, rev, heard) if all(0 <= number <= _COUNTER_MAX for number in seen) else _NOTHING_SEEN


def _kept_when(path: Path) -> float:
    """Return when it was last kept how far the game of a saved seat was seen (s since 1970); 0 if not known."""
    try:
        return _seen_path(path).stat().st_mtime
    except OSError:
        return 0.0


def claim_seat(join: Join, name: str, home: Path, shared: bool = False) -> SavedSeat:
    """Return the first saved seat of (server, table, name) that no other client uses, or an empty one. shared: the
    first one although another process uses it.

    home: the data folder. Raises OSError if it cannot be used."""
    folder = _seat_file(join, name, home).parent
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    _tidy(home / "seats", keep=folder.name)
    for number in range(SEATS_EACH):
        path = _seat_file(join, name, home, number)
        lock = lock_file(path.with_suffix(".lock"))
        if lock is not None:
            pair, token = read_seat(path)
            return SavedSeat(pair, path, lock, token)
        if shared and number == 0 and (seat := read_seat(path))[1]:
            taken = SavedSeat(seat[0], path, None, seat[1])
            taken.shared = True
            return taken
    raise OSError(f"{SEATS_EACH} clients named {name} of this user are at this table already")


def is_claimed(join: Join, name: str, home: Path) -> bool:
    """Return whether a client of this user is at this table in the seat that was saved first, or tries to return to
    it."""
    path = _seat_file(join, name, home).with_suffix(".lock")
    if not path.exists():
        return False
    lock = lock_file(path)
    if lock is not None:
        lock.close()
    return lock is None


def _seat_file(join: Join, name: str, home: Path, number: int = 0) -> Path:
    where = blake2b(join.key + join.table.encode(), digest_size=12).hexdigest()
    who = re.sub(r"[^A-Za-z0-9]+", "-", name)[:20] + "-" + blake2b(name.encode(), digest_size=4).hexdigest()
    return home / "seats" / where / f"{who}.{number}.json"


def read_seat(path: Path) -> tuple[KeyPair, bytes]:
    """Return the key pair and the resume token in a seat's file; a new pair and no token if there is none."""
    try:
        saved = json.loads(path.read_text(encoding="utf-8"))
        key, token = bytes.fromhex(saved["key"]), bytes.fromhex(saved["token"])
    except (OSError, ValueError, KeyError, TypeError):
        return new_pair(), b""  # none yet, or damaged: ask for a new seat
    return (KeyPair(key[:32], key[32:]), token) if len(key) == 64 else (new_pair(), b"")


def lock_file(path: Path) -> IO[bytes] | None:
    """Return this file open and locked, None if somebody else has locked it."""
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    try:
        if sys.platform == "win32":
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


class FolderLock:
    """A data folder that only this process uses, until `close`."""

    def __init__(self, *parts: IO[bytes] | int) -> None:
        self._parts = parts

    def close(self) -> None:
        """Let others use the folder."""
        for part in self._parts:
            if isinstance(part, int):
                os.close(part)
            else:
                part.close()


def lock_folder(folder: Path) -> FolderLock | None:
    """Return the lock of a data folder, None if another process has it. Raises OSError if it cannot be locked.

    The lock file alone is not enough, because deleting it would lift the lock. So the folder itself is locked too.
    (Windows cannot lock folders, but does not let anybody delete an open file.)"""
    file = lock_file(folder / LOCK)
    if file is None or sys.platform == "win32":
        return FolderLock(file) if file is not None else None
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        os.close(opened)
        file.close()
        if isinstance(problem, BlockingIOError):
            return None
        raise
    return FolderLock(file, opened)


def _tidy(seats: Path, keep: str) -> None:
    """Remove the tables unused for longest if there are too many."""
    tables = [entry for entry in seats.iterdir() if entry.is_dir() and entry.name != keep]
    if len(tables) < TABLES_KEPT:
        return
    for folder in sorted(tables, key=lambda entry: entry.stat().st_mtime)[: len(tables) - TABLES_KEPT + 1]:
        for file in folder.iterdir():
            file.unlink(missing_ok=True)
        folder.rmdir()
