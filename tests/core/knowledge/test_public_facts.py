"""Strengths and rolls to run away computed from a view equal those of the rules, at every moment of random games
outside a fight."""

import pytest

from core.knowledge.public_facts import run_bonuses, strengths
from core.language.catalog import Catalog
from core.state.model import State
from core.view import view
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable


def check(catalog: Catalog, state: State) -> int:
    """Compare the terms of every seat with the strength in the view; return how many terms there are."""
    seen = view(catalog, state, -1)
    terms = strengths(catalog, seen)
    assert [sum(term.by for term in one) for one in terms] == [seat.strength for seat in seen.seats]
    runs = run_bonuses(catalog, seen)
    assert [sum(term.by for term in one) for one in runs] == [seat.run for seat in seen.seats]
    return sum(map(len, terms))


@pytest.mark.parametrize("game", range(len(BLENDS)))
def test_the_terms_of_a_view_add_up(game: int) -> None:
    catalog = catalog_of(BLENDS[game])
    table, most = RandomTable(catalog, 3 + game % 4, 300 + game), 0
    for _ in range(400):
        if table.state.winners:
            break
        if table.state.fight is None and table.state.stack and table.state.turn.phase != "setup":
            most = max(most, check(catalog, table.state))
        table.act()
    assert most > len(table.state.seats), "more than the Levels is to be explained"
