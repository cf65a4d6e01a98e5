"""The log of a host's internal errors: it says where and why, for the whole chain, and contains no hand, state, token
or key, wherever the host fails and whatever the error says.
"""

import asyncio
import base64
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from signal import SIGUSR2

import pytest

from core.state.model import defn_of
from netcode.client.client import Client
from netcode.client.lobby_client import LobbyClient
from netcode.journal import Journal
from netcode.protocol.credentials import parse_join
from netcode.reporting import TRACEBACKS, WITHHELD, _Formatter, describe_fault, fault_line
from tests.blends import catalog_of
from tests.faults.busy_players import Player, at_play
from tests.faults.default_host import DefaultHost
from tests.faults.leaky_host import PLACES
from tests.netcode.running_host import until, you
from tests.patience import PATIENCE_S

LEAKY = (sys.executable, "-m", "tests.faults.leaky_host")
SETS = ("munchkins-and-mazes",)


def secrets_of(host: DefaultHost, players: list[Player]) -> Iterator[str]:
    """Yield texts that must not be in a report: hands by id and by name, tokens and keys in every spelling."""
    cards = catalog_of(SETS).cards
    for player in players:
        if player.client.view is not None:
            for card in you(player.client).hand:
                yield from (str(card), cards[defn_of(card)].name)
        yield from _spelled(player.client._saved_seat.token)
    for name in ("join", "watch", "owner", "lobby"):
        yield from _spelled(parse_join(host.strings[name]).token)
    (key,) = host.home.glob("hosts/*/server.key")
    yield from (key.read_text()[64:], *_spelled(bytes.fromhex(key.read_text())[32:]))


def _spelled(secret: bytes) -> Iterator[str]:
    if secret:
        yield from (secret.hex(), base64.urlsafe_b64encode(secret).rstrip(b"=").decode(), repr(secret)[2:-1])


async def logged(host: DefaultHost, text: str) -> None:
    """Wait until the host's log has this text. Raises AssertionError if it never does."""
    try:
        await until(lambda: text in host.errors, PATIENCE_S)
    except TimeoutError:
        raise AssertionError(f"{text!r} is not in the log: {host.errors[-1000:]}") from None


async def test_wherever_a_host_fails_its_log_says_where_and_holds_nothing_secret(tmp_path: Path) -> None:
    host, secrets = DefaultHost(tmp_path / "home"), set[str]()
    strings = await host.start("--port", "0", "--no-restart", "--pace", "relaxed", program=LEAKY)
    visitor = LobbyClient(strings["lobby"], "Vic", keep=False)
    spectators: list[Client] = []
    try:
        await visitor.enter()
        async with at_play(strings["join"], 3) as (players, _):
            for owner, name in PLACES:
                await players[0].client.wait_for(lambda one: one.stage == "synced" and one.view is not None, PATIENCE_S)
                secrets |= set(secrets_of(host, players))
                assert host.process is not None
                host.process.send_signal(SIGUSR2)
                spectators.append(watching := Client(strings["watch"], "Ann", role="watch", keep=False))
                joining = asyncio.ensure_future(watching.join())
                # the raising frame: an outer frame may have been logged before
                told = f"in failing {owner.__name__}.{name}\n    raise Leak("
                await logged(host, told if owner is not Journal else "cannot be written")
                joining.cancel()
            assert await asyncio.to_thread(host.process.wait, 20) == 1
            assert "the journal cannot be written (Leak)" in host.errors
        log = host.errors
        assert log.count("KeyError: (") >= len(PLACES) - 1, "the cause is named too"
        found = [secret for secret in secrets if secret in log]
        assert not found and len(secrets) > 40, found
        assert max(map(len, log.splitlines())) < 400, "what is this?"
    finally:
        for client in (visitor, *spectators):
            await client.close()
        host.kill()


def test_a_chain_of_errors_is_described_from_its_cause_on_and_without_the_texts_of_ours() -> None:
    def inner() -> None:
        [].remove("Kneepads")  # type: ignore[arg-type]

    try:
        try:
            inner()
        except ValueError as problem:
            raise RuntimeError("in the hand: Kneepads") from problem
    except RuntimeError as error:
        told = describe_fault(error)
    assert told.index("ValueError: list.remove(x): x not in list") < told.index("That was the cause of:")
    assert told.endswith(f"RuntimeError: ({WITHHELD})") and "in inner" in told
    group = ExceptionGroup("Kneepads", [ZeroDivisionError("division by zero"), KeyError("Kneepads")])
    line = fault_line(group)
    assert line == f"ExceptionGroup: ({WITHHELD}); of 2: ZeroDivisionError: division by zero, KeyError: ({WITHHELD})"


def test_endless_errors_do_not_fill_the_disk() -> None:
    form = _Formatter("%(message)s")
    try:
        raise KeyError("Kneepads")
    except KeyError as problem:
        error = problem
    record = logging.LogRecord("kickdoor", logging.ERROR, "", 0, "again", (), (KeyError, error, error.__traceback__))
    lines = [form.format(record).count("\n") for _ in range(TRACEBACKS + 100)]
    assert lines[0] > 2 and lines[TRACEBACKS:] == [1] * 100


@pytest.mark.parametrize("text", ("no hand holds Kneepads", "['Kneepads']", "1234567"))
def test_the_text_of_an_error_of_ours_is_left_out(text: str) -> None:
    for error in (ValueError(text), KeyError(text), AssertionError(text), Exception(text)):
        assert text not in fault_line(error)
