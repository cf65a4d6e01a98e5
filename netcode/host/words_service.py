"""Lets clients exchange short words for a join string, in a process of its own (netcode/short_words/process.py).

The process is started when the first client shows words; a host whose words nobody uses loads nothing of it. The host
looks up which table a call means, and hands the client over with what the words lead to, or with the addresses of the
host of the club that has the table. The process reports each try; the host counts the wrong ones, and tells a new
process how many there were.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress

import msgspec

from netcode.processes.start import start_service
from netcode.processes.watchdog import Process, Restarts, Watchdog
from netcode.protocol.credentials import KeyPair
from netcode.short_words.frames import as_called, read_call
from netcode.short_words.messages import Address, Caller, Tried, Way
from netcode.short_words.word_list import number_of
from netcode.table.seats import Seating

LOG = logging.getLogger("kickdoor.words_service")
ENDS, ENDS_S = 3, 60.0
"""If the process ends more than ENDS times within ENDS_S, each restart waits for ENDS_S."""
MISSED_BEATS = 15
"""How many heartbeats the process may miss in a row before it is killed."""
END_S = 1.0
"""How long the process may take to end (s)."""
WAITING_BYTES = 64 * 1024
"""Datagrams that may wait for the process, while it is started."""

Tables = Callable[[], dict[str, Seating]]
"""Returns the seating of each open table, by its id."""
Elsewhere = Callable[[int], list[Address] | None]
"""Returns where words of this number are that this host does not have; see ClubMember.words_at."""


class WordsService(Watchdog):
    """Runs that process. Create and use it inside a running loop. tables: the open ones; pair: the host's keys;
    elsewhere: tells where other words are."""

    name, end_s = "the exchange of short words", END_S

    def __init__(self, tables: Tables, pair: KeyPair, elsewhere: Elsewhere) -> None:
        self.patience = MISSED_BEATS
        super().__init__()
        self._tables, self._pair, self._elsewhere = tables, pair, elsewhere
        self._ends: tuple[socket.socket, socket.socket] | None = None
        """Ours and that of the process: both stay open here, so nobody is lost when the process ends."""
        self._restarts = Restarts(ENDS, ENDS_S, ENDS_S)
        self._loop = asyncio.get_running_loop()

    def start(self) -> Process:
        """Start the process."""
        assert self._ends is not None
        number = self._ends[1].fileno()
        return start_service("netcode.short_words.process", str(number), pass_fds=(number,))

    def again(self, code: int) -> float:
        """Restart the process, whatever the reason for its end."""
        LOG.warning("the exchange of short words ended (code %s) and is started again", code)
        return self._restarts.pause()

    def heard(self, line: bytes) -> None:
        """Note a try, in the thread that listens to the process."""
        if not line.strip():
            return
        try:
            tried = msgspec.json.decode(line, type=Tried)
        except msgspec.MsgspecError:
            LOG.warning("the exchange of short words wrote a line that is no message: it is ignored")
            return
        if not tried.right:
            with suppress(RuntimeError):  # the host has ended meanwhile
                self._loop.call_soon_threadsafe(self._count, tried)

    def take(self, sock: socket.socket, call: bytes) -> None:
        """Hand a client over to the process; it is closed here in any case."""
        try:
            call, passed_on = as_called(call)
            number, _ = read_call(call)
            self._begin()
            assert self._ends is not None
            caller = self._caller(number, call, passed_on)
            socket.send_fds(self._ends[0], [msgspec.msgpack.encode(caller)], [sock.fileno()])
        except (OSError, ValueError) as problem:
            LOG.debug("a client with short words was sent away: %s", problem)
        finally:
            sock.close()

    def close(self) -> None:
        """End the process, if it was started."""
        super().close()
        for end in self._ends or ():
            end.close()

    def _begin(self) -> None:
        """Start the process for the first client."""
        if self._ends is not None:
            return
        self._ends = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ends[0].setblocking(False)
        for option in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            for end in self._ends:
                end.setsockopt(socket.SOL_SOCKET, option, WAITING_BYTES)
        self.begin()

    def _caller(self, number: int, call: bytes, passed_on: bool) -> Caller:
        """Return what the process has to know of a client that shows words with this number. passed_on: by another host
        of the club."""
        for table, seating in self._tables().items():
            admission = seating.admission
            if admission.words and number_of(admission.words) == number:
                way = Way(table, self._pair.public, admission.join)
                return Caller(call, admission.words, way, admission.wrong_words)
        return Caller(call, elsewhere=None if passed_on else self._elsewhere(number))

    def _count(self, tried: Tried) -> None:
        """Count a wrong try; the table tells its owner, and its journal, with its next tick."""
        seating = self._tables().get(tried.table)
        if seating is not None and seating.admission.count_wrong(tried.words):
            seating.changed = True
