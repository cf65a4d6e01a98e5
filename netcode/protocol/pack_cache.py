"""A cache of parsed built-in packs in a folder of this user: reading a pack from it takes a twentieth of the time of
parsing its TOML.

A file is used only if this program would write the same: for the same bytes of the pack, the same card language, the
same version of the program, of Python and of msgspec, undamaged, and private to this user. Any other file is ignored
and overwritten. It holds no code, only MessagePack that is decoded into the types of the card language.
"""

import os
import stat
import sys
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgspec
import platformdirs

from core.language import catalog, manifest, schema, selectors
from core.language.catalog import ParsedPack, parse_pack
from netcode import VERSION
from netcode.protocol.credentials import own_folder

OFF = "off"
"""The value of $KICKDOOR_CACHE that turns the cache off."""
FILES_KEPT = 16
"""Files in the folder; the oldest makes room."""
FILE_LIMIT = 4 * 1024 * 1024
"""Bytes of a file; those of our packs have 50 KB."""
DIGEST = 32
"""Bytes of the digest with which a file begins."""
_BINARY = getattr(os, "O_BINARY", 0)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_packs = msgspec.msgpack.Decoder(ParsedPack)


def cache_folder() -> Path | None:
    """Return the folder of the cache: `cache` in the folder of this process, $KICKDOOR_CACHE, `cache` in
    $KICKDOOR_DATA, or the platform's folder; None if the cache is off."""
    own = own_folder()
    if own is not None:
        return own / "cache"
    chosen, data = os.environ.get("KICKDOOR_CACHE"), os.environ.get("KICKDOOR_DATA")
    if chosen == OFF:
        return None
    if chosen:
        return Path(chosen)
    if data:
        return Path(data) / "cache"
    try:
        folder = Path(platformdirs.user_cache_dir("kickdoor", appauthor=False))
    except RuntimeError:  # this user has no home folder
        return None
    return folder if folder.is_absolute() else None


def known_pack(files: dict[str, bytes], pack_hash: str) -> ParsedPack:
    """Return the parsed pack of these files, from the cache if it is there. Raises the PackError of `parse_pack`.

    pack_hash: the hash of the files.
    """
    if pack_hash in _at_hand:
        return _at_hand[pack_hash]
    folder = cache_folder()
    if folder is None:
        return parse_pack(files)
    path = folder / f"{pack_hash}.pack"
    found = _read(path)
    if found is None:
        found = parse_pack(files)
        _write(path, msgspec.msgpack.encode(found))
    return found


_at_hand: dict[str, ParsedPack] = {}


def keep_at_hand(files: dict[str, bytes], pack_hash: str) -> None:
    """Keep a parsed pack in this process and in those that it forks, which then neither read nor parse it."""
    _at_hand[pack_hash] = known_pack(files, pack_hash)


@cache
def _language() -> bytes:
    """Everything that affects how a pack is parsed: the versions and the code of the card language."""
    versions = f"{VERSION} {sys.version} {msgspec.__version__}".encode()
    code = [part.__file__ or "" for part in (catalog, manifest, schema, selectors)]
    return versions + b"".join(Path(file).read_bytes() for file in code)


def _digest(path: Path, data: bytes) -> bytes:
    return blake2b(b"\0".join((path.name.encode(), _language(), data)), digest_size=DIGEST).digest()


def _read(path: Path) -> ParsedPack | None:
    """Return the pack in this file, None if it cannot be trusted."""
    try:
        if not _is_private(os.stat(path.parent)):
            return None
        opened = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
        with os.fdopen(opened, "rb") as file:
            found = os.fstat(opened)
            if not stat.S_ISREG(found.st_mode) or not _is_private(found) or found.st_size > FILE_LIMIT:
                return None
            data = file.read(FILE_LIMIT)
        if data[:DIGEST] != _digest(path, data[DIGEST:]):
            return None
        return _packs.decode(data[DIGEST:])
    except (OSError, msgspec.MsgspecError):
        return None


def _is_private(found: os.stat_result) -> bool:
    """Return whether nobody else can have written this file or folder. (Windows keeps folders of users apart.)"""
    return os.name != "posix" or (found.st_uid == os.geteuid() and not found.st_mode & _OTHERS_WRITE)


def _write(path: Path, data: bytes) -> None:
    """Keep a parsed pack, whole or not at all. A folder that cannot be used costs nothing but the time to parse."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not _is_private(os.stat(path.parent)):
            return
        _make_room(path.parent)
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)
        with os.fdopen(opened, "wb") as file:
            file.write(_digest(path, data) + data)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            draft.unlink()


def _make_room(folder: Path) -> None:
    """Remove the least recently used files, so that one more fits."""
    kept = sorted(folder.glob("*.pack*"), key=lambda file: file.stat().st_mtime)
    for file in kept[: len(kept) - FILES_KEPT + 1]:
        file.unlink(missing_ok=True)
