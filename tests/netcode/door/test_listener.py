"""What a guest can ask of the door, and what one connection can take: with the real ssh."""

import asyncio
import resource
import shutil
import signal
import socket
import sys
from pathlib import Path

import pytest

pytest.importorskip("asyncssh", reason="needs the extra serve")

import asyncssh
from asyncssh.constants import MSG_GLOBAL_REQUEST
from asyncssh.packet import Boolean, String

from netcode.door import line, listener
from netcode.door.admission import STRANGERS
from netcode.door.listener import TOLD
from tests.netcode.door.channel import eventually
from tests.netcode.door.opened import connect, make_key, needs_ssh, opened, ssh, table_of

pytestmark = [needs_ssh, pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the door needs Linux")]


async def test_words_of_the_command_line_and_variables_are_read_with_bounds(tmp_path: Path) -> None:
    home = tmp_path / "ann"
    key = make_key(home)
    async with opened(tmp_path / "door", open=True) as door:
        watching = await ssh(
            door.port, home, "watch", key=key, options=("SendEnv=*",),
            variables={"LC_ALL": "de_DE.UTF-8", "NO_COLOR": "1", "LD_PRELOAD": "x.so", "LC_BAD": "a;b"},
        )  # fmt: skip
        told = await watching.told()
        assert told["what"] == "watch" and told["terminal"]
        assert told["environment"] == {"TERM": "xterm-256color", "LC_ALL": "de_DE.UTF-8", "NO_COLOR": "1"}
        await watching.leave()
        table = await ssh(door.port, home, "table", "The", "first", key=key, terminal=False)
        told = await table.told()
        assert told["what"] == "table The first" and table_of(told) == "lobby"
        assert not told["terminal"] and told["environment"]["TERM"] == "dumb"
        await table.leave()
        for command in (["/bin/sh"], ["watch;id"], ["x" * 5000], ["scp", "-t", "/tmp"], ["table"]):
            code, out = await (await ssh(door.port, home, *command, key=key)).end()
            assert code == 2 and "nothing else can be run here" in out and "<<" not in out, command


async def test_nothing_but_a_session_is_given(tmp_path: Path) -> None:
    home = tmp_path / "ann"
    key = make_key(home)
    async with opened(tmp_path / "door", open=True) as door:
        options = ("ForwardAgent=yes", "ForwardX11=yes", "ExitOnForwardFailure=yes")
        for remote in ("0:127.0.0.1:1", f"{home}/remote.sock:127.0.0.1:1"):
            given = (*options, f"RemoteForward={remote.replace(':', ' ', 1)}")
            code, out = await (await ssh(door.port, home, key=key, options=given)).end()
            assert code == 255 and "<<" not in out, out
        connection = await connect(door.port, client_keys=[str(key)])
        for refused in (
            connection.open_connection("127.0.0.1", door.port), connection.open_unix_connection("/run/x"),
            connection.start_sftp_client(), connection.create_process(subsystem="netconf"),
        ):  # fmt: skip
            with pytest.raises((asyncssh.Error, OSError)):
                await asyncio.wait_for(refused, 20)
        assert not len(door.sessions)
        connection.close()
        agent = await ssh(door.port, home, key=key, options=options[:2])
        assert not any("SSH" in name or name == "DISPLAY" for name in (await agent.told())["environment"])
        await agent.leave()
        if shutil.which("sftp"):
            sftp = await asyncio.create_subprocess_exec(
                "sftp", "-F", "none", "-P", str(door.port), "-o", "StrictHostKeyChecking=no", "-o",
                f"UserKnownHostsFile={home}/hosts", "-o", f"IdentityFile={key}", "-o", "IdentitiesOnly=yes", "-b", "-",
                "ann@127.0.0.1", stdin=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            assert await sftp.wait() == 255


async def test_old_algorithms_are_not_spoken(tmp_path: Path) -> None:
    """A client that knows nothing newer gets no further than the exchange of keys."""
    async with opened(tmp_path / "door", open=True) as door:
        for old in (
            {"kex_algs": ["diffie-hellman-group14-sha1", "diffie-hellman-group-exchange-sha1"]},
            {"server_host_key_algs": ["ssh-rsa", "rsa-sha2-256"]}, {"encryption_algs": ["aes128-cbc", "3des-cbc"]},
            {"encryption_algs": ["aes256-ctr"], "mac_algs": ["hmac-sha1", "hmac-md5"]},
        ):  # fmt: skip
            with pytest.raises(asyncssh.KeyExchangeFailed):
                await connect(door.port, **old)


async def test_the_same_key_from_elsewhere_ends_the_older_session(tmp_path: Path) -> None:
    key = make_key(tmp_path / "ann")
    async with opened(tmp_path / "door", open=True) as door:
        first = await ssh(door.port, tmp_path / "ann", key=key)
        identity = (await first.told())["identity"]
        first.process.send_signal(19)  # SIGSTOP: its line is open and silent
        second = await ssh(door.port, tmp_path / "elsewhere", key=key)
        assert (await second.told())["identity"] == identity and len(door.sessions) == 1
        first.process.send_signal(18)
        _, out = await first.end()
        assert "come in again from another place" in out
        page = await ssh(door.port, tmp_path / "elsewhere", "help", key=key)
        assert (await page.told())["what"] == "help" and len(door.sessions) == 2, "a page ends no game"
        await page.leave()
        second.process.kill()
        third = await ssh(door.port, tmp_path / "third", key=key)
        assert (await third.told())["identity"] == identity
        await third.leave()
        await eventually(lambda: not len(door.sessions))


async def test_a_connection_without_a_session_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "IDLE_S", 0.2)
    monkeypatch.setattr(listener, "BEGIN_S", 0.2)
    home = tmp_path / "ann"
    async with opened(tmp_path / "door", open=True) as door:
        idle = await ssh(door.port, home, key=make_key(home), terminal=False, options=("SessionType=none",))
        code, out = await idle.end()
        assert code == 255 and "nothing was asked for" in out
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        assert (await reader.read()).startswith(b"SSH-2.0-kickdoor"), "a silent line is ended"
        writer.close()
        await eventually(lambda: not len(door.listener.admission))


async def test_a_line_on_which_nobody_answers_ends_and_keeps_the_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line, "KEEPALIVE_S", 0.1)
    home = tmp_path / "ann"
    async with opened(tmp_path / "door", open=True) as door:
        ann = await ssh(door.port, home, key=make_key(home))
        await ann.told()
        ann.process.send_signal(signal.SIGSTOP)
        await eventually(lambda: not len(door.sessions))
        ann.process.send_signal(signal.SIGCONT)
        await ann.end()


