"""The session of a guest as the SSH library sees it: the other end of `session.Session`."""

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

import asyncssh

from netcode.door import wishes
from netcode.door.line import LineChannel

if TYPE_CHECKING:
    from netcode.door.session import Session

LOG = logging.getLogger("kickdoor.door.guest_session")
AHEAD_BYTES = 64 * 1024
"""What a guest may type before their program runs."""
REFUSED = 2
"""The exit code of a session that never begins."""


class Host(Protocol):
    """Whose session it is: `listener.Visitor`."""

    async def begin(self, session: "GuestSession") -> None:
        """Begin the guest's program, and tell the session."""

    def session_over(self) -> None:
        """Note that the channel is closed."""


class GuestSession(asyncssh.SSHServerSession[bytes]):
    """One session. It is the channel that `session.Session` writes to (relay.Channel)."""

    def __init__(self, host: Host, channel: LineChannel) -> None:
        self._host, self._channel = host, channel
        self.command = "join"
        """What the guest asks for, as they typed it."""
        self.size: tuple[int, int] | None = None
        """Columns and rows; None: there is no terminal."""
        self._terminal = wishes.DUMB
        self._session: Session | None = None
        self._beginning: asyncio.Task[None] | None = None
        self._typed = bytearray()
        self._closed = self._input_ended = False

    def environment(self) -> dict[str, str]:
        """Return the variables of the guest's program."""
        return {**self._channel.variables, "TERM": self._terminal}

    # ----------------------------------------------------------------------------------------------- from the library
    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: object) -> bool:
        """Note the terminal."""
        self._terminal = wishes.terminal_name(term_type)
        self.size = term_size[0] or 80, term_size[1] or 24
        return True

    def shell_requested(self) -> bool:
        """Begin without a command."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Begin with a command, which no shell ever sees."""
        self.command = command
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse sftp and all others."""
        return False

    def session_started(self) -> None:
        """Begin."""
        self._beginning = asyncio.get_running_loop().create_task(self._host.begin(self))

    def data_received(self, data: bytes, datatype: object) -> None:
        """Pass on what is typed."""
        if self._session is not None:
            self._session.typed(data)
        else:
            self._typed += data
            if len(self._typed) >= AHEAD_BYTES:
                self._channel.pause_reading()

    def eof_received(self) -> bool:
        """Note the end of what is typed; output goes on."""
        self._input_ended = True
        if self._session is not None:
            self._session.end_input()
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass on the size of the terminal."""
        if self.size is not None:
            self.size = width or 80, height or 24
            if self._session is not None:
                self._session.resize(*self.size)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the guest's program: the line is gone."""
        self._closed = True
        if self._session is not None:
            self._session.hang_up()
        self._host.session_over()

    # -------------------------------------------------------------------------------------------------- from the door
    def begun(self, session: "Session") -> None:
        """Carry on with the guest's program."""
        self._session = session
        if self._closed:
            session.hang_up()
            return
        typed, self._typed = bytes(self._typed), bytearray()
        self._channel.resume_reading()
        if typed:
            session.typed(typed)
        if self._input_ended:
            session.end_input()
        if self.size is not None:
            session.resize(*self.size)

    def refuse(self, sentence: str) -> None:
        """Say why the session does not begin, and end it."""
        with suppress(OSError):
            self._channel.write_stderr(f"kickdoor: {sentence}\r\n".encode())
        self.exit(REFUSED)

    # ------------------------------------------------------------------------------------- relay.Channel: from Session
    def write(self, data: bytes) -> None:
        """Send this to the guest."""
        with suppress(OSError):
            self._channel.write(data)

    def unsent(self) -> int:
        """Return how many bytes wait for the guest, in the channel and in the connection."""
        return self._channel.get_write_buffer_size() + self._channel.unsent()

    def pause_reading(self) -> None:
        """Take no more input."""
        self._channel.pause_reading()

    def resume_reading(self) -> None:
        """Take input again."""
        self._channel.resume_reading()

    def exit(self, code: int) -> None:
        """Tell the guest's ssh the exit code, and close the channel."""
        with suppress(OSError):
            self._channel.exit(code)
