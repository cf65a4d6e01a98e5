"""kill -9 at random moments and at named points, while six people play.

`python -m tests.faults.kill_runs` does it 500 times.
"""

from pathlib import Path

import pytest

from tests.faults.dying_host import POINTS
from tests.faults.kill_runs import RestartableHost, kill_repeatedly


@pytest.mark.long(0)
async def test_a_killed_host_loses_nothing_it_acknowledged_and_does_nothing_twice(tmp_path: Path) -> None:
    figures = await kill_repeatedly(20, seed=1, folder=tmp_path)
    assert set(figures.points) == {"random", *POINTS}
    assert figures.acknowledged > 60, "they played between the kills"


async def test_the_strings_are_valid_as_soon_as_they_are_printed(tmp_path: Path) -> None:
    host = RestartableHost(tmp_path)
    joins = []
    for _ in range(2):
        await host.start()
        host.kill()
        await host.died()
        joins.append(host.join)
    assert joins[0] == joins[1]
