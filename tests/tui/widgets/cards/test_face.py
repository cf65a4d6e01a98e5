"""Cards of the hand: every card of the four sets at every size, texts that are never cut, effects of the cursor."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

import cards
from core.language import catalog as catalogs
from core.language.catalog import Catalog
from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.model import Ask, card_id
from core.state.views import You
from tests.tui import samples, set_samples
from tui.menus.choices import card_entry
from tui.menus.outlooks import of_entry
from tui.portraits.pixels import Look
from tui.scene.card_text import figure
from tui.scene.cells import ASCII, UNICODE, Glyphs, Line, plain
from tui.scene.outlook import NOTHING, Outlook
from tui.scene.scene import Scene
from tui.widgets import digits
from tui.widgets.cards.face import Face, draw, face_of, number_words
from tui.widgets.cards.playability import what_now

SIZES = ((13, 5), (16, 5), (15, 9), (20, 9), (30, 9), (20, 18), (25, 18))
LONG = Outlook("24 : 17", ("he wins the game", "he wins"), "bad")


@cache
def every_card() -> Catalog:
    """Return the catalog of the four sets."""
    return catalogs.load([cards.pack_files(name) for name in cards.BUILT_IN])


def scene_with(*hand: int, glyphs: Glyphs = UNICODE, catalog: Catalog | None = None, **more: Any) -> Scene:
    """Return a scene with this hand and nothing to do."""
    table = samples.view()
    table.you = You(samples.ME, list(hand), [], [], [])
    scene = samples.scene(table, glyphs, **more)
    return scene if catalog is None else Scene(catalog, scene.info, table, samples.ME, glyphs)


def faces(glyphs: Glyphs = UNICODE) -> Iterator[Face]:
    """Yield every card of the four sets, each in a hand of ten."""
    catalog = every_card()
    ids = [card_id(1 + at, 1, definition.no) for at, definition in enumerate(catalog.cards)]
    for at in range(0, len(ids), 10):
        hand = ids[at : at + 10]
        scene = scene_with(*hand, glyphs=glyphs, catalog=catalog)
        yield from (face_of(scene, card, "1") for card in hand)


def text(lines: tuple[Line, ...]) -> str:
    """Return the text of a card."""
    return "\n".join(plain(line) for line in lines)


@pytest.mark.long(0)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_card_of_the_four_sets_fits_every_size_with_its_number_whole(glyphs: Glyphs) -> None:
    drawn = 0
    for face in faces(glyphs):
        for width, height in SIZES:
            for chosen in (False, True):
                shown = replace(face, chosen=chosen, outlook=LONG, playable=chosen)
                lines = draw(shown, width, height, glyphs)
                assert len(lines) == height and {cell_len(plain(line)) for line in lines} == {width}, face.name
                found = text(lines)
                assert not glyphs.ascii or found.isascii(), face.name
                assert _shows(found, face.number, glyphs.ascii), f"{face.name} at {width}: {found}"
                assert "24:17" in found, face.name
        drawn += 1
    assert drawn == len(every_card().cards) > 0


def _shows(found: str, number: str, ascii_only: bool) -> bool:
    """Return whether a number is there, in letters or in large digits."""
    if number in found:
        return True
    large = digits.rows(number, digits.SMALL, ascii_only)
    return all(row.strip() in found for row in large)


def test_kinds_are_words_of_the_set() -> None:
    kinds = {face.kind for face in faces()}
    assert {"monster", "item", "one-shot", "class", "race", "power", "army", "curse", "disaster", "level up"} <= kinds
    assert {"second class", "second race", "second army", "enhancer", "Ally", "Seal", "vehicle"} <= kinds
    assert not any(len(kind) < 4 or any(sign.isdigit() for sign in kind) for kind in kinds)


@pytest.mark.parametrize(
    ("name", "number", "word"),
    [
        ("Glampire", "14", "level"), ("Pickle Spear", "+4", "2 hands"), ("Greater", "+10", "monster"),
        ("Find a Typo in the Rulse", "+1", "level"), ("Everybody Gets One", "+2", "levels"), ("Orc", "", ""),
    ],
)  # fmt: skip
def test_the_printed_number_and_what_it_is(name: str, number: str, word: str) -> None:
    assert figure(samples.catalog().named(name).card) == (number, word)


def test_a_card_that_cannot_be_played_now_is_grey_and_says_why() -> None:
    view = samples.interrupt()
    scene = samples.scene(view)
    by_name = {scene.title(card): face_of(scene, card, "1") for card in scene.hand()}
    glitter, grue = by_name["Prismatic Glitter"], by_name["Grammar Grue"]
    assert glitter.playable and not grue.playable
    frame = {style for line in draw(grue, 20, 9, UNICODE) for sign, style in line if "╯" in sign}
    assert frame == {"line|"} and "on your turn" in text(draw(grue, 20, 9, UNICODE))
    assert {"oneshot|"} == {style for line in draw(glitter, 20, 9, UNICODE) for sign, style in line if "╯" in sign}


def test_the_last_row_tells_the_sums_the_host_has_worked_out() -> None:
    view = samples.own_combat()
    card = view.you.hand[0]
    rows = [at for at, row in enumerate(view.you.legal) if getattr(row.action, "card", 0) == card]
    forecasts = (
        Forecast(rows[:1], "sums", 0, samples.ME, -1, 13, 12, True, 4, 3),
        Forecast(rows[1:], "sums", 0, samples.ME, -1, 8, 17, False, 3, 0),
    )
    playable, outlook = what_now(samples.scene(view, forecasts=forecasts), card)
    assert playable and outlook.fitted(15, UNICODE) == "✓ 13:12 or 8:17", "for the heroes, for the monsters"


@pytest.mark.parametrize(
    ("name", "row", "words"),
    [
        ("Orc", lambda card: Legal(a.Play(card)), "become one"),
        ("Plot Armor", lambda card: Legal(a.Play(card)), "equip it"),
        ("Bad Hat Day", lambda card: Legal(a.Play(card, seat=2)), "on Cid"),
        ("Grammar Grue", lambda card: Legal(a.Trouble(card)), "fight it"),
        ("Find a Typo in the Rulse", lambda card: Legal(a.Play(card, seat=2)), "+1 level for Cid, none for you"),
        ("Find a Typo in the Rulse", lambda card: Legal(a.Play(card, seat=0)), "you reach Level 4"),
        ("Find a Typo in the Rulse", lambda card: Legal(a.Play(card, seat=0), vain=True), "nothing comes of it"),
        ("Orc", lambda card: Legal(a.Play(card), unhelped=True), "makes nobody help"),
    ],
)  # fmt: skip
def test_words_for_what_a_card_would_do_now(name: str, row: Callable[[int], Legal], words: str) -> None:
    card = samples.held(name)
    playable, outlook = what_now(with_legal(card, [row(card)]), card)
    idle = words in ("nothing comes of it", "makes nobody help", "+1 level for Cid, none for you")
    assert playable and outlook.words[0] == words and outlook.verdict == ("" if idle else "good"), "no tick for nothing"


def test_a_level_card_for_others_says_what_it_gives_and_has_no_tick() -> None:
    """A card said "✓ others", which nobody understood."""
    card = samples.held("Sympathy Points")
    rows = [Legal(a.Play(card, seat=seat)) for seat in (1, 2)]
    _, outlook = what_now(with_legal(card, rows), card)
    assert [outlook.fitted(cells, UNICODE) for cells in (31, 14, 11)] == [
        "+2 levels for one of the others", "+2 not for you", "not for you",
    ]


@pytest.mark.parametrize(
    ("level", "words", "tick"), [(5, "for the lowest Level, not for you", ""), (1, "go up a level", "good")]
)
def test_a_level_card_for_the_lowest_promises_nothing_to_anybody_else(level: int, words: str, tick: str) -> None:
    card = samples.held("Double or Nothing")
    scene = with_legal(card, [Legal(a.Play(card))])
    scene.view.seats[samples.ME].level = level
    playable, outlook = what_now(scene, card)
    assert playable and (outlook.words[0], outlook.verdict) == (words, tick)


def with_legal(card: int, legal: list[Legal], asks: Sequence[Ask] = (), **more: Any) -> Scene:
    """Return a scene of Ada's turn, with one card in hand."""
    view = samples.view(**{"turn": samples.ME, **more})
    view.you = You(samples.ME, [card], [], list(asks), legal)
    return samples.scene(view)


