"""The words for questions, refusals and counts: whose cards, which card asks, what is left out."""

import pytest
from msgspec import structs

from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.model import Ask
from core.state.views import Deciding, Term, ThrowView, View, WindowView, You
from netcode.protocol import wire
from tests.tui import samples, set_samples
from tests.tui.app_pilot import TablePilot, table
from tui.menus.ask_text import option_label, option_labels
from tui.menus.choices import gear_menu, root
from tui.menus.entries import Picker
from tui.menus.menu_state import MenuState
from tui.menus.offer_editor import help_draft, to_next_seat
from tui.menus.prompts import parted, prompt_for
from tui.menus.side_menus import farewell
from tui.render import details
from tui.render.details import Detail
from tui.scene.card_text import added_abilities
from tui.scene.cells import UNICODE, plain
from tui.scene.scene import LogLine, Scene
from tui.widgets.table.labels import abridged
from tui.widgets.table.log import since_last_turn


def sentence(view: View) -> str:
    """Return the prompt at the first menu."""
    scene, menus = samples.scene(view), MenuState()
    here, _ = menus.here(scene)
    return prompt_for(scene, menus, here).text


def detail_text(scene: Scene, kind: str) -> str:
    """Return a detail as one text."""
    _, lines = details.contents(scene, Detail(kind), 160)
    return " ".join(plain(line).strip() for line in lines)


def lost_one(theirs: bool = False, card: str = "Bad Hat Day") -> View:
    """Return a view in which a card asks Ada to choose the lost card, from her hand or from Bo's gear."""
    view = samples.view(limbo=[samples.public(card)], deciding=[Deciding(samples.ME, "lose", samples.no(card))])
    options = [spot.card for spot in view.seats[samples.BO].table[1:]] if theirs else view.you.hand[:2]
    view.you = You(samples.ME, view.you.hand, [], [Ask(7, samples.ME, "lose", options, 1, 1, samples.no(card))], [])
    return view


async def show(pilot: TablePilot, view: View) -> None:
    """Show the next view of the host."""
    pilot.client.tell(wire.Update(1, view.rev, view, []))
    await pilot.settle()


# ------------------------------------------------------------------------------------------------------------- help
def test_an_offer_comes_before_what_was_known_already() -> None:
    told = sentence(samples.own_combat())
    assert told.index("Cid makes an offer") < told.index("find +5")


def test_a_request_for_help_to_the_whole_table_names_no_helper() -> None:
    view = samples.own_combat()
    view.offers.clear()
    draft = help_draft(samples.scene(view))
    assert draft is not None
    assert draft.action() == a.Offer(-1, a.Terms("help", -1, 1))
    for _ in range(5):
        draft = to_next_seat(samples.scene(view), draft)
        assert draft.helper == draft.to >= 0
    draft = to_next_seat(samples.scene(view), draft)
    assert draft.action() == a.Offer(-1, a.Terms("help", -1, 1))


async def test_two_keys_ask_the_whole_table_for_help() -> None:
    view = samples.own_combat()
    view.offers.clear()
    async with table(view) as pilot:
        await pilot.keys("x", "2")
        assert "TO THE TABLE: 1 TREASURE (THE HELPER PICKS FIRST) FOR HELP" in pilot.text()
        await pilot.keys("enter")
        assert pilot.client.acts == [a.Offer(-1, a.Terms("help", -1, 1, True))]


def test_the_prompt_suggests_help_only_if_it_can_be_asked_for() -> None:
    view = samples.own_combat()
    view.offers.clear()
    assert "find +5 (play a card, ask for help), or run" in sentence(view)
    view.you.legal = [option for option in view.you.legal if not isinstance(option.action, a.Offer)]
    assert "find +5 (play a card), or run" in sentence(view)


# ------------------------------------------------------------------------------------------------------------ asked
def test_the_question_names_the_player_whose_item_is_lost() -> None:
    assert sentence(lost_one(theirs=True)) == "What does Bo lose? Bad Hat Day."
    assert sentence(lost_one()) == "What do you lose? Bad Hat Day."


