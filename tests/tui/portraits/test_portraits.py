"""Every card of every set has a face, the same one everywhere; no two monsters of a set look the same."""

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from core.language.manifest import Portraits as Wishes
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import load_packs
from tests.scenarios import catalog_for
from tui.portraits.choose import OF_KIND, OF_SLOT, drawing_of, portraits_of
from tui.portraits.drawings import EMBLEM, LARGE, SMALL, creatures, drawings, parse
from tui.portraits.gallery import gallery, print_gallery, svg
from tui.portraits.palettes import GROUNDS
from tui.portraits.pixels import cells, doubled, pixels
from tui.portraits.words import CREATURES, THINGS

SETS = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")
PACKS_PAGE = Path(__file__).parents[3] / "docs/packs.md"


@pytest.mark.parametrize("set_id", SETS)
def test_no_two_monsters_of_a_set_look_the_same(set_id: str) -> None:
    catalog = catalog_for((set_id,))
    portraits = portraits_of(catalog.packs[0], catalog.cards)
    assert set(portraits) == {card.full_id for card in catalog.cards}
    monsters = [portraits[card.full_id] for card in catalog.cards if card.kind == "monster"]
    assert len({pixels(monster) for monster in monsters}) == len(monsters) >= 36
    assert len({pixels(monster, small=True) for monster in monsters}) == len(monsters)


def test_a_card_looks_the_same_alone_and_in_a_mix() -> None:
    alone = gallery(catalog_for(("axe-cop",)))[0][1]
    mixed = dict(gallery(catalog_for(SETS)))["Axe Cop"]
    assert [portrait for _, portrait in alone] == [portrait for _, portrait in mixed]


def test_more_monsters_than_faces_still_get_one_each() -> None:
    """A pack may have more monsters than drawings times palettes: then faces repeat, and nothing fails."""
    catalog = catalog_for(("axe-cop",))
    monster = next(card for card in catalog.cards if card.kind == "monster")
    copies = [
        type(monster)(monster.no, monster.set_id, msgspec.structs.replace(monster.card, id=f"m-{number}"))
        for number in range(len(creatures()) * 4 + 3)
    ]
    assert len(portraits_of(catalog.packs[0], copies)) == len(copies)


def test_the_pack_decides_first_and_unknown_drawings_count_as_not_written() -> None:
    catalog = catalog_for(("munchkins-and-mazes",))
    gnome = catalog.by_id["munchkins-and-mazes:lawn-gnome"]
    assert drawing_of(gnome, Wishes()).name == "gnome"
    assert drawing_of(gnome, Wishes(words={"lawn": "plant"}, cards={"lawn-gnome": "robot"})).name == "robot"
    assert drawing_of(gnome, Wishes(words={"gnome": "plant"})).name == "plant"
    assert drawing_of(gnome, Wishes(words={"gnome": "no-such"}, cards={"lawn-gnome": "none"})).name == "gnome"


def test_palettes_of_a_pack_colour_its_cards() -> None:
    catalog = catalog_for(("munchkins-and-mazes",))
    red = ("ff0000", "ff0000", "ff0000", "ff0000", "ff0000")
    head = msgspec.structs.replace(catalog.packs[0], portraits=Wishes(palettes=(red,)))
    assert {portrait.palette.main for portrait in portraits_of(head, catalog.cards).values()} == {0xFF0000}


def test_every_drawing_has_its_two_forms_and_an_emblem() -> None:
    found = drawings()
    assert len(creatures()) >= 30 and len(found) >= 60
    for name, drawing in found.items():
        for form, side in ((drawing.large, LARGE), (drawing.small, SMALL)):
            assert [len(row) for row in form] == [side] * side, name
        assert [len(row) for row in drawing.emblem] == [EMBLEM[0]] * EMBLEM[1], name
        if drawing.creature:
            assert any("e" in row or "k" in row for row in drawing.large), f"{name} has no eyes"
    assert len({drawing.large for drawing in found.values()}) == len(found)
    assert len({drawing.small for drawing in found.values()}) == len(found)


def test_every_slot_and_kind_has_a_drawing_and_every_word_calls_for_one_that_exists() -> None:
    known = drawings()
    assert set(OF_SLOT.values()) | set(OF_KIND.values()) <= set(known)
    assert set(GROUNDS) == {*OF_KIND, "monster"}
    assert all(known[name].creature for name in CREATURES.values())
    assert not any(known[name].creature for name in THINGS.values())


def test_the_page_for_authors_lists_every_drawing() -> None:
    text = PACKS_PAGE.read_text(encoding="utf-8")
    start = text.index("The drawings: ")
    listed = text[start : text.index("Other names are ignored", start)].replace("\n", " ")
    listed = listed.removeprefix("The drawings: ").strip(" .")
    assert sorted(listed.replace(";", ",").split(", ")) == sorted(drawings())


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ooze\n" + "........\n" * 15, "16 rows, 8 rows and an emblem"),
        ("ooze\n" + "........\n" * 15 + "...?....\n\n" + "....\n" * 8 + "\n(o)\n(o)\n(o)\n", "ooze, row 16"),
        ("ooze\n" + "........\n" * 16 + "\n" + "....\n" * 7 + "\n(o)\n(o)\n(o)\n", "7 rows"),
        ("ooze\n" + "........\n" * 16 + "\n" + "....\n" * 8 + "\n(oooo)\n(o)\n(o)\n", "an emblem has 3 rows"),
    ],
)
def test_a_drawing_that_is_wrong_is_named(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"things\.txt") as caught:
        parse(text, "things.txt", creature=False)
    assert says in str(caught.value)


def test_cells_stack_two_pixels_and_doubling_keeps_the_picture() -> None:
    catalog = catalog_for(("axe-cop",))
    portrait = gallery(catalog)[0][1][0][1]
    picture = pixels(portrait)
    rows = cells(picture)
    assert (len(rows), len(rows[0])) == (LARGE // 2, LARGE)
    assert rows[3][5] == (picture[6][5], picture[7][5])
    large = doubled(picture)
    assert (len(large), large[9][31]) == (2 * LARGE, picture[4][15])


@pytest.mark.parametrize(("system", "sign"), [("truecolor", "▀"), ("standard", "▀"), (None, "(o_o)")])
def test_the_gallery_prints_portraits_or_emblems(system: str | None, sign: str) -> None:
    out = io.StringIO()
    console = Console(file=out, width=80, color_system=system, force_terminal=system is not None, legacy_windows=False)  # type: ignore[arg-type]
    pages = gallery(catalog_for(("axe-cop",)), "monster")
    print_gallery(console, pages)
    text = out.getvalue()
    assert sign in text and "Vampire" in text and "Axe Cop: 36 cards" in text
    assert system is not None or text.isascii() or "…" in text
    if system is None:
        assert max(len(line) for line in text.splitlines()) <= 80


def test_the_picture_of_the_gallery_names_every_card() -> None:
    catalog = catalog_of([(pack.set_id, pack.files) for pack in load_packs(SETS)])
    picture = svg(gallery(catalog))
    assert picture.startswith("<svg") and picture.count("<g ") == len(catalog.cards)
    assert "Lawn Gnome" in picture and len(picture) < 2_000_000
