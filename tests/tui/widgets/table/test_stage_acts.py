"""The strip of acts on the stage: the newest act of a fight is there at every size."""

import re

import pytest
from msgspec.structs import replace

from tests.tui import samples
from tests.tui.widgets.table.stage_rows import CLOCK, rows, scene_of, text
from tui.scene.acts import Act
from tui.scene.cells import ASCII, plain
from tui.scene.clock import Clock
from tui.scene.scene import LogLine, Scene
from tui.widgets.table.stage_acts import line

SIZES = ((34, 8), (52, 12), (64, 21), (116, 32))
ACTS = (
    Act(3, "Dee plays Life Partner on Glampire", -1, (18, 30), (18, 48)),
    Act(1, "Bo plays Prismatic Glitter", -1, (18, 48), (23, 48)),
    Act(4, "Eve plays Lukewarm Coffee of the Third Watch", -1, (23, 48), (23, 50)),
)


def with_acts(name: str, acts: tuple[Act, ...] = ACTS) -> Scene:
    return replace(scene_of(name), acts=acts)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("clock", [CLOCK, Clock("", 0, 0)], ids=["clock", "no clock"])
@pytest.mark.parametrize("name", ["own-combat", "crowded", "watching"])
def test_the_newest_act_and_the_sum_after_it_are_on_the_stage(name: str, clock: Clock, size: tuple[int, int]) -> None:
    shown = text(with_acts(name), *size, clock)
    assert "★ Eve plays Lukewarm" in shown and "23:50" in shown, shown
    if clock.words:
        assert clock.words in shown


def test_the_act_of_a_bot_that_plays_for_the_player_names_it() -> None:
    scene = with_acts("own-combat", (Act(samples.ME, "A bot for you plays Prismatic Glitter", -1, (18, 48), (23, 48)),))
    assert "● A bot for you plays Prismatic" in text(scene, 64, 21, Clock("", 0, 0))


@pytest.mark.parametrize("size", [(58, 6), (54, 11), (64, 21)])
@pytest.mark.parametrize("name", ["own-combat", "running"])
def test_what_has_struck_the_player_and_the_dice_stand_with_the_newest_act(name: str, size: tuple[int, int]) -> None:
    since = (
        LogLine("Bad Hat Day affects you from now on", yours=True),
        LogLine("Bo rolls 2 to run", seat=samples.BO, about="rolled", step="7.4"),
        LogLine(ACTS[-1].said, seat=4, about="moved"),
    )
    for clock in (Clock("", 0, 0), *([CLOCK] if size[1] > 6 else [])):
        shown = " ".join(text(replace(with_acts(name, ACTS[-1:]), since=since), *size, clock).split())
        assert "Bad Hat Day affects you" in shown and "★ Eve" in shown, shown
        if size[1] > 11 or (name == "running" and not clock.words):
            assert "Bo rolls 2" in shown, shown
        assert clock.words in shown


def test_an_act_of_a_fight_that_is_over_keeps_the_sums_after_it() -> None:
    """Formerly, the acts of a fight that began and ended while the player read something were told without their
    sums."""
    act = LogLine("Bo plays Ancient on Bearbug", seat=samples.BO, amount="23:20", about="moved", act=True)
    for name in ("own-combat", "idle"):
        drawn = text(replace(scene_of(name), since=(act,)), 54, 11, Clock("", 0, 0))
        assert "Bo plays Ancient on Bearbug (23:20)" in " ".join(re.sub("[┃│▀]", "", drawn).split()), drawn


def test_where_there_is_room_acts_stand_one_below_the_other_the_newest_last() -> None:
    shown = rows(with_acts("own-combat"), 116, 32)
    at = [next(no for no, row in enumerate(shown) if words in row) for words in ("Dee plays", "Bo plays", "Eve plays")]
    assert at == [at[0], at[0] + 1, at[0] + 2]
    assert "18:30 → 18:48" in shown[at[0]] and "23:48 → 23:50" in shown[at[2]]


def test_a_fight_without_acts_looks_as_it_did() -> None:
    for size in SIZES:
        assert rows(with_acts("crowded", ()), *size) == rows(scene_of("crowded"), *size)


def test_an_act_says_who_did_it_what_became_of_the_sums_and_whose_they_are() -> None:
    scene = samples.scene(samples.crowded())
    wide, narrow = (plain(line(scene, ACTS[1], width)) for width in (50, 43))
    assert wide == "■ Bo plays Prismatic Glitter      Bo 18:48 → 23:48"
    assert narrow == "■ Bo plays Prismatic Glitter  18:48 → 23:48"
    assert plain(line(scene, ACTS[1], 38)) == "■ Bo plays Prismatic G…  18:48 → 23:48", "a name is cut before a sum"
    assert plain(line(scene, ACTS[1], 28)) == "■ Bo plays Prismat…  → 23:48"
    mine = Act(samples.ME, "You use Elf", -1, (3, 4), (3, 4))
    assert plain(line(scene, mine, 30)).rstrip() == "● You use Elf"
    nobody = Act(-1, "The Seal opens", -1, (3, 4), (3, 9))
    assert plain(line(scene, nobody, 40)) == "The Seal opens              Bo 3:4 → 3:9"
    ascii_scene = samples.scene(samples.crowded(), ASCII)
    assert plain(line(ascii_scene, ACTS[1], 50)) == "x Bo plays Prismatic Glitter     Bo 18:48 -> 23:48"
    own = plain(line(samples.scene(samples.own_combat()), ACTS[1], 80))
    assert own.endswith("  you 18:48 → 23:48")


