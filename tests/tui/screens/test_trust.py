"""Promises of the table to its player: ESC closes one thing, the question is always in sight, no key is silent."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from core.state import actions as a
from core.state.actions import Legal
from core.state.model import Ask
from core.state.views import Deciding, View
from netcode.protocol import wire
from tests.patience import PATIENCE_S
from tests.tui import samples, set_samples
from tests.tui.app_pilot import HOUR_S, table
from tui.config import settings
from tui.menus.choices import root
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.scene.scene import Scene
from tui.scene.seal_lines import seal_lines

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


def with_gear() -> View:
    """Return your turn with an Item to take off and one to discard."""
    view = samples.your_turn()
    spear, helm = samples.items_of(view.seats[samples.ME])[:2]
    view.you.legal = [Legal(a.Kick()), Legal(a.Unequip(spear)), Legal(a.Discard(helm))]
    return view


# ------------------------------------------------------------------------------------------------------------ ESC
@pytest.mark.long(4)
@pytest.mark.parametrize("size", SIZES)
async def test_one_escape_closes_the_gear_and_the_seat_that_it_opened(size: tuple[int, int]) -> None:
    async with table(with_gear(), size) as pilot:
        await pilot.keys("g")
        assert "YOUR GEAR" in pilot.text() and pilot.model.reading.kind == "seat"
        await pilot.keys("escape")
        assert not pilot.model.reading.kind and not pilot.model.menus.nested
        assert "YOUR TURN" in pilot.text() and "THE DOOR" in pilot.text()


async def test_the_seat_closes_too_when_the_gear_is_left_for_another_verb_or_a_piece_is_taken_off() -> None:
    for key in ("k", "1"):
        async with table(with_gear()) as pilot:
            await pilot.keys("g", key)
            assert len(pilot.client.acts) == 1 and not pilot.model.reading.kind, key


async def test_escape_closes_what_was_opened_last() -> None:
    async with table(with_gear(), (120, 40)) as pilot:
        await pilot.keys("g", "w", "escape")
        assert pilot.model.menus.nested and pilot.model.reading.kind != "why", "the reasons were opened last"
        await pilot.keys("escape")
        assert not pilot.model.menus.nested
        await pilot.keys("w", "g", "escape")
        assert not pilot.model.menus.nested and not pilot.model.reading.kind


def gear_words(*acts: a.Action) -> str:
    """Return the words of the gear's entry with these actions."""
    view = samples.your_turn()
    view.you.legal = [Legal(act) for act in acts]
    return next(entry.label for entry in root(samples.scene(view)).entries if entry.on == "table.gear")


def test_the_entry_of_the_gear_says_what_there_is_to_do() -> None:
    spear, helm, boots = samples.items_of(samples.your_turn().seats[samples.ME])[:3]
    assert gear_words(a.Discard(spear)) == "discard Pickle Spear", "one thing needs no question which"
    assert gear_words(a.Discard(spear), a.Discard(helm)) == "discard a card.."
    assert gear_words(a.Unequip(boots)) == "put Wombat Boots away..", "a key that goes back and forth asks"
    assert gear_words(a.Discard(spear), a.Unequip(boots)) == "change your gear.."


# ---------------------------------------------------------------------------------------------------------- remarks
@pytest.mark.long(4)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "position, question",
    [(samples.own_combat, "YOU"), (samples.interrupt, "ANYTHING TO PLAY?"), (samples.your_turn, "YOUR TURN")],
)
async def test_a_remark_stands_beside_the_question_and_goes_with_the_next_key(
    size: tuple[int, int], position: Callable[[], View], question: str
) -> None:
    async with table(position(), size) as pilot:
        question = pilot.model.current.question.upper().rstrip(".")
        pilot.model.say("This card cannot be played now, and the sentence that says why is longer than a row.")
        await pilot.settle()
        text = " ".join(pilot.text().replace("▌", " ").replace("│", " ").split())
        assert question in text and "This card cannot" in text
        await pilot.keys("f9")  # a key that does nothing
        assert question in pilot.text() and "This card cannot" not in pilot.text()


async def test_the_key_after_a_refusal_still_opens_its_rule() -> None:
    async with table(samples.interrupt(), (120, 40)) as pilot:
        pilot.client.tell(wire.Refused(1, a.Refusal("changed", "The fight has changed."), by=2, ms=84))
        await pilot.settle()
        await pilot.keys("f9")
        assert "Cid was 84 ms faster" not in "\n".join(pilot.lines()[-9:])
        await pilot.keys("i")
        assert "changed" not in pilot.app.screen.__class__.__name__.lower()
        assert "The fight has changed." not in "\n".join(pilot.lines()[:12]), "the remark is gone: no rule of old"


