"""The surroundings of the program: made by whoever starts it, and nothing below the start reads the environment."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui.config import settings
from tui.config.surroundings import Surroundings, begun, local

ROOT = Path(__file__).resolve().parents[2]

STARTS = {
    "tui/cli/main.py": "begins with the environment of a command",
    "tui/config/surroundings.py": "makes the surroundings of it",
    "tui/app/launch.py": "forgets an exported size of the window",
}
"""The files of tui that may read the environment, and why."""


def _reads(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that read the environment."""
    for node in ast.walk(tree):
        names = [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.ImportFrom) and node.module == "os":
            names = [alias.name for alias in node.names]
        if {"environ", "environb", "getenv", "getenvb"} & set(names):
            yield getattr(node, "lineno", 0)


def test_nothing_below_the_start_reads_the_environment() -> None:
    files = {str(path.relative_to(ROOT)): path for path in (ROOT / "tui").rglob("*.py")}
    found = {name: lines for name, path in files.items() if (lines := [*_reads(ast.parse(path.read_text("utf-8")))])}
    assert set(found) == set(STARTS), f"{found}: ask tui.config.surroundings.here() instead"


@pytest.mark.parametrize("source", ["import os\nos.environ", "from os import getenv", "import os as o\no.getenv('A')"])
def test_the_search_finds_a_read(source: str) -> None:
    assert [*_reads(ast.parse(source))]


def test_a_command_begins_in_its_environment() -> None:
    found = local({"TERM": "linux", "SSH_CONNECTION": "1", "KICKDOOR_NAME": "Ann", "KICKDOOR_CONFIG": "/a/b.toml"})
    assert found == Surroundings(
        terminal="linux", lacks_characters=True, remote=True, wishes={"name": "Ann"}, settings=Path("/a/b.toml")
    )


def test_surroundings_that_have_begun_outlast_a_changed_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_NAME", "Ben")
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path / "other.toml"))
    with begun(local({"KICKDOOR_NAME": "Ann", "KICKDOOR_CONFIG": str(tmp_path / "none.toml")})):
        assert settings.load().name == "Ann" and settings.path() == tmp_path / "none.toml"
    assert settings.load().name == "Ben"
