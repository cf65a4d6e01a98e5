"""Card packs as bytes: built-in ones, folders, what a user keeps, and the form in which a host hands them to a
client."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import msgpack  # type: ignore[import-untyped]

import cards
from netcode.protocol.credentials import data_folder

FILE_LIMIT = 512 * 1024
FILES_LIMIT = 24
PACK_LIMIT = 2 * 1024 * 1024
SETS_LIMIT = 8


class PackError(ValueError):
    """A pack that cannot be used; the text is one line that says which and why."""


@dataclass(frozen=True)
class PackFiles:
    """One pack: its files by name, and a hash that tells it from every other."""

    set_id: str
    files: dict[str, bytes]
    hash: str
    built_in: bool

    def blob(self) -> bytes:
        """The form in which it travels: see open_blob."""
        return bytes(msgpack.packb(self.files))


def load_packs(names: Sequence[str]) -> list[PackFiles]:
    """The packs of these names: built-in ids, ids in the user's packs folder, or folders. Raises PackError."""
    if not names:
        raise PackError("no card pack named: use --set, for example --set munchkins-and-mazes")
    if len(names) > SETS_LIMIT:
        raise PackError(f"{len(names)} card packs are too many: at most {SETS_LIMIT}")
    packs = [_load(name) for name in names]
    seen: set[str] = set()
    for pack in packs:
        if pack.set_id in seen:
            raise PackError(f"the card pack {pack.set_id} is named twice")
        seen.add(pack.set_id)
    return packs


def user_packs() -> Path:
    """The folder in which a user keeps packs of their own, one folder for each."""
    return data_folder() / "packs"


def _load(name: str) -> PackFiles:
    if name in cards.BUILT_IN:
        files = built_in_pack(name)
        return PackFiles(name, files, pack_hash(files), True)
    folder = Path(name).expanduser()
    own = user_packs() / name
    if not folder.is_dir() and len(Path(name).parts) == 1 and own.is_dir():
        folder = own
    if not folder.is_dir():
        known = ", ".join((*cards.BUILT_IN, *sorted(_own_ids())))
        raise PackError(f"no card pack {name!r}: name one of {known}, or a folder with a pack.toml")
    files = read_folder(folder)
    return PackFiles(folder.resolve().name[:48], files, pack_hash(files), False)


def _own_ids() -> list[str]:
    folder = user_packs()
    return [entry.name for entry in folder.iterdir() if (entry / "pack.toml").is_file()] if folder.is_dir() else []


def read_folder(folder: Path) -> dict[str, bytes]:
    """The TOML files right inside a folder, by name. Raises PackError if they are none, too many or too big."""
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".toml" and path.is_file())
        if folder / "pack.toml" not in paths:
            raise PackError(f"{folder} is no card pack: it has no pack.toml")
        big = next((path for path in paths if path.stat().st_size > FILE_LIMIT), None)
        if big is not None:
            raise PackError(f"{big} is too big: a file of a pack has at most {FILE_LIMIT // 1024} KB")
        files = {path.name: path.read_bytes() for path in paths[: FILES_LIMIT + 1]}
    except OSError as problem:
        raise PackError(f"{folder} cannot be read: {problem.strerror}") from None
    fault = _fault(files)
    if fault:
        raise PackError(f"{folder}: {fault}")
    return files


def _fault(files: dict[str, bytes]) -> str:
    if len(files) > FILES_LIMIT:
        return f"more than {FILES_LIMIT} files in a pack"
    if sum(map(len, files.values())) > PACK_LIMIT:
        return f"a pack has at most {PACK_LIMIT // 1024 // 1024} MB"
    return ""


def pack_hash(files: dict[str, bytes]) -> str:
    """Thirty-two hexadecimal figures that name these files."""
    digest = blake2b(digest_size=16)
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def built_in_pack(set_id: str) -> dict[str, bytes]:
    """The files of a built-in pack. Raises KeyError."""
    return cards.pack_files(set_id)


def built_in_hash(set_id: str) -> str:
    """The hash of our own pack of this id, "" if we have none."""
    return pack_hash(cards.pack_files(set_id)) if set_id in cards.BUILT_IN else ""


def open_blob(blob: bytes, expected: str) -> dict[str, bytes]:
    """The files in a pack that came over the wire. Raises ValueError unless they are within bounds and hash as
    expected."""
    if len(blob) > PACK_LIMIT + 4096:
        raise ValueError("it is too big")
    try:
        files = msgpack.unpackb(
            blob, max_map_len=FILES_LIMIT, max_str_len=128, max_bin_len=FILE_LIMIT, max_array_len=0, max_ext_len=0
        )
    except (ValueError, msgpack.exceptions.UnpackException) as problem:
        raise ValueError(f"it cannot be unpacked ({problem})") from None
    if not isinstance(files, dict) or not all(isinstance(data, bytes) for data in files.values()):
        raise ValueError("it holds something else than files")
    if _fault(files) or pack_hash(files) != expected:
        raise ValueError(_fault(files) or "its hash is not the announced one")
    return files
