"""The process of `kickdoor serve`, with a real host behind it, and what it keeps on the disk."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("asyncssh", reason="needs the extra serve")

from netcode.client.client import Client
from netcode.door import announcement, guest_folders, identities, return_codes, serve
from netcode.door.admission import Admission, Stranger
from netcode.door.config import DoorConfig
from netcode.door.confinement.means import POSSIBLE
from netcode.door.host_keys import FILE, fingerprint, host_key, sshfp
from netcode.door.identities import Identities, identity_of
from netcode.door.interfaces import HostingError, Strings
from netcode.host.config import ConfigError, HostConfig
from netcode.processes.start import child_env
from netcode.protocol.credentials import Join, parse_join
from tests.netcode.door.opened import PROGRAM, make_key, needs_ssh, ssh, string
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")
RUN = f"""
import sys
from netcode.door.config import DoorConfig
from netcode.door.hosting import tables_for
from netcode.door.serve import run_door
from netcode.host.config import HostConfig
options = dict(one.split("=", 1) for one in sys.argv[1:])
sys.exit(run_door(DoorConfig({PROGRAM!r}, HostConfig(seats=3), port=int(options.pop("port")), confined=False,
                             json=True, **options), tables_for))
"""


@contextmanager
def serving(
    data: Path, port: int = 0, stdin: int = subprocess.DEVNULL, **options: str
) -> "Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]":
    """Run a door with a host behind it; yield the process and what it printed."""
    arguments = [f"{name}={value}" for name, value in {"port": port, **options}.items()]
    with subprocess.Popen(
        [sys.executable, "-c", RUN, *arguments], env={**child_env(), "KICKDOOR_DATA": str(data)}, text=True,
        stdout=subprocess.PIPE, stdin=stdin,
    ) as process:  # fmt: skip
        assert process.stdout is not None, "a pipe"
        try:
            yield process, json.loads(process.stdout.readline())
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            process.wait(60)


@needs_ssh
async def test_a_door_with_its_host_lets_guests_in_again_after_a_restart(tmp_path: Path) -> None:
    key = make_key(tmp_path / "ann")
    with serving(tmp_path / "data") as (process, opened):
        assert opened["ssh"] == [f"ssh -p {opened['port']} 127.0.0.1"] and opened["fingerprint"].startswith("SHA256:")
        guest = await ssh(opened["port"], tmp_path / "ann", key=key, answers=(opened["words"],))
        told = await guest.told()
        where = parse_join(told["join"])
        assert where.host == "127.0.0.1" and where.table == parse_join(opened["join"]).table
        assert where.port != parse_join(opened["join"]).port, "it calls its host through the door"
        shown = (tmp_path / "ann" / "known_hosts").read_text()
        process.send_signal(signal.SIGHUP)
        guest.type("still here")
        await guest.until("still here")
        process.send_signal(signal.SIGTERM)
        _, out = await guest.end()
        assert "The door closes now, and your seat is kept" in out
        assert process.wait(60) == 0
    folder = tmp_path / "data" / "serve" / str(opened["port"])
    assert not [path for path in folder.rglob("*") if path.is_file() and path.stat().st_mode & 0o077]
    with serving(tmp_path / "data", opened["port"]) as (_, again):
        assert again["fingerprint"] == opened["fingerprint"]
        back = await ssh(again["port"], tmp_path / "ann", key=key)
        assert (await back.told())["identity"] == told["identity"] and len(back.asked) == len(guest.asked)
        assert (tmp_path / "ann" / "known_hosts").read_text() == shown
        await back.leave()


@needs_ssh
async def test_ctrl_c_says_who_is_in_and_closes_the_door_at_the_second_time(tmp_path: Path) -> None:
    ours, terminal = os.openpty()
    with serving(tmp_path / "data", stdin=terminal, open="yes") as (process, opened):
        assert process.stdout is not None, "a pipe"
        guest = await ssh(opened["port"], tmp_path / "ann", key=make_key(tmp_path / "ann"))
        await guest.told()
        process.send_signal(signal.SIGINT)
        said = await asyncio.to_thread(process.stdout.readline)
        assert said.startswith("ann is in. Their seats are kept. Ctrl-C again within ")
        guest.type("still here")
        await guest.until("still here")
        process.send_signal(signal.SIGINT)
        _, out = await guest.end()
        assert "The door closes now, and your seat is kept" in out
        assert await asyncio.to_thread(process.wait, PATIENCE_S) == 0
    for end in (ours, terminal):
        os.close(end)


@needs_ssh
async def test_renewed_words_are_said_and_old_ones_let_nobody_in(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as (process, opened):
        owner = Client(opened["owner"], "Kim", keep=False)
        await owner.join(timeout=PATIENCE_S)
        owner.admin("renew", value="words")
        assert process.stdout is not None, "a pipe"
        again = json.loads(await asyncio.to_thread(process.stdout.readline))
        assert again["words"] != opened["words"] and {**again, "words": ""} == {**opened, "words": ""}
        home, key = tmp_path / "ann", make_key(tmp_path / "ann")
        late = await ssh(opened["port"], home, key=key, answers=(opened["words"],) * 3)
        assert (await late.end())[0] == 255
        guest = await ssh(opened["port"], home, key=key, answers=(again["words"],))
        await guest.told()
        await guest.leave()
        await owner.close()


def test_people_read_new_words_only_if_newcomers_are_asked_for_them() -> None:
    strings = Strings(string("first"), words="otter-lamp-42")
    assert announcement.words_now(DoorConfig(PROGRAM), strings) == "  words now: otter-lamp-42"
    assert announcement.words_now(DoorConfig(PROGRAM, open=True), strings) == ""


@pytest.mark.parametrize(("host", "as_one"), (("203.0.113.9", True), ("elsewhere.example", True), ("127.0.0.1", False)))
def test_the_door_says_that_a_host_on_another_machine_sees_one_address(
    host: str, as_one: bool, tmp_path: Path
) -> None:
    join = str(Join(host, 7788, "t", bytes(32), bytes(16)))
    opened = announcement.record(DoorConfig(PROGRAM, join=join), 2222, host_key(tmp_path), Strings(join))
    assert opened.as_one == as_one == (announcement.AS_ONE in announcement.for_people(opened))


def test_the_key_is_made_once_for_its_owner_alone_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    key = host_key(tmp_path)
    path = tmp_path / FILE
    assert path.stat().st_mode & 0o777 == 0o600 and [one.name for one in tmp_path.iterdir()] == [FILE]
    assert fingerprint(host_key(tmp_path)) == fingerprint(key)
    path.with_suffix(".pub").write_bytes(key.export_public_key())
    shown = subprocess.run(["ssh-keygen", "-r", "HOST", "-f", str(path.with_suffix(".pub"))], capture_output=True)
    assert sshfp(key).split()[-1] in shown.stdout.decode()
    path.write_text("nothing")
    with pytest.raises(HostingError, match="damaged"):
        host_key(tmp_path)


def test_the_least_recently_used_guest_who_left_nothing_is_forgotten_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identities, "MOST", 3)
    known = Identities(tmp_path)
    guests = [identity_of(bytes([number])) for number in range(5)]
    for one in guests[:3]:
        known.enter(one, "ann", string("first"))
    seat = known.folder(guests[0]) / "seats"
    seat.mkdir()
    (seat / "ann.json").write_text("{}")
    known.enter(guests[3], "dan", string("first"), here=[guests[1]])
    assert [known.is_known(one) for one in guests] == [True, True, False, True, False]
    with pytest.raises(HostingError, match="all of them are in"):
        known.enter(guests[4], "eve", string("first"), here=guests[:4])
    assert Identities(tmp_path).is_known(guests[3]), "it is on the disk"


def test_a_folder_is_kept_within_its_quota_and_seats_go_last(tmp_path: Path) -> None:
    known = Identities(tmp_path)
    guest = identity_of(b"")
    known.enter(guest, "ann", string("first"))
    folder = known.folder(guest)
    (folder / "seats").mkdir()
    (folder / "seats" / "ann.json").write_text("{}")
    outside = tmp_path / "precious"
    outside.write_text("stays")
    os.symlink(outside, folder / "link")
    for number in range(5):
        with open(folder / f"{number}.replay", "wb") as file:
            file.truncate(5 << 20)
        os.utime(folder / f"{number}.replay", (number + 10, number + 10))
    known.left(guest)
    assert sorted(path.name for path in folder.glob("*.replay")) == ["2.replay", "3.replay", "4.replay"]
    assert (folder / "seats" / "ann.json").exists() and outside.read_text() == "stays"


def test_folders_without_end_are_removed_when_their_guest_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest_folders, "FILES", 50)
    known = Identities(tmp_path)
    guest = identity_of(b"")
    known.enter(guest, "ann", string("first"))
    folder = known.folder(guest)
    for number in range(201):
        os.mkdir(folder / str(number))
    known.left(guest)
    assert not folder.exists()


def test_the_oldest_stranger_of_the_busiest_address_makes_room() -> None:
    ended: list[int] = []
    admission = Admission(lambda: 0.0)
    for number in range(256):
        address = "10.0.0.1" if number % 16 < 8 else f"10.0.{number}.2"
        admission.add(Stranger(address, partial(ended.append, number)))
    admission.add(Stranger("10.9.9.9", lambda: ended.append(-1)))
    assert ended == [0] and admission.strangers == 256
    refusals = [admission.refusal("10.8.8.8") for _ in range(61)]
    assert refusals[:60] == [""] * 60 and refusals[60] == "too fast"


def test_codes_are_told_from_words_and_have_as_many_bits() -> None:
    code = return_codes.new_code(())
    assert return_codes.read_code(code.replace("-", " ").upper()) == code
    assert return_codes.number_of(code) in return_codes.NUMBERS
    assert not return_codes.read_code("otter-lamp-42") and not return_codes.read_code("x" * 10_000)


def test_without_asyncssh_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    code = "import sys; sys.modules['asyncssh'] = None; from tui.cli.main import main; sys.argv[1:] = ['serve']; main()"
    done = subprocess.run([sys.executable, "-c", code], env=child_env(), capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "pip install 'kickdoor[serve]'" in done.stderr


def test_without_the_means_to_confine_guests_it_refuses_and_unconfined_it_says_what_is_possible(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "missing", lambda: ["the kernel has no Landlock"])
    with pytest.raises(ConfigError, match=r"the kernel has no Landlock.*--unconfined does so anyway"):
        serve._check_confinement(DoorConfig(PROGRAM, HostConfig()))
    monkeypatch.setattr(serve, "missing", lambda: [])
    serve._check_confinement(DoorConfig(PROGRAM, HostConfig()))
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    serve._check_confinement(DoorConfig(PROGRAM, HostConfig(), confined=False))
    told = capsys.readouterr().err
    assert "guests are not confined" in told and POSSIBLE[0] in told and "run as root" in told
