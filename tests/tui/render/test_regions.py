"""The regions as lines: exact sizes, marks, the words that matter."""

import pytest
from rich.cells import cell_len

from core.state.model import Bargain
from tests.tui import samples
from tests.tui.region_lines import regions
from tui.menus.offer_text import offer_words, terms_of
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain

SIZES = ((80, 7), (74, 19), (45, 11), (30, 4), (120, 30))


@pytest.mark.long(4)
@pytest.mark.parametrize("name", samples.SITUATIONS)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_region_has_exactly_the_given_size(name: str, glyphs: Glyphs) -> None:
    scene = samples.scene(samples.SITUATIONS[name](), glyphs, me=-1 if name == "watching" else samples.ME)
    for width, height in SIZES:
        for region, lines in regions(scene, width, height):
            wide = [plain(line) for line in lines if cell_len(plain(line)) != width]
            assert not wide, f"{region} at {width}: {wide}"
            if glyphs.ascii:
                assert all(plain(line).isascii() for line in lines), region


def test_terms_of_a_bargain_in_words() -> None:
    scene = samples.scene(samples.own_combat())
    deal = Bargain(1, 2, 0, "help", 2, 2, False, [samples.public("Pickle Spear")], [], [5], 5)
    words = terms_of(scene, deal)
    assert words == "2 Treasures (you pick first) + Pickle Spear + 1 hand card played on the helper"


def test_a_trade_says_whose_each_card_is_and_what_it_is_worth_in_a_fight() -> None:
    """It read "Bo to you: Pickle Spear for Plot Armor": who gets which, and is that good?"""
    scene = samples.scene(samples.idle())
    spear, armor = samples.public("Pickle Spear"), samples.public("Plot Armor")
    deal = Bargain(1, samples.BO, samples.ME, "trade", -1, 0, False, [spear], [armor], [], 5)
    assert offer_words(scene, deal) == "Bo to you: Pickle Spear +4 for your Plot Armor +2"
    mine = Bargain(1, samples.ME, samples.BO, "trade", -1, 0, False, [armor], [spear], [], 5)
    assert offer_words(scene, mine) == "you to Bo: your Plot Armor +2 for Pickle Spear +4"


