"""A slow link is noticed by the time its frames take, and shows emblems: the arithmetic, and a real terminal."""

import os
import select
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from textual.drivers.headless_driver import HeadlessDriver
from textual.messages import TerminalSupportsSynchronizedOutput

from tests.tui import samples
from tests.tui.app_pilot import table
from tui.app.app import KickdoorApp
from tui.app.terminal_latency import (
    FRAME_BEGINS,
    FRAME_ENDS,
    FRAMES,
    LARGE,
    LEAST_S,
    PIECE,
    QUESTION,
    SLOW_RATE,
    Link,
    measured,
)
from tui.config.settings import Settings
from tui.portraits.pixels import Look, look_for

FRAME = 24_000
"""Bytes of a frame in these tests."""


def link_after(*frames: float, round_trip: float = 0.05, size: int = FRAME) -> Link:
    """Return a link whose terminal took this long (s) for frames of this many bytes."""
    link, now = Link(), 0.0
    link.asked(now)
    link.answered(now := now + round_trip)
    for took in frames:
        assert link.may_ask(LARGE)
        link.asked(now, frame=size)
        assert not link.may_ask(LARGE)
        link.answered(now := now + round_trip + took)
    return link


def test_the_time_of_a_frame_does_not_count_the_way_to_the_terminal_and_back() -> None:
    far = link_after(0.02, 0.02, round_trip=0.4)
    assert far.frame_s == pytest.approx(0.02) and not far.slow


def test_a_link_is_slow_after_several_slow_frames_in_a_row() -> None:
    slow = FRAME / SLOW_RATE * 1.1
    assert not link_after(slow).slow and link_after(slow, slow).slow and FRAMES == 2
    assert not link_after(slow, 0.01, slow).slow and link_after(slow, slow, 0.01).slow


def test_a_small_frame_may_take_less_time() -> None:
    assert link_after(*[0.1] * FRAMES, size=9_000).slow and not link_after(*[0.1] * FRAMES).slow
    assert not link_after(*[LEAST_S] * FRAMES, size=LARGE).slow


def test_nothing_is_asked_of_a_terminal_that_does_not_answer() -> None:
    link = Link()
    link.asked(0.0)
    assert not link.may_ask(LARGE)
    link.answered(0.1)
    assert link.may_ask(LARGE) and not link.may_ask(LARGE - 1)
    link.answered(0.2)  # an answer to nothing
    assert link.round_trip_s == pytest.approx(0.1)


class Written(HeadlessDriver):
    """A driver that keeps what reaches the terminal."""

    def write(self, data: str) -> None:
        """Keep it."""
        written.append(data)


written: list[str] = []


def written_driver(link: Link) -> Any:
    """Return a driver that has written nothing yet."""
    written.clear()
    return measured(Written, link, clock=lambda: 1.0)(KickdoorApp(Settings()))


async def test_the_driver_asks_behind_large_frames_only() -> None:
    link = Link()
    driver = written_driver(link)
    driver.write(QUESTION)
    link.answered(1.1)
    for data in ("x" * 10, "y" * LARGE, "z" * LARGE):
        driver.write(data)
    assert [text[:1] if text != QUESTION else "?" for text in written] == ["?", "x", "y", "?", "z"]


async def test_a_frame_that_changes_nothing_sends_nothing() -> None:
    driver = written_driver(Link())
    for _ in range(2):
        for data in (FRAME_BEGINS, "\x1b[2;3Htext\x1b[1;1H", FRAME_ENDS):
            driver.write(data)
    assert written == [f"{FRAME_BEGINS}\x1b[2;3Htext\x1b[1;1H", FRAME_ENDS]


async def test_a_frame_in_pieces_is_put_together() -> None:
    driver = written_driver(Link())
    data = "\x1b[1;1H" + "a" * (2 * PIECE - 6)
    for piece in (data[:PIECE], data[PIECE:]):
        driver.write(piece)
    assert written == []
    driver.flush()
    assert "".join(written) == data


