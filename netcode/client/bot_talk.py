"""The talk of one bot at its table: it follows the public messages, and says its lines a moment later."""

import asyncio

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state.events import AnyEvent, SteppedBack, seen_by
from netcode.bots.lines import general_form
from netcode.bots.personalities import Personality
from netcode.bots.talk import Remark, Talker, lines_for
from netcode.client.client import Client
from netcode.client.heard_lines import HeardLines
from netcode.protocol import wire

SPECTATOR = -1
PACE = {"slow": 1.5, "normal": 1.0, "fast": 0.5}
"""The factor for the delay of a line, by the speed of the table."""


class BotTalk:
    """Follows the messages of one client, once it knows the cards (`catalog`). heard: the lines of earlier games."""

    def __init__(self, client: Client, personality: Personality, heard: HeardLines | None = None) -> None:
        self._client, self._personality = client, personality
        self._heard = heard if heard is not None else HeardLines(None)
        self.catalog: Catalog | None = None
        self._talker: Talker | None = None
        self._game = ""
        self._later: asyncio.TimerHandle | None = None
        self._weight = 0
        """How much the line that waits weighs."""

    def heard(self, message: object) -> None:
        """Take a message of the host, and plan a line if there is something to say about it."""
        info = self._client.info
        if info is None or self.catalog is None:
            return
        if isinstance(message, wire.Talk) and self._talker is not None:
            self._hear(message, info, self._talker)
        elif isinstance(message, wire.Update):
            self._follow(message, info, self.catalog)

    def _hear(self, talk: wire.Talk, info: wire.TableInfo, talker: Talker) -> None:
        """Note what a bot has said; answer a person who has a seat."""
        names, view = _names(info), self._client.view
        bots = [number for number, seat in enumerate(info.seats) if seat.bot]
        if talk.seat in bots:
            talker.heard(talk.text, names, talk.seat)
            if talk.seat == self._client.seat:
                self._heard.count(general_form(talk.text, names))
        elif 0 <= talk.seat < len(names) and view is not None:
            self._plan(talker.reply(talk.text, talk.seat, bots, replace(view, you=None), names), info)

    def _follow(self, update: wire.Update, info: wire.TableInfo, catalog: Catalog) -> None:
        view = update.view
        if view is None or view.you is None:
            return
        if self._talker is None or self._game != f"{info.table} {info.game}":
            self._game = f"{info.table} {info.game}"
            lines = lines_for([pack.set_id for pack in info.packs], self._personality.id)
            counts = self._heard.counts
            self._talker = Talker(self._personality, view.you.seat, catalog, lines, self._game, counts)
        events = [numbered.event for numbered in update.events]
        if update.whole or any(isinstance(event, SteppedBack) for event in events):
            self._talker.follow(view.fight)  # old events, or events that were undone
            return
        self._plan(self._talker.remark(_public(events), replace(view, you=None), _names(info)), info)

    def _plan(self, remark: Remark | None, info: wire.TableInfo) -> None:
        """Say this a moment later, unless something weightier waits."""
        if remark is not None and watched(info) and (self._later is None or remark.weight >= self._weight):
            self.silence()
            self._weight = remark.weight
            after = remark.after_s * PACE.get(info.speed, 1.0)
            self._later = asyncio.get_running_loop().call_later(after, self._say, remark.text)

    def _say(self, text: str) -> None:
        self._later = None
        self._client.say(text)

    def silence(self) -> None:
        """Cancel the line that is not said yet."""
        if self._later is not None:
            self._later.cancel()
            self._later = None


def watched(info: wire.TableInfo) -> bool:
    """Return whether a person plays or spectates."""
    return info.watchers > 0 or any(not seat.bot for seat in info.seats)


def _names(info: wire.TableInfo) -> list[str]:
    return [seat.name for seat in info.seats]


def _public(events: list[AnyEvent]) -> list[AnyEvent]:
    """Return these events as somebody without a seat sees them."""
    seen = (seen_by(event, SPECTATOR) for event in events)
    return [event for event in seen if event is not None]
