"""Records the games of one client (a seat or a spectator) from the messages it receives, into files of its user.

Only what the client was sent is written, so a recording holds no more than its owner saw. During a game it is a draft
that grows message by message; a client that was killed and returns to its seat continues its draft.
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

from msgspec import Struct
from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state.views import View
from netcode import VERSION
from netcode.client.client import Client
from netcode.client.connection import ClientError
from netcode.client.deal_commitment import DealPart
from netcode.client.state_machine import ConnectionChanged, Message
from netcode.protocol import codec, wire
from netcode.protocol.credentials import data_folder, lock_file
from netcode.recording.chronicle import Chronicle
from netcode.recording.recording import (
    FILE_LIMIT,
    FORMAT,
    MESSAGES_LIMIT,
    RAW_LIMIT,
    SUFFIX,
    Header,
    MessageCompressor,
    Recording,
    ReplayError,
    head_bytes,
    message_bytes,
    read_header,
    read_recording,
    write_recording,
)
from netcode.recording.story import Story, pack

LOG = logging.getLogger("kickdoor.recorder")
RECORDINGS_KEPT, DRAFTS_KEPT = 200, 20
REVEAL_S = 0.75
"""How long a recorder waits on closing for a game that is being revealed; its player wants to leave."""
RECORDED = (wire.Info, wire.Update, wire.Talk, wire.Refused, wire.Voted)
"""The messages that are recorded."""
_DISK_PROBLEMS = (OSError, ReplayError, codec.WireError)
_FINAL_CODES = ("left", "ended", "kicked", "banned")
"""Codes of a closed connection that mean that this client does not come back to the game."""
_OWN_NAMES = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}-[0-9]{4}-.*\.kickdoor|[0-9a-f]{24}")
"""The names that a recorder gives to files. A renamed file is never removed."""


def replays_folder() -> Path:
    """Return the folder of this user's recordings."""
    return data_folder() / "replays"


class Finished(Struct, frozen=True):
    """A game that this client has seen to its end. key: the same for every seat of it; story: None if it is unknown."""

    key: str
    header: Header
    info: wire.TableInfo
    story: Story | None


