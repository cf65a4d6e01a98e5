"""Hosts that end with the SSH connection that started them, and the people who were at their tables then."""

import os
import signal
from contextlib import suppress
from pathlib import Path

PEOPLE = "people"
"""The file in a host's folder that says, by its time, when the host ended while people were at its tables."""


def note_people(folder: Path) -> None:
    """Note that the host ends now while people are at its tables."""
    with suppress(OSError):  # they find their table again if a game is in progress
        (folder / PEOPLE).touch(mode=0o600)


def people_left_at(folder: Path) -> float:
    """Return when the host of this folder ended while people were at its tables (s since 1970); 0: it did not."""
    try:
        return (folder / PEOPLE).stat().st_mtime
    except OSError:
        return 0.0


def forget_people(folder: Path) -> None:
    """Forget them: a host serves the tables of this folder again."""
    with suppress(OSError):
        (folder / PEOPLE).unlink(missing_ok=True)


def ssh_warning() -> list[str]:
    """Return lines for whoever starts a host over SSH that will end with the connection; none if it outlives it."""
    if not _ends_with_ssh():
        return []
    return [
        "",
        "This host ends when your SSH connection does. To keep it running, start it in tmux:",
        "  tmux new kickdoor host ...",
        "or as a service of yours:",
        "  systemd-run --user -p Restart=always kickdoor host --no-restart --data DIR ...",
    ]


def _ends_with_ssh() -> bool:
    """Whether this process belongs to an SSH session, and neither a terminal multiplexer, nor a service manager, nor
    nohup keeps it alive beyond that."""
    over_ssh = "SSH_CONNECTION" in os.environ or "SSH_TTY" in os.environ
    kept = any(name in os.environ for name in ("TMUX", "STY", "ZELLIJ", "INVOCATION_ID"))
    ignored = hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    return over_ssh and not kept and not ignored
