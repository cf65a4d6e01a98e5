"""A player in a process of their own, to be suspended: python -m tests.faults.idle_player NAME. The join string
comes on
standard input; each view is told as a line `rev`, and who was waited for is none of our business."""

import asyncio
import sys

from netcode.client.client import Client
from netcode.protocol import wire


async def main() -> None:
    """Sit down, be ready, look on."""
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