def test_who_may_have_a_die_rolled_again_reads_what_it_shows() -> None:
    run = ThrowView(samples.BO, 6, 3, 4, 5, samples.public("Bearbug"))
    text = ThrowView(samples.ME, 20, 1, 1, 0, 0, samples.no("Bad Hat Day"), 0, "luck", samples.BO, samples.ME)
    view = samples.view(throw=run)
    view.you.asks = [Ask(3, samples.ME, "throw again", [0, view.you.hand[7]], 1, 1)]
    assert sentence(view) == "Have it rolled again? Bo rolled 3 (4 in all, 5 escapes)."
    view.throw = text
    view.you.asks = [Ask(3, samples.ME, "throw again", [0, view.you.hand[7]], 1, 1, samples.no("Bad Hat Day"))]
    assert sentence(view) == "Have it rolled again? Bad Hat Day: You rolled 1 of 20."
    view.throw = structs.replace(text, on=samples.BO)
    assert sentence(view) == "Have it rolled again? Bad Hat Day: You rolled 1 of 20 on Bo."
    waiting = samples.view(throw=run, deciding=[Deciding(2, "throw again", -1)])
    assert sentence(waiting) == "Waiting for Cid to have the die rolled again or not."


async def test_v_shows_the_card_that_asks_first() -> None:
    view = lost_one()
    async with table(view) as pilot:
        await pilot.keys("v")
        assert "Bad Hat Day" in pilot.lines()[4] and "Takes effect now." in pilot.text()
    async with table(view, (120, 40)) as pilot:
        assert "│ Bad Hat Day  curse" in pilot.text()


async def test_no_remark_says_that_a_submitted_set_became_impossible() -> None:
    async with table(samples.charity()) as pilot:
        await pilot.keys("1", "2", "3", "enter")
        await show(pilot, samples.idle())
        assert len(pilot.client.acts) == 1 and "no longer possible" not in pilot.text()
        await show(pilot, samples.charity())
        await pilot.keys("1", "2")
        await show(pilot, samples.idle())
        assert "That is no longer possible" in pilot.text()


async def test_a_set_left_with_esc_is_still_asked_for_in_full_sentences() -> None:
    async with table(samples.charity()) as pilot:
        await pilot.keys("escape")
        assert "WHICH DO YOU GIVE AWAY?  Choose 3. The limit is 5, 3 go to Dee." in pilot.text()


def test_the_title_of_a_payment_names_the_chosen_side() -> None:
    view = samples.interrupt()
    card = samples.public("Wizard")
    paid = Pick("pay", tuple(view.you.hand), 1, 1)
    ways = [Legal(a.Use(card, 0, side=side), paid) for side in ("heroes", "monsters")]
    view.you = You(samples.ME, view.you.hand, [], [], ways)
    scene, menus = samples.scene(view), MenuState()
    first, _ = menus.here(scene)
    menus.choose(scene, first.entries[0])
    sides, _ = menus.here(scene)
    assert sides.title.endswith(". For which side?")
    menus.choose(scene, next(entry for entry in sides.entries if entry.label.startswith("monsters")))
    assert ". For the monsters" in menus.here(scene)[0].title


def test_discarding_comes_last_in_the_gear_menu() -> None:
    view = samples.your_turn()
    elf, wizard, spear, helm, _ = (spot.card for spot in view.seats[samples.ME].table)
    legal: list[a.Action] = [a.Unequip(helm), a.Discard(elf), a.Discard(wizard), a.Equip(spear)]
    view.you.legal = [Legal(action) for action in legal]
    words = [entry.label.split()[0] for entry in gear_menu(samples.scene(view)).entries]
    assert words == ["put", "equip", "discard", "discard"]


def test_a_card_that_gives_away_asks_what_is_given_and_to_whom() -> None:
    view = lost_one()
    ask = view.you.asks[0]
    for kind, words in (("give for 1", "What do you give to Bo?"), ("give", "What do you give away?")):
        view.you.asks = [structs.replace(ask, kind=kind)]
        assert sentence(view).startswith(words)
    theirs = lost_one(theirs=True)
    theirs.you.asks = [structs.replace(theirs.you.asks[0], kind="give")]
    assert sentence(theirs).startswith("What does Bo give away?")


def test_a_choice_of_a_player_says_what_befalls_them() -> None:
    view = lost_one(card="Claim the Credit for Teamwork")
    view.you.asks = [structs.replace(view.you.asks[0], kind="seat", options=[1, 2])]
    assert sentence(view) == "Which player? Claim the Credit for Teamwork: the chosen player loses one level."


def test_a_single_card_at_the_top_of_a_deck_is_a_question_of_its_own() -> None:
    view = lost_one()
    view.you.asks = [structs.replace(view.you.asks[0], kind="under", options=view.you.hand[:1], lo=0)]
    assert "Does it go under the deck?" in sentence(view)


