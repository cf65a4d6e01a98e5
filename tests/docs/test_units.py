"""The unit files in the documents can be started."""

import re
import shlex
from pathlib import Path

import click
import pytest

from tui.cli.main import cli

DOCS = Path(__file__).parents[2] / "docs"
UNITS = [
    pytest.param(unit, id=f"{page.stem}: {number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, unit in enumerate(re.findall(r"```ini\n(.*?)```", page.read_text("utf-8"), re.DOTALL))
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_starts_a_command_with_options_that_it_has(unit: str) -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    program, name, *words = shlex.split(line)
    assert program.endswith("/kickdoor")
    with click.Context(cli) as context:
        command = cli.get_command(context, name)
    assert command is not None, name
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_needs_no_folder_before_systemd_has_made_it(unit: str) -> None:
    """systemd opens a file for the output before it makes the state folder: the first start would fail (209/STDOUT)."""
    made = re.findall(r"^StateDirectory=(.*)$", unit, re.MULTILINE)
    files = re.findall(r"^Standard(?:Output|Error)=(?:file|append|truncate):(.*)$", unit, re.MULTILINE)
    assert not [file for file in files if any(file.startswith(f"/var/lib/{folder}/") for folder in made)]
