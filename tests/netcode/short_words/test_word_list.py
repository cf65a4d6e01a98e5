"""Short words can be said on the telephone, are hard to guess, and are read however people type them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netcode.protocol.limits import SHORT_WORDS_CHARS
from netcode.short_words.frames import NUMBERS
from netcode.short_words.word_list import (
    BITS,
    LONGEST,
    SHORT_NUMBERS,
    WordsError,
    looks_like_words,
    new_words,
    number_of,
    read_words,
    renewed,
    with_address,
    word_list,
)


def test_two_words_are_a_secret_of_twenty_bits() -> None:
    words = word_list()
    assert 2 * math.log2(len(set(words))) >= BITS
    assert list(words) == sorted(words) and all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert all(4 <= len(word) <= 9 for word in words)
    assert max(len(f"{word}-{word}-{NUMBERS[-1]}") for word in words) <= min(SHORT_WORDS_CHARS, LONGEST)


def test_no_word_looks_like_another() -> None:
    words = word_list()
    assert len({word[:4] for word in words}) == len(words), "four letters are enough to say which"
    assert len({"".join(sorted(word)) for word in words}) == len(words), "none has the letters of another"
    seen: dict[str, str] = {}
    for word in words:
        for at in range(len(word)):
            rest = f"{word[:at]}?{word[at + 1 :]}"
            assert rest not in seen, f"{word} and {seen.get(rest)} differ in one letter"
            assert rest.replace("?", "") not in words, f"{word} has one letter more than another"
            seen[rest] = word


def test_new_words_take_a_free_number_and_keep_it_when_they_are_renewed() -> None:
    taken = set(SHORT_NUMBERS) - {57}
    words = new_words(taken)
    assert number_of(words) == 57 == number_of(renewed(words)) and renewed(words) != words
    assert new_words(set(NUMBERS)) == "", "a large club has more tables than there are numbers"
    assert number_of(new_words(set(SHORT_NUMBERS))) in NUMBERS
    assert len({new_words() for _ in range(50)}) > 40


@given(st.sampled_from(word_list()), st.sampled_from(word_list()), st.sampled_from(NUMBERS), st.sampled_from(
    ["-", " ", ".", "  ", " - ", "_"]), st.sampled_from([str.upper, str.title, str.lower]))  # fmt: skip
def test_words_are_read_as_people_type_them(one, two, number, between, case) -> None:
    typed = case(between.join((one, two, str(number))))
    assert looks_like_words(typed) and read_words(typed) == f"{one}-{two}-{number}"
    assert with_address(f" {typed} ") == ("", typed) and with_address(f"host:7788 {typed}") == ("host:7788", typed)
    assert with_address(f"  kickdoor join host:7788 {typed}\n") == ("host:7788", typed), "the whole printed line"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("oter lamp 42", "no short words have “oter” in them: otter, perhaps?"),
        ("otter-qqqqq-42", "no short words have “qqqqq” in them"),
        ("otter-lamp-07", "the number of short words is 10 to 999"),
        ("otter-lamp", "short words are two words and a number, such as otter-lamp-42"),
        ("a" * 10_000, "short words are two words and a number, such as otter-lamp-42"),
        ("otter-\x1b[31mlamp-42", "short words are two words and a number, such as otter-lamp-42"),
    ],
)
def test_what_are_no_words_says_so(typed: str, says: str) -> None:
    with pytest.raises(WordsError, match=f"^{says.replace('?', '[?]')}$"):
        read_words(typed)


@pytest.mark.parametrize(
    "text", ["kickdoor://192.168.1.20:7788/3fa2c1#KEY.TOKEN", "192.168.1.20:7788", "-", "", "kickdoor join -"]
)
def test_strings_and_addresses_are_no_words(text: str) -> None:
    assert with_address(text) is None
