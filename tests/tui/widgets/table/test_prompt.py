"""The prompt and the page of keys: choices and texts are shown whole, and side by side only if there is room for
both."""

import pytest
from msgspec.structs import replace

from core.state.views import WindowView, You
from tests.tui import samples
from tui.config.keymap import HELP_REPLAY, HELP_TABLE, help_replay, help_table, keymap
from tui.menus.choices import root
from tui.menus.menu_state import MenuState
from tui.menus.prompts import Prompt, prompt_for
from tui.render.details import Detail, contents
from tui.scene.cells import length, plain
from tui.scene.outlook import Outlook
from tui.widgets.cards.face import names
from tui.widgets.table.foot import Asked
from tui.widgets.table.labels import abridged
from tui.widgets.table.prompt import MORE, Row, draw, fits, laid, pages, room, turned

PROMPT = Prompt("Your turn.", "Kick the door.", True, (), "turn")
ROWS = [
    Row("k", "kick open the door", pinned=True),
    Row("m", "fight Puddle of Mild Regret (Level 3)", asks=True),
    Row("f", "give up and run", asks=True),
    Row("3", "play Potion of General Unpleasantness +5", Outlook("18:22", ("he loses", ""), "good")),
    Row("4", "play Lamp"),
    Row("5", "play Orc"),
    Row("SPACE", "pass", pinned=True),
]


def shown(rows: list[Row], width: int, height: int) -> list[str]:
    """Return the lines of the prompt, of each page."""
    scene = samples.scene(samples.your_turn())
    found = []
    lines = room(PROMPT, rows, width, height, scene.glyphs)
    every = pages(rows, lines, width)
    for page in range(len(every)):
        drawn = draw(scene, PROMPT, turned(every, page, False), width, height)
        assert all(length(line) == width for line in drawn)
        found += [plain(line) for line in drawn]
    return found


def test_cards_that_can_be_played_and_have_no_row_are_named_beside_the_question() -> None:
    """Formerly, some cards had a row and others only a result on their face: a reader took these for not playable."""
    cards = [Row(str(at), f"play Something of General Unpleasantness {at}", spare=True) for at in range(3, 9)]
    rows = [Row("x", "offer help, trade.."), *cards, Row("SPACE", "pass", pinned=True)]
    scene = samples.scene(samples.your_turn())
    first, *below = [plain(line) for line in Asked(scene, PROMPT, tuple(rows)).draw(80, 3)]
    keys = [row.key for row in cards if not any(f" {row.key} play" in line for line in below)]
    assert keys and first.rstrip().endswith(f"  or cards {' '.join(keys)}"), first
    assert "or " not in plain(Asked(scene, PROMPT, tuple(rows[:2])).draw(80, 3)[0])
    long = replace(PROMPT, reason="x" * 70)
    assert "or " not in plain(Asked(scene, long, tuple(rows)).draw(80, 3)[0]), "the question is never cut for them"


def test_cards_without_a_row_are_named_where_the_whole_reason_leaves_no_room_for_them() -> None:
    """Formerly, "You have passed." filled the line, and cards with sums on their faces were named nowhere."""
    view = samples.view(fight=replace(samples.own_fight(), seat=samples.BO), turn=samples.BO)
    view.you = You(samples.ME, view.you.hand, [], [], [])
    view.window = WindowView(5, "claim", samples.BO, -1, True, 0)
    scene = samples.scene(view)
    waits = prompt_for(scene, MenuState(), root(scene))
    cards = [Row(str(at), f"play Something of General Unpleasantness {at}", spare=True) for at in (2, 7, 8)]
    rows = [Row("b", "use Sword of Something: Swing: " + "x" * 40), Row("g", "change your gear of old"), *cards]
    reason = f"Bo claims the kill ({view.fight.heroes} to {view.fight.foes})."
    first, *below = [plain(line) for line in Asked(scene, waits, tuple(rows)).draw(80, 3)]
    assert f"WAITING FOR THE OTHERS  {reason}" in first and "passed" not in first, first
    assert first.rstrip().endswith("or cards 7 8")
    roomy, *_ = [plain(line) for line in Asked(scene, waits, tuple(rows)).draw(120, 3)]
    assert "You have passed. " in roomy and roomy.rstrip().endswith("or card 8")
    full = replace(waits, reason="x" * 53, brief="")
    first, *below = [plain(line) for line in Asked(scene, full, tuple(rows)).draw(80, 3)]
    assert "x" * 53 in first and below[-1].rstrip().endswith("or cards 7 8"), below


