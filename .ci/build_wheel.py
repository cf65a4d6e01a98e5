"""Build the wheel so that the same commit gives the same bytes on every machine.

    PYTHON .ci/build_wheel.py FOLDER                  build it from the tracked files into FOLDER, print its SHA-256
    PYTHON .ci/build_wheel.py FOLDER --source TREE    the same from an unpacked copy; wants SOURCE_DATE_EPOCH
    PYTHON .ci/build_wheel.py --check                 build it twice under different conditions, compare the bytes

PYTHON is that of an environment installed from requirements.lock, so that the build tool is the same too. The times in
the wheel are those of the commit, or SOURCE_DATE_EPOCH if that is set; permissions do not depend on the umask.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
UMASK = 0o022
CONDITIONS = (
    (0o077, 1_000_000_000, {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"}),
    (0o002, 1_700_000_000, {"TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"}),
)
"""What differs between the two builds of a check, besides the path: umask, times of the files (s), environment."""


class Trouble(Exception):
    """The wheel could not be built, or not twice alike; the message says why."""


def build(source: Path, names: list[str], epoch: str, out: Path) -> str:
    """Build the wheel of these files of a source tree into a folder; return its name and hash. Raises Trouble.

    epoch: the time of everything in the wheel, in seconds since 1970."""
    os.umask(UMASK)  # a wheel keeps the permissions of what is packed
    with tempfile.TemporaryDirectory() as work:
        tree, made = Path(work) / "kickdoor", Path(work) / "wheel"
        _copy(source, names, tree)
        options = ["--no-deps", "--no-build-isolation", "--no-cache-dir", "--no-index", "--quiet"]
        command = [sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", str(made), str(tree)]
        _run(command, {"SOURCE_DATE_EPOCH": epoch})
        (wheel,) = made.glob("*.whl")
        out.mkdir(parents=True, exist_ok=True)
        shutil.copy(wheel, out)
        return f"{wheel.name} sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def check() -> str:
    """Build twice, from two copies; return name and hash of the wheel. Raises Trouble if the two differ."""
    names, epoch, wheels = tracked(), commit_time(), list[Path]()
    with tempfile.TemporaryDirectory() as work:
        for umask, seconds, conditions in CONDITIONS:
            here = Path(work) / ("copy" * (len(wheels) + 1))
            os.umask(umask)
            _copy(ROOT, names, here / "tree")
            for name in names:
                os.utime(here / "tree" / name, (seconds, seconds))
            command = [sys.executable, __file__, str(here / "out"), "--source", str(here / "tree")]
            printed = _run(command, {**conditions, "SOURCE_DATE_EPOCH": epoch})
            wheels += (here / "out").glob("*.whl")
        one, other = wheels
        if one.read_bytes() != other.read_bytes():
            raise Trouble(f"two builds of one commit differ: {_differences(one, other)}")
        return f"built twice, the same bytes: {printed.strip()}"


def tracked() -> list[str]:
    """Return the names of the tracked files that exist. Raises Trouble outside a git checkout."""
    return [name for name in _git("ls-files", "-z").split("\0") if name and (ROOT / name).is_file()]


def commit_time() -> str:
    """Return the time that the wheel shall bear: that of the commit, in seconds since 1970."""
    return os.environ.get("SOURCE_DATE_EPOCH") or _git("log", "-1", "--format=%ct").strip()


def _git(*arguments: str) -> str:
    return _run(["git", "-c", "safe.directory=*", "-C", str(ROOT), *arguments], {})


def _run(command: list[str], conditions: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **conditions})
    if done.returncode:
        raise Trouble(f"{command[0]} failed: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def _copy(source: Path, names: list[str], target: Path) -> None:
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def _differences(one: Path, other: Path) -> str:
    """Say which files differ in content, time or permissions; the first of them by name."""
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
        entries = [
            {(info.filename, info.CRC, info.date_time, info.external_attr) for info in archive.infolist()}
            for archive in (first, second)
        ]
    names = sorted({name for name, *_ in entries[0] ^ entries[1]})
    return f"{len(names)} files, {', '.join(names[:5])}" if names else "the order or the packing of the files"


def main() -> int:
    """Build or check; return 0, or 1 after a sentence that says what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="where the wheel is put")
    parser.add_argument("--source", type=Path, metavar="TREE", help="an unpacked copy of the tracked files")
    parser.add_argument("--check", action="store_true", help="build twice and compare")
    wanted = parser.parse_args()
    if wanted.check == (wanted.folder is not None):
        parser.error("name a folder, or --check")
    try:
        if wanted.check:
            print(check())
        elif wanted.source is None:
            print(build(ROOT, tracked(), commit_time(), wanted.folder))
        elif epoch := os.environ.get("SOURCE_DATE_EPOCH"):
            names = [path.relative_to(wanted.source).as_posix() for path in wanted.source.rglob("*") if path.is_file()]
            print(build(wanted.source, names, epoch, wanted.folder))
        else:
            parser.error("--source wants SOURCE_DATE_EPOCH: the time of the commit, in seconds since 1970")
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
