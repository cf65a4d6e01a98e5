"""The command line in separate processes: one line for each error, exit codes, no screen where none is wanted."""

import json
import subprocess
import sys
from collections.abc import MutableMapping
from pathlib import Path

import click
import pytest

from cards import pack_files
from core.language.catalog import read_head
from tests.patience import PATIENCE_S
from tests.tui.command_line import ROOT, kickdoor

SET = "munchkins-and-mazes"


@pytest.mark.long(5)
@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "needs a terminal"),
        (("play",), "needs a terminal"),
        (("join", "hello"), "join string"),
        (("join", "kickdoor://10.0.0.1:7788/PUB#short"), ""),
        (("watch", "-"), "join string"),
        (("play", "--pace", "hasty"), "hasty"),
        (("play", "--bots", "9"), "9"),
        (("plya",), "plya"),
        (("cards", "list", "--set", "nope"), "nope"),
        (("cards", "check", "/nowhere"), "/nowhere"),
        (("cards", "show", "Bearbgu"), "Bearbug"),
        (("rules", "no.such"), "no.such"),
        (("scenario", "/nowhere"), "/nowhere"),
        (("simulate", "--seats", "two"), "two"),
        (("replay", "game.kd"), "game.kd"),
        (("host", "--club", "postgresql:///club", "--no-journal"), "--no-journal"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(args: tuple[str, ...], words: str, tmp_path: Path) -> None:
    done = kickdoor(*args, home=tmp_path)
    assert done.returncode == 2, done
    assert done.stdout == "" and len(done.stderr.strip().splitlines()) == 1
    assert words in done.stderr and "Traceback" not in done.stderr


def test_invalid_settings_are_reported_with_their_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('speed = "warp"\n')
    done = kickdoor("play", home=tmp_path)
    assert done.returncode == 2 and "settings.toml: speed is one of slow, normal, fast" in done.stderr


def test_cards_list_as_json_has_the_figures_of_the_pack() -> None:
    rows = json.loads(kickdoor("cards", "list", "--json").stdout)
    counts = read_head(pack_files(SET)).counts
    assert sum(row["copies"] for row in rows if row["set"] == SET) == counts.door + counts.treasure
    by_name = {row["name"]: row for row in rows}
    glampire = by_name["Glampire"]
    assert (glampire["id"], glampire["set"], glampire["deck"]) == (f"{SET}:glampire", SET, "door")
    assert (glampire["kind"], glampire["level"], glampire["treasures"]) == ("monster", 14, 4)
    assert glampire["tags"] == ["undead"] and glampire["text"]
    assert by_name["Pickle Spear"]["bonus"] == 4 and "value" in by_name["Pickle Spear"]
    assert by_name["Prismatic Glitter"]["bonus"] == 5 and by_name["Sanctified Grenade"]["bonus"] == 3


@pytest.mark.long(0)
def test_rules_as_json_list_the_scenarios_and_tests_that_prove_them() -> None:
    found = json.loads(kickdoor("rules", "--json").stdout)
    assert len(found) > 200
    assert set(found[0]) == {"id", "sets", "kind", "text", "scenarios", "tests"}
    assert any(clause["scenarios"] for clause in found)
    one = json.loads(kickdoor("rules", "combat.strength", "--json").stdout)
    assert [clause["id"] for clause in one] == ["combat.strength"]


@pytest.mark.long(0)
def test_a_new_pack_passes_its_check_and_its_scenario(tmp_path: Path) -> None:
    folder = tmp_path / "my-pack"
    assert kickdoor("cards", "new", str(folder)).returncode == 0
    checked = kickdoor("cards", "check", str(folder))
    assert checked.returncode == 0 and "no mistakes" in checked.stdout
    ran = kickdoor("scenario", str(folder))
    assert ran.returncode == 0, ran.stdout
    again = kickdoor("cards", "new", str(folder))
    assert again.returncode == 2 and "not empty" in again.stderr


def test_a_mistake_in_a_pack_is_exit_code_1(tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    kickdoor("cards", "new", str(folder))
    (folder / "monsters.toml").write_text('[[card]]\nid = "x"\nname = "X"\nkind = "monster"\nlevle = 3\n')
    done = kickdoor("cards", "check", str(folder))
    assert done.returncode == 1 and "levle" in done.stdout


@pytest.mark.long(0)
def test_advice_on_a_pack_fails_only_if_it_is_strict(tmp_path: Path) -> None:
    folder = tmp_path / "puzzling"
    kickdoor("cards", "new", str(folder))
    file = folder / "monsters.toml"
    file.write_text(file.read_text().replace("Lose two levels", "Lose four levels"))
    done, strict = kickdoor("cards", "check", str(folder)), kickdoor("cards", "check", "--strict", str(folder))
    assert (done.returncode, strict.returncode) == (0, 1)
    assert "advice: monsters.toml:" in done.stdout and "no mistakes, 2 pieces of advice" in done.stdout
    assert "no mistakes, 2 pieces of advice" in strict.stderr
    assert kickdoor("scenario", str(folder)).returncode == 0


def test_a_scenario_that_fails_is_exit_code_1(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(
        '[[scenario]]\nname = "wrong"\nproves = ["setup.start-level"]\nturn = "Kim"\nopen = true\n'
        "steps = [{ expect = { levels = { Kim = 7 } } }]\n[scenario.seats.Kim]\n"
    )
    done = kickdoor("scenario", str(file))
    assert done.returncode == 1 and "expected" in done.stdout
    report = json.loads(kickdoor("scenario", "--json", str(file)).stdout)
    assert len(report["failures"]) == 1


def test_headless_commands_never_load_the_screen() -> None:
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom tui.cli.main import cli\n"
        "early = [name for name in ('textual', 'rich', 'zmq', 'msgspec', 'core.engine') if name in sys.modules]\n"
        "assert not early, early\n"
        "for args in (['cards', 'list', '--json'], ['rules', '--json'], ['cards', 'schema'],\n"
        "             ['simulate', '--games', '1', '--seats', '3', '--bot', 'easy']):\n"
        "    done = CliRunner().invoke(cli, args)\n"
        "    assert done.exit_code == 0, (args, done.output, done.exception)\n"
        "assert 'textual' not in sys.modules, 'a headless command loads textual'\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)
    assert done.returncode == 0, done.stderr


def all_commands() -> dict[str, click.Command]:
    """Return every command by its name."""
    from tui.cli.main import cli

    context = click.Context(cli)
    found = {name: cli.get_command(context, name) for name in cli.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def commands_of(name: str) -> MutableMapping[str, click.Command]:
    """Return the commands of a group, as `kickdoor cards`."""
    group = all_commands()[name]
    assert isinstance(group, click.Group)
    return group.commands


def test_the_list_of_commands_says_of_each_what_its_own_help_says() -> None:
    from tui.cli.main import ELSEWHERE

    commands = all_commands()
    for name, (_, words) in ELSEWHERE.items():
        assert (commands[name].help or "").splitlines()[0] == words


def test_the_command_line_has_exactly_these_commands_and_options() -> None:
    commands = all_commands()
    playing = {"play", "host", "join", "seat", "watch", "replay", "learn", "puzzle"}
    others = {"bot", "strings", "simulate", "ladder", "lab", "career", "scenario", "cards", "rules", "serve", "club"}
    assert set(commands) == playing | others
    assert set(commands_of("cards")) == {"list", "show", "gallery", "uses", "check", "new", "schema"}
    assert set(commands_of("club")) == {"migrate", "status", "drain", "import", "export"}
    assert set(commands_of("lab")) == {"report", "parquet", "fit"}
    options = {option for parameter in commands["host"].params for option in parameter.opts}
    options.discard("--scenario")
    assert options == {
        "--set", "--bind", "--port", "--seats", "--bots", "--pace", "--option", "--data", "--memory", "--json",
            "--tables", "--keep", "--watch-delay", "--announce", "--qr", "--restart", "--no-journal", "--new", "--idle",
            "--front", "--repair", "--knock", "--club", "--address", "--remember", "--lease",
    }  # fmt: skip


def test_the_document_names_every_command_and_option() -> None:
    alone = all_commands()
    document = (ROOT / "docs/playing.md").read_text("utf-8")
    rows = [line for line in document.splitlines() if line.startswith("| `")]
    commands = alone | {
        f"{group} {name}": command for group in ("cards", "club", "lab") for name, command in commands_of(group).items()
    }
    on_screen = {name for name, command in commands.items() if any("--ascii" in one.opts for one in command.params)}
    missing = [name for name in alone if not any(line.startswith(f"| `kickdoor {name}") for line in rows)]
    for name, command in commands.items():
        for option in (option for one in command.params for option in one.opts if option.startswith("--")):
            described = [line.split(" | ")[1] for line in rows if option in line.split(" | ")[0]]
            words = {word.strip() for commands in described for word in commands.split(",")}
            if name not in words and not (name in on_screen and "commands with a screen" in words):
                missing.append(f"{option} of `kickdoor {name}`")
    assert not missing, f"docs/playing.md lacks {', '.join(missing)}"
