"""Predict a text before it runs: conditions that are already decided, and texts that will have no effect.

This reads only public facts, including the number of cards in hands, because a seat's warnings must not depend on
hidden cards.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from core.language import schema as v
from core.language.definition import counts_counters
from core.language.drawbacks import effect_sense, meets_sense
from core.language.tree import walk
from core.queries.capacity import exchanges
from core.queries.conditions import Ctx, amount, counters_on, holds, in_combat, seats_of, select
from core.queries.dice import uses_nothing
from core.queries.help import compel_clause
from core.queries.identities import identities
from core.state.model import Escape, Throw
from core.state.reader import Reader

FACTS = 1000
"""Size of the LRU cache for facts about conditions, which never change."""


@lru_cache(maxsize=FACTS)
def is_decided(cond: v.If | None, unknown: tuple[v.Who, ...] = ("chosen",)) -> bool:
    """Return whether everybody can know before the text runs whether a condition holds."""
    return not is_open(cond, unknown) and not is_hidden(cond)


def is_open(piece: object, unknown: tuple[v.Who, ...] = ("chosen",)) -> bool:
    """Return whether a condition or an amount depends on facts that only the running text knows: its dice, the counters
    that it moves, who is winning, and the seats behind these who-words."""
    for _, part in walk(piece):
        if counts_counters(part):
            return True
        if isinstance(part, v.If | v.Amount) and part.saved is not None:
            return True
        if isinstance(part, v.If) and (part.winning is not None or part.who in unknown):
            return True
        if isinstance(part, v.Cards) and part.of in unknown:
            return True
    return False


def is_hidden(piece: object) -> bool:
    """Return whether a condition or an amount depends on which cards are in a hand, and not only on how many."""
    return any(isinstance(part, v.Cards) and part.zone == "hand" and _asks_kind(part) for _, part in walk(piece))


def _asks_kind(cards: v.Cards) -> bool:
    asked = (cards.slot, cards.kind, cards.identity, cards.one_shot, cards.big, cards.tag, cards.worth, cards.this)
    return any(field is not None for field in asked)


def comes_to_nothing(g: Reader, text: tuple[v.Op, ...], ctx: Ctx) -> bool:
    """Return whether a text certainly changes nothing now (curse.ignored). A die that decides nothing does not count as
    a change; anything that depends on hidden cards may be one."""
    return bool(text) and _all_nothing(g, text, ctx)


def _all_nothing(g: Reader, text: tuple[v.Op, ...], ctx: Ctx) -> bool:
    dice: list[v.Op] = []
    for at, op in enumerate(text, 1):
        cond, kind = op.if_, type(op)
        if cond is not None and kind is not v.Branch and is_decided(cond) and not _holds(g, op, cond, ctx):
            continue
        if kind is v.ChooseSeat and isinstance(op, v.ChooseSeat):  # often asked: `is` calls nothing
            if not _nobody_worth_choosing(g, op, text[at:], ctx):
                return False
            continue
        if kind is v.Die:  # checked last: it takes longest, and the texts that the number chooses mostly have an effect
            dice.append(op)
            continue
        judge = _JUDGES.get(kind)
        if judge is None or not judge(g, op, ctx):
            return False
    for die in dice:  # noqa: SIM110  (a generator costs several times as much)
        if not _JUDGES[v.Die](g, die, ctx):
            return False
    return True


def _holds(g: Reader, op: v.Op, cond: v.If, ctx: Ctx) -> bool:
    """Return whether the condition of an effect holds, as in a running text. A condition without a who-word is about
    `me` in an `each`, else about the victim."""
    who: v.Who = "me" if ctx.me >= 0 else "victim"
    return holds(g, cond, ctx, who, effect_sense(op, who))


def _nobody_worth_choosing(g: Reader, op: v.ChooseSeat, rest: tuple[v.Op, ...], ctx: Ctx) -> bool:
    """Return whether the rest of a text has no effect for each seat that might be chosen, nor if nobody is chosen. A
    second choice counts as having an effect, because trying all pairs of players would take too long."""
    if ctx.chosen >= 0 or not is_decided(op.meets):
        return False
    before, sense = (ctx.me, ctx.chosen), meets_sense(op, rest)
    found, nothing = False, True
    for seat in seats_of(g, op.among, ctx):
        ctx.me = seat
        if not holds(g, op.meets, ctx, "me", sense):
            continue
        found, ctx.me, ctx.chosen = True, before[0], seat
        nothing = _all_nothing(g, rest, ctx)
        if not nothing:
            break
    ctx.me, ctx.chosen = before
    return nothing and (found or _all_nothing(g, op.else_, ctx))


def _escape(g: Reader, op: v.Escape, ctx: Ctx) -> bool:
    """Return whether none of the seats that it names still has to run away."""
    fight = g.state.fight
    if fight is None:
        return True
    there = len(fight.monsters)
    for seat in seats_of(g, op.who, ctx):
        away = Escape(seat, 0) in fight.safe or fight.safe.count(Escape(seat, -1)) >= there
        if in_combat(g, seat) and not away:
            return False
    return True


def _hand_over(g: Reader, op: v.HandOver, ctx: Ctx) -> bool:
    fight = g.state.fight
    return fight is None or fight.stage != "fight" or all(seat == fight.seat for seat in seats_of(g, op.to, ctx)[:1])


def _compel(g: Reader, op: v.Compel, ctx: Ctx) -> bool:
    return compel_clause(g, seats_of(g, op.who, ctx)[:1]) is not None


def _level(g: Reader, op: v.Level, ctx: Ctx) -> bool:
    if isinstance(op.by, v.Amount) and (is_open(op.by) or is_hidden(op.by)):
        return False
    most = g.state.options.win_level - (0 if op.may_win else 1)
    for seat in seats_of(g, op.who, ctx):
        by, level = amount(g, op.by, ctx, -1, [seat]), g.state.seats[seat].level
        if by and (level > 1 if by < 0 else level < most):
            return False
    return True


def _cards(g: Reader, op: v.Discard | v.Take, ctx: Ctx) -> bool:
    """Return whether nothing can be lost or taken (no card, or nobody was chosen to take it) and the `else` has no
    effect."""
    cards = op.cards
    if isinstance(op, v.Take) and op.to == "chosen" and ctx.chosen < 0:
        return _all_nothing(g, op.else_, ctx)
    if cards.zone != "hand":
        return not select(g, cards, ctx) and _all_nothing(g, op.else_, ctx)
    for seat in seats_of(g, cards.of, ctx):
        hand = g.state.seats[seat].hand
        if len(hand) > 1 or (hand and hand[0] != ctx.card):
            return False
    return _all_nothing(g, op.else_, ctx)


def _swap(g: Reader, op: v.Swap, ctx: Ctx) -> bool:
    """Return whether no two Items could be exchanged and the `else` has no effect."""
    possible = next(exchanges(g, select(g, op.cards, ctx), select(g, op.for_, ctx)), None)
    return possible is None and _all_nothing(g, op.else_, ctx)


def _counter(g: Reader, op: v.Counter, ctx: Ctx) -> bool:
    """Return whether no counter can be put on the card or taken off; a card that is just coming into play has none."""
    if not isinstance(op.by, int):
        return False
    there = counters_on(g, ctx)
    return there >= op.most if op.by > 0 else not there


def _branch(g: Reader, op: v.Branch, ctx: Ctx) -> bool:
    if op.if_ is None or not is_decided(op.if_):
        return _all_nothing(g, op.then, ctx) and _all_nothing(g, op.else_, ctx)
    return _all_nothing(g, op.then if _holds(g, op, op.if_, ctx) else op.else_, ctx)


def _each(g: Reader, op: v.Each, ctx: Ctx) -> bool:
    before, nothing = ctx.me, True
    for seat in seats_of(g, op.who, ctx):
        ctx.me = seat
        nothing = _all_nothing(g, op.then, ctx)
        if not nothing:
            break
    ctx.me = before
    return nothing


def _lift(g: Reader, op: v.Lift, ctx: Ctx) -> bool:
    there = [lasting.card for seat in seats_of(g, op.who, ctx) for lasting in g.state.seats[seat].lasting]
    return op.which == "all" and not any(there)


def _swap_identity(g: Reader, op: v.SwapIdentity, ctx: Ctx) -> bool:
    return not any(identities(g, seat, op.identity) for seat in seats_of(g, op.who, ctx))


def no_extra_turn(g: Reader) -> str:
    """Return why nobody can be given an extra turn now; "" if somebody can (turn.extra)."""
    turn = g.state.turn
    if turn.no == 0:
        return "no turn has begun yet"
    if turn.after >= 0:
        return "this is an extra turn"
    return "an extra turn is to come already" if turn.extra >= 0 else ""


def _die(g: Reader, op: v.Die, ctx: Ctx) -> bool:
    seats = seats_of(g, op.who, ctx) or [ctx.you]
    return uses_nothing(g, Throw(seat=seats[0], of="text", sides=op.sides))


_JUDGES: dict[type, Callable[[Reader, Any, Ctx], bool]] = {
    v.Level: _level, v.Discard: _cards, v.Take: _cards, v.Swap: _swap, v.Die: _die, v.Branch: _branch, v.Each: _each,
    v.Lift: _lift, v.SwapIdentity: _swap_identity, v.Counter: _counter, v.Compel: _compel,
    v.Escape: _escape, v.HandOver: _hand_over,
    v.Option: lambda g, op, ctx: all(_all_nothing(g, choice.do, ctx) for choice in op.of),
    v.OpenSeal: lambda g, op, ctx: not g.state.seals or not seats_of(g, op.who, ctx),
    v.CloseSeal: lambda g, op, ctx: not g.state.seals_open,
    v.ExtraTurn: lambda g, op, ctx: bool(no_extra_turn(g)) or not seats_of(g, op.who, ctx),
    v.Expel: lambda g, op, ctx: g.state.fight is None or g.state.fight.helper < 0,
}  # fmt: skip
"""Whether an effect certainly changes nothing now, by verb. Any other verb always does something."""
