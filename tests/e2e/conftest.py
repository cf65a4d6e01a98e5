"""A program runner for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.hosts_and_players import ProgramRunner


@pytest.fixture
def runner(tmp_path: Path) -> Iterator[ProgramRunner]:
    """Run the hosts and players of one test; end all of them with it."""
    made = ProgramRunner(tmp_path)
    try:
        yield made
    finally:
        made.close()
