"""Cards and abilities that give levels: the targets that are forbidden, and the players who may not use them
(golden.level-nine)."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from core.language import schema as v
from core.language.drawbacks import effect_sense
from core.language.level_gain import LevelGain
from core.language.tree import child_texts, walk
from core.queries.cache import cached_by_table
from core.queries.conditions import Ctx, amount, holds, seats_of
from core.queries.prospects import is_decided
from core.state.reader import Reader
from core.state.refusals import Clause

_HIGH = 99
"""A number above any die or payment that a text has saved."""


_UNKNOWN: tuple[v.Who, ...] = ("me", "chosen")
"""Who-words that refer to nobody before the text runs."""


class Gain(NamedTuple):
    """A level that a text gives: its who-word and the seats that it means. It may not be the winning level."""

    word: v.Who
    seats: list[int]


def level_nine_clause(
    g: Reader, seat: int, text: tuple[v.Op, ...], at: int, kind: str = "", card: int = 0
) -> Clause | None:
    """Return "golden.level-nine" if this text would give a level to its player or target who is one level short of
    winning, or if it is a level card that can give nobody a level.

    seat: its player. at: the seat it is aimed at, -1 for none. kind: of the card, "" for an ability. card: the card in
    play whose ability it is, 0 if none.
    """
    if not somebody_stays(g):
        return None
    gains = list(_gains(g, text, Ctx(you=seat, victim=at if at >= 0 else seat, card=card)))
    for gain in gains:
        own = gain.word == "you" or (gain.word == "victim" and at in (-1, seat))
        aimed = gain.word == "victim" and kind != "curse"  # a curse may strike anybody, even if it also gives a level
        if (own or aimed) and any(stays(g, who) for who in gain.seats):
            return "golden.level-nine"
    meant = [who for gain in gains for who in gain.seats]
    wasted = kind == "level" and bool(meant) and all(stays(g, who) for who in meant)
    return "golden.level-nine" if wasted else None


@cached_by_table
def somebody_stays(g: Reader) -> bool:
    """Return whether any seat is one level short of winning."""
    return max([seat.level for seat in g.state.seats]) >= g.state.options.win_level - 1  # as in `stays`


def stays(g: Reader, seat: int) -> bool:
    """Return whether a seat is one level short of winning, so that such a level has no effect on it."""
    return g.state.seats[seat].level >= g.state.options.win_level - 1


def _gains(g: Reader, text: tuple[v.Op, ...], ctx: Ctx, me: tuple[int, ...] = ()) -> Iterator[Gain]:
    """Yield the levels that a text may give. Results of a die or a choice count as possible. me: the seats of an
    `each`."""
    for op in text:
        if _cannot_be(g, op, ctx) and not isinstance(op, v.Branch):
            continue
        for gain in op.gives_levels:
            word = gain.seats(op)
            seats = list(me) if word == "me" else seats_of(g, word, ctx)
            raised = [seat for seat in seats if _raises(g, op, gain, ctx, seat)]
            if raised:
                yield Gain(word, raised)
        inner = tuple(seats_of(g, op.who, ctx)) if isinstance(op, v.Each) else me
        parts = child_texts(op)
        if isinstance(op, v.Branch) and is_decided(op.if_, _UNKNOWN):
            parts = {"": parts["else" if _cannot_be(g, op, ctx) else "then"]}
        for part in parts.values():
            yield from _gains(g, part, ctx, inner)


def _raises(g: Reader, op: v.Op, gain: LevelGain, ctx: Ctx, seat: int) -> bool:
    """Return whether an effect may raise this seat, though not to the winning Level."""
    floor = g.state.seats[seat].level if gain.to else 0
    return not gain.wins(op) and _most(g, gain.number(op), ctx) > floor


def _most(g: Reader, value: int | v.Amount, ctx: Ctx) -> int:
    """Return the highest value that an amount can have, whatever the dice it waits for show."""
    if isinstance(value, int):
        return value
    names = [part.saved for _, part in walk(value) if isinstance(part, v.If | v.Amount) and part.saved is not None]
    known = Ctx(you=ctx.you, victim=ctx.victim, card=ctx.card)
    rolled = [replace(known, saved=dict.fromkeys(names, number)) for number in (0, _HIGH)]
    return max(amount(g, value, one) for one in rolled)


def _cannot_be(g: Reader, op: v.Op, ctx: Ctx) -> bool:
    """Return whether public knowledge shows that the condition of an effect is already false."""
    cond = op.if_
    if cond is None or not is_decided(cond, _UNKNOWN):
        return False
    return not holds(g, cond, ctx, "victim", effect_sense(op, "victim"))
