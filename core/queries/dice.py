"""Which numbers are fixed for a die, which seat it is aimed at, and which cards in play allow another roll (dice.sides,
dice.again)."""

from collections.abc import Sequence
from typing import NamedTuple

from core.language.schema import RollIs, ThrowAgain
from core.language.traits import MOD_TRAITS
from core.queries.conditions import laying_out
from core.queries.modifiers import mods_of
from core.state.model import Frame, Lasting, Program, Throw, Used, defn_of
from core.state.reader import Reader

_AGAIN = MOD_TRAITS[ThrowAgain]


class Again(NamedTuple):
    """A card that allows rolling a die again now, and which of its modifiers does.

    ability: the number that stands for the modifier where uses are counted (`Used`); it is below 0, because abilities
    count from 0.
    """

    card: int
    mod: ThrowAgain
    ability: int


def may_throw_again(g: Reader, seat: int, throw: Throw) -> list[Again]:
    """Return the cards with which a seat may have this die rolled again now; none for the dead."""
    out: list[Again] = []
    if not g.reads.traits[seat] & _AGAIN or g.state.seats[seat].dead or laying_out(g):
        return out
    for mod, card, definition in mods_of(g, seat, ThrowAgain):
        known = card in throw.used or any(one.card == card for one in out)
        ability = -1 - definition.card.mods.index(mod) if mod in definition.card.mods else 0
        if card and ability and not known and _fits(mod, seat, throw) and _left(g, seat, Again(card, mod, ability)):
            out.append(Again(card, mod, ability))
    return out


def fixed_by(g: Reader, lasting: Lasting) -> Sequence[RollIs]:
    """Return the modifiers of a lasting effect that fix the next roll; the effect must end with a roll. Otherwise it
    would fix every roll, and players tied for the first turn would roll without end."""
    if lasting.until != "roll":
        return ()
    return g.cat.cards[lasting.defn].linger_types[lasting.code].get(RollIs, ())  # type: ignore[return-value]


def uses_nothing(g: Reader, throw: Throw) -> bool:
    """Return whether such a die changes nothing besides its number: it uses up no fixed number (dice.sides), and nobody
    may spend a card on it (dice.again)."""
    waiting = any(fixed_by(g, lasting) for lasting in g.state.seats[throw.seat].lasting)
    if throw.sides == 6 and waiting:
        return False
    return not any(may_throw_again(g, seat, throw) for seat in range(len(g.state.seats)))


def _fits(mod: ThrowAgain, seat: int, throw: Throw) -> bool:
    """Return whether a modifier of this seat is about such a die."""
    return (mod.whose == "any" or seat == throw.seat) and mod.of in ("any", throw.of)


def _left(g: Reader, seat: int, again: Again) -> bool:
    """Return whether a seat may use a card once more in this turn or combat."""
    mod = again.mod
    if mod.per is None:
        return True
    fight = g.state.fight
    if mod.per == "combat" and fight is None:
        return False
    uses = g.state.turn.uses if mod.per == "turn" or fight is None else fight.uses
    return _times(uses, seat, again) < mod.most


def _times(uses: Sequence[Used], seat: int, again: Again) -> int:
    """Return how often a seat has used a card for this; copies of a card count together, as with abilities."""
    mine = [used for used in uses if used.seat == seat and used.ability == again.ability]
    return sum(used.times for used in mine if used.defn == defn_of(again.card))


def aimed_at(stack: Sequence[Frame], throw: Throw) -> int:
    """Return the other seat at which the text that rolls a die is aimed, -1 for none: the seat of the present round of
    a loop, else the chosen seat, else the victim."""
    text = next((frame for frame in reversed(stack) if isinstance(frame, Program)), None)
    if text is None or throw.of != "text":
        return -1
    seat = text.me if text.me >= 0 else text.chosen if text.chosen >= 0 else text.victim
    return seat if seat != throw.seat else -1
