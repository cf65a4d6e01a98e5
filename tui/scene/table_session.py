"""One seat at a table as the screens see it: the log in words, scenes, and a call after every change."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace as over
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.actions import Action, Pass, Refusal
from core.state.model import defn_of
from core.state.views import View
from netcode.client.connection import ClientError
from netcode.client.state_machine import ConnectionChanged, Message
from netcode.protocol import wire
from netcode.protocol.credentials import parse_join
from tui.config.keymap import USUAL_NAMES
from tui.config.surroundings import here
from tui.portraits.pixels import Look
from tui.scene.cells import UNICODE, Glyphs
from tui.scene.faces import Faces
from tui.scene.game_log import LOG_LINES, GameLog, sentence
from tui.scene.own_clock import TEXT, OwnClock
from tui.scene.scene import LogLine, Refused, Scene, Unasked
from tui.scene.table_client import TableClient
from tui.scene.table_news import code_news, knock_news, new_strings, table_changes, words_line, words_news

if TYPE_CHECKING:
    from netcode.recording.recorder import Finished

LOST_LINES = 5  # how many states of one lost connection are logged
NOT_SENT = "Not sent: no connection. Your words are kept; ENTER sends them."


class TableSession:
    """A seat at a table. `listen` tells of every change; `remark` is shown in the prompt."""

    def __init__(
        self, client: TableClient, catalog: Catalog, glyphs: Glyphs = UNICODE,
        clock: Callable[[], float] = time.monotonic, invitation: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """clock: a monotonic time in seconds. invitation: join strings for others, if they are known here."""
        self.client, self.catalog, self.glyphs, self.invitation = client, catalog, glyphs, invitation
        self._faces = Faces(catalog)
        self.pixels = Look.FULL
        """How portraits are drawn."""
        self.key_names: Mapping[str, str] = USUAL_NAMES
        """How the key of each binding is written."""
        self.bots_talk = True
        """Whether what bots say is shown."""
        self.unasked: Unasked = ""
        """Why the player is not asked about the open window."""
        self._remark = ""
        self.remarks = 0
        """How many remarks there were, which tells each from the next."""
        self.waiting_act = 0
        self._sent_act: tuple[int, Action | None, View | None] = (0, None, None)
        """The last action: its number, and the view it was made on."""
        self._refused_act: tuple[Action | None, View | None] | None = None
        """The same once the host has refused it and nothing has changed since."""
        self.refusal: Refused | None = None
        """The last refusal that was shown."""
        self._listeners: list[Callable[[], None]] = []
        self._lost: tuple[str, ...] = ()  # what was said about the connection since it was lost
        self._clock = clock
        self._table = client.info or wire.TableInfo("", [])
        self._muted: dict[int, str] = {}
        """The seats (-1: the spectators) whose talk is not shown, with the names they had."""
        self._strings = client.strings
        self._words = (client.words, client.words_rest)
        self.finished: Finished | None = None
        """The last game that was seen to its end, with its story."""
        self.recording: Path | None = None
        """The recording of the last game that was recorded."""
        self._knocked: set[tuple[int, str]] = set()
        """Who knocked last: their numbers, which may begin again at a restored table, and fingerprints."""
        self.ring = False
        """Whether somebody has begun to knock since the screen rang last."""
        self._info_at = clock()
        self._log = GameLog(client, catalog, self._set_remark)
        self._own_clock = OwnClock(clock)
        self.moments, self.acts, self.offers = self._log.moments, self._log.acts, self._log.offers
        self._off = client.subscribe(self.heard)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call this after every change; return a function that ends it. Two screens may listen at once while one
        replaces the other."""
        self._listeners.append(listener)

        def end() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return end

    def changed(self) -> None:
        """Tell the listeners that something has changed."""
        for listener in tuple(self._listeners):
            listener()

    def stop(self) -> None:
        """Unsubscribe from the client."""
        self._off()

    @property
    def remark(self) -> str:
        """What the prompt says beside its question until the next key; empty: nothing."""
        return self._remark

    @remark.setter
    def remark(self, text: str) -> None:
        self._set_remark(text)

    def _set_remark(self, text: str) -> None:
        self._remark = text
        self.remarks += 1

    @property
    def log(self) -> list[LogLine]:
        """The newest lines of the log, oldest first."""
        return self._log.lines

    @log.setter
    def log(self, lines: list[LogLine]) -> None:
        self._log.lines = lines

    @property
    def logged(self) -> int:
        """How many lines have ever been added to the log."""
        return self._log.logged

    @property
    def games(self) -> int:
        """How many games have begun here."""
        return self._log.games

    @property
    def gone_back(self) -> int:
        """How often this player has taken a choice back."""
        return self._log.gone_back

    def names(self) -> list[str]:
        """Return the names of all seats, in order."""
        return self._log.names()

    def say(self, text: str, kind: str, step: str = "", seat: int = -1, who: str = "") -> None:
        """Add a line to the log. seat, who: as in LogLine."""
        self._log.say(text, kind, step, seat, who)

    # --------------------------------------------------------------------------------------------------- the moment
    @property
    def playing(self) -> bool:
        """Whether there is a game to show."""
        info = self.client.info
        return self.client.view is not None and info is not None and info.stage != "lobby"

    def table(self) -> wire.TableInfo:
        """Return the table as it is now: the times of lost seats and votes continue from the host's last word. They are
        whole seconds, as they are shown, so that nothing is drawn again within one."""
        info = self.client.info
        if info is None or not self.counting:
            return info or wire.TableInfo("", [])
        gone = int((self._clock() - self._info_at) * 1000)

        def since(lost_ms: int) -> int:
            return (lost_ms + gone) // 1000 * 1000

        seats = [replace(seat, lost_ms=since(seat.lost_ms)) if seat.state == "lost" else seat for seat in info.seats]
        vote = info.vote and replace(info.vote, left_ms=max(0, -((gone - info.vote.left_ms) // 1000) * 1000))
        return replace(info, seats=seats, vote=vote)

    @property
    def counting(self) -> bool:
        """Whether the table shows running times: of a lost seat, a vote or a pause."""
        info = self.client.info
        if info is None:
            return False
        return info.vote is not None or info.stage == "paused" or any(seat.state == "lost" for seat in info.seats)

    def scene(self, cursor: int = 0) -> Scene:
        """Return the scene of this moment. Raise ValueError before the first view."""
        view, info = self.client.view, self.client.info
        if view is None or info is None:
            raise ValueError("there is no game yet")
        return Scene(
            self.catalog, self.table(), view, self.client.seat, self.glyphs, tuple(self.log[-LOG_LINES:]),
            self.client.clocks(), cursor, self.client.auto, self.client.rtt_ms,
            "" if self.client.stage == "synced" else self.client.reason or "connecting",
            tuple(self.client.knocks), self.strings[0], self.muted, self._faces, self.pixels, words=self.words,
            forecasts=tuple(self.client.forecasts), key_names=self.key_names,
            undo=self.client.undo, acts=self.acts.now, since=self._log.since.told(self.client.seat),
            dealings=self._between(), causes=self._log.causes.now, answers=self.offers.answers, unasked=self.unasked,
            unread=len(self._log.since), earlier=max(0, self._log.earlier - max(0, len(self.log) - LOG_LINES)),
        )  # fmt: skip

    def missed(self, in_sight: bool) -> tuple[LogLine, ...]:
        """Return what the player has to see of what came while the stage was out of sight, since they acted last.
        in_sight: whether it is in sight now, and tells of all of it."""
        return self._log.since.missed(self.client.seat, in_sight)

    def _between(self) -> tuple[tuple[str, str], ...]:
        """Return what each seat has done to this player, and this player to it."""
        me, seats = self.client.seat, len(self.client.view.seats) if self.client.view is not None else 0
        return tuple(self._log.dealings.between(me, seat) for seat in range(seats)) if me >= 0 else ()

    def happened(self) -> list[ev.AnyEvent]:
        """Return the events of this game that the seat has seen, in order, as far as they are kept."""
        found: dict[int, ev.AnyEvent] = {}
        for item in tuple(self.client.events):
            if item.no == 1:  # another game
                found.clear()
            found[item.no] = item.event
        return list(found.values())

    @property
    def strings(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The join strings for others, one for each address of the host, and the watch strings, as far as they are
        known here: the host tells the owner when they change. Or the commands that stand for them here."""
        commands = here().ways
        if commands is not None:
            return commands
        if not self.client.strings:
            return () if self._strings else self.invitation, ()
        join, watch = (parse_join(text) for text in self.client.strings)
        ways = [parse_join(text) for text in self.invitation] or [join]
        return tuple(str(over(way, token=join.token)) for way in ways), (str(over(ways[0], token=watch.token)),)

    @property
    def words(self) -> str:
        """What others type to sit down by the short words, or that these rest; "" if there are none here."""
        ways = self.strings[0]
        return words_line(ways[0], self.client.words, self.client.words_rest) if ways else ""

    @property
    def muted(self) -> frozenset[int]:
        """The seats (-1: the spectators) whose talk is not shown here: a mute ends when somebody else sits there."""
        return frozenset(seat for seat, name in self._muted.items() if name == self._talker(seat))

    def mute(self, seat: int) -> None:
        """Stop showing the talk of a seat (-1: of the spectators), or show it again."""
        if seat in self.muted:
            del self._muted[seat]
        else:
            self._muted[seat] = self._talker(seat)

    def _unheard(self, seat: int) -> bool:
        """Whether this player does not want to read what a seat says."""
        seats = self.client.info.seats if self.client.info is not None else []
        bot = 0 <= seat < len(seats) and seats[seat].state == "bot"
        return seat in self.muted or (bot and not self.bots_talk)

    def _talker(self, seat: int) -> str:
        return self._log.name(seat) if seat >= 0 else ""

    # ------------------------------------------------------------------------------------------------------- hearing
    @property
    def refused(self) -> Refused | None:
        """The refusal that the prompt shows, None if it shows none."""
        return self.refusal if self.refusal is not None and self.refusal.text in self.remark else None

    def heard(self, message: Message) -> None:
        """Handle a message of the host, or a change of the connection."""
        if isinstance(message, wire.Info | wire.Welcome):
            self._info_at = self._clock()
            self._log_table_changes(message.info)
        if isinstance(message, wire.Update):
            self._log.hear(message)
            if self._own_clock.look(self.client.clocks(), self.client.seat):
                self.note(TEXT)
        elif isinstance(message, wire.Ticked):
            self._own_clock.look(self.client.clocks(), self.client.seat)
        elif isinstance(message, wire.Knocks):
            self._log_knocks(message.knocks)
        elif isinstance(message, wire.Strings):
            self._log_strings()
        elif isinstance(message, wire.Talk) and not self._unheard(message.seat):
            self.say(f"{message.name}: {message.text}", "talk", seat=message.seat, who=f"{message.name}:")
        elif isinstance(message, wire.Refused):
            self._refused(message)
        elif isinstance(message, wire.Ack):
            self.waiting_act = message.n if message.status == "queued" else 0
            self.remark = ""
        elif isinstance(message, wire.Voted):
            self._voted(message)
        elif isinstance(message, wire.Older):
            self._older(message)
        elif isinstance(message, wire.SeatCode):
            self.note(code_news(message))
        elif isinstance(message, wire.Error):
            self.note(sentence(message.text))
        elif isinstance(message, ConnectionChanged):
            self._linked(message)
        self.changed()

    def _linked(self, change: ConnectionChanged) -> None:
        if change.stage == "offline" and not self._lost:
            self._lost = (change.text,)
            self.say(f"Connection lost: {change.text}", "note")
        elif change.stage == "offline" and change.text not in self._lost and len(self._lost) < LOST_LINES:
            self._lost = (*self._lost, change.text)
            self.say(f"Still no connection: {change.text}", "note")
        elif change.stage == "synced" and self._lost:
            self._lost, self.remark = (), ""  # it was about another moment
            self.say("The connection is back.", "note")

    def _refused(self, message: wire.Refused) -> None:
        refusal = message.refusal
        text = f"Not taken: {refusal.text}"
        if message.by >= 0 and message.ms >= 0:
            ahead = f"{message.ms} ms faster" if message.ms else "faster, by less than a millisecond"
            text = f"{self._log.name(message.by)} was {ahead}. {refusal.text}"
        elif message.ms >= 0:
            text = f"{message.ms} ms too late: the time was over. {refusal.text}"
        self.waiting_act = 0
        n, action, view = self._sent_act
        if n == message.n and isinstance(action, Pass):
            return  # whoever passes too late has lost nothing
        self._refused_act = (action, view) if n == message.n and view is self.client.view else None
        card = getattr(action, "card", 0) if n == message.n else 0
        what = self.catalog.cards[defn_of(card)].name if card else ""
        self.refusal = Refused(what, refusal.text, refusal.clause)
        self.note(text)

    def _log_table_changes(self, info: wire.TableInfo) -> None:
        """Log what has changed about the table itself."""
        before, self._table = self._table, info
        if "paused" in (before.stage, info.stage) and before.stage != info.stage:
            self.remark = ""
        for words in table_changes(before, info, self.client.seat):
            self.say(words, "note")

    def _log_strings(self) -> None:
        """Log which string of the table is new."""
        before, self._strings = self._strings, self.client.strings
        for words in new_strings(before, self._strings) if here().ways is None else ():
            self.say(words, "note")
        had, self._words = self._words, (self.client.words, self.client.words_rest)
        for words in words_news(had, self._words, here().ways is None):
            self.say(words, "note")

    def _log_knocks(self, knocks: list[wire.KnockInfo]) -> None:
        """Log who has begun to knock, and let the screen ring."""
        for knock in knocks:
            if (knock.number, knock.fingerprint) not in self._knocked:
                self.say(knock_news(knock), "note")
                self.ring = True
        self._knocked = {(knock.number, knock.fingerprint) for knock in knocks}

    def _voted(self, message: wire.Voted) -> None:
        """Log an undo vote that failed; the events tell of one that succeeded."""
        if not message.yes:
            against = "did not wait for it" if message.against == message.by else "said no"
            why = f"{self._log.name(message.against)} {against}" if message.against >= 0 else "not all agreed in time"
            self.say(f"{self._log.name(message.by)} asked to undo an action: {why}.", "note")

    def _older(self, message: wire.Older) -> None:
        """Tell that a player has seen more of the game than the table has."""
        what = f"game {message.game} of this table" if not message.missing else f"{message.missing} changes more"
        name = self._log.name(message.seat)
        self.note(f"{name} claims to have seen {what}: the host may have restored an older copy of the game.")

    def note(self, text: str) -> None:
        """Show a remark of the client in the prompt until the next key, and in the log."""
        self.remark = text
        self.say(text, "note")

    # -------------------------------------------------------------------------------------------------------- acting
    def talk(self, text: str) -> bool:
        """Say something to the table. Return False, with a remark, if it cannot be sent now: keep the words then."""
        said = not text.strip() or self.client.say(text.strip())
        if not said:
            self.remark = NOT_SENT
        elif self.remark == NOT_SENT:
            self.remark = ""
        return said

    def read(self) -> None:
        """Note that the player, for whom the bots have waited, has read what has struck them, and the answers to their
        offers."""
        self._log.since.read()
        self.offers.read()

    def act(self, action: Action, by_itself: bool = False) -> bool:
        """Send an action, stamped with the view it was made on; errors become a remark. Return False if the host has
        refused it and nothing has changed since: it is not sent again. by_itself: the player has pressed no key for it,
        and has read nothing."""
        view = self.client.view
        if view is not None and hasattr(action, "seen") and action.seen < 0:
            action = _seen(action, view.rev)
        if self._refused_act == (action, view):  # a key held down: the host would say the same again
            return False
        self._own_clock.acted()
        if not by_itself:
            self._log.since.set([])
            self.offers.read()
        try:
            self._sent_act = (self.client.act(action), action, view)
            self.remark = ""
        except ClientError as problem:
            if problem.code == "busy":  # keys pasted at once, or a host that hangs: no line of the log for each
                self.remark = sentence(problem.text)
            else:
                self.note(problem.text)
        return True

    async def why(self, action: Action) -> Refusal | None:
        """Return what forbids this action, None if nothing does. Connection errors become a remark."""
        try:
            return await self.client.why(action)
        except ClientError as problem:
            self.note(problem.text)
        except TimeoutError:
            self.note("The host did not answer in time.")
        return None


def _seen(action: Action, rev: int) -> Action:
    """Return the action stamped with this view."""
    return replace(action, seen=rev)
