"""The short words of a table: who gets them, who renews them, and what an older or false host may tell about them."""

import msgspec
import pytest

from netcode.protocol import codec, wire
from netcode.protocol.credentials import new_token
from netcode.short_words.word_list import TRIES
from netcode.table.admission import Admission


def admission(words: str = "otter-lamp-42") -> Admission:
    """Return the admission of a table with these words."""
    return Admission(new_token(), new_token(), new_token(), words=words)


def test_only_tries_with_the_words_in_force_count() -> None:
    one = admission()
    assert not one.count_wrong("otter-lemon-42") and one.wrong_words == 0, "of words that were renewed meanwhile"
    assert [one.count_wrong("otter-lamp-42") for _ in range(TRIES)] == [True] * TRIES and one.words_rest
    one.renew_words()
    assert not one.words_rest and one.words != "otter-lamp-42" and one.words.endswith("-42")


def test_a_new_join_string_brings_new_words_and_a_new_watch_string_does_not() -> None:
    one = admission()
    one.renew("watch")
    assert one.words == "otter-lamp-42"
    one.renew("join")
    assert one.words != "otter-lamp-42"
    without = admission("")
    without.renew("join")
    assert without.words == ""


def test_nothing_that_is_printed_of_a_table_has_its_words() -> None:
    assert "otter" not in repr(admission())


@pytest.mark.parametrize("words", ["otter-\x1b[31m-42", "otter lamp 42", "o" * 30 + "-a-42", "otter-lamp-42\n"])
def test_a_client_takes_words_only_as_hosts_write_them(words: str) -> None:
    with pytest.raises((msgspec.ValidationError, codec.WireError)):
        msgspec.convert({"k": "strings", "join": b"j" * 16, "watch": b"w" * 16, "words": words}, wire.Strings)
