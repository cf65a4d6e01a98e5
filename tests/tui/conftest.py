"""Put the project's folder on the import path, so that `tests.tui` can be imported from any working directory; let no
terminal of a developer decide what is drawn; and end apps as their users do."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App

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
