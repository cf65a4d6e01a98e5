"""Printed text cannot control the terminal, and scripts still read the original text."""

import json

from netcode.protocol.printing import harmless, harmless_json, one_line

ORDERS = [chr(at) for at in (*range(10), *range(11, 32), *range(0x7F, 0xA0))] + ["\u202e", "\u2066", "\u200b", "\udc9b"]


def test_characters_that_control_the_terminal_are_replaced() -> None:
    assert harmless("a\x1b[31mb\u202ec\nd é") == "a\ufffd[31mb\ufffdc\nd é"
    for order in ORDERS:
        assert harmless(f"a{order}b") == "a\ufffdb"
        text = harmless_json(json.dumps([f"a{order}b"], ensure_ascii=False))
        assert order not in text and json.loads(text) == [f"a{order}b"]


def test_a_stranger_begins_no_line() -> None:
    assert one_line("a\nb\x85c\u2028d\re") == "a\ufffdb\ufffdc\ufffdd\ufffde"
