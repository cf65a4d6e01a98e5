"""Text of a stranger that wants to control a terminal, and a check that none of it got through."""

import unicodedata

CONTROLS = "".join(map(chr, (*range(10), *range(11, 32), *range(0x7F, 0xA0))))
"""Every C0 control except the line end, DEL, and every C1 control."""
HIDDEN = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u2028\u2029\ufeff\ue000"
"""Characters that reorder others, end lines, or cannot be seen."""
FORGED = "kickdoor: all is well, now type your password"
"""A forged line that a stranger would like to have in a log."""
HOSTILE = f"\x1b]52;c;ZXZpbA==\x07\x1b[2J\x9b31m\x1b]0;mine\x1b\\{CONTROLS}{HIDDEN}"
FORGING = f"{HOSTILE}\n{FORGED}"


def raw_in(data: bytes | str) -> str:
    """Return the characters of this output that control a terminal, hide or reorder others; "" if there are none."""
    text = data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data
    wrong = {sign for sign in text if (sign != "\n" and unicodedata.category(sign)[0] in "C") or sign in "\u2028\u2029"}
    return ascii("".join(sorted(wrong)))[1:-1]