async def test_what_is_asked_once_more_keeps_its_reason_beside_a_remark() -> None:
    """Formerly, a wrong key took the reason away for which the player is asked once more."""
    async with table(samples.first_cards(), (80, 24)) as pilot:
        await pilot.keys("y")
        for key in ("", "9", "8"):
            await pilot.keys(*key)
            shown = " ".join(line.lstrip("▌ ").rstrip() for line in pilot.lines())
            assert "BE READY ALL THE SAME?  There is something in your hand to play." in shown, shown
        assert pilot.screen.session.remark, "the key does nothing, and says so"


async def test_a_remark_that_has_been_read_goes_when_something_else_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tui.screens.parts.remarks.READ_S", 0.0)
    async with table(samples.interrupt()) as pilot:
        pilot.model.say("You hold the table already.")
        await pilot.settle()
        later = samples.own_combat()
        later.rev = 41
        pilot.client.tell(wire.Update(1, 41, later))
        await pilot.settle()
        assert "You hold the table already" not in pilot.text()


@pytest.mark.parametrize("lasts", [0.0, 2.0])
async def test_a_remark_about_first_cards_goes_with_them(monkeypatch: pytest.MonkeyPatch, lasts: float) -> None:
    monkeypatch.setattr("tui.screens.parts.remarks.READ_S", lasts)
    view = samples.idle()
    view.rev, view.top = 41, "setup"
    async with table(view) as pilot:
        pilot.model.say("First cards are laid out now.")
        await pilot.settle()
        later = samples.idle()
        later.rev = 42
        pilot.client.tell(wire.Update(1, 42, later))
        await pilot.settle()
        assert ("First cards are laid" in pilot.text()) == (lasts > 0), "there is time to read it"
        async with asyncio.timeout(PATIENCE_S):
            while "First cards are laid" in pilot.text():  # it goes by itself
                await pilot.textual.pause(0.05)


async def test_a_refusal_because_a_card_takes_effect_goes_with_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """Formerly, the refusal stayed below `Waiting for Bo to end the turn`."""
    monkeypatch.setattr("tui.screens.parts.remarks.READ_S", 0.0)
    view = samples.idle()
    view.rev, view.top, view.deciding = 41, "program", [Deciding(samples.BO, "option", samples.no("Orc"))]
    async with table(view) as pilot:
        pilot.model.say("A card is taking effect.")
        await pilot.settle()
        assert "A card is taking effect." in pilot.text()
        later = samples.idle()
        later.rev = 42
        pilot.client.tell(wire.Update(1, 42, later))
        await pilot.settle()
        assert "A card is taking effect." not in pilot.text()


async def test_what_waits_is_said_as_long_as_it_waits() -> None:
    async with table(samples.interrupt(), (120, 40)) as pilot:
        pilot.client.tell(wire.Ack(1, "queued"))
        await pilot.settle()
        await pilot.keys("f9")
        assert "ESC withdraws it" in pilot.text() and "ANYTHING TO PLAY?" in pilot.text()
        await pilot.keys("escape")
        assert "ESC withdraws it" not in pilot.text() and {"withdraw": True} in pilot.client.sets


# -------------------------------------------------------------------------------------------------------- dead keys
async def test_the_first_table_of_a_game_has_no_dead_keys() -> None:
    async with table(samples.your_turn()) as pilot:
        pilot.app.simulate_key("k")
        await pilot.settle()
        assert pilot.client.acts == [a.Kick()]


@pytest.mark.long(4)
@pytest.mark.parametrize("key", ["1", "k", "space", "z"])
async def test_a_key_that_has_just_changed_says_so(key: str) -> None:
    before = samples.idle() if key in "1k" else samples.own_combat()
    async with table(before, key_pause=HOUR_S) as pilot:
        later = samples.your_turn() if key in "1k" else samples.interrupt()
        later.rev = 41
        pilot.client.tell(wire.Update(1, 41, later))
        await pilot.settle()
        pilot.app.simulate_key(key)
        await pilot.settle()
        assert pilot.client.acts == [] and "This question has just come: press the key again." in pilot.text()
        await pilot.keys(key)
        assert "has just come" not in pilot.text()


async def test_a_key_whose_result_has_just_changed_in_the_same_question_says_so() -> None:
    async with table(samples.your_turn(), key_pause=HOUR_S) as pilot:
        later = samples.your_turn()
        later.you.legal = [row for row in later.you.legal if not isinstance(row.action, a.Kick)]
        later.rev = 41
        pilot.client.tell(wire.Update(1, 41, later))
        await pilot.settle()
        pilot.app.simulate_key("k")
        await pilot.settle()
        assert "This key has just changed: press it again." in pilot.text()


# ------------------------------------------------------------------------------------------------------------- undo
async def test_the_question_of_an_undo_names_the_act() -> None:
    async with table(samples.your_turn(), (120, 40)) as pilot:
        pilot.client.tell(wire.Update(1, 2, samples.your_turn(), undo=wire.UndoInfo(samples.BO, "equip")))
        await pilot.settle()
        await pilot.keys("u")
        assert 'TAKE BACK "BO CHANGES GEAR"?' in pilot.text(), pilot.text()
        assert "All players must" in pilot.text() and pilot.client.votes == []
        await pilot.keys("1")
        assert pilot.client.votes == [(0, True)]