class Recorder:
    """Records what one client receives. saved(path): a game is complete, or was revealed. finished: called at the end
    of a game. reopened(key): called if the end of the game with this key (see Finished) is taken back. clock: seconds
    since 1970.

    A problem with the disk ends the recording with a warning (`problem`), never the game."""

    def __init__(
        self,
        client: Client,
        packs: list[dict[str, bytes]],
        catalog: Catalog,
        folder: Path | None = None,
        saved: Callable[[Path], None] = lambda path: None,
        finished: Callable[[Finished], None] = lambda game: None,
        clock: Callable[[], float] = time.time,
        reopened: Callable[[str], None] = lambda key: None,
    ) -> None:
        self.problem = ""
        self._client, self._packs, self._catalog, self._clock = client, packs, catalog, clock
        self._saved, self._finished, self._reopened = saved, finished, reopened
        self._folder = folder or replays_folder()
        self._draft: _Draft | None = None
        self._header: Header | None = None
        """The header of the current game, whether it is recorded or not."""
        self._chronicle: Chronicle | None = None
        self._recording = True
        """Whether all writing has succeeded so far."""
        self._done = 0
        """The number of the last game that was finished."""
        self._last: tuple[int, Path] | None = None
        """That game and its file, in case it is revealed."""
        self._revealing: asyncio.Task[None] | None = None
        self._unsubscribe = client.subscribe(self.heard)
        before = client.so_far()
        if before is not None:  # messages that arrived while the cards were fetched
            self.heard(before)

    async def close(self) -> None:
        """Stop, after waiting up to REVEAL_S for a game that is being revealed."""
        if self._revealing is not None:
            await asyncio.wait([self._revealing], timeout=REVEAL_S)
            self._revealing.cancel()
        self.stop()

    def stop(self) -> None:
        """Stop at once; a game in progress stays a draft."""
        self._unsubscribe()
        self._drop_draft()

    def heard(self, message: Message) -> None:
        """Take in one message of the host."""
        try:
            self._heard(message)
        except _DISK_PROBLEMS as problem:
            self._stop_recording(problem)
            self._finish_if_over(message)

    def _heard(self, message: Message) -> None:
        info = self._client.info
        if isinstance(message, ConnectionChanged) and message.stage == "closed" and self._client.code in _FINAL_CODES:
            self._finish()
        if info is None or not isinstance(message, RECORDED):
            return
        if self._header is not None and info.game != self._header.game:
            self._finish()  # the next game began while this client was away
        if isinstance(message, wire.Update) and self._header is None:
            if info.game > self._done:
                self._begin(message, info)
            elif info.game == self._done and message.view is not None and not message.view.winners:
                self._begin(message, info)  # its end was taken back
        if isinstance(message, wire.Update) and self._chronicle is not None:
            self._chronicle.heard(message, self._now_ms())
        if isinstance(message, wire.Update) and message.veiled is not None:
            message = replace(message, veiled=None)  # views and events are what a replay shows
        if self._draft is not None and not self._draft.add(self._now_ms(), codec.pack(message)):
            raise ReplayError("it has become too long")
        self._finish_if_over(message)
        self._fetch_if_revealed(info)

    def _finish_if_over(self, message: Message) -> None:
        if isinstance(message, wire.Update) and message.view is not None and message.view.winners and not message.more:
            self._finish(message.view)

    def _stop_recording(self, problem: Exception) -> None:
        """Stop recording; the stories of games are still told."""
        self.problem = f"this game is not recorded: {problem}"
        LOG.warning(self.problem)
        self._recording = False
        self._drop_draft()

    def _now_ms(self) -> int:
        assert self._header is not None
        return max(0, int(self._clock() * 1000) - self._header.began * 1000)

    def _drop_draft(self) -> None:
        """Leave the draft as it is, without recording any more."""
        if self._draft is not None:
            self._draft.close()
            self._draft = None

    # --------------------------------------------------------------------------------------------- revealed games
    def _fetch_if_revealed(self, info: wire.TableInfo) -> None:
        """Begin to fetch the last game if the host has revealed it."""
        if self._last is not None and info.opened == self._last[0] and self._revealing is None:
            self._revealing = asyncio.ensure_future(self._add_revealed(*self._last))

    async def _add_revealed(self, game: int, path: Path) -> None:
        try:
            revealed = await self._client.revealed_game(game)
            recording = read_recording(path)
            recording.revealed = revealed
            write_recording(path, recording)
            self._saved(path)
        except (OSError, ReplayError, ClientError) as problem:
            self.problem = f"the revealed game could not be added to the recording: {problem}"
            LOG.warning(self.problem)

    # ---------------------------------------------------------------------------------------------------- one game
    def _begin(self, update: wire.Update, info: wire.TableInfo) -> None:
        """Begin or continue the draft of a game, unless the game was over before this client came."""
        if update.view is None or info.stage == "lobby":
            return
        path = self._folder / "drafts" / self._draft_name(info)
        if update.view.winners and not path.exists():
            return
        self._header = self._new_header(update, info)
        if self._header.late and not path.exists():
            self._reopen(self._header, path)
        self._chronicle = Chronicle(self._catalog, self._client.seat)
        try:
            if self._recording:
                self._open_draft(path, self._header, self._chronicle, info)
        except _DISK_PROBLEMS as problem:
            self._stop_recording(problem)

    def _reopen(self, header: Header, draft: Path) -> None:
        """Turn the file of this game, if there is one, back into its draft, because the end of the game was taken
        back."""
        self._reopened(self._key(header))
        for path in self._folder.glob(f"*{SUFFIX}"):
            if _OWN_NAMES.fullmatch(path.name) and _is_of(path, header):
                if self._revealing is not None:
                    self._revealing.cancel()
                self._last = self._revealing = None
                draft.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                path.replace(draft)
                return

    def _open_draft(self, path: Path, header: Header, chronicle: Chronicle, info: wire.TableInfo) -> None:
        _remove_oldest(path.parent, DRAFTS_KEPT - 1)
        self._draft = draft = _Draft(path, header, self._packs)
        if draft.header.game != info.game:
            raise ReplayError("there is a draft of another game in its place")
        self._header = draft.header
        for ms, frame in draft.take_earlier():
            message = codec.unpack_told(frame)
            if isinstance(message, wire.Update):
                chronicle.heard(message, ms)
        draft.add(self._now_ms(), codec.pack(wire.Info(info)))

    def _new_header(self, update: wire.Update, info: wire.TableInfo) -> Header:
        from_start = not update.events or update.events[0].no == 1
        part = self._client.deal_commitment.part
        own = part if part is not None and part.game == info.game else DealPart(info.game, b"", b"")
        return Header(
            format=FORMAT, version=VERSION, protocol=wire.WIRE, began=int(self._clock()), table=info.table,
            game=info.game, seat=self._client.seat, packs=info.packs, players=[seat.name for seat in info.seats],
            bots=[bool(seat.bot) for seat in info.seats], options=info.options, pace=info.pace, machine=info.machine,
            late=not from_start, commitment=own.commitment, nonce=own.nonce, again=own.again,
        )  # fmt: skip

    def _draft_name(self, info: wire.TableInfo) -> str:
        """Return the same name for the same seat in the same game."""
        target = self._client.target
        key = f"{info.table} {info.game} {self._client.seat} {self._client.name}"
        return blake2b(target.key + key.encode(), digest_size=12).hexdigest()

    def _finish(self, won: View | None = None) -> None:
        """Turn the draft into a named file and tell the story, because the game is over for this client. won: the last
        view of a game that somebody has won."""
        header, chronicle, draft = self._header, self._chronicle, self._draft
        self._header = self._chronicle = self._draft = None
        if header is None or chronicle is None:
            return
        self._done = header.game
        story = chronicle.story()
        header.story = pack(story)
        header.taken_back, header.counts = chronicle.undone, not chronicle.learnt
        try:
            if draft is not None:
                draft.close()
                self._save(draft.path, header)
        finally:
            if won is not None:
                self._tell_finished(header, story, won)

    def _save(self, draft: Path, header: Header) -> None:
        recording = read_recording(draft)
        last = next(found for found in map(_view, reversed(recording.messages)) if found is not None)
        header.winners, header.turns = last.winners, last.turn_no
        recording.header = header
        path = self._free_name(header)
        write_recording(path, recording)
        draft.unlink(missing_ok=True)
        _remove_oldest(self._folder, RECORDINGS_KEPT)
        self._last, self._revealing = (header.game, path), None
        self._saved(path)

    def _tell_finished(self, header: Header, story: Story | None, won: View) -> None:
        header.winners, header.turns = won.winners, won.turn_no
        if self._client.info is not None:
            self._finished(Finished(self._key(header), header, self._client.info, story))

    def _key(self, header: Header) -> str:
        """Return the key of a game, see Finished."""
        game = f"{header.table} {header.game}".encode()
        return blake2b(self._client.target.key + game, digest_size=12).hexdigest()

    def _free_name(self, header: Header) -> Path:
        """Return a path like `2026-11-20-2134-munchkins-and-mazes-Kim.kickdoor` that does not exist yet."""
        when = datetime.fromtimestamp(header.began).strftime("%Y-%m-%d-%H%M")
        sets = "+".join(pack.set_id for pack in header.packs[:2]) + ("+" if len(header.packs) > 2 else "")
        who = header.players[header.seat] if header.seat >= 0 else "spectator"
        name = re.sub(r"[^A-Za-z0-9+-]+", "-", f"{when}-{sets}-{who}")[:100].strip("-")
        paths = [self._folder / f"{name}{extra}{SUFFIX}" for extra in ("", *(f"-{n}" for n in range(2, 100)))]
        return next((path for path in paths if not path.exists()), paths[-1])


