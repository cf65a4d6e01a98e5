"""TOML from strangers: a text that is no TOML, too long or too deeply nested is refused quickly, with the line."""

import time

import pytest

from core.language.toml import DEPTH_LIMIT, KEY_PARTS, LINE_CHARS, TomlError, parse


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".".join("a" * 60_000) + " = 1", "a line has 120003 characters"),
        ("x = " + "9" * 400_000, "a line has 400004 characters"),
        (".".join("a" * (KEY_PARTS + 1)) + " = 1", "more than 16 parts"),
        (" . ".join("a" * (KEY_PARTS + 1)) + " = 1", "more than 16 parts"),
        ("[" + ".".join(['"a.b"'] * (KEY_PARTS + 1)) + "]", "more than 16 parts"),
        ("x = { " + ".".join("a" * (KEY_PARTS + 1)) + " = 1 }", "more than 16 parts"),
        ("x = " + "9" * 3900, "more than 64 bits"),
        ("x = 0x" + "F" * 3900, "more than 64 bits"),
        ("x = 9223372036854775808", "more than 64 bits"),
        ("x = " + "[" * 3000, "nested too deeply"),
        ("x = [\n" + "[\n" * DEPTH_LIMIT + "]\n" * (DEPTH_LIMIT + 1), "nested more than 32 deep"),
        ("\nx = 1979-13-45", r"\(at line 2\)"),
        ("x = 1\ny", r"not TOML: Expected '=' .*\(at line 2\)"),
        ('x = """\n\n', r"Unterminated string \(at line 3\)"),
    ],
)
def test_what_would_take_for_ever_or_fail_is_refused_at_once(text: str, says: str) -> None:
    began = time.process_time()
    with pytest.raises(TomlError, match=says):
        parse(text)
    assert time.process_time() - began < 1


def test_what_our_files_hold_is_read() -> None:
    text = 'a.b."c.d" = -9223372036854775808\ntext = "' + "Ha. " * 30 + '"\nsaid = \'one.two\'\n# ' + "." * 50
    assert parse(text)["a"] == {"b": {"c.d": -(2**63)}}
    assert parse("x = '" + "y" * (LINE_CHARS - 6) + "'")
    assert parse("x = " + "[" * (DEPTH_LIMIT - 2) + "]" * (DEPTH_LIMIT - 2))


def test_the_worst_file_within_the_limits_takes_seconds() -> None:
    began = time.process_time()
    parse("\n".join(f"[k{at}." + "a." * (KEY_PARTS - 2) + "b]" for at in range(4000)))
    assert time.process_time() - began < 5
