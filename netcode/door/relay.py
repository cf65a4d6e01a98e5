"""Carries bytes between the terminal of one guest's process and the channel of an SSH session.

Both ways are bounded: what the guest does not read stops the process, what the process does not read stops the guest,
and nobody else waits for either of them."""

import asyncio
import os
import termios
from contextlib import suppress
from typing import Protocol

WAITING_BYTES = 64 * 1024
"""Output that may wait for a slow reader, and input that may wait for a busy process."""
PIECE_BYTES = 16 * 1024
"""The most bytes that are carried before other sessions get their turn."""
LOOK_S = (0.01, 0.25)
"""The first and the longest pause (s) before the next look whether a slow reader has read."""


class Channel(Protocol):
    """The guest's end, as a session needs it. None of the methods waits."""

    def write(self, data: bytes) -> None:
        """Send this to the guest."""

    def unsent(self) -> int:
        """Return how many bytes have not left this process yet, in all buffers together."""

    def pause_reading(self) -> None:
        """Deliver no more input until `resume_reading`."""

    def resume_reading(self) -> None:
        """Deliver input again."""

    def exit(self, code: int) -> None:
        """Tell the guest's ssh the exit code, and close the channel."""


class Relay:
    """Carries bytes from and to the descriptors of a process. It owns them: they are closed with it.

    reading, writing: they may be the same one, of a terminal. at_end: called when the process has closed its end and
    everything that it wrote is carried."""

    def __init__(self, channel: Channel, reading: int, writing: int) -> None:
        self._channel: Channel | None = channel
        self._reading, self._writing = reading, writing
        self._typed = bytearray()
        self._pause_s = LOOK_S[0]
        self._looking: asyncio.TimerHandle | None = None
        self._input_paused = self._input_ends = False
        self._loop = asyncio.get_running_loop()
        self.at_end = self._loop.create_future()
        """Done when the process has closed its end and everything that it wrote is carried."""
        for one in {reading, writing}:
            os.set_blocking(one, False)
        self._loop.add_reader(reading, self._readable)

    # ------------------------------------------------------------------------------------------- from the process
    def drop_output(self) -> None:
        """Drop what the process writes from now on: the guest is gone, and a process that cannot write cannot end."""
        self._channel = None
        self._look()

    def _readable(self) -> None:
        """Carry a piece, unless too much already waits for the guest."""
        room = WAITING_BYTES - self._channel.unsent() if self._channel is not None else PIECE_BYTES
        if room <= 0:
            self._loop.remove_reader(self._reading)
            self._looking = self._loop.call_later(self._pause_s, self._look)
            self._pause_s = min(2 * self._pause_s, LOOK_S[1])
            return
        self._pause_s = LOOK_S[0]
        try:
            data = os.read(self._reading, min(room, PIECE_BYTES))
        except BlockingIOError:
            return
        except OSError:  # EIO: nobody has the other end of the terminal open
            data = b""
        if not data:
            self._loop.remove_reader(self._reading)
            if not self.at_end.done():
                self.at_end.set_result(None)
        elif self._channel is not None:
            self._channel.write(data)

    def _look(self) -> None:
        """Look again whether the guest has read."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
            self._loop.add_reader(self._reading, self._readable)

    # --------------------------------------------------------------------------------------------- to the process
    def typed(self, data: bytes) -> None:
        """Carry what the guest has typed or pasted."""
        if self._writing < 0 or self._input_ends:
            return
        self._typed += data
        self._write()
        if len(self._typed) > WAITING_BYTES and not self._input_paused and self._channel is not None:
            self._input_paused = True
            self._channel.pause_reading()

    def end_input(self) -> None:
        """Close the process' standard input once it has read the rest. A terminal stays open."""
        if self._writing != self._reading:
            self._input_ends = True
            self._write()

    def _write(self) -> None:
        try:
            while self._typed:
                del self._typed[: os.write(self._writing, self._typed[:PIECE_BYTES])]
        except BlockingIOError:
            self._loop.add_writer(self._writing, self._write)
            return self._resume_input()
        except OSError:  # the process has ended
            self._typed.clear()
        self._loop.remove_writer(self._writing)
        self._resume_input()
        if self._input_ends:
            self._close_input()

    def _resume_input(self) -> None:
        if self._input_paused and len(self._typed) <= WAITING_BYTES // 2 and self._channel is not None:
            self._input_paused = False
            self._channel.resume_reading()

    def resize(self, columns: int, rows: int) -> None:
        """Set the size of the terminal; the kernel tells the process."""
        if self._reading >= 0:
            termios.tcsetwinsize(self._reading, (rows, columns))

    # ------------------------------------------------------------------------------------------------------- both
    def close(self) -> None:
        """Close both descriptors: a terminal hangs up."""
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        self._channel = None
        self._close_input()
        if self._reading >= 0:
            self._loop.remove_reader(self._reading)
            os.close(self._reading)
            self._reading = -1
        if not self.at_end.done():
            self.at_end.set_result(None)

    def _close_input(self) -> None:
        if self._writing >= 0:
            self._loop.remove_writer(self._writing)
            if self._writing != self._reading:
                with suppress(OSError):
                    os.close(self._writing)
            self._writing = -1
