"""Codes with which guests without a key return: two of the list's words and a number of four digits.

The words are the secret, as with short words: 20 bits. The number says whose code it is. After five wrong tries with a
number, its code rests until the owner of the door allows tries again (SIGHUP). A code is valid as long as the guest is
known. Four digits tell a code from a table's words, which have two or three.
"""

import re
import secrets
from collections.abc import Container

from netcode.protocol.credentials import same
from netcode.short_words.word_list import LONGEST, TRIES, word_list

NUMBERS = range(1000, 10000)
_SHAPE = re.compile(r"([A-Za-z]+)[\s.,_-]+([A-Za-z]+)[\s.,_-]*([0-9]{4})")


def new_code(taken: Container[int]) -> str:
    """Return a new code with a number that is not taken."""
    number = secrets.choice([one for one in NUMBERS if one not in taken])
    first, second = (secrets.choice(word_list()) for _ in range(2))
    return f"{first}-{second}-{number}"


def read_code(text: str) -> str:
    """Return a code as `new_code` writes it; "" if this is none."""
    found = _SHAPE.fullmatch(text.strip()) if len(text) <= LONGEST else None
    return f"{found[1].lower()}-{found[2].lower()}-{found[3]}" if found is not None else ""


def number_of(code: str) -> int:
    """Return the number of a code; 0 if this is none."""
    digits = code.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0


def is_right(code: str, typed: str) -> bool:
    """Return whether this code was typed; compares in constant time."""
    return same(code.encode(), typed.encode())


def rests(wrong: int) -> bool:
    """Whether a code rests after so many wrong tries."""
    return wrong >= TRIES
