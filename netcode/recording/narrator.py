"""Turn the moments of a game, one after the other, into a story (story.py)."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from netcode.recording.story import (
    NAMES_MOST,
    SIDES,
    STEPS_MOST,
    FightTold,
    SeatTold,
    Stab,
    Story,
    TurningPoint,
)

WON = ("killed", "removed")
"""The endings of a fight that its fighter wins."""


class Sums(Struct, frozen=True):
    """The fight in one view. open: it is not decided yet. monsters: their definitions."""

    no: int
    seat: int
    helper: int
    heroes: int
    foes: int
    winning: bool
    match_point: bool
    open: bool
    monsters: tuple[int, ...]

    @property
    def margin(self) -> int:
        """The heroes' lead."""
        return self.heroes - self.foes

    @property
    def wins_game(self) -> bool:
        """Whether this fight, decided now, would win the game."""
        return self.match_point and self.winning


class Moment(Struct, frozen=True):
    """One update. resolving: the text of a card was still running after it."""

    turn: int
    goal: int
    levels: tuple[int, ...]
    fight: Sums | None
    resolving: bool
    events: tuple[AnyEvent, ...]


class _Act(Struct):
    """A card played or an ability used. victim: the seat it already counts against, -1: none yet."""

    seat: int
    card: str
    victim: int = -1


class _Turned(Struct, frozen=True):
    """The effect of an act on a fight. by: how far it moved the sums, for the heroes. turned: the heroes had been
    winning and no longer were. averted: the fight would have won the game and no longer would."""

    seat: int
    card: str
    by: int
    turned: bool
    averted: bool
    match_point: bool


class _Fight(Struct):
    turn: int
    seat: int
    no: int = -1
    sums: Sums | None = None
    acts: list[_Turned] = field(default_factory=list)
    promised: set[int] = field(default_factory=set)
    helpers: set[int] = field(default_factory=set)
    threatened: bool = False
    """At some time this fight would have won the game."""
    how: str = ""
    decided: bool = False
    """The game ended with it."""


