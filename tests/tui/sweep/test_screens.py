"""Every screen in every size: nothing is cut without a mark, every key that is shown does something, every key that
works is shown or in the help, a new size is drawn like a new screen, and names of any script are whole."""

import os

import pytest
from rich.cells import cell_len
from textual.screen import ModalScreen

from tests.thorough import SHIFT
from tests.tui.app_pilot import TablePilot, still
from tests.tui.sweep.cuts import redrawn, unmarked, watched
from tests.tui.sweep.keys import hidden, shown_keys, traces
from tests.tui.sweep.stages import MOMENTS, SIZES, STATES, Size, opened
from tui.screens.table import TableScreen

EVERYTHING = os.environ.get("KICKDOOR_SWEEP") == "all"
"""Whether to try every state in every size with every key. Otherwise each state is tried in two sizes with one key;
each turn (tests/thorough.py) chooses others."""
OVER = (*MOMENTS, "card", "log", "recap")
"""Screens that stay over the table until a key is pressed."""
NAMES = ("李小龍", "Zoe\u0308", "Łucja Żółć", "ｗｉｄｅ", "Ñandú", "Ж" * 12)


def sizes_of(name: str) -> tuple[Size, ...]:
    """Return the sizes in which a state is tried: the first one, then those it is changed to."""
    at = STATES.index(name) + SHIFT // 2
    return SIZES if EVERYTHING else (SIZES[at % len(SIZES)], SIZES[(at + 2) % len(SIZES)])


@pytest.mark.long(30, turns=2)
@pytest.mark.parametrize("name", STATES)
async def test_nothing_is_cut_without_a_mark_and_every_key_is_known(name: str) -> None:
    sizes = sizes_of(name)
    found: list[str] = []
    with watched() as cut:
        async with opened(name, sizes[0]) as pilot:
            for size in sizes:
                if size != sizes[0]:
                    await pilot.textual.resize_terminal(*size)
                    await still(pilot.textual)
                redrawn(pilot.app, cut)
                found += [f"{size}: {words}" for words in dict.fromkeys([*cut, *unmarked(pilot.app)])]
                lines = pilot.lines()
                assert [len(lines), *{cell_len(line) for line in lines}] == [size[1], size[0]]
            await pilot.textual.resize_terminal(*SIZES[-1])  # where a line of keys has room for all
            await pilot.settle()
            found += hidden(pilot.app)
    assert not found, "\n".join(found)


@pytest.mark.long(15, turns=2)
@pytest.mark.parametrize("name", [name for at, name in enumerate(STATES) if EVERYTHING or at % 3 == 0])
async def test_a_window_of_another_size_shows_what_a_new_one_does(name: str) -> None:
    *before, size = sizes_of(name)
    async with opened(name, before[0]) as pilot:
        for other in (*before[1:], size):
            await pilot.textual.resize_terminal(*other)
            await still(pilot.textual)
        changed = pilot.lines()
    async with opened(name, size) as pilot:
        assert changed == pilot.lines()


@pytest.mark.long(6)
@pytest.mark.parametrize("name", [name for at, name in enumerate(OVER) if EVERYTHING or at % 3 == 0])
async def test_a_table_takes_a_new_size_beneath_what_lies_over_it(name: str) -> None:
    at = OVER.index(name) + SHIFT // 2
    sizes = SIZES if EVERYTHING else (SIZES[(at + 3) % len(SIZES)], SIZES[at % len(SIZES)])
    async with opened(name, sizes[0]) as pilot:
        for size in sizes[1:]:
            await pilot.textual.resize_terminal(*size)
            await still(pilot.textual)
        await pilot.keys("escape")
        changed = pilot.lines()
    async with opened(name, sizes[-1]) as pilot:
        await pilot.keys("escape")
        assert not isinstance(pilot.app.screen, ModalScreen)
        assert changed == pilot.lines()


@pytest.mark.long(25, turns=2)
@pytest.mark.parametrize("name", STATES[1:])
async def test_a_key_that_is_shown_does_something(name: str) -> None:
    at = STATES.index(name) + SHIFT // 2
    size = SIZES[at % len(SIZES)]
    async with opened(name, size) as pilot:
        keys = shown_keys(pilot.app)
        first = keys[at % len(keys)] if keys else ""
        assert not first or await _does_something(pilot, first), f"{first} does nothing"
    for key in keys if EVERYTHING else ():
        async with opened(name, size) as pilot:
            assert await _does_something(pilot, key), f"{key} does nothing"


async def _does_something(pilot: TablePilot, key: str) -> bool:
    before = traces(pilot)
    if isinstance(pilot.screen, TableScreen):
        pilot.model.keyed.revive()
    pilot.app.simulate_key(key)
    await pilot.settle()
    await pilot.settle()
    return traces(pilot) != before


WITH_NAMES = ("crowded", "interrupt-vote", "before-owner", "offered", "looting")


@pytest.mark.long(8)
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("name", WITH_NAMES)
async def test_names_of_any_script_are_whole_and_break_no_line(name: str, size: Size) -> None:
    async with opened(name, size, seats=NAMES) as pilot:
        lines = pilot.lines()
        assert {cell_len(line) for line in lines} == {size[0]}
        if isinstance(pilot.screen, TableScreen) and pilot.screen.has_class("listing"):
            lines += await _read_seats(pilot)
        text = "".join(lines)
        missing = [one for one in _seated(pilot) if one not in text]
        assert not missing, f"{missing} in\n" + "\n".join(lines)


async def _read_seats(pilot: TablePilot) -> list[str]:
    """Return the details that the key for other seats' gear shows of each seat: a long list of choices may cover the
    seats."""
    lines: list[str] = []
    for _ in _seated(pilot):
        await pilot.keys("o")
        lines += pilot.lines()
    return lines


def _seated(pilot: TablePilot) -> list[str]:
    """Return the names of the other players as they are drawn: without characters that have no cell of their own."""
    return [seat.name.replace("\u0308", "") for seat in pilot.client.info.seats[1:] if seat.name]


@pytest.mark.long(9)
@pytest.mark.parametrize("name", OVER)
async def test_the_key_that_leaves_the_table_works_beneath_what_lies_over_it(name: str) -> None:
    async with opened(name, SIZES[0]) as pilot:
        await pilot.keys("ctrl+q")
        if name == "moment-victory":  # the game is over: it asks nothing
            assert not any(isinstance(screen, TableScreen) for screen in pilot.app.screen_stack)
        else:
            assert isinstance(pilot.app.screen, TableScreen) and "LEAVE THE TABLE?" in pilot.text()
