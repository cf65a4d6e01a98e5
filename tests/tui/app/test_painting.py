"""What a key repaints: the regions that it changes, never the whole screen. Over a network every cell costs time."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace
from textual._compositor import ChopsUpdate
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen

from tests.tui import samples
from tests.tui.app_pilot import screen_lines, settled, shown, table
from tests.tui.fake_client import FakeLobby
from tui.app.app import KickdoorApp
from tui.app.menu_rows import create_rows, join_rows
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.forms import ChoiceScreen, FormScreen
from tui.screens.lobby import LobbyScreen
from tui.widgets.entry.choices import Choice
from tui.widgets.entry.fields import FieldRow

pytestmark = pytest.mark.painted
SIZE = (80, 24)
Painted = list[set[Region]]


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Painted]:
    """Note the regions of each frame that is painted."""
    frames: Painted = []
    display = App._display

    def noted(app: App[Any], screen: Screen[Any], frame: Any) -> None:
        if isinstance(frame, ChopsUpdate):
            frames.append({Region(left, y, right - left, 1) for y, left, right in frame.spans})
        elif frame is not None:
            frames.append({Region(0, 0, *app.size)})
        display(app, screen, frame)

    monkeypatch.setattr(App, "_display", noted)
    yield frames


def cells(frames: Painted) -> int:
    """Return how many cells were painted, those of several frames several times."""
    return sum(region.area for frame in frames for region in frame)


def form() -> FormScreen:
    """Return the form for a new table at somebody's host."""
    return FormScreen("Open a table", create_rows(Settings(), ("axe-cop",)), UNICODE)


def join() -> FormScreen:
    """Return the form to join a table."""
    return FormScreen("Join", join_rows(Settings()), UNICODE)


def choice() -> ChoiceScreen:
    """Return a list with hints."""
    return ChoiceScreen("Which?", [Choice(name, name, f"what {name} is") for name in ("one", "two", "three")], UNICODE)


def lobby() -> LobbyScreen:
    """Return a lobby with three tables."""
    return LobbyScreen(FakeLobby(), UNICODE)


SCREENS: dict[str, tuple[Callable[[], Screen[Any]], tuple[str, ...], int]] = {
    "form": (form, ("down", "down", "up", "x", "down", "right"), 2 * 2 * 80 + 4 * 80),
    "join form": (join, ("down", "up", "x"), 2 * 2 * 80 + 4 * 80),
    "choice": (choice, ("down", "up"), 3 * 80 + 4 * 80),
    "lobby": (lobby, ("down", "down", "up"), 2 * 6 * 80),
}
"""Each screen with keys for it, and the most cells that one of them may repaint."""


@pytest.mark.parametrize("name", SCREENS)
async def test_a_key_repaints_what_it_changes(name: str, painted: Painted) -> None:
    make, keys, most = SCREENS[name]
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=SIZE) as textual:
        await app.push_screen(make())
        await settled(textual)
        for below in app._background_screens:
            below._repaint_required = False  # the toolkit set it when the dialog opened, and never clears it
        for key in keys:
            painted.clear()
            app.simulate_key(key)
            await settled(textual)
            stack = [(one, one.styles.background, one._repaint_required) for one in app.screen_stack]
            assert 0 < cells(painted) <= most, (key, cells(painted), stack)


async def test_what_a_player_types_repaints_its_field_alone(painted: Painted) -> None:
    screen = join()
    async with shown(screen, SIZE) as (press, _):
        field = screen.query(FieldRow).first().field
        painted.clear()
        await press("k")
        assert painted and all(field.region.contains_region(region) for frame in painted for region in frame)


async def test_a_hidden_screen_repaints_nothing_and_is_up_to_date_when_it_is_seen_again(painted: Painted) -> None:
    client, app = FakeLobby(), KickdoorApp(Settings(bell=False))
    async with app.run_test(size=SIZE) as textual:
        await app.push_screen(LobbyScreen(client, app.glyphs))
        await app.push_screen(form())
        await settled(textual)
        painted.clear()
        for title in ("Late", "Later"):
            client.rows = [replace(client.rows[0], title=title), *client.rows[1:]]
            client.tell()
            await settled(textual)
        assert not painted
        app.simulate_key("escape")
        await settled(textual)
        assert "Later (" in "\n".join(screen_lines(app))


async def test_an_app_that_has_ended_meanwhile_is_not_painted() -> None:
    async with table(samples.view(), (80, 24)) as pilot:
        pilot.app.hold()
    pilot.app.release()
    pilot.app.repaint()
