"""Each bot level is defined once, and reaches everything that a player can read or write."""

import random
from pathlib import Path

import msgspec
import pytest

from netcode.bots.brain import Brain
from netcode.bots.levels import DEFAULT_LEVEL, LEVEL_NAMES, LEVELS, TABLE_LEVELS
from netcode.protocol import wire
from netcode.simulation.batch import SimConfig, check
from tests.netcode.bots.bot_views import CATALOG
from tests.tui.command_line import choices_of
from tui.app import menu_rows
from tui.config.settings import CHOICES, Settings

ROOT = Path(__file__).resolve().parents[2]
FORMS = {"play": menu_rows.play_rows, "create": menu_rows.create_rows}


def places_without(name: str) -> list[str]:
    """Return where a level is missing, each with the file that has to be changed."""
    missing = []
    if name not in choices_of("simulate", "--bot"):
        missing.append("--bot of `kickdoor simulate` (tui/cli/main.py)")
    try:
        check(SimConfig(bots=(name,)))
    except ValueError as problem:
        missing.append(f"simulations (netcode/simulation/batch.py): {problem}")
    try:
        Brain(CATALOG, name, random.Random(1))
    except ValueError as problem:
        missing.append(f"what bots can play (netcode/bots/brain.py): {problem}")
    lines = (ROOT / "docs/playing.md").read_text("utf-8").splitlines()
    if not any(LEVELS[name].words in line for line in lines if line.startswith(f"| `{name}`")):
        missing.append(f"the row of docs/playing.md that begins | `{name}` | and says: {LEVELS[name].words}")
    return missing


def tables_without(name: str) -> list[str]:
    """Return where a level that tables offer is missing, each with the file that has to be changed."""
    missing = []
    for command in ("play", "bot"):
        if name not in choices_of(command, "--level"):
            missing.append(f"--level of `kickdoor {command}` (tui/cli/main.py)")
    for form, rows_of in FORMS.items():
        row = next((row for row in rows_of(Settings(), ("axe-cop",)) if row.name == "level"), None)
        if row is None or name not in row.choices or f"{name} {LEVELS[name].words}" not in row.hint:
            missing.append(f"the {form} form of the menu (tui/app/menu_rows.py)")
    if name not in CHOICES["level"]:
        missing.append("the setting `level` (tui/config/settings.py)")
    sent = msgspec.msgpack.encode(wire.CreateTable(b"", 1, ["axe-cop"], level=name))
    try:
        msgspec.msgpack.decode(sent, type=wire.CreateTable)
    except msgspec.ValidationError as problem:
        missing.append(f"the message CreateTable (netcode/protocol/wire.py): {problem}")
    return missing


@pytest.mark.parametrize("name", LEVEL_NAMES)
def test_a_level_reaches_every_place(name: str) -> None:
    missing = places_without(name) + (tables_without(name) if LEVELS[name].style is not None else [])
    assert not missing, f"the level {name} is missing in: {'; '.join(missing)}"


def test_a_level_without_a_style_is_for_simulations_only() -> None:
    for name in set(LEVEL_NAMES) - set(TABLE_LEVELS):
        assert len(tables_without(name)) == 6, f"a table offers {name}"


def test_the_default_level_is_one_that_tables_offer() -> None:
    assert DEFAULT_LEVEL in TABLE_LEVELS and Settings().level == DEFAULT_LEVEL
