"""The terminal's bell: once for each question to this player and for match point, never if a setting says so."""

import msgspec
import pytest
from textual.app import App

from core.state.actions import Legal, Pass
from tests.tui import samples
from tests.tui.app_pilot import table


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The rings of the terminal."""
    rings: list[bool] = []
    monkeypatch.setattr(App, "bell", lambda app: rings.append(True))
    return rings


async def test_it_rings_once_when_you_are_asked(rung: list[bool]) -> None:
    async with table(samples.view(), (120, 40)) as pilot:
        pilot.app.settings.bell = True
        await pilot.update(samples.view())
        assert not rung, "it is Bo's turn"
        view = samples.charity()
        await pilot.update(view)
        assert len(rung) == 1
        await pilot.update(msgspec.structs.replace(view, rev=view.rev + 1))
        pilot.screen.redraw()
        assert len(rung) == 1, "the same question"
        await pilot.update(samples.looting())
        assert len(rung) == 2


@pytest.mark.parametrize("bell", [True, False])
async def test_it_rings_for_match_point_unless_it_is_off(bell: bool, rung: list[bool]) -> None:
    fight = samples.three_monsters()
    async with table(samples.view(fight=fight), (120, 40), info=samples.info(solo=True)) as pilot:
        await pilot.update(samples.view(fight=fight))
        before = len(rung)
        pilot.app.settings.bell = bell
        await pilot.update(samples.view(fight=msgspec.structs.replace(fight, match_point=True)))
        assert len(rung) - before == bell


async def test_it_does_not_ring_if_it_is_off(rung: list[bool]) -> None:
    async with table(samples.view(), (120, 40)) as pilot:
        await pilot.update(samples.charity())
        assert not rung


async def test_it_does_not_ring_for_a_window_in_which_nobody_is_asked(rung: list[bool]) -> None:
    view = samples.interrupt()
    assert view.you is not None
    view.you.legal = [Legal(Pass(9))]
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.app.settings.bell = True
        await pilot.update(view)
        assert not rung and "You have nothing to play" in pilot.text()
