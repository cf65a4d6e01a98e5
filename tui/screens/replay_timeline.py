"""A recorded game indexed for playback: one step for each message that adds lines to the log."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.state import events as ev
from core.state.actions import Action, Refusal
from core.view import View
from netcode.client.connection import ClientError, Stage
from netcode.client.state_machine import Message
from netcode.protocol import codec, wire
from netcode.recording.recording import Header, Recording, ReplayError, read_recording
from netcode.recording.revealed import seen_from
from tui.render.pane import MAKES_NO_SENSE
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.scene import LogLine
from tui.scene.table_session import TableSession

READY = ("playing", "paused", "over")


@dataclass(frozen=True)
class Step:
    """A moment to stop at. update, info: the messages that show it (info -1: none yet). lines: how much of the log was
    written by then, fresh: how many of these lines are new. ms after the beginning. turn, fight: one begins here.
    rev: of the game."""

    update: int
    info: int
    lines: int
    fresh: int
    ms: int
    turn: int = 0
    fight: bool = False
    rev: int = 0


class Projector:
    """What a screen asks of a client, from a recording: it shows, and does nothing."""

    def __init__(self, header: Header) -> None:
        self.seat = header.seat
        self.view: View | None = None
        self.info: wire.TableInfo | None = None
        self.events: deque[wire.NumberedEvent] = deque()
        self.auto, self.rtt_ms, self.reason = False, -1, ""
        self.stage: Stage = "synced"
        self._timers = wire.Timers()

    def take(self, message: Message) -> None:
        """Show what this message showed."""
        if isinstance(message, wire.Info):
            self.info = message.info
        elif isinstance(message, wire.Update):
            self.view, self.auto, self._timers = message.view, message.auto, message.timers

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """Nothing comes by itself."""
        return lambda: None

    def clocks(self) -> wire.Timers:
        """The clocks as they stood."""
        return self._timers

    def act(self, action: Action) -> int:
        """Raises ClientError: what is over cannot be changed."""
        raise ClientError("closed", "this is a recording")

    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None:
        """Raises ClientError, as `act`."""
        raise ClientError("closed", "this is a recording")

    def say(self, text: str) -> bool:
        """Nobody is there to hear it."""
        return False

    def set(
        self, *, ready: bool | None = None, auto: bool | None = None, speed: wire.Speed | None = None,
        skip: bool | None = None, withdraw: bool | None = None, open: bool | None = None,
    ) -> None:  # fmt: skip
        """Ignored: there is no host."""

    def admin(self, what: str, seat: int = -1, value: str = "") -> None:
        """Nobody is there to command."""

    def back(self, vote: int = 0, yes: bool = True) -> None:
        """What was done is done."""

    async def leave(self) -> None:
        """There is no seat to give up."""

    async def close(self) -> None:
        """There is no connection."""


class Timeline:
    """A recording on its reel. `steps` are in order; `show` puts one of them before the session."""

    def __init__(self, recording: Recording, catalog: Catalog, glyphs: Glyphs = UNICODE) -> None:
        """Raises ReplayError if the recording does not fit its own cards."""
        self.header, self.recording = recording.header, recording
        self._catalog, self._glyphs = catalog, glyphs
        self.steps: list[Step] = []
        self.at = 0
        self._messages = recording.messages
        self._log: list[LogLine] = []
        self._client = Projector(recording.header)
        self.session = TableSession(self._client, catalog, glyphs, clock=lambda: 0.0)
        self._wind()
        if not self.steps:
            raise ReplayError("nothing happens in this recording")
        self.show(0)
        try:
            self.session.scene()
        except MAKES_NO_SENSE as problem:
            text = "the first step of this recording does not fit its cards"
            raise ReplayError(f"{text} ({type(problem).__name__})") from None

    def _message(self, number: int) -> wire.Down:
        try:
            return codec.unpack_down(self._messages[number][1])
        except codec.WireError as problem:
            raise ReplayError(f"message {number + 1} of this recording cannot be read: {problem}") from None

    def _wind(self) -> None:
        """Look at everything once."""
        info = -1
        for number, (ms, _) in enumerate(self._messages):
            message = self._message(number)
            if isinstance(message, wire.Info):
                info = number
            self._client.take(message)
            try:
                self.session.log = []
                self.session.heard(message)
            except MAKES_NO_SENSE as problem:
                text = f"message {number + 1} of this recording does not fit its cards"
                raise ReplayError(f"{text} ({type(problem).__name__})") from None
            self._log += self.session.log
            if isinstance(message, wire.Update) and message.view is not None and info >= 0:
                self._step(number, info, ms, message)
        self.session.remark = ""

    def _step(self, number: int, info: int, ms: int, update: wire.Update) -> None:
        """An update is a step of its own if it brought a line of log; else the step before shows what it changed."""
        assert update.view is not None
        lines, rev = len(self._log), update.view.rev
        before = self.steps[-1].lines if self.steps else 0
        if lines == before and self.steps:
            last = self.steps[-1]
            self.steps[-1] = Step(number, info, lines, last.fresh, last.ms, last.turn, last.fight, rev)
            return
        began = next((told.event.no for told in update.events if isinstance(told.event, ev.TurnBegan)), 0)
        known = any(line.kind == "turn" for line in self._log[before:])
        fight = any(isinstance(told.event, ev.FightBegan) for told in update.events)
        self.steps.append(Step(number, info, lines, lines - before, ms, began if known else 0, fight, rev))

    # --------------------------------------------------------------------------------------------------- other eyes
    def through(self, seat: int) -> "Timeline":
        """Return the same game as another seat saw it, if it was revealed. Raise ReplayError."""
        return Timeline(seen_from(self.recording, seat), self._catalog, self._glyphs)

    @property
    def rev(self) -> int:
        """The revision of the game that is shown."""
        return self.steps[self.at].rev

    # ------------------------------------------------------------------------------------------------------- moving
    def show(self, at: int) -> None:
        """Go to a step (the nearest there is)."""
        self.at = max(0, min(len(self.steps) - 1, at))
        step = self.steps[self.at]
        self._client.take(self._message(step.info))
        self._client.take(self._message(step.update))
        self.session.log = self._log[: step.lines]
        self.session.remark = ""

    def find(self, by: int, what: Callable[[Step], bool]) -> int:
        """The next step (by = 1) or the one before (by = -1) of which `what` holds; the end if there is none."""
        at = self.at + by
        while 0 < at < len(self.steps) - 1 and not what(self.steps[at]):
            at += by
        return at

    @property
    def lines(self) -> list[LogLine]:
        """What happened at this step."""
        step = self.steps[self.at]
        return self._log[step.lines - step.fresh : step.lines]


def load_timeline(path: Path, glyphs: Glyphs = UNICODE) -> Timeline:
    """Return the timeline of a file. Raise ReplayError with one line that names the file."""
    recording = read_recording(path)
    try:
        catalog = catalogs.load(recording.packs)
        return Timeline(recording, catalog, glyphs)
    except catalogs.PackError as problem:
        raise ReplayError(f"{path}: its card packs cannot be used by this version: {problem}") from None
    except ReplayError as problem:
        raise ReplayError(f"{path}: {problem}") from None
