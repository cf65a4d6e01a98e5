"""A fight on the stage: sums, verdicts, reward and cost, odds to run; match point and its end."""

import re

import pytest
from msgspec.structs import replace

from core.state.model import Met
from core.state.views import Deciding, Flight, Term, View
from tests.tui import samples
from tests.tui.widgets.table.stage_rows import rows, scene_of, text
from tui.render.details import Detail, contents
from tui.scene import fight as words
from tui.scene import sums
from tui.scene.acts import Act
from tui.scene.bad_stuff import bad_stuff, brief_bad_stuff
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.scene.clock import Clock
from tui.scene.scene import Scene
from tui.widgets.table import stage_terms
from tui.widgets.table.stage_terms import _column, loss_of
from tui.widgets.table.stage_verdict import verdict_texts

SIZES = ((54, 11), (64, 21), (116, 32))


def cyril(heroes: int = 18, helper: int = -1) -> Scene:
    """Return a fight of Eve for the game: level 9 against the Glampire, at 18 to 17 or another sum."""
    view = samples.interrupt()
    fight = samples.own_fight()
    fight.seat, fight.helper, fight.heroes, fight.foes = 4, helper, heroes, 17
    fight.match_point, fight.win_level, fight.winning = True, 10, heroes > 17
    fight.hero_terms = [Term("Level", 9, 0, 4), Term("Meat Shield", heroes - 9, 1, 4)]
    fight.monsters = [samples.monster("Glampire", 1, 17)]
    fight.foe_terms = [
        Term("Glampire", 14, fight.monsters[0].id, -1),
        Term("Fireball, Indoors", 3, samples.public("Prismatic Glitter"), 3),
    ]
    fight.levels, fight.treasures = 1, 4
    view.fight, view.seats[4].level = fight, 9
    return samples.scene(view)


def test_a_fight_with_its_figures() -> None:
    shown = text(cyril(), 64, 21)
    assert "MATCH POINT" in shown and "ahead by 1" in shown
    assert "▲ EVE WINS BY 1  →  LEVEL 10  →  WINS THE GAME" in shown
    assert "9 Level" in shown and "+9 Meat Shield" in shown and "14 Glampire, Undead" in shown
    assert "+3 Fireball, Indoors ▲ Dee" in shown, "who added it"
    flat = " ".join(shown.replace("┃", " ").split())
    assert "if lost: run on 4 or more (50 %), or else: Lose the Headgear, Armor and Footgear you wear" in flat
    assert "if won: 1 level, 4 Treasures and the game" in flat


@pytest.mark.parametrize("size", SIZES)
def test_match_point_is_a_band_and_its_end_a_good_strip(size: tuple[int, int]) -> None:
    assert "MATCH POINT" in text(cyril(), *size) and "WINS THE GAME" in text(cyril(), *size)
    lost = cyril(14)
    assert lost.fight is not None
    variants, style = verdict_texts(lost, lost.fight)
    assert style == "on-good on good" and variants[0].startswith("✓ EVE LOSES BY 3")
    assert "EVE LOSES BY 3" in text(cyril(14), *size)


@pytest.mark.parametrize("size", SIZES)
def test_the_sums_the_margin_and_what_it_takes_are_never_cut(size: tuple[int, int]) -> None:
    shown = text(scene_of("crowded"), *size)
    assert "by 39" in shown and "+40" in shown
    shown = text(scene_of("own-combat"), *size)
    assert "YOU LOSE BY 4 ▶  +5 WINS LEVEL 4, 3 TREASURES" in shown


def test_without_room_for_faces_the_sums_stand_in_words() -> None:
    shown = text(scene_of("crowded"), 60, 4)
    assert "18 : 57" in shown and "BO LOSES BY 39" in shown


def test_who_wins_ties_needs_one_less() -> None:
    view = samples.own_combat()
    view.fight.wins_ties = True
    scene = samples.scene(view)
    assert "You LOSE: you need +4 to win (wins ties)" in words.verdict(scene)[0]
    assert "+4 WINS" in text(scene, 64, 21)
    view.fight.heroes, view.fight.winning = 12, True
    assert "a tie" in text(scene, 64, 21) and "YOU WIN A TIE" in text(scene, 64, 21)