async def test_no_undo_is_offered_when_the_host_names_none_and_its_key_lets_the_host_say_why() -> None:
    async with table(samples.your_turn(), (200, 60)) as pilot:
        assert "u undo" in pilot.text()
        pilot.client.tell(wire.Update(1, 2, samples.your_turn()))
        await pilot.settle()
        assert "u undo" not in pilot.text()
        await pilot.keys("u")
        assert pilot.client.votes == [(0, True)]
        pilot.client.tell(wire.Error("not_allowed", "nothing can be undone: it is the first act"))
        await pilot.settle()
        assert "Nothing can be undone" in pilot.text() and "YOUR TURN" in pilot.text()


# --------------------------------------------------------------------------------------------------------- long words
async def test_a_long_entry_of_the_list_goes_on_beside_its_key() -> None:
    view = samples.interrupt()
    words = "throw the whole table over and say that it was the wind that came in by the window"
    view.you.asks = [Ask(9, 0, "option", list(range(9)), 1, 1, samples.no("Orc"), [f"{words} {n}" for n in range(9)])]
    async with table(view) as pilot:
        assert pilot.screen.parts.choices.listing
        lines = [line[27:] for line in pilot.lines()]
        at = next(number for number, line in enumerate(lines) if " 1  throw the whole" in line)
        start = lines[at].index("throw")
        assert lines[at + 1][:start].strip("│ ") == "" and lines[at + 1][start] != " ", lines[at : at + 2]


# ---------------------------------------------------------------------------------------------------- words and figures
@pytest.mark.parametrize(
    ("cards", "keeps", "level", "words"),
    [
        (3, 5, 4, "You may keep 5 cards. Play what you like, then end it."),
        (7, 5, 4, "Charity: 2 cards go to Bo, you keep 5."),
        (7, 6, 4, "Charity: 1 card goes to Bo, you keep 6."),
        (7, 5, 1, "Charity: 2 cards are discarded, you keep 5."),
        (7, -1, 4, "Play what you like, then end it."),
    ],
)
def test_the_end_of_the_turn_says_what_stays_and_who_gets_the_rest(
    cards: int, keeps: int, level: int, words: str
) -> None:
    view = samples.idle()
    view.you.asks, view.you.hand, view.you.keeps = [Ask(9, 0, "end", [], 1, 1)], view.you.hand[:cards], keeps
    for seat in view.seats:
        seat.level = {samples.ME: level, samples.BO: 2}.get(seat.seat, 6)
    scene, menus = samples.scene(view), MenuState()
    reason = prompt_for(scene, menus, menus.here(scene)[0]).reason
    assert reason == words, "what a single row shows matters most"


def test_one_card_for_several_goes_to_one_of_them() -> None:
    view = samples.idle()
    view.you.asks, view.you.hand, view.you.keeps = [Ask(9, 0, "end", [], 1, 1)], view.you.hand[:6], 5
    for seat in view.seats:
        seat.level = 4 if seat.seat == samples.ME else 2
    scene, menus = samples.scene(view), MenuState()
    reason = prompt_for(scene, menus, menus.here(scene)[0]).reason
    assert "1 card goes to " in reason and " or " in reason and " and " not in reason


async def test_a_card_is_counted_by_its_place_in_the_hand() -> None:
    async with table(samples.your_turn(), (120, 40)) as pilot:
        for place in (1, 3):
            await pilot.keys(*(["tab"] * (place - pilot.model.cursor - 1)), "v")
            assert f"{place} of " in pilot.text()
            await pilot.keys("escape")


async def test_to_make_somebody_else_the_owner_asks_once_more() -> None:
    async with table(samples.interrupt(), (120, 40)) as pilot:
        await pilot.keys("a")
        bo = next(row.key for row in pilot.screen.parts.choices.all_rows() if row.words.startswith("Bo:"))
        await pilot.keys(bo)
        give = next(row for row in pilot.screen.parts.choices.all_rows() if row.words == "make them the owner")
        assert give.asks
        await pilot.keys(give.key)
        assert "MAKE BO THE OWNER INSTEAD OF YOU?" in pilot.text() and pilot.client.requests == []
        await pilot.keys("enter")
        assert [one[0] for one in pilot.client.requests] == ["owner"]


def test_a_folder_in_place_of_the_settings_is_named_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path))
    with pytest.raises(settings.SettingsError) as caught:
        settings.load()
    assert str(caught.value).count(str(tmp_path)) == 1 and "folder" in str(caught.value)


def test_the_page_of_seals_says_what_they_do_before_one_is_open() -> None:
    box, view = set_samples.apo_idle()
    view.seals_open = []
    scene = Scene(box.catalog, samples.info(len(view.seats)), view, samples.ME)
    text = " ".join(words for words, _ in seal_lines(scene))
    assert "+1" in text and "in force" in text and "seventh Seal the game ends" in text
    assert "most from cards in play wins" in text and " would win: +" in text, "who wins by it"
