"""Runs a module of ours as a process that serves: `python -m netcode.sandbox.service MODULE ARGUMENT...`.

Most of the time until it serves goes into loading modules. Two things make that shorter by a fifth: no garbage is
looked for meanwhile, and asyncio is loaded without TLS, which no process of ours speaks.
"""

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load modules quickly. What is loaded is never looked at for garbage again."""
    gc.disable()
    had_tls = "ssl" in sys.modules
    if not had_tls:
        sys.modules["ssl"] = None  # type: ignore[assignment]  # importing it fails, and asyncio does without
    try:
        yield
    finally:
        if not had_tls:
            del sys.modules["ssl"]
        gc.freeze()
        gc.enable()


def main() -> None:
    """Load the module named first, and run its `main` with the other arguments."""
    module = sys.argv.pop(1)
    with loading():
        service = importlib.import_module(module)
    sys.exit(service.main())


if __name__ == "__main__":
    main()
