"""The catalog of card packs: built-in packs come from the cache, all others are checked in a child process."""

from collections.abc import Sequence

from core.language.catalog import Catalog, ParsedPack, build
from core.language.errors import PackError
from netcode.protocol.pack_cache import known_pack
from netcode.protocol.pack_files import built_in_hash, pack_hash

Named = Sequence[tuple[str, dict[str, bytes]]]
"""Packs as files, each with the id that people know it by."""


def catalog_of(packs: Named) -> Catalog:
    """Return the catalog of these packs.

    Built-in packs are read at once. All others are checked and parsed in a child process with limits
    (netcode/sandbox), which takes some 200 ms. Raises PackError if a pack has a mistake that `kickdoor cards check`
    reports, or if they cannot be played together.
    """
    others = _from_others(packs)
    if not others:
        return _together(packs, [])
    from netcode.sandbox.process import SandboxError, run_limited  # it takes 40 ms to load

    try:
        return _together(packs, run_limited("packs", others, list[ParsedPack]))
    except SandboxError as problem:
        raise PackError(str(problem)) from None


async def catalog_beside(packs: Named) -> Catalog:
    """Do as `catalog_of` without blocking the loop. Raises PackError."""
    others = _from_others(packs)
    if not others:
        return _together(packs, [])
    from netcode.sandbox.process import SandboxError, run_limited_beside  # as above

    try:
        return _together(packs, await run_limited_beside("packs", others, list[ParsedPack]))
    except SandboxError as problem:
        raise PackError(str(problem)) from None


def _from_others(packs: Named) -> list[tuple[str, dict[str, bytes]]]:
    """Return the packs that differ from the built-in ones of their ids by any byte."""
    return [(name, files) for name, files in packs if pack_hash(files) != built_in_hash(name)]


def _together(packs: Named, parsed: list[ParsedPack]) -> Catalog:
    """Return the catalog of these packs. parsed: the ones that are not built in."""
    others, left = [files for _, files in _from_others(packs)], iter(parsed)
    return build([next(left) if files in others else known_pack(files, built_in_hash(name)) for name, files in packs])
