"""Records the games of one seat (or of somebody who looks on) as they are told to it, into files of its own home.

Nothing is written but what this client was sent, so a recording holds no more than its owner saw. While a game goes on
it is a draft that grows message by message; a client that was killed and comes back goes on with its own draft.
"""

import asyncio
import logging
import re
import time
from collections.abc import Callable
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import IO

from core.view import View
from netcode.client.client import Client
from netcode.client.connection import ClientError, own_version
from netcode.client.deal_commitment import DealPart
from netcode.client.state_machine import Link, Message
from netcode.protocol import codec, wire
from netcode.protocol.credentials import data_folder, lock_file
from netcode.recording import recording as replay
from netcode.recording.recording import Header, Recording, ReplayError

LOG = logging.getLogger("kickdoor.recorder")
KEPT, KEPT_DRAFTS = 200, 20
OPENING_S = 5.0
KINDS = (wire.Info, wire.Update, wire.Talk, wire.Refused, wire.Voted)
_OVER = ("left", "ended", "kicked", "banned")
_OURS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4}-.*\.kickdoor|[0-9a-f]{24}")
"""Names we give; a file that its owner has renamed is never removed."""


def replays_folder() -> Path:
    """Where this user's recordings are kept."""
    return data_folder() / "replays"


class Recorder:
    """Listens to one client. saved(path): a game is complete, or has been laid open. clock: seconds since 1970.

    Trouble with the disk ends the recording with a warning (`fault`), never the game."""

    def __init__(
        self,
        client: Client,
        packs: list[dict[str, bytes]],
        folder: Path | None = None,
        saved: Callable[[Path], None] = lambda path: None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.fault = ""
        self._client, self._packs, self._saved, self._clock = client, packs, saved, clock
        self._folder = folder or replays_folder()
        self._draft: _Draft | None = None
        self._done = 0
        self._last: tuple[int, Path] | None = None
        self._opening: asyncio.Task[None] | None = None
        self._off = client.subscribe(self.heard)

    async def close(self) -> None:
        """Listen no longer, but get to its end what the host is laying open. A few seconds at most."""
        if self._opening is not None:
            await asyncio.wait([self._opening], timeout=OPENING_S)
            self._opening.cancel()
        self.stop()

    def stop(self) -> None:
        """Listen no longer; a game that still goes on stays a draft."""
        self._off()
        if self._draft is not None:
            self._draft.close()
            self._draft = None

    def heard(self, message: Message) -> None:
        """One message of the host."""
        try:
            self._heard(message)
        except (OSError, ReplayError, codec.WireError) as problem:
            self.fault = f"this game is not recorded: {problem}"
            LOG.warning(self.fault)
            self.stop()

    def _heard(self, message: Message) -> None:
        info = self._client.info
        if isinstance(message, Link) and message.stage == "closed" and self._client.code in _OVER:
            self._finish()
        if info is None or not isinstance(message, KINDS):
            return
        if self._draft is not None and info.game != self._draft.header.game:
            self._finish()  # the next game has begun while we were away
        if isinstance(message, wire.Update) and self._draft is None and info.game > self._done:
            self._begin(message, info)
        self._see_whether_opened(info)
        if self._draft is None:
            return
        if not self._draft.add(self._now_ms(), codec.pack(message)):
            raise ReplayError("it has become too long")
        if isinstance(message, wire.Update) and message.view is not None and message.view.winners:
            self._finish()
            self._see_whether_opened(info)

    # ------------------------------------------------------------------------------------------------- laid open
    def _see_whether_opened(self, info: wire.TableInfo) -> None:
        """The host lays a game open that we have kept: it belongs into the file."""
        if self._last is not None and info.opened == self._last[0] and self._opening is None:
            self._opening = asyncio.ensure_future(self._put_opened(*self._last))

    async def _put_opened(self, game: int, path: Path) -> None:
        try:
            opened = await self._client.opened_game(game)
            recording = replay.read(path)
            recording.opened = opened
            replay.write(path, recording)
            self._saved(path)
        except (OSError, ReplayError, ClientError) as problem:
            self.fault = f"the game that was laid open is not in the file: {problem}"
            LOG.warning(self.fault)

    def _now_ms(self) -> int:
        assert self._draft is not None
        return max(0, int(self._clock() * 1000) - self._draft.header.began * 1000)

    # ---------------------------------------------------------------------------------------------------- one game
    def _begin(self, update: wire.Update, info: wire.TableInfo) -> None:
        """A game has begun, or goes on with us. Not if it was over before we came."""
        if update.view is None or info.stage == "lobby":
            return
        path = self._folder / "drafts" / self._draft_name(info)
        if update.view.winners and not path.exists():
            return
        header = self._header(update, info)
        _tidy(path.parent, KEPT_DRAFTS - 1)
        self._draft = _Draft(path, header, self._packs)
        if not self._draft.new and self._draft.header.game != info.game:
            raise ReplayError("a draft of another game is in the way")
        self._draft.add(self._now_ms(), codec.pack(wire.Info(info)))

    def _header(self, update: wire.Update, info: wire.TableInfo) -> Header:
        first = not update.events or update.events[0].no == 1
        part = self._client.deal_commitment.part
        own = part if part is not None and part.game == info.game else DealPart(info.game, b"", b"")
        return Header(
            replay.FORMAT, own_version(), wire.WIRE, int(self._clock()), info.table, info.game, self._client.seat,
            info.packs, [seat.name for seat in info.seats], [bool(seat.bot) for seat in info.seats], info.options,
            info.pace, info.machine, late=not first, commitment=own.commitment, nonce=own.nonce, again=own.again,
        )  # fmt: skip

    def _draft_name(self, info: wire.TableInfo) -> str:
        """The same for the same seat in the same game."""
        target = self._client.target
        who = f"{info.table} {info.game} {self._client.seat} {self._client.name}"
        return blake2b(target.key + who.encode(), digest_size=12).hexdigest()

    def _finish(self) -> None:
        """The game is over for us: from now on it is a file with a name."""
        draft, self._draft = self._draft, None
        if draft is None:
            return
        self._done = draft.header.game
        draft.close()
        recording = replay.read(draft.path)
        last = next(found for found in map(_view, reversed(recording.messages)) if found is not None)
        recording.header.winners, recording.header.turns = last.winners, last.turn_no
        path = self._free_name(recording.header)
        replay.write(path, recording)
        draft.path.unlink(missing_ok=True)
        _tidy(self._folder, KEPT)
        self._last, self._opening = (draft.header.game, path), None
        self._saved(path)

    def _free_name(self, header: Header) -> Path:
        """`2026-11-20-2134-munchkins-and-mazes-Kim.kickdoor`."""
        when = datetime.fromtimestamp(header.began).strftime("%Y-%m-%d-%H%M")
        sets = "+".join(pack.set_id for pack in header.packs[:2]) + ("+" if len(header.packs) > 2 else "")
        who = header.players[header.seat] if header.seat >= 0 else "looking-on"
        name = re.sub(r"[^A-Za-z0-9+-]+", "-", f"{when}-{sets}-{who}")[:100].strip("-")
        paths = [self._folder / f"{name}{extra}{replay.SUFFIX}" for extra in ("", *(f"-{n}" for n in range(2, 100)))]
        return next((path for path in paths if not path.exists()), paths[-1])


def _view(message: tuple[int, bytes]) -> View | None:
    """The view in a recorded message, if there is one."""
    found = codec.unpack_down(message[1])
    return found.view if isinstance(found, wire.Update) else None


class _Draft:
    """A recording that still grows; locked as long as it is open. Raises OSError, ReplayError."""

    def __init__(self, path: Path, header: Header, packs: list[dict[str, bytes]]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path, self.header = path, header
        self._squeezer = replay.Squeezer()
        self._size = self._raw = self._messages = 0
        file = lock_file(path)
        if file is None:
            raise ReplayError("another client of this home records the same seat")
        self._file: IO[bytes] = file
        self.new = file.seek(0, 2) == 0
        if self.new:
            self._write(replay.beginning(header, packs))
        else:
            self._take_up(packs)

    def _take_up(self, packs: list[dict[str, bytes]]) -> None:
        """Go on behind what is there; half a message at its end is overwritten."""
        try:
            found = replay.read(self.path)
        except ReplayError as problem:
            LOG.warning("the draft is begun anew: %s", problem)
            found = Recording(self.header, packs)
            self.header.late = True
        self.header = found.header
        self._file.seek(0)
        self._file.truncate()
        self._write(replay.beginning(self.header, packs))
        for ms, frame in found.messages:
            self.add(ms, frame)

    def add(self, ms: int, frame: bytes) -> bool:
        """One more message; False if there is no more room."""
        self._messages += 1
        self._raw += len(frame)
        data = replay.entry(self._squeezer, ms, frame)
        full = self._size + len(data) > replay.FILE_LIMIT or self._raw > replay.RAW_LIMIT
        if full or self._messages > replay.MESSAGES_LIMIT:
            return False
        self._write(data)
        return True

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        self._size += len(data)

    def close(self) -> None:
        """Let go of it."""
        self._file.close()


def _tidy(folder: Path, kept: int) -> None:
    """Hold a folder within bounds: of our own files the oldest go first."""
    if not folder.is_dir():
        return
    files = [path for path in folder.iterdir() if path.is_file() and _OURS.fullmatch(path.name)]
    for path in sorted(files, key=lambda path: path.stat().st_mtime)[: max(0, len(files) - kept)]:
        path.unlink(missing_ok=True)
