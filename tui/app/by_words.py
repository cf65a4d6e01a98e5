"""Short words in place of a join string: `HOST:PORT otter-lamp-42`, or the words alone on one network."""

import asyncio

from netcode.client.found_host import FoundHost
from netcode.client.short_words import Address, NoWay, join_by_words, read_address
from netcode.protocol.credentials import JoinError
from netcode.short_words.word_list import WordsError, looks_like_words, with_address
from tui.app.start_host import TableError, hosts_nearby, string_at


def string_of(text: str) -> str:
    """Return the join string to which this address and short words lead; without an address, at a host of the local
    network that has them. Raise TableError."""
    try:
        address, words = with_address(text) or ("", text)
        hosts = [[read_address(address)]] if address else hosts_nearby()
        return _exchanged(hosts, words)
    except (JoinError, WordsError) as problem:
        raise TableError(str(problem)) from None


def string_from(host: FoundHost, text: str) -> str:
    """Return the join string to which short words lead at a host that was found, or the given string with its address.
    Raise TableError."""
    return string_of(f"{host.place} {text.strip()}") if looks_like_words(text) else string_at(host, text)


def _exchanged(hosts: list[list[Address]], words: str) -> str:
    """Return the join string to which short words lead at one of these hosts. Raise TableError."""
    try:
        return str(asyncio.run(join_by_words(hosts, words)))
    except (NoWay, WordsError) as problem:
        raise TableError(str(problem)) from None
