"""Why a client is not in: each reason is a sentence of its own."""

import asyncio
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from netcode.client.client import Client, ClientError
from netcode.client.state_machine import ConnectionChanged
from netcode.client.transport import not_connected
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join, new_pair, parse_join, place_text
from netcode.protocol.versions import in_own_words, version_problem
from tests.netcode.running_host import running_host, seated
from tests.patience import PATIENCE_S

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how many bytes have come")


@contextmanager
def program(answers: Callable[[socket.socket], None]) -> Iterator[Join]:
    """Run a program that accepts connections but is no host; yield a join string that leads to it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        calls: list[socket.socket] = []

        def serve() -> None:
            while True:
                try:
                    call, _ = listener.accept()
                except OSError:
                    return
                calls.append(call)
                answers(call)

        threading.Thread(target=serve, daemon=True).start()
        yield Join("127.0.0.1", listener.getsockname()[1], "t", new_pair().public, bytes(16))
        listener.shutdown(socket.SHUT_RDWR)
        for call in calls:
            call.close()


def hang_up(call: socket.socket) -> None:
    """End a connection as `ssh -L` does: it accepts the connection first, then finds that nobody listens behind the
    tunnel."""
    call.recv(1)
    call.close()


async def why_not(join: Join | str, name: str = "Eve", timeout: float = 3.0) -> str:
    """Return why nobody gets in with this string."""
    with pytest.raises(ClientError) as error:
        await Client(join, name, keep=False).join(timeout=timeout)
    return str(error.value)


@needs_linux
async def test_a_tunnel_with_nobody_behind_it_is_no_wrong_key() -> None:
    with program(hang_up) as join:
        told = await why_not(join)
    assert "takes the call and hangs up at once: a tunnel" in told and "key" not in told


async def test_a_frozen_host_is_no_wrong_key() -> None:
    frozen = limits.CLIENT_HANDSHAKE_MS / 1000 + 2
    with program(lambda call: None) as join:
        async with running_host() as host:
            os.kill(host.process.pid, signal.SIGSTOP)
            silent, stopped = await asyncio.gather(why_not(join, timeout=frozen), why_not(host.join, timeout=frozen))
            os.kill(host.process.pid, signal.SIGCONT)
            async with seated(host, "Kim", "Roger", "Ross"):
                pass
    for told in (silent, stopped):
        assert "takes the call and says nothing" in told and "frozen" in told and "key" not in told, told


async def test_every_other_reason_has_its_own_sentence_too() -> None:
    async with running_host(bots=0) as host:
        right = parse_join(host.join)
        async with seated(host, "Kim", "Roger", "Ross"):
            found = await asyncio.gather(
                why_not(replace(right, key=new_pair().public)), why_not(replace(right, token=bytes(16))),
                why_not(host.watch), why_not(host.join), why_not(replace(right, port=9)),
            )  # fmt: skip
        told = [*found, await why_not(host.join, "...")]
    wanted = (
        "refused the key", "no table here fits this join string", "for spectators only", "seats", "nobody answers",
        "letter",
    )  # fmt: skip
    for text, words in zip(told, wanted):
        assert words in text
    assert len(set(told)) == len(wanted)


async def test_a_host_that_is_killed_is_first_lost_and_then_nobody_answers() -> None:
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as (kim, *_):
        where = place_text(kim.target.host, kim.target.port)
        told: list[str] = []
        kim.subscribe(lambda message: told.append(message.text) if isinstance(message, ConnectionChanged) else None)
        host.process.kill()
        await kim.wait_for(lambda one: one.reason.startswith("nobody answers"), PATIENCE_S)
        assert told[0].startswith(f"the connection to {where} was lost")
        assert told[-1].startswith(f"nobody answers at {where}: is the host running, is the address right?")


def test_another_version_says_which_side_to_update() -> None:
    here, there = version_problem(1, wire.OLDEST - 1), version_problem(wire.WIRE + 1, wire.WIRE + 1)
    assert here.startswith("your kickdoor is older") and there.startswith("the host's kickdoor is older")
    assert not version_problem(wire.WIRE, wire.WIRE) and not version_problem(0, 99)
    assert not version_problem(wire.OLDEST, wire.OLDEST) and not version_problem(wire.OLDEST, wire.WIRE)
    old = "the host speaks protocol {}, this client 4 to 4: update the older one"
    assert in_own_words(old.format(wire.WIRE + 1)).startswith("your kickdoor is older")
    assert in_own_words(old.format(wire.WIRE - 1)).startswith("the host's kickdoor is older")
    assert in_own_words(there) == there and "4 to 4" not in in_own_words(old.format(wire.WIRE - 1))


def test_where_the_system_says_nothing_of_bytes_both_are_possible() -> None:
    assert "no host there now, or the join string is old" in not_connected("h:1", -1, False)
    assert "refused the key" in not_connected("h:1", 64, False)
    assert "says nothing:" in not_connected("h:1", -1, True)
    assert "says nothing more:" in not_connected("h:1", 64, True)
