"""A guest's end of a session without SSH: it keeps what the guest reads, and can stop reading."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from socket import socket

from netcode.door.session import Guest, Session
from netcode.door.sessions import Sessions

_identities = count(1)


class KeptChannel:
    """A channel whose guest reads everything at once, or nothing while `frozen`."""

    def __init__(self, frozen: bool = False) -> None:
        self.frozen = frozen
        self.read = bytearray()
        self.buffered = bytearray()
        self.most_buffered = 0
        self.paused = False
        self.pauses = 0
        self.code: int | None = None
        self._news = asyncio.Event()

    def write(self, data: bytes) -> None:
        self.buffered += data
        self.most_buffered = max(self.most_buffered, len(self.buffered))
        if not self.frozen:
            self.thaw()

    def thaw(self) -> None:
        self.frozen = False
        self.read += self.buffered
        self.buffered.clear()
        self._news.set()

    def unsent(self) -> int:
        return len(self.buffered)

    def pause_reading(self) -> None:
        self.paused = True
        self.pauses += 1

    def resume_reading(self) -> None:
        self.paused = False
        self._news.set()

    def exit(self, code: int) -> None:
        self.code = code
        self._news.set()

    @property
    def text(self) -> str:
        return self.read.decode(errors="replace")

    async def until(self, holds: Callable[[], object], seconds: float = 60) -> None:
        """Wait until this holds; it is asked whenever something arrives."""
        async with asyncio.timeout(seconds):
            while not holds():
                self._news.clear()
                await self._news.wait()

    async def until_text(self, text: str) -> None:
        """Wait until the guest has read this."""
        try:
            await self.until(lambda: text in self.text)
        except TimeoutError:
            raise AssertionError(f"{text!r} does not come; what came: {self.text[-2000:]!r}") from None


class Door:
    """Sessions of a program, with folders for its guests."""

    def __init__(self, sessions: Sessions, folder: Path) -> None:
        self.sessions, self.folder = sessions, folder
        self.handed: list[tuple[socket, str]] = []

    async def guest(
        self, channel: KeptChannel | None = None, what: str = "join", identity: str = "",
        size: tuple[int, int] | None = (80, 24),
    ) -> tuple[Session, KeptChannel]:  # fmt: skip
        """Begin a session."""
        channel = channel or KeptChannel()
        identity = identity or f"{next(_identities):032x}"
        folder = self.folder / identity
        folder.mkdir(mode=0o700, exist_ok=True)
        guest = Guest(
            identity, "ann", str(folder), "", f"ssh-{identity[-16:]}", {"TERM": "xterm"}, size, what,
            "ssh -p 2222 127.0.0.1",
        )  # fmt: skip
        return await self.sessions.start(guest, channel), channel


@asynccontextmanager
async def open_door(
    folder: Path, program: str, confined: bool = False, most: int = 64,
    hand: Callable[[socket, str], None] | None = None,
) -> AsyncIterator[Door]:  # fmt: skip
    """Run sessions of this program, a module; end them afterwards."""
    handed: list[tuple[socket, str]] = []
    keep = hand or (lambda sock, label: handed.append((sock.dup(), label)))
    door = Door(Sessions(program, keep, confined, most), folder)
    door.handed = handed
    door.sessions.open()
    try:
        yield door
    finally:
        await door.sessions.close("", 0.0)
        for sock, _ in handed:
            sock.close()


async def eventually(holds: Callable[[], object], seconds: float = 60) -> None:
    """Wait until this holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)


