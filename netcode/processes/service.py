"""Runs a module of ours as a process that serves: `python -m netcode.processes.service MODULE ARGUMENT...`.

Loading modules takes most of the time until it serves, so garbage collection is off meanwhile.
"""

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from netcode.processes.streams import guard_streams


@contextmanager
def loading() -> Iterator[None]:
    """Load modules quickly: turn garbage collection off meanwhile, and exempt from it what was loaded."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def process_name(module: str) -> str:
    """Return the name of a process that runs a service of ours: the name of the service's folder."""
    return f"kickdoor {module.split('.')[1]}"


def run(module: str) -> int:
    """Load a module and run its `main`, which reads the other arguments of the program. Returns the exit code.

    The process gets a name, which `ps -o comm` and `top` show."""
    guard_streams()
    with suppress(OSError), open("/proc/self/comm", "w") as name:
        name.write(process_name(module))
    with loading():
        service = importlib.import_module(module)
    code: int = service.main()
    return code


def main() -> None:
    """Run the module that the first argument names."""
    sys.exit(run(sys.argv.pop(1)))


if __name__ == "__main__":
    main()
