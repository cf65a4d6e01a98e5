"""Find the result of another action afterwards, by carrying it out with the engine on a copy of the true game."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from core.engine import Runaway, submit
from core.language.catalog import Catalog
from core.language.schema import Strength
from core.moves.legal import legal, suggest
from core.queries.rewards import match_point
from core.queries.strength import figures, totals, winning
from core.state.actions import AnyAction, Default, Equip, Play, Refusal, Unequip, Use
from core.state.events import AnyEvent, Drew, Rolled, Shuffled, Turned
from core.state.model import (
    Excess,
    Fight,
    Program,
    State,
    Throw,
    decode,
    defn_of,
    encode,
)
from core.state.reader import Reader

ASKS_MOST = 8
"""How many asks of one text a trial answers with the default for a silent seat."""
WAYS = 3
"""Ways to fill an open set that are tried."""
BY_CHANCE = (Drew, Rolled, Shuffled, Turned)
"""Events that nobody could have foreseen."""
Goal = Callable[["Position"], bool]


class Position(Struct):
    """A state to be read, of one catalog."""

    cat: Catalog
    state: State

    @property
    def reader(self) -> Reader:
        """A reader of the state."""
        return Reader(self.cat, self.state)

    @property
    def fight(self) -> Fight | None:
        """The fight that is still to be decided by strength, None if there is none."""
        fight = self.state.fight
        return fight if fight is not None and fight.stage == "fight" and fight.monsters else None

    @property
    def winning(self) -> bool:
        """Whether there is an undecided fight that its heroes are winning."""
        return self.fight is not None and winning(self.reader)

    @property
    def match_point(self) -> bool:
        """Whether the heroes are winning a fight that ends the game."""
        return self.winning and match_point(self.reader)

    @property
    def lead(self) -> int:
        """The strength of the heroes less that of the monsters; 0 without a fight."""
        ours, theirs = totals(self.reader) if self.fight is not None else (0, 0)
        return ours - theirs

    def gear(self, seat: int) -> int:
        """Return the strength of a seat beyond its Level."""
        return figures(self.reader, seat)[0] - self.state.seats[seat].level

    def kind(self, card: int) -> str:
        """Return the kind of a card."""
        return self.cat.cards[defn_of(card)].card.kind


def tried(cat: Catalog, data: bytes, seat: int, action: AnyAction) -> tuple[Position, list[AnyEvent]] | None:
    """Return the position after an action in a copy of an encoded state, and the events; None if it is refused. Asks of
    the text, and of a surplus, get the default answer for a silent seat."""
    state = decode(data)
    try:
        answer = submit(cat, state, seat, action)
        if isinstance(answer, Refusal):
            return None
        events = list(answer)
        for _ in range(ASKS_MOST):
            top = state.stack[-1] if state.stack else None
            if not isinstance(top, Excess | Program | Throw) or not top.asks:
                break
            further = submit(cat, state, -1, Default(top.asks[0].seat, top.asks[0].id))
            if isinstance(further, Refusal):
                break
            events += further
    except Runaway:
        return None
    return Position(cat, state), events


def foreseen(events: list[AnyEvent]) -> bool:
    """Return whether no die and no deck had a part in these events."""
    return not any(isinstance(event, BY_CHANCE) for event in events)


def acts(cat: Catalog, data: bytes, seat: int, kinds: tuple[type, ...] = (Play, Use)) -> Iterator[AnyAction]:
    """Yield the actions of these types that a seat may do in an encoded state."""
    for row in legal(cat, decode(data), seat):
        if isinstance(row.action, kinds):
            yield from suggest(row, WAYS)


def reached(cat: Catalog, data: bytes, seat: int, goal: Goal, depth: int, up: bool) -> AnyAction | None:
    """Return the first of at most `depth` plays by which a seat could foreseeably have reached a goal; None if it could
    not. up: a play that is not the last must raise the lead of the heroes, else lower it."""
    lead = Position(cat, decode(data)).lead
    further = []
    for action in acts(cat, data, seat):
        outcome = tried(cat, data, seat, action)
        if outcome is None or not foreseen(outcome[1]):
            continue
        if goal(outcome[0]):
            return action
        moved = outcome[0].lead - lead
        if depth > 1 and outcome[0].fight is not None and (moved > 0 if up else moved < 0):
            further.append((action, encode(outcome[0].state)))
    return next((action for action, then in further if reached(cat, then, seat, goal, depth - 1, up)), None)


def best_gear(cat: Catalog, data: bytes, seat: int) -> tuple[int, AnyAction | None]:
    """Return the greatest strength beyond its Level that a seat could have by equipping one Item, and the action. It
    may first turn another Item sideways that only gives strength. If nothing is better, return its present strength and
    None."""
    best = Position(cat, decode(data)).gear(seat)
    how: AnyAction | None = None
    turnable = [action for action in acts(cat, data, seat, (Unequip,)) if _only_gives_strength(cat, action)]
    for begin in (None, *turnable):
        first = (Position(cat, decode(data)), []) if begin is None else tried(cat, data, seat, begin)
        if first is None:
            continue
        there = encode(first[0].state)
        for action in acts(cat, there, seat, (Equip, Play)):
            if isinstance(action, Play) and first[0].kind(action.card) != "item":
                continue
            outcome = tried(cat, there, seat, action)
            if outcome is not None and foreseen(outcome[1]) and outcome[0].gear(seat) > best:
                best, how = outcome[0].gear(seat), action
    return best, how


def _only_gives_strength(cat: Catalog, action: AnyAction) -> bool:
    card = cat.cards[defn_of(getattr(action, "card", 0))].card
    return not card.abilities and all(isinstance(mod, Strength) for mod in card.mods)
