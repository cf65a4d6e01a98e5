"""A host that is away: what its players are told meanwhile, and whether somebody else answers at its address."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from netcode.client.route import reached
from netcode.protocol import limits
from netcode.protocol.credentials import Join

STOPPING = "stopping"
"""The reason in the Bye of a host that stops and will restore its tables."""
LONG_GONE = "It has been gone for ten minutes: leave, and return when it is back"
UNKEPT = "This host keeps no journal: if it has ended, this table does not come back"


@dataclass(frozen=True)
class Sentences:
    """What is said about a host that is away. another: there is another one at {where}; stopped: it has said that it
    stops; unkept: it keeps no journal."""

    another: str
    stopped: str
    unkept: str


TABLE = Sentences(
    "another host is at {where} now, with another key than that of your table: you play on if yours comes back there",
    "the host has stopped. This table goes on when it is back at {where}",
    UNKEPT,
)
LOBBY = Sentences(
    "another host is at {where} now, with another key than that of this lobby: the list is back if yours comes back",
    "the host has stopped. This list is back when the host is, at {where}",
    "This host keeps no journal: if it has ended, this lobby does not come back",
)
_GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"CURVE".ljust(20, b"\0") + b"\0" + bytes(31)
"""The greeting with which every client begins (ZMTP 3.0, RFC 23). It contains no secret."""
_GREETED = 32
"""The bytes of an answer that are compared: signature, version, mechanism."""
PROBE_S = 2.0
"""How long the answer to this greeting may take."""


class Absence:
    """What is known about a host that has gone. where: its address. kept: it keeps a journal, so that it has its tables
    again when it is started again. stopped: it has said that it stops. long: it has been gone for ten minutes. foreign:
    another host is at its address."""

    def __init__(self, where: str, sentences: Sentences = TABLE) -> None:
        self.where, self.sentences = where, sentences
        self.kept = True
        self.stopped = self.long = self.foreign = False
        self._problem = ""
        self._asking: asyncio.Task[None] | None = None

    def over(self) -> None:
        """Note that the host is back, or that nobody waits for it any longer."""
        self.stopped = self.long = self.foreign = False
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def words(self, problem: str = "") -> str:
        """Return what players are told. problem: the state of the connection, "": as before."""
        self._problem = problem or self._problem
        if self.foreign:
            text = self.sentences.another.format(where=self.where)
        else:
            text = self.sentences.stopped.format(where=self.where) if self.stopped else self._problem
        parts = [text, "" if self.kept else self.sentences.unkept, LONG_GONE if self.long else ""]
        first, *others = [part for part in parts if part] or ["no connection"]
        return " ".join([first if first[-1:] in "?." or not others else f"{first}.", *others])[: limits.TEXT_CHARS]

    def ask_who_is_there(self, target: Join, told: Callable[[], None], again: Callable[[], None]) -> None:
        """Find out whether another host is at the address, after it has refused our key. Call told() when the
        words have changed, and again() when it is time to connect again."""
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._ask(target, told, again))

    async def _ask(self, target: Join, told: Callable[[], None], again: Callable[[], None]) -> None:
        self.foreign = await greets(*reached((target.host, target.port)))
        told()
        await asyncio.sleep(limits.RESEND_S)
        self._asking = None
        again()


async def greets(host: str, port: int) -> bool:
    """Return whether a host of kickdoor, whichever it is, is at this address: it answers the greeting that every client
    sends. A forwarded port with nobody behind it, and other programs, do not."""
    try:
        async with asyncio.timeout(PROBE_S):
            reader, writer = await asyncio.open_connection(host, port)
            try:
                writer.write(_GREETING)
                answer = await reader.readexactly(_GREETED)
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return False
    return answer[:1] == b"\xff" and answer[12:17] == b"CURVE"
