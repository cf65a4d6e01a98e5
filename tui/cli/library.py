"""Read the files that `kickdoor cards uses` searches: scenarios of packs, and tests where there is a source tree."""

from pathlib import Path

import click

import cards
from core.authoring.uses import Library
from core.language.catalog import PackError, read_head
from netcode.protocol.pack_files import user_packs


def library_of(packs: tuple[str, ...]) -> Library:
    """Return the files to search for cards of these packs (ids or folders). Raises click.UsageError."""
    scenarios: dict[str, tuple[str, bytes]] = {}
    for pack in packs:
        if pack in cards.BUILT_IN:
            for name, data in cards.scenario_files(pack).items():
                scenarios[f"cards/{pack}/scenarios/{name}"] = (pack, data)
            continue
        folder = _folder(pack)
        try:
            ident = read_head({"pack.toml": (folder / "pack.toml").read_bytes()}).id
            for path in sorted((folder / "scenarios").glob("*.toml")):
                scenarios[str(path)] = (ident, path.read_bytes())
        except (OSError, PackError) as problem:
            raise click.UsageError(f"{folder}: {problem}") from None
    root = source_tree()
    if root is None:
        return Library(scenarios)
    return Library(scenarios, _files(root, "tests", "*.py"), _files(root, "tests/tui/goldens", "*.txt"))


def source_tree() -> Path | None:
    """Return the source tree from which the program runs, None if it is installed without one."""
    root = Path(cards.__file__).resolve().parents[1]
    return root if (root / "pyproject.toml").is_file() and (root / "tests").is_dir() else None


def _folder(pack: str) -> Path:
    folder = Path(pack).expanduser()
    return folder if folder.is_dir() or len(Path(pack).parts) > 1 else user_packs() / pack


def _files(root: Path, folder: str, pattern: str) -> dict[str, bytes]:
    found = sorted((root / folder).rglob(pattern))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}
