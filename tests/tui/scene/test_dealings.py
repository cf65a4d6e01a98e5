"""The deeds of two players towards each other in a game."""

from core.state import events as ev
from core.state.model import Bonus
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.render import details
from tui.render.details import Detail
from tui.scene.cells import UNICODE, plain
from tui.scene.dealings import Dealings
from tui.scene.table_session import TableSession

ME, BO, CID, DEE = 0, 1, 2, 3


def heard(*told: ev.AnyEvent) -> Dealings:
    """Return the deeds that are kept from these events."""
    keeper = Dealings(samples.catalog())
    keeper.hear(told, None)
    return keeper


def curse(by: int, on: int) -> ev.Moved:
    """Return a curse that one seat plays on another one."""
    card = samples.public("Bad Hat Day")
    return ev.Moved(card, card, "hand", by, "limbo", -1, "played", by, on_seat=on)


def bonus(side: str, by: int, seat: int) -> ev.Strengthened:
    """Return strength that a seat adds to a side."""
    return ev.Strengthened(Bonus(side, by, samples.no("Greater"), seat))  # type: ignore[arg-type]


def test_help_curses_and_what_was_taken_are_counted_both_ways() -> None:
    card = samples.public("Pickle Spear")
    found = heard(
        curse(BO, ME), curse(BO, ME), curse(ME, BO), ev.FightBegan(ME, card, "kick"), ev.HelperCame(CID, False),
        ev.Moved(card, card, "table", ME, "hand", BO, "taken", BO),
    )  # fmt: skip
    assert found.between(ME, BO) == ("cursed you twice, took from you once", "cursed them once")
    assert found.between(ME, CID) == ("helped you once", "") and found.between(ME, DEE) == ("", "")


def test_what_is_added_to_a_fight_counts_for_or_against_those_who_fight() -> None:
    found = heard(
        ev.FightBegan(ME, samples.public("Bearbug"), "kick"), bonus("monsters", 5, BO), bonus("heroes", -2, BO),
        bonus("monsters", -5, CID), bonus("heroes", 3, ME), ev.FightEnded(ME, "killed"), bonus("monsters", 5, DEE),
    )  # fmt: skip
    assert found.between(ME, BO) == ("played against your side twice", "")
    assert found.between(ME, CID) == ("added to your side once", "") and found.between(ME, DEE) == ("", "")


def test_cards_on_a_monster_and_levels_that_are_taken_count_too() -> None:
    greater, credit = samples.public("Greater"), samples.public("Claim the Credit for Teamwork")
    spear = samples.public("Pickle Spear")
    found = heard(
        ev.FightBegan(ME, samples.public("Bearbug"), "kick"),
        ev.Moved(greater, greater, "hand", BO, "fight", -1, "played", BO), ev.FightEnded(ME, "killed"),
        ev.Moved(credit, credit, "hand", CID, "limbo", -1, "played", CID),
        ev.LevelChanged(ME, -1, 2, "Claim the Credit for Teamwork"),
        ev.Moved(spear, spear, "hand", DEE, "hand", ME, "charity", DEE),
    )  # fmt: skip
    assert found.between(ME, BO) == ("played against your side once", "")
    assert found.between(ME, CID) == ("took levels from you once", "")
    assert found.between(ME, DEE) == ("gave you cards once", "")


def test_what_is_undone_no_longer_counts() -> None:
    keeper = Dealings(samples.catalog())
    keeper.hear([curse(BO, ME)], samples.view(rev=5))
    keeper.hear([curse(BO, ME)], samples.view(rev=9))
    keeper.hear([ev.SteppedBack(BO, BO, "play", 8)], samples.view(rev=10))
    assert keeper.between(ME, BO) == ("cursed you once", "")
    keeper.hear([curse(BO, ME)], samples.view(rev=11))
    assert keeper.between(ME, BO) == ("cursed you twice", "")


def test_the_detail_of_a_seat_says_what_it_has_done_to_the_reader() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    client.tell(wire.Update(0, 1, samples.view(), [wire.NumberedEvent(1, curse(BO, ME))]))
    shown = " ".join(plain(line) for line in details.detail(session.scene(), Detail("seat", BO), 60, 20))
    assert "In this game: cursed you once." in " ".join(shown.split())


def test_what_the_table_takes_back_was_not_done() -> None:
    keeper = Dealings(samples.catalog())
    back = ev.SteppedBack(ME, ME, "", 6)
    for rev, event in ((5, curse(BO, ME)), (7, curse(BO, ME)), (9, curse(CID, ME)), (10, back)):
        keeper.hear([event], samples.view(rev=rev))
    assert keeper.between(ME, BO)[0] == "cursed you once" and keeper.between(ME, CID)[0] == ""
    keeper.hear([bonus("monsters", 5, CID)], samples.view(rev=11))
    assert keeper.between(ME, CID)[0] == "", "the table is back outside the fight"
