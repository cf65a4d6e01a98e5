"""The surroundings of the program: made by whoever starts it, and nothing below the start reads the environment."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui.config import settings
from tui.config.keymap import help_table
from tui.config.surroundings import Surroundings, begun, local
from tui.menus.side_menus import farewell, quit_menu
from tui.scene.table_news import words_line

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


def test_what_needs_a_machine_of_ones_own_is_not_offered_to_a_guest() -> None:
    def offered() -> tuple[bool, bool, str]:
        aside = any("aside" in words for _, words in help_table({}))
        code = any(entry.key == "code" for entry in quit_menu(solo=False).entries)
        return aside, code, farewell("left", solo=False)

    assert offered() == (True, True, "Your seat is kept while the table is open. To return: kickdoor join")
    with begun(Surroundings(door="ssh -p 2222 host", code="amber-kettle-19")):
        aside, code, words = offered()
        assert not aside and not code
        assert words.splitlines() == [
            "Your seat is kept while the table is open. To return: ssh -p 2222 host",
            "Your code, with which you come back to your seat: amber-kettle-19",
        ]
        assert farewell("left", solo=False, watch="kickdoor://a#b").endswith("again: ssh -p 2222 host -t watch")
        said = words_line("ssh -p 2222 host", "otter-lamp-42", False)
        assert said == "Newcomers are asked for the words: otter-lamp-42"
