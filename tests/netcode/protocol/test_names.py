"""Names: an unreadable text is not a name, and a name that looks like another one at the table is refused."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol import limits, wire
from netcode.protocol.clean_text import clean, clean_name
from netcode.protocol.names import free_name, look_alike, name_problem, same_name, skeleton
from tests.netcode.offline_table import OfflineTable, Player

BLANKS = [
    "\u3164", "\u2800", "\uffa0", "\u115f\u1160", "\u200b\u200d", "\ufe0f\ufe0e", "\U000e0041\U000e0042",
    "\U000e0101", "\u034f", "\u17b4\u17b5", "\u180b", "\u2063", "\u00ad", "\ufeff", "\U0001d159", "\U00013441",
    "\U00016fe4", "\u00a0\u2003", "",
]  # fmt: skip
UNREADABLE = ["123", "...", "\u0301\u0301", "\u2605", "\U0001f600", "- _ -"]


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_a_text_of_blank_characters_is_empty(blank: str) -> None:
    assert clean(blank, 20) == "" and clean_name(f"{blank}Kim{blank}") == "Kim"
    assert name_problem(clean_name(blank))


@pytest.mark.parametrize("name", [*BLANKS, *UNREADABLE], ids=ascii)
def test_a_name_without_a_visible_letter_is_refused_at_the_table(name: str) -> None:
    offline = OfflineTable(None)
    answer = offline.hello(clean_name(name), key="k", address=b"k")
    assert isinstance(answer, wire.Error) and answer.code == "bad_name"
    assert "at least one visible letter" in answer.text
    assert [seat.state for seat in offline.table.seating.seats] == ["open"] * 3


@pytest.mark.parametrize("name", ["Kim", "Мария", "かな", "李", "עמית", "Þór 2", "é", "O'Neil"])
def test_names_of_any_script_are_names(name: str) -> None:
    assert clean_name(name) == name and not name_problem(name)


def test_dressed_up_letters_become_plain_ones() -> None:
    assert clean_name("Ｋｉｍ") == clean_name("𝐊𝐢𝐦") == clean_name("ⓚim").capitalize() == "Kim"
    assert len(clean_name("\ufdfa" * 20)) <= limits.NAME_CHARS


@given(st.text(max_size=60))
def test_a_cleaned_name_shows_every_character(text: str) -> None:
    name = clean_name(text)
    assert clean_name(name) == name and len(name) <= limits.NAME_CHARS
    assert all(unicodedata.category(char)[0] != "C" for char in name)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Kim", "Кіm"), ("Kim", "Kіm"), ("Bill", "BiII"), ("Bill", "Bil1"), ("Kim", "Kirn"), ("Otto", "0tt0"),
     ("paul", "ρaul"), ("PAUL", "рAUL"), ("kim", "KІM")],
)  # fmt: skip
def test_names_that_look_alike_are_recognised(one: str, other: str) -> None:
    assert look_alike(other, ["Ann", one]) == one
    assert look_alike(one, [other]) == other


@pytest.mark.parametrize(("one", "other"), [("Kim", "Tim"), ("Ann", "Anna"), ("José", "Jose"), ("Kim", "Kim 2")])
def test_different_names_are_told_apart(one: str, other: str) -> None:
    assert not look_alike(one, [other]) and not same_name(one, other) and skeleton(one) != skeleton(other)


def test_a_name_in_use_gets_a_number_and_so_does_another_spelling_in_capitals() -> None:
    assert free_name("Kim", ["Kim", "Kim 2"]) == "Kim 3"
    assert free_name("KIM", ["Kim"]) == "KIM 2"
    assert free_name("Kim", ["Кіm"]) == "Kim 2"
    assert len(free_name("x" * 20, ["x" * 20])) <= limits.NAME_CHARS


def test_a_newcomer_who_looks_like_somebody_at_the_table_is_refused_with_a_proposal() -> None:
    offline = OfflineTable(None, bots=1)
    offline.sit("Bill")
    bot = offline.table.seating.seats[2].name
    for name, other in (("BiII", "Bill"), (bot.replace("y", "у"), bot)):
        answer = offline.hello(name, key=name)
        assert isinstance(answer, wire.Error) and answer.code == "bad_name"
        assert answer.text == f"{name} looks like {other}, a name at this table: come as {name} 2, for instance"
    proposed = offline.hello("BiII 2", key="BiII 2")
    assert isinstance(proposed, Player) and proposed.seat == 1


def test_a_returning_player_keeps_their_name() -> None:
    offline = OfflineTable(None)
    (kim,) = offline.sit("Kim")
    token = kim.received(wire.Welcome)[-1].token
    offline.table.seating.seats[1].name = "Кіm"  # as if the impostor had come first
    offline.table.seating.seats[1].state = "bot"
    again = offline.hello("Kim", token)
    assert isinstance(again, Player) and offline.table.seating.seats[again.seat].name == "Kim"
