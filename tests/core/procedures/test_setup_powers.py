"""Setting up with Powers: none fits Level 1, so Go Up a Level cards are played first."""

import pytest

from core import engine
from core.moves.legal import check, legal
from core.state import actions as a
from core.state.model import Options, State, card_id
from core.view import view
from tests.scenarios import catalog_for

CATALOG = catalog_for(("axe-cop",))


def dealt(*names: str) -> tuple[State, list[int]]:
    """Return a game during setup whose first seat was dealt these cards, and their ids."""
    state = engine.new_game(CATALOG, 3, Options(), b"powers")[0]
    hand = [card_id(50 + at, 1, CATALOG.named(name).no) for at, name in enumerate(names)]
    state.seats[0].hand, state.seats[0].fresh, state.seats[0].serial = hand, hand[:], 60
    return state, hand


def refusal(state: State, action: a.AnyAction) -> str:
    """Return the clause that forbids the first seat this action, "" if it is allowed."""
    refused = check(CATALOG, state, 0, action)
    return refused.clause if refused is not None else ""


def taken(state: State, seat: int, action: a.AnyAction) -> None:
    result = engine.submit(CATALOG, state, seat, action)
    assert isinstance(result, list), result


def powers(state: State, seat: int, viewer: int) -> list[str]:
    """Return the names of the Powers in front of a seat that a viewer sees."""
    found = [CATALOG.cards[entry.card & 4095] for entry in view(CATALOG, state, viewer).seats[seat].table]
    return [definition.name for definition in found if definition.card.identity == "power"]


@pytest.mark.proves("setup.first-cards-powers")
def test_no_power_fits_level_1_and_there_is_none_of_rank_1() -> None:
    ranks = {definition.card.rank for definition in CATALOG.cards if definition.card.identity == "power"}
    assert ranks == {2, 3}
    state, hand = dealt(*(definition.name for definition in CATALOG.cards if definition.card.identity == "power"))
    assert [refusal(state, a.Play(card)) for card in hand] == ["self.powers-rank"] * 7
    assert not any(isinstance(row.action, a.Play) for row in legal(CATALOG, state, 0))


@pytest.mark.proves("setup.first-cards-powers")
def test_levels_come_first_and_then_the_powers_that_fit() -> None:
    state, (one, two, moon, dinosaur, avocado) = dealt(
        "Because I Said So", "Because I Said So", "Moon", "Dinosaur", "Avocado"
    )
    taken(state, 0, a.Play(one, seat=0))
    assert (state.seats[0].level, refusal(state, a.Play(dinosaur))) == (2, "self.powers-rank")
    taken(state, 0, a.Play(two, seat=0))
    assert refusal(state, a.Play(dinosaur)) == ""
    taken(state, 0, a.Play(moon))
    assert [refusal(state, a.Play(card)) for card in (dinosaur, avocado)] == ["self.powers-rank"] * 2
    assert (powers(state, 0, 0), powers(state, 0, 1)) == (["Moon"], [])
    for seat in range(3):
        taken(state, seat, a.Done())
    assert (state.turn.no, state.seats[0].level, powers(state, 0, 1)) == (1, 3, ["Moon"])
