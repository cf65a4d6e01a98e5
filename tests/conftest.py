"""Marks and fixtures that the whole suite shares."""

import gc
import importlib
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from netcode.client.client import Client
from tests import thorough
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from tests.e2e.hosts_and_players import ProgramRunner


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks, and collect garbage less often. There are very many objects (a dozen for every drawn line of
    a screen), so garbage collection would take a third of the time of the screens' tests."""
    gc.set_threshold(100_000, 20, 100)
    hypothesis.settings.register_profile(  # a busy machine takes its time to draw examples
        "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow],
        # under CI the examples are always the same; in a turn they depend on --hypothesis-seed
        derandomize=hypothesis.settings().derandomize and not thorough.TURN,
    )  # fmt: skip
    hypothesis.settings.load_profile("any machine")
    config.addinivalue_line(
        "markers", "proves(*clauses): this test proves these clauses of the rules catalogue, which names it"
    )
    config.addinivalue_line("markers", "long(n): one in n of the cases is tried, none if n is 0 (tests/thorough.py)")
    config.addinivalue_line("markers", "painted: every frame of this test is painted, as for a terminal (tests/tui)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that KICKDOOR_TESTS excludes."""
    items[:], left_out = thorough.chosen(items)
    if left_out:
        config.hook.pytest_deselected(items=left_out)


def pytest_report_header() -> str | None:
    """Say how to repeat the generated cases of this run."""
    turn = thorough.TURN
    return f"KICKDOOR_TESTS=rest KICKDOOR_TURN={turn} and --hypothesis-seed={turn} repeat this" if turn else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each worker first import a part of the test files, then all of them. On a fresh copy pytest compiles each
    file when it is first imported. Without this, every worker would compile all files, which takes ten seconds."""
    worker = getattr(session.config, "workerinput", None)
    if worker and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        root = session.config.rootpath
        files = sorted(file for folder in session.config.args for file in (root / folder).rglob("test_*.py"))
        for file in files[int(worker["workerid"].removeprefix("gw")) :: worker["workercount"]]:
            with suppress(Exception, pytest.skip.Exception):  # the collection imports it again, and says what is wrong
                importlib.import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exempt everything imported and collected so far from garbage collection: it lasts as long as the process."""
    gc.freeze()


def pytest_xdist_auto_num_workers() -> int:
    """Use two workers more than there are cores: many tests wait for clocks, processes and terminals."""
    return int(os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS", 0)) or (os.cpu_count() or 1) + 2


@pytest.fixture(scope="session", autouse=True)
def _no_settings_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's own settings out of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KICKDOOR_CONFIG", str(tmp_path_factory.mktemp("config") / "settings.toml"))
        yield


@pytest.fixture(scope="session", autouse=True)
def _clients_wait_long() -> None:
    """Let clients wait for their host as long as tests do, where a test does not say how long."""
    for method in (Client.join, Client.do, Client.why, Client.knowledge, Client.wait_for):
        assert len(method.__defaults__ or ()) == 1
        method.__defaults__ = (PATIENCE_S,)


@pytest.fixture(scope="session", autouse=True)
def _terminals_can_be_closed() -> Iterator[None]:
    """Let the programs that tests start end when their terminal is closed, also where `nohup` started the tests."""
    if not hasattr(signal, "SIGHUP"):
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.fixture
def runner(tmp_path: Path) -> "Iterator[ProgramRunner]":
    """Run the hosts, doors and players of one test; end all of them with it."""
    from tests.e2e.hosts_and_players import ProgramRunner  # few tests need it

    made = ProgramRunner(tmp_path)
    try:
        yield made
    finally:
        made.close()
