"""Normal bots use the abilities of their cards: free ones, those that harm a rival who is chosen later, those that may
turn a lost fight, and those that force a player to help for nothing."""

import pytest

from cards import BUILT_IN
from core.language.schema import Ability, Cards, Discard, Take
from core.state.actions import Answer, EndTurn, Kick, Legal, Pick, Use
from netcode.bots.card_values import CardValues
from netcode.bots.effect_values import EffectSummary, read
from netcode.bots.memory import Memory
from netcode.bots.own_turn import OwnTurn
from netcode.bots.reading import Reading
from netcode.bots.tuning import TUNING
from netcode.simulation.plan import load_catalog
from tests.bench.abilities import Counts
from tests.netcode.bots.bot_views import NUMBERS, VALUES, ViewBuilder, ask, decided


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


def test_a_thief_does_not_risk_a_level_that_is_worth_more_near_victory() -> None:
    for level, steals in ((3, True), (8, False)):
        table, card, paid = thief(level, "Sidekick's Cape", worst="Orc")
        assert (steal(table, card, paid) != Kick()) == steals, level


def test_a_thief_pays_no_good_item_for_a_chance_to_take_another() -> None:
    for worst, steals in (("Orc", True), ("Boots of Skipping Ahead", False)):
        table, card, paid = thief(1, "Reforged Sword", worst=worst)
        assert (steal(table, card, paid) != Kick()) == steals, worst


def test_a_thief_takes_nothing_for_which_it_has_no_place() -> None:
    """The Item taken would stay in the pack beside a better one: that is worth less than the level at risk."""
    for own, steals in (("Wombat Boots", True), ("Threehander", False)):
        table, card, paid = thief(2, "Pickle Spear", worst="Orc")
        table.has(0, own)
        assert (steal(table, card, paid) != Kick()) == steals, own


def test_a_thief_steals_from_the_seat_that_has_what_it_wants() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 3))
    table.has(0, "Thief")
    table.has(1, "Stubborn Mule")
    table.has(2, "Pickle Spear")
    question = ask("seat", 1, 2, card=NUMBERS["Thief"])
    assert decided(table.see(Answer(question.id, (1,)), asks=[question])) == Answer(question.id, (2,))


def test_a_card_that_is_given_up_costs_what_it_is_worth_to_its_owner() -> None:
    """An ability that discards its own card for somebody's worst Small Item is kept for idle cards."""
    catalog = load_catalog(("apocalypse",))
    card = next(one for one in catalog.cards if one.card.abilities and _gives_itself_up(one.card.abilities[0]))
    effects = CardValues(catalog).of[card.no].ability_effects[0]
    assert effects.given_up == 1.0 and effects.given_up_points > 0


def test_an_owner_who_may_choose_gives_what_it_misses_least() -> None:
    table = ViewBuilder()
    table.has(1, "Pickle Spear")
    table.has(1, "Stubborn Mule", up=False)
    view = table.see(Kick(), asks=[ask("kick")])
    assert view.you is not None
    own = OwnTurn(Reading(view, view.you, VALUES), TUNING.style["normal"], Memory())
    mine = own.harm_points(_takes(Cards(of="chosen", zone="items", big=False, by="you")), 1)
    theirs = own.harm_points(_takes(Cards(of="chosen", zone="items", big=False)), 1)
    assert mine > 5 + theirs


def _takes(cards: Cards) -> EffectSummary:
    return read((Take(cards=cards, to="you"),))


def _gives_itself_up(ability: Ability) -> bool:
    return any(isinstance(op, Discard) and op.cards.this for op in ability.do)


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
def test_nearly_every_ability_that_is_often_possible_is_used(set_id: str) -> None:
    catalog, counts = load_catalog((set_id,)), Counts()
    values = CardValues(catalog)
    for seed in range(12):
        counts.game(catalog, values, seed, "normal")
    unused = [
        f"{catalog.cards[defn].name} #{number + 1}: 0 of {possible}"
        for (defn, number), possible in counts.possible.items() if possible >= 25 and not counts.used[defn, number]
    ]  # fmt: skip
    assert len(unused) <= 2, unused