@pytest.mark.parametrize("width", [80, 90, 100, 110, 120])
@pytest.mark.parametrize("height", [3, 4, 5, 6])
def test_every_choice_and_its_warning_stands_whole_on_some_page(width: int, height: int) -> None:
    text = "\n".join(shown(ROWS, width, height))
    for row in ROWS:
        if height > 3 or row.key != "m":  # two choices share one line: the longest one is shortened
            assert f"{row.key} {row.words}" in " ".join(text.split("  ")) or f"{row.key}  {row.words}" in text, row
    assert text.count("asks first") >= 2 or height == 3
    assert "asks\n" not in text


@pytest.mark.parametrize("width", [80, 100, 120])
def test_two_blanks_part_two_columns(width: int) -> None:
    long = Row("1", "w" * ((width - 4) // 2 - 2))
    other = Row("2", "play Orc")
    assert laid([long, other, other], 1, width)[0] == [long, other]
    line = next(line for line in shown([long, other], width, 2) if "www" in line)
    assert "w  2 play Orc" in line
    longer = Row("1", long.words + "w")
    assert laid([longer, other], 1, width)[0] == [longer]


def test_what_does_not_fit_on_one_page_goes_into_the_list() -> None:
    glyphs = samples.scene(samples.your_turn()).glyphs
    assert fits(PROMPT, ROWS[3:], 120, 6, glyphs) and not fits(PROMPT, ROWS, 80, 3, glyphs)


@pytest.mark.parametrize("width", [60, 66, 76, 80, 100, 120, 200])
def test_the_page_of_keys_cuts_nothing_and_wraps_beside_the_key(width: int) -> None:
    _, lines = contents(samples.scene(samples.your_turn()), Detail("keys", keys=HELP_TABLE), width)
    texts = [plain(line) for line in lines]
    assert all(length(line) <= width for line in lines)
    words = " ".join(" ".join(texts).split())
    if width < 76:
        assert all(f"{key} {told}" in words for key, told in HELP_TABLE)
    for key, told in HELP_TABLE:
        assert all(word in words for word in told.split()), key
        assert any(f"{key} " in text for text in texts), key
    assert not any("…" in text for text in texts)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_page_of_keys_shows_the_keys_as_they_are_now(width: int) -> None:
    found = keymap("vim", {"table.kick": "j", "hand.down": "down", "prompt.3": "f3", "app.quit": "ctrl+x"})
    rows = {words: key for key, words in help_table(found)}
    assert rows["kick open the door"] == "j" and rows["leave (asks while the game runs; your seat is kept)"] == "^X"
    assert rows["say something to the table"] == "t", "others keep theirs"
    assert ("LEFT H", "move in the hand or list") in help_table(found), "keys of a kind stand alone once one is changed"
    assert help_table(found)[0][0] == "1 2 f3 4 5 6 7 8 9 0"
    assert dict(help_replay({"replay.play": "ctrl+r"}))["^R"] == "run; again: stop"
    assert help_table({}) == HELP_TABLE and help_replay({}) == HELP_REPLAY
    _, lines = contents(samples.scene(samples.your_turn()), Detail("keys", keys=help_table(found)), width)
    assert all(length(line) <= width for line in lines) and not any("…" in plain(line) for line in lines)
    assert any(plain(line).strip().startswith("j ") and "kick open the door" in plain(line) for line in lines)


def test_digits_come_after_letters_on_pages_since_the_hand_shows_them() -> None:
    rows = [Row("f", "give up and run", pinned=True), *(Row(str(at), f"play Card {at}", rank=2) for at in (1, 2, 3)),
            Row("x", "ask for help, trade..")]  # fmt: skip
    first, *others = pages(rows, 2, 50)
    assert "x" in {row.key for row in first} | {row.key for row in others[0]}
    shown = [row.key for one in (first, *others) for row in one if not row.pinned]
    assert shown == ["x", "1", "2", "3"]


def test_a_verdict_is_not_lost_while_there_are_lines_for_it() -> None:
    fight = Row("5", "look for trouble with Haunted Tank Crew", Outlook("6 : 6", ("you lose",), "bad"))
    rows = [Row("p", "loot the room"), Row("g", "change your gear.."), fight, Row("x", "trade.."), ROWS[0], ROWS[-1]]
    assert "6 : 6  you lose" in "\n".join(shown(rows, 110, 5))
    assert "6 : 6  ✗" in "\n".join(shown(rows, 110, 4)), "its sign stands for it where there are too few lines"


def test_a_card_that_decides_the_fight_comes_before_what_is_never_urgent() -> None:
    rows = [Row("c", "claim the kill", pinned=True), Row("x", "ask for help, trade.."), Row("g", "discard..", rank=3),
            Row("1", "play Card 1", rank=2), Row("2", "play Card 2", rank=0)]  # fmt: skip
    shown = [row.key for one in pages(rows, 3, 50) for row in one if not row.pinned]
    assert shown == ["2", "x", "1", "g"]


def test_what_the_hand_shows_too_turns_no_page_but_what_decides_the_fight_has_a_row() -> None:
    """Formerly, at 80 by 24, the card that won the fight was on the third page."""
    cards = [Row(str(at), f"play Something of {at}", rank=2, spare=True) for at in range(1, 7)]
    others = [Row("x", "ask for help.."), Row("f", "give up and run", pinned=True)]
    (page,) = pages([*cards, *others], 2, 80)
    assert [row.key for row in page] == ["1", "2", "x", "f"], "a row for each that there is room for"
    wins = Row("6", "play Something of 6", Outlook("18 : 9", ("you win",), "good"), rank=0, spare=True)
    (page,) = pages([wins, *cards[:5], *others, Row("g", "change your gear..", rank=3)], 2, 80)
    assert [row.key for row in page] == ["6", "x", "f", "g"]


def test_the_row_that_turns_the_page_says_what_comes_next() -> None:
    rows = [Row(key, f"do the {key} of {'all' * 10}") for key in "abcde"]
    first, second = (turned(pages(rows, 3, 80), page, False) for page in (0, 1))
    assert first[-1] == Row("0", "more: do the c of allal…") and second[0].key == "c"
    assert len(first[-1].words) == len(MORE.words)
    again = turned(pages(rows, 3, 80), 2, False)[-1].words
    assert again == "more: do the a of allal…", "the first page follows the last"


def test_an_ability_without_its_text_saves_a_page() -> None:
    ability = Row("b", "use Wizard: Levitate: discard up to 3 cards, +1 to run for each", Outlook("", ("50 %",)))
    rows = [Row("x", "ask for help.."), ability, Row("g", "change your gear.."), Row("f", "give up and run")]
    assert [len(line) for line in laid(rows, 2, 80)] == [2, 2]
    text = "\n".join(shown(rows, 80, 3))
    assert "use Wizard: Levitate" in text and "discard" not in text and "0 more" not in text


def test_the_text_of_an_ability_gives_way_to_who_wins() -> None:
    """A row of 80 cells ended with its sums alone, since the text of the ability took the rest."""
    text = "use Universal Remote: Mute: discard a card, -3 to the fighter or the monsters in any combat"
    rows = [Row("b", text, Outlook("7 : 3", ("you still win", "you win"))), Row("x", "ask"), Row("g", "gear")]
    row = next(line for line in shown(rows, 80, 3) if "Mute" in line)
    assert "discard a card" in row and row.rstrip().endswith("7 : 3  you still win")


def test_abilities_to_choose_from_that_would_lose_their_texts_do_not_fit() -> None:
    """Formerly, two abilities stood side by side by their names alone, and neither said what it does or costs."""
    glyphs = samples.scene(samples.idle()).glyphs
    texts = ("Mail: swap a card with another player", "Claw: discard two cards, take one from a hand")
    rows = [Row(str(at), f"use Moon Mailman: {text}") for at, text in enumerate(texts, 1)] + [Row("ESC", "back")]
    assert [len(line) for line in laid(rows, 2, 80)] == [2, 1], "only with their names"
    assert not fits(PROMPT, rows, 80, 3, glyphs) and fits(PROMPT, rows, 80, 4, glyphs)
    assert fits(PROMPT, [Row("1", "use it"), Row("2", "leave it"), Row("ESC", "back")], 80, 3, glyphs)


def test_a_choice_that_asks_first_says_what_where_there_is_room() -> None:
    """"ready, begin  asks first" did not say what it asks."""
    scene = samples.scene(samples.idle())
    rows = [Row("y", "ready, begin", asks=True, question="There is something in your hand to play: be ready?")]
    shown = [plain(draw(scene, PROMPT, rows, width, 2)[1]).rstrip() for width in (80, 60)]
    assert shown[0].endswith("ready, begin  asks first: There is something in your hand to play")
    assert shown[1].endswith("ready, begin  asks first")


def test_choices_that_would_look_the_same_are_cut_in_the_middle() -> None:
    scene = samples.scene(samples.idle())
    labels = ["equip Siege Engine of the Patient, carried by Mule", "equip Siege Engine of the Patient, carried by Kid",
              "play Lamp of the Second Wish of Old +2..", "play Lamp of the Second Wish of New +2.."]  # fmt: skip
    cut = [abridged(label, 24, scene, labels) for label in labels]
    assert len(set(cut)) == 4 and all("…" in label and len(label) <= 24 for label in cut)
    assert cut[0].endswith("Mule") and cut[2].endswith("Old +2")
    assert abridged(labels[0], 24, scene, labels[:1]) == "equip Siege Engine of t…"
    rows = [Row(str(at), label) for at, label in enumerate(labels, 1)]
    lines = [plain(line) for line in draw(scene, PROMPT, rows, 34, 5)][1:]
    assert len({line[8:] for line in lines}) == 4


def test_cards_that_would_look_the_same_are_cut_in_the_middle() -> None:
    glyphs = samples.scene(samples.idle()).glyphs
    both = ("Potion of General Unpleasantness", "Potion of General Forgiveness")
    cut = [names(name, 11, glyphs, (other,)) for name, other in zip(both, reversed(both), strict=True)]
    assert cut[0] != cut[1] and all(len(row) <= 11 for rows in cut for row in rows)
    assert names(both[0], 11, glyphs) == ["Potion of", "General Un…"]


def test_an_ability_alone_in_its_row_tells_what_it_costs_and_does_as_far_as_there_is_room() -> None:
    """Formerly, "use Thief: Steal" stood alone in a row of 80 cells, and said neither its price nor what it does."""
    scene = samples.scene(samples.idle())
    told = "use Thief: Steal: discard a card and roll against another player, neither of you in combat."
    assert abridged(told, 76, scene).startswith("use Thief: Steal: discard a card and roll against another player")
    steal = samples.catalog().named("Thief").abilities[1].text
    whole = "use Thief: Steal: discard a card; on 4 or more take a Small Item of theirs, on less lose a level."
    assert abridged(f"use Thief: {steal}", 100, scene) == whole
    assert abridged(f"use Thief: {steal}", 70, scene) == whole[:69] + "…", "at 80x24, with what it is about"
    assert abridged(told, 37, scene) == "use Thief: Steal: discard a card…", "side by side: its price"
    assert abridged(told, 32, scene) == "use Thief: Steal", "or its name"
    poke = "Poke: once before the door discard a card, look at the top two Doors."
    assert abridged(f"use Sword That Is Too Long: {poke}", 35, scene) == "use Sword: Poke: discard a card…"


def test_the_row_that_leads_to_further_digits_says_what_they_begin_with() -> None:
    scene = samples.scene(samples.your_turn())
    asked = Asked(scene, PROMPT, tuple(ROWS[:1]), further="play Survivors' Registry")
    text = "\n".join(plain(line) for line in asked.draw(80, 4))
    assert "0  more: play Survivors' R…" in text, text


def test_a_card_s_name_gives_way_to_what_its_ability_does() -> None:
    """At 80x24 it read "use Charcoal of Weak Outlines: Rub Out: discard two cards to make a…"."""
    scene = samples.scene(samples.idle())
    rub = "Rub Out: discard two cards to make a monster 3 weaker."
    assert abridged(f"use Charcoal of Weak Outlines: {rub}", 68, scene) == f"use Charcoal: {rub}"
    label = f"use Charcoal of Weak Outlines: {rub}"
    assert abridged(label, 67, scene) == f"use Charcoal: {rub[:-1]}", "but for its stop"
    assert abridged(label, 66, scene).startswith("use Charcoal: Rub Out: discard two cards to make")
    assert abridged(label, 38, scene) == "use Charcoal of Weak Outlines: Rub Out"
    assert abridged(label, 37, scene) == "use Charcoal: Rub Out"
    outlook = Outlook("11 : 5", ("Cid loses", "◆ loses", ""))
    rows = [Row("b", f"use Charcoal of Weak Outlines: {rub}", outlook), *(Row(key, "play Orc") for key in "12")]
    lines = [plain(line) for line in draw(scene, PROMPT, rows, 80, 3)]
    assert any(f"use Charcoal: {rub[:-1]}" in line and "11 : 5" in line for line in lines), lines


def test_a_reason_that_would_take_another_line_leaves_out_what_the_player_knows() -> None:
    view = samples.view(fight=replace(samples.own_fight(), seat=samples.BO), turn=samples.BO)
    view.you = You(samples.ME, view.you.hand, [], [], [])
    view.window = WindowView(5, "claim", samples.BO, -1, True, 0)
    scene = samples.scene(view)
    waits = prompt_for(scene, MenuState(), root(scene))
    first, second, *_ = [plain(line) for line in draw(scene, waits, ROWS[3:6], 66, 4)]
    assert first.rstrip().endswith("WAITING FOR THE OTHERS  Bo claims the kill (8 to 12).") and "play" in second
    assert room(waits, ROWS[3:6], 66, 4, scene.glyphs) == 3


@pytest.mark.parametrize("height", [3, 5])
def test_what_somebody_may_choose_stands_in_place_of_the_text_of_an_ability_that_would_be_cut(height: int) -> None:
    """It read "use Staff of Reasonable Force: Reason: discard a card; a playe…  Cyd chooses"."""
    scene = samples.scene(samples.idle())
    text = "Reason: discard a card; a player in the combat chooses -3 or to discard a card from hand."
    choice = "Cid chooses: have -3 or discard a card"
    short = choice.replace("Cid", "◆")
    outlook = Outlook(words=(choice, short, "Cid chooses", "a choice"), tells=2)
    rows = [Row("b", f"use Staff of Reasonable Force: {text}", outlook), *(Row(key, "play Orc") for key in "12")]
    lines = [plain(line) for line in draw(scene, PROMPT, rows, 80, height)]
    assert any("use Staff: Reason  " in line and choice in line for line in lines), lines
    small = [plain(line) for line in draw(scene, PROMPT, rows, 60, 3)]
    assert any("use Staff: Reason  " in line and short in line for line in small), small
    apart = [plain(line) for line in draw(scene, PROMPT, [*rows[:1], Row("g", "x" * 30, rows[0].outlook)], 66, 5)]
    assert any("use Staff: Reason  " in line and short in line for line in apart), apart
    wide = [plain(line) for line in draw(scene, PROMPT, rows, 200, height)]
    assert any(text[:-1] in line and choice in line for line in wide), "there is room for both"
