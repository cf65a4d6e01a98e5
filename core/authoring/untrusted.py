"""Load packs of strangers: everything that the check reports is refused."""

from collections.abc import Callable

from core.authoring.lint import check_pack
from core.language.catalog import ParsedPack, parse_pack
from core.language.errors import PackError


def parse_untrusted_pack(files: dict[str, bytes], at: Callable[[str], object] = str) -> ParsedPack:
    """Return a pack as typed data. Raise PackError with the first mistake that `kickdoor cards check` would report.

    at: called with the name of each file before it is checked.
    """
    problems = check_pack(files, at)
    if problems:
        raise PackError(f"{problems[0]}; `kickdoor cards check` lists every mistake")
    return parse_pack(files)
