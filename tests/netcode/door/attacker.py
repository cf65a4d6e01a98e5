"""A guests' program that runs in the client's place and attacks: it tries everything in `ATTACKS`, and writes one line
of JSON to its terminal with the result of each attack.

An attack that returns has succeeded. Its targets are in the file `targets.json` of its folder (probe.py writes it)."""

import ctypes
import errno
import fcntl
import json
import mmap
import os
import resource
import signal
import socket
import struct
import subprocess
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

from netcode.door.confinement import namespaces
from netcode.door.confinement.namespaces import PORT
from netcode.door.messages import Start

TARGETS: dict[str, Any] = {}
_LIBC = ctypes.CDLL(None, use_errno=True)
_TIOCSTI, _SYSTEM_KEYRING = 0x5412, -3
_CALLS = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "pidfd_open": (434, 434), "unshare": (272, 97),
    "mount": (165, 40), "setns": (308, 268), "keyctl": (250, 219), "bpf": (321, 280), "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425), "perf_event_open": (298, 241), "clone3": (435, 435), "memfd_create": (319, 279),
    "shmget": (29, 194), "open_by_handle_at": (304, 265), "seccomp": (317, 277), "tkill": (200, 130),
    "newest": (463, 463),
}  # fmt: skip


def _refusing(path: str) -> Callable[[], object]:
    return lambda: Path(TARGETS[path]).read_bytes()


def _call(name: str, *arguments: int | bytes | None) -> int:
    """Make a system call. Raises OSError."""
    number = _CALLS[name][0 if os.uname().machine == "x86_64" else 1]
    result = _LIBC.syscall(number, *(ctypes.c_long(one) if isinstance(one, int) else one for one in arguments))
    if result == -1:
        raise OSError(ctypes.get_errno(), name)
    return int(result)


def _connect(family: int, kind: int, address: Any) -> None:
    with socket.socket(family, kind) as sock:
        sock.settimeout(2)
        sock.connect(address)
        sock.send(b"hello")


def _fork() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)


def _spawn_threads() -> None:
    """Start 300 threads, unless a limit stops it."""
    leave = threading.Event()
    try:
        for _ in range(300):
            threading.Thread(target=leave.wait, daemon=True).start()
    finally:
        leave.set()


def _huge_file() -> None:
    with open("huge", "wb") as file:
        file.seek(1 << 30)
        file.write(b"x")


def _many_descriptors() -> None:
    kept: list[int] = []
    try:
        while len(kept) < 2000:
            kept.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for one in kept:
            os.close(one)


def _map(flags: int) -> None:
    with mmap.mmap(-1, 2 << 30, flags=flags):
        pass


def _use_memory() -> None:
    kept = bytearray(1 << 29)
    del kept


def _open_descriptors() -> None:
    """Find a descriptor of the door among those that are open."""
    for number in range(3, 1024):
        try:
            os.fstat(number)
        except OSError:
            continue
        return
    raise OSError(errno.EBADF, "nothing is open")


def _signal_by_file() -> None:
    """Let the kernel send a signal of choice to another process when a pipe has news."""
    reading, writing = os.pipe()
    try:
        fcntl.fcntl(reading, fcntl.F_SETOWN, TARGETS["neighbour"])
    finally:
        os.close(reading)
        os.close(writing)


def _see_neighbour() -> None:
    """Find the neighbour's process."""
    os.stat(f"/proc/{TARGETS['neighbour']}")


def _environment_of_parent() -> None:
    Path(f"/proc/{TARGETS['door']}/environ").read_bytes()


def _write(path: str) -> Callable[[], object]:
    return lambda: Path(TARGETS[path]).open("a").close()


def _loaded_program() -> None:
    """Change the program that every guest runs."""
    with open(namespaces.__file__, "a"):
        pass


def _limits_of_neighbour() -> None:
    resource.prlimit(TARGETS["neighbour"], resource.RLIMIT_CPU, (1, 1))


def _raise_own_limit() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40))


