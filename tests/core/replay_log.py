"""Replay a recorded game from standard input and print the digest of its state; run as a separate process."""

import sys

from msgspec import msgpack

from cards import pack_files
from core.language.catalog import load
from core.state.model import digest
from tests.core.random_table import Recording, replayed


def main() -> None:
    """Read a recording and print its digest."""
    game = msgpack.decode(sys.stdin.buffer.read(), type=Recording)
    catalog = load([pack_files("munchkins-and-mazes")])
    print(digest(replayed(catalog, game.seats, game.key, game.options, game.log)))


if __name__ == "__main__":
    main()
