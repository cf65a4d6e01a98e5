"""Marks that the whole suite shares."""

import gc
import os
import signal
from collections.abc import Iterator

import hypothesis
import pytest

from tests import thorough


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks; and collect garbage less often: every drawn line of a screen has a dozen objects, besides the
    cards and the objects of the tests, so garbage collection would take a third of the time of the screens' tests."""
    gc.set_threshold(20_000, 10, 20)
    hypothesis.settings.register_profile(  # a busy machine takes its time to draw examples
        "any machine", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )
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
def _terminals_can_be_closed() -> Iterator[None]:
    """Let the programs that tests start end when their terminal is closed, also where `nohup` started the tests."""
    if not hasattr(signal, "SIGHUP"):
        yield
        return
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
