"""Rules about what players cannot see: first cards until all are ready, discards below the top, hands, decks."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from core import engine
from core.moves.legal import check, legal
from core.scenario.cast import Cast, begin
from core.scenario.schema import load as load_scenarios
from core.state import actions as a
from core.state.events import AnyEvent, Moved, NewHand, Shuffled, seen_by
from core.state.model import (
    Options,
    Placed,
    State,
    TurnFrame,
    Window,
    card_id,
    decode,
    defn_of,
    encode,
    laid_id,
)  # fmt: skip
from core.undo import Reversible
from core.view import view
from tests.core.invariants import hides_hands
from tests.core.kitchen import CATALOG as KITCHEN
from tests.scenarios import catalog_for

CATALOG = catalog_for(("munchkins-and-mazes",))
OTHERS = (1, 2, -1)
_pack = msgspec.msgpack.Encoder().encode


def dealt(*names: str, seats: int = 3) -> tuple[State, dict[str, int]]:
    """Return a dealt game in which the first seat holds exactly these cards, and their ids by name."""
    state, _ = engine.new_game(CATALOG, seats, Options(), b"proofs")
    ids = {name: card_id(50 + at, 1, CATALOG.named(name).no) for at, name in enumerate(names)}
    seat = state.seats[0]
    seat.hand, seat.fresh, seat.serial = list(ids.values()), list(ids.values()), 60
    return state, ids


def taken(state: State, seat: int, action: a.AnyAction) -> list[AnyEvent]:
    """Submit an action that is among the legal ones, and return its events."""
    rows = legal(CATALOG, state, seat)
    assert any(row.action == action for row in rows), f"{action} is not legal"
    events = engine.submit(CATALOG, state, seat, action)
    assert isinstance(events, list), events
    return events


def on_table(state: State, name: str) -> int:
    number = CATALOG.named(name).no
    return next(entry.card for entry in state.seats[0].table if defn_of(entry.card) == number)


def turn_begun(state: State) -> State:
    """Make everybody ready and let the first seat win the roll; return the state."""
    state.dice = [6, *(1 for _ in state.seats[1:])]
    for seat in range(len(state.seats)):
        taken(state, seat, a.Done())
    assert state.turn.seat == 0
    return state


# -------------------------------------------------------------------------------------------------------- first cards
ARMS = ("Borrowed Troll Arm", "Reforged Sword", "Pop-Up Shield", "Axe Collector")


@pytest.mark.proves("setup.order")
def test_laying_out_first_cards_tells_the_others_nothing() -> None:
    """No Item that is laid out changes a byte of a view, an event or an ask of others, even if too many are equipped in
    the end."""
    state, ids = dealt(*ARMS, "Elf", "Cheat!", "Threehander", "Hireling")
    before = [_pack(view(CATALOG, state, seat)) for seat in OTHERS]
    plays = [a.Play(card) for name, card in ids.items() if name != "Cheat!"]
    for action in plays:
        shown = [seen_by(event, seat) for event in taken(state, 0, action) for seat in OTHERS]
        assert shown == [None] * len(shown), f"{action} shows {shown}"
        assert [_pack(view(CATALOG, state, seat)) for seat in OTHERS] == before
    spear = on_table(state, "Threehander")
    switches: list[a.Action] = [
        a.Play(ids["Cheat!"], target=spear), a.Equip(spear), a.Unequip(on_table(state, "Borrowed Troll Arm")),
        a.Unequip(spear), a.Equip(spear, on_table(state, "Hireling")),
    ]  # fmt: skip
    for switch in switches:
        shown = [seen_by(event, seat) for event in taken(state, 0, switch) for seat in OTHERS]
        assert shown == [None] * len(shown), f"{switch} shows {shown}"
        assert [_pack(view(CATALOG, state, seat)) for seat in OTHERS] == before
    assert all(legal(CATALOG, state, seat) for seat in (1, 2))


@pytest.mark.proves("setup.order", "item.slots-excess")
def test_too_many_equipped_items_are_put_right_once_all_are_ready() -> None:
    state, ids = dealt(*ARMS)
    for card in ids.values():
        taken(state, 0, a.Play(card))
    taken(state, 0, a.Unequip(on_table(state, ARMS[0])))
    assert [ask.kind for ask in state.stack[-1].asks] == ["ready"] * 3
    turn_begun(state)
    assert [(ask.seat, ask.kind, len(ask.options)) for ask in state.stack[-1].asks] == [(0, "turn sideways", 3)]


@pytest.mark.proves("setup.order")
def test_a_ready_player_waits_for_the_others() -> None:
    """After "done" a seat has no legal actions, and everything that it sends is refused."""
    state, ids = dealt("Elf", "Reforged Sword", "Wombat Boots")
    taken(state, 0, a.Play(ids["Reforged Sword"]))
    sword = on_table(state, "Reforged Sword")
    taken(state, 0, a.Done())
    assert legal(CATALOG, state, 0) == []
    data = encode(state)
    for action in (a.Play(ids["Elf"]), a.Play(ids["Wombat Boots"]), a.Unequip(sword), a.Give((sword,), 1), a.Kick()):
        refused = engine.submit(CATALOG, state, 0, action)
        assert isinstance(refused, a.Refusal), action
        assert refused.clause == "setup.order"
    assert encode(state) == data
    taken(state, 1, a.Done())


@pytest.mark.proves("setup.first-cards")
def test_a_second_big_item_and_a_second_race_stay_in_hand_during_setup() -> None:
    state, ids = dealt("Threehander", "Coat Rack of Conquest", "Orc", "Elf", "Half-Breed", "Hammer of Finger Nailing")
    wanted = (
        ("Threehander", ""), ("Coat Rack of Conquest", "item.big-one"), ("Half-Breed", "self.super-needs-one"),
        ("Orc", ""), ("Elf", "self.race-one"), ("Half-Breed", ""), ("Elf", ""),
    )  # fmt: skip
    for name, clause in wanted:
        refused = check(CATALOG, state, 0, a.Play(ids[name]))
        assert (refused.clause if refused else "") == clause, name
        if refused is None:
            taken(state, 0, a.Play(ids[name]))
    taken(state, 0, a.Play(ids["Hammer of Finger Nailing"]))
    carried = [entry.card for entry in state.seats[0].table if not entry.up]
    assert carried == [on_table(state, "Hammer of Finger Nailing")], "an Item that the seat may not use is only carried"


@pytest.mark.proves("setup.first-player")
def test_the_roll_is_shown_to_all_and_only_the_highest_roll_again() -> None:
    state, _ = dealt("Elf", seats=5)
    state.dice = [4, 4, 2, 4, 1, 3, 5, 5, 2, 6]
    for seat in (4, 2, 0, 3):
        taken(state, seat, a.Done())
    events = taken(state, 1, a.Done())
    rolls = [(event.seat, event.die) for event in events if type(event).__name__ == "Rolled"]
    assert rolls == [(0, 4), (1, 4), (2, 2), (3, 4), (4, 1), (0, 3), (1, 5), (3, 5), (1, 2), (3, 6)]
    assert state.turn.seat == 3
    assert [type(frame) for frame in state.stack] == [TurnFrame]
    assert all(seen_by(event, -1) == event for event in events if type(event).__name__ == "Rolled")


# -------------------------------------------------------------------------------------------------- discards and decks
def worlds(state: State) -> Iterator[tuple[str, State]]:
    """Yield the same table with its hidden cards in another order: discards below the top, and both decks."""
    for pile in ("door_out", "treasure_out"):
        world = decode(encode(state))
        cards = getattr(world, pile)
        cards[:-1] = cards[:-1][::-1]
        yield pile, world
    for pile in ("door", "treasure"):
        world = decode(encode(state))
        getattr(world, pile).reverse()
        yield pile, world


@pytest.mark.proves("cards.discards")
def test_nobody_looks_through_discards_or_decks() -> None:
    """With the discards below the top or a deck in another order, everybody sees the same."""
    state = turn_begun(dealt("Lost and Found Box", "Elf")[0])
    for deck in ("door", "treasure"):
        pile, out = getattr(state, deck), getattr(state, f"{deck}_out")
        out.extend(pile[:9])
        del pile[:9]
    for what, world in worlds(state):
        assert encode(world) != encode(state), what
        for seat in (0, *OTHERS):
            assert _pack(view(CATALOG, world, seat)) == _pack(view(CATALOG, state, seat)), what


@pytest.mark.proves("cards.discards")
def test_only_the_player_who_searches_the_discards_sees_them_and_only_while_searching() -> None:
    state, ids = dealt("Lost and Found Box", "Elf")
    turn_begun(state)
    state.door_out.extend(state.door[:4])
    del state.door[:4]
    events = taken(state, 0, a.Play(ids["Lost and Found Box"]))
    assert all(event.card for event in events if isinstance(event, Moved))
    asks = [view(CATALOG, state, 0).you, view(CATALOG, state, 1).you]
    assert [len(you.asks) if you else 0 for you in asks] == [1, 0]
    options = asks[0].asks[0].options if asks[0] else []
    assert sorted(set(state.door_out)) == options
    other = decode(encode(state))
    other.door_out[:-1] = other.door_out[:-1][::-1]
    assert _pack(view(CATALOG, other, 1)) == _pack(view(CATALOG, state, 1))


@pytest.mark.proves("cards.reshuffle")
def test_a_reshuffled_deck_holds_the_discards_in_an_unknown_order() -> None:
    state = turn_begun(dealt("Elf")[0])
    state.door_out, state.door = state.door[:], []
    out = state.door_out[:]
    taken(state, 0, a.Kick())
    events = [event for seat in (1, 2) for event in taken(state, seat, a.Pass(state.stack[-1].id))]
    shuffled = [event for event in events if isinstance(event, Shuffled)]
    assert len(shuffled) == 1
    assert sorted(shuffled[0].pile) == sorted(out)
    assert shuffled[0].pile != out
    assert [seen_by(shuffled[0], seat) for seat in (0, *OTHERS)] == [Shuffled("door", [])] * 4


# ------------------------------------------------------------------------- cards that show a deck, or pass hands on
def begun(text: str) -> State:
    """Return a game with the cards of the kitchen that begins as this scenario says."""
    return begin(Cast(KITCHEN, load_scenarios(text.encode(), "it.toml")[0]), b"worlds")[0]


def told(world: State, seat: int, action: a.AnyAction, others: tuple[int, ...]) -> list[list[Any]]:
    """Let a seat act; return the events that these other seats get, and their views afterwards."""
    events = engine.submit(KITCHEN, world, seat, action)
    assert isinstance(events, list), events
    heard = [[seen for event in events if (seen := seen_by(event, at)) is not None] for at in others]
    for at in range(-1, len(world.seats)):
        hides_hands(world, view(KITCHEN, world, at), at)
    return [heard, [_pack(view(KITCHEN, world, at)) for at in others]]


PEEKING = """
[[scenario]]
name = "Somebody looks at a deck"
turn = "Molly"
steps = []
[scenario.seats.Molly]
level = 3
table = ["Periscope"]
[scenario.seats.Nick]
[scenario.seats.Oona]
"""


@pytest.mark.proves("cards.peek")
@pytest.mark.parametrize("ability", range(5))
def test_nobody_else_learns_what_a_player_sees_of_a_deck(ability: int) -> None:
    """Two worlds with different decks; the player who looks chooses different places. A card is discarded in
    neither."""
    one, two = begun(PEEKING), begun(PEEKING)
    two.door.reverse()
    two.treasure.reverse()
    use = a.Use(one.seats[0].table[0].card, ability)
    assert told(one, 0, use, OTHERS) == told(two, 0, use, OTHERS)
    asked = [world.stack[-1].asks[0] for world in (one, two)]
    assert (asked[0].kind == "kick") == (ability == 0), "looking alone asks nothing"
    if ability:
        assert _pack(view(KITCHEN, one, 0)) != _pack(view(KITCHEN, two, 0)), "whoever looks sees the cards"
        places = {1: (0, 2), 2: (1, 2)}.get(ability)
        picks = [(ask.options[at],) for ask, at in zip(asked, places)] if places else [(), ()]
        answers = [a.Answer(ask.id, chosen) for ask, chosen in zip(asked, picks)]
        assert told(one, 0, answers[0], OTHERS) == told(two, 0, answers[1], OTHERS)


@pytest.mark.proves("cards.peek")
def test_looking_at_a_deck_cannot_be_undone() -> None:
    """This also holds while the player still chooses among the cards."""
    for ability in range(5):
        game = Reversible(KITCHEN, begun(PEEKING))
        assert isinstance(game.submit(0, a.Use(game.state.seats[0].table[0].card, ability)), list)
        assert game.marks.last is None, ability


@pytest.mark.proves("cards.discards")
def test_searching_the_discards_cannot_be_undone() -> None:
    game = Reversible(KITCHEN, begun(PEEKING.replace("Periscope", "Attic Key")))
    game.state.treasure_out, game.state.treasure = game.state.treasure[:4], game.state.treasure[4:]
    assert isinstance(game.submit(0, a.Use(game.state.seats[0].table[0].card)), list)
    assert [ask.kind for ask in game.state.stack[-1].asks] == ["recover"]
    assert game.marks.last is None


PASSING = """
[[scenario]]
name = "Hands are passed on"
turn = "Molly"
steps = []
[scenario.seats.Molly]
hand = ["Shave", "Fork"]
[scenario.seats.Nick]
hand = ["Carousel", "Mop"]
[scenario.seats.Oona]
hand = ["Bucket of Sand"]
[scenario.seats.Petra]
"""


@pytest.mark.proves("cards.pass-hands")
def test_only_its_new_owner_learns_a_hand_that_was_passed_on() -> None:
    """Two worlds with other cards in Molly's hand, which goes to Nick. Petra is dead, so Oona's goes to Molly."""
    one, two = begun(PASSING), begun(PASSING.replace('"Shave", "Fork"', '"Plug", "Owl"'))
    one.seats[3].dead = two.seats[3].dead = True
    two.door, two.treasure = one.door[:], one.treasure[:]
    before = [set(seat.hand) for seat in one.seats]
    play = a.Play(one.seats[1].hand[0])
    heard, seen = (list(pair) for pair in zip(told(one, 1, play, (1, 2, 3, -1)), told(two, 1, play, (1, 2, 3, -1))))
    assert heard[0][0] != heard[1][0] and seen[0][0] != seen[1][0], "Nick knows what he got"
    assert heard[0][1:] == heard[1][1:] and seen[0][1:] == seen[1][1:]
    names = [sorted(KITCHEN.cards[defn_of(card)].name for card in seat.hand) for seat in one.seats]
    assert names == [["Bucket of Sand"], ["Fork", "Shave"], ["Mop"], []]
    assert not set.union(*before) & {card for seat in one.seats for card in seat.hand}, "every card has a new id"
    assert one.seats[0].fresh == one.seats[0].hand


# --------------------------------------------------------------------------------------------- a game of silent players
def silent_step(state: State) -> list[AnyEvent]:
    """Let the clock of the open ask or window run out; return the events."""
    top = state.stack[-1]
    action: a.AnyAction = a.Close(top.id) if isinstance(top, Window) else a.Default(top.asks[0].seat, top.asks[0].id)
    events = engine.submit(CATALOG, state, -1, action)
    assert isinstance(events, list), events
    return events


@pytest.mark.proves("death.new-hand")
def test_a_new_hand_is_drawn_once_after_a_death() -> None:
    """Eight cards at the start of the player's next turn, and none in the turn after it; every door is an Elf."""
    state = turn_begun(dealt("Elf")[0])
    state.door = [CATALOG.named("Elf").no] * 60
    state.seats[2].bare = True
    drawn: list[tuple[int, int]] = []
    while state.turn.no < 7:
        events = silent_step(state)
        drawn += [(event.seat, state.turn.no) for event in events if isinstance(event, NewHand)]
    assert drawn == [(2, 3)]


