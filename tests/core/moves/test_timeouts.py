"""The default for a silent seat is always allowed, and costs the seat as little as possible."""

import pytest

from core.language.catalog import Catalog
from core.moves.legal import check
from core.moves.timeouts import default_action, default_picks
from core.state import actions as a
from core.state.model import Ask, Options, State, card_id
from core.state.reader import Reader
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable

CATALOG = catalog_of(("munchkins-and-mazes",))
CHEAP, DEAR = (card_id(9, 0, CATALOG.named(name).no) for name in ("Practice Rat", "Reforged Sword"))


def picks(kind: str, options: list[int], lo: int = 1) -> list[int]:
    state = RandomTable(CATALOG, 3, 1).state
    return default_picks(Reader(CATALOG, state), Ask(1, 0, kind, options, lo, len(options)))


@pytest.mark.parametrize("game", range(len(BLENDS)))
def test_the_default_for_every_ask_is_allowed(game: int) -> None:
    catalog = catalog_of(BLENDS[game])
    table = RandomTable(catalog, 3 + game % 4, 100 + game, options=Options(listen=game % 2 == 0))
    asked: set[str] = set()
    for _ in range(600):
        if table.state.winners:
            break
        asked |= _check_defaults(catalog, table.state)
        table.act()
    assert len(asked) > 5, f"only these asks came up: {sorted(asked)}"


def _check_defaults(catalog: Catalog, state: State) -> set[str]:
    """Check the default for each ask of a state; return the kinds of the asks."""
    asks = [ask for ask in state.stack[-1].asks if ask.kind != "hold"]
    for ask in asks:
        action = default_action(Reader(catalog, state), ask)
        refused = check(catalog, state, ask.seat, action)
        assert refused is None, f"the default for {ask} is {action}, which is refused: {refused}"
    return {ask.kind for ask in asks}


def test_the_cheapest_cards_are_lost_and_the_most_valuable_taken() -> None:
    assert picks("lose", [DEAR, CHEAP]) == [CHEAP]
    assert picks("share for 2", [DEAR, CHEAP]) == [CHEAP]
    assert picks("take", [CHEAP, DEAR]) == [DEAR]
    assert picks("give for 2", [DEAR, CHEAP]) == picks("give", [DEAR, CHEAP]) == [CHEAP]
    assert picks("keep big", [CHEAP, DEAR], 2) == [DEAR, CHEAP]


def test_optional_cards_are_not_paid() -> None:
    assert picks("pay roll", [DEAR, CHEAP], 0) == []


def test_cards_that_the_seat_does_not_know_are_picked_in_their_order() -> None:
    assert picks("lose blind", [0, 1]) == [0]
    assert picks("shield", [0, DEAR]) == [0]
    assert picks("under", [DEAR, CHEAP], 0) == picks("throw away", [DEAR, CHEAP], 0) == []


def test_the_default_at_the_door_is_to_kick_it() -> None:
    table = RandomTable(CATALOG, 3, 5)
    while not any(ask.kind == "kick" for ask in table.state.stack[-1].asks):
        table.act()
    assert default_action(Reader(CATALOG, table.state), table.state.stack[-1].asks[0]) == a.Kick()
