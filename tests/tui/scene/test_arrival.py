"""An Item in hand that would only be carried: the reason, and what would change it."""

import pytest

from core.state import actions as a
from core.state.actions import Legal
from core.state.refusals import UNHELPED, VAIN
from tests.tui import samples
from tui.scene.arrival import carried_why, idle_why


@pytest.mark.parametrize(("name", "clause", "said"), [
    ("Crown of Small Taxes", "item.slots",
     "You wear Headgear already. So it would only be carried, and would add nothing. Put Helm of Selective Hearing "
     "away first: then it can be equipped, and counts."),
    ("Reforged Sword", "item.slots",
     "Your hands are full. So it would only be carried, and would add nothing. Put Pickle Spear away first: then "
     "it can be equipped, and counts."),
    ("Meat Shield", "item.restricted",
     "You can use it only if you are a Halfling. So it would only be carried, and would add nothing. Once that changes "
     "it can be equipped, and counts."),
    ("Full Bucket Helm", "item.restricted",
     "You cannot use it if you are a Wizard. So it would only be carried, and would add nothing. Once that changes it "
     "can be equipped, and counts."),
])  # fmt: skip
def test_an_item_that_would_only_be_carried_says_why_and_what_would_change_it(
    name: str, clause: str, said: str
) -> None:  # fmt: skip
    view, card = samples.your_turn(), samples.held(name)
    assert view.you is not None
    view.you.hand.append(card)
    found = carried_why(samples.scene(view), card)
    assert found is not None and (found.clause, found.text) == (clause, said)
    assert found.what == f"{name}: carried, not equipped"


def test_what_would_be_equipped_needs_no_reason() -> None:
    view, armour = samples.your_turn(), samples.held("Plot Armor")
    assert view.you is not None
    view.you.hand.append(armour)
    assert carried_why(samples.scene(view), armour) is None
    assert carried_why(samples.scene(view), view.you.hand[1]) is None, "a Curse"


def test_a_card_of_which_nothing_would_come_says_so() -> None:
    view = samples.your_turn()
    assert view.you is not None
    hat = view.you.hand[1]
    view.you.legal = [Legal(a.Play(hat, seat=seat), vain=True) for seat in (1, 2)]
    found = idle_why(samples.scene(view), hat)
    assert found is not None and found.text == VAIN and found.clause == "curse.ignored"
    view.you.legal.append(Legal(a.Play(hat, seat=3)))
    assert idle_why(samples.scene(view), hat) is None, "somebody would lose something"


def test_a_card_that_makes_nobody_help_says_so() -> None:
    view = samples.your_turn()
    assert view.you is not None
    hat = view.you.hand[1]
    view.you.legal = [Legal(a.Play(hat), unhelped=True)]
    found = idle_why(samples.scene(view), hat)
    assert found is not None and found.text == UNHELPED and found.clause == "help.compelled-barred"