def test_free_moves_are_limited_in_each_turn() -> None:
    """Offers, switches and withdrawals count: 64 for each seat and turn, then they are refused until the next turn."""
    state, ids = dealt("Reforged Sword", "Elf")
    taken(state, 0, a.Play(ids["Reforged Sword"]))
    sword = on_table(state, "Reforged Sword")
    turn_begun(state)
    state.door = [CATALOG.named("Elf").no] * 60
    for _ in range(32):
        number = state.offer_no + 1
        events = engine.submit(CATALOG, state, 0, a.Give((sword,), 1))
        assert isinstance(events, list), events
        taken(state, 0, a.Withdraw(number))
        taken(state, 0, a.Unequip(sword) if state.seats[0].table[0].up else a.Equip(sword))
    for action in (a.Give((sword,), 1), a.Unequip(sword)):
        refused = engine.submit(CATALOG, state, 0, action)
        assert isinstance(refused, a.Refusal), action
        assert refused.clause == "limit"
    rows = [row.action for row in legal(CATALOG, state, 0)]
    assert not [action for action in rows if isinstance(action, a.Give | a.Offer | a.Equip | a.Unequip)]
    while state.turn.no == 1:
        silent_step(state)
    assert any(isinstance(row.action, a.Unequip) for row in legal(CATALOG, state, 0))


