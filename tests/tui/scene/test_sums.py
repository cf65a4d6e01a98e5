"""The sums of a fight, term by term and added up: a monster's own bonus and one-shots are told apart from the rest."""

from msgspec.structs import replace

from core.language.schema import If, Strength
from core.state.model import card_id, defn_of
from core.state.views import Term
from core.text.card_mods import reason_of_bonus
from core.text.card_phrases import Phrases
from tests.tui import samples, set_samples
from tests.tui.widgets.table.stage_rows import text
from tui.scene.cells import plain
from tui.scene.clock import Clock
from tui.scene.gear import noun
from tui.scene.scene import Scene, shape
from tui.scene.strengths import strength_words
from tui.scene.sums import Row, foe_rows, foe_sums, hero_rows, hero_sums, made_of, summed
from tui.widgets.table import stage_sum_lines, stage_terms


def axe_cop() -> Scene:
    """Return the scene of a lost fight with the Chainsaw Cop."""
    box, view = set_samples.axe_lost()
    return replace(samples.scene(view), catalog=box.catalog)


def test_what_a_card_adds_more_than_once_is_added_up() -> None:
    """A Curse that struck twice is added up, an Item counts once, and the other cards add nothing at this seat."""
    view, doubt = samples.idle(), samples.lasting("Sudden Doubt")
    spear = samples.placed("Pickle Spear")
    seats = [replace(seat, table=[], lasting=[]) for seat in view.seats]
    seats[samples.ME] = replace(seats[samples.ME], table=spear, lasting=[doubt, doubt])
    amounts = samples.scene(replace(view, seats=seats)).amounts
    level = view.seats[samples.ME].level
    assert {card: by for (seat, card), by in amounts.items() if seat == samples.ME} == {
        0: level, doubt.card: -4, spear[0].card: 4,
    }  # fmt: skip


def test_a_monsters_own_bonus_says_against_whom() -> None:
    scene = axe_cop()
    assert scene.fight is not None
    rows = foe_rows(scene, scene.fight)
    assert [(row.label.partition(",")[0], row.amount) for row in rows] == [
        ("Chainsaw Cop", "13"), ("its bonus against a Cop", "+4"),
    ]  # fmt: skip
    assert summed(rows[1:], ascii_only=True) == "its bonus 4", "where there is little room"


def test_the_reason_of_a_bonus_is_cut_rather_than_left_out() -> None:
    """"its bonus" stood there alone where its reason was too long."""
    box, view = set_samples.apo_fight()
    assert view.fight is not None
    shark = box.open("Hardware Store Shark")
    met = replace(view.fight.monsters[0], id=shark, defn=defn_of(shark), tags=[])
    terms = [Term("Hardware Store Shark", 4, shark, -1), Term("Hardware Store Shark", 2, shark, -1, 0)]
    view.fight.monsters, view.fight.foe_terms = [met], terms
    scene = replace(samples.scene(view), catalog=box.catalog)
    row = foe_rows(scene, view.fight)[1]
    assert plain(stage_terms._term(scene, row, 30, "foe")).startswith(" +2 its bonus for 1-Hand")
    assert plain(stage_terms._term(scene, row, 20, "foe")) == " +2 its bonus"


def test_a_bonus_without_a_known_reason_is_still_no_second_monster() -> None:
    scene = axe_cop()
    assert scene.fight is not None
    scene.fight.foe_terms[1] = Term("Chainsaw Cop", -4, scene.fight.monsters[0].id, -1)
    assert foe_rows(scene, scene.fight)[1].label == "its weakness"


def test_reasons_of_a_bonus_in_words() -> None:
    words = Phrases()
    assert reason_of_bonus(Strength(by=3, if_=If(has="orks")), words) == "against one of the Orks"
    assert reason_of_bonus(Strength(by=3, if_=If(sex="female")), words) == "as a hero is female"
    assert reason_of_bonus(Strength(by=3), words) == ""


