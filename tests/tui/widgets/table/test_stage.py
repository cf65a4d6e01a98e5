"""The stage: exact sizes in every situation, nothing secret, ASCII, names and numbers whole."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from core.state.views import Deciding, ThrowView, View, WindowView
from netcode.protocol.wire import Timers
from tests.tui import bot_games, samples, set_samples
from tests.tui.widgets.table.stage_rows import rows, scene_of, text
from tui.scene import card_book
from tui.scene.cells import ASCII, UNICODE, Glyphs
from tui.scene.clock import Clock, clock_of
from tui.scene.scene import LogLine, Scene
from tui.widgets.cards.face import names
from tui.widgets.table.stage_first import _fullest, _in_one_line, slots

SIZES = (
    (54, 11), (54, 12), (60, 4), (60, 6), (64, 21), (90, 24), (116, 32), (71, 16), (60, 3), (60, 9), (140, 30),
)  # fmt: skip
NO_CLOCK = Clock("", 0, 0)
SOME_SIZES = ((54, 11), (64, 21), (116, 32), (60, 4), (80, 15))


@pytest.mark.long(4)
@pytest.mark.parametrize("name", [*samples.SITUATIONS, *set_samples.SITUATIONS])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_every_situation_has_exactly_the_given_size(name: str, glyphs: Glyphs) -> None:
    scene = scene_of(name, glyphs)
    for width, height in SIZES:
        shown = text(scene, width, height)
        assert not glyphs.ascii or shown.isascii(), (name, width, height)


@pytest.mark.long(4)
@pytest.mark.parametrize("width", range(52, 150, 7))
def test_every_width_and_height_between_is_drawn(width: int) -> None:
    for name in ("crowded", "interrupt", "running", "apo-idle", "first-cards", "looting", "own-combat"):
        scene = scene_of(name)
        for height in range(1, 40, 2):
            rows(scene, width, height)


def _games() -> Iterator[tuple[Scene, int]]:
    for seed, sets in enumerate(((), ("axe-cop",), ("apocalypse",), ("warhammer-40k",))):
        catalog = set_samples.catalog(*sets) if sets else samples.catalog()
        for number, (seat, view) in enumerate(bot_games.views(seed + 1, 4, "easy", catalog, every=23)):
            yield Scene(catalog, view=view, info=samples.info(4), me=seat), number


def test_random_games_are_drawn_at_five_sizes() -> None:
    for scene, number in _games():
        rows(scene, *SOME_SIZES[number % len(SOME_SIZES)])


# ------------------------------------------------------------------------------------------------------------ secrets
def test_the_stage_says_that_others_may_speak_but_never_who_has_passed() -> None:
    view = samples.interrupt()
    assert "You may speak; the others may still speak" in text(samples.scene(view), 64, 21)
    view.window = WindowView(9, "lost", samples.BO, -1, True, 2)
    shown = text(samples.scene(view), 64, 21)
    assert "you have passed; the others may still speak" in shown
    for seat in range(1, 6):
        assert f"{samples.NAMES[seat]} passed" not in shown and f"{samples.NAMES[seat]} may" not in shown
    assert "everybody may still speak" in text(scene_of("watching"), 64, 21)


def test_the_hold_of_a_window_is_shown_and_by_whom() -> None:
    view = samples.interrupt()
    view.window = WindowView(9, "lost", samples.BO, 2, False, 2)
    scene = samples.scene(view)
    shown = text(scene, 80, 15, clock_of(scene, Timers(hold=12_000)))
    assert "Cid holds the table" in shown and "held by Cid: 12 s" in shown


# -------------------------------------------------------------------------------------------------------------- names
def test_long_and_wide_names_of_players_are_whole_or_only_their_shape() -> None:
    info = samples.info()
    info.seats[1].name, info.seats[2].name = "Wilhelmina the Twenty", "名前名前名前名前名前"
    view = samples.interrupt()
    for width, height in SIZES:
        shown = text(samples.scene(view, info=info), width, height)
        for name in ("Wilhelmina the Twenty", "名前名前名前名前名前"):
            for row in shown.split("\n"):
                start = row.upper().find(name[:2].upper())
                assert start < 0 or name.upper() in row.upper(), (width, height, row)


# -------------------------------------------------------------------------------------------------------------- other
def test_a_card_that_is_being_read_is_shown_with_its_text() -> None:
    view = samples.view(limbo=[samples.public("Bad Hat Day")])
    shown = text(samples.scene(view), 64, 21)
    assert "Bad Hat Day is being read" in shown and "A CARD" in shown
    fight = samples.own_combat()
    fight.limbo = view.limbo
    assert "Bad Hat Day is being read" in text(samples.scene(fight), 64, 21)
    assert "Bad Hat Day is being read" in text(samples.scene(fight), 54, 11)


@pytest.mark.parametrize("size", [(58, 6), (54, 11), (64, 21), (116, 32)])
@pytest.mark.parametrize("name", ["view", "own_combat"])
def test_who_has_played_the_card_that_is_being_read_on_whom_stands_beside_its_text(
    name: str, size: tuple[int, int]
) -> None:
    table = getattr(samples, name)()
    table.limbo = [samples.public("Bad Hat Day")]
    line = LogLine("Bo plays Bad Hat Day on you", "event", "7.3", samples.BO, "Bo", yours=True)
    scene = samples.scene(table, causes={samples.no("Bad Hat Day"): line})
    shown = " ".join(text(scene, *size).split())
    assert "■ Bo plays Bad Hat Day on you" in shown, shown
    assert " ".join(scene.paragraphs(table.limbo[0])[1:]).split()[0] in shown, "and its effect"


def test_a_card_that_asks_is_shown_with_its_text_wherever_it_lies() -> None:
    view = samples.view(turn=samples.ME, phase="trouble")
    view.deciding = [Deciding(1, "pick", samples.no("Bad Hat Day")), Deciding(samples.ME, "option", samples.no("Orc"))]
    shown = text(samples.scene(view), 64, 21)
    assert "Orc is being read" in shown and "Roar" in shown and "A CARD" in shown
    view.limbo = [samples.public("Bad Hat Day")]
    assert "Orc is being read" in text(samples.scene(view), 64, 21), "what is asked now comes first"
    fight = samples.own_combat()
    fight.deciding = view.deciding
    assert "Orc is being read" in text(samples.scene(fight), 64, 21)
    view.limbo, view.deciding = [], [Deciding(samples.ME, "trouble", -1)]
    assert "NO MONSTER" in text(samples.scene(view), 64, 21)


@pytest.mark.parametrize("size", [(54, 11), (64, 21), (60, 5)])
def test_while_a_die_may_be_thrown_again_the_text_begins_with_what_its_number_means(size: tuple[int, int]) -> None:
    thief = samples.no("Thief")
    throw = ThrowView(samples.BO, 6, 3, 3, 0, 0, thief, 1, "steal", samples.BO, samples.ME)
    view = samples.view(top="throw", throw=throw, deciding=[Deciding(2, "throw again", thief)])
    shown = " ".join(text(samples.scene(view), *size).replace("│", " ").replace("▀", " ").split())
    assert "On 4 or more take a Small Item" in shown and "Backstab" not in shown


def test_treasures_to_share_lie_on_the_stage() -> None:
    view = samples.view(pool=[samples.public("Plot Armor"), samples.public("Wombat Boots")], top="rewards")
    shown = text(samples.scene(view), 64, 21)
    assert "TREASURE" in shown and "Plot Armor" in shown and "Wombat Boots" in shown
    view.limbo = list(view.pool)  # as a host tells it
    assert text(samples.scene(view), 64, 21) == shown


def test_a_die_that_may_be_thrown_again_is_a_strip() -> None:
    view = samples.running()
    view.throw = ThrowView(samples.ME, 6, 3, 4, 5, view.fight.monsters[0].id)
    assert "You rolled 3, 4 in all, need 5: it may be thrown again" in text(samples.scene(view), 64, 21)
    calm = samples.view(throw=ThrowView(1, 6, 2, 2, 0, 0, samples.no("Cardsharp Imp")))
    assert "Bo rolled 2 for Cardsharp Imp: it may be thrown again" in text(samples.scene(calm), 64, 21)
    aimed = samples.view(throw=ThrowView(1, 6, 2, 2, 0, 0, samples.no("Cardsharp Imp"), on=samples.ME))
    assert "Bo rolled 2 for Cardsharp Imp on you: it may be thrown again" in text(samples.scene(aimed), 64, 21)


@pytest.mark.parametrize("size", SOME_SIZES)
def test_votes_and_pauses_are_on_the_stage(size: tuple[int, int]) -> None:
    paused = samples.scene(samples.idle(), info=samples.info(stage="paused"))
    assert "The table is paused." in text(paused, *size)
    voting = samples.scene(samples.interrupt(), info=samples.voting())
    assert "back" in rows(voting, *size)[1 if size[1] > 5 else 0]


def test_the_door_counts_the_cards_that_a_seat_cannot_see() -> None:
    shown = text(scene_of("your-turn"), 64, 21)
    assert "Door cards" in shown and "monsters" in shown and "curses" in shown


def test_at_ones_prompt_most_of_a_small_stage_tells_what_has_happened() -> None:
    """Formerly, only three rows told what has happened, and `r 19 more` hid nearly all of another player's turn. The
    other rows said whose turn it is, which the head says too."""
    since = tuple(LogLine(f"Bo gives away card number {no}", seat=samples.BO, about="moved") for no in range(20))
    shown = text(samples.scene(samples.your_turn(), since=since), 54, 11, NO_CLOCK)
    assert shown.count("gives away card") >= 5 and "Your turn" not in shown and "waits for" not in shown, shown
    assert "Doors unseen" in shown
    told = text(samples.scene(samples.your_turn()), 54, 11, NO_CLOCK)
    assert "Your turn" in told, "if there is nothing to tell"


def test_an_extra_turn_and_the_steps_are_named() -> None:
    shown = text(samples.scene(samples.view(turn_after=samples.ME)), 100, 21)
    assert "Turn 7 ■ Bo, an extra turn" in shown and "[kick open the door]" in shown


def test_the_seal_in_force_is_on_the_stage_with_its_text() -> None:
    for size in ((64, 21), (116, 32)):
        shown = " ".join(text(scene_of("apo-idle"), *size).replace("│", " ").split())
        assert "Seals open 3, 4 more end the game" in shown and "Beer Shortage" in shown


def test_your_place_shows_what_lies_in_its_slots() -> None:
    view: View = samples.first_cards()
    view.seats[0].table = samples.placed("Elf", "Plot Armor", "Pickle Spear")
    for size in ((64, 21), (54, 11), (116, 32)):
        shown = text(samples.scene(view), *size)
        assert "Elf" in shown and "Plot" in shown and "Pickle" in shown and "empty" in shown, size


def test_a_small_place_shows_the_slots_with_cards_before_empty_ones() -> None:
    box, view = set_samples.SITUATIONS["axe-lost"]()
    view = msgspec.structs.replace(view, top="setup", fight=None)
    seat = view.seats[samples.ME]
    scene = Scene(box.catalog, view=view, info=samples.info(len(view.seats)), me=samples.ME)
    left, right = slots(scene, samples.ME)
    full = [slot for slot in (*left, *right) if slot.cards]
    for most in (2, 3, 4):
        shown = _fullest([*left, *right], most)
        assert len(shown) == most and {card for slot in shown for card in slot.cards} == {p.card for p in seat.table}
    assert full and _fullest([*left, *right], 99) == [*left, *right]
    assert _in_one_line(scene, full[-1].cards[:1] * 3, 16).endswith(", 2 more"), "how many are not shown is never cut"


def test_a_slot_shows_each_of_its_cards_with_its_bonus() -> None:
    view: View = samples.first_cards()
    view.seats[0].table = samples.placed("Pickle Spear", "Reforged Sword")
    shown = text(samples.scene(view), 64, 21)
    assert "Pickle" in shown and "Reforged" in shown
    assert shown.count("+") == 2, "a number is never cut"


def test_the_bonus_of_an_item_that_is_carried_is_not_shown_as_if_it_counted() -> None:
    view: View = samples.first_cards()
    view.seats[0].table = [*samples.placed("Plot Armor"), *samples.placed("Pickle Spear", up=False)]
    for size in ((54, 11), (116, 32)):
        shown = " ".join(text(samples.scene(view), *size).replace("│", " ").split())
        assert "carried" in shown and "Pickle Spear +4" not in shown and "Plot Armor +2" in shown, size


def test_a_long_title_gives_way_to_the_word_that_the_item_is_only_carried() -> None:
    view: View = samples.first_cards()
    view.seats[0].table = samples.placed("Hammer of Finger Nailing", up=False)
    assert "(carried)" in text(samples.scene(view), 52, 11)


def test_who_has_won_is_addressed_as_everywhere_else() -> None:
    view = samples.over()
    view.winners = [samples.ME]
    shown = text(samples.scene(view), 64, 21)
    assert "You win the game." in shown and "you " in shown and samples.NAMES[samples.ME] not in shown


def test_no_name_breaks_inside_a_word_and_the_tops_of_the_discards_are_whole() -> None:
    catalog = card_book.built_in()
    for name in (definition.card.name for definition in catalog.cards):
        for width in (7, 11, 14):
            for word in " ".join(names(name, width, UNICODE)).split():
                assert word in name.split() or word.endswith("…") or word.startswith("…"), (name, width)
    for title in ("Hammer of Finger Nailing", "Reforged Sword", "Plot Armor", "Warrior"):
        view: View = samples.first_cards()
        view.seats[0].table = samples.placed(title)
        shown = text(samples.scene(view), 62, 21)
        assert all(word in shown for word in title.split()), shown
    view = samples.your_turn()
    view.door_top, view.treasure_top = samples.no("Bad Hat Day"), samples.no("Hammer of Finger Nailing")
    shown = " ".join(text(samples.scene(view), 62, 21).replace("│", " ").replace("▀", "").split())
    assert "Treasure: Hammer of Finger Nailing" in shown, shown
    for height in range(7, 22):
        told = text(samples.scene(view), 54, height).partition("top discards")[2].replace("▀", " ")
        assert "…" not in told, "a name that does not fit is left out"


# ------------------------------------------------------------------------------------------------------------ charity
def _gives(levels: int) -> View:
    """Bo gives away what he holds above five cards; the others have this Level, Dee has 2."""
    view = samples.view(turn=samples.BO, phase="charity", top="charity", deciding=[Deciding(samples.BO, "charity", -1)])
    view.seats[samples.BO].hand, view.seats[samples.BO].level = 7, 3
    for seat in view.seats:
        if seat.seat not in (samples.BO, 3):
            seat.level = levels
    return view


def _said(view: View) -> str:
    """Return the words of the stage beside its picture."""
    return " ".join(word for word in text(samples.scene(view), 90, 24).split() if word[0] not in "│▀")


def test_charity_says_to_a_watcher_the_limit_how_many_cards_go_and_who_receives_them() -> None:
    """Formerly, the stage said "what is above the limit to give away", but neither the limit, nor how many, nor to
    whom."""
    said = _said(_gives(4))
    assert "7 cards in hand" in said and "Charity: the limit is 5, 2 cards go to Dee (lowest Level)." in said
    view = _gives(2)
    view.seats[samples.ME].level = 5
    assert "2 cards go to Cid, Dee, Eve or Fox (lowest Level)" in _said(view)
    view.seats[samples.BO].level = 1
    said = _said(view)
    assert "Charity: the limit is 5, 2 cards are discarded (nobody has a lower Level)." in said


def test_charity_to_oneself_says_you() -> None:
    view = _gives(4)
    view.seats[samples.ME].level, view.seats[3].level = 1, 4
    assert "2 cards go to you (lowest Level)" in _said(view)


# ------------------------------------------------------------------------------------------- whose strength, what since
def test_the_strength_of_whoever_is_on_turn_names_its_owner_and_keeps_a_row_beside_what_has_happened() -> None:
    """Formerly, "strength 1" was shown without a name in another player's turn, and disappeared when there was much to
    tell."""
    view = samples.idle()
    strength = view.seats[samples.BO].strength
    told = tuple(LogLine(f"Bo sells Item number {at} of his", "event", "7.1", 1, "Bo", just=True) for at in range(40))
    for since in ((), told):
        shown = text(samples.scene(view, since=since), 54, 11)
        assert f"Bo's strength {strength}" in shown and ("more" in shown) == bool(since)
    view.turn = samples.ME
    assert f"your strength {view.seats[samples.ME].strength}" in text(samples.scene(view), 54, 11)
    assert "Bo sells" in text(samples.scene(samples.idle(), since=told), 54, 4), "the smallest stage only tells"


def test_unseen_doors_are_not_confused_with_the_number_of_the_deck() -> None:
    """Formerly, the stage said "Doors" like the head, but its number also counted the hands of the others."""
    view = samples.idle()
    shown = text(samples.scene(view), 54, 11)
    assert "Doors unseen: monsters" in shown and not re.search(r"\d Doors", shown)
    assert "Of the Door cards that you cannot see:" in text(samples.scene(view), 116, 32)


def test_where_nobody_can_run_the_stage_names_what_makes_it_so() -> None:
    """Formerly, it said only `to run: never`."""
    view = samples.view(turn=3)
    view.seats[3].table, view.seats[3].run = samples.placed("Threehander"), -2
    for width, height in ((54, 12), (64, 21), (116, 32)):
        shown = " ".join(re.sub("[│▀]", "", text(samples.scene(view), width, height)).split())
        assert "to run: not possible with Threehander -2" in shown, shown


def test_an_item_that_is_carried_among_the_first_cards_says_why() -> None:
    view = samples.first_cards()
    view.seats[samples.ME].table = samples.placed("Bow of Standing Well Back", up=False)
    shown = text(samples.scene(view), 80, 12)
    assert "Bow of Standing Well Back (carried: only if you are an Elf)" in shown, shown
    assert "(carried)" in text(samples.scene(view), 54, 11), "where there is no room"


def test_a_run_names_what_changes_the_roll_at_every_size() -> None:
    """Formerly, the stage said "away on 3 or more" and nothing of what makes it easy."""
    view = samples.running()
    assert view.fight is not None
    toddler = samples.monster("Mandrake Toddler", 1, 1, run=2)
    view.fight = msgspec.structs.replace(view.fight, monsters=[toddler], flights=[])
    view.seats[samples.ME].table, view.seats[samples.ME].run = [], 0
    for size in ((54, 12), (64, 21), (116, 32)):
        shown = text(samples.scene(view), *size)
        assert "Mandrake Toddler +2" in shown, shown


def test_what_changes_a_roll_to_run_is_named_between_fights_too() -> None:
    """`to run: on a 6 (17 %)` had no reason, because the longest words did not fit into one row."""
    view = samples.idle()
    seat = view.seats[view.turn]
    seat.table = samples.placed("Stilts of the Moral High Ground", "Halfling")
    seat.run = sum(term.by for term in samples.scene(view).run_bonuses[view.turn])
    shown = text(samples.scene(view), 54, 14, Clock("", 0, 0))
    assert "to run: on" in shown and "with" in shown, (shown, samples.scene(view).run_bonuses[view.turn])
