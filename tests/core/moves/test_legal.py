"""`legal` and `check` state the same rules: at random moments, what one lists the other allows, and nothing else."""

import random
from collections.abc import Iterator
from typing import Literal

import pytest

from core.language.catalog import Catalog
from core.moves.legal import check, fill, legal
from core.scenario.steps import is_listed
from core.state import actions as a
from core.state.model import Options, State, Window, defn_of
from netcode.bots.picks import at_random
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable

Side = Literal["", "heroes", "monsters"]
SIDES: tuple[Side, ...] = ("", "", "heroes", "monsters")
"""Sides of a fight to try: none half the time."""
STATES = 60
"""Positions of each game in which both are compared."""


@pytest.mark.parametrize("game", range(len(BLENDS)))
def test_an_action_is_allowed_if_and_only_if_it_is_listed(game: int) -> None:
    catalog = catalog_of(BLENDS[game])
    rng = random.Random(game)
    options = Options(listen=game % 2 == 1)
    table = RandomTable(catalog, 3 + game % 4, game, interrupts=0.5, options=options)
    allowed = 0
    for _ in range(STATES):
        for _ in range(rng.randrange(1, 14)):
            if not table.state.winners:
                table.act()
        for seat in range(len(table.state.seats)):
            allowed += _compare(catalog, table.state, seat, rng)
    assert allowed > STATES, f"only {allowed} of the tried actions were allowed: the test proves too little"


def _compare(catalog: Catalog, state: State, seat: int, rng: random.Random) -> int:
    """Compare both for many actions, allowed or not, and return how many of them are allowed."""
    rows = legal(catalog, state, seat)
    for row in rows:
        refused = check(catalog, state, seat, at_random(row, rng))
        assert refused is None, f"seat {seat}: {row} is listed, and refused: {refused}"
    allowed = 0
    for action in every_action(catalog, state, seat, rng):
        refused = check(catalog, state, seat, action)
        listed = is_listed(rows, action)
        assert len(rows) == 256 or listed == (refused is None), (
            f"seat {seat}, turn {state.turn}, stack {state.stack}: {action} is "
            f"{'listed' if listed else 'not listed'}, and check says {refused}"
        )
        allowed += refused is None
    return allowed


def every_action(catalog: Catalog, state: State, seat: int, rng: random.Random) -> Iterator[a.Action]:
    """Yield actions that name existing cards, asks and windows; if they name several, only some combinations."""
    player, fight = state.seats[seat], state.fight
    table = [entry.card for entry in player.table]
    monsters = [monster.id for monster in fight.monsters] if fight is not None else []
    yield from (a.Done(), a.Kick(), a.EndTurn(), a.Claim(), a.Flee())
    yield from (a.Loot(), a.Loot("discard"), a.Loot("door"))
    yield from (a.Trouble(card) for card in player.hand)
    yield from (a.Roll(monster) for monster in (*monsters, 0))
    for window in {frame.id for frame in state.stack if isinstance(frame, Window)}:
        yield from (a.Pass(window), a.Hold(window))
    for ask in [ask for frame in state.stack for ask in frame.asks]:
        yield from (a.Answer(ask.id, (option,)) for option in ask.options)
        yield a.Answer(ask.id, tuple(ask.options[: ask.lo]))
    for card in (*table, *player.hand[:1]):
        yield from (a.Unequip(card), a.Discard(card), a.Equip(card), a.Equip(card, both=True))
        yield from (a.Equip(card, carrier) for carrier in table)
    for offer in state.offers:
        yield from (a.Accept(offer.no), a.Decline(offer.no), a.Withdraw(offer.no))
    cards = tuple(card for card in (*table, *player.hand) if catalog.cards[defn_of(card)].is_item)
    yield from (a.Sell(cards), a.Sell(cards[:1]), a.Sell(cards, cards[0] if cards else 0))
    yield from _plays_and_uses(state, seat, monsters, rng)


def _plays_and_uses(state: State, seat: int, monsters: list[int], rng: random.Random) -> Iterator[a.Action]:
    """Yield plays of cards in hand and on the table, and uses of abilities, each on a few random targets."""
    player = state.seats[seat]
    named = [0, *monsters, *(entry.card for other in state.seats for entry in other.table)]
    named += [lasting.card for other in state.seats for lasting in other.lasting]
    brought = [0, *player.hand]
    seats = range(-1, len(state.seats))
    table = [entry.card for entry in player.table]
    for card in (*player.hand, *table):
        for _ in range(4):
            side = rng.choice(SIDES)
            target, with_monster = rng.choice((0, rng.choice(named))), rng.choice((0, 0, rng.choice(brought)))
            yield a.Play(card, rng.choice(seats), side, target, with_monster)
            if card in table:
                ability, pay = rng.choice((0, 0, 0, 1)), tuple(rng.sample(player.hand, min(1, len(player.hand))))
                pay = rng.choice((pay, ()))
                yield a.Use(card, ability, pay, rng.choice(seats), side, target, with_monster)


def test_a_row_with_an_open_set_is_filled_in_the_field_it_names() -> None:
    terms = a.Terms("trade", wants=(7,))
    row = a.Legal(a.Offer(1, terms), a.Pick("gives", (4, 5), 1, 2))
    assert fill(row, (4,)) == a.Offer(1, a.Terms("trade", gives=(4,), wants=(7,)))
    assert fill(a.Legal(a.Sell((), 9), a.Pick("cards", (9,), 1, 1)), (9,)) == a.Sell((9,), 9)
    assert fill(a.Legal(a.Kick()), ()) == a.Kick()
