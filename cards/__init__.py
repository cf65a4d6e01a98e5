"""The card packs: data only. This module hands out their bytes and nothing else."""

from pathlib import Path

BUILT_IN = ("munchkins-and-mazes", "axe-cop", "apocalypse", "warhammer-40k")


def pack_files(set_id: str) -> dict[str, bytes]:
    """Every TOML file of a built-in pack, by file name: pack.toml and one for each kind of card.

    Raises KeyError if no built-in pack has this id.
    """
    return _toml_files(_folder(set_id))


def scenario_files(set_id: str, folder: str = "scenarios") -> dict[str, bytes]:
    """Every scenario file in a folder of a built-in pack, by file name; none if it has no such folder.

    folder: scenarios, lessons or puzzles. Raises KeyError for an unknown pack.
    """
    inside = _folder(set_id) / folder
    return _toml_files(inside) if inside.is_dir() else {}


def _folder(set_id: str) -> Path:
    if set_id not in BUILT_IN:
        raise KeyError(set_id)
    return Path(__file__).with_name(set_id)


def _toml_files(folder: Path) -> dict[str, bytes]:
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".toml")]
    return {entry.name: entry.read_bytes() for entry in sorted(found, key=lambda entry: entry.name)}
