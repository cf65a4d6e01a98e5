"""Check that the installed program has every module and data file of the tree: check_wheel.py TREE, run by its python.

setuptools leaves out, without a word, what its configuration does not name: this says so.
"""

import sys
from importlib.metadata import files
from pathlib import Path

PACKAGES = ("core", "cards", "netcode", "tui")


def main() -> int:
    """Return 0 if nothing is missing, 1 if something is."""
    tree = Path(sys.argv[1])
    wanted = {
        path.relative_to(tree).as_posix()
        for package in PACKAGES
        for path in (tree / package).rglob("*")
        if path.is_file() and path.suffix in (".py", ".toml", ".tcss")
    }
    there = {path.as_posix() for path in files("kickdoor") or ()}
    missing = sorted(wanted - there)
    for name in missing:
        print(f"{name} is in the tree and not in the wheel: see [tool.setuptools] in pyproject.toml", file=sys.stderr)
    print(f"{len(wanted)} modules and data files of the tree, {len(wanted) - len(missing)} of them in the wheel")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
