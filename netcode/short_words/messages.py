"""What the host and its process for short words tell each other. Their texts are short: see word_list.LONGEST."""

from msgspec import Struct

Address = tuple[str, int]
"""A name or an IP address, and a port."""


class Way(Struct, frozen=True):
    """What words lead to. table: its id; key: the host's public CURVE key; token: of the join string."""

    table: str
    key: bytes
    token: bytes

    def __repr__(self) -> str:
        return f"Way(table={self.table!r})"  # no token


class Caller(Struct):
    """A client that shows words. call: its first bytes; words: those of that number, "" if the host has none; way:
    where they lead; wrong: tries with these words that the host knows to have been wrong. elsewhere: addresses of the
    host of the club that has words of that number, if it is another one."""

    call: bytes
    words: str = ""
    way: Way | None = None
    wrong: int = 0
    elsewhere: list[Address] | None = None

    def __repr__(self) -> str:
        return f"Caller(way={self.way!r})"  # no words


class Tried(Struct):
    """A try that is over. table: where the words lead."""

    table: str
    words: str
    right: bool

    def __repr__(self) -> str:
        return f"Tried(table={self.table!r}, right={self.right})"  # no words
