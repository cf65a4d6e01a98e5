"""Invariants of every state of every game; a failed check says what it found."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import Struct, inspect

from core.engine import advance
from core.language import schema as v
from core.language.catalog import Catalog
from core.language.tree import effects_within
from core.moves.legal import legal
from core.procedures.over_limit import excess_of
from core.queries.capacity import hand_limit
from core.state.events import AnyEvent, Drew, HandsPassed, Moved, TurnBegan
from core.state.game import Game
from core.state.model import (
    Frame,
    Looting,
    Program,
    Run,
    State,
    Window,
    card_id,
    cards_once,
    decode,
    defn_of,
    encode,
    owner_of,
)  # fmt: skip
from core.state.numbers import is_seat
from core.state.reader import Reader
from core.state.views import View
from core.view import view

DEPTH = 12
"""The most frames on the stack."""
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder().decode
_ANY = inspect.AnyType()


def check_state(catalog: Catalog, state: State) -> None:
    """Check every invariant of one state that waits for an action."""
    cards_in_one_zone(catalog, state)
    levels_in_bounds(state)
    counters_in_bounds(catalog, state)
    monsters_are_apart(state)
    nobody_has_too_much(catalog, state)
    asks_are_live(state)
    frames = [type(frame).__name__ for frame in state.stack]
    assert len(frames) <= DEPTH, f"{len(frames)} frames on the stack: {frames}"
    running = any(isinstance(frame, Looting | Run) for frame in state.stack)
    assert not state.pending or state.winners or running, f"consequences not worked off: {state.pending}"


# ------------------------------------------------------------------------------------------------------------ cards
def zones(state: State) -> Iterator[tuple[str, int, int]]:
    """Yield every card with an id: its zone, the id, and the owner the id should have; a curse with several effects
    once."""
    for no, seat in enumerate(state.seats):
        for card in seat.hand:
            yield _ZONES[no][0], card, no + 1
        for placed in seat.table:
            yield _ZONES[no][1], placed.card, 0
        for card in seat.body:
            yield _ZONES[no][2], card, 0
        for card in {lasting.card: None for lasting in seat.lasting if lasting.card}:
            yield _ZONES[no][3], card, 0
    for card in state.limbo:
        yield "limbo", card, 0
    if state.fight is not None:
        for card in cards_once(state.fight.cards):
            yield "fight", card, 0


_ZONES = [[f"{zone} {no}" for zone in ("hand", "table", "body", "lasting")] for no in range(6)]


def cards_in_one_zone(catalog: Catalog, state: State) -> None:
    """Piles, hands, tables, effects, fight and limbo together hold exactly the cards of the packs; no id twice."""
    seen: dict[int, str] = {}
    for zone, card, owner in zones(state):
        assert card not in seen, f"card {_name(catalog, card)} ({card}) is in {seen[card]} and in {zone}"
        seen[card] = zone
        assert owner_of(card) == owner, f"card {card} in {zone} has the id of owner {owner_of(card)}"
    printed, decks = _printed(catalog)
    lying = list(map(defn_of, seen))
    for deck in ("door", "treasure"):
        pile = [*getattr(state, deck), *getattr(state, f"{deck}_out")]
        astray = set(pile) - decks[deck]
        assert not astray, f"{[catalog.cards[defn].full_id for defn in astray]} in the {deck} pile"
        lying += pile
    counts = Counter([*lying, *state.seals, *state.seals_open])
    wrong = [] if dict.__eq__(counts, printed) else [no for no in counts | printed if counts[no] != printed[no]]
    assert not wrong, [f"{counts[no]} of {printed[no]} copies of {catalog.cards[no].full_id} are left" for no in wrong]


def _printed(catalog: Catalog) -> tuple[Counter[int], dict[str, set[int]]]:
    """Return how many copies there are of each definition, and which definitions belong to each deck."""
    if not _last or _last[0][0] is not catalog:
        decks: dict[str, set[int]] = {}
        for definition in catalog.cards:
            decks.setdefault(definition.deck, set()).add(definition.no)
        copies = Counter({definition.no: definition.card.copies for definition in catalog.cards})
        _last[:] = [(catalog, copies, decks)]
    return _last[0][1:]


_last: list[tuple[Catalog, Counter[int], dict[str, set[int]]]] = []
"""The results for the last catalog."""


def _name(catalog: Catalog, card: int) -> str:
    return catalog.cards[defn_of(card)].full_id


def cached_view_is_current(catalog: Catalog, state: State, seen: View, seat: int) -> None:
    """A view of a state with cached reads equals the view of a copy without any."""
    afresh = view(catalog, decode(encode(state)), seat)
    assert _pack(seen) == _pack(afresh), f"the cached view of seat {seat} is {seen}, worked out afresh it is {afresh}"


# ---------------------------------------------------------------------------------------------------- rules of state
def levels_in_bounds(state: State) -> None:
    """1 to the winning Level, and the winning one only for winners."""
    goal = state.options.win_level
    for no, seat in enumerate(state.seats):
        assert 1 <= seat.level <= goal, f"seat {no} is on Level {seat.level}"
        assert seat.level < goal or no in state.winners, f"seat {no} is on Level {goal} and has not won"


def counters_in_bounds(catalog: Catalog, state: State) -> None:
    """0 to COUNTERS_MOST, and only on cards that put counters on themselves (cards.counters)."""
    for seat in state.seats:
        for placed in seat.table:
            if placed.counters:
                name, there = _name(catalog, placed.card), f"{placed.counters} counters"
                assert 0 < placed.counters <= v.COUNTERS_MOST, f"{there} on {name}"
                verbs = effects_within(catalog.cards[defn_of(placed.card)].card)
                assert any(isinstance(op, v.Counter) for op in verbs), f"{there} on {name}, whose text puts none there"


def monsters_are_apart(state: State) -> None:
    """Every monster has an id of its own, and every card lies once on a group of monsters that is there, or on none."""
    if state.fight is None:
        return
    ids = [monster.id for monster in state.fight.monsters]
    assert 0 not in ids and len(set(ids)) == len(ids), f"monsters without an id of their own: {state.fight.monsters}"
    lying = [(joined.card, joined.on) for joined in state.fight.cards]
    assert len(set(lying)) == len(lying), f"a card lies twice on the same monster: {lying}"
    on = {joined.on for joined in state.fight.cards} - {monster.group for monster in state.fight.monsters}
    assert on <= {0}, f"cards lie on monsters that are not there: {on}"


def nobody_has_too_much(catalog: Catalog, state: State) -> None:
    """Nobody has too much of anything, unless the state is dirty and the checkpoint has yet to run."""
    if state.dirty or state.winners:
        return
    g = Reader(catalog, state)
    found = {seat: excess_of(g, seat) for seat, player in enumerate(state.seats) if not player.dead}
    assert not any(found.values()), f"a seat has too much, and the state is not dirty: {found}"


def asks_are_live(state: State) -> None:
    """A waiting game waits for somebody alive: the top frame asks, or a window is open; nothing is left over."""
    if state.winners:
        return
    assert state.stack, "the game is not over, but its stack is empty"
    top = state.stack[-1]
    assert top.asks or isinstance(top, Window), f"nobody is asked: {top}"
    for ask in top.asks:
        assert not state.seats[ask.seat].dead, f"seat {ask.seat} is dead and asked: {ask}"
        assert 0 <= ask.lo <= ask.hi, f"an ask for {ask.lo} to {ask.hi} options: {ask}"
        assert len(set(ask.options)) == len(ask.options), f"an option twice: {ask}"
        assert ask.hi <= len(ask.options) or not ask.options, f"more is asked than there is: {ask}"
    ids = [(ask.seat, ask.id) for ask in top.asks]
    assert len(set(ids)) == len(ids), f"two asks with one id: {top.asks}"


def turn_ended_clean(
    catalog: Catalog, state: State, events: list[AnyEvent], before: int, allowed: int
) -> None:
    """Check that the end of a turn left a hand within its limit, one frame, no answers or offers, nothing in limbo.

    before: the seat whose turn it was. allowed: the hand limit of that seat before the action; the next turn may change
    it.
    """
    began = [event for event in events if isinstance(event, TurnBegan)]
    if not began or state.winners:
        return
    seat = before
    if seat >= 0 and not state.seats[seat].dead and began[0].no > 1:
        limit = max(allowed, hand_limit(Game(catalog, state), seat))
        held = len(state.seats[seat].hand) - _gained(events[events.index(began[0]) :], seat)
        assert held <= limit, f"seat {seat} ended its turn with {held} cards, {limit} are allowed"
    assert not state.offers, f"offers outlived the turn: {state.offers}"
    assert state.fight is None, "a fight outlived the turn"
    for frame in state.stack:
        assert not frame.answers, f"answers left over: {frame}"
    settled = not any(isinstance(frame, Looting) for frame in state.stack) and len(state.stack) == 1
    assert not settled or not state.limbo, f"cards left in limbo: {state.limbo}"


def _gained(events: list[AnyEvent], seat: int) -> int:
    """Return how many cards a hand gained in these events: the beginning of the next turn may give it some."""
    drawn = sum(event.count for event in events if isinstance(event, Drew) and event.seat == seat)
    moved = sum(1 for event in events if isinstance(event, Moved) and event.to == "hand" and event.to_seat == seat)
    passed = sum(len(event.hands[seat]) for event in events if isinstance(event, HandsPassed))
    return drawn + moved + passed


def waits_unchanged(catalog: Catalog, state: State, data: bytes) -> None:
    """A state survives encoding and decoding, and running the loop on a waiting state changes nothing."""
    again = decode(data)
    assert encode(again) == data, "a state that went through bytes has other bytes"
    game = Game(catalog, again)
    advance(game)
    assert not game.events, f"running the loop on a waiting state made events: {game.events}"
    assert encode(again) == data, "running the loop on a waiting state changed it"


def seats_are_at_the_table(value: Struct, seats: int) -> None:
    """Every seat number in a state, an event or a view, however deep, is -1 or that of a seat."""
    wrong = [f"{place} = {seat}" for place, seat in seats_in(value) if not -1 <= seat < seats]
    assert not wrong, f"no such seat: {wrong}"


def seats_in(value: object, kind: inspect.Type = _ANY, place: str = "") -> Iterator[tuple[str, int]]:
    """Yield every seat number in a value of this type and its place there."""
    if is_seat(kind):
        assert isinstance(value, int)
        yield place, value
    elif isinstance(value, Struct):
        for field in _holding(type(value)):
            yield from seats_in(getattr(value, field.name), field.type, f"{place}.{field.name}")
    elif isinstance(value, (list, tuple)):
        item = getattr(kind, "item_type", _ANY)
        for number, part in enumerate(value):
            yield from seats_in(part, item, f"{place}[{number}]")


@cache
def _holding(kind: type[Struct]) -> tuple[inspect.Field, ...]:
    """Return the fields that are seat numbers or may hold some: words, truth values and other numbers are skipped."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return tuple(field for field in found.fields if not _is_bare(field.type))


