"""Functions that the handlers share: find the seats behind who-words, ask, and pick the cards that a selector means."""

from collections.abc import Callable
from typing import Any

from core.language import schema as v
from core.language.compiler import PARTS, Ins
from core.language.drawbacks import Sense
from core.queries.capacity import worth
from core.queries.conditions import Ctx, amount, enhancers_on, heroes, holds, seats_of, select
from core.queries.lookup import locate
from core.queries.strength import seat_terms, winning
from core.state.game import Game, choose, valid_picks
from core.state.model import Program
from core.state.reader import Reader, seat_with_card
from core.state.rng import below

WAIT = -1
"""Returned in place of an address: the effect waits for an answer."""
Handler = Callable[[Game, Program, Ins, Any], int]
"""Carries out one verb: see core/effects/control.py."""


def ctx_of(g: Reader, f: Program) -> Ctx:
    """Return who is who in this text."""
    return Ctx(
        f.you, f.victim, f.me, f.chosen, f.monster, f.saved, card=f.source or f.card, killer=_killer(g, f),
        apart=_apart(g, f),
    )  # fmt: skip


def _killer(g: Reader, f: Program) -> int:
    """Return the main fighter at the kill that this text belongs to, if another seat is the fighter now; else -1."""
    fight = g.state.fight
    return f.you if f.part == _KILLED and fight is not None and fight.seat != f.you else -1


def _apart(g: Reader, f: Program) -> tuple[int, ...]:
    """Return the heroes who are spared by Bad Stuff for `side`: those who have escaped from the monster, or all heroes
    if the monster has already caught somebody (flee.bad-stuff-side)."""
    fight = g.state.fight
    if f.part != _BAD or fight is None or not fight.met:
        return ()
    monster = fight.met[-1].monster
    met = [one for one in fight.met[:-1] if one.monster == monster]
    return tuple([one.seat for one in met]) if all(one.escaped for one in met) else tuple(heroes(fight))


_BAD = PARTS.index("bad")
_KILLED = PARTS.index("killed")


def condition_holds(g: Reader, f: Program, cond: v.If, sense: Sense) -> bool:
    """Return whether a condition of a text holds. A condition without a who-word applies to the victim, or to `me`
    within an `each`."""
    ctx = ctx_of(g, f)
    if g.state.fight is not None:
        ctx.winning = winning(g)
    return holds(g, cond, ctx, _default_who(f), sense)


def _default_who(f: Program) -> v.Who:
    if f.me >= 0:
        return "me"
    return "victim" if f.victim >= 0 else "you"


def ask(
    g: Game, f: Program, seat: int, kind: str, options: list[int], lo: int = 1, hi: int = 1,
    texts: list[str] | None = None,
) -> list[int] | None:  # fmt: skip
    """Return what a seat picks, lo to hi of the options; None while it has not answered.

    An effect may ask several questions, one after another, of one seat or of several. Its handler starts again after
    each answer, so it must ask everything before it changes anything. Until it is done the frame keeps the answers: the
    new one by seat, earlier ones by the number of their question (-1 for the first, then -2, ...).
    """
    g.asked += 1
    number = -g.asked
    answer = f.answers.get(number)
    if answer is not None and valid_picks(options, min(lo, len(options)), hi, answer):
        return answer
    earlier = {asked: picks for asked, picks in f.answers.items() if number < asked < 0}
    picks = choose(g, f, seat, kind, options, lo=lo, hi=hi, card=f.defn, texts=texts)
    f.answers = earlier if picks is None else {**earlier, number: picks}
    return picks


def picked(
    g: Game, f: Program, cards: v.Cards, kind: str, among: list[int] | None = None
) -> list[int] | None:  # fmt: skip
    """Return the cards that a selector means, picked as it says; None while somebody chooses.

    kind: the kind of the ask, such as "lose" or "take". among: the candidates (None: all cards that the selector
    means).
    """
    found = select(g, cards, ctx_of(g, f)) if among is None else among
    ctx = ctx_of(g, f)
    count = min(amount(g, cards.count, ctx, worse=1, struck=seats_of(g, cards.of, ctx)), len(found))
    if cards.pick == "all":
        return found
    if count <= 0:
        return []
    if cards.pick == "random":
        return _random(g, found, count)
    if cards.pick in ("best", "dearest"):
        return _top(g, f, cards, found, count, kind)
    return _chosen(g, f, cards, found, count, kind)


def _top(g: Game, f: Program, cards: v.Cards, found: list[int], count: int, kind: str) -> list[int] | None:
    """Return the best or the most valuable cards; among equals somebody chooses (curse.victim-chooses)."""
    rank = {card: _rank(g, card, cards.pick) for card in found}
    lowest = sorted(rank.values(), reverse=True)[count - 1]
    sure = [card for card in found if rank[card] > lowest]
    equal = [card for card in found if rank[card] == lowest]
    if len(sure) + len(equal) == count:
        return sure + equal
    rest = _chosen(g, f, cards, equal, count - len(sure), kind)
    return None if rest is None else sure + rest


def _rank(g: Reader, card: int, pick: str) -> int:
    """Return a card's rank: for `dearest` its Gold Pieces, for `best` the bonus that it gives its owner now, Item
    Enhancers included (item.enhancer)."""
    if pick == "dearest":
        return worth(g, card)
    owner = seat_with_card(g, card)
    if owner < 0:
        return g.of(card).card.bonus
    counted = (card, *enhancers_on(g, owner, card))
    return sum([term.by for term in seat_terms(g, owner) if term.card in counted])


def _random(g: Game, found: list[int], count: int) -> list[int]:
    left = found[:]
    return [left.pop(below(g.state, len(left))) for _ in range(count)]


def _chosen(g: Game, f: Program, cards: v.Cards, found: list[int], count: int, kind: str) -> list[int] | None:
    """Let somebody choose; from another player's hand only by place, because its cards are hidden, unless this text has
    let the chooser look at them all."""
    choosers = seats_of(g, cards.by or cards.of, ctx_of(g, f))
    if not choosers:
        return []
    seen = f.seen.get(choosers[0], [])
    hidden = cards.zone == "hand" and locate(g, found[0]).seat != choosers[0]
    blind = hidden and not all(card in seen for card in found)
    options = list(range(len(found))) if blind else found
    picks = ask(g, f, choosers[0], f"{kind} blind" if blind else kind, options, count, count)
    if picks is None:
        return None
    return [found[pick] for pick in picks] if blind else picks
