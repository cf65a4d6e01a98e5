"""The books: card browser, gallery, rule book, short guide; found by words and sets, read by keys and mouse."""

import re
from typing import Any

import pytest
from textual.screen import Screen

from tests.tui import samples, set_samples
from tests.tui.app_pilot import screen_lines, settled, shown
from tests.tui.set_samples import APO, AXE
from tui.app.app import BOOKS, KickdoorApp
from tui.config.keymap import TABLE, USUAL_NAMES, shown_keys
from tui.config.settings import Settings
from tui.scene.book import CHAPTERS, rule_chapters
from tui.scene.card_book import built_in, entries
from tui.scene.cells import ASCII, UNICODE
from tui.scene.faces import Faces
from tui.scene.short_guide import guide
from tui.screens.book import BookScreen
from tui.screens.card_browser import CardBrowserScreen
from tui.screens.gallery import GalleryScreen
from tui.screens.printed_card import PrintedCardScreen
from tui.widgets.books.gallery import Gallery
from tui.widgets.books.printed_card import PrintedCard
from tui.widgets.rows import Rows

SIZES = [(60, 20), (80, 23), (120, 40), (200, 60)]


def browser() -> CardBrowserScreen:
    """Return the browser of two sets."""
    return CardBrowserScreen(set_samples.catalog(AXE, APO), UNICODE)


def rules() -> BookScreen:
    """Return the rule book."""
    return BookScreen("Rules", rule_chapters(), UNICODE, ("Axe Cop", "Apocalypse"))


# ------------------------------------------------------------------------------------------------------------ cards
async def test_cards_are_found_by_any_of_their_words() -> None:
    async with shown(CardBrowserScreen(samples.catalog(), UNICODE), (120, 40)) as (press, results):
        text = await press("slash", *"bearbug", "enter")
        assert "Cards: 1 of" in text and "Against Orcs" not in text and "+4 against Orcs" in text
        assert "What its effects say" in text
        text = await press("escape")
        assert "Cards: " in text and " of " not in text.splitlines()[0] and results == []
        await press("escape")
        assert results == [None]


async def test_cards_of_one_set_are_shown_by_the_arrows_and_found_among_them() -> None:
    async with shown(browser(), (120, 40)) as (press, _):
        text = await press("right", "right", "slash", *"shortage", "enter")
        assert "Apocalypse" in text and "Cards: 2 of" in text and "Beer Shortage" in text
        assert "No card has these words" in await press("left")
        assert "Cards: 2 of" in await press("left")


@pytest.mark.long(4)
@pytest.mark.parametrize("size", SIZES)
async def test_the_card_under_the_cursor_is_shown_with_its_face_at_every_size(size: tuple[int, int]) -> None:
    screen = browser()
    async with shown(screen, size) as (press, _):
        before = await press()
        card = screen.query_one(PrintedCard)
        first = card.entry
        assert first is not None and first is screen.shown[0] and first.name in before and "▀" * 8 in before
        text = await press("down", "down")
        assert card.entry is screen.shown[2] and screen.shown[2].name in text
        await press("end")
        assert card.entry is screen.shown[-1]
        await press("enter")
        assert isinstance(screen.app.screen, PrintedCardScreen) and screen.shown[-1].name in await press()
        await press("escape")
        assert screen.app.screen is screen


async def test_a_click_chooses_a_card_and_the_wheel_moves_its_text() -> None:
    screen = browser()
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(120, 40)) as textual:
        await app.push_screen(screen)
        await settled(textual)
        await textual.click(Rows, offset=(3, 4))
        await settled(textual)
        assert screen.query_one(PrintedCard).entry is screen.shown[3]
        await textual.click("#find-set")
        await settled(textual)
        assert "Apocalypse" in "\n".join(screen_lines(app))


def test_every_card_of_the_built_in_sets_has_its_entry() -> None:
    catalog = built_in()
    found = entries(catalog)
    assert len(found) == len(catalog.cards) > 500
    levels = [entry.definition.card.level or 0 for entry in found if entry.definition.kind == "monster"]
    assert levels == sorted(levels)
    assert all(entry.effects() is not None and entry.matches(entry.kind.lower().split()) for entry in found)


