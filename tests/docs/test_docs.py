"""The documents name files, modules and pages that exist."""

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
FILE = re.compile(r"`([\w./-]+\.(?:py|toml|md|tcss))(?:::\w+)?`")
MODULE = re.compile(r"python3? -m ((?:core|netcode|tui|tests)[\w.]*)")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
OF_READERS = {"settings.toml"}
"""Files that exist on a reader's machine, but not in the project."""
PACK_OF_READERS = "my-set/"
"""The pack that docs/packs.md lets the reader write."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_files_that_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    wrong = [name for name in FILE.findall(text) if not (_exists(name) or _readers(name))]
    wrong += [f"python -m {name}" for name in MODULE.findall(text) if not _module(name)]
    wrong += [link for link in LINK.findall(text) if not (page.parent / link).exists()]
    assert not wrong, f"{page.name} names what does not exist: {wrong}"


@cache
def _names() -> set[str]:
    """Return the names of all files of the project."""
    folders = ("core", "cards", "netcode", "tui", "tests", "docs", ".ci")
    return {path.name for folder in folders for path in (ROOT / folder).rglob("*.*")}


def _exists(name: str) -> bool:
    """A path from the root, or a bare file name that is somewhere in the tree."""
    return (ROOT / name).exists() or name in _names()


def _readers(name: str) -> bool:
    return name in OF_READERS or name.startswith(PACK_OF_READERS)


def _module(name: str) -> bool:
    path = ROOT / name.rstrip(".").replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