def _outlive_the_door() -> None:
    if _LIBC.prctl(1, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_PDEATHSIG")


def _become_root() -> None:
    os.setresuid(0, 0, 0)


def _bind() -> None:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()


def _program_of_its_own() -> None:
    path = Path("program")
    path.write_bytes(b"#!/bin/sh\n")
    path.chmod(0o755)
    os.execv(str(path), [str(path)])


def _pairs() -> None:
    """Make a pair of sockets that talks to the kernel."""
    socket.socketpair(socket.AF_UNIX + 15, socket.SOCK_RAW)


def _spawn() -> None:
    subprocess.run(["/bin/true"], check=True)


ATTACKS: dict[str, Callable[[], object]] = {
    # files
    "read the host's key": _refusing("key"),
    "read the journal": _refusing("journal"),
    "read a file of another guest": _refusing("others_file"),
    "list the folder of another guest": lambda: os.listdir(TARGETS["others_folder"]),
    "list the folder of all guests": lambda: os.listdir(".."),
    "write into the folder of another guest": _write("others_file"),
    "follow a link out of its folder": lambda: Path("way_out").read_bytes(),
    "make a link out of its folder": lambda: os.symlink(TARGETS["key"], "link"),
    "make a hard link": lambda: os.link("targets.json", "hard"),
    "make a pipe with a name": lambda: os.mkfifo("pipe"),
    "read /etc/passwd": lambda: Path("/etc/passwd").read_bytes(),
    "write a file outside its folder": lambda: Path("/outside").write_bytes(b""),
    "write to /dev/shm": lambda: Path("/dev/shm/outside").write_bytes(b""),
    "change the program": _loaded_program,
    "move its folder": lambda: os.rename(os.getcwd(), os.getcwd() + "-moved"),
    "leave its root": lambda: os.chroot("/"),
    "open a file by its handle": lambda: _call("open_by_handle_at", -100, bytes(64), 0),
    "find a descriptor of the door": _open_descriptors,
    # other processes
    "see another process": _see_neighbour,
    "read the memory of another process": lambda: open(f"/proc/{TARGETS['neighbour']}/mem", "rb").close(),
    "read the environment of the door": _environment_of_parent,
    "read another process directly": lambda: _call("process_vm_readv", TARGETS["neighbour"], None, 0, None, 0, 0),
    "trace another process": lambda: _call("ptrace", 16, TARGETS["neighbour"], None, None),
    "signal another guest": lambda: os.kill(TARGETS["neighbour"], 0),
    "signal the door": lambda: os.kill(TARGETS["door"], 0),
    "signal its parent": lambda: os.kill(os.getppid() or TARGETS["door"], 0),
    "signal everybody": lambda: os.kill(-1, 0),
    "signal a thread of the door": lambda: _call("tkill", TARGETS["door"], 0),
    "signal by a file": _signal_by_file,
    "get a handle of another process": lambda: _call("pidfd_open", TARGETS["neighbour"], 0),
    "limit another process": _limits_of_neighbour,
    "slow down another process": lambda: os.setpriority(os.PRIO_PROCESS, TARGETS["neighbour"], 19),
    "outlive the door": _outlive_the_door,
    # the network
    "connect to a service of the machine": lambda: _connect(socket.AF_INET, socket.SOCK_STREAM, TARGETS["tcp"]),
    "connect to another port": lambda: _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT + 1)),
    "connect by IPv6": lambda: _connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", PORT)),
    "send a datagram": lambda: _connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
    "connect to a socket of the machine": lambda: _connect(socket.AF_UNIX, socket.SOCK_STREAM, TARGETS["unix"]),
    "connect to an abstract socket": lambda: _connect(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + TARGETS["abstract"]),
    "open a raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP).close(),
    "open a packet socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW).close(),
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close(),
    "open a socket of another kind": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close(),
    "make a pair of another kind": _pairs,
    "listen": _bind,
    # programs and the kernel
    "run a shell": lambda: os.execv("/bin/sh", ["sh", "-c", "true"]),
    "run a program of its own": _program_of_its_own,
    "start a process": _spawn,
    "fork": _fork,
    "make threads without end": _spawn_threads,
    "become root": _become_root,
    "make a namespace": lambda: _call("unshare", 0x10000000),
    "mount": lambda: _call("mount", b"none", b"/", b"tmpfs", 0, None),
    "enter a namespace": lambda: _call("setns", 0, 0),
    "read the keys of the kernel": lambda: _call("keyctl", 0, _SYSTEM_KEYRING, 0, 0, 0),
    "load a program into the kernel": lambda: _call("bpf", 0, bytes(128), 128),
    "use userfaultfd": lambda: _call("userfaultfd", 1),
    "use io_uring": lambda: _call("io_uring_setup", 1, bytes(256)),
    "measure other processes": lambda: _call("perf_event_open", bytes(128), 0, -1, -1, 0),
    "use clone3": lambda: _call("clone3", bytes(128), 0),
    "use a call that is too new": lambda: _call("newest", 0),
    # terminals
    "open its terminal anew": lambda: os.close(os.open("/dev/tty", os.O_RDWR)),
    "open the terminal of another guest": lambda: os.close(os.open(TARGETS["terminal"], os.O_RDWR)),
    "make another terminal": lambda: os.close(os.openpty()[0]),
    "type into its own terminal": lambda: fcntl.ioctl(0, _TIOCSTI, b"x"),
    "take over the console": lambda: fcntl.ioctl(0, 0x541D, 0),
    # the machine
    "write a huge file": _huge_file,
    "use much memory": _use_memory,
    "share much memory": lambda: _map(mmap.MAP_SHARED | mmap.MAP_ANONYMOUS),
    "map much memory": lambda: _map(mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS),
    "keep memory in a file without a name": lambda: os.close(_call("memfd_create", b"x", 0)),
    "keep memory that all share": lambda: _call("shmget", 0, 4096, 0o1600),
    "open descriptors without end": _many_descriptors,
    "raise its own limits": _raise_own_limit,
}
PERMITTED: dict[str, Callable[[], object]] = {
    "write in its folder": lambda: Path("mine").write_bytes(b"x" * 1000),
    "rename in its folder": lambda: os.replace("mine", "still mine"),
    "remove in its folder": lambda: os.unlink("still mine"),
    "read the program": lambda: Path(namespaces.__file__).read_bytes(),
    "import what was not loaded": lambda: __import__("sqlite3").connect(":memory:").close(),
    "use a database in its folder": lambda: __import__("sqlite3").connect("data").execute("create table a (b)"),
    "start a thread": lambda: threading.Thread(target=str).start(),
    "read random bytes": lambda: _read_one("/dev/urandom"),
    "throw away": lambda: Path("/dev/null").write_bytes(b"x"),
    "signal itself": lambda: os.kill(os.getpid(), 0),
    "make a pair": lambda: socket.socketpair()[0].close(),
    "find its time zone": lambda: time.localtime(),
    "call its host": lambda: _connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    "use ZeroMQ with keys": lambda: _zeromq(),
}  # fmt: skip
"""What a client needs: it must still work."""