async def test_strangers_are_counted_for_each_address_and_in_all(tmp_path: Path) -> None:
    home = tmp_path / "ann"
    key = make_key(home)
    async with opened(tmp_path / "door", open=True) as door:
        lines = [socket.create_connection(("127.0.0.1", door.port)) for _ in range(50)]  # fewer than BACKLOG holds
        await eventually(lambda: "too many of this address" in door.logged or "too fast" in door.logged)
        assert door.listener.admission.strangers <= 32
        for one in lines:
            one.close()
        await eventually(lambda: not door.listener.admission.strangers)
        door.listener.admission._rates.clear()  # a minute later
        guest = await ssh(door.port, home, key=key)
        await guest.told()
        await guest.leave()


async def test_a_paste_of_megabytes_arrives_and_others_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "READ", (4 << 20, 1 << 18))
    async with opened(tmp_path / "door", open=True) as door:
        one = await ssh(door.port, tmp_path / "ann", key=make_key(tmp_path / "ann"))
        other = await ssh(door.port, tmp_path / "ben", key=make_key(tmp_path / "ben"), user="ben")
        await one.told()
        await other.told()
        one.type("x" * (2 << 20) + "the end")
        other.type("hello")
        await other.until("hello")
        await one.until("the end")
        await one.leave()
        await other.leave()