def test_one_shots_curses_and_abilities_are_sums_of_their_own() -> None:
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    fight.hero_terms = [
        Term("Level", 1, 0, samples.ME), samples.term("Pickle Spear", 4, samples.ME),
        Term("Prismatic Glitter", 2, samples.no("Prismatic Glitter"), samples.ME),
        Term("Cleric", 3, samples.no("Cleric"), samples.ME), samples.term("Sudden Doubt", -2, samples.ME),
        Term("Prismatic Glitter", 5, samples.no("Prismatic Glitter"), samples.BO), Term("A Seal", 1, 0, samples.ME),
    ]  # fmt: skip
    scene = samples.scene(view)
    bo = shape(samples.BO, True)
    told = f"Level 1 + gear 4 + one-shots 2 + abilities 3 - curses 2 + {bo} one-shots 5 + effects 1"
    assert summed(hero_sums(scene, fight), ascii_only=True) == told
    assert [row.label for row in hero_rows(scene, fight)] == [
        "Level", "Pickle Spear", "Prismatic Glitter, one-shot", "Cleric, ability", "Sudden Doubt, curse",
        "Prismatic Glitter, one-shot", "A Seal, effect",
    ], "what is no Item says what it is"  # fmt: skip
    assert summed(hero_rows(scene, fight)[2:3], ascii_only=True) == "Prismatic Glitter 2", "where there is little room"
    assert [row.base for row in hero_rows(scene, fight)] == [True] + 6 * [False], "only the Level stands without a sign"


def test_an_item_that_adds_more_says_for_whom() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    hat = samples.term("Tricorne of Three Opinions", 3, samples.ME)
    view.fight.hero_terms = [Term("Level", 1, 0, samples.ME), hat]
    scene = samples.scene(view)
    row = hero_rows(scene, view.fight)[1]
    assert (row.label, row.brief) == ("Tricorne of Three Opinions, +2 for a Wizard", "Tricorne of Three Opinions")
    view.seats[samples.ME].table = samples.placed("Wizard", "Tricorne of Three Opinions")
    told = strength_words(samples.scene(view))[samples.ME]
    assert "gear: Tricorne of Three Opinions +1, +2 more from Tricorne of Three Opinions for a Wizard" in told


def test_the_line_of_sums_says_why_an_item_adds_more_than_its_bonus() -> None:
    """"Turning Keys 4" stood beside "Turning Keys +1" at the seat."""
    view = samples.own_combat()
    assert view.fight is not None
    view.fight.hero_terms = [Term("Level", 4, 0, samples.ME), samples.term("Turning Keys", 4, samples.ME)]
    view.fight.foe_terms = view.fight.foe_terms[:1]
    scene = samples.scene(view)
    told = [plain(stage_sum_lines.one_line(scene, view.fight, width)).split("  ")[0] for width in (90, 50, 40)]
    assert told == [
        "Level 4 + Turning Keys 4 (1 + 3 against Undead)", "Level 4 + Turning Keys 4 (1 + 3)",
        "Level 4 + Turning Keys 4",
    ]  # fmt: skip


def test_what_a_class_adds_is_no_gear() -> None:
    """"gear 9" stood beside a gear of 7: two of them came from a Class."""
    scene = axe_cop()
    fight = scene.fight
    assert fight is not None
    man = card_id(900, 0, scene.catalog.named("Man").no)
    item = card_id(901, 0, scene.catalog.named("Chainsaw Nunchucks").no)
    parts = [("Level", 3, 0), ("Chainsaw Nunchucks", 7, item), ("Man", 2, man)]
    terms = [Term(name, by, card, fight.seat) for name, by, card in parts]
    rows = hero_sums(scene, replace(fight, helper=-1, hero_terms=terms))
    assert [(row.label, row.by) for row in rows] == [("Level", 3), ("gear", 7), ("class", 2)]


def test_a_monster_with_cards_says_of_what_its_sum_is_made() -> None:
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    (monster,) = fight.monsters
    potion = samples.no("Prismatic Glitter")
    fight.foe_terms = [Term("Bearbug", 14, monster.id, -1), Term("Prismatic Glitter", 6, potion, samples.BO)]
    fight.foes = monster.strength = 20
    scene = samples.scene(view)
    (row,) = foe_sums(scene, fight)
    assert row.by == 20
    assert row.labels[:2] == ("Bearbug: 14 + Prismatic Glitter 6", "Bearbug: 14 + Glitter 6")
    assert summed([row], ascii_only=True) == "Bearbug 20 (14 + 6)"
    assert made_of(scene, monster) == ("14 + Prismatic Glitter 6", "14 + Glitter 6", "14 + 6")
    fight.stage, view.window, view.top = "lost", None, "run"
    for size in ((54, 9), (64, 21)):
        assert "20 = 14 + 6" in text(scene, *size), "of whom one runs too"


