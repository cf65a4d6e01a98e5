"""Keys of other keyboard layouts: what a letter that is no Latin one stands for. Pure.

Full-width signs mean their plain sign. Cyrillic and Greek letters mean the Latin letter at their place on the keyboard
(layouts ЙЦУКЕН and Greek): a terminal tells the sign, not the place of a key.
"""

import unicodedata
from collections.abc import Callable

_ROWS = (
    ("йцукенгшщзхъ", "qwertyuiop[]"),
    ("фывапролджэ", "asdfghjkl;'"),
    ("ячсмитьбю", "zxcvbnm,."),
    ("ёіїєў", "`s]'o"),
    ("ςερτυθιοπ", "wertyuiop"),
    ("ασδφγηξκλ", "asdfghjkl"),
    ("ζχψωβνμ", "zxcvbnm"),
)
"""Letters of a layout, and what stands at their places; the fourth row is of the Ukrainian and Belarusian layouts."""
_PLACES = {letter: latin for letters, latins in _ROWS for letter, latin in zip(letters, latins, strict=True)}
_SHIFTED = dict(zip("[];',.`", '{}:"<>~', strict=True))
"""What SHIFT makes of the signs that are no letters."""
NO_KEY = "That letter is no key here: the keys are Latin letters. Switch the keyboard layout; {} lists the keys."
CAPITALS = "Capitals are keys of their own, so small letters were taken: is Caps Lock on?"


def latin(sign: str) -> str:
    """Return the sign of a Latin keyboard that one sign stands for; "" if there is none."""
    plain = unicodedata.normalize("NFKC", sign)
    if len(plain) == 1 and plain.isascii():
        return plain
    small = sign.lower()
    if small not in _PLACES:
        small = unicodedata.normalize("NFD", small)[:1]  # a Greek vowel with an accent
    found = _PLACES.get(small, "")
    return found if sign.lower() == sign else _SHIFTED.get(found, found.upper())


def meant(sign: str, works: Callable[[str], bool]) -> str:
    """Return the sign that a key of any layout means: a capital that does nothing is the small letter. works: whether
    the key of a sign does something here. Return "" for a sign that stands for no other one."""
    found = latin(sign)
    if len(found) == 1 and found.isupper() and not works(found):
        return found.lower()
    return found


def latin_line(text: str) -> str:
    """Return a line with the Latin sign for each sign that stands for one; the others as they are."""
    return text if text.isascii() else "".join(latin(sign) or sign for sign in text)


def is_foreign(sign: str) -> bool:
    """Return whether a sign is a letter that no Latin keyboard has."""
    return sign.isalpha() and "LATIN" not in unicodedata.name(sign, "") and not sign.isascii()
