"""Filling the sets that a legal row leaves open."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from core.moves.legal import fill
from core.state.actions import Action, Legal, Pick, Sell


def filled(row: Legal, chosen: Sequence[int]) -> Action:
    """The row's action with its open field set to these."""
    return cast(Action, fill(row, tuple(chosen)))  # a legal row never holds an action of the host


def required(row: Legal) -> tuple[int, ...]:
    """What every filling must contain: the Item that counts double in a sale."""
    return (row.action.doubled,) if isinstance(row.action, Sell) and row.action.doubled else ()


def cheapest(cards: Iterable[int], price: Callable[[int], float]) -> list[int]:
    """These, the least wanted first."""
    return sorted(cards, key=lambda card: (price(card), card))


def at_random(row: Legal, rng: random.Random) -> Action:
    """The row with its set, if it has one, filled at random within its limits."""
    pick = row.pick
    if pick is None:
        return row.action
    must = required(row)
    if pick.sum_at_least or must:
        order = rng.sample(range(len(pick.among)), len(pick.among))
        return filled(row, _reaching(pick, must, order))
    count = rng.randint(pick.lo, max(pick.lo, min(pick.hi, len(pick.among))))
    return filled(row, rng.sample(pick.among, count))


def _reaching(pick: Pick, must: tuple[int, ...], order: Sequence[int]) -> list[int]:
    """Cards of `among` in this order of places until their worth reaches the sum; what must be among them first."""
    places = sorted(order, key=lambda place: pick.among[place] not in must) if must else order
    chosen: list[int] = []
    total = 0
    for place in places:
        if len(chosen) >= max(pick.lo, len(must)) and total >= pick.sum_at_least:
            break
        chosen.append(pick.among[place])
        total += pick.worth[place]
    return chosen


def cheapest_sum(row: Legal, price: Callable[[int], float]) -> list[int] | None:
    """Cards for this row whose worth reaches its sum at little loss: least price for each piece of gold, then none
    too many. None if they cannot."""
    pick = row.pick
    if pick is None:
        return None
    must = required(row)
    places = [place for place in range(len(pick.among)) if pick.worth[place] > 0]
    places.sort(key=lambda p: (pick.among[p] not in must, (price(pick.among[p]) + 0.1) / pick.worth[p]))
    chosen: list[int] = []
    total = 0
    for place in places:
        if total >= pick.sum_at_least and len(chosen) >= len(must):
            break
        chosen.append(place)
        total += pick.worth[place]
    if total < pick.sum_at_least or not max(pick.lo, 1) <= len(chosen) <= pick.hi:
        return None
    for place in sorted(chosen, key=lambda place: -price(pick.among[place])):
        fits = total - pick.worth[place] >= pick.sum_at_least and len(chosen) > max(pick.lo, 1)
        if fits and pick.among[place] not in must:
            chosen.remove(place)
            total -= pick.worth[place]
    return [pick.among[place] for place in chosen]
