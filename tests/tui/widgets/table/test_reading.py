"""The card in words beside the prompt: it shows the text of the card, and follows the cursor after a pause."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from core.state import actions as a
from core.state.actions import Legal
from core.state.model import Ask
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.widgets.cards.playability import what_now
from tui.widgets.table.reading import REST_S, Reading, reading


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_it_fits_its_place_and_marks_what_it_cuts(glyphs: Glyphs) -> None:
    scene = samples.scene(samples.idle(), glyphs)
    for card in scene.hand():
        for width, height in ((54, 6), (90, 6), (30, 3)):
            lines = [plain(line) for line in reading(scene, card, width, height)]
            assert len(lines) == height and {cell_len(line) for line in lines} == {width}
            assert glyphs is UNICODE or "".join(lines).isascii()
    short = plain(reading(scene, scene.hand()[0], 30, 3)[1])
    assert short.rstrip().endswith(glyphs.mark)


def test_it_shows_the_keys_that_do_something_with_the_card() -> None:
    scene = samples.scene(samples.interrupt())
    for at, card in enumerate(scene.hand()):
        for keys in ({card: "1"}, {}):
            now = replace(scene, cursor=at, keys=keys)
            last = plain(reading(now, card, 54, 6)[-1])
            playable, _ = what_now(now, card)
            assert ("ENTER play" in last) == (playable and bool(keys)), "no ENTER while it answers something else"
            assert ("w why not" in last) != playable


async def test_enter_stands_there_only_where_it_does_something_with_the_card() -> None:
    view = samples.your_turn()
    async with table(view, (120, 40)) as pilot:
        assert "ENTER play" in pilot.text()
        await pilot.keys("s")  # a set is picked: ENTER hands it in
        assert "ENTER play" not in pilot.text() and "ENTER choose" not in pilot.text()
    view = samples.idle()
    view.you.asks = [Ask(9, 0, "lose", list(view.you.hand), 1, 1)]
    async with table(view, (200, 60)) as pilot:
        await pilot.keys("tab")
        assert "ENTER choose" in pilot.text() and "ENTER play" not in pilot.text()


class Rest:
    """A timer that a test lets run out."""

    def __init__(self, seconds: float, read: Callable[[], None]) -> None:
        self.seconds, self.read, self.stopped = seconds, read, False

    def stop(self) -> None:
        """The cursor has moved on."""
        self.stopped = True


async def test_it_follows_the_cursor_after_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    rests: list[Rest] = []

    def set_timer(panel: Reading, seconds: float, read: Callable[[], None]) -> Rest:
        rests.append(Rest(seconds, read))
        return rests[-1]

    monkeypatch.setattr(Reading, "set_timer", set_timer)
    async with table(samples.idle(), (120, 40)) as pilot:
        panel = pilot.screen.query_one(Reading)

        def title() -> str:
            return plain(panel.lines[0])

        assert "Orc" in title()
        await pilot.keys("right")
        assert "Orc" in title() and [rest.seconds for rest in rests] == [REST_S]
        pilot.screen.redraw()
        assert [rest.stopped for rest in rests] == [False], "what is drawn anew meanwhile does not begin a rest again"
        await pilot.keys("right")
        assert "Orc" in title() and [rest.stopped for rest in rests] == [True, False]
        rests[-1].read()
        assert "Prismatic Glitter" in title()


async def test_it_follows_the_game_at_once() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        view = samples.view()
        view.you.hand = [samples.held("Greater")]
        pilot.client.view = view
        pilot.screen.redraw()
        assert "Greater" in plain(pilot.screen.query_one(Reading).lines[0])


async def test_a_card_whose_key_opens_a_question_is_the_one_that_is_read() -> None:
    view = samples.idle()
    curse = next(card for card in view.you.hand if samples.scene(view).card(card).kind == "curse")
    view.you.legal = [Legal(a.Play(curse, seat=seat)) for seat in (1, 2)]
    async with table(view, (200, 60)) as pilot:
        hand = pilot.model.now.hand()
        card = next(card for card in hand if pilot.model.now.card(card).kind == "curse")
        other = next(at for at, one in enumerate(hand) if one != card)
        pilot.model.select(other)
        await pilot.keys(pilot.model.now.keys[card])
        assert pilot.model.menus.nested and pilot.model.now.selected() == card
