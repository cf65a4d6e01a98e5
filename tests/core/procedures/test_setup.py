"""Setting up: number of players, the deal, first cards laid out unseen, who begins (setup.*)."""

import pytest
from msgspec import structs

from cards import BUILT_IN
from core import engine
from core.authoring.template import new_pack
from core.language import schema as v
from core.language.catalog import load
from core.moves.legal import check, legal
from core.procedures.setup import too_few
from core.state import actions as a
from core.state.events import AnyEvent, LaidOut, Moved, Rolled, TurnBegan, seen_by
from core.state.model import Options, Seat, State, card_id, clone, defn_of
from core.view import view
from tests.scenarios import catalog_for

CATALOG = catalog_for(("munchkins-and-mazes",))


def dealt(seats: int = 3, seed: bytes = b"one", options: Options | None = None) -> State:
    return engine.new_game(CATALOG, seats, options or Options(), seed)[0]


def with_hand(state: State, seat: int, *names: str) -> list[int]:
    """Give a seat these cards in hand instead of its own."""
    numbers = [CATALOG.named(name).no for name in names]
    hand = [card_id(50 + at, seat + 1, number) for at, number in enumerate(numbers)]
    state.seats[seat].hand, state.seats[seat].fresh, state.seats[seat].serial = hand, hand[:], 60
    return hand


def test_too_few_cards_are_told_in_numbers_and_every_built_in_set_can_be_dealt_to_six() -> None:
    small = load([{name: data for name, data in new_pack("My Set").items() if "/" not in name}])
    assert (len(small.pile("door")), len(small.pile("treasure"))) == (26, 24)
    assert too_few(small, 6) == ""
    assert too_few(small, 7) == (
        "7 players are dealt 28 cards of each deck, but there are 26 Door cards and 24 Treasures: add a larger set"
    )
    assert [name for name in BUILT_IN if too_few(catalog_for((name,)), 6)] == []


def done(state: State, *seats: int) -> list[AnyEvent]:
    events: list[AnyEvent] = []
    for seat in seats:
        result = engine.submit(CATALOG, state, seat, a.Done())
        assert isinstance(result, list), result
        events += result
    return events


def names(cards: list[int]) -> list[str]:
    return sorted(CATALOG.cards[defn_of(card)].name for card in cards)


@pytest.mark.proves("setup.players")
def test_three_to_six_play() -> None:
    for seats in (3, 4, 5, 6):
        assert len(dealt(seats).seats) == seats
    for seats in (0, 1, 2, 7):
        with pytest.raises(ValueError, match="three to six"):
            dealt(seats)


@pytest.mark.proves("setup.deal")
def test_everyone_is_dealt_four_cards_of_each_deck() -> None:
    state = dealt(4)
    for player in state.seats:
        decks = [CATALOG.cards[defn_of(card)].deck for card in player.hand]
        assert (decks.count("door"), decks.count("treasure")) == (4, 4)
    whole = CATALOG.pile("door") + CATALOG.pile("treasure")
    hands = [defn_of(card) for player in state.seats for card in player.hand]
    assert sorted(state.door + state.treasure + hands) == sorted(whole)
    assert state.door != dealt(4, b"two").door
    assert state.door == dealt(4).door


@pytest.mark.proves("setup.start-level")
def test_everyone_starts_at_level_1_with_nothing_in_play() -> None:
    for player in dealt(5).seats:
        bare = Seat(hand=player.hand, fresh=player.fresh, serial=player.serial, asked=player.asked)
        assert player == bare
        assert player.level == 1


@pytest.mark.proves("setup.first-cards")
def test_first_cards_are_an_identity_of_each_kind_and_usable_items() -> None:
    state = dealt()
    warrior, elf, wizard, spear, glampire, glitter, curse = with_hand(
        state, 0, "Warrior", "Elf", "Wizard", "Pickle Spear", "Glampire", "Prismatic Glitter", "Level Drain Pipe"
    )
    for card in (warrior, elf, spear):
        assert isinstance(engine.submit(CATALOG, state, 0, a.Play(card)), list)
    placed = state.seats[0].table
    assert names([entry.card for entry in placed if entry.up]) == ["Elf", "Pickle Spear", "Warrior"]
    refusals = [check(CATALOG, state, 0, a.Play(card)) for card in (wizard, glampire)]
    assert [refusal and refusal.clause for refusal in refusals] == ["self.class-one", "combat.monster-to-hand"]
    assert check(CATALOG, state, 0, a.Play(glitter, side="heroes")) is not None
    assert check(CATALOG, state, 0, a.Play(curse, seat=1)) is not None