# ---------------------------------------------------------------------------------------------------------- figures
def test_a_strength_is_explained_by_all_its_terms() -> None:
    scene = samples.scene(samples.idle())
    text = detail_text(scene, "why")
    gear = "Pickle Spear +4 (2 hands), Helm of Selective Hearing +1, Wombat Boots +1"
    assert f"● You: strength 11 = Level 3 and gear: {gear}, +2 from other cards" in text
    assert "Plot Armor +2, +2 more from Plot Armor" in text and "Reforged Sword +2, -2 from Sudden Doubt" in text


def test_why_names_the_items_that_do_not_count() -> None:
    view = samples.own_combat()
    told = "not counted, yours: Wombat Boots +1 running: you get away on 5 or 6"
    assert told in detail_text(samples.scene(view), "why")
    view.fight.hero_terms.append(Term("Wombat Boots", 1, 1, samples.ME))
    assert "not counted" not in detail_text(samples.scene(view), "why")


def test_an_item_that_is_carried_says_why_it_does_not_count_where_strengths_are_told() -> None:
    """Formerly, it was left out there, and nothing said what it needs."""
    view = samples.own_combat()
    bow, hat, boots = samples.placed("Bow of Standing Well Back", "Helm of Selective Hearing", "Wombat Boots", up=False)
    view.seats[samples.ME].table = [bow, boots]
    view.seats[samples.BO].table = [bow, hat]
    scene = samples.scene(view)
    told = "Bow of Standing Well Back +3 (only if you are an Elf), Wombat Boots +1 (put away)"
    assert f"not counted, yours: {told}" in detail_text(scene, "why")
    assert "carried (only if you are an Elf): Bow of Standing Well Back" in detail_text(scene, "seat")
    view.fight = None
    told_all = detail_text(samples.scene(view), "why")
    assert f"not counted: {told}" in told_all
    assert "Bow of Standing Well Back +3 (only if Bo is an Elf), Helm of Selective Hearing +1 (put away)" in told_all


def test_a_lasting_effect_says_in_words_what_it_waits_for() -> None:
    view = samples.idle()
    view.seats[5].lasting[0] = structs.replace(view.seats[5].lasting[0], until="next-combat", armed=False)
    _, lines = details.contents(samples.scene(view), Detail("seat", 5), 160)
    assert any("Squeaky Shoes, waits for the next combat: " in plain(line) for line in lines)


_TURNS = ((4, samples.ME, "Ada"), (5, samples.BO, "Bo"), (6, samples.ME, "Ada"))


def test_the_recap_begins_at_the_end_of_the_players_last_turn() -> None:
    turns = [LogLine(f"Turn {no}: {name}", "turn", "", seat, name) for no, seat, name in _TURNS]
    log = tuple(line for at, turn in enumerate(turns) for line in (turn, LogLine("a card", "event", f"{at}.1")))
    scene = samples.scene(samples.idle(), log=log)
    assert since_last_turn(scene) == log[2:]
    assert since_last_turn(samples.scene(samples.idle(), log=log[:2])) == log[:2]


@pytest.mark.parametrize(
    ("heroes", "monsters", "words"),
    [
        (14, 1, "Waiting for Bo to claim the kill."),
        (9, 1, "Waiting for Bo to run or add to the fight."),
        (14, 0, "Waiting for Bo to end the fight."),
    ],
)
def test_who_fights_is_waited_for_with_what_they_can_do_as_the_fight_stands(
    heroes: int, monsters: int, words: str
) -> None:
    """Formerly, it read "to claim the kill or run" too where the fighter lost."""
    fight = structs.replace(samples.own_fight(), seat=samples.BO, heroes=heroes, foes=10, winning=heroes > 10)
    fight.monsters = fight.monsters[:monsters]
    view = samples.view(fight=fight, turn=samples.BO, deciding=[Deciding(samples.BO, "fight", -1)])
    view.you = You(samples.ME, [], [], [], [])
    assert sentence(view) == words


# -------------------------------------------------------------------------------------------------------- short words
@pytest.mark.parametrize(
    ("label", "short"),
    [
        ("fight Landlord of the Drifting Hulk (L8)", "fight Landlord of the Drifti… (L8)"),
        ("fight Landlord of the Drifting Hulk (Level 8)", "fight Landlord of the D… (Level 8)"),
        ("play Used Fire Extinguisher of Doom +2..", "play Used Fire Extinguisher of… +2"),
        ("use Kid: From behind the couch: discard an Item, 5 for either side", "use Kid: From behind the couch"),
        ("accept Cid: 2 Treasures (Cid picks first)", "accept Cid: 2 Treasures (Cid pick…"),
    ],
)
def test_a_shortened_label_keeps_its_level_or_bonus(label: str, short: str) -> None:
    scene = samples.scene(samples.idle())
    assert abridged(label, 34, scene) == short


