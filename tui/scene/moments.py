"""The moments of a game that are worth a picture, made of the events that a seat was told. Pure.

A moment is one event with what followed from it: a door opens, a curse strikes and costs a Level, a die is rolled and
the runner is caught. `Moments` keeps those that wait to be shown; there are never more than its `most`.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct, field

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import FightView, View
from core.text.foes import foes_of
from core.text.grammar import Grammar
from core.text.log import log_line
from tui.scene.dice import card_of_die
from tui.scene.doers import doer, touches
from tui.scene.moment_events import (
    FOLLOWS,
    changes_hands,
    draws_at_seals,
    ends_match_point,
    is_good,
    last_play,
    named,
    opens_seals,
)

Kind = Literal[
    "door", "curse", "die", "run", "death", "looting", "won", "level", "called", "averted", "seal", "victory", "taken",
    "swapped", "over",
]  # fmt: skip
GREAT = ("death", "called", "averted", "seal", "victory")
"""Kinds that concern everybody at the table."""
WAITING = 2
"""At most this many moments wait. If there are more, some are told in words only: those that do not touch the reader
first, then the oldest."""
PATIENT = 8
"""The same where the game stands still until they have been read."""
TOLD = 3
"""At most this many consequences of a moment are told in words."""
CHANGES = 12
"""The most consequences of one moment that are kept."""


class Change(Struct, frozen=True):
    """What followed: a sentence for the reader, its seat (-1: none), and for a Level the old and the new one."""

    seat: int
    text: str
    good: bool | None = None
    levels: tuple[int, int] | None = None


class Moment(Struct, frozen=True):
    """One moment. seat: the one it is about. said: it in one sentence. touches: it concerns the reader. view: the table
    right after it. card: the definition of its card, -1 without one. by: who caused it, -1: nobody. roll: its die;
    earlier: what that die showed before it was thrown again. escaped: whether a runner got away, or a curse came to
    nothing; None if that is not what it is about. through: the card whose text did it, by its id or the number of its
    definition; -1 if that is not known."""

    kind: Kind
    seat: int
    said: str
    touches: bool
    view: View
    card: int = -1
    by: int = -1
    roll: ev.Rolled | None = None
    escaped: bool | None = None
    changes: tuple[Change, ...] = ()
    fight: FightView | None = None
    """The fight as it was before, if the moment has ended or changed it."""
    through: int = -1
    earlier: tuple[ev.Rolled, ...] = ()

    @property
    def told(self) -> str:
        """Return it with its outcome and what followed, as a few sentences."""
        outcome = "" if self.kind != "die" or self.escaped is None else "away" if self.escaped else "caught"
        texts = [self.said, outcome, *(change.text for change in self.changes[:TOLD])]
        return ". ".join(dict.fromkeys(f"{text[:1].upper()}{text[1:]}" for text in texts if text))


class _Found(Struct):
    """A moment that is being put together."""

    kind: Kind
    seat: int
    said: str
    touched: bool = False
    card: int = -1
    by: int = -1
    roll: ev.Rolled | None = None
    escaped: bool | None = None
    changes: list[Change] = field(default_factory=list)
    through: int = -1
    seen: bool = False
    """Whether it has been shown already, before its outcome was known."""
    earlier: list[ev.Rolled] = field(default_factory=list)
    again: bool = False
    """Whether somebody has the die thrown again."""

    def moment(self, view: View, fight: FightView | None) -> Moment:
        """Return it as it is now."""
        return Moment(
            self.kind, self.seat, self.said, self.touched, view, self.card, self.by, self.roll, self.escaped,
            tuple(self.changes[:CHANGES]), fight, self.through, tuple(self.earlier),
        )  # fmt: skip


class Moments:
    """Finds the moments in what a seat is told, and keeps those that have not been shown."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._queue: deque[Moment] = deque()
        self.most = WAITING
        """How many moments wait at most."""
        self._told: deque[Moment] = deque(maxlen=WAITING)
        self._view: View | None = None
        self._open: _Found | None = None
        """A die whose outcome is not known yet, or a curse that its victim may still keep off."""
        self._loot: _Found | None = None
        """What has been taken from a body that is still being looted."""
        self._play: list[Change] = []
        """The last card that was played or used in this fight, in words."""

    def __len__(self) -> int:
        return len(self._queue)

    def __iter__(self) -> Iterator[Moment]:
        return iter(tuple(self._queue))

    def take(self) -> Moment | None:
        """Return the oldest moment that waits, and forget it."""
        return self._queue.popleft() if self._queue else None

    def put_back(self, moment: Moment) -> None:
        """Let a moment wait again, before all others."""
        self._queue.appendleft(moment)

    def overtaken(self) -> list[Moment]:
        """Return the moments that have waited too long to be shown, and forget them."""
        found = list(self._told)
        self._told.clear()
        return found

    def clear(self) -> None:
        """Forget everything: another game, or the table has gone back."""
        self._queue.clear()
        self._told.clear()
        self._view = self._open = self._loot = None

    def hear(self, events: Sequence[AnyEvent], view: View, names: Sequence[str], me: int) -> None:
        """Take in what has happened since the last time. view: the table now. me: the reader's seat."""
        before, self._view = self._view, view
        if any(isinstance(event, ev.SteppedBack) for event in events):
            self.clear()
            self._view = view
            return
        for moment in _Batch(self, before, view, names, me).moments(events):
            self._queue.append(moment)
        while len(self._queue) > self.most:
            at = next((at for at, moment in enumerate(self._queue) if not moment.touches), 0)
            self._told.append(self._queue[at])
            del self._queue[at]


