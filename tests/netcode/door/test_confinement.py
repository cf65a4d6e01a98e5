"""What an attacker in a client's place cannot do, at a door that root runs and at a door that an ordinary user runs."""

import errno
import json
import os
import platform
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netcode.door.confinement import confine, landlock, limits, means, namespaces, seccomp, view
from netcode.door.confinement.system_calls import DENIED, EXAMINED, IGNORED, MACHINES, NEWEST
from netcode.door.forking.child import HANDED_OUT, NOT_CONFINED, run_child
from netcode.door.messages import Start
from tests.netcode.door.attacker import ATTACKS, PERMITTED
from tests.netcode.door.channel import open_door
from tests.netcode.door.ordinary_user import NOBODY, run_as, within_no_user_namespaces

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door confines guests on Linux only")
PROBE, MEANS = "tests.netcode.door.probe", "netcode.door.confinement.means"
REFUSALS = {
    *(errno.errorcode[one] for one in (
        errno.ENOENT, errno.EPERM, errno.EACCES, errno.EROFS, errno.EBADF, errno.ECONNREFUSED, errno.ENETUNREACH,
        errno.ENOSYS, errno.EFBIG, errno.EMFILE, errno.ENOMEM,
    )), "MemoryError", "RuntimeError", "ValueError",
}  # fmt: skip
"""The errors with which a refused attack may end. After EFAULT or EINVAL the kernel would already have examined the
call."""
POSSIBLE_UNCONFINED = [
    "read the host's key", "read the journal", "read a file of another guest", "list the folder of another guest",
    "write into the folder of another guest", "follow a link out of its folder", "make a link out of its folder",
    "make a hard link", "make a pipe with a name", "read /etc/passwd", "see another process", "signal another guest",
    "signal the door", "signal by a file", "get a handle of another process", "connect to a service of the machine",
    "send a datagram", "connect to a socket of the machine", "connect to an abstract socket", "open a netlink socket",
    "listen", "fork", "start a process", "make another terminal", "keep memory in a file without a name",
]  # fmt: skip


@pytest.fixture(scope="module", params=["root", "an ordinary user"])
def found(request: pytest.FixtureRequest) -> dict[str, Any]:
    """How the attacks ended at a door of this user."""
    if request.param == "root" and os.geteuid() != 0:
        pytest.skip("these tests do not run as root")
    user = NOBODY if request.param != "root" and os.geteuid() == 0 else None
    if lacks := run_as(user, MEANS).stdout:
        pytest.skip(f"the system lacks means: {lacks}")
    return _probe(user, "confined")


