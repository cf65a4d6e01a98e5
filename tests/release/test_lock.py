"""requirements.lock names every package that the program, its tests and its releases need, within pyproject's ranges.

What a package needs is read from the packages that are installed here: from all of them in an environment made from the
lock, as `.ci/run` makes one, and elsewhere from those that have the version of the lock.
"""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: ; ([^\\]+))? \\\n((?:    --hash=\S+(?: \\)?\n)+)", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}(?: \\)?")
REMEDY = "run .ci/lock and commit requirements.lock"


def lock_text() -> str:
    """Return the lock."""
    return (ROOT / "requirements.lock").read_text("ascii")


def locked() -> dict[str, str]:
    """Return the version of each package in the lock, by its canonical name."""
    return {canonicalize_name(name): version for name, version, *_ in ENTRY.findall(lock_text())}


def wanted() -> list[Requirement]:
    """Return what pyproject.toml asks for: program, build, tests, releases."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lists = [
        project["project"]["dependencies"], project["build-system"]["requires"],
        *project["project"]["optional-dependencies"].values(), *project["dependency-groups"].values(),
    ]  # fmt: skip
    return [Requirement(text) for texts in lists for text in texts]


def test_each_line_of_the_lock_is_a_version_with_hashes_or_a_comment() -> None:
    """No name of an index, no path, no option: pip takes the files from the index that it is configured for."""
    left = ENTRY.sub("", lock_text())
    assert all(line.strip().startswith("#") for line in left.splitlines()), left
    assert "://" not in lock_text()
    hashes = [line.strip() for *_, block in ENTRY.findall(lock_text()) for line in block.splitlines()]
    assert all(HASH.fullmatch(line) for line in hashes)


@pytest.mark.parametrize("requirement", wanted(), ids=str)
def test_the_lock_is_within_the_ranges_of_pyproject(requirement: Requirement) -> None:
    version = locked().get(canonicalize_name(requirement.name))
    assert version is not None, f"requirements.lock lacks {requirement.name}: {REMEDY}"
    assert requirement.specifier.contains(version, prereleases=True), f"{requirement} is not {version}: {REMEDY}"


def test_the_lock_names_what_the_named_packages_need() -> None:
    lock, left, seen = locked(), wanted(), set[tuple[str, frozenset[str]]]()
    wrong = []
    while left:
        parent = left.pop()
        key = (canonicalize_name(parent.name), frozenset(parent.extras))
        if key in seen or key[0] not in lock:
            continue
        seen.add(key)
        try:
            installed = distribution(key[0])
        except PackageNotFoundError:
            continue
        if installed.version != lock[key[0]]:
            continue
        for needed in _needed(installed.requires or [], key[1]):
            left.append(needed)
            version = lock.get(canonicalize_name(needed.name))
            if version is None or not needed.specifier.contains(version, prereleases=True):
                wrong.append(f"{key[0]} needs {needed}, the lock has {version or 'none'}")
    assert not wrong, f"{wrong}: {REMEDY}"


def _needed(texts: list[str], extras: frozenset[str]) -> list[Requirement]:
    """Return the requirements among these that hold on this machine, with these extras."""
    found = [Requirement(text) for text in texts]
    return [
        one for one in found
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras))
    ]  # fmt: skip