def test_the_helper_the_price_and_the_helpers_level_are_named() -> None:
    view = samples.interrupt()
    view.fight.helper_levels = 1
    shown = text(samples.scene(view), 116, 32)
    assert "■ BO + ◆ CID" in shown and "◆ Cid helps for 2 Treasures" in shown and "and 1 level" in shown
    view.fight.compelled = True
    assert "because a card compels it" in text(samples.scene(view), 116, 32)
    acts = [Act(1, "", samples.no(name), (8, 12), (8, 12)) for name in ("Involuntary Volunteer", "Greater")]
    told = " ".join(text(samples.scene(view, acts=tuple(acts)), 116, 32).split())
    assert "because Involuntary Volunteer compels it" in told


def test_the_verdict_tells_what_the_helper_gets_of_the_prize() -> None:
    """It read "1 of 4 Treasures", and nothing told to whom the others go; nor that a helper gains a level."""
    view = samples.interrupt()
    fight = replace(samples.own_fight(), helper=2, treasures=4, heroes=21, foes=20, winning=True, win_level=5)
    assert view.fight is not None and view.fight.bargain is not None
    deal = replace(view.fight.bargain, treasures=3)
    cases = [
        (deal, 0, "◀ YOU WIN BY 1  → LEVEL 5 → 1 OF 4 TREASURES, ◆ 3"), (deal, 1, "→ 1 OF 4 TREASURES, ◆ 3, +1 LEVEL"),
        (None, 2, "→ 4 TREASURES, ◆ +2 LEVELS"), (replace(deal, treasures=4), 0, "→ 0 OF 4 TREASURES, ◆ 4"),
        (None, 0, "→ 4 TREASURES"),
    ]  # fmt: skip
    for bargain, levels, told in cases:
        view.fight = replace(fight, bargain=bargain, helper_levels=levels)
        (first, *others), _ = verdict_texts(samples.scene(view), view.fight)
        assert first.endswith(told) and all("◆" not in text for text in others)
    losing = replace(fight, bargain=deal, heroes=13, foes=18, winning=False)
    view.fight = losing
    (first, second, *_), _ = verdict_texts(samples.scene(view), losing)
    assert first == "YOU LOSE BY 5 ▶  +6 WINS LEVEL 5, 1 OF 4 TREASURES, ◆ 3" and "1 OF 4 TREASURES" in second
    assert "BO LOSES BY 26 ▶  +27 WINS LEVEL 8, 12 TREASURES" in text(scene_of("interrupt"), 54, 11), "the share goes"
    bos = replace(fight, seat=samples.BO, bargain=deal)
    view.fight = bos
    (first, second, *_), _ = verdict_texts(samples.scene(view), bos)
    assert first.endswith("→ LEVEL 5 → 1 OF 4 TREASURES, ◆ 3"), "whoever fights"
    assert second == "◀ BO WINS BY 1  → LEVEL 5 → 1 OF 4 TREASURES"


def test_open_offers_stand_below_the_fight() -> None:
    assert "offer: " in text(scene_of("own-combat"), 64, 21) and "help for 2 Treasures" in text(
        scene_of("own-combat"), 64, 21
    )


@pytest.mark.parametrize(
    ("run", "odds"), [(0, "on 5 or 6 (33 %)"), (4, "always"), (-2, "never"), (1, "on 4 or more (50 %)")]
)
def test_what_the_die_must_show_to_run_away(run: int, odds: str) -> None:
    view = samples.own_combat()
    view.seats[0].run = run
    assert words.run_chance(samples.scene(view), 0) == odds


def test_odds_in_words_and_together() -> None:
    assert [words.odds_words(needed) for needed in (0, 1, 2, 5, 6, 7)] == [
        "always", "always", "on 2 or more (83 %)", "on 5 or 6 (33 %)", "on a 6 (17 %)", "never",
    ]  # fmt: skip


def test_what_counts_once_is_spent_on_the_monster_that_makes_the_best_of_it() -> None:
    view = samples.running()
    ids = [monster.id for monster in view.fight.monsters]
    for first, later, best in ((1, 5, 1 / 3 * 1 / 3), (7, 3, 0), (6, 3, 1 / 6 * 4 / 6 * 4 / 6)):
        view.fight.flights = [Flight(samples.ME, ident, first, later, True) for ident in ids]
        scene = samples.scene(view)
        shares = words.together(scene, samples.ME, view.fight.monsters)
        assert len(shares) == 4 and sum(shares) == pytest.approx(1) and shares[-1] == pytest.approx(best)
    view.fight.flights[0] = Flight(samples.ME, ids[0], 1, 1)  # does not pursue: nothing is spent on it
    scene = samples.scene(view)
    assert words.together(scene, samples.ME, view.fight.monsters)[-1] == pytest.approx(1 / 6 * 4 / 6)
    assert words.away_words(scene, samples.ME, view.fight.monsters[0]) == ["always"]
    for size in SIZES:
        shown = " ".join(text(scene, *size).split())
        assert ("on a 6 if first, later on 3 or more" if size[1] > 25 else "6 first, 3+ later") in shown, size
        assert "to each roll" not in shown
    view.fight.met = [Met(samples.ME, ident, True) for ident in ids[:2]]
    assert words.away_words(samples.scene(view), samples.ME, view.fight.monsters[2]) == ["on a 6 (17 %)"]