def test_the_line_of_sums_names_what_they_are_made_of_as_far_as_it_fits() -> None:
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    (monster,) = fight.monsters
    monster.defn = roll = samples.no("Twenty-Sided Dragon")
    greater = samples.no("Greater")
    fight.foe_terms = [
        Term("Twenty-Sided Dragon", 20, monster.id, -1), Term("Twenty-Sided Dragon", 14, roll, samples.ME),
        Term("Twenty-Sided Dragon", -7, roll, samples.ME), Term("Greater", 4, greater, samples.BO),
    ]  # fmt: skip
    fight.foes, fight.hero_terms = 31, [Term("Level", 5, 0, samples.ME), samples.term("Pickle Spear", 4, samples.ME)]
    scene = samples.scene(view)
    lines = [stage_sum_lines.one_line(scene, fight, width) for width in (99, 54, 48, 43, 34, 24)]
    told = [" ".join(plain(line).split()) for line in lines]
    assert told == [
        f"Level 5 + Pickle Spear 4 Twenty-Sided Dragon 20 + its roll 7 + {shape(samples.BO, False)} Greater 4",
        "Level 5 + Spear 4 Dragon 31 (20 + 7 + Greater 4)",
        "Level 5 + Spear 4 Dragon 31 (20 + 7 + 4)", "Level 5 + Spear 4 Dragon 31 (20 + 7 + 4)",
        "Level 5 + Spear 4 Dragon 31", "● 9 Dragon 31",
    ]  # fmt: skip


def test_a_monster_below_zero_is_no_subtraction() -> None:
    """A sum began "- Cardboard Robot 1 (4 - 5)"."""
    rows = [Row("Cardboard Robot", -1, -1, True, made=("4 - 5",)), Row("Seals", 2), Row("Potion", -3)]
    assert summed(rows, ascii_only=True) == "Cardboard Robot -1 (4 - 5) + Seals 2 - Potion 3"
    assert summed([Row("Level", 0, -1, True), Row("gear", 0)], ascii_only=True) == "Level 0 + gear 0"


def test_what_a_monster_rolled_for_itself_names_the_roll_wherever_it_is_added() -> None:
    """Formerly, the sum said `2 + 10` and did not say that the 10 was rolled."""
    box, _ = set_samples.axe_lost()
    guy = box.catalog.named("Invisible Guy")
    scene = axe_cop()
    fight = scene.fight
    assert fight is not None
    met = replace(fight.monsters[0], id=card_id(9, 0, guy.no), defn=guy.no, strength=12)
    fight = replace(fight, monsters=[met], foes=12, foe_terms=[
        Term(guy.name, 2, met.id, -1), Term(guy.name, 10, guy.no, fight.seat),
    ])  # fmt: skip
    scene = replace(scene, view=replace(scene.view, fight=fight))
    assert made_of(scene, met) == ("2 + its roll 10", "2 + 10")
    assert [row.label for row in foe_rows(scene, fight)][1] == "its roll"
    shown = plain(stage_sum_lines.one_line(scene, fight, 70))
    assert shown.endswith("Invisible Guy 12 (2 + its roll 10)") or shown.endswith("its roll 10"), shown
    assert "its roll 10" in plain(stage_sum_lines.one_line(scene, fight, 50))


def test_a_fixed_number_after_a_die_is_no_roll() -> None:
    """Formerly, the die was a 2, and the sum said `its roll 3`."""
    chest = samples.no("Chest of Drawers")
    met = samples.monster("Chest of Drawers", 1, 5)
    terms = [Term("Chest of Drawers", 2, met.id, -1), Term("Chest of Drawers", 3, chest, samples.ME)]
    scene = samples.scene(samples.view(fight=replace(samples.own_fight(), monsters=[met], foe_terms=terms)))
    assert made_of(scene, met)[0] == "2 + its text 3"


def test_open_seals_and_what_the_seal_in_force_adds_are_told_apart() -> None:
    """Formerly, the sum said "Seals 6" and the head "Seals 3 of 7": three of the six came from the text of the Seal in
    force."""
    box, view = set_samples.apo_fight()
    scene = replace(samples.scene(view), catalog=box.catalog)
    fight = scene.fight
    assert fight is not None
    assert [(row.label, row.by) for row in foe_sums(scene, fight)][1:] == [("Seals", 3), ("top Seal", 3)]
    (monster,) = fight.monsters
    whole = replace(monster, strength=fight.foes)
    assert made_of(scene, whole)[-1] == "10 + 4 + 3 + 3"
    assert made_of(scene, whole)[0].endswith("Seals 3 + top Seal 3")
    fight.foe_terms += [Term("Fire Ants", 10, monster.id + 1, -1), Term("Open Seals", 3, 0, -1)]
    assert ("Seals on 2 monsters", 6) in [(row.label, row.by) for row in foe_sums(scene, fight)]


