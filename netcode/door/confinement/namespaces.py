"""A user and a network of its own for a guest's process.

With root's rights the process becomes a user that nobody else is. Without them it keeps its user and makes a user
namespace, in which it may do the same things."""

import ctypes
import fcntl
import os
import socket
import struct

from netcode.door.confinement.kernel import call, prctl

PORT = 65000
"""Where the guest's client finds its host, in a network that has nothing else. No host of a club is at 127.0.0.1 and
this port: other hosts are at other addresses (origins.loopback_address)."""
CONNECTIONS_WAITING = 8
FIRST_USER = 1_879_048_192
"""Users from here on belong to nobody: distributions and containers use smaller numbers, and the kernel larger ones."""
FILES_MAX = 20_000
"""The most files and folders of a guest that its new user is given."""
_NEW_USER, _NEW_NETWORK, _NEW_MOUNTS, _NEW_IPC = 0x10000000, 0x40000000, 0x00020000, 0x08000000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _UP = 0x8913, 0x8914, 1
_SET_DUMPABLE, _CAPABILITY_VERSION = 4, 0x20080522


def own_user() -> int | None:
    """Return the user that this process becomes, None if it may not change its user. The number follows from the
    process id, so no two guests have the same user."""
    user = FIRST_USER + os.getpid()
    return user if os.geteuid() == 0 and _is_mapped("uid", user) and _is_mapped("gid", user) else None


def separate() -> None:
    """Give this process mounts and a network of its own, and the right to change both. Raises OSError."""
    if own_user() is not None:
        call("unshare", _NEW_NETWORK | _NEW_MOUNTS | _NEW_IPC)
        return
    user, group = os.geteuid(), os.getegid()
    call("unshare", _NEW_USER | _NEW_NETWORK | _NEW_MOUNTS | _NEW_IPC)
    for name, line in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)


def host_socket() -> socket.socket:
    """Bring up the loopback interface, and listen where the client will call its host. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        name, flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, _SIOCGIFFLAGS, asked))
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", name, flags | _UP))
    return listening("0.0.0.0", PORT)


def listening(address: str, port: int) -> socket.socket:
    """Return a socket that listens at this address and port; 0: any free port. Raises OSError."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        sock.bind((address, port))
        sock.listen(CONNECTIONS_WAITING)
    except OSError:
        sock.close()
        raise
    return sock


def give(folder: str, user: int) -> None:
    """Give a folder and what is in it to a user. Raises OSError."""
    count = 0
    os.chown(folder, user, user, follow_symlinks=False)
    for _, folders, files, descriptor in os.fwalk(folder, follow_symlinks=False):
        count += len(folders) + len(files)
        if count > FILES_MAX:
            raise OSError(f"it has more than {FILES_MAX} files")
        for name in (*folders, *files):
            os.chown(name, user, user, dir_fd=descriptor, follow_symlinks=False)


def become(user: int | None) -> None:
    """Become this user (None: stay the same one), and give up every right of root for good. Raises OSError."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    prctl(_SET_DUMPABLE, 0)
    header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
    nothing = bytes(24)
    call("capset", _buffer(header), _buffer(nothing))


def _buffer(data: bytes) -> "ctypes.Array[ctypes.c_char]":
    return ctypes.create_string_buffer(data, len(data))


def _is_mapped(kind: str, number: int) -> bool:
    """Return whether this number of a user (uid) or group (gid) exists in the namespace of this process."""
    with open(f"/proc/self/{kind}_map") as file:
        ranges = [tuple(map(int, line.split())) for line in file]
    return any(first <= number < first + count for first, _, count in ranges)
