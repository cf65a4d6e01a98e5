"""A guests' program in whose forker the first fork fails, as where there are too many processes."""

import errno
import os

from tests.netcode.door import scripted

run = scripted.run


def preload() -> None:
    """Make the next fork fail, and only that one."""
    real = os.fork

    def fail() -> int:
        os.fork = real
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    os.fork = fail
