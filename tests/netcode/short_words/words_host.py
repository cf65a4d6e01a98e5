"""A host whose short words are asked for."""

from netcode.client.client import Client
from netcode.client.short_words import NoWay, join_by_words
from netcode.protocol.credentials import parse_join
from tests.netcode.running_host import RunningHost


def address_of(host: RunningHost) -> tuple[str, int]:
    """Return where the front of this host listens."""
    return "127.0.0.1", parse_join(host.join).port


async def ask(host: RunningHost, words: str) -> str:
    """Return the join string to which these words lead, or why they do not."""
    while True:
        try:
            return str(await join_by_words([[address_of(host)]], words))
        except NoWay as problem:
            if "try again in a few seconds" not in str(problem):
                return str(problem)


async def own(host: RunningHost) -> Client:
    """Return a client that owns the table and has been told its words."""
    owner = host.client("Kim", join=host.owner)
    await owner.join()
    await owner.wait_for(lambda one: bool(one.words))
    return owner
