"""Each table option and each pace is defined once, and reaches everything that a player can read or write."""

from pathlib import Path

import msgspec
import pytest

from core.scenario import schema
from core.state.model import Options
from core.state.options import GAME_OPTIONS, TableOption
from netcode.protocol import wire
from netcode.protocol.paces import PACE_LIMITS, PACES, Pace
from netcode.protocol.table_options import TABLE_OPTIONS, options_text, parse_options, spell_options
from tests.core.random_table import options_spelled
from tests.tui.command_line import choices_of
from tui.app import menu_rows
from tui.config.settings import Settings
from tui.menus.owner_menus import table_requests

ROOT = Path(__file__).resolve().parents[2]
FORMS = {"play": menu_rows.play_rows, "host": menu_rows.host_rows, "create": menu_rows.create_rows}


def lines_with(file: str, name: str) -> list[str]:
    """Return the lines of a document that begin with a table cell for this name."""
    text = (ROOT / file).read_text("utf-8")
    return [line for line in text.splitlines() if line.startswith((f"| `{name}`", f"| `{name}="))]


def values_of(option: TableOption) -> dict[str, object]:
    """Return each spelling of an option, with the value that it stands for."""
    return dict(zip(option.spellings, option.values or (True,), strict=True))


def scenario_with(option: TableOption, value: object) -> Options:
    """Return the options of a scenario file that sets this one."""
    text = f'[[scenario]]\nname = "one"\nsteps = []\noptions = {{ {option.name} = {str(value).lower()} }}\n'
    return schema.load(f"{text}[scenario.seats.Kim]\n".encode(), "one.toml")[0].options


def places_without(option: TableOption) -> list[str]:
    """Return where an option is missing, each with the file that has to be changed."""
    missing = []
    for command in ("play", "host", "simulate"):
        if not set(option.spellings) <= set(choices_of(command, "--option")):
            missing.append(f"--option of `kickdoor {command}` (tui/cli/main.py)")
    for form, rows_of in FORMS.items():
        rows = [row for row in rows_of(Settings(), ("axe-cop",)) if row.name == option.name]
        if not rows or not set(option.spellings[-1:]) <= set(
            menu_rows.options_in({option.name: rows[0].choices[-1]})
        ):
            missing.append(f"the {form} form of the menu (tui/app/menu_rows.py)")
    if option.label not in options_text(option.spellings):
        missing.append("the options that lists show (netcode/protocol/table_options.py)")
    for spelling, value in values_of(option).items():
        sent = msgspec.msgpack.encode(wire.CreateTable(b"", 1, ["axe-cop"], options=[spelling]))
        try:
            msgspec.msgpack.decode(sent, type=wire.CreateTable)
        except msgspec.ValidationError as problem:
            missing.append(f"the message CreateTable (netcode/protocol/wire.py): {problem}")
        if option in GAME_OPTIONS:
            missing += places_without_value(option, spelling, value)
    rows_in_docs = lines_with("docs/playing.md", option.name)
    if not any(option.sentence in line for line in rows_in_docs):
        missing.append("the row with its sentence in docs/playing.md")
    return missing


def places_without_value(option: TableOption, spelling: str, value: object) -> list[str]:
    """Return where an option of the rules loses this value."""
    missing = []
    if getattr(parse_options([spelling]), option.field, None) != value:
        missing.append(f"{spelling} in Options (core/state/model.py)")
    try:
        found = scenario_with(option, value)
    except schema.ScenarioError as problem:
        return [*missing, f"options of scenario files (core/state/model.py): {problem}"]
    if getattr(found, option.field) != value or parse_options(spell_options(found)) != parse_options([spelling]):
        missing.append(f"{spelling} in scenario files (core/scenario/schema.py)")
    if f"{option.name}" not in (ROOT / "docs/scenarios.md").read_text("utf-8"):
        missing.append("docs/scenarios.md")
    return missing


@pytest.mark.parametrize("option", TABLE_OPTIONS, ids=lambda option: option.name)
def test_a_table_option_reaches_every_place(option: TableOption) -> None:
    missing = places_without(option)
    assert not missing, f"the option {option.name} is missing in: {'; '.join(missing)}"


def test_every_option_of_the_state_is_described() -> None:
    fields = [field.name for field in msgspec.structs.fields(Options)]
    described = [option.field for option in GAME_OPTIONS]
    wrong = f"Options (core/state/model.py) has {fields}, GAME_OPTIONS (core/state/options.py) describes {described}"
    assert fields == described, f"{wrong}: add the missing row or field, in the same order"
    for option in GAME_OPTIONS:
        default = getattr(Options(), option.field)
        first = option.values[0] if option.values else False
        assert default == first, f"{option.name}: the first value is the default"


@pytest.mark.parametrize(
    "option", [*GAME_OPTIONS, TableOption("new", "New", "On or off."), TableOption("new", "New", "A number.", (1, 2))]
)
def test_random_games_play_every_option_but_the_long_game(option: TableOption) -> None:
    played = {spelling for no in range(11) for spelling in options_spelled(no, (option,))}
    assert played == ({option.spellings[-1]} if option.name != "win-level" else set())


def test_a_table_can_agree_on_all_options_at_once() -> None:
    options = [option.spellings[-1] for option in TABLE_OPTIONS]
    sent = msgspec.msgpack.encode(wire.CreateTable(b"", 1, ["axe-cop"], options=options))
    assert msgspec.msgpack.decode(sent, type=wire.CreateTable).options == options


@pytest.mark.parametrize("pace", PACES)
def test_a_pace_reaches_every_place(pace: Pace) -> None:
    missing = [
        f"--pace of `kickdoor {command}` (tui/cli/main.py)"
        for command in ("play", "host") if pace not in choices_of(command, "--pace")
    ]  # fmt: skip
    for form, rows_of in FORMS.items():
        if not any(row.name == "pace" and pace in row.choices for row in rows_of(Settings(), ("axe-cop",))):
            missing.append(f"the {form} form of the menu (tui/app/menu_rows.py)")
    other = next(name for name in PACES if name != pace)
    offered = [asked.value for _, asked in table_requests(wire.TableInfo("t", [], pace=other)) if asked.what == "pace"]
    if pace not in offered:
        missing.append("the owner's menu (tui/menus/owner_menus.py)")
    sent = msgspec.msgpack.encode(wire.CreateTable(b"", 1, ["axe-cop"], pace=pace))
    if msgspec.msgpack.decode(sent, type=wire.CreateTable).pace != pace:
        missing.append("the message CreateTable (netcode/protocol/wire.py)")
    limits = PACE_LIMITS[pace]
    seconds = [limits.window_text, *("no limit" if ms is None else f"{ms / 1000:g} s" for ms in (limits.prompt_ms,
               limits.phase_ms))]  # fmt: skip
    seconds += [f"{ms / 60_000:g} min" for ms in (limits.phases_ms, limits.questions_ms, limits.match_point_ms)]
    if not any(all(text in line for text in seconds) for line in lines_with("docs/playing.md", pace)):
        missing.append(f"the row with {', '.join(seconds)} in docs/playing.md")
    assert not missing, f"the pace {pace} is missing in: {'; '.join(missing)}"
