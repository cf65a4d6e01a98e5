"""A bar with the time left, for commands that take long: on standard error, and only in a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from netcode.processes.streams import unguarded

SPEED_S = 600.0
"""The time left is estimated from this many seconds before now: some games take longer than a minute."""


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar and yield the function that moves it, which takes two numbers: done, and in all."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console  # only commands with a bar need it
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left:"),
        TimeRemainingColumn(),
    )  # fmt: skip
    console = Console(file=unguarded(sys.stderr))  # its colours and moves are its own
    with Progress(
        *columns, console=console, transient=True, refresh_per_second=2, speed_estimate_period=SPEED_S
    ) as bar:  # fmt: skip
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
