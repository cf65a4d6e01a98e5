"""The strings of a running host, in a file of its folder: `kickdoor strings` prints them in another terminal."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from pathlib import Path

from netcode.host.host_folders import folder_at, hosts_folder
from netcode.protocol.credentials import lock_folder, write_private
from netcode.protocol.string_files import STRINGS

LOG = logging.getLogger("kickdoor.host")
CHECK_S = 1.0
"""How often a host looks whether the table's owner has made new strings."""


class StringsFile:
    """Keeps the file of a host up to date until `close`."""

    def __init__(self, folder: Path, strings: Callable[[], str]) -> None:
        """strings: what the host prints, with the strings as they are now."""
        self._path, self._strings = folder / STRINGS, strings
        self._written = ""
        self._tell: Callable[[], None] = lambda: None
        self._timer: asyncio.TimerHandle | None = None
        self._look()

    def follow(self, strings: Callable[[], str], known: str, say: Callable[[str], None]) -> None:
        """From now on, say these strings whenever they have changed. known: what was said last."""

        def tell() -> None:
            nonlocal known
            if (text := strings()) != known:
                known = text
                say(text)

        self._tell = tell

    def _look(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(CHECK_S, self._look)
        self._tell()
        text = self._strings()
        if text == self._written:
            return
        self._written = text
        try:
            write_private(self._path, f"{text}\n")
        except OSError as problem:
            LOG.warning("%s cannot be written: %s", self._path, problem.strerror)

    def close(self) -> None:
        """Remove the file: the host has ended."""
        if self._timer is not None:
            self._timer.cancel()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)


def running_hosts(port: int | None = None, folder: Path | None = None) -> list[str]:
    """Return what each running host of this user printed, the one that began last first. port: only the host at this
    port. folder: only the host with its journal there. Hosts without a journal have no file."""
    if folder is not None:
        folders = [folder]
    elif port is not None:
        folders = [folder_at(port)]
    else:
        folders = [path.parent for path in hosts_folder().glob(f"*/{STRINGS}")]
    found: list[tuple[float, str]] = []
    for one in folders:
        path = one / STRINGS
        try:
            if path.is_file() and _is_running(one):
                found.append((path.stat().st_mtime, path.read_text(encoding="utf-8").strip()))
        except OSError as problem:
            LOG.debug("%s: %s", path, problem)
    return [text for _, text in sorted(found, reverse=True)]


def _is_running(folder: Path) -> bool:
    """Whether a host uses this folder: a file may be left of one that was killed."""
    lock = lock_folder(folder)
    if lock is None:
        return True
    lock.close()
    return False
