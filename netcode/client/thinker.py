"""A process that searches for bots: `python -m netcode.client.thinker`. It reads questions from standard input, one
after the other, and writes verdicts to standard output; it ends with its standard input.

netcode/client/thinkers.py starts it. Both write a message as its length (4 bytes) and msgpack.
"""

import gc
import os
import pickle
import sys
import time
from collections import OrderedDict
from typing import BinaryIO

import msgspec
from msgspec import Struct

from netcode.bots.card_values import CardValues
from netcode.bots.search import Question, Search, Verdict
from netcode.processes.streams import guard_streams

NICE = 5
"""Added to the nice value that it inherits: searches yield to the host and to the bots that answer."""
KNOWN = 8
"""Catalogs that it keeps, the last used ones."""


class Task(Struct):
    """A question. table: names its catalog; catalog: that catalog, pickled by our own program, if it may be unknown."""

    table: str
    question: Question
    budget: int
    catalog: bytes = b""


class Done(Struct):
    """The verdict, None if the catalog is not known; seconds: how long it took."""

    verdict: Verdict | None
    seconds: float


def read(stream: BinaryIO) -> bytes:
    """Return the next message, empty at the end."""
    head = stream.read(4)
    return stream.read(int.from_bytes(head, "big")) if len(head) == 4 else b""


def framed(message: Struct) -> bytes:
    """Return a message with its length."""
    data = msgspec.msgpack.encode(message)
    return len(data).to_bytes(4, "big") + data


def main() -> None:
    """Answer questions until there are no more."""
    guard_streams()
    if hasattr(os, "nice"):
        os.nice(NICE)
    gc.disable()  # rollouts create no reference cycles
    source, sink, decoder = sys.stdin.buffer, sys.stdout.buffer, msgspec.msgpack.Decoder(Task)
    known: OrderedDict[str, Search] = OrderedDict()
    while data := read(source):
        sink.write(framed(_answer(decoder.decode(data), known)))
        sink.flush()


def _answer(task: Task, known: OrderedDict[str, Search]) -> Done:
    if task.catalog:
        catalog = pickle.loads(task.catalog)
        known[task.table] = Search(catalog, CardValues(catalog))
        if len(known) > KNOWN:
            known.popitem(last=False)
    if task.table not in known:
        return Done(None, 0.0)
    known.move_to_end(task.table)
    began = time.perf_counter()
    verdict = known[task.table].answer(task.question, task.budget)
    return Done(verdict, time.perf_counter() - began)


if __name__ == "__main__":
    main()
