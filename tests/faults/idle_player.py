"""A player in its own process, to be suspended: python -m tests.faults.idle_player NAME.

It reads the join string from standard input and prints the `rev` of each view as a line.
"""

import asyncio
import sys

from netcode.client.client import Client
from netcode.protocol import wire


async def main() -> None:
    """Sit down, be ready, and do nothing."""
    client = Client(sys.stdin.readline().strip(), sys.argv[1], keep=False)

    def heard(message: object) -> None:
        if isinstance(message, wire.Update) and message.view is not None:
            print(message.view.rev, flush=True)

    client.subscribe(heard)
    await client.join()
    client.set(ready=True)
    await client.wait_closed()


if __name__ == "__main__":
    asyncio.run(main())
