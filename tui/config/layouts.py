"""Keys of other keyboard layouts: what a letter that is no Latin one stands for. Pure.

Full-width signs mean their plain sign. Letters of the Cyrillic (ЙЦУКЕН), Greek, Hebrew, Arabic and Hangul (two-set)
layouts mean the Latin letter at their place on the keyboard: a terminal tells the sign, not the place of a key. Kana,
composed syllables and accented letters have another place on each keyboard, or none, and mean nothing.
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
    ("קראטוןםפ", "ertyuiop"),
    ("שדגכעיחלךף", "asdfghjkl;"),
    ("זסבהנמצתץ", "zxcvbnm,."),
    ("ضصثقفغعهخحجد", "qwertyuiop[]"),
    ("شسيبلاتنمكط", "asdfghjkl;'"),
    ("ئءؤرىةوزظذ", "zxcvnm,./`"),
    ("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔ", "qwertyuiop"),
    ("ㅁㄴㅇㄹㅎㅗㅓㅏㅣ", "asdfghjkl"),
    ("ㅋㅌㅊㅍㅠㅜㅡ", "zxcvbnm"),
    ("ㅃㅉㄸㄲㅆㅒㅖ", "QWERTOP"),
)
"""Letters of a layout, and what stands at their places; the fourth row is of the Ukrainian and Belarusian layouts, the
last one is Hangul with SHIFT."""
_PLACES = {letter: latin for letters, latins in _ROWS for letter, latin in zip(letters, latins, strict=True)}
_SHIFTED = dict(zip("[];',.`", '{}:"<>~', strict=True))
"""What SHIFT makes of the signs that are no letters."""
NO_KEY = "That letter is no key here: the keys are Latin letters. Switch the keyboard layout; {} lists the keys."
NO_SIGN = "That sign is no key here; {} lists the keys. Where digits need SHIFT, hold it for them."
ABOVE = frozenset("&\"'(-_)=")
"""What stands in the place of digits on a keyboard whose digits need SHIFT, as far as it is ASCII."""
CAPITALS = "Capitals are keys of their own, so small letters were taken: is Caps Lock on?"


def latin(sign: str) -> str:
    """Return the sign of a Latin keyboard that one sign stands for; "" if there is none."""
    if sign in _PLACES:  # letters of Hangul would become parts of syllables
        return _PLACES[sign]
    plain = unicodedata.normalize("NFKC", sign)
    if len(plain) == 1 and plain.isascii() and (sign.isascii() or unicodedata.east_asian_width(sign) == "F"):
        return plain  # other signs with a plain one, such as a small raised 2, have a key of their own
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
