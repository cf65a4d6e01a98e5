"""The log of one seat at a table in words, and what follows the same events: moments, acts, offers, causes."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.views import View
from core.text.foes import Foes, foes_of
from core.text.log import log_line
from netcode.protocol import wire
from tui.scene.acts import Acts, is_play
from tui.scene.causes import Causes
from tui.scene.dealings import Dealings
from tui.scene.dice import card_of_die
from tui.scene.idle_items import idle_lines
from tui.scene.log_entry import by_bot, entry, with_sums
from tui.scene.moments import Moments
from tui.scene.offers import Offers
from tui.scene.scene import LogLine, called
from tui.scene.since import DIE, Since, own_last
from tui.scene.table_client import TableClient

LOG_LINES = 1500
LINE_CHARS = 1000
"""The longest line of the log: no sentence about an honest event comes near it."""


class GameLog:
    """What a seat has heard of its table. lines: the newest lines, oldest first."""

    def __init__(self, client: TableClient, catalog: Catalog, remark: Callable[[str], None]) -> None:
        """remark: called with what the prompt is to say."""
        self.client, self.catalog, self._remark = client, catalog, remark
        self.lines: list[LogLine] = []
        self.logged = 0
        """How many lines have ever been added."""
        self.games = 0
        """How many games have begun while this log was kept."""
        self._begun = 0
        """How many lines had been added when the game that is on began."""
        self.moments = Moments(catalog)
        """The moments that wait to be shown."""
        self.acts = Acts(catalog)
        """What was done in the fight that is on."""
        self.causes = Causes()
        self.dealings = Dealings(catalog)
        self.offers = Offers()
        """The open offers, and what has become of those of this player."""
        self.since = Since()
        """What has come since the player acted last."""
        self.gone_back = 0
        """How often this player has taken a choice back."""
        self._won = False
        """Whether a fight has just been won, and its Treasures may still be drawn."""
        self._asked = ""
        """What was said of the window that is open; it is not said again when that opens again."""
        self._turn = self._step = self._last = 0
        self._game = client.info.game if client.info is not None else 0
        """The number of the game whose events are logged."""
        self._before: View | None = None
        """The view before the events that come next."""
        self._log_new_events(list(client.events), bot_from=client.left_off)
        self.offers.read()
        self.since.set(own_last(self.lines, client.seat))
        self.offers.set(client.view.offers if client.view is not None else ())
        self._before = client.view

    @property
    def earlier(self) -> int:
        """How many of the lines are of an earlier game."""
        return max(0, len(self.lines) - (self.logged - self._begun)) if self.games else 0

    def say(self, text: str, kind: str, step: str = "", seat: int = -1, who: str = "") -> None:
        """Add a line to the log. seat, who: as in LogLine."""
        self._add(LogLine(text, kind, step, seat, who))

    def _add(self, line: LogLine) -> None:
        line = line if len(line.text) <= LINE_CHARS else replace(line, text=line.text[:LINE_CHARS])
        self.lines.append(line)
        self.logged += 1
        self.since.add(line)
        if len(self.lines) > 2 * LOG_LINES:
            del self.lines[:LOG_LINES]

    def names(self) -> list[str]:
        """Return the names of all seats, in order."""
        info = self.client.info
        return [called(seat.name, at) for at, seat in enumerate(info.seats)] if info is not None else []

    def name(self, seat: int) -> str:
        """Return the name of a seat, also of one that is not there."""
        info = self.client.info
        return called(info.seats[seat].name if info is not None and 0 <= seat < len(info.seats) else "", seat)

    def hear(self, update: wire.Update) -> None:
        """Log the events of an update. Those of another game are numbered from 1 again, and so are those of a host that
        could not repeat the game when it was restarted."""
        events, game = update.events, self._game
        self._game = self.client.info.game if self.client.info is not None else game
        again = bool(events) and (events[-1].no < self._last or (events[0].no == 1 and not update.whole))
        fresh_game = again or self._game != game
        if fresh_game and (self._last or self._game != game):
            self.games, self._begun, self._before = self.games + 1, self.logged, None
        if fresh_game:
            self._last = self._turn = self._step = 0
            self.moments.clear()
            self.acts.clear()
            self.causes.clear()
            self.dealings.clear()
            self.offers.clear()
            self.since.set([])
        if events:
            self.since.events_come()
        fresh = [item.event for item in events if item.no > self._last]
        self.dealings.hear(fresh, update.view or self._before)
        self._log_new_events(events, None if update.whole else self._before, self._bot_from(update.whole))
        if not (update.whole or fresh_game) and self._before is not None and update.view is not None:
            self._log_idle_items(fresh, self._before, update.view)
        if update.whole:
            self.since.set(own_last(self.lines[self.earlier :], self.client.seat))
        if update.view is not None:
            self.offers.set(update.view.offers)
            self._before = update.view
            heard = [] if update.whole else _without(fresh)
            self.moments.hear(heard, update.view, self.names(), self.client.seat)
            bot = self._bot_from(update.whole) >= 0
            self.acts.hear(heard, update.view, self.names(), self.client.seat, bot)
            self._add_sums()

    def _add_sums(self) -> None:
        """Add to the log lines of the fight's acts how they have changed its sums."""
        for at, line in with_sums(self.lines, self.acts.now).items():
            self.since.put(len(self.lines) - at, line)
            self.lines[at] = line

    def _bot_from(self, whole: bool) -> int:
        """Return the number of the event after which a bot has played for this player; -1: none has."""
        info, me = self.client.info, self.client.seat
        if whole or info is None:
            return self.client.left_off
        return 0 if 0 <= me < len(info.seats) and info.seats[me].state == "away" else -1

    def _log_new_events(
        self, events: Sequence[wire.NumberedEvent], before: View | None = None, bot_from: int = -1
    ) -> None:
        """Log events, except those logged before, choices that nobody was asked to make, and parts of a text that found
        nothing while others did. before: the view before them, None: not known. bot_from: see `_bot_from`."""
        names, foes = self.names(), foes_of(before or self.client.view)
        empty = _empty_parts([item.event for item in events])
        die: ev.Rolled | None = None
        """The die of a text of which nothing has come yet."""
        for at, item in enumerate(events):
            if item.no > self._last:
                self._last = item.no
                forced = isinstance(item.event, ev.Chose) and _forced(item.event, before)
                if not forced and id(item.event) not in empty:
                    lines = self.logged
                    bot = 0 <= bot_from < item.no
                    self._log_event(item.event, names, foes, before is not None or item is events[-1], bot)
                    if self._pays_kill(item.event, events[at + 1 : at + 2]) and self.logged > lines:
                        self._tell_with(_WON, self.lines[-1].text)
                    else:
                        die = self._outcome(die, item.event, self.logged - lines)
                foes.follow(item.event)
                self.offers.follow(item.event, names, self.client.seat)

    def _outcome(self, die: ev.Rolled | None, event: ev.AnyEvent, lines: int) -> ev.Rolled | None:
        """Add to the line of a die what has come of it, if this event tells it, without the card's name; return the die
        of which nothing has come yet. lines: how many this event has added to the log."""
        if isinstance(event, ev.Rolled):
            return event if lines and card_of_die(self.catalog, event) >= 0 else None
        if die is None or not lines or not isinstance(event, _COMES_OF_DICE) or _shares(event):
            return die
        if isinstance(event, ev.MonsterLeft) and event.how == "killed":
            return None  # the fight goes on, and its die has done nothing
        self._tell_with(DIE, self.lines[-1].text.removeprefix(f"{die.why} "))
        return None

    def _tell_with(self, about: str, then: str) -> None:
        """Add to the newest line about this, which is not the last one, what has come of it."""
        at = next((at for at in range(len(self.lines) - 2, -1, -1) if self.lines[at].about == about), -1)
        if at >= 0:
            self.lines[at] = replace(self.lines[at], then=then)
            self.since.put(len(self.lines) - at, self.lines[at])

    def _pays_kill(self, event: ev.AnyEvent, then: Sequence[wire.NumberedEvent]) -> bool:
        """Return whether the Treasures of a kill are drawn, which is the last thing before the next phase. then: the
        event after this one, if it has come."""
        if isinstance(event, ev.FightEnded | ev.PhaseBegan):
            self._won = isinstance(event, ev.FightEnded) and event.how == "killed"
        drew = isinstance(event, ev.Drew) and event.deck == "treasure" and self._won
        return drew and any(isinstance(one.event, ev.PhaseBegan) for one in then)

    def _log_idle_items(self, events: Sequence[ev.AnyEvent], before: View, after: View) -> None:
        for line in idle_lines(events, before, after, self.catalog, self.names(), self.client.seat):
            self._step += 1
            self._add(replace(line, step=f"{self._turn}.{self._step}"))

    def _log_event(self, event: ev.AnyEvent, names: list[str], foes: Foes, now: bool, bot: bool) -> None:
        """Log an event. foes: the monsters in the combat before it. now: whether the view is the one after it. bot:
        whether a bot played for this player."""
        if isinstance(event, ev.TurnBegan):
            self._turn, self._step = event.no, 0
            extra = ", an extra turn" if event.after >= 0 else ""
            name = self.name(event.seat)
            self.say(f"Turn {event.no}: {name}{extra}", "turn", seat=event.seat, who=name)
            return
        text = log_line(event, self.catalog, names, self.client.seat, foes, self.offers.open)
        if isinstance(event, ev.WindowOpened | ev.WindowClosed):
            text, self._asked = (None if text == self._asked else text), (text or "")
        if text:
            self._step += 1
            step = f"{self._turn}.{self._step}"
            line = entry(event, text, step, self.catalog, names, self.client.seat)
            fights = any(view is not None and view.fight is not None for view in (self._before, self.client.view))
            yours = line.yours or self.offers.touches(event, self.client.seat)
            line = replace(line, yours=yours, act=fights and is_play(event))
            line = self.causes.named(event, line, self.catalog, self.client.seat, self._before)
            line = by_bot(event, line) if bot and line.seat == self.client.seat >= 0 else line
            self._add(line)
            self.causes.note(event, line)
        if isinstance(event, ev.SteppedBack):
            self.gone_back += event.seat == self.client.seat
        if isinstance(event, ev.SteppedBack) and now:
            self._went_back(event, text or "")

    def _went_back(self, event: ev.SteppedBack, text: str) -> None:
        """Say what this player has taken back and where that leads, and continue with the turn of the game now."""
        view = self.client.view
        if event.seat == self.client.seat and view is not None and self._before is not None:
            whose = "yours" if view.turn == self.client.seat else f"that of {self.name(view.turn)}"
            turn = f"turn {view.turn_no}, {whose}" if view.turn_no else "first cards"
            self._remark(f"{sentence(text)} You are back in {turn}.")
        if view is not None and view.turn_no not in (0, self._turn):
            self._turn, self._step = view.turn_no, 0
            name = self.name(view.turn)
            self.say(f"Turn {view.turn_no}: {name}, again", "turn", seat=view.turn, who=name)


