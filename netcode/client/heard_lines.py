"""How often each line of bots was said, across games: the bots of this machine say first what was heard least."""

import logging
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from netcode.bots.lines import known_lines

LOG = logging.getLogger("kickdoor.heard_lines")
FILE = "heard-lines.json"
FILE_BYTES = 1 << 20
"""The largest file that is read."""
MOST = 1_000_000
"""The highest count that is accepted from the file."""
Counts = dict[str, int]


class HeardLines:
    """Counts lines of the files in a file of its own. folder: the data folder; None: remember nothing. A file that
    cannot be read counts as empty, and one that cannot be written is left: talk is not worth an error."""

    def __init__(self, folder: Path | None) -> None:
        self._path = folder / FILE if folder is not None else None
        self.counts: Counts = self._read()

    def count(self, forms: Iterable[str]) -> None:
        """Count the first of these that is a line of ours."""
        line = next((form for form in forms if form in known_lines()), None)
        if line is None:
            return
        self.counts[line] = min(MOST, self.counts.get(line, 0) + 1)
        self._write()

    def _read(self) -> Counts:
        if self._path is None:
            return {}
        try:
            if self._path.stat().st_size > FILE_BYTES:
                return {}
            found = msgspec.json.decode(self._path.read_bytes(), type=Counts)
        except FileNotFoundError:
            return {}
        except (OSError, msgspec.MsgspecError) as problem:
            LOG.info("the lines that were heard before are forgotten: %s", problem)
            return {}
        return {line: max(0, min(MOST, times)) for line, times in found.items() if line in known_lines()}

    def _write(self) -> None:
        if self._path is None:
            return
        beside = self._path.with_name(f"{FILE}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_bytes(msgspec.json.encode(self.counts))
            beside.replace(self._path)
        except OSError as problem:
            LOG.info("the lines that were heard cannot be noted: %s", problem)
