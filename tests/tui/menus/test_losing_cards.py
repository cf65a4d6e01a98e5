"""Cards that a player is asked to give up: listed from the least to the most valuable; a slip never costs a card in
use."""

from core.state.model import Ask
from core.state.views import View
from netcode.bots.card_values import value_of
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.menus.choices import root
from tui.menus.danger import place_of
from tui.menus.entries import Picker
from tui.menus.menu_state import danger_in


def asked(kind: str, lo: int, hi: int, worn: bool = False) -> View:
    """Return a view in which Ada is asked to give up cards of her hand and Items that she wears."""
    view = samples.charity()
    assert view.you is not None
    wears = [placed.card for placed in view.seats[samples.ME].table if placed.up] if worn else []
    view.you.asks = [Ask(3, samples.ME, kind, [*wears, *sorted(view.you.hand)], lo, hi)]
    return view


async def test_one_card_for_charity_is_marked_before_it_goes() -> None:
    async with table(asked("charity", 1, 1)) as pilot:
        await pilot.keys("1")
        assert pilot.client.acts == [] and "[x]" in pilot.text()
        assert "WHICH ONE DO YOU GIVE AWAY?" in pilot.text() and "ENTER give it" in pilot.text()
        await pilot.keys("2")
        assert pilot.text().count("[x]") == 1, "another one takes its place"
        await pilot.keys("enter")
        assert len(pilot.client.acts) == 1


def test_the_least_comes_first_and_what_is_in_use_last() -> None:
    scene = samples.scene(asked("lose", 1, 1, worn=True))
    entries = [entry for entry in root(scene).entries if entry.key.startswith("ask3:")]
    worn = [place_of(scene, entry.card) == "equipped" for entry in entries]
    assert any(worn) and worn == sorted(worn)
    free = [value_of(scene.card(entry.card)).keep_points for entry, up in zip(entries, worn, strict=True) if not up]
    assert len(set(free)) > 3 and free == sorted(free)
    assert [bool(danger_in(scene, entry)) for entry in entries] == worn, "what is in use asks once more"


def test_what_is_in_use_asks_once_more_only_where_something_else_would_do() -> None:
    view = asked("lose", 1, 1, worn=True)
    assert view.you is not None
    view.you.asks[0].options = [option for option in view.you.asks[0].options if option not in view.you.hand]
    scene = samples.scene(view)
    assert not any(danger_in(scene, entry) for entry in root(scene).entries if entry.key.startswith("ask3:"))


def test_a_set_says_what_in_it_is_in_use() -> None:
    scene = samples.scene(asked("discard", 2, 2, worn=True))
    picker = next(entry.go for entry in root(scene).entries if entry.key == "ask3")
    assert isinstance(picker, Picker)
    first, last = picker.pick.among[0], picker.pick.among[-1]
    assert picker.danger((last, first)).startswith("Part with") and not picker.danger((first,))