def test_a_sum_names_its_largest_causes_where_there_is_room() -> None:
    """"cards 9" and "abilities 11" told nobody what they are."""
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    gear = [samples.term(name, by, samples.ME) for name, by in (("Wombat Boots", 1), ("Pickle Spear", 4),
            ("Meat Shield", 3), ("Helm of Selective Hearing", 2))]  # fmt: skip
    cleric = Term("Cleric", 11, samples.no("Cleric"), samples.ME)
    fight.hero_terms = [Term("Level", 5, 0, samples.ME), *gear, cleric]
    fight.foe_terms = fight.foe_terms[:1]
    scene = samples.scene(view)

    def told(width: int) -> str:
        return plain(stage_sum_lines.one_line(scene, fight, width)).split("  ")[0]

    assert told(75) == "Level 5 + Cleric 11 + Spear 4 + Shield 3 + Helm 2 + Boots 1"
    assert told(65) == "Level 5 + Cleric 11 + Spear 4 + Shield 3 + 3 more"
    assert told(60) == "Level 5 + Cleric 11 + Spear 4 + 6 more"
    assert told(45) == "Level 5 + Cleric 11 + 10 more"
    fight.hero_terms.pop()
    assert told(45) == "Level 5 + gear 10", "what the seat shows by name is added up"


def test_at_the_smallest_size_both_sums_get_a_row_each_before_a_number_loses_its_name() -> None:
    """Formerly, a bar took this row, and the sums were `● 7` and `Dragon 31 (20 + 7 + 4)`."""
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    fight.hero_terms = [Term("Level", 5, 0, samples.ME), samples.term("Pickle Spear", 4, samples.ME)]
    assert "█████" in text(samples.scene(view), 54, 11, Clock("", 0, 0))
    greater = Term("Greater", 4, samples.no("Greater"), samples.BO)
    chaos = Term("Prismatic Glitter", 5, samples.no("Prismatic Glitter"), samples.BO)
    fight.foe_terms = [fight.foe_terms[0], greater, chaos]
    shown = text(samples.scene(view), 54, 11, Clock("", 0, 0))
    assert "Level 5 + Pickle Spear 4" in shown and "Greater 4 + ■ Prismatic Glitter 5" in shown, shown


def test_terms_that_are_added_up_are_named_where_a_row_has_room() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    gear = [samples.term(name, by, samples.ME) for name, by in (("Wombat Boots", 1), ("Pickle Spear", 4), ("Orc", 2))]
    view.fight.hero_terms = [Term("Level", 5, 0, samples.ME), *gear]
    scene = samples.scene(view)
    row = hero_sums(scene, view.fight)[1]
    assert (row.label, row.by, row.made) == (
        "gear", 5, ("Pickle Spear 4, Wombat Boots 1", "Spear 4, Boots 1", "Spear 4, 1 more"),
    )  # fmt: skip
    assert plain(stage_terms._term(scene, row, 40, "hero")) == " +5 gear: Pickle Spear 4, Wombat Boots 1"
    assert plain(stage_terms._term(scene, row, 14, "hero")).strip() == "+5 gear"


def test_a_name_that_is_a_sentence_shrinks_to_a_noun() -> None:
    """"Has 6" stood in a sum."""
    names = ("But It Has A Tummy Ache", "Thing Behind the Screen", "Boots of Skipping Ahead", "Show It the Door")
    assert [noun(name) for name in names] == ["Ache", "Thing", "Boots", "Door"]


def test_the_largest_parts_of_each_heros_number_are_named_where_there_is_room() -> None:
    """"■ 6 + ● 12" said nothing of what 12 is made of."""
    view = samples.crowded()
    assert view.fight is not None
    view.fight.helper = samples.ME
    terms = [Term("Level", 3, 0, samples.BO), Term("Grill", 3, 1, samples.BO), Term("Level", 3, 0, samples.ME)]
    terms += [Term("Boots of Skipping Ahead", 5, 2, samples.ME), Term("Hat", 2, 3, samples.ME)]
    terms.append(Term("Axe", 2, 4, samples.ME))
    view.fight.seat, view.fight.hero_terms = samples.BO, terms
    view.fight.foe_terms = []
    scene = samples.scene(view)
    forms = [stage_sum_lines.one_line(scene, view.fight, width)[0][0] for width in range(70, 10, -1)]
    assert list(dict.fromkeys(forms))[-4:] == [
        "■ 6 + ● 12 (Boots 5, Hat 2, 5 more)", "■ 6 + ● 12 (Boots 5, 7 more)", "■ 6 + ● 12 (Boots 5 + 7)", "■ 6 + ● 12",
    ]  # fmt: skip
