"""The app's display while it waits, and events that may change its screens meanwhile."""

from pathlib import Path

import pytest
from textual.screen import ModalScreen, Screen

from netcode.recording.recording import ReplayError
from tests.tui.app_pilot import settled
from tui.app.app import KickdoorApp
from tui.app.navigation import NavigationApp
from tui.app.start_host import TableError
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.forms import ChoiceScreen
from tui.screens.opening import close
from tui.widgets.entry.choices import Choice


class Idle(NavigationApp):
    """An app that opens nothing by itself."""

    async def walk(self) -> None:
        """Stay."""


def idle() -> Idle:
    return Idle(Settings(bell=False), ("none", "", {}))


def choices(title: str) -> ChoiceScreen:
    return ChoiceScreen(title, [Choice("x", "x")], UNICODE)


async def test_the_sentence_goes_with_whatever_has_come_over_it() -> None:
    app = idle()
    async with app.run_test() as textual:
        below = choices("below")
        await app.push_screen(below)
        async with app.waiting("Loading.."):
            await app.push_screen(ModalScreen())
        await settled(textual)
        assert app.screen is below


async def test_the_sentence_takes_no_other_screen_with_it() -> None:
    app = idle()
    async with app.run_test() as textual:
        below, other = choices("below"), choices("other")
        await app.push_screen(below)
        async with app.waiting("Loading.."):
            close(below)
            await app.push_screen(other)
        await settled(textual)
        assert app.screen is other and len(app.screen_stack) == 2


@pytest.mark.parametrize("broken", [False, True])
async def test_a_recording_that_is_loaded_when_another_game_has_begun_is_not_shown(
    broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = idle()
    async with app.run_test() as textual:
        end, table = choices("the end of a game"), choices("the next game")
        await app.push_screen(end)

        def begin() -> None:
            close(end)
            app.push_screen(table)

        def load(path: Path, glyphs: object) -> Screen[str]:
            app.call_from_thread(begin)
            if broken:
                raise ReplayError("it is damaged")
            return Screen()

        monkeypatch.setattr("tui.screens.replay.open_replay", load)
        if broken:
            with pytest.raises(TableError, match="damaged"):
                await app.show_replay(Path("any"))
        else:
            assert await app.show_replay(Path("any")) == ""
        await settled(textual)
        assert app.screen is table and len(app.screen_stack) == 2


class Overtaken(Screen[None]):
    """A screen that another one covers as soon as a key is pressed, as when a host answers at that moment."""

    async def on_key(self) -> None:
        await self.app.push_screen(Screen())


@pytest.mark.parametrize(("key", "leaves"), [("ctrl+q", True), ("x", False)])
async def test_the_key_that_leaves_does_so_although_another_screen_opens_meanwhile(key: str, leaves: bool) -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test() as textual:
        await app.push_screen(Overtaken())
        app.simulate_key(key)
        for _ in range(20):
            await textual.pause(0.01)
            if not app.is_running or app._exit:
                break
        assert app._exit == leaves
