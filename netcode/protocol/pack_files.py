"""Card packs as files: built-in packs, folders, the user's packs, and the bytes that a host sends of one."""

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path

import msgpack
from msgspec import Struct

import cards
from core.language.errors import PackError
from netcode.protocol import limits
from netcode.protocol.codec import clean
from netcode.protocol.credentials import data_folder
from netcode.sandbox.regular_files import FileRefused, read_file, toml_files


class PackFiles(Struct, frozen=True):
    """One pack: its files by name, and their hash."""

    set_id: str
    files: dict[str, bytes]
    hash: str
    built_in: bool

    def blob(self) -> bytes:
        """Return the pack as bytes for sending; open_blob reads them."""
        return bytes(msgpack.packb(self.files))


def load_packs(names: Sequence[str]) -> list[PackFiles]:
    """Return the packs of these names: built-in ids, ids in the user's packs folder, or folders. Raises PackError."""
    if not names:
        raise PackError("no card pack named: use --set, for example --set munchkins-and-mazes")
    if len(names) > limits.SETS:
        raise PackError(f"{len(names)} card packs are too many: at most {limits.SETS}")
    packs = [_load(name) for name in names]
    seen: set[str] = set()
    for pack in packs:
        if pack.set_id in seen:
            raise PackError(f"the card pack {pack.set_id} is named twice")
        seen.add(pack.set_id)
    return packs


def user_packs() -> Path:
    """Return the folder of the user's own packs, one folder for each pack."""
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
    return PackFiles(clean(folder.resolve().name, limits.SET_ID_CHARS) or "pack", files, pack_hash(files), False)


def _own_ids() -> list[str]:
    folder = user_packs()
    return [entry.name for entry in folder.iterdir() if (entry / "pack.toml").is_file()] if folder.is_dir() else []


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the TOML files directly inside a folder, by name. Raises PackError if they are not a pack, not regular
    files, too many or too big."""
    try:
        paths = toml_files(folder, limits.PACK_FILES)
        if folder / "pack.toml" not in paths:
            raise PackError(f"{folder} is not a card pack: it has no pack.toml")
        files = {path.name: read_file(path, limits.PACK_FILE_BYTES) for path in paths}
    except FileRefused as problem:
        raise PackError(str(problem)) from None
    except OSError as problem:
        raise PackError(f"{problem.filename or folder} cannot be read: {problem.strerror}") from None
    excess = _too_big(files)
    if excess:
        raise PackError(f"{folder}: {excess}")
    return files


def _too_big(files: dict[str, bytes]) -> str:
    if len(files) > limits.PACK_FILES:
        return f"more than {limits.PACK_FILES} files in a pack"
    if sum(map(len, files.values())) > limits.PACK_BYTES:
        return f"a pack has at most {limits.PACK_BYTES // 1024 // 1024} MB"
    return ""


def pack_hash(files: dict[str, bytes]) -> str:
    """Return the hash of these files: 32 hexadecimal digits of BLAKE2b."""
    digest = blake2b(digest_size=16)
    for name in sorted(files):
        for part in (name.encode(), files[name]):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def built_in_pack(set_id: str) -> dict[str, bytes]:
    """Return the files of a built-in pack. Raises KeyError."""
    return cards.pack_files(set_id)


@cache
def built_in_hash(set_id: str) -> str:
    """Return the hash of the built-in pack of this id, "" if there is none."""
    return pack_hash(cards.pack_files(set_id)) if set_id in cards.BUILT_IN else ""


def open_blob(blob: bytes, expected: str) -> dict[str, bytes]:
    """Return the files of a pack that was received. Raises ValueError if they exceed a limit or their hash is not the
    expected one."""
    if len(blob) > limits.PACKED_BYTES:
        raise ValueError("it is too big")
    try:
        files = msgpack.unpackb(
            blob, max_map_len=limits.PACK_FILES, max_str_len=128, max_bin_len=limits.PACK_FILE_BYTES,
            max_array_len=0, max_ext_len=0,
        )  # fmt: skip
    except (ValueError, msgpack.exceptions.UnpackException) as problem:
        raise ValueError(f"it cannot be unpacked ({problem})") from None
    if not isinstance(files, dict):
        raise ValueError("it does not hold files")
    if not all(isinstance(name, str) and isinstance(data, bytes) for name, data in files.items()):
        raise ValueError("it does not hold files")
    if _too_big(files) or pack_hash(files) != expected:
        raise ValueError(_too_big(files) or "its hash is not the announced one")
    return files
