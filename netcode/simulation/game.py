"""One whole game between bots in this process. The host's part (who acts next, clocks, defaults) is random.

It uses only public functions of core, and a player sees only its observations. Interrupts come at random moments from
random seats: the seat that decides next is drawn at random, and sometimes nobody waits for it.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct, field

from core.engine import Runaway, new_game, submit
from core.knowledge.seen import Seen, all_learn, nothing_seen
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.state.actions import AnyAction, Close, Default, Pass, Refusal
from core.state.events import AnyEvent, seen_by
from core.state.model import Options, State, Window
from core.view import Showing
from netcode.bots.card_values import CardValues
from netcode.bots.factory import make_player
from netcode.bots.guests import Misplay
from netcode.bots.lazy_observation import LazyObservation
from netcode.simulation.failures import Failures

INTERRUPT_CHANCE = 0.1
"""How often a seat that nobody waits for decides first."""
CLOSE_CHANCES = {"kick": 0.5}
"""How often, at each step, the clock of an open window of this kind runs out: kick windows are short."""
CLOSE_CHANCE = 0.04
"""The same for all other windows."""
DEFAULT_CHANCE = 0.001
"""How often, at each step, the time for an ask runs out and its default is taken."""
DECISIONS_LIMIT = 200_000
"""A game is given up after this many decisions, whatever its turn."""

Watch = Callable[[State, int, AnyAction, list[AnyEvent]], None]
"""Called after each accepted action with the state, the seat (-1: the host), the action and its events."""


class GameResult(Struct):
    """How one game went. why: see SimulatedGame.play; first: the seat of the first player."""

    index: int
    seats: int
    why: str
    turns: int = 0
    decisions: int = 0
    passes: int = 0
    seconds: float = 0.0
    winners: list[int] = field(default_factory=list)
    first: int = 0
    bots: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """Refused actions and failures of players, one of each kind (failures.py)."""
    repeated: dict[str, int] = field(default_factory=dict)
    """The counts of the kinds that came more than once."""
    misplays: dict[int, int] = field(default_factory=dict)
    """How many there were of all kinds, by seat."""
    levels: list[list[int]] = field(default_factory=list)
    """Levels of all seats at the start of each round."""
    played: dict[int, int] = field(default_factory=dict)
    """Cards played, by definition."""
    players: dict[int, list[int]] = field(default_factory=dict)
    """The seats that played each card, by definition."""
    identities: list[list[int]] = field(default_factory=list)
    """Definitions of the identities that each seat had at the end."""
    held: dict[int, int] = field(default_factory=dict)
    """Turns that each identity was in play, over all seats, by definition."""


class SimulatedGame:
    """A game in progress, with its players and its host. bots: a specification for each seat (factory.make_player).
    budget: rollouts that a player may spend on a decision. If a player fails or tries something illegal, the game
    continues without it until something changes; if nothing does, the host takes its defaults.

    Raises ValueError if there is no such player."""

    def __init__(
        self,
        catalog: Catalog,
        bots: Sequence[str],
        seed: int,
        *,
        values: CardValues | None = None,
        options: Options | None = None,
        watch: Watch | None = None,
        budget: int = 0,
    ) -> None:
        self.catalog = catalog
        self.rng = random.Random(seed)
        shared = values if values is not None else CardValues(catalog)
        self.bots, self.budget = list(bots), budget
        self.players = [
            make_player(spec, catalog, random.Random(f"{seed}:{no}"), shared) for no, spec in enumerate(bots)
        ]
        self.watch = watch
        key = seed.to_bytes(16, "big", signed=True)
        self.state, self.opening = new_game(catalog, len(bots), options or Options(), key)
        self.seats = [*range(len(bots))]
        self.seen: dict[int, Seen] = {
            no: nothing_seen(catalog, self.state, no) for no, player in enumerate(self.players) if player.wants_veiled
        }
        """The knowledge of each seat, for players that want the veiled state."""
        self.untold: dict[int, list[AnyEvent]] = {
            no: _told(self.opening, no) for no, player in enumerate(self.players) if player.wants_events
        }
        """Events since the last decision of each seat, for players that want events."""
        self.decisions = 0
        self.passes = 0
        self.failures = Failures()
        self.misplays = Counter[int]()
        """Refused actions and failures of players, by seat."""
        self.quiet: set[int] = set()
        """Seats that have had nothing to do since the last accepted action."""
        self.showing: Showing | None = None
        """The shared part of all views, cached while it is unchanged: a pass changes nothing unless it is the last."""

    @property
    def refused(self) -> list[str]:
        """Refused actions and failures of players, one of each kind."""
        return self.failures.sentences

    def play(self, turn_cap: int) -> str:
        """Play until somebody wins ("ended"), a limit is reached ("turns", "decisions", "stalled"), or card text does
        not end (the answer names the card)."""
        while not self.state.winners:
            if self.state.turn.no > turn_cap:
                return "turns"
            if self.decisions >= DECISIONS_LIMIT:
                return "decisions"
            try:
                if not self.step():
                    return "stalled"
            except Runaway as problem:
                return str(problem)
        return "ended"

    def step(self) -> bool:
        """Let somebody, or the host, take one accepted action. Return False if nobody can do anything."""
        if self._clocks():
            return True
        for hurry in (False, True):
            for seat in self._order():
                if self._decide(seat, hurry):
                    return True
            self.quiet.clear()
        return self._expire_all()

    # ------------------------------------------------------------------------------------------------- bots
    def _order(self) -> Iterator[int]:
        """Yield the seats in random order: first those with an offer to answer, then those that are asked, then the
        rest; now and then another seat interrupts. Seats that have passed or have nothing to do are left out."""
        top, draw, out = self.state.stack[-1], self.rng.random, self.quiet
        if isinstance(top, Window):
            out = out.union(top.passed)
            if top.holder >= 0:
                out.discard(top.seat)  # who wins may answer a held window
        left = [seat for seat in self.seats if seat not in out] if out else self.seats[:]
        if not isinstance(top, Window):
            if left and draw() < INTERRUPT_CHANCE:
                yield left.pop(int(draw() * len(left)))
            if self.state.offers:
                yield from _drawn(left, {offer.to for offer in self.state.offers}, draw)
            if len(top.asks) == 1:  # as _drawn does with three calls
                seat = top.asks[0].seat
                if seat in left:
                    draw()
                    left.remove(seat)
                    yield seat
            elif top.asks:
                yield from _drawn(left, {ask.seat for ask in top.asks}, draw)
        while left:
            yield left.pop(int(draw() * len(left)))

    def _decide(self, seat: int, hurry: bool) -> bool:
        """Let a player decide; return whether it took an action."""
        if self.state.seats[seat].dead:
            return False
        if self.showing is None:
            self.showing = Showing(self.catalog, self.state)
        player = self.players[seat]
        seen = self.seen.get(seat) if self.seen else None
        veiled = veil(self.catalog, self.state, seat, seen) if seen is not None else None
        observation = LazyObservation(self.catalog, self.state, self.showing, seat, veiled, hurry)
        try:
            if self.untold and self.untold.get(seat):
                player.observe(self.untold.pop(seat))
                self.untold[seat] = []
            action = player.decide(observation, self.budget)
        except Misplay as problem:
            self._misplayed(seat, str(problem))
            action = None
        observation.close()
        accepted = action is not None and self.submit(seat, action)
        if not accepted:
            self.quiet.add(seat)
        return accepted

    def _misplayed(self, seat: int, what: str) -> None:
        self.misplays[seat] += 1
        self.failures.add(f"seat {seat} ({self.bots[seat]}): {what}")

    def submit(self, seat: int, action: AnyAction) -> bool:
        """Submit an action; return whether it was accepted. Refusals of players' actions are kept for the report."""
        before = self.state.rev
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            if seat >= 0:
                self._misplayed(seat, f"{action} was refused: {answer.text} ({answer.clause})")
            return False
        self.decisions += 1
        self.passes += isinstance(action, Pass)
        if answer or not isinstance(action, Pass):
            self.showing = None
        self.quiet.clear()
        if self.seen:
            all_learn(self.catalog, list(self.seen.values()), answer)
        for no, untold in self.untold.items() if self.untold else ():
            if no == seat or self.state.rev != before:  # only the actor learns of events that nobody else may see
                untold += _told(answer, no)
        if self.watch is not None:
            self.watch(self.state, seat, action, answer)
        return True

    # ------------------------------------------------------------------------------------------------- host
    def _clocks(self) -> bool:
        """Now and then let a clock run out: of the open window, or of somebody's ask."""
        top = self.state.stack[-1]
        if isinstance(top, Window):
            chance = CLOSE_CHANCES.get(top.kind, CLOSE_CHANCE)
            return self.rng.random() < chance and self.submit(-1, Close(window=top.id))
        if top.asks and self.rng.random() < DEFAULT_CHANCE:
            return self.submit(-1, Default(seat=top.asks[0].seat, ask=top.asks[0].id))
        return False

    def _expire_all(self) -> bool:
        """Let all clocks run out, because nobody does anything. In a window without a clock, silent seats pass."""
        top = self.state.stack[-1]
        if isinstance(top, Window):
            silent = (no for no in range(len(self.players)) if no not in top.passed and not self.state.seats[no].dead)
            if self.submit(-1, Close(window=top.id)) or any(self.submit(no, Pass(top.id)) for no in silent):
                return True
        return any(self.submit(-1, Default(seat=ask.seat, ask=ask.id)) for ask in list(top.asks))


def _drawn(left: list[int], first: set[int], draw: Callable[[], float]) -> Iterator[int]:
    """Yield those of the seats in `first` that are left, in random order, and remove them from `left`."""
    waited = [seat for seat in left if seat in first]
    if waited:
        left[:] = [seat for seat in left if seat not in first]
    while waited:
        yield waited.pop(int(draw() * len(waited)))


def _told(events: Sequence[AnyEvent], seat: int) -> list[AnyEvent]:
    """Return these events as a seat may know them."""
    told = (seen_by(event, seat) for event in events)
    return [event for event in told if event is not None]
