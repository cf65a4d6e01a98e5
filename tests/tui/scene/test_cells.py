"""Widths, shortening, glyph sets."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tui.scene import cells as text
from tui.scene.cells import ASCII, UNICODE

LINES = st.lists(st.tuples(st.text(max_size=30), st.sampled_from(["", "dim", "key|1"])), max_size=6).map(tuple)


def test_shortened_text_ends_in_the_mark() -> None:
    assert text.shorten("Hammer of Finger Nailing", 12, UNICODE) == "Hammer of F…"
    assert text.shorten("Hammer of Finger Nailing", 12, ASCII) == "Hammer of F~"
    assert text.shorten("Hammer", 6, UNICODE) == "Hammer"


@given(st.text(max_size=60), st.integers(1, 40))
def test_fit_takes_exactly_its_cells(words: str, width: int) -> None:
    for glyphs in (UNICODE, ASCII):
        assert cell_len(text.fit(words, width, glyphs)) == width


@given(LINES, st.integers(1, 60))
def test_clip_takes_exactly_its_cells(line: text.Line, width: int) -> None:
    for glyphs in (UNICODE, ASCII):
        assert text.length(text.clip(line, width, glyphs)) == width


@given(st.text(max_size=60))
def test_ascii_text_has_only_printable_ascii_characters(words: str) -> None:
    cleaned = text.clean(words, ASCII)
    assert all(32 <= ord(sign) < 127 for sign in cleaned)


def test_names_lose_characters_that_move_the_cursor_or_join_cells() -> None:
    assert text.clean("a\x1b[31mb\u202ec\u200dd", UNICODE) == "a[31mbcd"
    assert text.clean("Zoë…", ASCII) == "Zoe~"


@given(st.text(max_size=200), st.integers(5, 40))
def test_wrapped_lines_fit_and_lose_no_word(words: str, width: int) -> None:
    lines = text.wrap(words, width, UNICODE, "  ")
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.clean(words, UNICODE).split())


def test_flow_returns_how_many_parts_fitted() -> None:
    parts = [(("[1] kick", ""),), (("[2] loot", ""),), (("[3] run", ""),)]
    lines, taken = text.flow(parts, 20, 1, UNICODE, "  ")
    assert (text.plain(lines[0]), taken) == ("[1] kick  [2] loot", 2)
    assert text.flow(parts, 20, 2, UNICODE, "  ")[1] == 3


def test_a_rule_keeps_title_and_right_words() -> None:
    line = text.plain(text.rule("Log", "l all", 30, UNICODE))
    assert line.startswith("── Log ─") and line.endswith(" l all ─") and len(line) == 30


def test_a_rule_drops_the_right_words_if_less_than_eight_cells_are_left_for_the_title() -> None:
    rules = [text.plain(text.rule("Log of all", "l all", width, UNICODE)) for width in (20, 19)]
    assert rules == ["── Log of… ─ l all ─", "── Log of all ─────"]


def test_a_rule_is_as_long_as_its_row_where_its_title_is_cut() -> None:
    for width, seen in ((12, "── A log o… "), (13, "── A log of… "), (16, "── A log of all ")):
        assert text.plain(text.rule("A log of all", "l all", width, UNICODE)) == seen
    assert text.plain(text.rule("", "l all", 20, UNICODE, double=True)) == "════════════ l all ═"


def test_a_number_keeps_its_percent_sign() -> None:
    told = "won, turn 43: 32 to 46 %"
    for width in range(8, len(told) + 1):
        assert not any(line.strip().startswith("%") for line in text.wrap(told, width, UNICODE, "  ")), width
    assert " ".join(text.wrap(told, 10, UNICODE)) == told
