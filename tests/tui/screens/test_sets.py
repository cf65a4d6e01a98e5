"""The additions of the other books on the screen: Powers, Allies, Seals, Disasters, Vehicles, Armies, mixed tables."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from rich.cells import cell_len

from core.state import actions as a
from core.state.actions import Legal
from core.state.model import Ask, Options
from core.state.views import You
from netcode.protocol.table_options import options_text
from tests.tui import bot_games, samples, set_samples
from tests.tui.app_pilot import table
from tests.tui.menu_reach import unreachable
from tests.tui.region_lines import regions
from tests.tui.set_samples import APO, AXE, MAZES, W40K
from tui.app import menu_rows, start_host
from tui.config.settings import Settings
from tui.menus.choices import card_menu, gear_menu, root
from tui.menus.entries import Entry, Menu, Picker
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.render import details
from tui.render.details import Detail
from tui.scene import gear
from tui.scene.card_text import paragraphs
from tui.scene.cells import ASCII, UNICODE, plain
from tui.scene.clock import Clock
from tui.scene.scene import Scene
from tui.scene.sums import two_sides
from tui.scene.trial import trial_of
from tui.widgets.cards.playability import what_now
from tui.widgets.table import head, seats, stage, track


def scene_of(name: str, **more: Any) -> tuple[set_samples.Box, Scene]:
    """The scene of a situation as Ada sees it."""
    box, view = set_samples.SITUATIONS[name]()
    fields: dict[str, Any] = {"info": samples.info(6), "me": samples.ME} | more
    return box, Scene(box.catalog, view=view, **fields)


def labels(found: Menu) -> list[str]:
    return [entry.label for entry in found.entries]


def prompt_text(scene: Scene) -> str:
    menus = MenuState()
    return prompt_for(scene, menus, menus.here(scene)[0]).text


def seat_rows(scene: Scene, width: int = 100, height: int = 6) -> list[str]:
    return [plain(line) for line in seats.draw(scene, width, height)]


def staged(scene: Scene, width: int, height: int) -> str:
    """Return the stage as one text."""
    return "\n".join(plain(line) for line in stage.draw(scene, Clock(), width, height))


def read(scene: Scene, kind: str, arg: int = 0) -> str:
    """Return a detail as one text."""
    return " ".join(plain(line).strip() for line in details.contents(scene, Detail(kind, arg), 100)[1])


@pytest.mark.long(4)
@pytest.mark.parametrize("name", set_samples.SITUATIONS)
def test_every_region_has_exactly_the_given_size(name: str) -> None:
    for glyphs in (UNICODE, ASCII):
        _, scene = scene_of(name, glyphs=glyphs)
        for width, height in ((80, 7), (72, 19), (45, 11), (120, 30)):
            for region, lines in regions(scene, width, height):
                assert not [plain(line) for line in lines if cell_len(plain(line)) != width], (region, width)


# --------------------------------------------------------------------------------------------------------- Axe Cop
def test_a_seat_shows_its_ranks_against_its_level_and_its_powers_by_name() -> None:
    _, scene = scene_of("axe-lost")
    rows = seat_rows(scene)
    assert "Ranks 5 of 5" in rows[0] and "level 9" in rows[2] and "Ranks 6" in rows[2]
    assert gear.identity(scene, 0) == "Cop · Moon · Bat Warthog, Ranks 5 of 5"
    assert gear.identity(scene, 2) == "no class · Dinosaur · Bat Warthog, Ranks 6 of 9"
    assert gear.identity_in(scene, 0, 24) == "Cop Moon…, Ranks 5 of 5"
    assert gear.identity_in(scene, 0, 10) == "Ranks 5"
    assert gear.identity(scene, 3) == "Man"


def test_counters_follow_the_name_of_a_card_in_play_in_words() -> None:
    box, view = set_samples.SITUATIONS["axe-lost"]()
    seat = view.seats[0]
    seat.table = [msgspec.structs.replace(placed, counters=3) for placed in seat.table]
    scene = Scene(box.catalog, view=view, info=samples.info(6), me=samples.ME)
    assert gear.identity(scene, 0) == "Cop (3 counters) · Moon (3 counters) · Bat Warthog (3 counters), Ranks 5 of 5"
    assert gear.Worn("Wexter (3 counters)", "Wexter (3 counters)", 4, "Ally", 3) in gear.worn(scene, 0)
    assert "Wexter +4 (Ally, 3 counters)" in read(scene, "seat")


def test_the_question_for_too_many_powers_names_their_ranks() -> None:
    box, scene = scene_of("axe-ranks")
    assert prompt_text(scene) == "Which Power goes? Ranks of 5 exceed Level 4."
    asked = labels(root(scene))[:2]
    assert set(asked) == {"Moon (power, rank 2), in play", "Bat Warthog (power, rank 3), in play"}
    allies = [p.card for p in scene.seat(0).table if scene.card(p.card).kind == "ally"]
    scene.view.you = You(0, [], [], [Ask(3, 0, "give up", allies, 1, 1)], [])
    assert "More Allies than you may have" in prompt_text(scene)
    scene.view.you = You(0, [], [], [Ask(3, 0, "give up", allies, 1, 1, box.no("Shrink Ray"))], [])
    assert prompt_text(scene) == "Which one do you give up? Shrink Ray."


def test_allies_are_named_as_such_and_shown_with_the_items_they_carry() -> None:
    _, scene = scene_of("axe-lost")
    assert "Ally Wexter +4" in "\n".join(seat_rows(scene, 42, 42))
    assert "Super Lion Pig +2 (Ally) carrying Sun Picking Up Gloves +3" in read(scene, "seat", 0)
    assert "carries Sun Picking Up Gloves, item, +3" in read(scene, "seat", 0)


def test_one_digit_sacrifices_an_ally() -> None:
    _, scene = scene_of("axe-lost")
    found = {entry.label: entry.go for entry in walked(root(scene))}
    wexter = next(p.card for p in scene.seat(0).table if scene.title(p.card) == "Wexter")
    assert found["sacrifice Wexter and escape"] == a.Use(wexter, 0)
    assert "sacrifice an Ally" in prompt_text(scene)
    assert any("Sacrifice" in text for text in paragraphs(scene.definition(wexter)))


def walked(found: Menu) -> Iterator[Entry]:
    """Yield every entry of a menu and of the menus below it."""
    for entry in found.entries:
        yield entry
        if isinstance(entry.go, Menu):
            yield from walked(entry.go)


def test_an_item_is_given_to_an_ally_or_kept() -> None:
    _, scene = scene_of("axe-lost")
    lion, gloves = [p.card for p in scene.seat(0).table][-2:]
    legal = [Legal(a.Equip(gloves)), Legal(a.Equip(gloves, lion))]
    scene.view.you = You(0, [], [], [], legal)
    words = labels(gear_menu(scene))
    assert words == ["equip Sun Picking Up Gloves", "equip Sun Picking Up Gloves, carried by Super Lion Pig"]
    menu_ = card_menu(scene, gloves)
    assert {msgspec.json.encode(entry.go) for entry in walked(menu_)} >= {msgspec.json.encode(o.action) for o in legal}


def test_the_prompt_says_if_gear_can_be_switched_only_before_the_door() -> None:
    _, scene = scene_of("axe-ranks")
    scene.view.you = You(0, [], [], [Ask(3, 0, "kick", [], 0, 0)], [Legal(a.Kick()), Legal(a.Unequip(9))])
    assert prompt_text(scene) == "Your turn. Switch Items now (not possible later), then kick open the door."


# ------------------------------------------------------------------------------------------------------ Apocalypse
def test_seals_are_counted_and_the_one_in_force_is_named() -> None:
    _, scene = scene_of("apo-fight")
    assert "Seals 3 of 7" in plain(head.draw(scene, 80, 1)[0])
    assert "Seals open 3, 4 more end the game" in plain(head.draw(scene, 160, 1)[0])
    text = read(scene, "seals")
    assert "Every monster has +3." in text and "In force: Beer Shortage. While this Seal is on top" in text
    assert text.count("below it, not in force") == 2


def test_the_bonus_of_open_seals_is_a_separate_term() -> None:
    _, scene = scene_of("apo-fight")
    assert "Fire Ants 14 (10 + Risen 4) + Seals 3 + top Seal 3" in staged(scene, 54, 11)
    assert "Ants 14 (10 + Risen 4) + Seals 3 + top Seal 3" in staged(scene, 70, 11)
    assert "level 10 Undead FIRE ANTS" in staged(scene, 64, 21)
    sides = [plain(line) for line in two_sides(scene, 80)]
    assert any("Open Seals" in line and "+3" in line for line in sides)
    assert "Fire Ants: 20, Undead; 3 Treasures, 1 level" in read(scene, "why")


async def test_one_key_shows_the_seals_and_the_footer_names_it() -> None:
    box, view = set_samples.apo_idle()
    async with table(view, catalog=box.catalog) as pilot:
        assert "S Seals" in pilot.text()
        await pilot.keys("S")
        assert "In force: Beer Shortage" in pilot.text()
    async with table(samples.idle()) as pilot:
        assert "S Seals" not in pilot.text()
        await pilot.keys("S")
        assert "The sets in play have no Seals" in pilot.text()


def test_curses_have_the_word_of_their_set() -> None:
    box, scene = scene_of("apo-fight")
    assert "✖ 1 disaster" in seat_rows(scene)[5]
    names = scene.lexicon.of(box.catalog.named("Disaster! Zoo Breakout"))
    assert names.curse == "Disaster" and scene.brief(box.no("Disaster! Zoo Breakout")) == "disaster"
    scene.view.you = You(0, [], [], [Ask(3, 0, "shield", [0], 1, 1, box.no("Disaster! Curfew"))], [])
    assert prompt_text(scene) == "Stop it? Disaster! Curfew: A disaster strikes you."
    _, mixed = scene_of("mixed")
    assert "✖ 2 curses" in seat_rows(mixed)[1], "a Disaster and a curse together are called as the first set does"


def test_both_hands_and_item_enhancers_show_in_row_and_detail() -> None:
    _, scene = scene_of("apo-fight")
    assert gear.Worn("Tire Iron", "Iron", 7, "") in gear.worn(scene, 0) and "Iron +7" in seat_rows(scene)[0]
    assert "Tire Iron +5 (both hands) with Duct Tape +2" in read(scene, "seat", 0)
    assert "Improvised Weapon +3 with Duct Tape +2 and Cheat!" in read(scene, "seat", 2)
    iron = next(p.card for p in scene.seat(0).table if p.both)
    scene.view.you = You(0, [], [], [], [Legal(a.Equip(iron)), Legal(a.Equip(iron, 0, True))])
    assert labels(gear_menu(scene)) == ["equip Tire Iron", "equip Tire Iron in both hands"]


def test_sex_is_asked_for_and_shown() -> None:
    _, scene = scene_of("apo-idle")
    assert ", female" in read(scene, "seat", 0) and ", male" in read(scene, "seat", 1)
    scene.view.you = You(0, [], [], [Ask(3, 0, "sex", [0, 1], 1, 1, -1, ["male", "female"])], [])
    assert prompt_text(scene) == "Are you male or female? Some cards depend on it."
    assert labels(root(scene)) == ["male", "female"]


def test_the_end_by_the_seventh_seal_shows_the_deciding_bonuses() -> None:
    _, scene = scene_of("apo-over")
    text = staged(scene, 100, 6)
    assert "Cid and Eve win the game together" in text and "The seventh Seal is open" in text
    assert "Cid +4 (Level 9), Eve +4 (Level 9), Bo +3 (Level 6)" in text


def test_a_game_won_in_the_middle_of_a_fight_shows_the_winner_not_the_fight() -> None:
    _, scene = scene_of("apo-fight")
    scene.view.winners, scene.view.why_won = [0, 1], "shared"
    text = staged(scene, 80, 11)
    assert "You and Bo win the game together" in text and "Shared victory" in text and "COMBAT" not in text


def test_why_not_tries_an_item_enhancer_on_an_item_of_the_player() -> None:
    box, scene = scene_of("apo-idle")
    (tape,) = box.held("Duct Tape")
    assert trial_of(scene, tape).target in [p.card for p in scene.seat(0).table]


# ----------------------------------------------------------------------------------------------- Warhammer 40,000
def test_the_key_for_running_abandons_a_slow_vehicle_too() -> None:
    _, scene = scene_of("w40k-lost")
    assert "abandon the Vehicle" in prompt_text(scene)
    (run,) = (entry for entry in root(scene).entries if entry.on == "table.run")
    assert isinstance(run.go, Menu)
    assert labels(run.go) == [
        "run from Pink Horror of Tzeentch", "abandon Heavy Tank With a Name, run without it",
    ]  # fmt: skip
    assert "Vehicle Tank +5" in seat_rows(scene)[0]
    assert "(Heavy Tank With a Name instead of all else)" in read(scene, "why")


def test_the_choice_of_a_vehicle_shows_the_modifiers() -> None:
    box, scene = scene_of("w40k-lost")
    options = [box.open("Red Outrider"), box.open("Heavy Tank With a Name")]
    scene.view.you = You(0, [], [], [Ask(4, 0, "vehicle", options, 1, 1)], [])
    assert labels(root(scene)) == ["Red Outrider (+3 to run)", "Heavy Tank With a Name (-2 to run)"]


def test_a_looted_monster_can_be_fought_or_not() -> None:
    _, scene = scene_of("w40k-looted")
    assert prompt_text(scene) == "Fight it at once? You looted a monster."
    assert labels(root(scene))[:2] == ["no fight, continue", "Horror of Tzeentch (monster, level 3), hand"]
    assert root(scene).entries[0].go == a.Answer(4, (0,))
    scene.view.you.asks[0].options = [0]
    assert prompt_text(scene) == "You looted no monster to fight."


@pytest.mark.parametrize(
    ("options", "first"), [([], "a face-down Door"), (["listen"], "a face-down Treasure")], ids=["book", "listen"]
)
def test_looting_says_from_which_deck(options: list[str], first: str) -> None:
    _, scene = scene_of("w40k-looted", info=samples.info(6, options=options))
    legal = [Legal(a.Loot()), Legal(a.Loot("door")), Legal(a.Loot("discard"))]
    scene.view.you = You(0, [], [], [Ask(4, 0, "trouble", [], 0, 0)], legal)
    loot = next(entry for entry in root(scene).entries if entry.label == "loot the room")
    assert isinstance(loot.go, Menu)
    assert labels(loot.go) == [first, "a face-down Door", "the top discard"]


def test_the_question_who_runs_first_names_the_players_and_who_decides() -> None:
    _, scene = scene_of("w40k-lost")
    scene.view.you = You(0, [], [], [Ask(4, 0, "first", [0, 2], 1, 1)], [])
    assert labels(root(scene)) == ["you, away never", "Cid, away on 5 or 6 (33 %)"]
    alone = "You both roll for yourselves: the order matters only to cards and Bad Stuff."
    words = f"Who runs away first? {alone} If you do not agree, whoever rolls higher decides."
    assert prompt_text(scene) == words


def test_the_phases_have_the_names_of_the_first_set() -> None:
    _, scene = scene_of("w40k-looted")
    assert "kick down the door" in staged(scene, 80, 14)
    scene.view.you = You(0, [], [], [Ask(3, 0, "kick", [], 0, 0)], [Legal(a.Kick())])
    assert labels(root(scene)) == ["kick down the door"]


def test_the_long_game_fits_the_track() -> None:
    _, scene = scene_of("w40k-lost")
    line = plain(track.draw(scene, 80, 1)[0])
    assert "12 ▲ Dee" in line and "19 ★ Eve" in line and "20 wins" in line
    numbers, people = (plain(line) for line in track.draw(scene, 200, 2))
    assert numbers.index("19") == people.index("★") and "20 wins" in numbers


# ---------------------------------------------------------------------------------------------------- several sets
def test_a_card_says_when_it_can_be_played() -> None:
    """The text of a card, not its kind, decides when it may be played."""
    box, scene = scene_of("axe-ranks")
    special, fighting, item = box.held("It Is Everybody's Birthday", "Avocado Bombs", "Axe a Fireman Lent You")
    assert [what_now(scene, card)[1].words[0] for card in (special, fighting)] == ["when this is settled", "in a fight"]
    scene.view.turn = set_samples.BO
    assert what_now(scene, item)[1].words[0] == "on your turn"


def test_a_form_returns_sets_in_order_and_options_as_on_the_command_line() -> None:
    sets = (MAZES, AXE, APO)
    rows = {row.name: row.value for row in menu_rows.play_rows(Settings(), sets)}
    assert menu_rows.sets_in(rows) == (MAZES,) and menu_rows.options_in(rows) == ()
    rows |= {"set": APO, "set2": AXE, "set3": APO, "listen": "yes", "seal-die": "yes",
             "win-level": "20"}  # fmt: skip
    assert menu_rows.sets_in(rows) == (APO, AXE)
    assert menu_rows.options_in(rows) == ("listen", "seal-die", "win-level=20")
    assert options_text(menu_rows.options_in(rows)) == "Listen At The Door, A die for Seals, Winning Level 20"


def test_a_hosted_table_gets_every_set_and_option(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def first_line(command: list[str]) -> dict[str, Any]:
        seen.extend(command)
        return {"owner": "kickdoor://o", "joins": ["kickdoor://j"]}

    monkeypatch.setattr(start_host, "_first_line", first_line)
    values = {row.name: row.value for row in menu_rows.host_rows(Settings(), (MAZES, AXE))}
    assert start_host.start_for_friends(values, (AXE, MAZES), ("listen", "win-level=20")).string == "kickdoor://o"
    given = list(pairwise(seen))
    assert [value for key, value in given if key == "--set"] == [AXE, MAZES]
    assert [value for key, value in given if key == "--option"] == ["listen", "win-level=20"]


GAMES = [
    (AXE,), (APO,), (W40K,), (APO, W40K, AXE, MAZES),
]  # fmt: skip


def labels_of(here: Menu | Picker) -> list[str]:
    """Return the labels of a menu's entries or a set's members."""
    return list(here.labels) if isinstance(here, Picker) else [entry.label for entry in here.entries]


@pytest.mark.long(4)
@pytest.mark.parametrize("sets", GAMES, ids=["axe", "apo", "w40k", "all"])
def test_every_moment_of_a_game_says_what_to_press(sets: tuple[str, ...]) -> None:
    """A stretch of a real game; every third seat's view, since they differ little."""
    catalog = set_samples.catalog(*sets)
    options = Options(listen=len(sets) > 1, seal_die=len(sets) > 1, win_level=20 if len(sets) > 1 else 10)
    for step, (seat, seen) in enumerate(bot_games.views(4, 4, "normal", catalog, options, every=11)):
        if step > 500:
            break
        scene = Scene(catalog, samples.info(4), seen, seat)
        menus = MenuState()
        here, _ = menus.here(scene)
        prompt = prompt_for(scene, menus, here)
        assert prompt.text, (step, seat)
        assert seat < 0 or unreachable(scene) == [], (step, seat)
        assert not any(label.startswith("number ") for label in labels_of(here)), (step, seat)
    assert step > 100


def test_why_not_tries_a_card_that_names_nobody_on_nobody() -> None:
    """Without this, the sentence would say that the target is wrong, although the player chose none."""
    box, scene = scene_of("w40k-lost")
    (tithe,) = box.held("Tithe, Paid in Full")
    assert scene.definition(tithe).target == "none" and trial_of(scene, tithe).seat == -1
