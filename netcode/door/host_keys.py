"""The key by which guests recognise the door: made at the first start, kept, and shown in the form in which people
compare it.

Ed25519 only: every ssh of the last ten years has it, and each further kind of key is one more fingerprint to compare.
"""

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import asyncssh

from netcode.door.interfaces import HostingError

FILE = "host_ed25519"
"""The name of the private key in the door's folder."""
_SSHFP = "4 2"
"""Ed25519, SHA-256 (RFC 7479)."""


def host_key(folder: Path) -> asyncssh.SSHKey:
    """Return the door's private key, made if there is none. Raises HostingError, OSError."""
    path = folder / FILE
    with suppress(FileExistsError):
        _make(path)
    try:
        key = asyncssh.import_private_key(path.read_bytes())
    except (asyncssh.KeyImportError, ValueError):
        raise HostingError(
            f"{path} is damaged: put back a copy, or remove it for a new key (every guest's ssh will then warn them)"
        ) from None
    os.chmod(path, 0o600)
    return key


def _make(path: Path) -> None:
    """Write a new key, whole or not at all. Raises FileExistsError if there is one."""
    if path.exists():
        raise FileExistsError(path)
    draft = path.with_name(f"{FILE}.{os.getpid()}.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(asyncssh.generate_private_key("ssh-ed25519", comment="kickdoor serve").export_private_key())
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)  # unlike a rename, it replaces nothing
    finally:
        draft.unlink()


def fingerprint(key: asyncssh.SSHKey) -> str:
    """Return the fingerprint as ssh shows it."""
    return key.get_fingerprint("sha256")


def sshfp(key: asyncssh.SSHKey, name: str = "HOST") -> str:
    """Return the line for a DNS zone with which an ssh client can check the key."""
    return f"{name}. IN SSHFP {_SSHFP} {sha256(key.public_data).hexdigest()}"
