"""A client ends the connection to a host that sends something impossible: with one sentence, and nothing else."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest

from core.state.actions import Kick
from netcode.client import connection
from netcode.client.client import Client, ClientError
from netcode.client.flood import BAD_HOST
from netcode.client.lobby_client import LobbyClient
from netcode.protocol import codec, wire
from netcode.protocol.credentials import Join
from netcode.protocol.pack_files import built_in_hash
from tests.netcode.protocol.evil_messages import evil_frames, packed, whole_messages
from tests.netcode.protocol.table_messages import UNKNOWN, changed, delta, honest_view, welcome

SENTENCE = re.compile(r"the host says what cannot be( \([A-Za-z0-9_., \[\]]+\))?, so the connection was closed: [^\n]+")
PACKS = [wire.PackInfo("munchkins-and-mazes", built_in_hash("munchkins-and-mazes"))]


class Line:
    """A connection to a host whose messages come from a test."""

    def __init__(
        self, target: Join, pair: object, context: object, received: Callable[[bytes], None],
        linked: Callable[[bool, str, str], None],
    ) -> None:  # fmt: skip
        self.sent: list[bytes] = []
        self.closed, self._received = False, received
        asyncio.get_running_loop().call_soon(linked, True, "", "")

    @property
    def place(self) -> None:
        """It has one address."""

    def know(self, target: Join) -> None:
        """Note where the other hosts of a club are."""

    def send(self, frame: bytes) -> bool:
        """Keep what the client sends."""
        self.sent.append(frame)
        return True

    def close(self, linger_ms: int = 0) -> None:
        """Note that the client has hung up."""
        self.closed = True

    def say(self, *messages: Any) -> None:
        """Say these messages, or frames, to the client."""
        for message in messages:
            self._received(message if isinstance(message, bytes) else codec.packed(message))


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> list[Line]:
    """The lines of the clients of this test."""
    made: list[Line] = []

    class Kept(Line):
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            made.append(self)

    monkeypatch.setattr(connection, "Transport", Kept)
    return made


async def at_a_table(lines: list[Line], *messages: Any, table: str = "t") -> tuple[Client, Line, "asyncio.Future[Any]"]:
    """Return a client that has received these messages, its line, and its `join`."""
    client = Client(Join("127.0.0.1", 7788, table, b"k" * 32, b"j" * 16), "Kim", keep=False)
    joining = asyncio.ensure_future(client.join())
    while not lines or not lines[-1].sent:
        await asyncio.sleep(0)
    lines[-1].say(*messages)
    return client, lines[-1], joining


def ended(client: Client | LobbyClient, line: Line) -> None:
    """Assert that this client has ended the connection, and says so in one sentence."""
    assert (client.stage, client.code, line.closed) == ("closed", BAD_HOST, True)
    assert SENTENCE.fullmatch(client.reason), client.reason


@pytest.mark.parametrize("messages", [
    [welcome(seats=[])], [welcome(packs=[])], [welcome(), delta(changed("seats.0.2", 50_000_000))],
    [welcome(), delta(changed("seats.0.2", 2**60))], [welcome(), delta(changed("turn", 3))],
    [welcome(), wire.Delta(1, b"no deflate", whole=True)], [b"\xc1"], [b""], [packed({"k": "\x1b[2J"})],
])  # fmt: skip
async def test_what_cannot_be_ends_the_join_with_one_sentence(
    lines: list[Line], messages: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    client, line, joining = await at_a_table(lines, *messages)
    with pytest.raises(ClientError) as refused:
        await joining
    ended(client, line)
    assert (refused.value.code, refused.value.text, caplog.text) == (BAD_HOST, client.reason, "")


async def test_what_cannot_be_ends_a_game_and_all_that_waits_for_the_host(lines: list[Line]) -> None:
    client, line, joining = await at_a_table(lines, welcome(), delta(honest_view()))
    await joining
    waiting = asyncio.ensure_future(client.do(Kick()))
    await asyncio.sleep(0)
    said = len(line.sent)
    line.say(wire.Talk(9, "Kim", "hi"), delta(honest_view()))
    ended(client, line)
    with pytest.raises(ClientError):
        await waiting
    await asyncio.sleep(0)
    assert len(line.sent) == said, "it asks the host for nothing any more"
    await client.close()
    ended(client, line)


async def test_a_card_that_no_pack_has_ends_the_connection_when_the_packs_are_read(lines: list[Line]) -> None:
    seen = changed("limbo", [UNKNOWN])
    client, line, joining = await at_a_table(lines, welcome(packs=PACKS), delta(seen))
    await joining
    with pytest.raises(ClientError, match=r"View\.limbo"):
        await client.catalog(await client.packs())
    ended(client, line)


async def test_a_card_that_no_pack_has_ends_the_connection_from_then_on(lines: list[Line]) -> None:
    client, line, joining = await at_a_table(lines, welcome(packs=PACKS), delta(honest_view()))
    await joining
    await client.catalog(await client.packs())
    unknown = delta(changed("limbo", [UNKNOWN]))
    line.say(wire.Delta(2, unknown.public, unknown.own, whole=True))
    ended(client, line)


async def test_two_tables_of_one_id_end_a_visit_to_a_lobby(lines: list[Line]) -> None:
    lobby = LobbyClient(Join("127.0.0.1", 7788, "lobby", b"k" * 32, b"j" * 16), "Kim", keep=False)
    entering = asyncio.ensure_future(lobby.enter())
    while not lines or not lines[-1].sent:
        await asyncio.sleep(0)
    rows = [wire.TableRow("a", ["munchkins-and-mazes"], 4), wire.TableRow("a", ["axe-cop"], 3)]
    lines[-1].say(wire.Entered(wire.WIRE, b"s" * 16, 1000, "machine", ["axe-cop"]), wire.Tables(1, rows))
    with pytest.raises(ClientError):
        await entering
    ended(lobby, lines[-1])


async def test_evil_messages_are_taken_or_end_the_connection(
    lines: list[Line], caplog: pytest.LogCaptureFixture
) -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context))
    frames = [found for message in whole_messages().values() for found in evil_frames(message)]
    for name, frame in frames[::23]:
        lines.clear()
        client, line, joining = await at_a_table(lines, welcome(), delta(honest_view()))
        await joining
        line.say(frame)
        assert not faults, name
        if client.code == BAD_HOST:
            ended(client, line)
        await client.close()
    assert caplog.text == ""
