"""README.md names the licence of everything that is installed with kickdoor."""

import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement

README = Path(__file__).parents[2] / "README.md"


def installed_with(name: str) -> set[str]:
    """Return the names of all packages that this one needs here, without extras."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        try:
            needed = [Requirement(text) for text in requires(waiting.pop()) or ()]
        except PackageNotFoundError:
            continue
        fresh = {one.name for one in needed if one.marker is None or one.marker.evaluate({"extra": ""})} - found
        found |= fresh
        waiting += sorted(fresh)
    return found


def folded(name: str) -> str:
    """Return a name in which all spellings of it are equal."""
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_licence_of_each_package_is_named() -> None:
    _, _, told = README.read_text(encoding="utf-8").partition("MIT licence, see")
    words = {folded(word) for word in re.findall(r"[\w.-]*\w", told)}
    needed = {folded(name) for name in installed_with("kickdoor")}
    assert "zeroconf" in needed and needed <= words, f"README.md names no licence of {sorted(needed - words)}"
