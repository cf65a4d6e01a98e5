"""The folder of a host of a club: its name in the club, and its key. Its journal is in the database."""

import re
import secrets
import socket
from pathlib import Path

from netcode.journal.rows import JournalError, JournalInUse
from netcode.protocol.credentials import FolderLock, lock_folder, write_private

NAME = "club.name"
"""The file with the name of the host. A host that is started with a copy of the file takes over its tables."""
_MACHINE_CHARS = 40
_NAME = re.compile(r"[\w.-]{1,60}", re.ASCII)


def claim_folder(folder: Path) -> FolderLock:
    """Make the folder if it is missing, and lock it until the returned lock is closed. Raises JournalInUse,
    JournalError if it cannot be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = lock_folder(folder)
    except OSError as problem:
        raise JournalError(f"the data folder {folder} cannot be used: {problem.strerror}") from None
    if lock is None:
        raise JournalInUse(f"another host is using the data folder {folder}: stop it or choose another with --data")
    return lock


def host_name(folder: Path) -> str:
    """Return the name of this folder's host in the club; make one if it has none. Raises JournalError."""
    path = folder / NAME
    try:
        if not path.exists():
            machine = re.sub(r"[^\w.-]", "-", socket.gethostname(), flags=re.ASCII)[:_MACHINE_CHARS] or "host"
            write_private(path, f"{machine}-{secrets.token_hex(4)}\n")
        name = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeError) as problem:
        raise JournalError(f"{path} cannot be used: {problem}") from None
    if not _NAME.fullmatch(name):
        raise JournalError(f"{path} contains no name of a host: letters, digits, '.', '-' and '_', at most 60")
    return name