def _is_bare(kind: inspect.Type) -> bool:
    """Return whether no seat number can be in values of this type."""
    if isinstance(kind, inspect.Metadata):
        return not is_seat(kind) and _is_bare(kind.type)
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return _is_bare(kind.item_type)
    return isinstance(kind, inspect.IntType | inspect.StrType | inspect.BoolType | inspect.FloatType)


# ----------------------------------------------------------------------------------------------------------- secrecy
def hides_hands(state: State, seen: View, seat: int) -> None:
    """No id of a card in another's hand is in the view, except those promised, and those that a text has shown."""
    hidden = {card for no, other in enumerate(state.seats) if no != seat for card in other.hand}
    promised = _promised(state, seat) | _shown(state, seat)
    bare = msgspec.structs.replace(seen, rev=0)
    if bare.fight is not None:
        bare = msgspec.structs.replace(bare, fight=msgspec.structs.replace(bare.fight, changed_at=0))
    data, hidden = _pack(bare), hidden - promised
    if not any(_pack(card) in data for card in hidden):  # its bytes do not occur, so the card is not there
        return
    leaked = [number for number in _numbers(_unpack(data)) if number in hidden]
    assert not leaked, f"the view of seat {seat} holds cards of other hands: {leaked}"


def _promised(state: State, seat: int) -> set[int]:
    accepted = [state.fight.bargain] if state.fight is not None and state.fight.bargain is not None else []
    return {card for deal in (*state.offers, *accepted) if seat in (deal.frm, deal.to) for card in deal.cards}