def test_a_card_that_answers_a_question_can_be_chosen() -> None:
    card = samples.held("Greater")
    playable, outlook = what_now(with_legal(card, [], [Ask(3, samples.ME, "charity", [card], 1, 1)]), card)
    assert playable and outlook.words[0] == "choose it"


def test_a_card_that_could_be_played_too_says_what_its_key_does_while_a_question_is_open() -> None:
    """Formerly, a card among those to be discarded said that its key would play it."""
    card = samples.held("Find a Typo in the Rulse")
    asks = [Ask(3, samples.ME, "charity", [card], 1, 1)]
    playable, outlook = what_now(with_legal(card, [Legal(a.Play(card, seat=samples.ME))], asks), card)
    assert playable and outlook.words[0] == "choose it"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (lambda card: Legal(a.Sell(()), Pick("cards", (card,), 1, 1, 100, (300,))), "sells for 100 gold"),
        (lambda card: Legal(a.Use(samples.public("Thief"), 0), Pick("pay", (card,), 1, 1)), "can pay for Thief"),
        (lambda card: Legal(a.Use(samples.public("Thief"), 0), Pick("pay", (card,), 1, 1), vain=True), "in a fight"),
        (lambda card: Legal(a.Kick()), "in a fight"),
    ],
)  # fmt: skip
def test_what_else_a_card_is_good_for(row: Callable[[int], Legal], words: str) -> None:
    card = samples.held("Lukewarm Coffee of the Third Watch")
    playable, outlook = what_now(with_legal(card, [row(card)]), card)
    assert not playable and outlook.words[0] == words


