"""Remarks that a digit says, for everybody who plays by keys or lines. Bots understand each of them
(netcode/bots/replies.py)."""

REMARKS = ("Hello!", "Nice!", "Thanks!", "Not me!", "Deal?", "Boo!")
"""The remark of 1, of 2 and so on."""


def remark_of(digit: str) -> str:
    """Return the remark that this digit says; "" if there is none."""
    if len(digit) != 1 or not digit.isascii() or not digit.isdecimal() or not 1 <= int(digit) <= len(REMARKS):
        return ""
    return REMARKS[int(digit) - 1]


def remark_keys() -> str:
    """Return which digit says what, in one line."""
    return " ".join(f"{at} {remark}" for at, remark in enumerate(REMARKS, 1))
