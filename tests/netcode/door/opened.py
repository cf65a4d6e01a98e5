"""A door in this process, and the real ssh that knocks at it. Behind it is a scripted host that knows its words."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncssh
import pytest

from netcode.door.config import DoorConfig
from netcode.door.door_log import FILE as LOG_FILE
from netcode.door.door_log import DoorLog
from netcode.door.gate import Gate
from netcode.door.host_keys import host_key
from netcode.door.identities import Identities
from netcode.door.interfaces import Strings
from netcode.door.listener import Listener, Parts
from netcode.door.sessions import Sessions
from netcode.protocol.credentials import Join, parse_join
from netcode.short_words import frames
from netcode.short_words.exchange import HostSide
from netcode.short_words.messages import Way
from netcode.short_words.word_list import TRIES
from tests.patience import PATIENCE_S

WORDS = "otter-lamp-42"
PROGRAM = "tests.netcode.door.telling"
KEY, TOKEN = bytes(range(32)), bytes(16)
needs_ssh = pytest.mark.skipif(shutil.which("ssh") is None, reason="needs the program ssh")


def string(table: str, key: bytes = KEY) -> str:
    """Return a join string of the scripted host."""
    return str(Join("127.0.0.1", 1, table, key, TOKEN))


class ScriptedTables:
    """A host that answers to its words and counts wrong tries; connections of guests' programs are closed."""

    def __init__(self) -> None:
        self.strings = Strings(string("first"), string("first"), string("lobby"), WORDS, string("first"))
        self.over: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.renewed: Callable[[], None] = lambda: None
        self.labels: list[str] = []
        self.wrong: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """It is there."""

    async def end(self) -> None:
        """It stays."""

    def hand(self, sock: socket.socket, label: str) -> None:
        """Answer a call with short words."""
        self.labels.append(label)
        task = asyncio.get_running_loop().create_task(self._answer(sock.dup()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        sock.close()

    async def _answer(self, sock: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=sock)
        call = await reader.readexactly(frames.CALL)
        number, _ = frames.read_call(call)
        words = WORDS if number == 42 else "other-words-11"
        if self.wrong[words] >= TRIES:
            writer.write(frames.RESTING)
        else:
            side = HostSide(words, call)
            writer.write(frames.GO + side.message)
            if side.is_proved(await reader.readexactly(frames.PROOF)) and number == 42:
                writer.write(frames.GO + side.answer(Way("first", KEY, TOKEN)))
            else:
                self.wrong[words] += 1
                writer.write(frames.WRONG)
        await writer.drain()
        writer.close()


class OpenDoor:
    """An open door. restarted: opens it again with what is on the disk."""

    def __init__(self, folder: Path, config: DoorConfig) -> None:
        self.folder, self.config = folder, config
        self.tables = ScriptedTables()
        self.key = host_key(folder)
        self.identities = Identities(folder)
        self.gate = Gate(config, self.identities, self.tables)
        self.log = DoorLog(folder)
        self.sessions = Sessions(config.program, self.tables.hand, False, config.guests)
        sock = socket.socket()
        sock.bind(("127.0.0.1", 0))
        sock.listen(64)
        self.port = int(sock.getsockname()[1])
        self.listener = Listener(sock, Parts(self.gate, self.sessions, self.log, self.key))

    @property
    def logged(self) -> str:
        """What is in the log."""
        return (self.folder / LOG_FILE).read_text()


@asynccontextmanager
async def opened(folder: Path, **options: Any) -> AsyncIterator[OpenDoor]:
    """Open a door and close it afterwards."""
    folder.mkdir(exist_ok=True, parents=True)
    door = OpenDoor(folder, DoorConfig(options.pop("program", PROGRAM), **options))
    door.sessions.open()
    try:
        yield door
    finally:
        door.listener.close()
        await door.sessions.close("", 0.0)
        door.listener.end_connections()
        await asyncio.sleep(0)
        door.log.close()


def make_key(home: Path, name: str = "id", kind: str = "ed25519") -> Path:
    """Return the file of a new key of somebody."""
    home.mkdir(exist_ok=True, parents=True)
    subprocess.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", str(home / name)], check=True)
    return home / name


class Ssh:
    """A process of the real ssh. It answers what it is asked with `answers`, in order."""

    def __init__(self, process: asyncio.subprocess.Process, home: Path) -> None:
        self.process, self.home = process, home
        self.out = ""

    @property
    def asked(self) -> str:
        """What it was asked."""
        path = self.home / "asked"
        return path.read_text() if path.exists() else ""

    async def until(self, pattern: str, seconds: float = 30) -> re.Match[str]:
        """Read until this is in the output, and return the match."""
        assert self.process.stdout is not None, "a pipe"
        try:
            async with asyncio.timeout(seconds):
                while not (found := re.search(pattern, self.out, re.DOTALL)):
                    data = await self.process.stdout.read(65536)
                    assert data, f"{pattern!r} does not come: {self.out[-2000:]!r}"
                    self.out += data.decode(errors="replace")
        except TimeoutError:
            raise AssertionError(f"{pattern!r} does not come in time: {self.out[-2000:]!r}") from None
        return found

    async def told(self) -> dict[str, Any]:
        """Return what the guest's program was started with."""
        found: dict[str, Any] = json.loads((await self.until(r"<<(\{.*?\})>>"))[1])
        return found

    def type(self, text: str) -> None:
        """Type this."""
        assert self.process.stdin is not None, "a pipe"
        self.process.stdin.write(text.encode())

    async def end(self) -> tuple[int, str]:
        """Return the exit code and the rest of the output, when it has ended."""
        assert self.process.stdout is not None, "a pipe"
        async with asyncio.timeout(PATIENCE_S):
            while data := await self.process.stdout.read(65536):
                self.out += data.decode(errors="replace")
            return await self.process.wait(), self.out

    async def leave(self) -> None:
        """Leave in order."""
        self.type("q")
        code, out = await self.end()
        assert code == 7, out


async def ssh(
    port: int, home: Path, *arguments: str, user: str = "ann", key: Path | None = None, answers: tuple[str, ...] = (),
    terminal: bool = True, options: tuple[str, ...] = (), variables: dict[str, str] | None = None,
) -> Ssh:  # fmt: skip
    """Start ssh. home: a folder for what it keeps. key: the file of the key it has."""
    home.mkdir(exist_ok=True, parents=True)
    (home / "answers").write_text("".join(f"{one}\n" for one in answers))
    asker = home / "ask"
    asker.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{home}/asked"\nhead -n 1 "{home}/answers"\n'
        f'sed -i 1d "{home}/answers"\n'
    )
    asker.chmod(0o700)
    given = [f"-o{one}" for one in (
        f"UserKnownHostsFile={home}/known_hosts", "StrictHostKeyChecking=accept-new", "IdentityAgent=none",
        "GlobalKnownHostsFile=/dev/null", *(["IdentitiesOnly=yes", f"IdentityFile={key}"] if key else
                                            ["PubkeyAuthentication=no"]), *options)]  # fmt: skip
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "TERM": "xterm-256color", "SSH_ASKPASS": str(asker),
        "SSH_ASKPASS_REQUIRE": "force", **(variables or {}),
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        "ssh", "-F", "none", "-p", str(port), "-l", user, *(["-tt"] if terminal else []), *given, "127.0.0.1",
        *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
        start_new_session=True,
    )  # fmt: skip
    return Ssh(process, home)


def table_of(told: dict[str, Any]) -> str:
    """Return the table to which a guest's string leads."""
    return parse_join(told["join"]).table


def identity_of(key: Path) -> str:
    """Return the identity of a key, computed from its file alone."""
    import hashlib  # only here

    return hashlib.sha256(asyncssh.read_public_key(f"{key}.pub").public_data).hexdigest()[:32]


class Answering(asyncssh.SSHClient):
    """Answers every question with the words."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(self, name: str, instructions: str, lang: str, prompts: Any) -> list[str]:
        return [WORDS for _ in prompts]


async def connect(port: int, **options: Any) -> Any:
    """Connect as `mallory` with a client made of the library, which has no key of this machine."""
    chosen = {"client_keys": None, "agent_path": None, **options}
    return await asyncssh.connect(
        "127.0.0.1", port, username="mallory", known_hosts=None, config=None,
        client_factory=chosen.pop("client_factory", Answering), **chosen,
    )  # fmt: skip
