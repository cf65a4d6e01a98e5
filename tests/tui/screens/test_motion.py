"""Sums, bar, strip and chips move on the table by a fake clock; no timer runs when nothing moves."""

from collections.abc import Iterator

import msgspec
import pytest

from core.state.views import View
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.screens.parts.table_parts import TableParts
from tui.widgets.pane import Pane
from tui.widgets.table.track import Track

SIZES = [(80, 24), (120, 40), (200, 60)]


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """A clock that a test advances. Motion is on."""
    seconds = [100.0]
    monkeypatch.setattr(TableParts, "clock", staticmethod(lambda: seconds[0]))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    yield seconds


def levels(view: View, by: int) -> View:
    """Return a view in which Cid has gained Levels."""
    replace = msgspec.structs.replace
    return replace(view, seats=[replace(one, level=one.level + by) if one.seat == 2 else one for one in view.seats])


def colours(pilot: TablePilot, colour: str) -> int:
    """Return the number of cells of the bar in this colour."""
    for pane in pilot.screen.query(Pane):
        for line in pane.lines:
            signs = {("█", "hero"), ("▒", "foe")}
            cells = [(text, style) for text, style in line if (text[:1], style) in signs and len(set(text)) == 1]
            if {style for _, style in cells} == {"hero", "foe"} and sum(len(text) for text, _ in cells) > 30:
                return sum(len(text) for text, style in cells if style == colour)
    raise AssertionError("there is no bar")


@pytest.mark.parametrize("size", SIZES)
async def test_the_bar_slides_and_the_timer_stops(size: tuple[int, int], now: list[float]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        screen = pilot.screen
        before = colours(pilot, "hero")
        assert not screen.timing.moving
        await pilot.update(samples.sums(pilot.client.view, 8, 30))
        assert screen.timing.moving
        seen = []
        for _ in range(4):
            screen.timing.move_on()
            seen.append(colours(pilot, "hero"))
            now[0] += 0.08
        screen.timing.move_on()
        assert seen[0] == before and seen == sorted(seen, reverse=True) and colours(pilot, "hero") == seen[-1]
        assert len(set(seen)) == 4 and not screen.timing.moving and not screen.model.motion.runs


@pytest.mark.parametrize("size", SIZES)
async def test_the_strip_is_reversed_while_it_blinks(size: tuple[int, int], now: list[float]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        await pilot.update(samples.sums(pilot.client.view, 20, 12))
        assert any(style.startswith("bold reverse") for style in styles(pilot))
        now[0] += 0.16
        pilot.screen.timing.move_on()
        assert not any("reverse" in style for style in styles(pilot))


def styles(pilot: TablePilot) -> list[str]:
    """Return the styles of the strip of the verdict."""
    return [
        style for pane in pilot.screen.query(Pane) for line in pane.lines for text, style in line
        if "YOU WIN" in text or "YOU LOSE" in text
    ]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
async def test_a_chip_moves_to_its_level(size: tuple[int, int], now: list[float]) -> None:
    async with table(samples.view(), size) as pilot:
        track = pilot.screen.query_one(Track)
        start = chip(track)
        await pilot.update(levels(pilot.client.view, 2))
        assert chip(track) == start
        now[0] += 0.15
        pilot.screen.timing.move_on()
        middle = chip(track)
        now[0] += 0.16
        pilot.screen.timing.move_on()
        assert start < middle < chip(track) and not pilot.screen.timing.moving
        still = list(track.lines)
        await pilot.update(msgspec.structs.replace(pilot.client.view, rev=77))
        assert track.lines == still


def chip(track: Track) -> int:
    """Return the column of Cid's chip."""
    for line in track.lines:
        x = 0
        for text, style in line:
            if style.endswith("|seat:2"):
                return x
            x += len(text)
    raise AssertionError("there is no chip")


async def test_a_key_ends_it_at_once_and_does_its_work(now: list[float]) -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        await pilot.update(samples.sums(pilot.client.view, 8, 30))
        cursor = pilot.model.cursor
        pilot.app.simulate_key("tab")
        await pilot.settle()
        assert not pilot.model.motion.runs and not pilot.screen.timing.moving and pilot.model.cursor == cursor + 1


async def test_choices_are_there_while_it_moves(now: list[float]) -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        choices = pilot.screen.query_one("#prompt", Pane).lines
        await pilot.update(samples.sums(pilot.client.view, 8, 30))
        moving = pilot.screen.query_one("#prompt", Pane).lines
        now[0] += 1.0
        pilot.screen.timing.move_on()
        assert pilot.screen.query_one("#prompt", Pane).lines == moving and len(moving) == len(choices)


@pytest.mark.long(4)
@pytest.mark.parametrize("why", ["setting", "toolkit", "link", "ssh"])
async def test_nothing_moves_if_it_is_switched_off(why: str, now: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        if why == "setting":
            pilot.app.settings.motion = "never"
        elif why == "toolkit":
            pilot.app._animated = False
        elif why == "link":
            pilot.app.link.slow = True
        else:
            monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 22")
        await pilot.update(levels(samples.sums(pilot.client.view, 8, 30), 1))
        assert not pilot.screen.timing.moving and not pilot.model.motion.runs


async def test_nothing_moves_while_events_wait(now: list[float]) -> None:
    async with table(samples.own_combat(), (120, 40)) as pilot:
        await pilot.update(samples.sums(pilot.client.view, 8, 30))
        now[0] += 0.05
        await pilot.update(samples.sums(pilot.client.view, 8, 33))
        assert not pilot.model.motion.runs
