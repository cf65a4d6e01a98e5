"""What a player is told when something is asked, refused or counted: whose cards, which card asks, what is left out."""


from core import actions as a
from core.model import Ask
from core.view import Deciding, You
from netcode import wire
from tests.tui import samples
from tests.tui.stage import table
from tui import present_detail
from tui.bargains import help_draft, turned
from tui.nav import Nav
from tui.present_detail import Detail
from tui.prompts import prompt_for
from tui.text import plain


def sentence(view):
    """What the prompt says at the first menu."""
    scene, nav = samples.scene(view), Nav()
    here, _ = nav.here(scene)
    return prompt_for(scene, nav, here).text


def told(scene, kind):
    """A detail as one text."""
    _, lines = present_detail.contents(scene, Detail(kind), 160)
    return " ".join(plain(line).strip() for line in lines)


def lost_one(theirs=False, card="Bad Hat Day"):
    """Ada is to say which card goes, of her hand or of Bo's gear, by a card at work."""
    view = samples.view(limbo=[samples.public(card)], deciding=[Deciding(samples.ME, "lose", samples.no(card))])
    options = [spot.card for spot in view.seats[samples.BO].table[1:]] if theirs else view.you.hand[:2]
    view.you = You(samples.ME, view.you.hand, [], [Ask(7, samples.ME, "lose", options, 1, 1, samples.no(card))], [])
    return view


async def show(stage, view):
    """What the host sends next."""
    stage.client.tell(wire.Update(1, view.rev, view, []))
    await stage.settle()


# ------------------------------------------------------------------------------------------------------------- help
def test_a_call_to_the_table_names_no_helper():
    view = samples.own_combat()
    view.offers.clear()
    draft = help_draft(samples.scene(view))
    assert draft.action() == a.Offer(-1, a.Terms("help", -1, 1))
    for _ in range(5):
        draft = turned(samples.scene(view), draft)
        assert draft.helper == draft.to >= 0
    draft = turned(samples.scene(view), draft)
    assert draft.action() == a.Offer(-1, a.Terms("help", -1, 1))


async def test_help_is_asked_of_the_table_with_two_keys():
    view = samples.own_combat()
    view.offers.clear()
    async with table(view) as stage:
        await stage.keys("h", "4")
        assert "To the table: 1 Treasure (helper picks first) for help" in stage.text()
        await stage.keys("enter")
        assert stage.client.acts == [a.Offer(-1, a.Terms("help", -1, 1, True))]
