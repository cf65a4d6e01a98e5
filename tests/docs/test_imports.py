"""No import is hidden from the contracts of pyproject.toml: lint-imports sees `import` statements, but not modules that
are loaded by name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("core", "cards", "netcode", "tui")
BY_NAME = {
    "netcode/processes/service.py": "the service that the command line of the process names",
    "tui/guest/loaded.py": "every module of the screen, before a process is forked",
    "netcode/bots/guests.py": "a bot of somebody else",
    "netcode/door/forking/process.py": "the program of the guests, which the command line of the process names",
}
"""Files that load a module whose name is known only at run time, and the purpose of it."""


def loads_by_name(path: Path) -> Iterator[int]:
    """Yield the lines on which a file loads a module by its name."""
    text = path.read_bytes()
    if not re.search(rb"import_module|__import__", text):
        return  # to parse the whole program takes seconds
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute | ast.Name | ast.alias):
            name = next(getattr(node, part) for part in ("attr", "id", "name") if hasattr(node, part))
            if name in ("import_module", "__import__"):
                yield node.lineno


def test_modules_of_ours_are_loaded_by_import_statements() -> None:
    hidden = [
        f"{where}:{line} loads a module by its name: write `import`, so that lint-imports sees it"
        for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))
        for line in loads_by_name(path) if (where := path.relative_to(ROOT).as_posix()) not in BY_NAME
    ]  # fmt: skip
    assert not hidden, "\n".join(hidden)


def test_a_hidden_import_would_be_found(tmp_path: Path) -> None:
    file = tmp_path / "hidden.py"
    file.write_text("import importlib\nfrom importlib import import_module as load\nimportlib.import_module('tui')\n")
    assert list(loads_by_name(file)) == [2, 3]
    assert all(list(loads_by_name(ROOT / name)) for name in BY_NAME), "a file that no longer does it goes from the list"