@pytest.mark.parametrize("size", SIZES)
def test_running_shows_each_monster_its_odds_and_what_being_caught_costs(size: tuple[int, int]) -> None:
    shown = text(scene_of("running"), *size)
    assert "RUN AWAY" in shown and "Glampire #2" in shown and "Grammar Grue" in shown
    assert "on a 6" in shown and "17 %" in shown and "caught: Lose a level." in shown
    assert " 2 %" in shown and "37 %" in shown, "all of them together"


def test_while_two_run_the_odds_say_whose_they_are() -> None:
    """Formerly, "away always" stood there while two ran, and a reader did not know for whom."""
    view = samples.running()
    assert view.fight is not None
    view.fight = replace(view.fight, helper=samples.BO, monsters=view.fight.monsters[:1])
    view.deciding = [Deciding(samples.ME, "first", -1)]
    assert " ● You away on " in "\n".join(rows(samples.scene(view), 54, 11))
    alone = replace(view, fight=replace(view.fight, helper=-1))
    assert " ● You away on " not in "\n".join(rows(samples.scene(alone), 54, 11))


def test_what_the_die_must_show_is_never_cut_for_what_the_strength_is_made_of() -> None:
    """"Sphinx Between Riddles 6 = 12 - 6 away..." stood there at 80x24."""
    view = samples.running()
    assert view.fight is not None
    (met, *_) = view.fight.monsters
    met = replace(met, defn=samples.no("Sphinx Between Riddles"), strength=6)
    weaker = samples.no("Prismatic Glitter")
    view.fight.monsters, view.fight.flights = [met], [Flight(samples.ME, met.id, 5, 5)]
    view.fight.foe_terms = [
        Term("Sphinx Between Riddles", 12, met.id, -1), Term("Prismatic Glitter", -6, weaker, samples.BO),
    ]  # fmt: skip
    for width in range(40, 80):
        shown = text(samples.scene(view), width, 8)
        assert "away on 5 or 6" in shown or "away 5+" in shown, shown


def test_who_has_been_escaped_is_marked_and_what_does_not_pursue_is_told() -> None:
    view = samples.running()
    first, second, third = (monster.id for monster in view.fight.monsters)
    view.fight.met = [Met(samples.ME, first, True), Met(samples.ME, second, False)]
    view.fight.flights = [Flight(samples.ME, third, 1)]
    for size in SIZES:
        shown = text(samples.scene(view), *size)
        assert "✓ escaped" in shown and "✗ caught" in shown and "always" in shown, size
        assert "from none" not in shown, "one monster is left to run from"
        gone = next(line for line in shown.splitlines() if "✓ escaped" in line)
        assert "to get away" not in gone and "caught:" not in gone, "no odds are left against it"
    view.fight.met = [Met(samples.ME, one.id, True) for one in view.fight.monsters]
    assert all("caught:" not in text(samples.scene(view), *size) for size in SIZES)


def test_odds_that_come_to_the_same_first_and_later_are_said_once() -> None:
    view = samples.running()
    assert view.fight is not None
    view.fight.flights = [Flight(samples.ME, one.id, 10, 7, True) for one in view.fight.monsters]
    first = view.fight.monsters[0]
    assert words.away_words(samples.scene(view), samples.ME, first) == ["never"]
    view.fight.stage, view.fight.met = "fight", []
    view.fight.flights = [Flight(samples.ME, one.id, 0, 0, True) for one in view.fight.monsters]
    shown = " ".join("".join(part for part, _ in loss_of(samples.scene(view), view.fight)).split())
    assert "always. " in shown and "always Grammar" not in shown, "a sentence for each monster"


