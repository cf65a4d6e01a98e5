"""Runs a module of ours as a process that serves: `python -m netcode.processes.service MODULE ARGUMENT...`.

Most of the time until it serves goes into loading modules. Two things make that shorter by a fifth: no garbage is
looked for meanwhile, and asyncio is loaded without TLS, which no process of ours speaks.
"""

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from netcode.processes.streams import guard_streams


@contextmanager
def loading() -> Iterator[None]:
    """Load modules quickly. What is loaded is never looked at for garbage again."""
    gc.disable()
    try:
        with without_tls():
            yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def without_tls() -> Iterator[None]:
    """Load asyncio without TLS: importing that fails meanwhile, and asyncio does without."""
    had_tls = "ssl" in sys.modules
    if not had_tls:
        sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if not had_tls:
            del sys.modules["ssl"]


def process_name(module: str) -> str:
    """Return the name of a process that runs a service of ours: that of the folder whose service it is."""
    return f"kickdoor {module.split('.')[1]}"


def run(module: str) -> int:
    """Load a module, and run its `main`, to which the other arguments of the program belong. Returns the exit code.

    The process gets a name, which `ps -o comm` and `top` show: a copy of another process has its command line."""
    guard_streams()
    with suppress(OSError), open("/proc/self/comm", "w") as name:
        name.write(process_name(module))
    with loading():
        service = importlib.import_module(module)
    code: int = service.main()
    return code


def main() -> None:
    """Run the module named first."""
    sys.exit(run(sys.argv.pop(1)))


if __name__ == "__main__":
    main()