def test_where_the_card_is_known_the_sentence_gives_way_before_the_sums_do() -> None:
    scene = samples.scene(samples.own_combat())
    act = replace(ACTS[1], card=samples.no("Prismatic Glitter"))
    assert plain(line(scene, act, 52)) == "■ Bo plays Prismatic Glitter       you 18:48 → 23:48"
    for width in (40, 38):
        assert plain(line(scene, act, width)).split("  ")[0] == "■ Bo: Prismatic Glitter", width
        assert plain(line(scene, act, width)).endswith("18:48 → 23:48"), width


def test_a_long_name_becomes_its_noun_before_a_sum_is_left_out() -> None:
    """"● You: Regular Turtle With Rock…  → 21:20" did not say what the sum had been."""
    act = Act(samples.ME, "You use Boots of Skipping Ahead", samples.no("Boots of Skipping Ahead"), (18, 20), (21, 20))
    scene = samples.scene(samples.own_combat())
    assert plain(line(scene, act, 46)) == "● You: Boots of Skipping Ahead   18:20 → 21:20"
    for width, words in ((42, "● You use Boots "), (34, "● You use Boots "), (28, "● You: Boots ")):
        told = plain(line(scene, act, width))
        assert told.startswith(words) and told.endswith("18:20 → 21:20"), told


def test_the_text_that_asks_for_a_card_becomes_its_noun_before_it_is_cut() -> None:
    spear = samples.no("Pickle Spear")
    act = Act(samples.BO, "Bo loses Pickle Spear (Lukewarm Coffee of the Third Watch)", spear, (18, 30), (18, 25))
    scene = samples.scene(samples.crowded())
    assert plain(line(scene, act, 50)).startswith("■ Bo loses Pickle Spear (Coffee) ")
    assert plain(line(scene, act, 50)).endswith(" 18:30 → 18:25")
    assert plain(line(scene, act, 42)) == "■ Bo loses Spear (Coffee)    18:30 → 18:25"
    mine = replace(act, seat=samples.ME, said=act.said.replace("Bo loses", "You lose"))
    assert plain(line(scene, mine, 42)) == "● You lose Pickle Spear   Bo 18:30 → 18:25"


def test_what_a_die_has_brought_is_not_cut_while_its_card_is_named_in_full() -> None:
    """"You roll 4 (Regular Turtle With Rockets): +3 to…" stood above the act of the same card."""
    card = "Boots of Skipping Ahead"
    die = LogLine(f"You roll 4 ({card})", seat=samples.ME, about="rolled", step="7.4", then=f"{card}: +3 to the heroes")
    act = Act(samples.ME, f"You use {card}", samples.no(card), (18, 20), (21, 20))
    shown = text(replace(with_acts("own-combat", (*ACTS[:1], act)), since=(die,)), 54, 11, Clock("", 0, 0))
    assert "You roll 4 (Boots): +3 to the heroes." in shown and f"● You use {card}" in shown, shown
    assert "18:20 → 21:20" in shown and "more" not in shown, shown
    narrow = text(replace(with_acts("own-combat", (act,)), since=(die,)), 38, 8, Clock("", 0, 0))
    assert "You roll 4: +3 to the heroes." in narrow and "18:20 → 21:20" in narrow, narrow


def test_what_came_of_a_die_is_not_cut_while_a_bar_repeats_the_sums() -> None:
    """"Dot rolls 4 (Mushroom With a Fuse): Mush… r 1 more" stood below the bar."""
    die = LogLine("Bo rolls 4 (Twenty-Sided Dragon)", seat=samples.BO, about="rolled", step="7.4",
                  then="Twenty-Sided Dragon: +8 to the monsters")  # fmt: skip
    for height, bar in ((12, False), (14, True)):
        shown = text(replace(with_acts("own-combat", ()), since=(die,)), 54, height, Clock("", 0, 0))
        told = " ".join(shown.replace("┃", "").split())
        assert "Bo rolls 4 (Twenty-Sided Dragon): +8 to the monsters." in told and ("████" in shown) == bar, shown


def test_new_acts_come_before_the_bar_and_before_who_is_waited_for() -> None:
    """"r 1 more" stood in place of an act, and a bar above it."""
    news = tuple(LogLine(act.said, seat=act.seat, about="moved", act=True) for act in ACTS[1:])
    shown = text(replace(with_acts("own-combat", ACTS[1:]), since=news), 54, 12, Clock("", 0, 0))
    assert "■ Bo plays" in shown and "★ Eve plays" in shown and "more" not in shown, shown


def test_new_acts_come_before_words_of_the_loss_that_only_set_the_mood() -> None:
    scene = with_acts("own-combat", ACTS[1:])
    assert scene.fight is not None
    scene.fight.monsters[0].defn = samples.no("Grammar Grue")
    news = tuple(LogLine(act.said, seat=act.seat, about="moved", act=True) for act in ACTS[1:])
    shown = text(replace(scene, since=news), 54, 11, Clock("", 0, 0))
    assert "■ Bo plays" in shown and "★ Eve plays" in shown and "Lose a level." in shown, shown
