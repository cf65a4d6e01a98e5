"""The locks name every package that is needed, within pyproject's ranges: requirements.lock for the program, its tests
and its releases, requirements-extras.lock for the program with its extras and its tests.

The requirements of a package are read from the packages that are installed here: from all of them in an environment
made from the lock, as `.ci/run` makes one, and elsewhere from those that have the version of the lock.
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
PROGRAM, EXTRAS = "requirements.lock", "requirements-extras.lock"
REMEDY = "run .ci/lock and commit the locks"
both = pytest.mark.parametrize("lock", (PROGRAM, EXTRAS))


def lock_text(lock: str) -> str:
    """Return a lock."""
    return (ROOT / lock).read_text("ascii")


def locked(lock: str) -> dict[str, str]:
    """Return the version of each package in a lock, by its canonical name."""
    return {canonicalize_name(name): version for name, version, *_ in ENTRY.findall(lock_text(lock))}


def wanted(lock: str) -> list[Requirement]:
    """Return the requirements of pyproject.toml: program, tests, and either build and releases, or all extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = dict(project["project"]["optional-dependencies"])
    lists = [project["project"]["dependencies"], extras.pop("test")]
    if lock == PROGRAM:
        lists += [project["build-system"]["requires"], *project["dependency-groups"].values()]
    else:
        lists += extras.values()
    return [Requirement(text) for texts in lists for text in texts]


@both
def test_each_line_of_the_lock_is_a_version_with_hashes_or_a_comment(lock: str) -> None:
    """No name of an index, no path, no option: pip takes the files from the index that it is configured for."""
    left = ENTRY.sub("", lock_text(lock))
    assert all(line.strip().startswith("#") for line in left.splitlines()), left
    assert "://" not in lock_text(lock)
    hashes = [line.strip() for *_, block in ENTRY.findall(lock_text(lock)) for line in block.splitlines()]
    assert all(HASH.fullmatch(line) for line in hashes)


@pytest.mark.parametrize(("lock", "requirement"), [(lock, one) for lock in (PROGRAM, EXTRAS) for one in wanted(lock)],
                         ids=str)  # fmt: skip
def test_the_lock_is_within_the_ranges_of_pyproject(lock: str, requirement: Requirement) -> None:
    version = locked(lock).get(canonicalize_name(requirement.name))
    assert version is not None, f"{lock} lacks {requirement.name}: {REMEDY}"
    assert requirement.specifier.contains(version, prereleases=True), f"{requirement} is not {version}: {REMEDY}"


def test_both_locks_have_the_same_versions() -> None:
    program, extras = locked(PROGRAM), locked(EXTRAS)
    assert {name: program[name] for name in program.keys() & extras} == {
        name: extras[name] for name in program.keys() & extras
    }  # fmt: skip


@both
def test_the_lock_names_what_the_named_packages_need(lock: str) -> None:
    versions, left, seen = locked(lock), wanted(lock), set[tuple[str, frozenset[str]]]()
    wrong = []
    while left:
        parent = left.pop()
        key = (canonicalize_name(parent.name), frozenset(parent.extras))
        if key in seen or key[0] not in versions:
            continue
        seen.add(key)
        try:
            installed = distribution(key[0])
        except PackageNotFoundError:
            continue
        if installed.version != versions[key[0]]:
            continue
        for needed in _needed(installed.requires or [], key[1]):
            left.append(needed)
            version = versions.get(canonicalize_name(needed.name))
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
