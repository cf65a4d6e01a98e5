"""Parsed packs are kept in a private folder, and a pack is parsed again unless its file is exactly the kept one."""

import os
from pathlib import Path

import pytest

from core.language.catalog import parse_pack
from netcode.protocol import pack_cache
from netcode.protocol.credentials import data_folder, keeping_in
from netcode.protocol.pack_catalog import catalog_of
from netcode.protocol.pack_files import built_in_hash, built_in_pack

SET = "munchkins-and-mazes"
FILES, HASH = built_in_pack(SET), built_in_hash(SET)
FRESH = parse_pack(FILES)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a cache that has the pack."""
    monkeypatch.setenv("KICKDOOR_CACHE", str(tmp_path / "cache"))
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    return tmp_path / "cache"


@pytest.fixture
def parsings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often a pack is parsed."""
    counted: list[int] = []

    def parse(files: dict[str, bytes]) -> object:
        counted.append(1)
        return parse_pack(files)

    monkeypatch.setattr(pack_cache, "parse_pack", parse)
    return counted


def the_file(folder: Path) -> Path:
    (found,) = folder.iterdir()
    return found


def test_a_pack_is_parsed_once(folder: Path, parsings: list[int]) -> None:
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert catalog_of([(SET, FILES)]).cards[0].card == FRESH.cards[0]
    assert not parsings


def test_its_file_and_folder_are_private(folder: Path) -> None:
    if os.name == "posix":
        assert (folder.stat().st_mode & 0o777, the_file(folder).stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.parametrize("at", [0, 40, -1])
def test_a_damaged_file_is_written_anew(folder: Path, parsings: list[int], at: int) -> None:
    data = bytearray(the_file(folder).read_bytes())
    whole = bytes(data)
    data[at] ^= 1
    the_file(folder).write_bytes(data)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]
    assert the_file(folder).read_bytes() == whole


@pytest.mark.parametrize("data", [b"", b"\0" * 32, b"x" * (pack_cache.FILE_LIMIT + 1)])
def test_a_file_of_another_kind_is_ignored(folder: Path, parsings: list[int], data: bytes) -> None:
    the_file(folder).write_bytes(data)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]


def test_a_file_of_another_pack_is_ignored(folder: Path, parsings: list[int]) -> None:
    other = "axe-cop"
    the_file(folder).rename(folder / f"{built_in_hash(other)}.pack")
    assert pack_cache.known_pack(built_in_pack(other), built_in_hash(other)).head.id == other
    assert parsings == [1]


def test_a_file_of_another_version_is_ignored(
    folder: Path, parsings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack_cache, "_language", lambda: b"another")
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
@pytest.mark.parametrize("loose", ["file", "folder"])
def test_what_others_can_write_is_ignored(folder: Path, parsings: list[int], loose: str) -> None:
    (the_file(folder) if loose == "file" else folder).chmod(0o777)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]


@pytest.mark.skipif(os.name != "posix", reason="owners of files")
def test_what_belongs_to_another_user_is_ignored(
    folder: Path, parsings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: os.stat(folder).st_uid + 1)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]


@pytest.mark.skipif(os.name != "posix", reason="links and pipes")
@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_links_and_pipes_are_not_followed(folder: Path, parsings: list[int], tmp_path: Path, kind: str) -> None:
    path = the_file(folder)
    if kind == "link":
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
    else:
        path.unlink()
        os.mkfifo(path)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert parsings == [1]


def test_nothing_is_kept_where_it_is_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    monkeypatch.setenv("KICKDOOR_CACHE", pack_cache.OFF)
    assert pack_cache.known_pack(FILES, HASH) == FRESH
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_made_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("KICKDOOR_CACHE", str(tmp_path / "file" / "cache"))
    assert pack_cache.known_pack(FILES, HASH) == FRESH


def test_the_oldest_makes_room(folder: Path) -> None:
    for number in range(pack_cache.FILES_KEPT):
        (folder / f"{number:032}.pack").write_bytes(b"")
        os.utime(folder / f"{number:032}.pack", (number, number))
    the = folder / f"{HASH}.pack"
    the.unlink()
    pack_cache.known_pack(FILES, HASH)
    assert len(list(folder.iterdir())) == pack_cache.FILES_KEPT
    assert the.exists() and not (folder / f"{0:032}.pack").exists()


def test_a_pack_at_hand_is_neither_read_nor_parsed(
    tmp_path: Path, parsings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_CACHE", "off")
    monkeypatch.setattr(pack_cache, "_at_hand", {})
    pack_cache.keep_at_hand(FILES, HASH)
    assert parsings == [1]
    assert pack_cache.known_pack(FILES, HASH) == FRESH and parsings == [1]


def test_a_process_that_keeps_all_in_one_folder_has_its_cache_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_CACHE", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path / "elsewhere"))
    with keeping_in(tmp_path / "own"):
        assert data_folder() == tmp_path / "own"
        pack_cache.known_pack(FILES, HASH)
    assert [path.name for path in (tmp_path / "own" / "cache").iterdir()] == [f"{HASH}.pack"]
    assert not (tmp_path / "elsewhere").exists() and data_folder() == tmp_path / "elsewhere"
