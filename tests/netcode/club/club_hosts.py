"""Real hosts of one club."""

import shutil
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from netcode.client.client import Client
from netcode.protocol.credentials import parse_join
from tests.netcode.running_host import RunningHost, running_host
from tests.patience import PATIENCE_S


@asynccontextmanager
async def hosts(
    club: str, folder: Path, *names: str, every: Mapping[str, Any] | None = None, **more: Any
) -> AsyncIterator[list[RunningHost]]:
    """Run these hosts of a club, and yield when they know each other. every: configuration of all; more: configuration
    of the first one only."""
    async with AsyncExitStack() as stack:
        found: list[RunningHost] = []
        for name in names:
            (folder / name).mkdir()
            (folder / name / "club.name").write_text(name)
            if found:
                shutil.copy(folder / names[0] / "server.key", folder / name)
            own_config = {"club": club, "data": str(folder / name), "pace": "relaxed"}
            config = {**own_config, **(every or {}), **({} if found else more)}
            found.append(await stack.enter_async_context(running_host(**config)))
        for host in found:
            await told_of(host, len(names))
        yield found


async def told_of(host: RunningHost, places: int) -> None:
    """Wait until a host tells its people of this many hosts."""
    while True:
        client = Client(host.watch, "Vic", role="watch", keep=False)
        await client.join(PATIENCE_S)
        found = len(client.target.places)
        await client.close()
        if found == places:
            return


def port(host: RunningHost) -> int:
    return parse_join(host.join).port
