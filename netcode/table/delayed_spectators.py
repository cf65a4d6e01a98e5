"""What those who look on are shown at a table that holds it back: everything they may know, some time later.

A queue of moments, each with the public view (never more than that), what all may know of what happened, the table's
people, its clocks and the talk. It is bounded: moments that follow each other closely become one, which is shown when
the last of them may be.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from msgspec.structs import replace

from core.state.events import AnyEvent
from core.view import View
from netcode.protocol import wire
from netcode.table.broadcast import KEPT, Broadcaster
from netcode.table.rules_adapter import view_bytes
from netcode.table.session import Session

MOMENTS = 200
"""Moments kept, whatever the delay."""
SAID = 50
"""Lines of talk in a moment."""
_decoder = msgspec.msgpack.Decoder(View)


@dataclass
class Moment:
    """How things stood at a time (ms of the host's clock): game is the how manieth of the table."""

    at: int
    game: int
    view: bytes
    info: wire.TableInfo
    timers: wire.Timers
    clocks: object
    events: deque[AnyEvent]
    said: deque[wire.Down]


class DelayedSpectators:
    """The moments that are still to be shown, and `teller`: what is shown now. Times are ms of the host's clock."""

    def __init__(self, delay: int) -> None:
        self.delay = delay
        self.broadcaster = Broadcaster()
        self._step = max(50, delay // MOMENTS)
        self._waiting: deque[Moment] = deque()
        self._shown: Moment | None = None
        self._said: list[wire.Down] = []
        self._kept: object = None
        self._game = self._copied = self._began = 0

    # --------------------------------------------------------------------------------------------------------- keeping
    def say(self, message: wire.Down) -> None:
        """Somebody said something, or a vote has ended: to be heard with what is kept next."""
        self._said.append(message)

    def keep(
        self, now: int, info: wire.TableInfo, told: Broadcaster | None, timers: wire.Timers, clocks: object
    ) -> None:
        """How things stand now, if anything has changed. told: the match's broadcaster, None before the first."""
        events = self._events(info.game, told)
        public = told.public if told is not None else None
        if not events and not self._said and (public, info, clocks) == self._kept:
            return
        self._kept = (public, info, clocks)
        view = view_bytes(public) if public is not None else b""
        moment = Moment(now, info.game, view, info, timers, clocks, deque(maxlen=KEPT), deque(maxlen=SAID))
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
        """What all may know of what has happened since this was asked last."""
        if told is None:
            return []
        heard = told.since(self._copied if game == self._game else 0)
        self._game, self._copied = game, told.last
        return heard

    # --------------------------------------------------------------------------------------------------------- showing
    def advance(self, now: int) -> list[wire.Down]:
        """Show what may be shown by now; what everybody who looks on is to be told besides the view."""
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
        self, sessions: Sequence[Session], now_info: wire.TableInfo, epoch: int, now: int
    ) -> list[tuple[Session, wire.Down]]:
        """What those who look on have to be told now, in order; it counts as told."""
        before, others = self.broadcaster, self.advance(now)
        out: list[tuple[Session, wire.Down]] = []
        for session in sessions:
            if session.address is None:
                continue
            session.whole = session.whole or self.broadcaster is not before
            first = [wire.Info(self.info(now_info))] if session.whole else []
            out += [(session, message) for message in (*first, *others)]
            clocks = self._shown.clocks if self._shown is not None else ()
            news = self.broadcaster.news(session, epoch, self.timers(now), clocks, False)
            if news is not None:
                out.append((session, news))
        return out

    def info(self, now_info: wire.TableInfo) -> wire.TableInfo:
        """The table as it is shown; before there is anything to show, no more than what was agreed."""
        if self._shown is not None:
            return self._shown.info
        seats = [wire.SeatInfo() for _ in now_info.seats]
        quiet = replace(now_info, seats=seats, stage="lobby", owner=-1, game=0, vote=None, inviting=True)
        return replace(quiet, deal=None, agreed=[], opened=0)

    def timers(self, now: int) -> wire.Timers:
        """The clocks of what is shown, in ms left."""
        if self._shown is None:
            return wire.Timers()
        gone, timers = now - self.delay - self._shown.at, self._shown.timers

        def left(ms: int) -> int:
            return ms if ms < 0 else max(0, ms - gone)

        window = timers.window if timers.hold >= 0 else left(timers.window)
        prompts = {seat: left(ms) for seat, ms in timers.prompts.items()}
        return wire.Timers(window, timers.window_full, left(timers.hold), prompts, left(timers.beat))

    def next_ms(self) -> int | None:
        """When there is more to show."""
        return self._waiting[0].at + self.delay if self._waiting else None