class _Batch:
    """Puts the moments of one update together."""

    def __init__(self, keeper: Moments, before: View | None, view: View, names: Sequence[str], me: int) -> None:
        self.keeper, self.before, self.view, self.names, self.me = keeper, before, view, names, me
        self.catalog = keeper._catalog
        self.foes = foes_of(before)
        """The monsters in the combat before the event that is looked at."""
        self.found: list[_Found] = []
        self.now: _Found | None = None
        """The moment that the current events follow from."""
        self.played = -1
        """The card that was played or used last in this update, -1: none."""
        self.player = -1
        """Who did that, -1: nobody."""
        self.looted = 0
        """How many moments come before the loot of this update."""

    def moments(self, events: Sequence[AnyEvent]) -> list[Moment]:
        """Return the moments of these events, in order."""
        rollers = {event.seat for event in events if isinstance(event, ev.Rolled) and not event.monster}
        fought = self.before is not None and self.before.fight is not None
        self.keeper._play = self._told(last_play(events)) or (self.keeper._play if fought else [])
        pending, self.keeper._open = self.keeper._open, None
        if pending is not None:
            self.now = pending
            self.found.append(pending)
        for event in events:
            if isinstance(event, ev.UsedAbility) or (isinstance(event, ev.Moved) and event.why == "played"):
                self.played, self.player = max(event.card, getattr(event, "new", 0)), event.seat
            if isinstance(event, ev.Rolled):
                card = card_of_die(self.catalog, event)
                alone = event.monster or len(rollers) == 1
                if alone or (card >= 0 and event.seat == self.me):  # the log has those of the others
                    self._rolled(event, card)
                else:
                    self.now = None
            elif not self._leads(event):
                self._follows(event)
            self.foes.follow(event)
        self._still_open()
        self._match_point(events)
        fight = self.before.fight if self.before is not None else None
        return [one.moment(self.view, fight) for one in self.found]

    def _line(self, event: AnyEvent) -> str:
        """Return the line of the log for an event; "" if it has none."""
        return log_line(event, self.catalog, self.names, self.me, self.foes) or ""

    # ------------------------------------------------------------------------------------------------ what begins one
    def _begin(self, kind: Kind, event: AnyEvent, seat: int, card: int = -1, by: int = -1) -> _Found:
        said = self._line(event)
        touched = self.me >= 0 and (self.me in (seat, by) or touches(event, self.me))
        self.now = _Found(kind, seat, said, touched, card, by)
        self.found.append(self.now)
        return self.now

    def _leads(self, event: AnyEvent) -> bool:
        """Begin a moment if this event is one."""
        match event:
            case ev.Turned():
                card = defn_of(event.card)
                kind: Kind = "curse" if self.catalog.cards[card].kind == "curse" else "door"
                self._begin(kind, event, event.seat, card)
            case ev.Moved() if self._is_curse(event):
                self._begin("curse", event, event.on_seat, defn_of(event.new), event.seat)
            case ev.Moved() if event.why == "looted":
                self._looted(event)
            case ev.Fled():
                self._fled(event)
            case ev.StageSet() if event.stage == "lost":
                self._lost(event)
            case ev.StageSet() if event.stage == "won":
                won = self._begin("won", event, event.seat)
                won.touched = won.touched or self._has_part()
            case ev.FightEnded() if event.how in ("removed", "ended") and self._has_part() and not self._is_won():
                over = self._begin("over", event, event.seat)
                over.touched, over.changes = True, list(self.keeper._play)
            case ev.Died():
                self._begin("death", event, event.seat)
            case ev.SealOpened():
                through = self._opener()
                seal = self._begin("seal", event, event.seat, event.defn)
                seal.touched, seal.through = self.me >= 0, through
            case ev.Won():
                self._begin("victory", event, event.seats[0] if event.seats else -1).touched = self.me >= 0
            case ev.LevelChanged() if self.now is None and event.by:
                self._begin("level", event, event.seat)
                self._follows(event)
            case ev.Moved() if changes_hands(event, "taken") and self.now is None:
                self._taken(event)
            case ev.Moved() if changes_hands(event, "swapped") and (self.now is None or self.now.kind == "swapped"):
                self._swapped(event)
            case ev.TurnBegan() | ev.PhaseBegan():
                self.now = None
            case _:
                return False
        return True

    def _taken(self, event: ev.Moved) -> None:
        """A player takes a card of another one."""
        taken = self._begin("taken", event, event.at, named(event), event.to_seat)
        taken.through = self._cause()

    def _swapped(self, event: ev.Moved) -> None:
        """Two players exchange cards: one moment, with the card that the reader gets, by whoever wanted it."""
        swap = self.now
        if swap is None:
            swap = self._begin("swapped", event, event.at, by=self._swapper())
            swap.through = self._cause()
        swap.touched = swap.touched or self.me in (event.at, event.to_seat)
        if swap.card < 0 or event.to_seat == self.me:
            swap.card = named(event)
        swap.changes.append(Change(event.at, self._line(event)))

    def _swapper(self) -> int:
        """Return who swaps: whoever has played or used the card, or has chosen what to take; -1 if that is not
        known."""
        if self.player >= 0 or self.before is None:
            return self.player
        return next((deciding.seat for deciding in self.before.deciding if deciding.kind.startswith("take")), -1)

    def _cause(self) -> int:
        """Return the card whose text runs now: the one that was played or used in this update, else the one that has
        asked somebody or lay open before it; -1 if there is none."""
        if self.played >= 0 or self.before is None:
            return self.played
        asking = [deciding.card for deciding in self.before.deciding if deciding.card >= 0]
        return (asking or self.before.limbo[-1:] or [-1])[0]

    def _opener(self) -> int:
        """Return the card whose text opens a Seal now, -1: a death does."""
        open_now = [self.played, self.now.card if self.now is not None else -1, self._cause()]
        return next((defn_of(one) for one in open_now if one >= 0 and opens_seals(self.catalog, defn_of(one))), -1)

    def _is_curse(self, event: ev.Moved) -> bool:
        played = event.why == "played" and event.to == "limbo" and event.on_seat >= 0 and event.new
        return bool(played) and self.catalog.cards[defn_of(event.new)].kind == "curse"

    def _heroes(self) -> tuple[int, ...]:
        fight = (self.before.fight if self.before is not None else None) or self.view.fight
        return (fight.seat, fight.helper) if fight is not None else ()

    def _has_part(self) -> bool:
        """Return whether the reader fights or helps, or has played a card or used an ability in the fight."""
        fight = (self.before.fight if self.before is not None else None) or self.view.fight
        if fight is None or self.me < 0:
            return False
        played = [*(card.seat for card in fight.cards), *(bonus.seat for bonus in fight.bonuses)]
        return self.me in (*self._heroes(), *played)

    def _is_won(self) -> bool:
        """Return whether the fight was won before it ended: then that was its moment."""
        fight = self.before.fight if self.before is not None else None
        return fight is None or fight.stage == "won" or any(one.kind == "won" for one in self.found)

    def _rolled(self, event: ev.Rolled, card: int) -> None:
        """A die: one that is thrown again belongs to the same moment. card: the definition whose text rolls it."""
        now = self.now
        if now is None or not now.again or now.roll is None:
            foe = self.foes.found(event.monster)
            monster = foe.defn if foe is not None else defn_of(event.monster) if event.monster else card
            now = self._begin("die", event, event.seat, monster)
        else:
            now.earlier.append(now.roll)
        now.roll, now.said, now.again = event, self._line(event), False

    def _fled(self, event: ev.Fled) -> None:
        """A runner got away or was caught: the outcome of its die, if it has rolled one."""
        now = self.now
        rolled = now is not None and now.kind == "die" and now.seat == event.seat and now.escaped is None
        if not rolled and event.escaped:
            self.now = None
            return
        found = now if rolled and now is not None else self._begin("die", event, event.seat, event.defn)
        found.escaped = event.escaped
        found.card = event.defn

    def _lost(self, event: ev.StageSet) -> None:
        """A fight is lost: whoever still has to run sees from whom, and at what odds. It does not interrupt the
        fighter: the prompt and the stage say the same, and no key is needed before the run."""
        fight = self.view.fight
        if fight is None or fight.stage != "lost":
            self.now = None
            return
        run = self._begin("run", event, event.seat)
        run.touched = self._has_part() and event.seat != self.me
        self.now = None

    def _looted(self, event: ev.Moved) -> None:
        """Somebody takes a card from a body: one moment when all have taken theirs."""
        loot = self.keeper._loot
        if loot is None or loot.seat != event.at:
            loot = self.keeper._loot = self._begin("looting", event, event.at)
            self.found.remove(loot)
            loot.said = ""
        text = self._line(event)
        loot.said = loot.said or text
        loot.touched = loot.touched or self.me in (event.at, event.to_seat)
        loot.changes.append(Change(event.to_seat, text))
        self.now, self.looted = None, len(self.found)

    # -------------------------------------------------------------------------------------------------- what follows
    def _follows(self, event: AnyEvent) -> None:
        """Add a consequence to the moment that it follows from."""
        now = self.now
        if now is None or (now.again and isinstance(event, ev.Moved)):  # the price of throwing the die again
            return
        if isinstance(event, ev.RolledAgain):
            now.again = now.kind == "die" and now.seat == event.roller
        if isinstance(event, ev.LevelChanged):
            if event.by:
                old = event.level - event.by
                now.escaped = False if now.kind == "curse" else now.escaped
                text = self._line(event)
                now.changes.append(Change(event.seat, text, event.by > 0, (old, event.level)))
        elif isinstance(event, (*FOLLOWS, ev.Moved)) or (isinstance(event, ev.Shown) and event.cards):
            if isinstance(event, ev.MonsterCame) and now.kind == "door" and event.defn == now.card:
                return
            text = self._line(event)
            if not text:
                return
            if now.kind == "seal" and isinstance(event, ev.Drew):
                text += self._seal_draw(event)
            change = Change(doer(event), text, is_good(event))
            if change not in now.changes:  # two parts of one text may fail in the same words
                now.changes.append(change)
            if now.kind == "curse" and not (isinstance(event, ev.Moved) and event.why == "spent"):
                now.escaped = isinstance(event, ev.Fizzled) and now.escaped is not False
        now.touched = now.touched or (self.me >= 0 and (doer(event) == self.me or touches(event, self.me)))

    def _seal_draw(self, event: ev.Drew) -> str:
        """Return in brackets the card by which somebody draws because a Seal opens; "" if the Seal's text says so."""
        found = (self.catalog.cards[defn_of(placed.card)] for placed in self.view.seats[event.seat].table)
        return next((f" ({one.name})" for one in found if draws_at_seals(one, event)), "")

    def _still_open(self) -> None:
        """Hold back a die until its outcome is known, a curse or other harm until its cost is chosen, and loot until
        all have taken theirs. A die of the reader is shown before the question that follows from it, and once more with
        its outcome."""
        last = self.found[-1] if self.found else None
        if last is not None and (self._is_chosen(last) or self._is_rolling(last)):
            self.keeper._open = last
            if self._asks_reader(last) and not last.seen:
                last.seen = True
            else:
                self.found.remove(last)
        loot = self.keeper._loot
        if loot is not None and self.view.top != "looting":
            self.keeper._loot = None
            self.found.insert(self.looted, loot)

    def _is_chosen(self, found: _Found) -> bool:
        """Return whether somebody other than the reader still chooses what comes of a curse, of being caught or of a
        die that a text rolls. For the reader's own curse, return whether anybody does."""
        strikes = found.kind == "curse" or (found.kind == "die" and found.escaped is not True)
        asked = [one.seat for one in self.view.deciding if one.card >= 0 and self._asks(one.card, found)]
        return strikes and any(found.by == self.me or seat != self.me for seat in asked)

    def _asks(self, card: int, found: _Found) -> bool:
        """Return whether the text of this card made the moment. A die may name its card only by the card's name."""
        why = found.roll.why if found.roll is not None and found.card < 0 else None
        return card == found.card or self.catalog.cards[card].name == why

    def _is_rolling(self, found: _Found) -> bool:
        """Return whether the outcome of a die is not known yet."""
        if found.kind != "die" or found.roll is None:
            return False
        throw = self.view.throw
        open_die = throw is not None and throw.seat == found.seat
        return open_die or bool(found.roll.need and found.escaped is None and self.view.fight is not None)

    def _asks_reader(self, found: _Found) -> bool:
        """Return whether the reader is asked something that follows from their die."""
        you = self.view.you
        return found.kind == "die" and found.seat == self.me and you is not None and bool(you.asks)

    def _match_point(self, events: Sequence[AnyEvent]) -> None:
        """Begin a moment when a fight begins or ceases to decide the game. A fight that is won is decided already."""
        if self.before is None or self.view.winners:
            return
        old, new, does = self.before.fight, self.view.fight, Grammar(self.catalog, self.names, self.me).does
        was, now = old is not None and old.match_point, new is not None and new.match_point
        won = any(isinstance(event, ev.StageSet) and event.stage == "won" for event in events)
        if now and not was and new is not None:
            said = does(new.seat, "fight for the game")
            plays = last_play(events) if old is not None else []
            self.found.append(_Found("called", new.seat, said, self.me >= 0, changes=self._told(plays)))
        elif was and not now and old is not None and old.stage != "won" and not won:
            said = f"{does(old.seat, 'do')} not win the game with this fight"
            own = any(isinstance(one, ev.StageSet) and (one.stage, one.seat) == ("lost", self.me) for one in events)
            averted = _Found("averted", old.seat, said, self.me >= 0 and not own)
            averted.changes = self._averted_by(events, old)
            self.found.append(averted)

    def _averted_by(self, events: Sequence[AnyEvent], fight: FightView) -> list[Change]:
        """Return why a fight no longer decides the game: the card that was played last, and what came of it."""
        came = [one for one in events if ends_match_point(one, fight)]
        return self._told([*last_play(events), *came[-1:]])

    def _told(self, events: Sequence[AnyEvent]) -> list[Change]:
        """Return events as the reasons of a moment."""
        texts = [(doer(one), self._line(one)) for one in events]
        return [Change(seat, text) for seat, text in texts if text]


# ------------------------------------------------------------------------------------------------------- how to show it
How = Literal["stays", "passes", "toast", "log"]


def how_to_show(moment: Moment, alone: bool, waits: str, asked: bool) -> How:
    """Return how a moment is shown: until a key, for a while, as a toast, or in the log alone.

    alone: with bots, and no clock runs. waits: the setting of when bots wait. asked: an answer of the reader is wanted;
    a clock may run, so nothing may cover the question.
    """
    if alone:
        if waits == "never":
            return "toast" if moment.touches else "log"
        return "stays" if waits == "each" or moment.touches else "log"
    if asked:
        return "toast" if moment.touches else "log"
    return "passes" if moment.touches or moment.kind in GREAT else "log"
