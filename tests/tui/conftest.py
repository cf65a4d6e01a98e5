"""Put the project's folder on the import path, so that `tests.tui` can be imported from any working directory; make
drawing independent of the developer's terminal; and end apps as their users do."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual._compositor import Compositor
from textual._context import visible_screen_stack
from textual.app import App
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.screen import Screen

from netcode.protocol import string_files

ROOT = str(Path(__file__).resolve().parents[2])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)
os.environ["TERM"] = "xterm-256color"


@pytest.fixture(scope="session", autouse=True)
def _workers_end_before_their_screens() -> Iterator[None]:
    """Cancel an app's workers before its screens are taken apart. `App.run` does so; `run_test` takes the screens apart
    while workers still look for their widgets."""
    shut_down = App._shutdown

    async def cancelled_first(app: App[Any]) -> None:
        app.workers.cancel_all()
        await shut_down(app)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(App, "_shutdown", cancelled_first)
        yield


@pytest.fixture(scope="session", autouse=True)
def _what_is_copied_leaves_the_developers_folder_alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what screens copy to a file in a folder of these tests, unless one names its own."""
    folder = tmp_path_factory.mktemp("copied")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(string_files, "data_folder", lambda: Path(os.environ.get("KICKDOOR_DATA", folder)))
        yield


@pytest.fixture(scope="session", autouse=True)
def _style_sheets_are_parsed_once() -> Iterator[None]:
    """Keep what is parsed of a style sheet for the next app: a program has one app, but these tests start hundreds."""
    parse = Stylesheet._parse_rules
    parsed: dict[tuple[Any, ...], list[RuleSet]] = {}

    def once(sheet: Stylesheet, *given: Any, **named: Any) -> list[RuleSet]:
        key = (given, *sorted(named.items()), *sheet._variables.items())
        if key not in parsed:
            parsed[key] = parse(sheet, *given, **named)
        return parsed[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", once)
        yield


@pytest.fixture(autouse=True)
def _frames_are_painted_when_they_are_read(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paint no frame for a terminal that is not there: the toolkit would paint each one and throw it away, a third of
    the time of these tests. When a test reads the text of a screen, it is painted then. A test for errors in painting
    is marked `painted`."""
    paint = Compositor.render_update

    def unpainted(
        self: Compositor, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
    ) -> Any:
        if full:
            return paint(self, full, screen_stack, simplify)
        visible_screen_stack.set(screen_stack or [])
        self._dirty_regions.clear()
        return None

    if request.node.get_closest_marker("painted") is None:
        monkeypatch.setattr(Compositor, "render_update", unpainted)
