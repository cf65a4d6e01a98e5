"""The child process that parses what strangers wrote: `python -m netcode.sandbox.child TASK`.

It reads its data from standard input, and writes one `Reply` to standard output. It names each file on standard error
before it reads it, so that its parent can name the file if a limit ends it.
"""

import os
import sys

import msgspec

from netcode.processes.streams import guard_streams

CPU_S = 20
"""Processor time of the child. The largest pack that is allowed takes about 4 s on a slow machine."""
MEMORY_BYTES = 512 * 1024 * 1024
"""Address space of the child. The largest pack that is allowed needs about a quarter of it."""
AT = "at "
"""Begins a line that names the file that is read next."""


class Reply(msgspec.Struct, omit_defaults=True):
    """The reply to a task: its result as msgpack, or one sentence that says why there is none."""

    result: bytes = b""
    refused: str = ""


def limit_process() -> None:
    """Limit the processor time and the memory of this process, and forbid it to write files, where the system can."""
    if os.name != "posix":
        return
    import resource  # POSIX only

    limits = ((resource.RLIMIT_CPU, CPU_S), (resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_FSIZE, 0))
    for what, limit in limits:
        hard = resource.getrlimit(what)[1]
        allowed = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        if what != resource.RLIMIT_AS or sys.platform != "darwin":  # macOS does not limit the address space
            resource.setrlimit(what, (allowed, allowed))


def say_where(name: str) -> None:
    """Tell the parent which file is read next."""
    print(f"{AT}{name!r}", file=sys.stderr, flush=True)


def main(task: str) -> None:
    """Do a task, and write the reply to it."""
    guard_streams()
    limit_process()
    from netcode.sandbox.tasks import Mistaken, run_task  # their imports count against the limits too

    data = sys.stdin.buffer.read()
    try:
        reply = Reply(result=run_task(task, data, say_where))
    except Mistaken as problem:
        reply = Reply(refused=str(problem))
    except MemoryError:
        reply = Reply(refused=f"reading it takes more than {MEMORY_BYTES // 1024 // 1024} MB of memory")
    sys.stdout.buffer.write(msgspec.msgpack.encode(reply))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