# ---------------------------------------------------------------------------------------------------------- gallery
@pytest.mark.long(0)
@pytest.mark.parametrize("size", SIZES)
async def test_the_gallery_shows_every_card_on_one_page(size: tuple[int, int]) -> None:
    catalog = set_samples.catalog(AXE, APO)
    cards = entries(catalog)
    screen = GalleryScreen(cards, Faces(catalog), UNICODE)
    async with shown(screen, size) as (press, results):
        gallery = screen.query_one(Gallery)
        seen = set()
        for _ in range(len(cards)):
            text = await press()
            first = gallery.scroll_offset.y
            seen |= {at for at in range(len(cards)) if _in_sight(gallery, at, first)}
            assert f"{gallery.at + 1} of {len(cards)}" in text and gallery.entry.name[:30] in text
            if gallery.at == len(cards) - 1:
                break
            await press("pagedown")
        assert seen == set(range(len(cards)))
        assert gallery.virtual_size.height >= gallery.size.height
        await press("enter")
        assert isinstance(screen.app.screen, PrintedCardScreen) and "What its effects say" in await press("end")
        await press("escape", "home")
        assert gallery.at == 0 and gallery.scroll_offset.y == 0
        await press("escape")
        assert results == [None]


def _in_sight(gallery: Gallery, at: int, first: int) -> bool:
    from tui.widgets.books.gallery import ROWS

    top = at // gallery.across * ROWS
    return first <= top < first + gallery.size.height


async def test_the_gallery_of_found_cards_opens_from_the_browser() -> None:
    screen = browser()
    async with shown(screen, (120, 40)) as (press, _):
        await press("slash", *"dragon", "enter", "g")
        found = screen.app.screen
        assert isinstance(found, GalleryScreen) and found.entries == tuple(screen.shown)
        await press("g")
        assert screen.app.screen is screen


# ------------------------------------------------------------------------------------------------------------ rules
async def test_the_rule_book_has_every_clause_in_its_chapter() -> None:
    chapters = rule_chapters()
    sections = [section for chapter in chapters for section in chapter.sections]
    assert len(sections) > 200 and all(section.texts[0] for section in sections)
    names = {section.name.partition(".")[0] for section in sections}
    assert names <= set(CHAPTERS), "a chapter without a name"
    screen = rules()
    async with shown(screen, (80, 24)) as (press, _):
        for chapter in chapters:
            text = await press("home") if chapter is chapters[0] else await press("down")
            assert chapter.name in text and chapter.sections[0].name in text
        assert "Nothing has these words" in await press("slash", *"xyzzy")


async def test_rules_are_found_by_words_and_by_set() -> None:
    async with shown(rules(), (120, 40)) as (press, results):
        text = await press("right", "right", "slash", *"seal.open", "enter")
        assert "Rules: 1 of" in text and "From: Apocalypse." in text
        assert "Nothing has these words" in await press("left")
        await press("escape")
        assert results == []
        await press("escape")
        assert results == [None]


async def test_a_long_chapter_scrolls_from_the_contents_and_by_itself() -> None:
    screen = rules()
    async with shown(screen, (80, 24)) as (press, results):
        chapter = screen.query_one("#chapter")
        await press("pagedown")
        assert chapter.scroll_offset.y > 0
        await press("pageup", "enter", "down", "down")
        assert chapter.has_focus and chapter.scroll_offset.y > 0
        await press("escape")
        assert not chapter.has_focus and results == []


async def test_the_pages_of_the_short_guide_fit_a_small_window() -> None:
    pages = guide(USUAL_NAMES)
    screen = BookScreen("Short guide", pages, UNICODE)
    async with shown(screen, (80, 24)) as (press, _):
        for page in pages:
            text = await press("home") if page is pages[0] else await press("down")
            assert page.name in text and not screen.query_one("#chapter").max_scroll_y, page.name


def test_the_short_guide_names_keys_that_exist_and_the_player_s_own() -> None:
    usual = " ".join(text for page in guide(USUAL_NAMES) for text in page.sections[0].texts)
    known = {key.keys for key in TABLE}
    named = set(re.findall(r"\((\w)\)", usual))
    assert named and named <= known and "{" not in usual
    own = guide(shown_keys({"table.kick": "comma", "prompt.pass": "f9"}))
    assert "Kick open the door (,)." in " ".join(own[1].sections[0].texts)
    assert "answer, f9 passes" in " ".join(own[4].sections[0].texts) and "SPACE" not in str(own)


# ------------------------------------------------------------------------------------------------------------- all
@pytest.mark.long(16)
@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("size", SIZES)
async def test_every_book_is_drawn_in_ascii_at_every_size(name: str, size: tuple[int, int]) -> None:
    app = KickdoorApp(Settings(bell=False, ascii=True))
    async with app.run_test(size=size) as textual:
        screen: Screen[Any] = app.book(name)
        await app.push_screen(screen)
        await settled(textual, 12)
        text = "\n".join(screen_lines(app))
        assert text.isascii() and "ESC back" in text, text
        assert ASCII.mark not in text.splitlines()[-1]
