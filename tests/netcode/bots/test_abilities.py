"""Normal bots use what their cards can do: what costs nothing, what harms a rival chosen later, what may turn a lost
fight, and what forces help instead of paying for it."""

import pytest

from cards import BUILT_IN
from core.state.actions import EndTurn, Kick, Legal, Pick, Use
from netcode.bots.card_values import CardValues
from netcode.simulation.plan import load_catalog
from tests.bench.abilities import Counts
from tests.netcode.bots.bot_views import ViewBuilder, ask, decided


def thief(level: int, item: str, worst: str = "Practice Rat") -> tuple[ViewBuilder, int, int]:
    """Return a table at which the bot is a Thief, a rival has this Item in play, and the bot holds a card to pay."""
    table = ViewBuilder(levels=(level, 6, 3, 3))
    table.has(1, item)
    return table, table.has(0, "Thief"), table.holds(worst)


def steal(table: ViewBuilder, card: int, paid: int) -> object:
    row = Legal(Use(card, 1), Pick("pay", (paid,), 1, 1))
    return decided(table.see(row, Kick(), asks=[ask("kick")]))


def test_a_thief_with_no_level_to_lose_steals() -> None:
    table, card, paid = thief(1, "Pickle Spear")
    assert steal(table, card, paid) == Use(card, 1, pay=(paid,))


def test_a_thief_does_not_risk_a_level_where_there_is_nothing_small_to_take() -> None:
    table, card, paid = thief(5, "Thief")
    assert steal(table, card, paid) == Kick()


def test_a_card_that_charity_would_take_pays_for_a_look_at_treasures() -> None:
    def searches(held: int) -> bool:
        table = ViewBuilder(phase="end")
        chart = table.has(0, "Map of the Ancients")
        hand = [table.holds("Lukewarm Coffee of the Third Watch") for _ in range(held)]
        view = table.see(Legal(Use(chart), Pick("pay", tuple(hand), 2, 2)), EndTurn(), asks=[ask("end")])
        assert view.you is not None
        view.you.keeps = 5
        return isinstance(decided(view), Use)

    assert searches(7) and not searches(3)


@pytest.mark.long(0)
@pytest.mark.parametrize("set_id", BUILT_IN)
def test_hardly_an_ability_that_is_often_possible_is_never_used(set_id: str) -> None:
    catalog, counts = load_catalog((set_id,)), Counts()
    values = CardValues(catalog)
    for seed in range(12):
        counts.game(catalog, values, seed, "normal")
    unused = [
        f"{catalog.cards[defn].name} #{number + 1}: 0 of {possible}"
        for (defn, number), possible in counts.possible.items() if possible >= 25 and not counts.used[defn, number]
    ]  # fmt: skip
    assert len(unused) <= 2, unused
