"""Charity at the end of a turn, and the looting of bodies.

The steps of charity, in order (`_CHARITY_STEPS`):

    excess: the giver chooses which cards go (turn.charity-choice)
    larger: the giver chooses who gets the larger shares (turn.charity)
    who gets what: the giver fills each share, then all cards move at once

The steps of looting (`_LOOTING_STEPS`):

    order: the living, highest Level first, ties decided by a die (death.loot)
    pick: each takes one card, until none is left; the rest is discarded (death.loot)
"""

from core.operations.dice import roll_for
from core.queries.capacity import hand_limit, lowest_others
from core.state.events import Rolled
from core.state.game import Game, choose, to_discard, to_hand
from core.state.model import Charity, Looting, Zone
from core.state.rng import TIES_LIMIT


# --------------------------------------------------------------------------------------------------------- charity
def run_charity(g: Game, f: Charity) -> bool:
    """Run one step of charity (turn.charity); return True while the giver chooses.

    Charity starts again if the takers, the limit or the chosen cards have changed since the giver chose.
    """
    player = g.state.seats[f.seat]
    over = len(player.hand) - hand_limit(g, f.seat)
    if player.dead or over <= 0:
        g.state.stack.pop()
        return False
    takers = lowest_others(g.state.seats, f.seat)
    changed = takers != f.takers or over != len(f.cards) or any(card not in player.hand for card in f.cards)
    if f.step != "excess" and changed:
        f.step, f.answers = "excess", {}
    return _CHARITY_STEPS[f.step](g, f, over, takers)


def _excess(g: Game, f: Charity, over: int, takers: list[int]) -> bool:
    """The giver chooses which cards go (turn.charity-choice)."""
    kind = "charity" if takers else "discard"
    picks = choose(g, f, f.seat, kind, g.state.seats[f.seat].hand[:], lo=over, hi=over)
    if picks is None:
        return True
    if not takers:
        for card in picks:
            to_discard(g, card, Zone("hand", f.seat), "discarded", f.seat)
        return False
    f.cards, f.takers = picks, takers
    f.counts = [over // len(takers)] * len(takers)
    f.step = "larger"
    return False


def _larger(g: Game, f: Charity, over: int, takers: list[int]) -> bool:
    """Shares are as even as possible; the giver chooses who gets the larger ones (turn.charity)."""
    more = over % len(takers)
    picks = choose(g, f, f.seat, "larger share", takers, lo=more, hi=more) if more else []
    if picks is None:
        return True
    f.counts = [over // len(takers) + (seat in picks) for seat in takers]
    f.at = 0
    f.step = "who gets what"
    return False


def _who_gets_what(g: Game, f: Charity, over: int, takers: list[int]) -> bool:
    """The giver picks share by share from what is left; all cards move together at the end."""
    shares: list[int] = f.cards
    done = sum(f.counts[: f.at])
    while f.at < len(takers):
        left = shares[done:]
        picks = choose(g, f, f.seat, f"share for {takers[f.at]}", left, lo=f.counts[f.at], hi=f.counts[f.at])
        if picks is None:
            return True
        f.cards = shares = shares[:done] + picks + [card for card in left if card not in picks]
        done += len(picks)
        f.at += 1
    at = 0
    for seat, count in zip(takers, f.counts):
        for card in shares[at : at + count]:
            to_hand(g, card, Zone("hand", f.seat), seat, "charity", hidden=True)
        at += count
    return False


_CHARITY_STEPS = {"excess": _excess, "larger": _larger, "who gets what": _who_gets_what}


# ---------------------------------------------------------------------------------------------------------- bodies
def run_looting(g: Game, f: Looting) -> bool:
    """Run one step of the looting of a body; return True while somebody picks."""
    return _LOOTING_STEPS[f.step](g, f)


def _order(g: Game, f: Looting) -> bool:
    """The living loot by Level, highest first; a die decides ties (death.loot)."""
    seats = [seat for seat, player in enumerate(g.state.seats) if not player.dead]
    levels = {seat: g.state.seats[seat].level for seat in seats}
    f.order = []
    for level in sorted(set(levels.values()), reverse=True):
        f.order.extend(_by_die(g, [seat for seat in seats if levels[seat] == level]))
    f.step = "pick"
    return _pick(g, f)


def _pick(g: Game, f: Looting) -> bool:
    """The next in order takes a card of the body; what nobody takes is discarded (death.loot)."""
    body = g.state.seats[f.seat].body
    if f.order and body:
        seat = f.order[0]
        picks = [] if g.state.seats[seat].dead else choose(g, f, seat, "loot", sorted(body))
        if picks is None:
            return True
        f.order.pop(0)
        for card in picks:
            to_hand(g, card, Zone("body", f.seat), seat, "looted")
        return False
    f.asks = []
    for card in list(body):
        to_discard(g, card, Zone("body", f.seat), "left over")
    g.state.stack.pop()
    return False


def _by_die(g: Game, tied: list[int], again: int = TIES_LIMIT) -> list[int]:
    """Return seats tied for a Level in the order of their rolls; ties roll again, `again` times at most
    (setup.ties)."""
    if len(tied) < 2 or not again:
        return tied
    rolls = []
    for seat in tied:
        number = roll_for(g, seat)
        g.emit(Rolled(seat, number, "who loots first"))
        rolls.append(number)
    out: list[int] = []
    for number in sorted(set(rolls), reverse=True):
        out.extend(_by_die(g, [seat for seat, rolled in zip(tied, rolls) if rolled == number], again - 1))
    return out


_LOOTING_STEPS = {"order": _order, "pick": _pick}