# ------------------------------------------------------------------------------------------------------ hands looked at
OVERHEARD = """
[[scenario]]
name = "Keyhole catches Molly"
turn = "Molly"
doors = ["Keyhole"]
dice = [1]
steps = []
[scenario.seats.Molly]
hand = [%s]
[scenario.seats.Nick]
[scenario.seats.Oona]
"""


@pytest.mark.proves("curse.hand-seen")
def test_who_has_looked_at_a_hand_chooses_among_its_cards_and_nobody_else_sees_them() -> None:
    """The neighbour is asked by cards. The views of the others do not depend on the hand, before or after the
    choice."""
    heard = []
    for hand in ('"Plumber", "Shave"', '"Large Puddle", "Small Puddle"'):
        world = begun(OVERHEARD % hand)
        for action in (a.Kick(), None, a.Flee(), None):
            top = world.stack[-1]
            close = a.Close(top.id) if isinstance(top, Window) else a.Kick()
            assert isinstance(engine.submit(KITCHEN, world, *((0, action) if action else (-1, close))), list)
        (ask,) = world.stack[-1].asks
        before = told(world, 0, a.Roll(ask.options[0]), (2, -1))
        (ask,) = world.stack[-1].asks
        assert (ask.seat, ask.kind) == (1, "take") and sorted(ask.options) == sorted(world.seats[0].hand)
        taken_card = defn_of(ask.options[1])
        heard.append([before, told(world, 1, a.Answer(ask.id, (ask.options[1],)), (2, -1))])
        assert [defn_of(card) for card in world.seats[1].hand] == [taken_card]
    assert heard[0] == heard[1]


def test_while_first_cards_are_laid_out_the_own_strength_does_not_tell_what_others_have() -> None:
    """A card that counts players with an identity does not count identities that are still unseen (setup.order)."""
    catalog = catalog_for(("warhammer-40k",))
    state, _ = engine.new_game(catalog, 3, Options(), b"standard")
    standard = catalog.named("Standard Nobody Can Read").no
    identity = next(definition.no for definition in catalog.cards if definition.kind == "identity")
    state.seats[0].table = [Placed(laid_id(900, 0, standard))]
    before = view(catalog, state, 0).seats[0].strength
    state.seats[1].table = [Placed(laid_id(900, 1, identity))]
    assert view(catalog, decode(encode(state)), 0).seats[0].strength == before
    state.turn.no = 1
    assert view(catalog, decode(encode(state)), 0).seats[0].strength != before, "this proves nothing"
