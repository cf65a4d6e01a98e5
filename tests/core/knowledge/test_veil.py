"""Veiled states and imagined games: everything a seat knows is kept, nothing else is in them, and deals are fair.

KICKDOOR_VEILED_GAMES=200 plays that many games.
"""

import os
import random
from collections import Counter

import pytest

import core.knowledge.imagine
from core.engine import new_game, submit
from core.knowledge.imagine import Imaginer, NothingFits, imagine
from core.knowledge.known import known_state
from core.knowledge.seen import DECK, all_learn, forget_one, nothing_seen
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.replay import Step
from core.state import actions as a
from core.state import events as E
from core.state.actions import Refusal, StepBack
from core.state.game import Game
from core.state.model import Options, Setup, State, Window, decode, defn_of, encode
from core.state.rng import below
from core.undo import Reversible
from tests.blends import BLENDS, BLENDS_AND_PAIRS, EXCHANGES, GROWTH, catalog_of
from tests.core import invariants
from tests.core.knowledge import veils
from tests.core.knowledge.forecasts import ForecastCheck
from tests.core.knowledge.veils import WatchedTable, fits, imagined, is_true
from tests.core.random_table import RandomTable
from tests.thorough import seeds

GAMES = int(os.environ.get("KICKDOOR_VEILED_GAMES", "14"))
ACTIONS = 900
SETS = (*BLENDS_AND_PAIRS, EXCHANGES, GROWTH, EXCHANGES)
MAZES = ("munchkins-and-mazes",)


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds(GAMES, 16, fresh=5))
def test_what_is_imagined_fits_what_the_seat_knows_at_every_moment(seed: int) -> None:
    table = WatchedTable(catalog_of(SETS[seed % len(SETS)]), 3 + seed % 4, seed, interrupts=(0.05, 0.3, 0.7)[seed % 3])
    rng = random.Random(seed)
    forecasts = ForecastCheck(table.catalog, rng)
    for _ in range(ACTIONS):
        if table.state.winners:
            break
        if rng.random() < 0.4:
            known_rightly(table, forecasts, rng)
        table.act()


def known_rightly(table: WatchedTable, forecasts: ForecastCheck, rng: random.Random) -> None:
    """Check the present knowledge of some seat, and that forecasts made with it come true."""
    catalog, state = table.catalog, table.state
    seen = table.seen[rng.randrange(len(state.seats))]
    before = encode(state)
    is_true(catalog, state, seen)
    (game,) = imagined(catalog, state, seen, rng)
    fits(catalog, state, seen, game)
    assert encode(state) == before, "veiling changed the game"
    if rng.random() < 0.3:
        forecasts.seen = seen
        forecasts.comes_true(state, seen.seat, 1)
    world = invariants.other_world(catalog, state, seen.seat, rng)
    if world is not None:
        veiled = veil(catalog, state, seen.seat, seen)
        assert veil(catalog, world, seen.seat, seen) == veiled, f"hidden cards show in what seat {seen.seat} knows"
        veils.tells_nothing_hidden(state, veiled, set())


@pytest.mark.long(3)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_somebody_who_finds_a_game_under_way_can_imagine_it_too(sets: tuple[str, ...]) -> None:
    table = WatchedTable(catalog_of(sets), 4, 5)
    rng = random.Random(5)
    for _ in range(400):
        table.act()
        seat = rng.randrange(4)
        seen = nothing_seen(table.catalog, table.state, seat)
        (game,) = imagined(table.catalog, table.state, seen, rng)
        fits(table.catalog, table.state, seen, game)