def _view(message: tuple[int, bytes]) -> View | None:
    """Return the view in a recorded message, if there is one."""
    found = codec.unpack_told(message[1])
    return found.view if isinstance(found, wire.Update) else None


def _is_of(path: Path, header: Header) -> bool:
    """Return whether a file records this game, from this seat."""
    try:
        found = read_header(path)
    except ReplayError:
        return False
    return _identity(found) == _identity(header)


def _identity(header: Header) -> tuple[object, ...]:
    packs = [pack.hash for pack in header.packs]
    return header.table, header.game, header.seat, header.players, packs


class _Draft:
    """A recording that still grows, locked while it is open. Raises OSError, ReplayError."""

    def __init__(self, path: Path, header: Header, packs: list[dict[str, bytes]]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path, self.header = path, header
        self._compressor = MessageCompressor()
        self._size = self._raw = self._messages = 0
        self._earlier: list[tuple[int, bytes]] = []
        file = lock_file(path)
        if file is None:
            raise ReplayError("another client of this home records the same seat")
        self._file: IO[bytes] = file
        if file.seek(0, 2) == 0:
            self._write(head_bytes(header, packs))
        else:
            self._continue(packs)

    def _continue(self, packs: list[dict[str, bytes]]) -> None:
        """Rewrite what can be read of the file, without a truncated message at its end, and continue from there."""
        try:
            found = read_recording(self.path)
        except ReplayError as problem:
            LOG.warning("the draft starts again: %s", problem)
            found = Recording(self.header, packs)
            self.header.late = True
        self.header = found.header
        self.header.messages, self.header.winners, self.header.turns, self.header.story = -1, [], 0, b""
        self._file.seek(0)
        self._file.truncate()
        self._write(head_bytes(self.header, packs))
        for ms, frame in found.messages:
            self.add(ms, frame)
        self._earlier = found.messages

    def take_earlier(self) -> list[tuple[int, bytes]]:
        """Return, once, the messages that the draft had when it was opened: ms since the header's `began`, and
        frame."""
        earlier, self._earlier = self._earlier, []
        return earlier

    def add(self, ms: int, frame: bytes) -> bool:
        """Add a message; return False if there is no more room. ms: since the header's `began`."""
        self._messages += 1
        self._raw += len(frame)
        data = message_bytes(self._compressor, ms, frame)
        full = self._size + len(data) > FILE_LIMIT or self._raw > RAW_LIMIT
        if full or self._messages > MESSAGES_LIMIT:
            return False
        self._write(data)
        return True

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        self._size += len(data)

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()


def _remove_oldest(folder: Path, kept: int) -> None:
    """Remove the oldest files with names of a recorder until `kept` are left."""
    if not folder.is_dir():
        return
    files = [path for path in folder.iterdir() if path.is_file() and _OWN_NAMES.fullmatch(path.name)]
    for path in sorted(files, key=lambda path: path.stat().st_mtime)[: max(0, len(files) - kept)]:
        path.unlink(missing_ok=True)
