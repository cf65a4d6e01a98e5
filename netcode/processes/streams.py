"""Opens and guards the standard streams: everything a process of ours writes to a terminal or a log through them is
made harmless.

Code that prints or logs what strangers wrote cleans it first (netcode/protocol/printing.py, netcode/reporting.py). What
gets past that (from a library, a warning or a traceback) is cleaned here. Every process guards its streams at its
start. That includes the front, which imports none of our other packages: service.py does it.
"""

import io
import os
import sys
from typing import TextIO

_DANGEROUS = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Control, format (bidirectional and zero-width), surrogate, private and unassigned characters, line separators."""


def dangerous(char: str) -> bool:
    """Return whether this character controls a terminal, hides, or reorders others. A line end does not."""
    from unicodedata import category  # most texts need no look

    return char != "\n" and category(char) in _DANGEROUS


def dangers(text: str) -> list[str]:
    """Return the dangerous characters of this text, each once."""
    return [char for char in set(text) if dangerous(char)]


def harmless(text: str) -> str:
    """Return this text with U+FFFD for every dangerous character."""
    return text if text.isprintable() else text.translate({ord(char): "\ufffd" for char in dangers(text)})


class Guarded(io.TextIOWrapper):
    """A standard stream that lets only harmless text through. unguarded: the stream below."""

    def __init__(self, stream: io.TextIOWrapper) -> None:
        errors = "replace" if stream.errors == "strict" else stream.errors
        super().__init__(
            stream.buffer, encoding=stream.encoding, errors=errors, line_buffering=stream.line_buffering,
            write_through=stream.write_through,
        )  # fmt: skip
        self.unguarded = stream

    def write(self, text: str) -> int:
        """Write this text, harmless. Return its length."""
        return super().write(harmless(text))


def open_standard_streams() -> None:
    """Open closed descriptors among 0, 1 and 2, so that no socket or journal gets one of them and is written to by
    mistake. Call this before anything is opened."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free descriptor, which is this one


def guard_streams() -> None:
    """Guard standard output and error, unless they are guarded already or are not Python's own streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if type(stream) is io.TextIOWrapper:
            stream.flush()
            setattr(sys, name, Guarded(stream))


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream below a guarded one, for coloured drawings that contain nothing strangers wrote."""
    return stream.unguarded if isinstance(stream, Guarded) else stream
