"""Clean the texts that one person can show to another: one line, nothing invisible, no control characters."""

import unicodedata

from netcode.protocol import limits

_BLANK_RANGES = (
    (0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800), (0x3164, 0x3164),
    (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0x13441, 0x13442), (0x16FE4, 0x16FE4), (0x1D159, 0x1D159),
    (0xE0100, 0xE01EF),
)  # fmt: skip
_BLANK = frozenset(chr(code) for first, last in _BLANK_RANGES for code in range(first, last + 1))
"""Invisible characters whose Unicode category is that of a letter, a mark or a symbol: fillers (Hangul, Khitan), the
blank Braille pattern, variation selectors, ... Characters of category C are removed anyway."""


def clean(text: str, limit: int) -> str:
    """Return this text as one line of at most `limit` characters that is harmless on any terminal: without control,
    bidirectional, invisible or blank characters, square brackets (markup) or more than two accents on a letter."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text[: limit * 8]):
        if char in _BLANK:
            continue
        kind = unicodedata.category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        if kind[0] == "Z" or char in "\t\r\n":
            kept.append(" ")
        elif kind[0] != "C" and marks <= 2:
            kept.append({"[": "(", "]": ")"}.get(char, char))
    return " ".join("".join(kept).split())[:limit].rstrip()


def clean_name(text: str) -> str:
    """Return a player's name, cleaned, with wide, bold or otherwise dressed-up letters as plain ones (NFKC)."""
    return clean(unicodedata.normalize("NFKC", text[: limits.NAME_CHARS * 8]), limits.NAME_CHARS)
