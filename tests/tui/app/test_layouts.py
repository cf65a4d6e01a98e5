"""Keys of other keyboard layouts, Caps Lock and full-width signs at a real app; text stays as it was typed."""

import pytest
from textual import events
from textual.widgets import Input

from tests.tui import samples
from tests.tui.app_pilot import TablePilot, shown, table
from tui.app.menu_rows import menu_rows
from tui.config.layouts import CAPITALS, latin
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.first_start import FirstStartScreen
from tui.screens.main_menu import MainMenuScreen


async def type_in(pilot: TablePilot, sign: str) -> None:
    """Type a sign as a terminal sends it."""
    pilot.model.keyed.revive()
    pilot.app.post_message(events.Key(sign, sign))
    await pilot.settle()


@pytest.mark.parametrize(
    ("sign", "means"),
    [("л", "k"), ("К", "R"), ("й", "q"), ("э", "'"), ("Ю", ">"), ("і", "s"), ("κ", "k"), ("Σ", "S"), ("ή", "h"),
     ("ς", "w"), ("ｋ", "k"), ("Ｋ", "K"), ("１", "1"), ("？", "?"),
     ("\u3000", " "), ("ש", "a"), ("ק", "e"), ("ץ", "."), ("ض", "q"),
     ("ر", "v"), ("ㅏ", "k"), ("ㅂ", "q"), ("ㄲ", "R"), ("가", ""), ("あ", ""), ("界", ""), ("é", ""), ("²", "")],
)  # fmt: skip
def test_a_sign_stands_for_the_latin_one_at_its_place_or_of_its_meaning(sign: str, means: str) -> None:
    assert latin(sign) == means


async def test_letters_of_other_layouts_do_what_the_key_at_their_place_does() -> None:
    async with table(samples.your_turn()) as pilot:
        untouched = pilot.text()
        for key, signs in (("o", "щοｏםㅐخ"), ("g", "пγעㅎل")):
            await pilot.keys(key)
            wanted = pilot.text()
            await pilot.keys("escape", "escape")
            for sign in signs:
                pilot.app.clear_notifications()
                await type_in(pilot, sign)
                assert pilot.text() == wanted != untouched, f"{sign} does what {key} does"
                await pilot.keys("escape", "escape")
        await pilot.keys("1")
        await type_in(pilot, "１")
        assert len(pilot.client.acts) == 2 and pilot.client.acts[0] == pilot.client.acts[1]


async def test_capitals_with_a_meaning_of_their_own_keep_it_and_others_are_small_with_a_word_about_caps_lock() -> None:
    async with table(samples.your_turn()) as pilot:
        notes = pilot.app._notifications
        await type_in(pilot, "B")
        assert not any(note.message == CAPITALS for note in notes), "B changes the speed of bots"
        for sign in "VV":
            await type_in(pilot, sign)
        assert sum(note.message == CAPITALS for note in notes) == 1, "said once"


@pytest.mark.parametrize("sign", ["あ", "가"])
async def test_a_letter_that_stands_for_no_key_says_so_at_once_and_once(sign: str) -> None:
    async with table(samples.your_turn()) as pilot:
        for _ in range(3):
            await type_in(pilot, sign)
        told = [note.message for note in pilot.app._notifications if "Latin letters" in note.message]
        assert len(told) == 1 and "Switch the keyboard layout" in told[0] and told[0].isascii()


@pytest.mark.long(3)
@pytest.mark.parametrize("sign", list('&é"\'(-è_çà²'))
async def test_signs_in_the_place_of_digits_say_why_they_do_nothing(sign: str) -> None:
    async with table(samples.your_turn()) as pilot:
        await type_in(pilot, sign)
        assert not pilot.client.acts
        said = [*(note.message for note in pilot.app._notifications), pilot.screen.session.remark]
        assert any("no key here" in text and "Where digits need SHIFT, hold it" in text for text in said)


async def test_what_is_typed_into_a_line_stays_as_it_was_typed() -> None:
    async with table(samples.your_turn()) as pilot:
        await pilot.keys("t")
        for sign in "лΚｋ":
            await type_in(pilot, sign)
        assert pilot.screen.query_one(Input).value == "лΚｋ"


async def test_ctrl_with_a_letter_of_another_layout_is_the_key_at_its_place() -> None:
    async with table(samples.your_turn()) as pilot:
        pilot.app.post_message(events.Key("ctrl+й", None))
        await pilot.settle()
        assert "LEAVE THE TABLE?" in pilot.text()


@pytest.mark.parametrize(("key", "answer"), [("н", True), ("т", False), ("υ", True), ("Ｎ", False)])
async def test_a_question_of_yes_and_no_takes_the_keys_of_other_layouts(key: str, answer: bool) -> None:
    async with shown(FirstStartScreen(UNICODE)) as (press, results):
        await press(key)
        assert results == [answer]


@pytest.mark.parametrize("key", ["ы", "σ", "S", "ｓ"])
async def test_the_menu_takes_the_keys_of_other_layouts(key: str) -> None:
    async with shown(MainMenuScreen(menu_rows(Settings()), [], UNICODE)) as (press, results):
        await press(key)
        assert results == ["settings"]