def _shown(state: State, seat: int) -> set[int]:
    """Return the cards in hands at which a running text has let this seat look."""
    return {card for frame in state.stack if isinstance(frame, Program) for card in frame.seen.get(seat, ())}


def _numbers(data: object) -> Iterator[int]:
    if isinstance(data, bool):
        return
    if isinstance(data, int):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _numbers(key)
            yield from _numbers(value)
    elif isinstance(data, (list, tuple)):
        for value in data:
            yield from _numbers(value)


def other_world(catalog: Catalog, state: State, seat: int, rng: random.Random) -> State | None:
    """Return a state that differs only in facts hidden from the seat: other hands and the piles, shuffled by deck.

    None while somebody chooses among hidden cards, or cards of a hand are promised: then somebody knows more.
    """
    if any(offer.cards for offer in state.offers) or any(_mentions_hands(frame) for frame in state.stack):
        return None
    world = decode(encode(state))
    for deck in ("door", "treasure"):
        pile = getattr(world, deck)
        spots = [(no, i) for no, other in enumerate(world.seats) if no != seat
                 for i, card in enumerate(other.hand) if catalog.cards[defn_of(card)].deck == deck]  # fmt: skip
        pool = pile + [defn_of(world.seats[no].hand[i]) for no, i in spots]
        rng.shuffle(pool)
        pile[:] = pool[: len(pile)]
        for (no, i), defn in zip(spots, pool[len(pile) :]):
            _deal_anew(world, no, i, defn)
    return world


def _mentions_hands(frame: Frame) -> bool:
    numbers = set(_numbers(_unpack(_pack(frame))))
    return any(owner_of(number) for number in numbers if number >= 4096)


def _deal_anew(world: State, no: int, place: int, defn: int) -> None:
    seat = world.seats[no]
    old = seat.hand[place]
    new = card_id(old >> 16, no + 1, defn)
    seat.hand[place] = new
    seat.fresh = [new if card == old else card for card in seat.fresh]


def knows_no_more(catalog: Catalog, state: State, world: State, seat: int) -> None:
    """A seat sees the same and may do the same in both worlds."""
    one, two = view(catalog, state, seat), view(catalog, world, seat)
    assert _pack(one) == _pack(two), f"seat {seat} sees what it cannot know: {_difference(one, two)}"
    if seat >= 0:
        assert legal(catalog, state, seat) == legal(catalog, world, seat), f"legal reveals hidden cards to seat {seat}"


def _difference(one: View, two: View) -> str:
    for name in View.__struct_fields__:
        if getattr(one, name) != getattr(two, name):
            return f"{name}: {getattr(one, name)} / {getattr(two, name)}"
    return "none in the fields"
