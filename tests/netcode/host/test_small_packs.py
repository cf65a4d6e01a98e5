"""A pack with too few cards for the deal is refused in a sentence, and can be played with a larger set."""

from pathlib import Path

import pytest

from core.authoring.template import new_pack
from core.language.errors import PackError
from netcode.host.registry import Registry, TablePlan
from netcode.lab.ladder import Ladder
from netcode.simulation.batch import SimConfig, run
from tests.core.random_packs import with_counts

TOO_FEW = r"4 players are dealt 16 cards of each deck, but there are \d+ Door cards and 0 Treasures: add a larger set"


@pytest.fixture
def small(tmp_path: Path) -> str:
    """Return the folder of a pack that has no Treasures."""
    files = {name: data for name, data in new_pack("My Set").items() if name != "items.toml"}
    for name, data in with_counts(files).items():
        (tmp_path / name).write_bytes(data)
    return str(tmp_path)


def test_a_pack_that_cannot_be_dealt_opens_no_table_until_it_is_mixed(small: str) -> None:
    registry = Registry()
    with pytest.raises(PackError, match=TOO_FEW):
        registry.open(TablePlan(sets=(small,), seats=4, pace="book"), registry.cards((small,), (), later=True))
    assert registry.tables == {}
    mixed = ("munchkins-and-mazes", small)
    registry.open(TablePlan(sets=mixed, seats=4, pace="book"), registry.cards(mixed, ()))
    assert len(registry.tables) == 1


def test_a_pack_that_cannot_be_dealt_is_not_simulated_and_holds_no_ladder(small: str) -> None:
    with pytest.raises(PackError, match=TOO_FEW):
        run(SimConfig(sets=(small,), seats=(3, 4), games=1))
    with pytest.raises(PackError, match=TOO_FEW):
        Ladder(players=("easy", "normal"), mixes=((small,),), seats=4).check()
