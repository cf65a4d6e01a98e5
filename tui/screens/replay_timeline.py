"""A recorded game indexed for playback: one step for each message that adds lines to the log."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from core.language.catalog import Catalog
from core.language.errors import PackError
from core.state import events as ev
from core.state.actions import Action, Refusal
from core.state.veiled import Veiled
from netcode.client.connection import ClientError
from netcode.client.state_machine import Message
from netcode.protocol import codec, wire
from netcode.recording.chronicle import Chronicle
from netcode.recording.recording import Header, Recording, ReplayError, read_recording, remedy
from netcode.recording.revealed import seen_from
from netcode.recording.story import Story, Swing, unpack
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.hostless_client import HostlessClient
from tui.scene.moments import Moment, Moments
from tui.scene.scene import LogLine
from tui.scene.table_session import TableSession
from tui.widgets.pane import UNFIT_VIEW_ERRORS

LOOK_BACK = 40
"""At most this many messages before a step are read to find out what its moments follow from: a die, or a body that is
looted."""


class Step(Struct, frozen=True):
    """One step of the playback.

    update, info: the numbers of the messages that show it. lines: the length of the log at this step. fresh: how many
    of these lines are new. ms: milliseconds since the beginning of the recording. turn: the number of the turn that
    begins here, 0 if none does. fight: whether a fight begins here. rev: the revision of the game. undone: whether this
    step was taken back later.
    """

    update: int
    info: int
    lines: int
    fresh: int
    ms: int
    turn: int = 0
    fight: bool = False
    rev: int = 0
    undone: bool = False


class RecordedClient(HostlessClient):
    """A client for screens that shows the messages of a recording; it cannot act (see tui.scene.table_session)."""

    def __init__(self, header: Header) -> None:
        super().__init__(header.seat)
        self.undo: wire.UndoInfo | None = None
        self._timers = wire.Timers()

    def take(self, message: Message) -> None:
        """Apply a recorded message, as the client that received it did."""
        if isinstance(message, wire.Info):
            self.info = message.info
        elif isinstance(message, wire.Update):
            self.view, self.auto, self._timers = message.view, message.auto, message.timers
            self.forecasts = message.forecasts

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """Return a function that does nothing: a recording sends no messages."""
        return lambda: None

    def clocks(self) -> wire.Timers:
        """Return the clocks as they were at this step."""
        return self._timers

    def act(self, action: Action) -> int:
        """Raise ClientError: a recording cannot be changed."""
        raise ClientError("closed", "this is a recording")

    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None:
        """Raise ClientError, as `act` does."""
        raise ClientError("closed", "this is a recording")

    async def knowledge(self) -> Veiled | None:
        """Return None: a recording only holds what was seen."""
        return None

    def say(self, text: str) -> bool:
        """Return False: nothing can be said in a recording."""
        return False

    def back(self, vote: int = 0, yes: bool = True) -> None:
        """Do nothing: a recording cannot be changed."""


class Timeline:
    """A recording as `steps` in order; `show` makes one of them the moment that `session` shows."""

    def __init__(self, recording: Recording, catalog: Catalog, glyphs: Glyphs = UNICODE) -> None:
        """Raise ReplayError if nothing happens in the recording, or if it does not fit its own cards."""
        self.header, self.recording = recording.header, recording
        self._catalog, self._glyphs = catalog, glyphs
        self.steps: list[Step] = []
        self.at = 0
        self._messages = recording.messages
        self._log: list[LogLine] = []
        self._client = RecordedClient(recording.header)
        self.session = TableSession(self._client, catalog, glyphs, clock=lambda: 0.0)
        self._chronicle = Chronicle(catalog, recording.header.seat)
        self._index()
        if not self.steps:
            raise ReplayError("nothing happens in this recording")
        self.show(0)
        try:
            self.session.scene()
        except UNFIT_VIEW_ERRORS as problem:
            text = "the first step of this recording does not fit its cards"
            raise ReplayError(f"{text} ({type(problem).__name__}){remedy(self.header)}") from None

    def _message(self, number: int) -> wire.Told:
        try:
            return codec.unpack_told(self._messages[number][1])
        except codec.WireError as problem:
            raise self._not_a_message(number, problem) from None

    def _not_a_message(self, number: int, problem: codec.WireError) -> ReplayError:
        where = f" ({problem.place})" if problem.place else ""
        text = f"message {number + 1} of this recording says what cannot be{where}"
        return ReplayError(text + remedy(self.header))

    def _index(self) -> None:
        """Read all messages once, and collect the log and the steps. Raise ReplayError if one makes no sense."""
        info, fits = -1, self.recording.consistency(self._catalog.cards)
        for number, (ms, _) in enumerate(self._messages):
            message = self._message(number)
            try:
                fits.check(message)
            except codec.WireError as problem:
                raise self._not_a_message(number, problem) from None
            if isinstance(message, wire.Info):
                info = number
            self._client.take(message)
            try:
                self.session.log = []
                self.session.heard(message)
            except UNFIT_VIEW_ERRORS as problem:
                text = f"message {number + 1} of this recording does not fit its cards"
                raise ReplayError(f"{text} ({type(problem).__name__}){remedy(self.header)}") from None
            self._log += self.session.log
            if isinstance(message, wire.Update):
                self._chronicle.heard(message, ms)
            if isinstance(message, wire.Update) and message.view is not None and info >= 0:
                self._step(number, info, ms, message)
        self.session.remark = ""
        self.session.moments.clear()

    def _step(self, number: int, info: int, ms: int, update: wire.Update) -> None:
        """Add a step for an update that added a line to the log; any other update replaces that of the last step."""
        assert update.view is not None
        for item in update.events:
            if isinstance(item.event, ev.SteppedBack) and item.event.rev >= 0:
                self._mark_undone(item.event.rev)
        lines, rev = len(self._log), update.view.rev
        before = self.steps[-1].lines if self.steps else 0
        if lines == before and self.steps:
            last = self.steps[-1]
            self.steps[-1] = Step(number, info, lines, last.fresh, last.ms, last.turn, last.fight, rev)
            return
        began = next((item.event.no for item in update.events if isinstance(item.event, ev.TurnBegan)), 0)
        known = any(line.kind == "turn" for line in self._log[before:])
        fight = any(isinstance(item.event, ev.FightBegan) for item in update.events)
        self.steps.append(Step(number, info, lines, lines - before, ms, began if known else 0, fight, rev))

    def _mark_undone(self, rev: int) -> None:
        """Mark all steps since this revision of the game: it went back there."""
        for at in range(len(self.steps) - 1, -1, -1):
            step = self.steps[at]
            if step.rev <= rev:
                return
            self.steps[at] = replace(step, undone=True)

    @cached_property
    def story(self) -> Story | None:
        """The story of the game: the one in the recording, or for an old recording, one made from its messages."""
        return unpack(self.header.story, len(self.header.players)) or self._chronicle.story()

    # ------------------------------------------------------------------------------------------------- other seats
    def seen_by(self, seat: int) -> "Timeline":
        """Return the same game as another seat saw it. Raise ReplayError if it was not revealed."""
        return Timeline(seen_from(self.recording, seat), self._catalog, self._glyphs)

    @cached_property
    def mattered(self) -> dict[int, Swing]:
        """The steps of the moments that mattered most, and what changed there."""
        found: dict[int, Swing] = {}
        for swing in self.story.mattered if self.story is not None else []:
            at = next((at for at, step in enumerate(self.steps) if step.rev >= swing.rev and not step.undone), None)
            if at is not None:
                found[at] = swing
        return found

    @property
    def rev(self) -> int:
        """Return the revision of the game at the current step."""
        return self.steps[self.at].rev

    # ------------------------------------------------------------------------------------------------------- moving
    def show(self, at: int) -> None:
        """Go to a step by its index, or to the nearest one."""
        self.at = max(0, min(len(self.steps) - 1, at))
        step = self.steps[self.at]
        self._client.take(self._message(step.info))
        self._client.take(self._message(step.update))
        self.session.log = self._log[: step.lines]
        self.session.remark = ""

    def moments(self) -> list[Moment]:
        """Return the moments of the current step, as this seat was told of them. They are found again each time, since
        every moment keeps a whole table."""
        first = self.steps[self.at - 1].update + 1 if self.at else 0
        known, found, last = Moments(self._catalog), list[Moment](), 0
        names = self.session.names()
        for number in range(max(0, first - LOOK_BACK), self.steps[self.at].update + 1):
            message = self._message(number)
            if not isinstance(message, wire.Update) or message.view is None:
                continue
            told = [item.event for item in message.events if item.no > last]
            last = message.events[-1].no if message.events else last
            known.hear([] if message.whole else told, message.view, names, self.header.seat)
            fresh = [*known.overtaken(), *iter(known.take, None)]
            found += fresh if number >= first else []
        return found

    def find(self, by: int, what: Callable[[Step], bool]) -> int:
        """Return the index of the nearest step for which `what` holds, after (by 1) or before (by -1) this one.

        If there is none, return the index of the last or first step.
        """
        at = self.at + by
        while 0 < at < len(self.steps) - 1 and not what(self.steps[at]):
            at += by
        return at

    @property
    def lines(self) -> list[LogLine]:
        """Return the log lines that are new at the current step."""
        step = self.steps[self.at]
        return self._log[step.lines - step.fresh : step.lines]


def load_timeline(path: Path, glyphs: Glyphs = UNICODE) -> Timeline:
    """Return the timeline of a file. Raise ReplayError with one line that names the file."""
    recording = read_recording(path)
    try:
        catalog = recording.catalog()
        return Timeline(recording, catalog, glyphs)
    except PackError as problem:
        raise ReplayError(f"{path}: its card packs cannot be used by this version: {problem}") from None
    except ReplayError as problem:
        raise ReplayError(f"{path}: {problem}") from None
