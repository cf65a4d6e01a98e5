"""A table runs with the configuration of its record in the journal."""

import pytest

from core.scenario.schema import load
from netcode.table.table_record import TableRecord, scenario_bytes
from tests.netcode.offline_table import FIGHT, JOIN, OWNER, WATCH


@pytest.mark.parametrize(
    ("more", "provable", "shown", "revealable"),
    [
        ({"seed": None}, True, False, True),
        ({"seed": 7}, False, True, True),
        ({"seed": None, "scenario": scenario_bytes(load(FIGHT.encode(), "fight")[0])}, False, False, False),
    ],
    ids=["dealt", "with a chosen seed", "a scenario"],
)
def test_only_a_game_that_nobody_has_chosen_can_be_proved(
    more: dict[str, object], provable: bool, shown: bool, revealable: bool
) -> None:
    fields: dict[str, object] = {
        "table": "t", "join": JOIN, "watch": WATCH, "owner": OWNER, "seats": 3, "bots": 0, "bot_level": "normal",
        "pace": "book", "speed": "normal", "options": (), "sets": [], "packs": (), "solo": False, "machine": "",
        "gone_ms": 600_000, **more,
    }  # fmt: skip
    config = TableRecord(**fields).config()  # type: ignore[arg-type]
    assert (config.provable, config.seed_shown, config.revealable) == (provable, shown, revealable)