class Narrator:
    """Tells a game moment by moment. seat: who saw it, -1 for a spectator."""

    def __init__(self, catalog: Catalog, seat: int) -> None:
        self._catalog, self._me = catalog, seat
        self._seats: list[SeatTold] = []
        self._levels: list[int] = []
        self._changes: list[tuple[int, int, int]] = []
        """Every change of a Level: turn, seat, Level."""
        self._turn = self._goal = self._first = 0
        self._faces = [0] * SIDES
        self._fight: _Fight | None = None
        self._fights: list[_Fight] = []
        self._acts: list[_Act] = []
        """The acts of this moment."""
        self._last_act: _Act | None = None
        self._strength: list[ev.Strengthened] = []
        self._joined = self._resolving = False
        self._side_by_side: set[frozenset[int]] = set()
        self._threats: dict[int, str] = {}
        """The possible killer of a seat in this turn: the monster that caught it, or the last curse on it."""
        self._rolled: set[tuple[int, int]] = set()
        """Who has rolled to run from which monster."""
        self._winners: list[int] = []
        self._why = ""

    # ---------------------------------------------------------------------------------------------------- the moments
    def tell(self, moment: Moment) -> None:
        """Take in the next moment. Raises LookupError or ValueError if it does not fit the cards."""
        if not self._seats:
            self._begin(moment)
        fight = self._fight
        self._acts, self._strength, self._joined = [], [], False
        for event in moment.events:
            handler = _HANDLERS.get(type(event))
            if handler is not None:
                handler(self, event)
        self._turn, self._goal = max(self._turn, moment.turn), moment.goal
        for seat, level in enumerate(moment.levels):
            self._level(seat, level)
        if moment.fight is not None:
            self._compare(moment.fight, fight)
        self._resolving = moment.resolving

    def _begin(self, moment: Moment) -> None:
        """Begin with the first moment. A game seen from its start begins with the Levels before its first turn."""
        began = any(isinstance(event, ev.TurnBegan) and event.no == 1 for event in moment.events)
        late = moment.turn > 0 and not began
        self._first = moment.turn if late else 0
        self._turn = self._first
        start = max(0, self._first - 1)
        gained = [0] * len(moment.levels)
        for event in moment.events:
            if isinstance(event, ev.LevelChanged):
                gained[event.seat] += event.by
        self._levels = [level - by for level, by in zip(moment.levels, gained)]
        self._seats = [SeatTold([(start, level)]) for level in self._levels]

    def _level(self, seat: int, level: int) -> None:
        if level == self._levels[seat]:
            return
        self._levels[seat] = level
        self._changes.append((self._turn, seat, level))
        steps = self._seats[seat].levels
        if steps[-1][0] == self._turn and len(steps) > 1:
            steps[-1] = (self._turn, level)
        elif len(steps) < STEPS_MOST:
            steps.append((self._turn, level))

    # ------------------------------------------------------------------------------------------------- what happened
    def _turn_began(self, event: ev.TurnBegan) -> None:
        self._turn, self._fight = event.no, None
        self._threats.clear()

    def _level_changed(self, event: ev.LevelChanged) -> None:
        self._level(event.seat, event.level)
        if event.why == "the sale" and event.by > 0:
            self._seats[event.seat].bought += event.by

    def _moved(self, event: ev.Moved) -> None:
        fight = self._fight
        if fight is not None and event.card in fight.promised and event.at == fight.seat == event.seat:
            fight.promised.discard(event.card)
            self._seats[event.at].broken += 1
        if event.why != "played" or event.seat < 0:
            return
        definition = self._catalog.cards[defn_of(event.new)]
        act = _Act(event.seat, definition.name)
        if definition.kind == "curse" and event.on_seat >= 0:
            self._strike(event.on_seat, definition.name)
            self._hit(act, event.on_seat)
        self._acts.append(act)

    def _turned(self, event: ev.Turned) -> None:
        definition = self._catalog.cards[defn_of(event.card)]
        if definition.kind == "curse" and self._fight is None:
            self._strike(event.seat, definition.name)

    def _strike(self, seat: int, curse: str) -> None:
        self._seats[seat].cursed += 1
        self._threats[seat] = curse

    def _hit(self, act: _Act, victim: int) -> None:
        """Count an act against somebody else, once."""
        if act.seat == victim or act.victim >= 0:
            return
        act.victim = victim
        self._seats[act.seat].strikes += 1
        self._seats[act.seat].betrayals += frozenset((act.seat, victim)) in self._side_by_side

    def _used(self, event: ev.UsedAbility) -> None:
        self._acts.append(_Act(event.seat, self._catalog.cards[defn_of(event.card)].name))

    def _strengthened(self, event: ev.Strengthened) -> None:
        self._strength.append(event)

    def _rolled_die(self, event: ev.Rolled) -> None:
        if event.sides == SIDES and 1 <= event.die <= SIDES:
            self._faces[event.die - 1] += 1
            self._seats[event.seat].rolls += 1
            self._seats[event.seat].pips += event.die
        if event.monster:
            self._rolled.add((event.seat, event.monster))

    def _fled(self, event: ev.Fled) -> None:
        if (event.seat, event.monster) in self._rolled:
            self._rolled.discard((event.seat, event.monster))
            self._seats[event.seat].runs += 1
            self._seats[event.seat].away += event.escaped
        if not event.escaped:
            self._threats[event.seat] = self._catalog.cards[event.defn].name

    def _died(self, event: ev.Died) -> None:
        told = self._seats[event.seat]
        killer = self._threats.pop(event.seat, "")
        if len(told.deaths) < NAMES_MOST:
            told.deaths.append(self._turn)
            told.killers += [killer] if killer else []

    def _won(self, event: ev.Won) -> None:
        self._winners, self._why = list(event.seats), event.why
        last = self._fights[-1] if self._fights else None
        if last is not None and last.turn == self._turn and last.how in WON and event.why in ("level", "shared"):
            last.decided = True

    # -------------------------------------------------------------------------------------------------------- fights
    def _fight_began(self, event: ev.FightBegan) -> None:
        self._fight = _Fight(self._turn, event.seat)

    def _fight_ended(self, event: ev.FightEnded) -> None:
        fight, self._fight = self._fight, None
        self._rolled.clear()
        if fight is not None:
            fight.how = event.how
            self._fights.append(fight)

    def _monster_left(self, event: ev.MonsterLeft) -> None:
        if event.how == "killed" and self._fight is not None:
            self._seats[self._fight.seat].kills += 1

    def _helper_came(self, event: ev.HelperCame) -> None:
        fight = self._fight
        self._joined = True
        if fight is None or event.compelled:
            return
        if event.seat not in fight.helpers:
            fight.helpers.add(event.seat)
            self._seats[event.seat].helped += 1
        self._side_by_side.add(frozenset((fight.seat, event.seat)))
        bargain = event.bargain
        if bargain is not None:
            fight.promised.update(bargain.gives)
            fight.promised.update(bargain.cards if fight.seat == self._me else [])

    def _helper_left(self, event: ev.HelperLeft) -> None:
        self._joined = self._joined or not self._acts

    def _compare(self, now: Sums, before: _Fight | None) -> None:
        """Compare the fight with the previous moment, and find the act that made the difference."""
        fight = self._fight
        if fight is None or fight.no not in (-1, now.no):
            fight = self._fight = _Fight(self._turn, now.seat)
        fight.no, fight.seat = now.no, now.seat
        if not now.open:
            return
        was, fight.sums = fight.sums, now
        fight.threatened = fight.threatened or now.wins_game
        if was is None or fight is not before or self._joined:
            self._last_act = self._acts[-1] if self._acts else None
            return
        if len(self._acts) > 1:
            for act in self._acts:
                self._credit(fight, was, was, act, self._added(act))
            self._last_act = self._acts[-1]
        else:
            act_or_none = self._acts[0] if self._acts else (self._last_act if self._resolving else None)
            if act_or_none is not None:
                self._credit(fight, was, now, act_or_none, now.margin - was.margin)
            self._last_act = act_or_none

    def _added(self, act: _Act) -> int:
        """Return the strength that one of several acts of a moment has added for the heroes, if it is known."""
        mine = [
            event.bonus
            for event in self._strength
            if event.bonus.seat == act.seat and self._catalog.cards[event.bonus.defn].name == act.card
        ]
        return sum(bonus.by if bonus.side == "heroes" else -bonus.by for bonus in mine)

    def _credit(self, fight: _Fight, was: Sums, now: Sums, act: _Act, by: int) -> None:
        averted = was.wins_game and not now.wins_game
        if act.seat == was.seat or (by >= 0 and not averted):
            return
        self._hit(act, was.seat)
        turned = was.winning and not now.winning
        fight.acts.append(_Turned(act.seat, act.card, by, turned, averted, was.match_point))

    # ----------------------------------------------------------------------------------------------------- the story
    def story(self) -> Story:
        """Return the story of all moments told so far."""
        cut_off = [self._fight] if self._fight is not None and self._winners else []
        fights = [fight for fight in (*self._fights, *cut_off) if fight.sums is not None]
        final = next((fight for fight in reversed(fights) if fight.decided), None)
        biggest = max(fights, key=_size, default=None)
        return Story(
            goal=self._goal, turns=self._turn, seats=self._seats, winners=self._winners, why=self._why,
            first=self._first, final=self._told(final), turning=self._turning_point(),
            biggest=self._told(biggest), stab=_best_stab(fights), faces=self._faces,
        )  # fmt: skip

    def _told(self, fight: _Fight | None) -> FightTold | None:
        if fight is None or fight.sums is None:
            return None
        sums = fight.sums
        names = [self._catalog.cards[defn].name for defn in sums.monsters][:NAMES_MOST]
        return FightTold(fight.turn, fight.seat, sums.heroes, sums.foes, names, fight.how, sums.helper)

    def _turning_point(self) -> TurningPoint | None:
        """Return the moment that decided the game, None if nobody won or nothing of the kind was seen.

        It is the last time that somebody else was about to win: a player who is not among the winners was winning the
        fight for the last Level, and did not get it. If that never happened, it is the moment at which a winner took
        the lead for good: from then on the best winner's Level was above everybody else's until the end.
        """
        if not self._winners:
            return None
        for fight in reversed(self._fights):
            if fight.threatened and not fight.decided and fight.seat not in self._winners:
                act = next((act for act in reversed(fight.acts) if act.averted), None)
                by, card = (act.seat, act.card) if act is not None else (-1, "")
                return TurningPoint(fight.turn, "stopped", fight.seat, by, card)
        return self._lead_taken()

    def _lead_taken(self) -> TurningPoint | None:
        levels = [seat.levels[0][1] for seat in self._seats]
        found, ahead = None, _leads(levels, self._winners)
        for turn, seat, level in self._changes:
            levels[seat] = level
            leads = _leads(levels, self._winners)
            if leads and not ahead:
                best = max(self._winners, key=lambda winner: levels[winner])
                found = TurningPoint(turn, "lead", best)
            ahead = leads
        return found if ahead else None