@pytest.mark.parametrize(
    ("colours", "wanted", "look"),
    [
        ("truecolor", True, Look.FULL), ("256", True, Look.FULL), ("standard", True, Look.PLAIN),
        ("windows", True, Look.PLAIN), (None, True, Look.EMBLEM), ("truecolor", False, Look.EMBLEM),
    ],
)  # fmt: skip
def test_how_portraits_are_drawn_by_colours_and_setting(colours: str | None, wanted: bool, look: Look) -> None:
    assert look_for(colours, wanted) == look


@pytest.mark.parametrize(
    ("term", "variables", "look"),
    [
        ("linux", {}, Look.PLAIN), ("xterm-256color", {}, Look.FULL), ("xterm", {"COLORTERM": "truecolor"}, Look.FULL),
        ("screen", {}, Look.PLAIN), ("dumb", {}, Look.EMBLEM), ("xterm-256color", {"NO_COLOR": "1"}, Look.EMBLEM),
    ],
)  # fmt: skip
def test_the_terminal_decides(
    term: str, variables: dict[str, str], look: Look, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    for name in ("COLORTERM", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"TERM": term, **variables}.items():
        monkeypatch.setenv(name, value)
    assert KickdoorApp(Settings()).portrait_look == look
    assert KickdoorApp(Settings(portraits=False)).portrait_look == Look.EMBLEM


@pytest.mark.parametrize(
    ("term", "said", "setting", "ascii_only"),
    [
        ("linux", "", False, True), ("linux", "0", False, False), ("xterm", "", False, False),
        ("screen-256color", "", False, False), ("vt100", "", False, True), ("xterm-256color", "", True, True),
    ],
)  # fmt: skip
def test_a_console_without_the_signs_is_drawn_in_ascii(
    term: str, said: str, setting: bool, ascii_only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("KICKDOOR_ASCII", said)
    assert KickdoorApp(Settings(ascii=setting)).glyphs.ascii == ascii_only


async def test_the_table_changes_to_emblems_when_the_link_turns_out_slow() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        assert "▀▀▀▀" in pilot.text()
        pilot.app.link = link_after(1.0)
        pilot.app.link.asked(0.0, frame=LARGE)
        pilot.app.link.round_trip_s = 0.0
        pilot.app.post_message(TerminalSupportsSynchronizedOutput())
        await pilot.settle()
        assert pilot.app.link.slow and "▀▀▀▀▀▀▀▀" not in pilot.text() and "emblems take" in pilot.text()


# --------------------------------------------------------------------------------------------------- a real terminal
if sys.platform != "win32":
    from tests.tui.pty_terminal import Terminal

    class ThinTerminal(Terminal):
        """A terminal at the end of a line with this many bytes a second, which answers the query in order."""

        rate = 1_000_000.0

        def read(self, seconds: float) -> bytes:
            """Read the data that arrives in this time, and answer."""
            got, end = b"", time.monotonic() + seconds
            while (left := end - time.monotonic()) > 0:
                if not select.select([self.fd], [], [], left)[0]:
                    break
                data = os.read(self.fd, 4096)
                time.sleep(len(data) / self.rate)
                self.stream.feed(data)
                got += data
                question = QUESTION.encode()
                self.bytes = self.bytes[1 - len(question) :] + data
                for _ in range(self.bytes.count(question)):
                    os.write(self.fd, b"\x1b[?2026;2$y")
            return got


@pytest.mark.long(2)
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX pseudo terminal")
@pytest.mark.parametrize(("rate", "portraits"), [(40_000.0, False), (100_000_000.0, True)], ids=["thin", "wide"])
def test_over_a_thin_line_the_table_shows_emblems(tmp_path: Path, rate: float, portraits: bool) -> None:
    program = ThinTerminal("play", home=tmp_path, size=(120, 40))
    try:
        program.rate = rate
        program.until("v read", 60)  # whatever card was dealt first
        for key in ("v", "\x1b") * 4:
            program.press(key)
            program.read(1.5)
            if "▀▀▀▀▀▀▀▀" not in program.text():
                break
        program.read(1.0)
        assert ("▀▀▀▀▀▀▀▀" in program.text()) == portraits, program.text()
    finally:
        program.close()