@pytest.mark.parametrize("seed", range(3))
def test_a_replay_and_every_undo_restore_what_is_known(seed: int) -> None:
    """A table undoes the last action; a player alone with bots goes back to any of the last ones."""
    table = RandomTable(catalog_of((BLENDS[0], EXCHANGES, BLENDS[2])[seed]), 3, seed)
    rng, far = random.Random(seed), 0
    log: list[Step] = []
    game, again = (Reversible(table.catalog, decode(encode(table.state))) for _ in range(2))
    game.remember(True)
    again.remember(True)
    while len(log) < 300 and not game.state.winners:
        number = game.number - rng.randrange(30)
        if game.marks.last is not None and rng.random() < 0.2:
            step = Step(-1, StepBack(rng.randrange(3)))
        elif game.history is not None and rng.random() < 0.1 and game.history.find(number) is not None:
            step, far = Step(-1, StepBack(rng.randrange(3), number)), far + 1
        else:
            table.state = decode(encode(game.state))
            table.act()
            step = table.log[-1]
        assert not isinstance(game.submit(step.seat, step.action), Refusal)
        assert not isinstance(again.submit(step.seat, step.action), Refusal)
        for seen in game.seen:
            is_true(table.catalog, game.state, seen)
        log.append(step)
    assert far > 5 and game.seen == again.seen
    (one,) = imagined(table.catalog, game.state, game.seen[1], rng)
    fits(table.catalog, game.state, game.seen[1], one)


def test_a_game_imagined_can_be_played_to_its_end() -> None:
    table = WatchedTable(catalog_of(MAZES), 4, 8)
    rng = random.Random(8)
    for _ in range(300):
        table.act()
    (game,) = imagined(table.catalog, table.state, table.seen[2], rng)
    other = RandomTable(table.catalog, 4, 8)
    other.state = game
    for _ in range(600):
        if not other.state.winners:
            other.act()
            invariants.check_state(other.catalog, other.state)


# --------------------------------------------------------------------------------------------------------- fairness
def test_deals_are_uniform_over_what_fits() -> None:
    """Chi-square tests of which unknown card lies at one place, and of how pairs of cards fall together."""
    table = WatchedTable(catalog_of(MAZES), 3, 3)
    while table.state.turn.no == 0:
        table.act()
    state, catalog = table.state, table.catalog
    del state.door[: len(state.door) - 2]  # a deck of two cards, and the hands of the others
    del state.treasure[:-1]
    out_of = [defn for defn in _missing(catalog, state) if catalog.cards[defn].deck != "seal"]
    state.door_out += [defn for defn in out_of if catalog.cards[defn].deck == "door"]
    state.treasure_out += [defn for defn in out_of if catalog.cards[defn].deck == "treasure"]
    seen = table.seen[0]
    seen.decks = nothing_seen(catalog, state, 0).decks
    unknown = Counter(defn_of(card) for no in (1, 2) for card in state.seats[no].hand) + Counter(state.door)
    doors = {defn: count for defn, count in unknown.items() if catalog.cards[defn].deck == "door"}
    games = imagined(catalog, state, seen, random.Random(1), 6000)
    on_top = Counter(game.door[-1] for game in games)
    total = sum(doors.values())
    expected = {defn: 6000 * count / total for defn, count in doors.items()}
    square = sum((on_top[defn] - want) ** 2 / want for defn, want in expected.items())
    freedom = len(doors) - 1
    assert set(on_top) == set(doors) and square < freedom + 5 * (2 * freedom) ** 0.5, f"chi-square {square}: {freedom}"
    held = Counter(defn_of(card) for game in games for card in game.seats[1].hand)
    share = sum(catalog.cards[defn_of(card)].deck == "door" for card in state.seats[1].hand) / total
    for defn, count in doors.items():
        assert abs(held[defn] / 6000 - count * share) < 0.06 * count, f"{catalog.cards[defn].full_id} is dealt unfairly"


def _missing(catalog: Catalog, state: State) -> list[int]:
    there = Counter(defn_of(card) for _, card, _ in invariants.zones(state))
    there += Counter([*state.door, *state.door_out, *state.treasure, *state.treasure_out])
    return [d.no for d in catalog.cards for _ in range(d.card.copies - there[d.no])]


