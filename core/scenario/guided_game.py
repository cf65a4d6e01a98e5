"""The table of a lesson or a puzzle: one person plays the first seat, and the scenario plays the others.

The others do what the scenario's reactions say. Otherwise they stay passive: they pass, decline offers, and answer asks
as the host does for a silent player.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core import engine
from core.language.catalog import Catalog
from core.scenario.cast import Cast, NotFound, begin
from core.scenario.expect import Snapshot, differences
from core.scenario.parts import EVENTS, Happening, Reaction, Step
from core.scenario.schema import Scenario
from core.scenario.steps import ActionMaker, ScenarioGame
from core.state import actions as a
from core.state.events import AnyEvent, SteppedBack
from core.state.model import State, decode, defn_of, encode
from core.state.views import View
from core.undo import restored
from core.view import view

ME = 0
"""The seat of the person who plays."""
ROUNDS = 400
"""At most this many acts of the others in a row."""
HOST = -1
"""Who answers for a seat that stays silent."""


@dataclass(frozen=True)
class Occurrence:
    """The latest happening: its events, and the act that caused them with its seat (None: the host's act, or the
    beginning)."""

    seat: int
    action: a.AnyAction | None
    events: list[AnyEvent]


@dataclass(frozen=True)
class Mark:
    """A moment that play can return to."""

    state: bytes
    fired: tuple[int, ...]


@dataclass
class GuidedGame:
    """A laid-out game. watch: called with everything that happens; it returns whether the others stop. news: the events
    since they were last taken."""

    catalog: Catalog
    scenario: Scenario
    watch: Callable[[Occurrence], bool] = lambda occurrence: False
    news: list[AnyEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Lay the table out and do the steps that come before the first choice. Raises ScenarioError, NotFound."""
        self.cast = Cast(self.catalog, self.scenario)
        state, events = begin(self.cast, self.scenario.name.encode()[:64])
        self.game = ScenarioGame(self.cast, state, strict=False)
        self.fired = [0] * len(self.scenario.reactions)
        self.stopped = False
        self._unseen: list[Occurrence] = [Occurrence(HOST, None, events)]
        self.news += events
        for step in self.scenario.steps:
            self.do(step)

    @property
    def state(self) -> State:
        """The true state, hidden things included."""
        return self.game.state

    def view(self, seat: int = ME) -> View:
        """Return what a seat sees."""
        return view(self.catalog, self.state, seat)

    # --------------------------------------------------------------------------------------------------------- acting
    def submit(self, seat: int, action: a.AnyAction) -> a.Refusal | None:
        """Submit an action (seat -1: of the host); return why it is refused, None if it is not."""
        before = encode(self.state)
        try:
            result = engine.submit(self.catalog, self.state, seat, action)
        except engine.Runaway as problem:
            self.game.state = decode(before)
            return a.Refusal("internal", f"Nothing has changed. A card pack has a mistake: {problem}.")
        if isinstance(result, a.Refusal):
            return result
        self._happened(Occurrence(seat, action, result))
        return None

    def do(self, step: Step) -> bool:
        """Do a step of the scenario; return False if it is impossible now."""
        if step.do is not None:
            seat = self.cast.seat(str(step.by))
            try:
                action = ActionMaker(self.game, step, seat).action()
            except NotFound:
                return False
            return self.submit(seat, action) is None
        try:
            refused = self.game.do(step)
        except NotFound:
            return False
        self._happened(Occurrence(HOST, None, self.game.events))
        return refused is None

    def _happened(self, occurrence: Occurrence) -> None:
        self.news += occurrence.events
        self._unseen.append(occurrence)
        self.stopped = self.watch(occurrence) or self.stopped

    def action_of(self, step: Step) -> a.AnyAction:
        """Return the action of a step of the person who plays. Raises NotFound."""
        if step.pass_ is not None:
            window = self.view().window
            if window is None:
                raise NotFound("no window is open")
            return a.Pass(window.id)
        action: a.AnyAction = ActionMaker(self.game, step, ME).action()
        return action

    # ----------------------------------------------------------------------------------------------------- the others
    def settle(self) -> None:
        """Let the others act until everything waits for the person who plays."""
        for _ in range(ROUNDS):
            if self.stopped or self.state.winners or not (self._react() or self._silence()):
                return

    def _react(self) -> bool:
        """Match the reactions against the next thing that happened; return False if there is none."""
        if not self._unseen:
            return False
        occurrence = self._unseen.pop(0)
        for at, reaction in enumerate(self.scenario.reactions):
            if self.fired[at] < reaction.times and self.fits(reaction.when, occurrence):
                self._answer(at, reaction)
        return True

    def _answer(self, at: int, reaction: Reaction) -> None:
        self.fired[at] += 1
        for step in reaction.steps:
            if not self.stopped:
                self.do(step)

    def _silence(self) -> bool:
        """Let one of the others answer, decline or pass; return False if none of them has to."""
        others = range(1, len(self.cast.names))
        for seat in others:
            you = self.view(seat).you
            if you is not None and you.asks and self.submit(HOST, a.Default(seat, you.asks[0].id)) is None:
                return True
        for offer in self.state.offers:
            if offer.to in others and self.submit(offer.to, a.Decline(offer.no)) is None:
                return True
        for seat in others:
            window = self.view(seat).window
            if window is not None and not window.passed and self.submit(seat, a.Pass(window.id)) is None:
                return True
        return False

    # --------------------------------------------------------------------------------------------------- there and back
    def mark(self) -> Mark:
        """Return this moment, to come back to it."""
        return Mark(encode(self.state), tuple(self.fired))

    def back_to(self, mark: Mark) -> None:
        """Go back to a moment. Numbers of asks and windows from after it match nothing any more."""
        self.game.state = restored(decode(mark.state), self.state)
        self.fired, self.stopped, self._unseen = list(mark.fired), False, []
        self.news.append(SteppedBack(ME, ME, ""))

    # ------------------------------------------------------------------------------------------------------- matching
    def fits(self, wanted: Happening, seen: Occurrence) -> bool:
        """Return whether a happening describes this."""
        if wanted.do is not None and not self._is_act(wanted, seen):
            return False
        if wanted.treasures is not None and _promised(seen.action) < wanted.treasures:
            return False
        if wanted.event is not None and not any(self._is_event(wanted, event) for event in seen.events):
            return False
        if wanted.expect is None:
            return True
        return not differences(Snapshot(self.cast, self.state, seen.events), wanted.expect)

    def _is_act(self, wanted: Happening, seen: Occurrence) -> bool:
        by = self.cast.seat(wanted.by) if wanted.by is not None else ME
        if seen.action is None or seen.seat != by or _tag(seen.action) != wanted.do:
            return False
        return wanted.card is None or self.cast.defn(wanted.card) in _cards_of(seen.action)

    def _is_event(self, wanted: Happening, event: AnyEvent) -> bool:
        if type(event) is not EVENTS[str(wanted.event)]:
            return False
        if wanted.seat is not None and self.cast.seat(wanted.seat) not in _seats_of(event):
            return False
        if wanted.how is not None and wanted.how not in _words_of(event):
            return False
        return wanted.do is not None or wanted.card is None or self.cast.defn(wanted.card) in _cards_of(event)


def _tag(action: a.AnyAction) -> str:
    return str(type(action).__struct_config__.tag)


def _promised(action: a.AnyAction | None) -> int:
    return action.terms.treasures if isinstance(action, a.Offer | a.Counter) else -1


def _cards_of(thing: Any) -> set[int]:
    """Return the definitions that an act or event names."""
    cards = [getattr(thing, name, 0) for name in ("card", "new")]
    several = [getattr(thing, name, ()) for name in ("cards", "pay")]
    ids = [*cards, *(card for group in several for card in group)]
    own = getattr(thing, "defn", -1)
    return {defn_of(card) for card in ids if card} | ({own} if own >= 0 else set())


def _seats_of(event: AnyEvent) -> set[int]:
    seats = getattr(event, "seats", None)
    return set(seats) if seats is not None else {getattr(event, "seat", HOST)}


def _words_of(event: AnyEvent) -> set[str]:
    return {str(getattr(event, name)) for name in ("how", "why", "stage", "kind", "phase") if hasattr(event, name)}

