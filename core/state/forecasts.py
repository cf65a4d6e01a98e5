"""Forecasts of the options that a seat has: data only; core/knowledge/forecast.py works it out."""

from msgspec import Struct

from core.state.numbers import SeatNo, Short, ShortTuple, Small, Sum, Word


class Forecast(Struct, gc=False, array_like=True, frozen=True):
    """The result of some legal options of a seat in a fight, the same for all of them. If several forecasts have the
    same option with the same price, the seat's later choices decide between them.

    fate: what can be known before. sums: the fight goes on, with these sums. over: the combat would be over, or no
    monster left in it. All other fates are unknown: chance: a die, a shuffle or a draw decides. choice: another player
    chooses first, or this one has too many choices. hidden: it depends on cards that the seat does not see. rows: their
    places in `You.legal`. pays: the number of cards paid, for an option that leaves its price open. Cards from the hand
    pay, because they have no part in the fight. An offer of help is judged as if it were accepted; looking for trouble
    is judged by the fight that begins.

    The other fields are known only for the fate "sums", and describe the fight after the option: its fighter and helper
    (-1: none), both sums, whether the heroes would win, the Level that the fighter would reach by that, the Treasures
    it would bring, and whether this would end the game. away: the chance, in percent, that this seat would get away
    from all monsters (the fighter, if this seat would have no part in the fight); -1: not known.

    For the fate "chance" two more things may be known. sides, wins_on: one die with this many sides decides, and the
    heroes would win with these of its numbers; match_point: that may end the game. Otherwise, if `fighter` is set, the
    sums are those of the fight when luck begins to decide.
    """

    rows: Short[Small]
    fate: Word
    pays: Small = 0
    fighter: SeatNo = -1
    helper: SeatNo = -1
    heroes: Sum = 0
    foes: Sum = 0
    wins: bool = False
    level: Small = 0
    treasures: Small = 0
    match_point: bool = False
    away: Small = -1
    sides: Small = 0
    wins_on: ShortTuple[Small] = ()
