"""Complete legal rows: choose the cards of a row's pick."""

import random
from collections.abc import Callable, Iterable, Sequence
from typing import cast

from msgspec.structs import replace

from core.moves.legal import fill, suggest
from core.state.actions import Action, Legal, Pick, Sell
from netcode.bots.tuning import TUNING


def filled(row: Legal, chosen: Sequence[int]) -> Action:
    """Return the row's action with its open field set to these."""
    return cast(Action, fill(row, tuple(chosen)))  # a legal row never holds an action of the host


def required(row: Legal) -> tuple[int, ...]:
    """Return the members that every choice must contain: the Items that count twice in a sale."""
    return row.action.twice if isinstance(row.action, Sell) else ()


def cheapest(cards: Iterable[int], cost: Callable[[int], float]) -> list[int]:
    """Return these cards, the least wanted first."""
    return sorted(cards, key=lambda card: (cost(card), card))


def ways(row: Legal, most: int, cost: Callable[[int], float]) -> list[Action]:
    """Return at most `most` ways to fill in a row; if it pays cards, those that pay with the least wanted ones."""
    pick = row.pick
    if pick is not None and pick.field == "pay":
        places = sorted(range(len(pick.among)), key=lambda place: (cost(pick.among[place]), pick.among[place]))
        among, worth = ([of[place] for place in places] if of else [] for of in (pick.among, pick.worth))
        row = replace(row, pick=replace(pick, among=among, worth=worth))
    return cast(list[Action], suggest(row, most))


def at_random(row: Legal, rng: random.Random) -> Action:
    """Return the row's action, with its pick, if any, chosen at random within its limits."""
    pick = row.pick
    if pick is None:
        return row.action
    must = required(row)
    if pick.sum_at_least or must:
        order = rng.sample(range(len(pick.among)), len(pick.among))
        return filled(row, _until_sum(pick, must, order))
    count = rng.randint(pick.lo, max(pick.lo, min(pick.hi, len(pick.among))))
    return filled(row, rng.sample(pick.among, count))


def _until_sum(pick: Pick, must: tuple[int, ...], order: Sequence[int]) -> list[int]:
    """Take the cards at these places of `among` until their worth reaches the sum; those in `must` first."""
    places = sorted(order, key=lambda place: pick.among[place] not in must) if must else order
    chosen: list[int] = []
    total = 0
    for place in places:
        if len(chosen) >= max(pick.lo, len(must)) and total >= pick.sum_at_least:
            break
        chosen.append(pick.among[place])
        total += pick.worth[place]
    return chosen


def cheapest_sum(row: Legal, cost: Callable[[int], float]) -> list[int] | None:
    """Return cheap cards for this row whose worth reaches its sum: those with the least cost per gold piece, without
    unnecessary ones. None if no cards reach it."""
    pick = row.pick
    if pick is None:
        return None
    must = required(row)
    costs = {place: cost(card) for place, card in enumerate(pick.among) if pick.worth[place] > 0}
    places = sorted(costs, key=lambda place: (costs[place] + TUNING.own_turn.free_sale) / pick.worth[place])
    if must:
        places.sort(key=lambda place: pick.among[place] not in must)
    chosen: list[int] = []
    total = 0
    for place in places:
        if total >= pick.sum_at_least and len(chosen) >= len(must):
            break
        chosen.append(place)
        total += pick.worth[place]
    if total < pick.sum_at_least or not max(pick.lo, 1) <= len(chosen) <= pick.hi:
        return None
    for place in sorted(chosen, key=lambda place: -costs[place]):
        fits = total - pick.worth[place] >= pick.sum_at_least and len(chosen) > max(pick.lo, 1)
        if fits and pick.among[place] not in must:
            chosen.remove(place)
            total -= pick.worth[place]
    return [pick.among[place] for place in chosen]