@pytest.mark.proves("setup.order")
def test_first_cards_lie_unseen_until_all_are_ready() -> None:
    """Cards that one seat lays out change no byte of the others' views; once all are ready, they are shown."""
    state = dealt()
    warrior, curse = with_hand(state, 0, "Warrior", "Level Drain Pipe")
    before = [view(CATALOG, state, seat) for seat in (1, 2, -1)]
    events = engine.submit(CATALOG, state, 0, a.Play(warrior))
    assert isinstance(events, list)
    assert [view(CATALOG, state, seat) for seat in (1, 2, -1)] == before
    assert any(isinstance(event, Moved) for event in events)
    assert all(seen_by(event, 1) is None for event in events if isinstance(event, Moved))
    refused = check(CATALOG, state, 0, a.Play(curse, seat=1))
    assert refused is not None and refused.clause == "setup.order"
    done(state, 0)
    assert state.turn.no == 0
    late = check(CATALOG, state, 0, a.Done())
    assert late is not None
    shown = [event for event in done(state, 2, 1) if isinstance(event, LaidOut)]
    assert [(event.seat, names(event.cards)) for event in shown] == [(0, ["Warrior"])]
    assert names([entry.card for entry in view(CATALOG, state, 1).seats[0].table]) == ["Warrior"]
    assert state.turn.no == 1


@pytest.mark.proves("setup.first-player")
def test_the_highest_roll_begins_and_ties_among_the_highest_roll_again() -> None:
    state = dealt(4)
    state.dice = [6, 2, 6, 3, 1, 5]
    events = done(state, 0, 1, 2, 3)
    rolls = [(event.seat, event.die) for event in events if isinstance(event, Rolled)]
    assert rolls == [(0, 6), (1, 2), (2, 6), (3, 3), (0, 1), (2, 5)]
    assert [event.seat for event in events if isinstance(event, TurnBegan)] == [2]
    assert state.turn.seat == 2
    assert a.Kick() in [row.action for row in legal(CATALOG, state, 2)]
    assert a.Kick() not in [row.action for row in legal(CATALOG, state, 0)]


def test_the_same_seed_deals_the_same_game() -> None:
    first, again, other = dealt(), dealt(), dealt(seed=b"other")
    assert first == again == clone(first)
    assert [player.hand for player in first.seats] != [player.hand for player in other.seats]


DEALT_TEXT = CATALOG.named("Pickle Spear")
ASKS = v.Option(by="you", of=(v.Choice(text="a level", do=(v.Level(who="you"),)), v.Choice(text="nothing")))
ACTING = CATALOG.with_card(DEALT_TEXT.no, structs.replace(DEALT_TEXT.card, play=(ASKS,)))


@pytest.mark.proves("setup.order")
def test_a_first_card_that_acts_when_it_is_played_does_so_once_all_are_ready_from_the_first_player_on() -> None:
    """Its effect, or a question that it asks, would tell the others what is laid out."""
    state = engine.new_game(ACTING, 3, Options(), b"one")[0]
    for seat in (0, 1, 2):
        with_hand(state, seat, "Pickle Spear")
    state.dice = [2, 6, 1]
    for seat in (0, 1, 2):
        result = engine.submit(ACTING, state, seat, a.Play(state.seats[seat].hand[0]))
        assert isinstance(result, list) and [ask.kind for ask in state.stack[-1].asks] == ["ready"] * 3
    for seat in (0, 1, 2):
        engine.submit(ACTING, state, seat, a.Done())
    for seat in (1, 2, 0):
        (ask,) = state.stack[-1].asks
        assert (ask.seat, ask.kind) == (seat, "option")
        engine.submit(ACTING, state, seat, a.Answer(ask.id, (0,)))
    assert [player.level for player in state.seats] == [2, 2, 2]
    assert state.turn.seat == 1 and state.turn.phase == "start" and state.stack[-1].asks[0].seat == 1