def test_what_cannot_be_is_refused() -> None:
    table = WatchedTable(catalog_of(MAZES), 3, 3)
    seen = table.seen[0].copy()
    seen.held += [(defn_of(table.state.seats[0].hand[0]), 0b10)] * 40
    with pytest.raises(NothingFits, match="what seat 0 knows"):
        imagine(table.catalog, veil(table.catalog, table.state, 0, seen), random.Random(1))
    table.state.seats[0].hand *= 40
    with pytest.raises(NothingFits, match="more copies"):
        Imaginer(table.catalog, veil(table.catalog, table.state, 0))


def test_a_deal_that_runs_on_without_a_question_into_chance_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a dealt game runs on without a question and needs chance (here, a shuffled deck), it is dropped and dealt
    anew."""
    real, went_on = core.knowledge.imagine.advance, 0

    def advance(game: Game) -> None:
        nonlocal went_on
        went_on += 1
        if went_on == 1:
            below(game.state, 6)
        real(game)

    table = WatchedTable(catalog_of(MAZES), 5, 4)
    monkeypatch.setattr(core.knowledge.imagine, "advance", advance)
    for _ in range(ACTIONS):
        table.act()
        imagine(table.catalog, veil(table.catalog, table.state, 0, table.seen[0]), random.Random(1))
        if went_on:
            break
    assert went_on > 1, "another deal was tried"


# ----------------------------------------------------------------------------------------------- what a seat remembers
class Remembered:
    """A dealt game, and the knowledge of seat 0 from events that a test sends."""

    def __init__(self) -> None:
        self.catalog = catalog_of(MAZES)
        self.state, _ = new_game(self.catalog, 4, Options(), b"memory")
        self.game = Game(self.catalog, self.state)
        self.seen = [nothing_seen(self.catalog, self.state, seat) for seat in range(4)]

    def happen(self, *events: E.AnyEvent) -> None:
        for event in events:
            self.game.emit(event)
        all_learn(self.catalog, self.seen, events)
        for seen in self.seen:
            is_true(self.catalog, self.state, seen)

    def pass_on(self, card: int, giver: int, taker: int) -> int:
        """Pass a card from hand to hand, unseen by others; return its new id."""
        new = (self.state.seats[taker].serial * 16 + taker + 1) * 4096 + defn_of(card)
        self.happen(E.Moved(card, new, "hand", giver, "hand", taker, "charity", giver, hidden=True))
        return new

    def held(self, seat: int = 0) -> list[tuple[str, int]]:
        return [(self.catalog.cards[defn].name, places) for defn, places in self.seen[seat].held]


def test_a_card_given_away_is_remembered_and_followed_while_it_may_have_been_passed_on() -> None:
    table = Remembered()
    mine = table.state.seats[0].hand[0]
    name = table.catalog.cards[defn_of(mine)].name
    there = table.pass_on(mine, 0, 1)
    assert table.held() == [(name, 0b10)] and table.held(2) == []
    other = next(card for card in table.state.seats[1].hand if card != there)
    table.pass_on(other, 1, 2)
    assert table.held() == [(name, 0b110)], "it may be in either hand"
    table.happen(E.Moved(there, defn_of(there) + (5000 << 16), "hand", 1, "limbo", -1, "played", 1))
    assert table.held() == []


def test_which_of_two_equal_cards_came_to_light_is_not_known() -> None:
    held = [(7, 0b011), (7, 0b101), (7, 0b111), (8, 0b001)]
    forget_one(held, 7, 0b001)
    assert held == [(7, 0b111), (7, 0b111), (8, 0b001)], "the one that is left may lie where either did"
    forget_one(held, 7, 0b1000)
    assert len(held) == 3


def test_how_many_door_cards_a_hand_has_is_known_as_far_as_backs_are_seen() -> None:
    table = Remembered()
    assert [(hand.low, hand.high) for hand in table.seen[0].hands[1:]] == [(4, 4)] * 3
    table.pass_on(table.state.seats[1].hand[0], 1, 2)
    assert [(hand.low, hand.high) for hand in table.seen[0].hands[1:]] == [(3, 4), (4, 5), (4, 4)]
    assert (table.seen[2].hands[1].low, table.seen[2].hands[1].high) == (3, 3), "seat 2 has got it"


def test_what_was_looked_at_in_a_deck_is_known_until_others_look_there() -> None:
    table = Remembered()
    top = table.state.door[:-4:-1]
    table.happen(E.Peeked(0, "door", 3, top), E.Reordered(0, "door", 1, [1]))
    size = len(table.state.door)
    assert table.seen[0].decks["door"].known == {size - 1: top[0], size - 2: top[2], 0: top[1]}
    veiled = veil(table.catalog, table.state, 0, table.seen[0]).state()
    assert veiled.door[-1] == top[0] and veiled.door[0] == top[1]
    table.happen(E.Peeked(1, "door", 2, table.state.door[:-3:-1]))
    assert table.seen[0].decks["door"].known == {0: top[1]}
    assert sorted(table.seen[0].held) == sorted((defn, DECK) for defn in (top[0], top[2]))
    table.happen(E.Reordered(1, "door", 1, [1], under=False), E.Drew(1, "door", 1, [(9 * 16 + 2) * 4096 + top[2]]))
    assert sorted(table.seen[0].held) == sorted((defn, DECK | 0b10) for defn in (top[0], top[2]))


def test_a_deck_made_of_discards_holds_nothing_else() -> None:
    table = Remembered()
    size = len(table.state.door)
    thrown = table.state.door[:-size - 1 : -1]
    for defn in thrown:
        table.happen(E.Moved(defn, defn, "door-pile", -1, "door", -1, "discarded", 1))
    table.happen(E.Shuffled("door", sorted(thrown)))
    known = table.seen[0].decks["door"]
    assert known.below == size and known.pool == sorted(thrown)
    (game,) = imagined(table.catalog, table.state, table.seen[0], random.Random(1))
    assert sorted(game.door) == sorted(thrown)


def test_hands_that_are_passed_on_take_what_is_known_with_them() -> None:
    table = Remembered()
    mine = [defn_of(card) for card in table.state.seats[0].hand]
    given = table.pass_on(table.state.seats[1].hand[0], 1, 2)
    seats = table.state.seats
    hands = [
        [((seats[no].serial + at) * 16 + no + 1) * 4096 + defn_of(card) for at, card in enumerate(seats[no - 1].hand)]
        for no in range(4)
    ]  # fmt: skip
    table.happen(E.HandsPassed("left", hands))
    assert sorted(table.seen[0].held) == sorted((defn, 0b10) for defn in mine)
    assert (defn_of(given), 0b1000) in table.seen[1].held, "seat 1 gave it to seat 2, whose hand seat 3 has now"


def test_a_forecast_knows_the_card_that_the_seat_has_looked_at() -> None:
    table = Remembered()
    top = table.state.door[-1]
    table.happen(E.Peeked(0, "door", 1, [top]))
    table.state.turn.no = 1
    table.state.stack = []
    seen, unseen = (known_state(table.catalog, table.state, 0, known) for known in (table.seen[0], None))
    assert seen is not None and seen.state().door[-1] == top
    assert unseen is not None and unseen.state().door[-1] == len(table.catalog.cards)


def test_secret_choices_of_others_are_blanked_and_imagined() -> None:
    table = WatchedTable(catalog_of(MAZES), 4, 2)
    assert isinstance(table.state.stack[-1], Setup)
    while not isinstance(table.state.stack[-1], Window):
        table.act()
    window = table.state.stack[-1]
    before = veil(table.catalog, table.state, 3, table.seen[3])
    window.passed = sorted({window.seat, 0, 1, 2} - {3})
    assert veil(table.catalog, table.state, 3, table.seen[3]) == before
    answer = submit(table.catalog, imagine(table.catalog, before, random.Random(1)), 3, a.Pass(window.id))
    assert not isinstance(answer, Refusal)