def _probe(user: int | None, mode: str, *only: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:  # not of pytest, whose folders are closed to other users
        if user is not None:
            os.chown(folder, user, user)
        done = run_as(user, PROBE, mode, folder, *only)
        assert done.returncode == 0, done.stderr
        results: dict[str, Any] = json.loads(done.stdout)
        return results


# -------------------------------------------------------------------------------------------------------- the probe
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attacker_in_a_clients_place_cannot(found: dict[str, Any], attack: str) -> None:
    assert found["attacks"][attack] in REFUSALS


@pytest.mark.parametrize("need", PERMITTED)
def test_a_client_can(found: dict[str, Any], need: str) -> None:
    assert found["permitted"][need] == "DONE"


def test_nothing_has_changed_and_the_neighbour_plays_on(found: dict[str, Any]) -> None:
    assert found["neighbour"] == 0 and found["key"] == "secret"


@pytest.mark.skipif(platform.machine() != "x86_64", reason="other machines have one kind of system calls")
def test_a_call_of_another_machine_ends_the_process(found: dict[str, Any]) -> None:
    assert found["foreign"] in (128 + 31, 128 + 11), "SIGSYS, or SIGSEGV where the kernel knows no such calls"


def test_without_confinement_the_same_attacks_succeed() -> None:
    """So the probe notices if a means of confinement is missing."""
    attacks = _probe(None, "unconfined", *POSSIBLE_UNCONFINED)["attacks"]
    assert [name for name, result in attacks.items() if result != "DONE"] == []


# ------------------------------------------------------------------------------------------------ each means by itself
def in_child(what: Callable[[], object]) -> str:
    """Do this in a child process; return what went wrong."""
    return means._tried(what)


def _needs_means() -> None:
    if lacks := means.missing():
        pytest.skip(f"the system lacks means: {lacks}")


def test_landlock_alone_keeps_a_process_in_its_folder(tmp_path: Path) -> None:
    if not landlock.version():
        pytest.skip("the kernel has no Landlock")
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        folder.mkdir()
        (folder / "file").write_text("text")

    def attack() -> None:
        confine.forbid_new_rights()
        landlock.restrict(["/usr/lib", "/dev/null"], [str(mine), "/not/there"], 7788)
        (mine / "file").write_text("changed")
        os.replace(mine / "file", mine / "moved")
        refused: list[Callable[[], object]] = [
            lambda: (other / "file").read_text(), lambda: (other / "file").write_text(""), lambda: os.listdir(other),
            lambda: os.rename(other / "file", mine / "stolen"), lambda: os.mkfifo(mine / "pipe"),
        ]  # fmt: skip
        for number, attempt in enumerate(refused):
            with pytest.raises(OSError) as problem:
                attempt()
            assert problem.value.errno in (errno.EACCES, errno.EXDEV), f"attempt {number}: {problem.value}"
        assert (mine / "moved").read_text() == "changed"

    assert not in_child(attack)
    assert (other / "file").read_text() == "text" and os.listdir(mine) == ["moved"]


def test_the_view_alone_has_the_program_and_the_folder(tmp_path: Path) -> None:
    _needs_means()
    (tmp_path / "mine").mkdir()
    (tmp_path / "secret").write_text("text")
    real = os.path.realpath(tmp_path)

    def look() -> None:
        namespaces.separate()
        view.enter(view.program_files(), f"{real}/mine")
        assert os.listdir(real) == ["mine"]
        assert not {"etc", "root", "home", "proc", "tmp"} & set(os.listdir("/")) - set(real.split("/")) - _ways()
        Path("file").write_text("text")

    assert not in_child(look)
    assert (tmp_path / "mine" / "file").exists()


def _ways() -> set[str]:
    """Folders of the root that lead to the program."""
    return {one.split("/")[1] for one in view.program_files()}


def test_the_program_is_shown_and_no_folder_of_a_person(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    files = view.program_files()
    assert not [one for one in files if str(tmp_path).startswith(one) or one in ("/", "/root", "/home", "/etc", "/usr")]
    assert any(view.__file__.startswith(one + "/") for one in files)


# ------------------------------------------------------------------------------------------------ the seccomp filter
def answer(machine: str, number: int, *arguments: int, pid: int = 77, name: int | None = None) -> int:
    """Return the verdict of this machine's filter on a call, by running its program."""
    data = {0: number, 4: MACHINES[machine][1] if name is None else name}
    data |= {16 + 8 * at: value & 0xFFFFFFFF for at, value in enumerate((*arguments, *[0] * 6)[:6])}
    at, loaded, program = 0, 0, seccomp.program(machine, pid)
    while True:
        code, yes, no, value = program[at]
        at += 1
        if code == 0x06:
            return value
        if code == 0x20:
            loaded = data[value]
        elif code == 0x54:
            loaded &= value
        elif code == 0x05:
            at += value
        else:
            at += yes if (loaded == value if code == 0x15 else loaded > value) else no


ALLOWED, REFUSED, UNKNOWN = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
THREAD, FORK = 0x3D0F00, 0x1200011
CASES: list[tuple[str, tuple[int, ...], int]] = [
    ("clone", (THREAD,), ALLOWED), ("clone", (FORK,), REFUSED), ("clone", (THREAD | 0x10000000,), REFUSED),
    ("clone", (0x4111,), REFUSED), ("clone3", (), UNKNOWN), ("socket", (2, 1 | 0x80800, 6), ALLOWED),
    ("socket", (10, 1, 0), ALLOWED), ("socket", (2, 2, 0), REFUSED), ("socket", (2, 1, 262), REFUSED),
    ("socket", (1, 1, 0), REFUSED), ("socket", (16, 3, 0), REFUSED), ("socket", (2, 3, 1), REFUSED),
    ("socketpair", (1, 1, 0), ALLOWED), ("socketpair", (16, 1, 0), REFUSED), ("ioctl", (0, 0x5413), ALLOWED),
    ("ioctl", (0, 0x5412), REFUSED), ("ioctl", (0, 0x8902), REFUSED), ("ioctl", (0, 0x5412 | 1 << 32), REFUSED),
    ("kill", (77, 15), ALLOWED), ("kill", (78, 15), REFUSED), ("kill", (-1, 15), REFUSED), ("kill", (0, 15), REFUSED),
    ("tgkill", (77, 78, 6), ALLOWED), ("tgkill", (78, 78, 6), REFUSED), ("prlimit64", (0, 7), ALLOWED),
    ("prlimit64", (78, 7), REFUSED), ("prctl", (15, 0), ALLOWED), ("prctl", (1, 0), REFUSED),
    ("prctl", (4, 1), REFUSED), ("fcntl", (0, 3), ALLOWED), ("fcntl", (0, 8), REFUSED), ("fcntl", (0, 15), REFUSED),
    ("mmap", (0, 1, 3, 0x22), ALLOWED), ("mmap", (0, 1, 3, 0x01), ALLOWED),
    ("mmap", (0, 1, 3, 0x21), REFUSED), ("mmap", (0, 1, 3, 0x23), REFUSED),
]  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_decides_by_the_arguments(machine: str) -> None:
    place = MACHINES[machine][0]
    wrong = [(call, arguments) for call, arguments, wanted in CASES
             if answer(machine, EXAMINED[call][place] or -1, *arguments) != wanted]  # fmt: skip
    assert not wrong
    assert {call for call, _, _ in CASES} == set(EXAMINED)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_refuses_what_is_denied_and_nothing_else(machine: str) -> None:
    place, name = MACHINES[machine]
    refused = {numbers[place] for numbers in DENIED.values()} - {None}
    for number in set(range(NEWEST + 1)) - {numbers[place] for numbers in EXAMINED.values()}:
        ignored = number in [numbers[place] for numbers in IGNORED.values()]
        assert answer(machine, number) == (REFUSED if number in refused else 0x50000 if ignored else ALLOWED), number
    for number in (NEWEST + 1, 512, 0x40000000, 0x40000000 | 59, 0xFFFFFFFF):
        assert answer(machine, number) == UNKNOWN, "too new, or of another set of calls (x32)"
    others = {one for _, one in MACHINES.values()} - {name} | {0x40000003, 0}
    assert {answer(machine, 1, name=one) for one in others} == {0x80000000}


def test_no_call_is_in_two_tables() -> None:
    for place in range(2):
        numbers = [one[place] for table in (DENIED, EXAMINED, IGNORED) for one in table.values()
                   if one[place] is not None]  # fmt: skip
        assert len(numbers) == len(set(numbers))


# ------------------------------------------------------------------------------------------------------- its beginning
STEPS: list[tuple[object, str, str]] = [
    (view, "program_files", "its files"), (namespaces, "separate", "namespaces"),
    (namespaces, "host_socket", "a network of its own"), (namespaces, "give", "its folder"),
    (limits, "limit", "limits"), (view, "enter", "a view of its own"), (namespaces, "become", "a user without rights"),
    (confine, "end_with", "an end with its parent"), (confine, "forbid_new_rights", "no new rights"),
    (landlock, "restrict", "Landlock"), (seccomp, "restrict", "a filter of system calls"),
]  # fmt: skip


@pytest.mark.long(4)
@pytest.mark.parametrize(("module", "name", "step"), STEPS, ids=[step for _, _, step in STEPS])
def test_a_step_that_fails_ends_the_process_before_its_guest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, name: str, step: str
) -> None:
    _needs_means()
    if name == "give" and namespaces.own_user() is None:
        pytest.skip("only root gives folders away")

    def fail(*arguments: object, **named: object) -> None:
        raise OSError(errno.EPERM, "no")

    monkeypatch.setattr(module, name, fail)
    ours, control = socket.socketpair()
    reading, writing = os.pipe()
    guests, typed = os.pipe()
    os.write(typed, b"of the guest")
    start = Start(1, "a" * 32, "ann", str(tmp_path), "", {}, terminal=False)
    parent, child = os.getpid(), os.fork()
    if child == 0:
        run_child(start, [guests, writing, writing, control.fileno()], parent, _say_started, confined=True)
    for one in (writing, control.detach()):
        os.close(one)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == NOT_CONFINED
    with ours, os.fdopen(reading, "rb") as said:
        sentence = ours.recv(4096) + ours.recv(4096)
        assert sentence.removeprefix(HANDED_OUT).decode() == f"the process of a guest cannot be confined ({step}): no"
        assert said.read() == b"", "the program must not have run"
    assert os.read(guests, 100) == b"of the guest"
    os.close(guests)
    os.close(typed)


def _say_started(start: Start) -> int:
    os.write(1, b"started")
    return 0


async def test_root_gives_each_guest_a_user_without_rights_and_its_folder(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can become another user")
    _needs_means()
    async with open_door(tmp_path, "tests.netcode.door.scripted", confined=True) as door:
        users = set()
        for _ in range(2):
            session, channel = await door.guest()
            await channel.until_text("ready")
            lines = Path(f"/proc/{session.pid}/status").read_text().splitlines()
            status = dict(line.split(":\t", 1) for line in lines)
            assert status["CapEff"] == status["CapPrm"] == "0" * 16
            assert status["NoNewPrivs"] == "1" and status["Seccomp"] == "2"
            user = os.stat(session.guest.folder).st_uid
            assert status["Uid"].split() == status["Gid"].split() == [str(user)] * 4 and not status["Groups"].strip()
            users.add(user)
        assert len(users) == 2 and min(users) >= namespaces.FIRST_USER


# ----------------------------------------------------------------------------------------------------- what is missing
def test_each_means_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    monkeypatch.setattr(platform, "machine", lambda: "vax")
    found = means.found_missing()
    assert found[0].startswith("the kernel has no Landlock")
    assert found[1] == "there is no table of system calls for this machine (vax)"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert "only Linux" in means.found_missing()[0]


def test_user_namespaces_that_are_forbidden_are_named() -> None:
    done = within_no_user_namespaces(MEANS)
    assert "this process may make no user namespaces" in done.stdout, done.stderr