def test_looking_for_trouble_names_the_monster_first() -> None:
    view = samples.your_turn()
    view.you.legal = [Legal(a.Trouble(view.you.hand[3]))]
    verb, card = root(samples.scene(view)).entries
    assert (verb.label, verb.on) == ("fight Grammar Grue (Level 3)", "table.trouble")
    assert card.go == verb.go and card.card == view.you.hand[3], "its digit does the same"


# ------------------------------------------------------------------------------------------------------------ leaving
async def test_leaving_a_finished_solo_game_does_not_say_that_it_is_kept() -> None:
    view = samples.idle()
    view.winners = [samples.ME]
    async with table(view, info=samples.info(solo=True)) as pilot:
        ended: list[str | None] = []
        pilot.screen.dismiss = ended.append
        await pilot.keys("ctrl+q")
        assert ended == ["gone"] and not pilot.model.menus.nested
    assert "resume" not in farewell("over", True)
    assert farewell("left", True, plain=True).endswith("kickdoor play --resume --plain")
    assert farewell("left", False, plain=True).endswith("To return: kickdoor join --plain")
    spectator = farewell("left", False, watch="kickdoor://a#b")
    assert spectator == "You stopped spectating. To spectate again: kickdoor watch 'kickdoor://a#b'"


async def test_the_menu_that_leaves_a_table_of_people_shows_a_code_for_another_machine() -> None:
    async with table(samples.idle()) as pilot:
        await pilot.keys("ctrl+q", "3")
        assert ("code", -1, "") in pilot.client.requests
        pilot.client.tell(wire.SeatCode("K7QM4TXP", 600_000))
        await pilot.settle()
        assert "K7QM-4TXP" in pilot.text()
    async with table(samples.idle(), seat=-1) as pilot:
        await pilot.keys("ctrl+q")
        assert "STOP SPECTATING?" in pilot.text() and "the seat stays yours" not in pilot.text()


async def test_ctrl_q_in_a_book_over_the_table_asks_as_the_table_does() -> None:
    async with table(samples.idle()) as pilot:
        pilot.app.action_book("guide")
        await pilot.settle()
        assert pilot.app.screen is not pilot.screen
        await pilot.keys("ctrl+q")
        await pilot.settle()
        assert pilot.app.screen is pilot.screen and "LEAVE THE TABLE?" in pilot.text()


def test_the_last_moment_of_a_fight_says_that_the_game_ends() -> None:
    view = samples.interrupt()
    assert view.fight is not None
    view.you.legal = [Legal(a.Pass(9))]
    view.fight = structs.replace(view.fight, match_point=True, monsters=[], stage="removed")
    for kind, words in (("removed", "the last monster is gone, and the game ends"), ("reward", "ends the game")):
        view.window = WindowView(9, kind, samples.BO, -1, False, 2)
        assert words in sentence(view)


def test_a_name_with_an_exclamation_mark_stays_whole_in_a_question() -> None:
    assert parted("Disaster! Zoo Breakout on whom?") == ("Disaster! Zoo Breakout on whom?", "")
    assert parted("Bad Hat Day: What do you lose?") == ("What do you lose?", "Bad Hat Day.")


def test_the_turn_says_which_parts_of_it_an_effect_takes_away() -> None:
    box = set_samples.Box("apocalypse")
    seats = set_samples.apo_seats(box)
    seats[samples.ME].lasting = [box.lasting("Disaster! Curfew")]
    you = You(samples.ME, [], [], [Ask(3, samples.ME, "kick", [], 1, 1)], [Legal(a.Kick())])
    view = box.view(seats, [], turn=samples.ME, you=you, deciding=[Deciding(samples.ME, "kick", -1)])
    scene = Scene(box.catalog, samples.info(), view, samples.ME)
    menus = MenuState()
    text = prompt_for(scene, menus, menus.here(scene)[0]).text
    told = "Disaster! Curfew: you cannot look for trouble or loot the room."
    assert text.startswith(f"Your turn. {told}"), "before what every turn says, since there may be only one row"
    you.asks, you.legal, you.keeps = [Ask(4, samples.ME, "end", [], 1, 1)], [Legal(a.EndTurn())], 5
    assert prompt_for(scene, menus, menus.here(scene)[0]).text.startswith(f"End of your turn. {told}")


