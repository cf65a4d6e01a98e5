"""Filling the sets that a legal row leaves open."""

import random
from collections.abc import Callable, Iterable, Sequence

import msgspec

from core.actions import Action, Counter, Legal, Offer, Pick


def filled(row: Legal, chosen: Sequence[int]) -> Action:
    """The row's action with its open field set to these."""
    pick = row.pick
    if pick is None:
        return row.action
    action = row.action
    if isinstance(action, (Offer, Counter)) and pick.field in ("gives", "wants", "cards"):
        terms = msgspec.structs.replace(action.terms, **{pick.field: tuple(chosen)})
        return msgspec.structs.replace(action, terms=terms)
    return msgspec.structs.replace(action, **{pick.field: tuple(chosen)})


def cheapest(cards: Iterable[int], price: Callable[[int], float]) -> list[int]:
    """These, the least wanted first."""
    return sorted(cards, key=lambda card: (price(card), card))


def at_random(row: Legal, rng: random.Random) -> Action:
    """The row with its set, if it has one, filled at random within its limits."""
    pick = row.pick
    if pick is None:
        return row.action
    if pick.sum_at_least:
        return filled(row, reaching(pick, rng.sample(range(len(pick.among)), len(pick.among))))
    count = rng.randint(pick.lo, max(pick.lo, min(pick.hi, len(pick.among))))
    return filled(row, rng.sample(pick.among, count))


def reaching(pick: Pick, order: Sequence[int]) -> list[int]:
    """Places of `among` in this order until their worth reaches the sum; as cards."""
    chosen: list[int] = []
    total = 0
    for place in order:
        if len(chosen) >= pick.lo and total >= pick.sum_at_least:
            break
        chosen.append(pick.among[place])
        total += pick.worth[place]
    return chosen


def cheapest_sum(pick: Pick, price: Callable[[int], float]) -> list[int] | None:
    """Cards whose worth reaches the sum at little loss: least price for each piece of gold, then none too many."""
    places = [place for place in range(len(pick.among)) if pick.worth[place] > 0]
    places.sort(key=lambda place: (price(pick.among[place]) + 0.1) / pick.worth[place])
    chosen: list[int] = []
    total = 0
    for place in places:
        if total >= pick.sum_at_least:
            break
        chosen.append(place)
        total += pick.worth[place]
    if total < pick.sum_at_least or len(chosen) > pick.hi:
        return None
    for place in sorted(chosen, key=lambda place: -price(pick.among[place])):
        if total - pick.worth[place] >= pick.sum_at_least and len(chosen) > max(pick.lo, 1):
            chosen.remove(place)
            total -= pick.worth[place]
    return [pick.among[place] for place in chosen]
