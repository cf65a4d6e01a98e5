"""Check that the installed program has every module and data file of the source tree.

    PYTHON .ci/check_wheel.py TREE

PYTHON is that of the environment in which the program is installed. setuptools leaves out, without a message, what its
configuration does not name.
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
    } | {"kickdoor.py"}
    installed = {path.as_posix() for path in files("kickdoor") or ()}
    missing = sorted(wanted - installed)
    for name in missing:
        print(f"{name} is missing in the wheel: see [tool.setuptools] in pyproject.toml", file=sys.stderr)
    print(f"{len(wanted)} modules and data files of the tree, {len(wanted) - len(missing)} of them in the wheel")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