def _leads(levels: list[int], winners: list[int]) -> bool:
    """Return whether the best winner's Level is above everybody else's."""
    others = [level for seat, level in enumerate(levels) if seat not in winners]
    return max(levels[seat] for seat in winners) > max(others, default=0)


def _size(fight: _Fight) -> int:
    return fight.sums.heroes + fight.sums.foes if fight.sums is not None else 0


def _best_stab(fights: list[_Fight]) -> Stab | None:
    """Return the act of somebody outside a fight that turned it most; acts at match point take precedence. It counts
    only if the fight, or at least the game, was not won afterwards."""
    stabs: list[Stab] = []
    for fight in fights:
        sums = fight.sums
        for act in fight.acts:
            kept = (act.turned and fight.how not in WON) or (act.averted and not fight.decided)
            if sums is not None and kept and act.seat not in (sums.seat, sums.helper):
                stabs.append(Stab(fight.turn, act.seat, sums.seat, act.card, abs(act.by), act.match_point))
    return max(stabs, key=lambda stab: (stab.match_point, stab.by), default=None)


_HANDLERS: dict[type, Callable[[Narrator, Any], None]] = {
    ev.TurnBegan: Narrator._turn_began, ev.LevelChanged: Narrator._level_changed, ev.Moved: Narrator._moved,
    ev.Turned: Narrator._turned, ev.UsedAbility: Narrator._used, ev.Strengthened: Narrator._strengthened,
    ev.Rolled: Narrator._rolled_die, ev.Fled: Narrator._fled, ev.Died: Narrator._died, ev.Won: Narrator._won,
    ev.FightBegan: Narrator._fight_began, ev.FightEnded: Narrator._fight_ended,
    ev.MonsterLeft: Narrator._monster_left, ev.HelperCame: Narrator._helper_came,
    ev.HelperLeft: Narrator._helper_left,
}  # fmt: skip