_COMES_OF_DICE = (
    ev.Moved, ev.LevelChanged, ev.Strengthened, ev.MonsterCame, ev.MonsterLeft, ev.Drew, ev.Died, ev.LastingBegan,
    ev.SexChanged, ev.Counted, ev.FightEnded, ev.HelperLeft, ev.Fled, ev.Shown,
)  # fmt: skip
"""Events by which a text goes on after its die."""
_WON = "stage-set"


def _shares(event: ev.AnyEvent) -> bool:
    """Return whether somebody gets their share of a kill."""
    return isinstance(event, ev.Moved) and event.why in ("shared", "promised")


def sentence(text: str) -> str:
    """Return a text of the host as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!')) else '.'}"


def _forced(event: ev.Chose, before: View | None) -> bool:
    """Return whether a choice between texts of a card had only one possibility, so that its seat was not asked."""
    if before is None or event.defn < 0:
        return False
    return not any((one.seat, one.card) == (event.seat, event.defn) for one in before.deciding)


def _without(events: Sequence[ev.AnyEvent]) -> list[ev.AnyEvent]:
    empty = _empty_parts(events)
    return [event for event in events if id(event) not in empty]


def _empty_parts(events: Sequence[ev.AnyEvent]) -> set[int]:
    """Return the identities of events that tell of a part of a text which found nothing, although another part took
    something from the same seat, or has been told to find nothing already."""
    robbed = {event.at for event in events if isinstance(event, ev.Moved) and event.why == "lost"}
    told, found = set[tuple[int, int]](), set[int]()
    for event in events:
        if isinstance(event, ev.Fizzled) and event.why == ev.NOTHING_TO_LOSE:
            if event.seat in robbed or (event.seat, event.defn) in told:
                found.add(id(event))
            told.add((event.seat, event.defn))
    return found