def _read_one(path: str) -> None:
    with open(path, "rb") as file:
        file.read(1)


def _zeromq() -> None:
    import zmq  # the context must be made after the fork

    zmq.curve_keypair()
    context = zmq.Context()
    sock = context.socket(zmq.DEALER)
    sock.connect(f"tcp://127.0.0.1:{PORT}")
    sock.close(0)
    context.term()


def _tried(attack: Callable[[], object]) -> str:
    try:
        attack()
    except OSError as problem:
        return errno.errorcode.get(problem.errno or 0, str(problem))
    except Exception as problem:
        return type(problem).__name__
    return "DONE"


def preload() -> None:
    """Load nothing."""


def _foreign_call() -> None:
    """Make a system call as a program of 32 bits: getpid by `int 0x80`."""
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC,
                     flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)  # fmt: skip
    code.write(struct.pack("<BI", 0xB8, 20) + b"\xcd\x80\xc3")
    ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()


def run(start: Start) -> int:
    """Attack; or be the neighbour who is attacked, if this is what the guest came for."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if start.terminal:
        tty.setraw(0)
    if start.what == "watch":
        os.write(1, b"ready")
        while os.read(0, 1) != b"q":
            pass
        return 0
    if start.what == "help":
        _foreign_call()
        return 0
    TARGETS.update(json.loads(Path("targets.json").read_text()))
    TARGETS["tcp"] = tuple(TARGETS["tcp"])
    names = {"attacks": ATTACKS, "permitted": PERMITTED}[start.what]
    chosen = TARGETS.get("only") or list(names)
    results = {name: _tried(names[name]) for name in chosen}
    os.write(1, json.dumps(results).encode() + b"\n")
    return 0