def test_the_odds_of_both_heroes_are_said_if_the_fight_is_lost() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    view.fight.seat, view.fight.helper, view.fight.stage = samples.ME, samples.BO, "fight"
    view.fight.monsters = view.fight.monsters[:1]
    monster = view.fight.monsters[0].id
    view.fight.flights = [Flight(samples.ME, monster, 5, 5), Flight(samples.BO, monster, 4, 4)]

    def said() -> str:
        assert view.fight is not None
        return " ".join("".join(part for part, _ in loss_of(samples.scene(view), view.fight)).split())

    assert "You run on 5 or 6 (33 %), ■ Bo on 4 or more (50 %), or else: " in said()
    view.fight.helper = -1
    assert said().startswith("if lost: run on 5 or 6 (33 %), or else: ")


def test_the_bar_tells_both_sides_apart_without_colours() -> None:
    shown = rows(scene_of("own-combat"), 64, 21)
    assert any(set(row.strip("┃│ ")) == {"█", "▒"} for row in shown), shown


def test_who_is_not_pursued_reads_so() -> None:
    """Formerly, the stage said `if lost: run always`."""
    view = samples.own_combat()
    assert view.fight is not None
    view.fight.monsters[0].run = 6
    assert "if lost: sure to get away" in text(samples.scene(view), 54, 11)


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_the_numbers_of_the_die_that_get_away_are_bracketed(glyphs: Glyphs) -> None:
    shown = text(scene_of("running", glyphs), 64, 21)
    assert "1  2  3  4 [5][6]" in shown and "1  2  3  4  5 [6]" in shown


def test_bad_stuff_is_the_printed_text_or_the_effects_in_words() -> None:
    scene = scene_of("own-combat")
    assert bad_stuff(scene, samples.no("Bearbug")) == "It hugs. Lose the Armor you wear and a level."
    for definition in scene.catalog.cards:
        if definition.kind == "monster":
            assert bad_stuff(scene, definition.no)


def test_where_bad_stuff_is_cut_only_what_it_costs_is_kept_and_a_key_shows_the_rest() -> None:
    scene = scene_of("own-combat")
    assert brief_bad_stuff(scene, samples.no("Bearbug")) == "Lose the Armor you wear and a level."
    for definition in scene.catalog.cards:
        if definition.kind == "monster":
            whole, brief = bad_stuff(scene, definition.no), brief_bad_stuff(scene, definition.no)
            assert brief and all(part in whole for part in re.split(r"(?<=[.!?]) ", brief)), whole
            assert ("die" in brief or "DEAD" in brief) == ("die" in whole or "DEAD" in whole), whole
    view = samples.own_combat()
    assert view.fight is not None
    view.fight.monsters[0].defn = samples.no("Encumbrance Elemental")
    shown = text(samples.scene(view), 54, 12)
    assert "or else: Lose" in shown and "Big Items or, with none, two levels." in shown
    view.fight.monsters[0].defn = samples.no("Rules Lawyer")
    assert "… +" in text(samples.scene(view), 54, 11), "a cut text says which key shows all of it"


def test_the_sums_are_never_read_as_one_number() -> None:
    fight = samples.own_fight()
    fight.heroes, fight.foes, fight.winning = 19, 2, True
    view = samples.own_combat()
    view.fight = fight
    shown = text(samples.scene(view), 64, 21).splitlines()
    figures = [row[18:46] for row in shown[2:10] if "█" in row[18:46]]
    columns = "".join("." if all(row[at] == " " for row in figures) else "#" for at in range(28)).strip(".")
    assert "....." in columns, figures


def test_a_small_stage_says_what_losing_costs_rather_than_what_the_strip_says_already() -> None:
    shown = " ".join(text(samples.scene(samples.own_combat()), 54, 12).replace("┃", " ").split())
    assert "or else: It hugs. Lose the Armor you wear and a level." in shown
    assert shown.count("3 TREASURES") == 1 and "if won" not in shown
    roomy = text(samples.scene(samples.own_combat()), 64, 21)
    assert "if won: 1 level, 3 Treasures" in roomy


@pytest.mark.parametrize(("width", "told"), [
    (60, "+2 Wombat Boots, +1 ■ Pop-Up Shield, -3 Bad Hat Day"), (36, "+2 Womba…, +1 ■ Pop-U…, -3 Bad H…"),
    (24, "+0 in 3 more"),
])  # fmt: skip
def test_terms_that_share_the_last_row_keep_their_amounts(width: int, told: str) -> None:
    scene = scene_of("own-combat")
    rows = [sums.Row("Wombat Boots", 2), sums.Row("Pop-Up Shield", 1, samples.BO),
            sums.Row("Bad Hat Day, curse", -3, brief="Bad Hat Day")]  # fmt: skip
    first = [sums.Row("Level", 3, base=True), sums.Row("Pickle Spear", 4)]
    *_, last = _column(scene, [*first, *rows], [], width, 3, "hero")
    assert plain(last).strip() == told and len(plain(last)) <= width


