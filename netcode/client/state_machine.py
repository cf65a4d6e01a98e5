"""The state machine under a table's client (client.py): join, stay connected, reconnect, send one action at a time."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from core.state.actions import Action, Refusal
from core.state.forecasts import Forecast
from core.state.veiled import Veiled
from core.state.views import View
from netcode import VERSION
from netcode.client.absence import STOPPING
from netcode.client.connection import SEAT_IN_USE, ClientError, Connection, Stage, knocking_text
from netcode.client.deal_commitment import DealCommitment
from netcode.client.pending_actions import PendingActions
from netcode.client.preferences import Moment, Preferences
from netcode.client.recent import Recent
from netcode.client.round_trip import RoundTrip
from netcode.client.saved_seats import about, seen_ago, way_back
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join, KeyPair
from netcode.protocol.deltas import Folder
from netcode.protocol.versions import in_own_words

LOG = logging.getLogger("kickdoor.client")
Role = Literal["player", "watch", "bot"]
KEPT_EVENTS, KEPT_BYTES = 1000, 256 * 1024
"""The number of events of the current game that `events` keeps, and their total bytes: a thousand take some 40 KB."""
_FATAL = (
    "bad_token", "bad_version", "bad_name", "table_full", "no_such_table", "not_allowed", "banned", "kicked", "closing",
)  # fmt: skip


class ConnectionChanged(Struct, frozen=True):
    """Not a message of the host: the connection changed. text: why, for people ("" when all is well)."""

    stage: Stage
    text: str


Message = wire.Told | ConnectionChanged


class StateMachine(Connection):
    """The part of Client that handles the connection and the host's messages; client.py describes its attributes."""

    def __init__(
        self,
        join: str | Join,
        name: str,
        *,
        role: Role = "player",
        level: str = "",
        home: Path | None = None,
        keep: bool = True,
        context: Any = None,
        pair: KeyPair | None = None,
        forecasts: bool = False,
        veiled: bool = False,
    ) -> None:
        """join: a join, watch or owner string. home: the folder that keeps our seats (default:
        credentials.data_folder()), so that joining again leads back to our seat; keep=False: keep nothing. pair:
        the key of a seat that is not kept (default: a new one). forecasts, veiled: ask for them. Raises ClientError for
        a damaged string."""
        super().__init__(join, name, home=home, keep=keep and role != "watch", context=context, pair=pair)
        if self.target.table == wire.LOBBY:
            text = "this string leads to a host's lobby, not to a table: `kickdoor join` shows its tables"
            raise ClientError("join", text)
        self.role, self.level = role, level
        self.seat = -1
        self.info: wire.TableInfo | None = None
        self.view: View | None = None
        self.forecasts: list[Forecast] = []
        self.veiled: Veiled | None = None
        self._wants_forecasts, self._wants_veiled = forecasts, veiled
        self._in_parts = False
        """The events of a whole delta continue in the next one."""
        self._host_is_older = False
        """The host has refused a hello with the newest fields."""
        self.events: deque[wire.NumberedEvent] = Recent(KEPT_EVENTS, KEPT_BYTES)
        self.auto = False
        self.undo: wire.UndoInfo | None = None
        self.knocks: list[wire.KnockInfo] = []
        self.strings: tuple[str, ...] = ()
        self.words, self.words_rest = "", False
        self.left_off = -1
        self._heard_last = -1.0
        """When we last heard of the game, by the loop's clock (s); below 0: not in this process."""
        self.rtt_ms = -1
        self._round_trip = RoundTrip()
        self.welcome: wire.Welcome | None = None
        self._welcomed = self._invited = False
        self._is_hello_out = False
        """The host has not answered our last hello. Until it does we send nothing else, because any message would mean
        that we have its welcome."""
        self._epoch = self._seq = self._nonce = 0
        self._folder = Folder()
        self._gap = False
        """A delta was lost or damaged, so our view is older than what the host has sent since."""
        self._actions = PendingActions(self._send_action, self._loop.time)
        self.gives_up = role == "bot"
        """Whether it ends when the host has been gone for ten minutes; a person decides for themselves."""
        self.seat_code = b""
        """The code with which it takes its player's seat from another machine (wire.SeatCode)."""
        self.asks_first = True
        """Whether it leaves a shared seat to another process that still answers (ClientError `seat_in_use`)."""
        self._ping_at = self._sync_at = self._seen_at = -60.0
        self._reasons: dict[int, asyncio.Future[Refusal | None]] = {}
        self._parts: dict[str | int, asyncio.Future[Any]] = {}
        self._preferences = Preferences(self._send_preferences, lambda: self.stage, self._moment)
        self._timers, self._timers_at, self._unanswered_since = wire.Timers(), 0.0, -1.0
        self.deal_commitment = DealCommitment()

    # ------------------------------------------------------------------------------------------------ the connection
    def _reconnect(self, text: str) -> None:
        """Disconnect and connect again. text: why, for people."""
        if self._transport is not None:
            self._transport.close(linger_ms=0)
            self._leave_silent()
            self._linked(False, text)
            self._connect()

    def _linked(self, up: bool, text: str, code: str = "offline") -> None:
        if self.stage != "closed":
            self._welcomed, self._is_hello_out, self._unanswered_since = False, False, -1.0
        super()._linked(up, text, code)

    def _stage_changed(self) -> None:
        if self.stage == "closed":  # no answer will come
            self._absence.over()
            self._actions.fail(ClientError(self.code, self.reason))
        self._tell(ConnectionChanged(self.stage, self.reason))

    @property
    def _s(self) -> bytes:
        return self.welcome.s if self.welcome is not None else b""

    def _hello(self) -> None:
        """Send our hello with the token of our saved seat, or with that of the join string if there is none. Do not
        send it twice within 0.2 s, because the host may answer several messages with `unknown_session`."""
        now = self._loop.time()
        if now - self._hello_at < 0.2:
            return
        token = self.seat_code or (b"" if self._invited else self._saved_seat.token) or self.target.token
        game, rev, heard = self._saved_seat.seen
        level = self.level[: limits.LEVEL_CHARS if self._host_is_older else limits.BOT_CHARS]
        hello = wire.Hello(
            wire.OLDEST, wire.WIRE, self.target.table, token, self.name, self.role, VERSION, level, game, rev,
            self._wants_forecasts and not self._host_is_older,
            0 if self._host_is_older else heard, self._wants_veiled and not self._host_is_older,
            self._is_polite() and not self._host_is_older,
        )  # fmt: skip
        self._is_hello_out = False
        self._is_hello_out = self._send(hello)
        self._hello_at = now if self._is_hello_out else now - limits.RESEND_S

    def _is_polite(self) -> bool:
        """Whether we leave our seat to another connection: at first if it is shared, later if we have slept."""
        return self._invited if self.welcome is not None else self._saved_seat.shared and self.asks_first

    def _send(self, message: wire.Up) -> bool:
        return not self._is_hello_out and super()._send(message)

    def _long_gone(self) -> None:
        if self.gives_up:
            self._set_stage("closed", "the host is gone")
        else:
            super()._long_gone()

    def _is_let_in(self) -> bool:
        return self._welcomed

    def _has_been_in(self) -> bool:
        return self.welcome is not None

    def _heartbeat_s(self) -> float:
        return (self.welcome.beat_ms if self.welcome is not None else limits.HEARTBEAT_MS) / 1000

    def _is_host_silent(self, now: float) -> bool:
        """Whether the host is silent, or receives nothing from us so that our pings stay unanswered."""
        patience = self._heartbeat_s() * limits.UNANSWERED_HEARTBEATS
        unanswered = self._unanswered_since >= 0 and now - self._unanswered_since > patience
        return unanswered or super()._is_host_silent(now)

    def _host_is_silent(self, now: float) -> None:
        self._reconnect("the host does not answer")

    def _keep_in_touch(self, now: float) -> None:
        """Send a ping, the action under way again, or our part in a fair deal."""
        if now - self._ping_at > self._heartbeat_s():
            self._nonce += 1
            self._ping_at = now
            self._unanswered_since = self._unanswered_since if self._unanswered_since >= 0 else now
            self._send(wire.Ping(self._s, self._nonce))
        self._actions.send_overdue()
        if now - self._seen_at > limits.SEEN_S:
            self._seen_at = now
            self._keep_seen()
        self._take_part()

    def _keep_seen(self) -> None:
        """Save how far we have seen the game."""
        if self.info is not None:
            self._saved_seat.table = about(self.info, self.seat, self.view.turn_no if self.view is not None else 0)
        try:
            self._saved_seat.keep_seen()
        except OSError as problem:
            LOG.warning("how far this game was seen could not be saved: %s", problem)

    def _take_part(self) -> None:
        """Send our next part in a fair deal if the host waits for it."""
        if self.info is not None and self._welcomed:
            part = self.deal_commitment.answer(self.info.deal, self.seat, self._s, self._loop.time())
            if part is not None:
                self._send(part)

    def _send_action(self, n: int, action: Action) -> bool:
        return self.stage == "synced" and self._send(wire.Act(self._s, n, action))

    def _send_preferences(self, preferences: dict[str, Any]) -> bool:
        return self.stage == "synced" and self._send(wire.Set(self._s, **preferences))

    def _moment(self) -> Moment:
        fight = self.view.fight if self.view is not None else None
        game = self.info.game if self.info is not None else 0
        return (game, fight.no, fight.changed_at) if fight is not None else (game, 0, 0)

    def _look_back(self, welcome: wire.Welcome) -> None:
        """Note where we left off, if a bot may have played for us since."""
        game, _, heard = self._saved_seat.seen
        seats = welcome.info.seats
        mine = seats[welcome.seat].state if 0 <= welcome.seat < len(seats) else ""
        last = self._heard_last if self._heard_last >= 0 else self._loop.time() - seen_ago(self._saved_seat)
        gone = self._loop.time() - last > limits.AWAY_MS / 1000
        missed = self.role == "player" and game == welcome.info.game and (gone or mine == "away")
        self.left_off = heard if missed else -1

    # --------------------------------------------------------------------------------------------- what the host says
    def _take(self, message: wire.Down) -> None:
        handler = HANDLERS.get(type(message))
        if handler is not None and handler(self, message) is False:
            return
        self._tell(message)

    def _on_welcome(self, welcome: wire.Welcome) -> None:
        self._is_hello_out = False
        self._actions.welcomed(welcome.n, self.welcome is None or welcome.s != self.welcome.s)
        if welcome.epoch != self._epoch:
            self._seq = 0
            lost = self._lost_preferences(welcome.info) if self._epoch else {}
            if lost:
                self._send(wire.Set(welcome.s, **lost))
        self._look_back(welcome)
        self.welcome, self.seat, self.info, self._epoch = welcome, welcome.seat, welcome.info, welcome.epoch
        self._absence.kept, self.seat_code = welcome.kept, b""
        self._know_places(welcome.places)
        self._absence.over()
        self._welcomed, self._invited, self._seq = True, False, 0
        self._folder = Folder()
        self.knocks = []  # the host sends the present knocks, but no message if there are none
        self._ping_at = self._loop.time()
        self._take_part()
        try:
            if self.role == "player" and not self.trusted:
                self._saved_seat.way = way_back(self.target, self.name)
            if welcome.token:
                self._saved_seat.keep(welcome.token)
        except OSError as problem:
            LOG.error("the token that leads back to this seat could not be saved: %s", problem)

    def _lost_preferences(self, info: wire.TableInfo) -> dict[str, Any]:
        """Return preferences to send again to a restarted host, because an older host has lost them. None at a table of
        several people, where they could override a later choice of somebody else."""
        lost = dict(self._preferences.lasting) if info.solo else {}
        if self.info is None or lost.get("speed") != self.info.speed:  # somebody else has chosen later
            lost.pop("speed", None)
        return lost

    def _on_info(self, message: wire.Info) -> None:
        self.info = message.info
        if message.info.owner != self.seat or message.info.acting:
            # another owner may make new ones, and would not tell us
            self.strings, self.words, self.words_rest = (), "", False
        self._take_part()

    def _on_delta(self, delta: wire.Delta) -> bool:
        """Make an update of a delta and pass that on instead. After a gap, ask for a whole delta. Raises WireError if
        the delta makes no sense."""
        if not self._welcomed or delta.seq <= self._seq:
            return False
        if not delta.whole and delta.seq != self._seq + 1:
            self._resync()
            return False
        update = self._folder.fold(delta, self._epoch, self._clocks_there())
        self._consistency.check(update)
        self._seq = delta.seq
        self._updated(update)
        self._tell(update)
        return False

    def _updated(self, update: wire.Update) -> None:
        self.view, self.auto, self.undo, self._gap = update.view, update.auto, update.undo, False
        self.forecasts, self.veiled = update.forecasts, update.veiled
        if update.whole and not self._in_parts:
            self.events.clear()
        self._in_parts = update.more
        self.events.extend(update.events)
        self._set_timers(update.timers)
        if self.view is not None and self.info is not None:  # after a hello the host may be behind what we have seen
            self._saved_seat.seen = (self.info.game, self.view.rev, self._last_heard(update, self.info.game))
            self._heard_last = self._loop.time()
        if self.stage != "synced":
            self._set_stage("synced", "")
        self._actions.pump()

    def so_far(self) -> wire.Update | None:
        """Return the state before a subscription as one whole update; None before the first update."""
        if self._seq == 0:
            return None
        events = list({item.no: item for item in self.events}.values())
        return wire.Update(
            self._epoch, self._seq, self.view, events, self._clocks_there(), whole=True, auto=self.auto,
            more=self._in_parts, undo=self.undo,
        )  # fmt: skip

    def _last_heard(self, update: wire.Update, game: int) -> int:
        """Return the number of the last event that we have of this game."""
        if update.events:
            return update.events[-1].no
        before, _, heard = self._saved_seat.seen
        return heard if before == game and not update.whole else 0

    def _resync(self) -> None:
        """Ask for a whole update, at most once a second."""
        now = self._loop.time()
        self._gap, self.left_off = True, -1
        if self._welcomed and now - self._sync_at > 1.0:
            self._sync_at = now
            self._send(wire.Sync(self._s, 0 if self._host_is_older else self._saved_seat.seen[2]))

    def clocks(self) -> wire.Timers:
        """Return the clocks now, in ms left for a key (-1: no clock): one that is pressed later arrives too late. The
        clock of a held window stands still."""
        return self._clocks_there().for_keys(self._round_trip.slowest)

    def _clocks_there(self) -> wire.Timers:
        """Return the clocks of the host, without correction for the time that its last message about them took."""
        return self._timers.after(int((self._loop.time() - self._timers_at) * 1000))

    def _set_timers(self, timers: wire.Timers) -> None:
        self._timers, self._timers_at = timers, self._loop.time()

    def _on_ticked(self, message: wire.Ticked) -> None:
        self._set_timers(message.timers)

    def _on_pong(self, message: wire.Pong) -> None:
        self._unanswered_since = -1.0
        if message.nonce == self._nonce:
            self._heard_last = self._loop.time()
            self.rtt_ms = round((self._loop.time() - self._ping_at) * 1000)
            self._round_trip.note(self.rtt_ms)
        self._set_timers(message.timers)

    def _on_ack(self, ack: wire.Ack) -> None:
        if ack.status == "queued":
            self._actions.queued(ack.n)
        else:
            self._actions.answered(ack.n, ack)

    def _on_refused(self, refused: wire.Refused) -> None:
        self._actions.answered(refused.n, refused)

    def _on_reason(self, reason: wire.Reason) -> None:
        future = self._reasons.get(reason.q)
        if future is not None and not future.done():
            future.set_result(reason.refusal)

    def _on_part(self, part: wire.PackPart) -> None:
        future = self._parts.get(part.set_id)
        if future is not None and not future.done():
            future.set_result(part)

    def _on_game_part(self, part: wire.GamePart) -> None:
        future = self._parts.get(part.game)
        if future is not None and not future.done():
            future.set_result(part)

    def _on_error(self, error: wire.Error) -> bool:
        if error.n < 0:
            self._is_hello_out = False
        if error.code == "unknown_session":
            self._hello_at = min(self._hello_at, self._loop.time())  # it need not wait any longer, if it was told to
            self._welcomed = False
            self._set_stage("joining", "")
            self._hello()
        elif self._came_too_fast(error):
            self._loop.call_later(error.retry_ms / 1000, self._actions.send_again, error.n)
            return False
        elif error.n >= 0:
            self._actions.answered(error.n, error)
        elif not self._welcomed:
            self._not_let_in(error)
        return True

    def _on_elsewhere(self, there: wire.Elsewhere) -> None:
        self._is_hello_out = False
        if not self._welcomed:
            self._redirect(there)

    def _came_too_fast(self, error: wire.Error) -> bool:
        """Return whether the host has not looked at our action yet and will take it in a moment."""
        soon = error.code == "rate_limited" and error.retry_ms <= limits.RESEND_S * 1000
        return soon and self._actions.is_oldest(error.n)

    def _not_let_in(self, error: wire.Error) -> None:
        """The host has refused our hello: retry without fields that an older host does not know, retry with the join
        string, retry later, or give up."""
        if error.code == "bad_schema" and not self._host_is_older:
            self._host_is_older = True
            self._hello_at = -60.0
            self._hello()
            return
        if error.code == "bad_token" and self._saved_seat.token and not self._invited and not self.seat_code:
            self._invited = True  # our saved seat is gone: ask for a new one
            self._hello_at = -60.0
            self._hello()
        elif error.code in _FATAL or (error.code == SEAT_IN_USE and not error.retry_ms):
            text = in_own_words(error.text) if error.code == "bad_version" else error.text
            self._set_stage("closed", text, error.code)
        else:
            self._set_stage("joining", error.text)
            self._hello_at = self._loop.time() + error.retry_ms / 1000 - limits.RESEND_S
            self._set_stage("joining", error.text)

    def _on_knocked(self, knocked: wire.Knocked) -> None:
        """Wait for the decision of the table's owner, and keep saying that we wait."""
        if self._welcomed:
            return
        if knocked.admitted:
            self._hello_at = -60.0
            self._hello()
            return
        self._patience(knocked.left_ms / 1000 + limits.RESEND_S)
        self._set_stage("joining", knocking_text(self.name, self._saved_seat.pair.fingerprint))

    def _on_knocks(self, message: wire.Knocks) -> None:
        self.knocks = message.knocks

    def _on_strings(self, message: wire.Strings) -> None:
        join, watch = (str(replace(self.target, token=token)) for token in (message.join, message.watch))
        self.strings = (join, watch)
        self.words, self.words_rest = message.words, message.words_rest

    def _pass_on(self, message: wire.Talk | wire.Voted | wire.Older | wire.SeatCode) -> None:
        """Do nothing: the message is for the subscribers only."""

    def _on_bye(self, bye: wire.Bye) -> None:
        if bye.reason != STOPPING:
            if bye.reason == "ended":
                self._saved_seat.forget()
            self._set_stage("closed", bye.text, bye.reason)
            return
        self._absence.stopped, self._welcomed = True, False
        self._set_stage("offline", self._absence.words())


HANDLERS: dict[type, Callable[[StateMachine, Any], bool | None]] = {
    wire.Welcome: StateMachine._on_welcome, wire.Info: StateMachine._on_info, wire.Delta: StateMachine._on_delta,
    wire.Ticked: StateMachine._on_ticked, wire.Pong: StateMachine._on_pong, wire.Ack: StateMachine._on_ack,
    wire.Refused: StateMachine._on_refused, wire.Reason: StateMachine._on_reason, wire.PackPart: StateMachine._on_part,
    wire.GamePart: StateMachine._on_game_part, wire.Talk: StateMachine._pass_on, wire.Voted: StateMachine._pass_on,
    wire.Older: StateMachine._pass_on, wire.SeatCode: StateMachine._pass_on,
    wire.Knocked: StateMachine._on_knocked, wire.Knocks: StateMachine._on_knocks,
    wire.Strings: StateMachine._on_strings, wire.Error: StateMachine._on_error, wire.Bye: StateMachine._on_bye,
    wire.Elsewhere: StateMachine._on_elsewhere,
}  # fmt: skip
"""The client's handler for each message. If it returns False, the message is not passed on to the subscribers."""
