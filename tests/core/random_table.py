"""A game whose seats take random legal actions; it keeps every action, so that the game can be replayed."""

import random
from collections import deque
from collections.abc import Callable, Sequence

from msgspec import Struct, msgpack

from core.engine import new_game, submit
from core.language.catalog import Catalog
from core.moves.legal import legal
from core.replay import Step, rerun
from core.state.actions import (
    AnyAction,
    Close,
    Counter,
    Default,
    Discard,
    EndTurn,
    Equip,
    Give,
    Hold,
    Kick,
    Legal,
    Offer,
    Pass,
    Refusal,
    Unequip,
    Withdraw,
)
from core.state.events import AnyEvent
from core.state.model import Options, State, Window, encode
from core.state.options import GAME_OPTIONS, TableOption
from netcode.bots.picks import at_random
from netcode.protocol.table_options import parse_options
from tests.core import invariants

RARE: dict[type, float] = {
    Pass: 3.0, Offer: 0.4, Counter: 0.5, Give: 0.2, Withdraw: 0.3, Hold: 0.1, Equip: 0.6, Unequip: 0.25, Discard: 0.2,
    EndTurn: 1.5, Kick: 1.5,
}  # fmt: skip
"""How often a random player does a kind of action, relative to 1 for those not named."""


EVERY = {"listen": (3, 1), "shared-victory": (4, 1), "seal-die": (2, 1), "win-level": (0, 0)}
"""Options that games play in turn: (every how many games, from which game on); 0: in no game. The digests of earlier
versions depend on these numbers. `win-level` is in no game because a higher Level only makes games longer."""
OTHERS = (5, 2)
"""The same for options that are not named above."""


def options_of(no: int) -> Options:
    """Return the options of this game; they vary from game to game."""
    return parse_options(options_spelled(no, GAME_OPTIONS))


def options_spelled(no: int, among: Sequence[TableOption]) -> list[str]:
    """Return which of these options are on, or have their last value, in this game."""
    plan = [(option, *EVERY.get(option.name, OTHERS)) for option in among]
    return [option.spellings[-1] for option, every, first in plan if every and no % every == first]


class RandomTable:
    """A game whose seats take random legal actions.

    interrupts: how often a seat that nobody waits for acts first, 0 to 1. Raises AssertionError if a legal action is
    refused.
    """

    def __init__(
        self, catalog: Catalog, seats: int, seed: int, *, interrupts: float = 0.3, options: Options | None = None
    ) -> None:
        self.catalog = catalog
        self.rng = random.Random(seed)
        self.interrupts = interrupts
        self.options = options or Options()
        self.key = seed.to_bytes(16, "big")
        self.state, _ = new_game(catalog, seats, self.options, self.key)
        self.log: list[Step] = []
        self.recent: deque[Step] = deque(maxlen=6)

    def act(self) -> list[AnyEvent]:
        """Take one action, of a player or of the host's clock; return its events."""
        clock = self._clock()
        if clock is not None:
            return self._take(-1, clock)
        for seat in self._order():
            rows = legal(self.catalog, self.state, seat)
            if rows:
                return self._take(seat, self.chosen(rows))
        raise AssertionError(f"nobody can do anything: {self.state.stack[-1]}")

    def chosen(self, rows: list[Legal]) -> AnyAction:
        """Return one of these actions: choose the kind first, then the row; fill its set at random."""
        kinds: dict[type, list[Legal]] = {}
        for row in rows:
            kinds.setdefault(type(row.action), []).append(row)
        names = list(kinds)
        kind = self.rng.choices(names, [RARE.get(name, 1.0) for name in names])[0]
        return at_random(self.rng.choice(kinds[kind]), self.rng)

    def _order(self) -> list[int]:
        top = self.state.stack[-1]
        seats = [no for no, seat in enumerate(self.state.seats) if not seat.dead]
        self.rng.shuffle(seats)
        if self.rng.random() >= self.interrupts:
            asked = {ask.seat for ask in top.asks}
            seats.sort(key=lambda no: no not in asked)
        return seats

    def _clock(self) -> AnyAction | None:
        top = self.state.stack[-1]
        draw = self.rng.random()
        if isinstance(top, Window) and draw < 0.03:
            return None if top.holder >= 0 or self._match_point() else Close(window=top.id)
        if top.asks and draw > 0.985:
            ask = self.rng.choice(top.asks)
            return Default(seat=ask.seat, ask=ask.id)
        return None

    def _match_point(self) -> bool:
        seen = invariants.view(self.catalog, self.state, -1)
        return seen.fight is not None and seen.fight.match_point

    def _take(self, seat: int, action: AnyAction) -> list[AnyEvent]:
        before = encode(self.state)
        answer = submit(self.catalog, self.state, seat, action)
        if isinstance(answer, Refusal):
            assert encode(self.state) == before, f"a refused action changed the state: {seat} {action}"
            raise AssertionError(f"a legal action was refused: seat {seat}, {action}: {answer}")
        self.log.append(Step(seat, action))
        self.recent.append(self.log[-1])
        return answer


def replayed(catalog: Catalog, seats: int, key: bytes, options: Options, log: list[Step]) -> State:
    """Return the state to which this log leads."""
    *_, (state, _) = rerun(catalog, seats, options, key, log)
    return state


class Recording(Struct):
    """A game as its seed and actions."""

    seats: int
    key: bytes
    options: Options
    log: list[Step]


def recording(table: RandomTable) -> bytes:
    """Return the game so far, for another process."""
    return msgpack.encode(Recording(len(table.state.seats), table.key, table.options, table.log))


Check = Callable[[RandomTable, list[AnyEvent]], None]
