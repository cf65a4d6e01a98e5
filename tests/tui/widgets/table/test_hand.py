"""The hand: how many cards are side by side, pages, the list of a low window, hands that stay hidden, the mouse."""

import pytest
from rich.cells import cell_len

from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.widgets.pane import Pane
from tui.widgets.table.hand import EMPTY, SPECTATING, columns, hand_list, page, page_note


@pytest.mark.parametrize(
    ("size", "cards", "slots"),
    [
        ((80, 5), 3, 5), ((80, 5), 6, 6), ((80, 5), 12, 6), ((120, 9), 4, 6), ((120, 9), 7, 7), ((120, 9), 12, 8),
        ((200, 18), 5, 8), ((200, 18), 8, 8), ((200, 18), 14, 10), ((120, 18), 6, 6), ((300, 9), 14, 12),
        ((80, 9), 6, 5),
    ],
)  # fmt: skip
def test_how_many_cards_are_side_by_side(size: tuple[int, int], cards: int, slots: int) -> None:
    assert columns(*size, cards) == slots


def test_pages_are_fixed_and_full_and_show_the_cursor() -> None:
    """A single card stood on the last page, beside five empty places."""
    assert [page(cursor, 11, 8) for cursor in (0, 7, 8, 10, 99)] == [range(8), range(8), *[range(3, 11)] * 3]
    assert page(0, 0, 8) == range(0)
    assert page_note(range(8, 11), 11, False) == ("‹ 8 more ›", "hand:0")
    assert page_note(range(8), 9, True) == ("< 1 more >", "hand:8")
    assert page_note(range(8, 9), 9, True) == ("< 8 more >", "hand:0") and page_note(range(8), 8, True) == ("", "")


def _hand_of(count: int) -> list[int]:
    names = samples.HAND
    return [samples.held(names[at % len(names)]) for at in range(count)]


async def test_a_name_that_is_cut_has_a_mark_and_a_key_shows_it_whole() -> None:
    view = samples.idle()
    names = [one.name for one in samples.catalog().cards if one.kind == "item" and len(one.name) > 24][:4]
    view.you.hand = [samples.held(name) for name in names] + _hand_of(4)
    cut = 0
    async with table(view) as pilot:
        for _ in view.you.hand:
            name, row = pilot.model.now.title(pilot.model.now.selected()), pilot.lines()[14:]
            shown = [part.strip(" │╭╮╰╯") for line in row for part in line.split("││")]
            whole = all(any(word in part for part in shown) for word in name.split())
            cut += not whole
            assert whole or any("…" in part for part in shown), (name, row)
            await pilot.keys("v")
            assert name in pilot.text()
            await pilot.keys("escape", "right")
    assert cut, "at least one name is longer than its card"


def _row_of_names(pilot: TablePilot) -> str:
    """Return the rows of the hand."""
    top = min(pane.region.y for pane in pilot.screen.query(".card").results(Pane) if pane.display)
    return "\n".join(pilot.lines()[top:])


async def test_twelve_cards_have_two_pages_that_the_cursor_and_the_mouse_turn() -> None:
    view = samples.idle()
    view.you.hand = _hand_of(12)
    async with table(view, (120, 40)) as pilot:
        assert "‹ 4 more ›" in pilot.text() and " 8 " in pilot.text()
        titles = [pilot.model.now.title(card).split()[0] for card in pilot.model.now.hand()]
        assert titles[0] in _row_of_names(pilot)
        await pilot.keys(*["right"] * 8)
        assert pilot.model.cursor == 8 and "‹ 4 more ›" in pilot.text()
        assert titles[11] in _row_of_names(pilot) and titles[4] in _row_of_names(pilot), "the last page is full too"
        row = next(y for y, line in enumerate(pilot.lines()) if "‹ 4 more ›" in line)
        await pilot.textual.click(offset=(pilot.lines()[row].index("‹ 4 more") + 2, row))
        await pilot.settle()
        assert pilot.model.cursor == 0 and titles[0] in _row_of_names(pilot)


async def test_a_click_selects_a_card_and_moving_repaints_two_cards_only() -> None:
    async with table(samples.your_turn(), (120, 40)) as pilot:
        pilot.model.keyed.revive()
        pilot.screen.redraw()
        repainted = []
        for at, pane in enumerate(pilot.screen.query(".card").results(Pane)):
            pane.refresh = lambda *regions, at=at, **more: repainted.append((at, regions))
        await pilot.keys("right")
        assert {at for at, _ in repainted} == {0, 1}
        assert {region.y for _, regions in repainted for region in regions} <= {0, 1, 2}
        second = next(iter(list(pilot.screen.query(".card").results(Pane))[2:3]))
        await pilot.textual.click(offset=(second.region.x + 3, second.region.y + 4))
        await pilot.settle()
        assert pilot.model.cursor == 2


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("cards", [0, 1, 4, 5, 12])
def test_the_list_has_every_fact_of_a_card(glyphs: Glyphs, cards: int) -> None:
    view = samples.your_turn()
    view.you.hand = _hand_of(cards)
    scene = samples.scene(view, glyphs, cursor=cards - 1)
    for width in (60, 79, 140):
        lines = hand_list(scene, width, 4, lambda card: str(view.you.hand.index(card) + 1))
        assert len(lines) == 4 and {cell_len(plain(line)) for line in lines} == {width}
        text = "\n".join(plain(line) for line in lines)
        assert glyphs is UNICODE or text.isascii()
        if cards:
            assert "level 3" in text or "one-shot" in text or cards == 1
            assert ("8 more" in text) == (cards == 12)
        else:
            assert EMPTY in text


def test_in_the_list_names_keep_room_beside_long_kinds_and_words() -> None:
    """Formerly, other words of a row (a second race, a price, `sells for 500 gold`) and the note of the next page left
    no room for the name."""
    view = samples.your_turn()
    names = ["Half-Breed", "Show It the Door", "Scented Smoke Bomb", "Potion of Wild Averages"]
    view.you.hand = [samples.held(name) for name in names] + _hand_of(4)
    for width in (58, 60, 64, 79):
        scene = samples.scene(view, fresh=frozenset(view.you.hand))
        lines = hand_list(scene, width, 4, lambda card: str(view.you.hand.index(card) + 1))
        text = [plain(line) for line in lines]
        assert all(scene.title(card)[:12] in line for card, line in zip(scene.hand(), text)), text
        assert {cell_len(line) for line in text} == {width}


async def test_hands_stay_hidden_from_spectators_at_every_size() -> None:
    for size in ((60, 20), (80, 24), (120, 40), (200, 60)):
        async with table(samples.watching(), size, seat=-1) as pilot:
            assert SPECTATING in pilot.text()


async def test_an_empty_hand_says_so() -> None:
    view = samples.idle()
    view.you.hand = []
    for size in ((60, 20), (120, 40)):
        async with table(view, size) as pilot:
            assert EMPTY in pilot.text()
