"""The work of a process that searches for bots: it answers questions one after the other, each within its time."""

import gc
import os
import pickle
import time
from collections import OrderedDict

from msgspec import Struct

from netcode.bots.card_values import CardValues
from netcode.bots.search import Question, Search, Verdict

NICE = 5
"""Added to the nice value that it inherits: searches yield to the host and to the bots that answer."""
KNOWN = 8
"""How many catalogs it keeps: those used last."""
_known: "OrderedDict[str, Search]" = OrderedDict()


class Done(Struct):
    """The verdict, None if it would have been late, or if the catalog is not known; seconds: how long it took."""

    verdict: Verdict | None = None
    seconds: float = 0.0
    known: bool = True


def begin() -> None:
    """Prepare this process for searches."""
    if hasattr(os, "nice"):
        os.nice(NICE)
    gc.disable()  # rollouts create no reference cycles


def think(by: float, table: str, question: Question, budget: int, catalog: bytes = b"") -> Done:
    """Answer a question, unless it is later than `by` (s of time.monotonic, which all processes share).

    table: names the catalog; catalog: that catalog, pickled by our own program, if it may be unknown."""
    if time.monotonic() >= by:
        return Done()
    if catalog:
        loaded = pickle.loads(catalog)
        _known[table] = Search(loaded, CardValues(loaded))
        if len(_known) > KNOWN:
            _known.popitem(last=False)
    if table not in _known:
        return Done(known=False)
    _known.move_to_end(table)
    began = time.perf_counter()
    verdict = _known[table].answer(question, budget)
    return Done(verdict, time.perf_counter() - began)