async def test_a_program_that_crashes_ends_with_a_sentence(tmp_path: Path) -> None:
    home = tmp_path / "ann"
    async with opened(tmp_path / "door", open=True) as door:
        guest = await ssh(door.port, home, key=make_key(home))
        await guest.told()
        import os  # the process of the guest's program

        os.kill(door.sessions.all()[0].pid, 11)
        code, out = await guest.end()
        assert code == 139 and "ended unexpectedly" in out and f"ssh -p {door.port}" in out and "\x1b[?1049l" in out


async def test_who_is_refused_reads_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real ssh shows the sentence; it needs no exchange of keys."""
    async with opened(tmp_path / "door", open=True) as door:
        monkeypatch.setattr(door.listener.admission, "refusal", lambda address: "too many of this address")
        refused = await ssh(door.port, tmp_path / "ann", key=make_key(tmp_path / "ann"))
        code, out = await refused.end()
        assert code == 255 and "takes no more connections now (too many of this address); try again in a minute" in out
        monkeypatch.undo()
        guest = await ssh(door.port, tmp_path / "ann", key=tmp_path / "ann" / "id")
        await guest.told()
        await guest.leave()


@pytest.mark.long(0)
async def test_a_thousand_connections_cost_a_bound_and_a_guest_still_comes_in(tmp_path: Path) -> None:
    """Silent connections come from twenty addresses. Only the allowed number stays open, and the players do not
    notice."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    loop = asyncio.get_running_loop()
    async with opened(tmp_path / "door", open=True) as door:
        ann = await ssh(door.port, tmp_path / "ann", key=make_key(tmp_path / "ann"))
        await ann.told()
        lines, most = [], 0
        for number in range(1000):
            sock = socket.socket()
            sock.setblocking(False)
            sock.bind((f"127.0.{1 + number % 20}.9", 0))
            await loop.sock_connect(sock, ("127.0.0.1", door.port))
            lines.append(sock)
            most = max(most, len(door.listener._connections) + len(door.listener._told))
            if number % 100 == 0:
                ann.type(f"<{number}>")
                await ann.until(f"<{number}>")
        await eventually(lambda: door.listener.admission.strangers <= STRANGERS)
        assert most <= STRANGERS + TOLD + 2
        ben = await ssh(door.port, tmp_path / "ben", key=make_key(tmp_path / "ben"), user="ben")
        await ben.told()
        for one in lines:
            one.close()
        await ben.leave()
        await ann.leave()


async def test_answers_that_nobody_reads_are_bounded_and_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client asks without end and reads nothing. The door stops reading it, and keeps only a bounded number of
    answers for it."""
    monkeypatch.setattr(line, "READ", (1 << 30, 1 << 30))  # switch this limit off: it would stop the client too
    home = tmp_path / "ben"
    async with opened(tmp_path / "door", open=True) as door:
        key = make_key(tmp_path / "ann")
        deaf = await connect(door.port, client_keys=[asyncssh.read_private_key(str(key))])
        visitor = next(iter(door.listener._connections))
        transport = deaf._transport
        for end in (deaf, visitor.line):  # otherwise the system would buffer megabytes for each end
            for buffer in (socket.SO_RCVBUF, socket.SO_SNDBUF):
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, buffer, 4096)
        transport.pause_reading()
        ben = await ssh(door.port, home, key=make_key(home), user="ben")
        await ben.told()
        most = asked = 0
        while asked < 100_000 and transport.get_write_buffer_size() < 1 << 18 and not transport.is_closing():
            for _ in range(500):
                deaf.send_packet(MSG_GLOBAL_REQUEST, String(b"x" * 20), Boolean(True))
            asked += 500
            await asyncio.sleep(0)
            most = max(most, visitor.line.unsent())
        ben.type("still here")
        await ben.until("still here")
        assert most <= line.UNREAD_MOST + line.UNREAD_BYTES
        assert transport.get_write_buffer_size() >= 1 << 18 or transport.is_closing(), "the door read all of it"
        deaf.abort()
        await ben.leave()
