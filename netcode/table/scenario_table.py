"""Tables that begin in the position of a scenario file instead of with a deal: puzzles, bug reports, tutorials."""

from pathlib import Path

import msgspec

from core.scenario.cast import BYSTANDERS
from core.scenario.schema import FOLDERS, Scenario
from netcode.protocol import limits
from netcode.protocol.table_options import spell_options
from netcode.table.scenario_files import ScenarioTableError, parsed_scenarios, read_texts

__all__ = ["ScenarioTableError", "options_of", "places", "read_scenario"]

def read_scenario(name: str) -> Scenario:
    """Return the scenario named `FILE` (its first) or `FILE#N` (its Nth).

    Its card sets are those it names, else the pack whose scenarios folder holds the file, else none. Raises
    ScenarioTableError."""
    path, number = _split(name)
    file = parsed_scenarios(read_texts([path]))[str(path)]
    if file.wrong:
        raise ScenarioTableError(f"{path}{f': {file.name}' if file.name else ''}: {file.wrong}")
    if not 1 <= number <= len(file.scenarios):
        raise ScenarioTableError(f"{path} holds {len(file.scenarios)} scenarios: there is no number {number}")
    scenario = file.scenarios[number - 1]
    return msgspec.structs.replace(scenario, sets=scenario.sets or _own_pack(path))


def _split(name: str) -> tuple[Path, int]:
    plain, mark, number = name.rpartition("#")
    if mark and number.isdigit() and len(number) < 6 and not Path(name).exists():
        return Path(plain).expanduser(), int(number)
    return Path(name).expanduser(), 1


def _own_pack(path: Path) -> tuple[str, ...]:
    folder = path.resolve().parent
    pack = folder.parent
    return (str(pack),) if folder.name in FOLDERS and (pack / "pack.toml").is_file() else ()


def places(scenario: Scenario) -> tuple[str, ...]:
    """Return the names of the seats: those of the scenario, filled up to three."""
    names = [*scenario.seats, *BYSTANDERS[: max(0, limits.SEATS_MIN - len(scenario.seats))]]
    return tuple(name[:limits.NAME_CHARS] for name in names)


def options_of(scenario: Scenario) -> tuple[str, ...]:
    """Return the options of the scenario, spelled as in `--option`; the winning Level may be any number."""
    return spell_options(scenario.options)
