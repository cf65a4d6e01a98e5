"""The examples of docs/packs.md and docs/scenarios.md work, and these pages name every key."""

import re
from pathlib import Path

import pytest
from msgspec.structs import fields

from core.authoring.lint import check_pack
from core.authoring.template import new_pack
from core.language import schema as v
from core.language.manifest import Counts, IdentityKind, PackHead, Switches, TagRule, Words
from core.scenario import parts
from core.scenario import schema as scenarios
from core.scenario.runner import run_texts
from tests import mutation
from tests import scenarios as scenario_tool
from tests.scenarios import catalog_for

DOCS = Path(__file__).resolve().parents[3] / "docs"
PACKS = (DOCS / "packs.md").read_text()
SCENARIOS = (DOCS / "scenarios.md").read_text()


def blocks(text: str, kind: str) -> list[str]:
    """Return the code blocks of one language in a document."""
    return re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL)


def test_the_pack_of_the_manual_passes_every_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Follow "Write a pack in ten minutes" step by step."""
    files = new_pack("My Set")
    for block in blocks(PACKS, "toml"):
        file = re.match(r"# my-set/(\S+)\n", block)
        if file is not None:
            files[file.group(1)] = files.get(file.group(1), b"") + b"\n" + block.encode()
    (problem,) = check_pack(files)
    assert str(problem) in PACKS
    files["pack.toml"] = files["pack.toml"].replace(b"door = 26", b"door = 28")
    assert check_pack(files) == []
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert scenario_tool.main(["--set", str(tmp_path), "-k", "leak"]) == 0
    assert capsys.readouterr().out in PACKS
    assert mutation.main(["--set", str(tmp_path), "--card", "leak"]) == 0
    assert capsys.readouterr().out in PACKS
    scenario = tmp_path / "scenarios" / "leak.toml"
    weak = scenario.read_text().replace("level = 3", "level = 2").replace("Ross = 2 }", "Ross = 1 }")
    mutation.scenarios_of.cache_clear()
    scenario.write_text(weak)
    assert mutation.main(["--set", str(tmp_path), "--card", "leak"]) == 1
    assert capsys.readouterr().out.splitlines()[0] in PACKS


def test_the_scenario_and_the_puzzle_of_the_manual_pass() -> None:
    report = run_texts(catalog_for, {f"{at}.toml": text.encode() for at, text in enumerate(blocks(SCENARIOS, "toml"))})
    assert (report.scenarios, [str(failure) for failure in report.failures]) == (2, [])


@pytest.mark.parametrize("kind", [PackHead, Counts, IdentityKind, TagRule, Words, Switches, v.Card, v.Ability, v.Cost])
def test_the_manual_of_packs_names_every_key(kind: type) -> None:
    missing = [one.encode_name for one in fields(kind) if not named(PACKS, one.encode_name)]
    assert missing == []


PLAYED = [parts.Lesson, parts.Task, parts.Puzzle, parts.Mistake, parts.Reaction, parts.Happening]


@pytest.mark.parametrize("kind", [scenarios.Scenario, parts.SeatSetup, parts.Step, parts.Expect, *PLAYED])
def test_the_manual_of_scenarios_names_every_key(kind: type) -> None:
    keys = [one.encode_name for one in fields(kind) if one.encode_name != "where"]
    assert [key for key in keys if not named(SCENARIOS, key)] == []


def test_the_manual_of_packs_lists_exactly_the_switches() -> None:
    table = PACKS.partition("| switch (default) |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == [one.name for one in fields(Switches)]


def named(text: str, key: str) -> bool:
    """Whether a document has this word in code font or in a block of code."""
    return re.search(rf"(`|^|[{{\[(, .]){re.escape(key)}(`| =|=|\]|,| \}})", text, re.MULTILINE) is not None
