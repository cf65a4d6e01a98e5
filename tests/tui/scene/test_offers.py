"""Answers to offers are heard: in the log, and at the prompt until the reader acts."""

from msgspec.structs import replace

from core.state import actions as a
from core.state import events as ev
from core.state.model import Bargain
from core.state.views import View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.menus.choices import root
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.scene.table_session import TableSession

ME, BO, CID = samples.ME, samples.BO, 2


def asked(session: TableSession) -> str:
    """Return the prompt of this moment."""
    scene = session.scene()
    return prompt_for(scene, MenuState(), root(scene)).text


class Table:
    """Ada in her own fight, at a table whose host says what the test tells it."""

    def __init__(self, *offers: Bargain) -> None:
        self.no = 1  # the first event of a game has been told
        self.client = FakeClient(self.view(*offers))
        self.session = TableSession(self.client, samples.catalog())

    def view(self, *offers: Bargain) -> View:
        """Return the fight with these offers open."""
        view = samples.own_combat()
        view.offers = list(offers)
        return view

    def tell(self, *events: ev.AnyEvent, offers: tuple[Bargain, ...] = ()) -> None:
        """Tell of these events, after which these offers are open."""
        told = [wire.NumberedEvent(self.no + at, event) for at, event in enumerate(events, 1)]
        self.no += len(events)
        self.client.tell(wire.Update(0, self.no, self.view(*offers), told))


def mine(no: int = 7, to: int = CID) -> Bargain:
    """Return an offer of Ada for help."""
    return Bargain(no, ME, to, "help", to, 1, False, [], [], [], 5)


def theirs(no: int = 8) -> Bargain:
    """Return an offer of Cid to Ada."""
    return Bargain(no, CID, ME, "help", CID, 2, False, [], [], [], 5)


def test_an_offer_that_waits_says_for_whom() -> None:
    assert "Cid has not answered your offer yet." in asked(Table(mine()).session)
    assert "Cid and Bo have not answered your offer yet." in asked(Table(mine(), mine(9, BO)).session)
    assert "Nobody has taken your offer yet." in asked(Table(mine(to=-1)).session)
    alone = Table(mine(to=BO), theirs())
    alone.client.info = samples.info(solo=True)
    assert "Bo will answer once you have answered Cid." in asked(alone.session), "the bots wait for that"
    assert "yet" not in asked(Table().session)


def test_what_becomes_of_an_offer_is_said_at_the_prompt_and_marked_in_the_log() -> None:
    cases = (
        (mine(), [ev.OfferClosed(7, "declined", CID)], "Cid: no.", "Cid says no to your offer"),
        (mine(), [ev.OfferClosed(7, "countered", CID), ev.Offered(theirs())], "Cid: not on these terms.",
         "Cid wants other terms for your offer"),
        (theirs(), [ev.OfferClosed(8, "withdrawn", CID)], "Cid has taken the offer back.", "Cid takes the offer back"),
        (mine(), [ev.OfferClosed(7, "lapsed", -1)], "Your offer no longer stands.", "Your offer has lapsed"),
    )  # fmt: skip
    for deal, events, prompt, line in cases:
        table = Table(deal)
        table.tell(*events)
        assert prompt in asked(table.session)
        (entry,) = [entry for entry in table.session.log if entry.text == line]
        assert entry.yours and replace(entry, just=True) in table.session.scene().since
        table.session.act(a.Flee())
        assert prompt not in asked(table.session), "read with the next act"


def test_the_prompt_says_nothing_twice_and_nothing_of_anothers_offer_that_has_lapsed() -> None:
    """The log has the lapsed offers of others. Formerly, the prompt told of them before the question of the reader's
    next turn."""
    table = Table(mine(), mine(9), theirs(), theirs(10))
    table.tell(*(ev.OfferClosed(no, "lapsed", -1) for no in (7, 9, 8, 10)))
    assert asked(table.session).count("no longer stands") == 1
    assert sum(entry.yours for entry in table.session.log) == 4


def test_what_the_reader_does_to_an_offer_and_offers_of_others_are_no_news() -> None:
    table = Table(mine(), theirs())
    table.tell(ev.OfferClosed(7, "withdrawn", ME), ev.OfferClosed(8, "declined", ME))
    other = Bargain(9, CID, BO, "trade", -1, 0, False, [], [], [], 0)
    table.tell(ev.Offered(other), ev.OfferClosed(9, "declined", BO))
    assert table.session.offers.answers == () and not any(entry.yours for entry in table.session.log)