@pytest.mark.parametrize(
    ("phase", "words"), [("start", "after the door, if you meet no monster"), ("end", "on your next turn")]
)
def test_a_monster_in_hand_says_when_it_can_be_fought(phase: str, words: str) -> None:
    card = samples.held("Bearbug")
    assert what_now(with_legal(card, [], phase=phase), card)[1].words[0] == words


def test_an_item_of_no_use_to_its_owner_says_why() -> None:
    card = samples.held("Hammer of Finger Nailing")
    playable, outlook = what_now(with_legal(card, [Legal(a.Play(card))]), card)
    assert playable and not outlook.verdict
    assert outlook.words[0] == "carried, not equipped: only if you are a Dwarf"


def test_an_item_for_which_there_is_no_room_says_so() -> None:
    card = samples.held("Helm of Selective Hearing")
    playable, outlook = what_now(with_legal(card, [Legal(a.Play(card))]), card)
    assert playable and not outlook.verdict
    assert outlook.words[0] == "carried, not equipped: you wear Headgear already"


def test_before_the_first_turn_other_cards_are_kept() -> None:
    card = samples.held("Greater")
    assert what_now(with_legal(card, [], top="setup"), card)[1].words == ("keep it",)
    box = set_samples.Box(set_samples.AXE)
    (ranked,) = box.held("Bubblegum")
    view = box.view(samples.six_seats(), [ranked], top="setup")
    view.seats[samples.ME] = replace(view.seats[samples.ME], level=1, table=[])
    first = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE)
    assert what_now(first, ranked)[1].words[-1] == "at Level 3", "why it is not among what can be played first"


def test_in_a_replay_no_card_is_dimmed_and_none_promises_anything() -> None:
    view = samples.idle()
    scene = samples.scene(view, replay=True)
    assert {what_now(scene, card) for card in view.you.hand} == {(True, NOTHING)}


@pytest.mark.long(4)
@pytest.mark.parametrize("size", SIZES)
def test_the_cursor_changes_nothing_but_the_upper_border_and_the_name(size: tuple[int, int]) -> None:
    for face in faces():
        here = replace(face, chosen=True)
        before, after = draw(face, *size, UNICODE), draw(here, *size, UNICODE)
        changed = [y for y, (one, other) in enumerate(zip(before, after)) if one != other]
        assert changed and max(changed) <= 2 and "on gold" in str(after[0]), face.name


def test_emblems_and_plain_pixels() -> None:
    face = next(face for face in faces() if face.kind == "monster")
    assert "▀" not in text(draw(face, 20, 9, UNICODE, Look.EMBLEM))
    assert face.portrait.drawing.emblem[1].strip() in text(draw(face, 20, 9, UNICODE, Look.EMBLEM))
    colours = {style for line in draw(face, 20, 9, UNICODE, Look.PLAIN) for sign, style in line if "▀" in sign}
    assert any("on #000000" in style for style in colours)


