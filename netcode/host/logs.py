"""The logs of hosts that outlive the program that started them, in the data folder."""

import os
from typing import IO

from netcode.protocol.credentials import data_folder

LOG_BYTES = 1 << 20
"""A log longer than this (bytes) is started afresh."""
SOLO_LOG = "solo-host.log"
"""The name of the log of all private hosts."""


def log_file(name: str) -> IO[bytes]:
    """Return a log in the data folder, open for appending and readable by its owner only. Raises OSError."""
    path = data_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
    if file.seek(0, os.SEEK_END) > LOG_BYTES:
        file.truncate(0)
        file.seek(0)
    return file
