"""A client with short words says in one sentence why it does not get in, and false hosts learn nothing from it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from netcode.client import short_words
from netcode.client.short_words import Address, NoWay, join_by_words, read_address
from netcode.front.door import SERVER_GREETING
from netcode.protocol.credentials import JoinError
from netcode.short_words import frames
from netcode.short_words.exchange import HostSide
from netcode.short_words.messages import Way

WORDS = "otter-lamp-42"
WAY = Way("3fa2c1", b"k" * 32, b"t" * 16)
Answers = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def host(answers: Answers) -> AsyncIterator[Address]:
    """Run a host with these answers."""

    async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answers(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return
        finally:
            writer.close()

    server = await asyncio.start_server(served, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[:2]
    finally:
        server.close()


async def why(*addresses: Address, words: str = WORDS) -> str:
    """Return why nobody gets in."""
    with pytest.raises(NoWay) as problem:
        await join_by_words([[one] for one in addresses], words)
    return str(problem.value)


def says(*parts: bytes) -> Answers:
    """A host that says these parts, one after each thing that the client says."""

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for size, part in zip((frames.CALL, frames.PROOF), parts):
            await reader.readexactly(size)
            writer.write(part)

    return answers


def host_with(words: str, heard: list[bytes], forged: bool = False) -> Answers:
    """A host with these words. forged: it answers GO whatever the proof is."""

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        call = await reader.readexactly(frames.CALL)
        side = HostSide(words, call)
        writer.write(frames.GO + side.message)
        proof = await reader.readexactly(frames.PROOF)
        heard.extend((call, proof))
        good = forged or side.is_proved(proof)
        writer.write(frames.GO + side.answer(WAY) if good else frames.WRONG)

    return answers


async def test_the_words_of_a_host_lead_to_its_table() -> None:
    async with host(host_with(WORDS, [])) as address:
        join = await join_by_words([[address]], "Otter Lamp 42")
        assert (join.host, join.port, join.table, join.key, join.token) == (*address, "3fa2c1", WAY.key, WAY.token)


async def test_a_false_host_learns_nothing_and_is_named() -> None:
    heard: list[bytes] = []
    async with host(host_with("otter-lemon-42", heard, forged=True)) as address:
        text = await why(address)
    assert text.startswith(f"whoever answers at 127.0.0.1:{address[1]} does not know these words")
    assert len(heard) == 2 and not any(word in part for part in heard for word in (b"otter", b"lamp"))
    async with host(says(frames.GO + b"B" + bytes(32))) as address:  # not a point of the group
        assert "does not know these words" in await why(address)


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ((frames.RESTING,), "the short words of this table at {} rest, since too many tries were wrong"),
        ((frames.BUSY,), "many people try short words at {}, or the table is on its way to another host: try again"),
        ((SERVER_GREETING,), "{} knows no short words (an older kickdoor, or another program): use the join string"),
        ((b"HTTP/1.1 400 \x1b[31mBad\r\n",), "{} knows no short words"),
        ((b"",), "{} knows no short words"),
        ((frames.GO + bytes(7),), "{} has ended the connection"),
    ],
    ids=("resting", "busy", "zmtp", "http", "nothing", "cut"),
)
async def test_each_answer_has_its_sentence(parts: tuple[bytes, ...], text: str) -> None:
    async with host(says(*parts)) as address:
        found = await why(address)
    assert found.startswith(text.format(f"127.0.0.1:{address[1]}")) and found.isprintable()


async def test_wrong_words_a_silent_host_and_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async with host(host_with("otter-lemon-42", [])) as address:
        assert "these are not the words of a table at" in await why(address)
    assert "cannot be reached: connection refused" in await why(address)
    assert "no host was found on the local network" in await why()
    monkeypatch.setattr(short_words, "ANSWER_S", 0.05)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with host(silent) as address:
        assert "has not answered in time" in await why(address)


async def test_of_several_hosts_the_one_with_the_words_is_found_and_no_more_than_eight_are_asked() -> None:
    heard: list[bytes] = []
    async with host(says(b"")) as old, host(host_with("otter-lemon-42", heard)) as other, host(
        host_with(WORDS, [])
    ) as ours:  # fmt: skip
        join = await join_by_words([[old, other], [other], [ours]], WORDS)
        assert (join.host, join.port) == ours
        text = await why(old, other)
        assert "these are not the words" in text, "what says most is said"
        tried = len(heard)
        with pytest.raises(NoWay):
            await join_by_words([[("127.0.0.1", 1 + number)] for number in range(short_words.HOSTS)] + [[other]], WORDS)
        assert len(heard) == tried
        with pytest.raises(NoWay):
            await join_by_words([[other, ("localhost", other[1])]], WORDS)
        assert len(heard) == tried + 2, "one call and one proof, however many addresses it has"


@pytest.mark.parametrize(
    ("text", "address"),
    [("192.168.1.20:7789", ("192.168.1.20", 7789)), ("ben.example", ("ben.example", 7788)), ("[::1]:9", ("::1", 9))],
)
def test_addresses_are_read(text: str, address: Address) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize("text", ["", "a/b", "host:99999", "a\x1b[1m", "kickdoor://a:1"])
def test_what_is_no_address_says_so(text: str) -> None:
    with pytest.raises(JoinError, match="is no address: before short words comes HOST:PORT"):
        read_address(text)
