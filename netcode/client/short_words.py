"""Turns short words into a join string: calls hosts, and asks each that answers for what the words lead to.

`join_by_words` takes hosts from wherever they come: an address that somebody named, or the local network. The library
of the exchange is loaded only here and in the host's process for it.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Sequence
from typing import TYPE_CHECKING

from netcode.protocol.credentials import Join, JoinError, parse_join
from netcode.protocol.ports import DEFAULT_PORT
from netcode.protocol.printing import quoted
from netcode.short_words import frames
from netcode.short_words.word_list import read_words

if TYPE_CHECKING:
    from netcode.short_words.messages import Way

LOG = logging.getLogger("kickdoor.short_words")
CONNECT_S = 5.0
"""How long a host may take to accept a connection (s)."""
ANSWER_S = 15.0
"""How long a host may take for one answer: others may be in line (s)."""
HOSTS = 8
"""Addresses that are asked at most. Each could be of a false host, and has one guess at the words."""
SAID_NO = 4
"""The rank of a refusal by a host that has checked the words. Its other addresses are not tried."""
Address = tuple[str, int]


class NoWay(Exception):
    """The words lead nowhere. The text is one line for people. Of several failures the one of highest rank is told."""

    def __init__(self, text: str, rank: int) -> None:
        super().__init__(text)
        self.rank = rank


def read_address(text: str) -> Address:
    """Return the host and port of HOST:PORT, [IPV6]:PORT or HOST. Raises JoinError."""
    try:
        named = parse_join(f"kickdoor://{text.strip()}/x#{'A' * 43}.{'A' * 22}")
    except JoinError:
        raise JoinError(f"{quoted(text)} is no address: before short words comes HOST:PORT") from None
    return named.host, named.port


def _name(address: Address) -> str:
    host, port = address
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{port}" if port != DEFAULT_PORT else shown


async def join_by_words(hosts: Sequence[Sequence[Address]], text: str) -> Join:
    """Return the join string to which short words lead at one of these hosts, each with its addresses. All are asked at
    once, each until one of its addresses has looked at the words. Raises NoWay, WordsError."""
    words = read_words(text)
    if not hosts:
        raise NoWay("no host was found on the local network: name its address, as in HOST:PORT otter-lamp-42", 0)
    each = HOSTS // min(len(hosts), HOSTS)
    asked = [asyncio.ensure_future(_ask_host(host[:each], words)) for host in dict.fromkeys(map(tuple, hosts[:HOSTS]))]
    problems: list[NoWay] = []
    try:
        for one in asyncio.as_completed(asked):
            try:
                return await one
            except NoWay as problem:
                problems.append(problem)
    finally:
        for other in asked:
            other.cancel()
    raise max(problems, key=lambda problem: problem.rank)


async def _ask_host(addresses: Sequence[Address], words: str) -> Join:
    """Ask one host, at one address after the other. Raises NoWay."""
    problems: list[NoWay] = []
    for address in addresses:
        try:
            return await _ask(address, words)
        except NoWay as problem:
            problems.append(problem)
            if problem.rank == SAID_NO:
                break
    raise max(problems, key=lambda problem: problem.rank)


async def _ask(address: Address, words: str) -> Join:
    """Ask at one address. Raises NoWay."""
    name = _name(address)
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(*address)
    except TimeoutError:
        raise NoWay(f"{name} does not answer: is the address right, and the port open?", 1) from None
    except OSError as problem:
        unknown = isinstance(problem, socket.gaierror) or not problem.errno
        why = "there is no such address" if unknown else os.strerror(problem.errno or 0).lower()
        raise NoWay(f"{name} cannot be reached: {why}", 1) from None
    return await _join(reader, writer, address, name, words)


async def ask_over(sock: socket.socket, address: Address, text: str) -> Join:
    """Return the join string to which short words lead at the host at the other end of a connected socket. address: of
    that host, for the string. Raises NoWay, WordsError, OSError."""
    words = read_words(text)
    reader, writer = await asyncio.open_connection(sock=sock)
    return await _join(reader, writer, address, "this door", words)


async def _join(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: Address, name: str, words: str
) -> Join:  # fmt: skip
    """Carry out one exchange, and end the connection. Raises NoWay."""
    try:
        way = await _exchange(reader, writer, name, words)
    except TimeoutError:
        raise NoWay(f"{name} has not answered in time: try again", 2) from None
    except (OSError, EOFError):
        raise NoWay(f"{name} has ended the connection: try again, or ask for the join string", 2) from None
    finally:
        writer.transport.abort()
    try:
        return parse_join(str(Join(*address, way.table, way.key, way.token)))
    except JoinError:
        raise NoWay(f"{name} has sent an impossible table", 2) from None


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, name: str, words: str) -> "Way":
    """Carry out one exchange. Raises NoWay, OSError, EOFError, TimeoutError."""
    from netcode.short_words.exchange import ClientSide, ExchangeError  # loads the library

    side = await asyncio.to_thread(ClientSide, words)
    writer.write(side.call)
    try:
        message = await _answer(reader, frames.MESSAGE, name, True)
        writer.write(await asyncio.to_thread(side.prove, message))
        return side.way(await _answer(reader, frames.PROOF + frames.BOX, name, False))
    except ExchangeError:
        raise NoWay(
            f"whoever answers at {name} does not know these words: it is not the host that you mean. Nothing was told "
            "to it; ask for the join string",
            5,
        ) from None


async def _answer(reader: asyncio.StreamReader, size: int, name: str, first: bool) -> bytes:
    """Return what follows GO. first: this is the first thing that the host says."""
    async with asyncio.timeout(ANSWER_S):
        try:
            word = await reader.readexactly(1)
        except (OSError, EOFError):
            if not first:
                raise
            word = b""
        if word == frames.GO:
            return await reader.readexactly(size)
    if word not in frames.ANSWERS:
        raise NoWay(f"{name} knows no short words (an older kickdoor, or another program): use the join string", 3)
    if word == frames.BUSY:
        text = f"many people try short words at {name}, or the table is on its way to another host"
        raise NoWay(f"{text}: try again in a few seconds", 3)
    if word == frames.RESTING:
        raise NoWay(
            f"the short words of this table at {name} rest, since too many tries were wrong: ask its owner for new "
            "ones, or for the join string",
            SAID_NO,
        )
    raise NoWay(f"these are not the words of a table at {name}: ask for them again, and mind the number", SAID_NO)