def test_a_long_name_takes_two_rows_and_then_the_mark() -> None:
    scene = scene_with(samples.held("Lukewarm Coffee of the Third Watch"))
    face = face_of(scene, scene.hand()[0], "1")
    lines = [plain(line) for line in draw(face, 15, 9, UNICODE)]
    assert "Lukewarm" in lines[1] and lines[2].rstrip(" │").endswith("…")
    wide = replace(face, name="龍の眠る丘の上で歌う者たちの長い名前")
    assert {cell_len(plain(line)) for line in draw(wide, 15, 9, UNICODE)} == {15}


def test_mixed_sets_use_each_cards_own_words() -> None:
    box = set_samples.Box(set_samples.APO, set_samples.W40K)
    scene = Scene(box.catalog, samples.info(), samples.view(), samples.ME)
    disaster = face_of(scene, box.open("Disaster! Zoo Breakout"), "2")
    assert disaster.kind == "disaster" and "2 disaster" in text(draw(disaster, 20, 9, UNICODE))


def test_the_kind_is_named_on_every_narrow_card_and_a_long_text_takes_the_blank_row() -> None:
    for face in faces():
        shown = [plain(line) for line in draw(face, 14, 5, UNICODE)]
        assert face.kind in "".join(shown) or len(face.kind) > 8, shown
    card = samples.held("Orc")
    face = face_of(scene_with(card), card, "1")
    rows = [plain(line) for line in draw(face, 25, 18, UNICODE)]
    assert rows[-3].strip(" │"), "no blank row below a text that is cut"


def test_a_price_is_not_read_as_strength_where_there_is_little_room() -> None:
    coin = samples.held("Coin with Two Tails")
    scene = samples.scene(samples.one_item_in_hand("Coin with Two Tails"))
    for width, height in ((12, 5), (13, 5), (14, 5), (20, 9)):
        shown = text(draw(face_of(scene, coin, "1"), width, height, UNICODE))
        assert re.search(r"\d ?(gp|g|gold)\b|gold", shown), shown


def test_a_card_says_for_which_ability_it_can_pay() -> None:
    """Formerly, the card said "to pay with", but not for what."""
    card = samples.held("Lukewarm Coffee of the Third Watch")
    pays = Legal(a.Use(samples.public("Thief"), 1), Pick("pay", (card,), 1, 1))
    assert what_now(with_legal(card, [pays]), card)[1].words[:2] == ("can pay for Thief", "pays for Steal")


def test_a_bonus_against_an_undead_says_how_much_it_is_now_and_why() -> None:
    """Formerly, the card and its row said +2, but the sum in the row rose by 4."""
    box, view = set_samples.axe_lost()
    (card,) = box.held("Squirt of Ketchup")
    assert view.fight is not None and view.you is not None
    view.fight.stage, view.you = "fight", You(samples.ME, [card], [], [], samples.either_side(card))
    for tags, number, because in (([], "+2", ""), (["undead"], "+4", "Undead")):
        (monster,) = view.fight.monsters
        view.fight.monsters[:] = [replace(monster, tags=tags)]
        scene = replace(samples.scene(view), catalog=box.catalog)
        face = face_of(scene, card, "1")
        assert (face.number, face.because) == (number, because)
        assert number_words(face) == f"{number} {because}".strip()
        entry = card_entry(scene, card)
        assert entry is not None and f"Squirt of Ketchup {number}" in entry.label


@pytest.mark.parametrize(
    ("name", "row", "brief"),
    [
        ("Helm of Selective Hearing", "carried: you wear Headgear already", "head taken"),
        ("Hammer of Finger Nailing", "carried: only if you are a Dwarf", "not for you"),
    ],
)
def test_where_there_is_little_room_an_item_that_is_only_carried_says_why(name: str, row: str, brief: str) -> None:
    """Formerly, the card said "only carried" and its row "carried, not equipped", and neither said why."""
    card = samples.held(name)
    outlook = what_now(with_legal(card, [Legal(a.Play(card))]), card)[1]
    assert next(words for words in outlook.words if len(words) <= 40) == row
    assert outlook.fitted(11, UNICODE) == brief
    entry = card_entry(scene := with_legal(card, [Legal(a.Play(card))]), card)
    assert entry is not None and all("carried" in words for words in of_entry(scene, entry).words)
    assert entry.label == f"play {name}", "it adds nothing, but the row promised +1 and had no room for `carried`"