def test_the_details_of_a_seat_say_what_each_card_adds_now() -> None:
    box = set_samples.Box("apocalypse")
    view = box.view(set_samples.apo_seats(box), [])
    scene = Scene(box.catalog, samples.info(), view, samples.ME)
    _, lines = details.contents(scene, Detail("seat", samples.ME), 160)
    said = " ".join(plain(line).strip() for line in lines)
    iron = next(placed.card for placed in view.seats[samples.ME].table if scene.title(placed.card) == "Tire Iron")
    assert f"Tire Iron +{scene.amounts[samples.ME, iron]} (both hands" in said and scene.amounts[samples.ME, iron] == 5


def test_an_ability_is_not_said_twice_but_its_name_is() -> None:
    box = set_samples.Box("apocalypse")
    remote = added_abilities(box.catalog.named("Universal Remote"))
    assert remote == ["Ability: Mute."] and added_abilities(box.catalog.named("Kid")) == []
    ally = set_samples.Box("axe-cop").catalog.named("Uni-Baby")
    assert added_abilities(ally)[0].startswith("Sacrifice: after a lost fight"), "its text does not tell of that"


def test_treasures_that_are_shared_out_say_what_they_are_worth() -> None:
    view = samples.looting()
    spear = samples.public("Pickle Spear")
    ask = Ask(9, samples.ME, "share", [spear], 1, 1)
    gold = samples.catalog().named("Pickle Spear").card.value
    assert option_label(samples.scene(view), ask, spear).endswith(f", {gold} gold)")
    assert "gold" not in option_label(samples.scene(view), Ask(9, samples.ME, "discard", [spear], 1, 1), spear)


def test_what_is_paid_for_an_ability_is_held_against_what_is_needed() -> None:
    now = samples.own_combat()
    assert now.fight is not None
    now.fight.heroes, now.fight.foes, now.fight.seat, now.fight.helper = 14, 17, samples.ME, -1
    cards = tuple(now.you.hand[:2])
    pick = Pick("pay", cards, 1, 2)
    now.you.legal = [Legal(a.Use(80_000), pick)]
    told = tuple(Forecast([0], "sums", pays, samples.ME, -1, 14 + 2 * pays, 17, pays > 1, 4) for pays in (1, 2))
    scene, menus = samples.scene(now, forecasts=told), MenuState()
    picker = Picker("Pay", pick, ("", ""), lambda chosen: a.Use(80_000, pay=chosen), "pay these")
    found = []
    for picked in ((), cards[:1], cards):
        menus.picked = list(picked)
        found.append(prompt_for(scene, menus, picker).text)
    assert "Now 14 : 17." in found[0] and "That makes 16 : 17, you still lose." in found[1]
    assert "That makes 18 : 17, you win." in found[2]


def test_a_choice_between_neighbours_names_them() -> None:
    """It read `it spreads to the left`, and who sits there was to be counted."""
    box = set_samples.Box(set_samples.W40K)
    no, seats = box.no("The Mark Itches"), samples.six_seats()
    seats[1].dead = True
    ask = Ask(7, samples.ME, "option", [0, 1], 1, 1, no, ["it spreads to the left", "it spreads to the right"])
    view = box.view(seats, [], you=You(samples.ME, [], [], [ask], []))
    scene = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE)
    assert option_labels(scene, ask) == ["it spreads to the left: Cid", "it spreads to the right: Fox"]
    own = Ask(8, samples.ME, "option", [0, 1], 1, 1, box.no("Court Martial"), ["lose a level", "discard an Army"])
    assert option_labels(scene, own) == own.texts, "whoever chooses is struck"


def test_a_swap_says_with_whom_and_what_happens() -> None:
    """It read `What do you give away?`: neither that something comes back, nor from whom."""
    box = set_samples.Box(set_samples.W40K)
    no, seats = box.no("Tithe-Gatherer's Boy"), samples.six_seats()
    mine, theirs = (seats[seat].table[-1].card for seat in (samples.ME, samples.BO))
    asks = [
        (Ask(7, samples.ME, "give for 1", [mine], 1, 1, no), "What do you give to Bo?"),
        (Ask(8, samples.ME, "take", [theirs], 1, 1, no), "What do you take from Bo?"),
    ]
    for ask, words in asks:
        view = box.view(seats, [], you=You(samples.ME, [], [], [ask], []))
        scene, menus = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE), MenuState()
        here, _ = menus.here(scene)
        assert prompt_for(scene, menus, here).text == f"{words} Tithe-Gatherer's Boy: you swap Items."
