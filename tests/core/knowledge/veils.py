"""Conditions of a seat's knowledge, and of the games that can be imagined from it."""

import gc
from collections import Counter
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import msgspec

from core.knowledge.imagine import Imaginer
from core.knowledge.seen import DECK, Seen, all_learn, nothing_seen
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.moves.legal import legal
from core.state.model import State, defn_of, encode, owner_of
from core.state.veiled import Veiled
from core.view import view
from tests.core import invariants
from tests.core.random_table import RandomTable

_pack = msgspec.msgpack.Encoder().encode


class WatchedTable(RandomTable):
    """A game of random actions in which each seat keeps what it learns."""

    def __init__(self, *args: Any, **config: Any) -> None:
        super().__init__(*args, **config)
        self.seen = [nothing_seen(self.catalog, self.state, seat) for seat in range(len(self.state.seats))]

    def act(self) -> list[Any]:
        events = super().act()
        all_learn(self.catalog, self.seen, events)
        return events


def is_true(catalog: Catalog, state: State, seen: Seen) -> None:
    """Everything that a seat has learned of hidden cards is true in this state."""
    for name, pile in (("door", state.door), ("treasure", state.treasure), ("seal", state.seals)):
        learned = seen.decks[name]
        assert learned.size == len(pile), f"a {name} deck of {len(pile)} counted as {learned}"
        wrong = {place: defn for place, defn in learned.known.items() if pile[place] != defn}
        assert not wrong, f"these cards do not lie in the {name} deck where seat {seen.seat} believes: {wrong}"
        astray = Counter(pile[: learned.below]) - Counter(learned.pool)
        assert not astray, f"these cards cannot be in the {name} deck: {astray}, says {learned}"
    assert sorted(seen.hand) == sorted(state.seats[seen.seat].hand)
    hidden = {no: hidden_cards(state, no) for no in range(len(state.seats)) if no != seen.seat}
    for no, cards in hidden.items():
        doors = sum(catalog.cards[defn].deck == "door" for defn in cards)
        hand = seen.hands[no]
        assert hand.count == len(cards) and hand.low <= doors <= hand.high, f"{doors} Door cards in {cards}: {hand}"
    for defn, places in set(seen.held):
        least = sum(one == defn and not there & ~places for one, there in seen.held)
        found = [card for no, cards in hidden.items() if places >> no & 1 for card in cards]
        found += getattr(state, catalog.cards[defn].deck) if places & DECK else []
        assert found.count(defn) >= least, f"{least} of {catalog.cards[defn].full_id} are not in {places:b}"


def hidden_cards(state: State, no: int) -> list[int]:
    """Return the cards of a seat that the others do not see, as definitions."""
    seat = state.seats[no]
    first = [placed.card for placed in seat.table] if state.turn.no == 0 else []
    return [defn_of(card) for card in (*seat.hand, *first)]


def fits(catalog: Catalog, state: State, seen: Seen, game: State) -> None:
    """A game imagined from a state is sound; the seat sees the same in it, may do the same, and has learned facts that
    are true there. Its veiled state is the same, byte for byte."""
    seat = seen.seat
    assert _pack(view(catalog, game, seat)) == _pack(view(catalog, state, seat)), "the view differs"
    assert legal(catalog, game, seat) == legal(catalog, state, seat), "the legal actions differ"
    invariants.check_state(catalog, game)
    invariants.waits_unchanged(catalog, game, encode(game))
    is_true(catalog, game, seen)
    assert game.seed != state.seed and game.draws == 0
    assert veil(catalog, game, seat, seen) == veil(catalog, state, seat, seen), "the imagined game is known otherwise"


def tells_nothing_hidden(state: State, veiled: Veiled, allowed: set[int]) -> None:
    """No object that can be reached from a veiled state, nor its bytes, holds the id of a hidden card, the seed or a
    draw. allowed: ids that the seat may know."""
    hidden = {card for no, seat in enumerate(state.seats) if no != veiled.seat for card in seat.hand} - allowed
    for thing in reachable((veiled, veiled.state())):
        assert not (isinstance(thing, int) and thing in hidden), f"{thing} is a hidden card of {owner_of(thing) - 1}"
        assert not (isinstance(thing, bytes) and state.seed in thing), "the seed can be reached"
    assert veiled.state().draws == 0 and not veiled.state().dice


def reachable(root: object, *beyond: object) -> Iterator[object]:
    """Yield every data object that can be reached from `root`, except `beyond` and objects that can be reached only
    through them."""
    left, met = [root], set(map(id, beyond))
    while left:
        thing = left.pop()
        if id(thing) in met or isinstance(thing, type | ModuleType):
            continue
        met.add(id(thing))
        yield thing
        parts = [thing.__closure__, thing.__defaults__] if isinstance(thing, FunctionType) else gc.get_referents(thing)
        left += parts
        if isinstance(thing, msgspec.Struct):
            left += [getattr(thing, name) for name in thing.__struct_fields__]


def imagined(catalog: Catalog, state: State, seen: Seen, rng: Any, count: int = 1) -> list[State]:
    """Return games that a seat could be in."""
    imaginer = Imaginer(catalog, veil(catalog, state, seen.seat, seen))
    return [imaginer.deal(rng) for _ in range(count)]
