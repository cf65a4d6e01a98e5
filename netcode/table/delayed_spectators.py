"""Spectators of a table with a watch delay: they see everything public some time later.

A queue of moments, each with the public view (never more than that), the public events, the table's info, its clocks
and the talk. The queue is bounded: moments close to each other are merged and shown when the last of them is due.
"""

from collections import deque
from collections.abc import Sequence
from functools import partial

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from core.state.events import AnyEvent
from core.state.views import View
from netcode.protocol import limits, wire
from netcode.table.broadcast import Broadcaster, ClockNews
from netcode.table.rules_adapter import view_bytes
from netcode.table.session import Session

MAX_TALK = 50
"""Lines of talk in a moment."""
_decoder = msgspec.msgpack.Decoder(View)


class Moment(Struct):
    """The knowledge of spectators at some time (ms of the host's clock). game: the ordinal number of the match."""

    at: int
    game: int
    view: bytes
    info: wire.TableInfo
    timers: wire.Timers
    clocks: object
    events: deque[AnyEvent]
    said: deque[wire.Down]


class DelayedSpectators:
    """The moments still to be shown, and the broadcaster of what is shown now. Times are ms of the host's clock."""

    def __init__(self, delay: int) -> None:
        self.delay = delay
        self.broadcaster = Broadcaster()
        self._step = max(50, delay // limits.DELAYED_MOMENTS)
        self._waiting: deque[Moment] = deque()
        self._shown: Moment | None = None
        self._said: list[wire.Down] = []
        self._last: object = None
        self._game = self._copied = self._began = 0

    # --------------------------------------------------------------------------------------------------------- keeping
    def say(self, message: wire.Down) -> None:
        """Keep a line of talk, or the result of a vote, with the next moment."""
        self._said.append(message)

    def keep(
        self, now: int, info: wire.TableInfo, told: Broadcaster | None, timers: wire.Timers, clocks: object
    ) -> None:
        """Keep the present moment if anything has changed. told: the match's broadcaster, None before the first
        match."""
        events = self._events(info.game, told)
        public = told.public if told is not None else None
        if not events and not self._said and (public, info, clocks) == self._last:
            return
        self._last = (public, info, clocks)
        view = view_bytes(public) if public is not None else b""
        heard: deque[AnyEvent] = deque(maxlen=limits.DELAYED_EVENTS)
        moment = Moment(now, info.game, view, info, timers, clocks, heard, deque(maxlen=MAX_TALK))
        last = self._waiting[-1] if self._waiting else None
        if last is not None and last.game == info.game and now - self._began < self._step:
            moment.events.extend(last.events)
            moment.said.extend(last.said)
            self._waiting.pop()
        else:
            self._began = now
        moment.events.extend(events)
        moment.said.extend(self._said)
        self._said.clear()
        self._waiting.append(moment)

    def _events(self, game: int, told: Broadcaster | None) -> list[AnyEvent]:
        """Return the public events since the last call."""
        if told is None:
            return []
        heard = told.since(self._copied if game == self._game else 0)
        self._game, self._copied = game, told.last
        return heard

    # --------------------------------------------------------------------------------------------------------- showing
    def advance(self, now: int) -> list[wire.Down]:
        """Show the due moments; return the messages for all spectators besides the view."""
        news: list[wire.Down] = []
        while self._waiting and self._waiting[0].at + self.delay <= now:
            before, moment = self._shown, self._waiting.popleft()
            self._shown = moment
            if before is None or before.game != moment.game:
                self.broadcaster = Broadcaster()
            self.broadcaster.happened(list(moment.events))
            if moment.view:
                self.broadcaster.show([], _decoder.decode(moment.view))
            if before is None or before.info != moment.info:
                news.append(wire.Info(moment.info))
            news += moment.said
        return news

    def tell(
        self, sessions: Sequence[Session], now_info: wire.TableInfo, now: int
    ) -> list[tuple[Session, wire.Down]]:
        """Return the messages for spectators now, in order, and count them as sent."""
        before, others = self.broadcaster, self.advance(now)
        out: list[tuple[Session, wire.Down]] = []
        for session in sessions:
            if session.address is None:
                continue
            if self.broadcaster is not before:
                session.whole, session.told = True, 0
            first = [wire.Info(self.info(now_info))] if session.whole else []
            out += [(session, message) for message in (*first, *others)]
            clocks = ClockNews(self._shown.clocks if self._shown is not None else (), partial(self.timers, now))
            news = self.broadcaster.news(session, clocks)
            while news is not None:
                out.append((session, news))
                news = self.broadcaster.news(session, clocks) if session.whole else None
        return out

    def info(self, now_info: wire.TableInfo) -> wire.TableInfo:
        """Return the table as it is shown; before anything is shown, only its setup."""
        if self._shown is not None:
            return self._shown.info
        seats = [wire.SeatInfo() for _ in now_info.seats]
        quiet = replace(now_info, seats=seats, stage="lobby", owner=-1, game=0, vote=None, inviting=True)
        quiet = replace(quiet, knocking=False, acting=False, spectators_muted=False)
        return replace(quiet, deal=None, agreed=[], opened=0)

    def timers(self, now: int) -> wire.Timers:
        """Return the clocks of the shown moment, in ms left."""
        if self._shown is None:
            return wire.Timers()
        return self._shown.timers.after(now - self.delay - self._shown.at)

    def next_ms(self) -> int | None:
        """When the next moment is due; None if there is none."""
        return self._waiting[0].at + self.delay if self._waiting else None
