"""Short words such as `otter-lamp-42`: two words of our list and a number.

The two words are the secret: 20 bits. The number says which of the host's tables is meant, and is sent in clear. Each
word of the list differs from every other in its first four letters, and in two letters at least.
"""

import re
import secrets
from collections.abc import Container
from functools import cache
from pathlib import Path

from netcode.short_words.frames import NUMBERS

FILE = Path(__file__).with_name("words.txt")
BITS = 20
"""The secret in two words: no fewer, whatever becomes of the list (tests/netcode/short_words/test_word_list.py)."""
TRIES = 5
"""Wrong tries after which words rest, until the owner of the table renews them."""
SHORT_NUMBERS = range(NUMBERS.start, 100)
"""Numbers of two digits: used while there are free ones."""
LONGEST = 40
"""Characters of words that somebody typed; longer texts are no words."""
_COMMAND = re.compile(r"^\S*kickdoor\s+join\s+(?!-)")
"""How a line begins that a host prints for words, and that somebody pastes whole."""
_SHAPE = re.compile(r"([A-Za-z]+)[\s.,_-]+([A-Za-z]+)[\s.,_-]*([0-9]{2,3})")


class WordsError(ValueError):
    """These are no short words. The text is one line for people."""


@cache
def word_list() -> tuple[str, ...]:
    """Return all words that may be used, sorted."""
    return tuple(FILE.read_text(encoding="ascii").split())


def new_words(taken: Container[int] = ()) -> str:
    """Return new words with a number that is not taken, "" if all are."""
    numbers = [one for one in SHORT_NUMBERS if one not in taken] or [one for one in NUMBERS if one not in taken]
    return _with_number(secrets.choice(numbers)) if numbers else ""


def renewed(words: str) -> str:
    """Return other words with the same number."""
    return _with_number(number_of(words))


def number_of(words: str) -> int:
    """Return the number of words that are written as `read_words` writes them."""
    return int(words.rpartition("-")[2])


def _with_number(number: int) -> str:
    first, second = (secrets.choice(word_list()) for _ in range(2))
    return f"{first}-{second}-{number}"


def looks_like_words(text: str) -> bool:
    """Whether this text is meant as short words, and not as a join string or an address."""
    return len(text) <= LONGEST and _SHAPE.fullmatch(text.strip().strip("'\"")) is not None


def with_address(text: str) -> tuple[str, str] | None:
    """Return the address and the words of `HOST:PORT WORDS`, or "" and the words where there are only words; None if
    somebody means something else by this text. A `kickdoor join` before them makes no difference."""
    text = _COMMAND.sub("", text.strip().strip("'\""), count=1)
    if looks_like_words(text):
        return "", text
    address, _, words = text.partition(" ")
    return (address, words.strip()) if looks_like_words(words) else None


def read_words(text: str) -> str:
    """Return words as a host writes them: capitals, spaces and dots make no difference. Raises WordsError, which names
    the word that is on no list: such a slip costs no try at the host."""
    found = _SHAPE.fullmatch(text.strip().strip("'\"")) if len(text) <= LONGEST else None
    if found is None:
        raise WordsError("short words are two words and a number, such as otter-lamp-42")
    first, second, number = found[1].lower(), found[2].lower(), int(found[3])
    for word in (first, second):
        if word not in word_list():
            from difflib import get_close_matches  # only after a slip

            near = get_close_matches(word, word_list(), 1, 0.6)
            hint = f": {near[0]}, perhaps?" if near else ""
            raise WordsError(f"no short words have “{word}” in them{hint}")
    if number not in NUMBERS:
        raise WordsError("the number of short words is 10 to 999")
    return f"{first}-{second}-{number}"