def test_in_the_last_row_that_is_left_no_sum_is_cut() -> None:
    assert "Bearbug 12" in text(scene_of("own-combat"), 62, 6)


def test_two_heroes_with_the_same_odds_share_them() -> None:
    """Formerly, the odds of both took the row in which the sums could be itemised."""
    view = samples.own_combat()
    assert view.fight is not None
    fight = replace(view.fight, helper=samples.BO, monsters=view.fight.monsters[:1], flights=[])
    told = "".join(part for part, _ in loss_of(samples.scene(view), fight))
    assert told.startswith("if lost: both run on 5 or 6 (33 %), or else: "), told
    view.seats[samples.BO].run = 1
    told = "".join(part for part, _ in loss_of(samples.scene(view), fight))
    assert told.startswith("if lost: ● You run on 5 or 6 (33 %), ■ Bo on 4 or more (50 %)"), told


def losing(name: str, *own: str, helper: int = -1) -> View:
    """Return a fight against one monster in which the player has these cards in play, which change their roll to run
    away."""
    view = samples.own_combat()
    assert view.fight is not None
    monster = samples.monster(name, 1, 9)
    view.fight, view.offers = replace(view.fight, helper=helper, monsters=[monster], flights=[]), []
    seat = view.seats[samples.ME]
    seat.table = samples.placed(*own)
    seat.run = sum(term.by for term in samples.scene(view).run_bonuses[samples.ME])
    return view


def flat(view: View, width: int, height: int) -> str:
    """Return the stage in one line, without its border and faces."""
    shown = text(samples.scene(view), width, height, Clock("", 0, 0))
    return " ".join("".join(" " if sign in "┃│▀█▄▒" else sign for sign in shown).split())


def test_what_changes_a_run_is_named_beside_its_number_before_the_number_is_spelled_out() -> None:
    """`run on 4+ (50 %)` for one and `on 5+` for another had no reason."""
    assert "run on a 6 (17 %) with Halfling -1, or else:" in flat(losing("Bearbug", "Halfling"), 64, 21)
    assert "run on a 6 (17 %, Halfling -1), or else:" in flat(losing("Bearbug", "Halfling"), 54, 11)
    assert "● You run on a 6 (17 %, Halfling -1), ■ Bo on 5+ (33 %)" in flat(
        losing("Glampire", "Halfling", helper=samples.BO), 54, 11
    )


def test_the_key_that_explains_numbers_names_what_changes_a_run() -> None:
    scene = samples.scene(losing("Bearbug", "Halfling"))
    told = " ".join(" ".join(plain(line) for line in contents(scene, Detail("why"), 60)[1]).split())
    assert "you get away on a 6 (17 %); added to the die: own -1 (Halfling -1)" in told, told


def test_what_being_caught_costs_is_cut_at_the_end_of_a_sentence() -> None:
    """"Discard your hand ... and roll. On 4 o… + all" ended within the number that decides."""
    shown = flat(losing("Rules Lawyer", helper=samples.BO), 54, 11)
    assert "argue and roll. On 4 or less, lose three levels." in shown or "argue and roll.… + all" in shown, shown
    shown = flat(losing("Rules Lawyer", "Halfling", helper=samples.BO), 54, 11)
    assert "On 4 or less, lose three levels." in shown or "argue and roll.… + all" in shown, shown


def test_a_cost_of_one_sentence_that_is_too_long_is_cut_after_a_word() -> None:
    view = losing("Glampire", "Halfling", helper=samples.BO)
    loss = stage_terms._whole_sentences(samples.scene(view), (("if lost: ", ""), ("Lose the Headgear.", "")), 1, 26)
    assert [plain(line) for line in loss] == ["if lost: Lose the… + all"]


def test_what_a_monster_does_when_it_is_killed_keeps_no_sentence_of_what_being_caught_costs() -> None:
    """"Shall I read you your last rights?" was told for "all lasting Curses end", and "You die." was cut."""
    assert brief_bad_stuff(scene_of("own-combat"), samples.no("Lich, Attorney at Law")) == "You die."
