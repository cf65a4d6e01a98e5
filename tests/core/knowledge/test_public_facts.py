"""Strengths and rolls to run away computed from a view equal those of the rules: outside a fight at every moment of
random games, the strengths of a fight at almost every moment."""

import pytest

from core.knowledge.public_facts import run_bonuses, strengths, terms_with
from core.language.catalog import Catalog
from core.queries.conditions import heroes
from core.queries.strength import totals
from core.state.model import State, decode, encode
from core.state.reader import Reader
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


@pytest.mark.parametrize("game", range(len(BLENDS)))
def test_the_terms_with_another_helper_add_up(game: int) -> None:
    """A few texts look at hidden cards or at the past of the fight, so their terms may be missing from a view."""
    catalog = catalog_of(BLENDS[game])
    table, found = RandomTable(catalog, 3 + game % 4, 300 + game), []
    for _ in range(400):
        state = table.state
        if state.winners:
            break
        if state.fight is not None and state.fight.stage == "fight" and state.fight.helper < 0:
            for seat in range(len(state.seats)):
                if seat not in heroes(state.fight):
                    found.append(_same_with(catalog, state, seat))
        table.act()
    assert found and all(found), (len(found), sum(found))


def _same_with(catalog: Catalog, state: State, helper: int) -> bool:
    """Return whether the terms with this helper that a view tells add up to the sums of the rules."""
    terms = terms_with(catalog, view(catalog, state, -1), helper)
    joined = decode(encode(state))
    assert joined.fight is not None
    joined.fight.helper = helper
    return tuple(sum(term.by for term in side) for side in terms) == totals(Reader(catalog, joined))
