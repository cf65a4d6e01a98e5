"""A house for each test, closed at its end."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.hosts_and_players import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Hosts, players and terminals of one test; all of them end with it."""
    made = House(tmp_path)
    try:
        yield made
    finally:
        made.close()
