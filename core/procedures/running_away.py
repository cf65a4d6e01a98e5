"""Running away: each runner rolls a die for each monster, and those that catch it do their Bad Stuff.

The steps, in order (`_STEPS`, at the end of the file):

    order: fighter and helper agree who runs first (flee.who-first)
    next: the next runner's turn to run; after the last one the fight is over
    choose: from which monster the runner runs next (flee.order); the roll follows (flee.roll)
    rolled: the number counts now, after it may have been rolled again (dice.again)
    pay: after a failed roll, some players may pay with cards to escape
    escaped: the runner gets away from this monster (flee.bad-stuff)
    caught: the monster does its Bad Stuff (flee.bad-stuff)
"""

from core.language import schema as v
from core.operations.dice import begin_throw, roll_for
from core.operations.players import end_lasting, spend
from core.queries.flight import NEED, inescapable
from core.queries.lookup import find_monster, payable
from core.queries.modifiers import mods_of
from core.queries.strength import spares, vehicles
from core.state.events import (
    NO_BAD_STUFF,
    NO_ESCAPE,
    NO_ROLL_NEEDED,
    NOT_PURSUED,
    Fizzled,
    Fled,
    Rides,
    Rolled,
    SafeUsed,
    StageSet,
)
from core.state.game import Game, choose, standing_ask, valid_picks
from core.state.model import Escape, Fight, Monster, Program, Run, Throw
from core.state.rng import TIES_LIMIT


def run_away(g: Game, f: Run) -> bool:
    """Run one step of running away; return True while a runner has to choose."""
    fight = g.state.fight
    if fight is None:
        g.state.stack.pop()
        return False
    return _STEPS[f.step](g, f, fight)


def _order(g: Game, f: Run, fight: Fight) -> bool:
    """Fighter and helper say who runs first (flee.who-first)."""
    if len(f.seats) < 2 or any(g.state.seats[seat].dead for seat in f.seats):
        f.step = "next"
        return False
    options = f.seats[:]
    answers = [f.answers.get(seat) for seat in options]
    waiting = [
        seat for seat, answer in zip(options, answers) if answer is None or not valid_picks(options, 1, 1, answer)
    ]
    if waiting:
        f.asks = [standing_ask(g, f, seat, "first", options) for seat in waiting]
        return True
    first = _first(g, options, [answer[0] for answer in answers if answer])
    f.asks, f.answers = [], {}
    f.seats = [first] + [seat for seat in options if seat != first]
    f.step = "next"
    return False


def _first(g: Game, seats: list[int], named: list[int]) -> int:
    """Return which of two seats runs first: the fighter (the first one), unless both name the helper; in some sets, the
    one who rolls higher. named: the seat that each of them named."""
    if named[0] == named[1]:
        return named[0]
    for _ in range(TIES_LIMIT if g.cat.switches.who_first_by_die else 0):
        rolls = [roll_for(g, seat) for seat in seats]
        for seat, number in zip(seats, rolls):
            g.emit(Rolled(seat, number, "who decides who runs first"))
        if rolls[0] != rolls[1]:
            return named[rolls.index(max(rolls))]
    return seats[0]


def _next(g: Game, f: Run, fight: Fight) -> bool:
    """The next runner runs from every monster; after the last one the fight is over."""
    f.asks = []
    if not f.seats:
        g.emit(StageSet(fight.seat, "fled", fight.margin))
        g.state.stack.pop()
        return False
    f.seat = f.seats.pop(0)
    f.rolled = False
    f.left = [monster.id for monster in fight.monsters]
    f.step = "choose"
    return False


def _choose(g: Game, f: Run, fight: Fight) -> bool:
    """The runner chooses from which monster it runs next (flee.order)."""
    if g.state.seats[f.seat].dead:
        f.step = "next"
        return False
    f.left = [card for card in f.left if find_monster(g, card) is not None]
    _let_go(g, f, fight)
    if g.state.stack[-1] is not f:
        return False
    if not f.left:
        f.step = "next"
        return False
    if len(vehicles(g, f.seat)) > 1 and not any(ride.seat == f.seat for ride in fight.rides):
        return _which_vehicle(g, f)
    f.asks = [standing_ask(g, f, f.seat, "roll", f.left[:])]
    return True


def _which_vehicle(g: Game, f: Run) -> bool:
    """Before the roll the owner of several Vehicles chooses which one to use (item.vehicle-replaces)."""
    picks = choose(g, f, f.seat, "vehicle", vehicles(g, f.seat))
    if picks is None:
        return True
    g.emit(Rides(f.seat, picks[0]))
    return False


def _let_go(g: Game, f: Run, fight: Fight) -> None:
    """Escape from monsters that do not pursue, or by a card that replaces the roll (flee.auto-escape)."""
    for card in list(f.left):
        monster = find_monster(g, card)
        safe = Escape(f.seat, 0) in fight.safe
        if monster is not None and (safe or spares(g, f.seat, monster)):
            f.left.remove(card)
            _escaped(g, f, monster, NO_ROLL_NEEDED if safe else NOT_PURSUED)


def roll(g: Game, f: Run, card: int) -> None:
    """Roll for this monster. The roll and its consequence are one step (flee.atomic)."""
    fight = g.state.fight
    monster = find_monster(g, card)
    assert fight is not None and monster is not None
    f.asks = []
    f.left.remove(card)
    f.monster = card
    f.rolled = True
    if Escape(f.seat, -1) in fight.safe:
        g.emit(SafeUsed(f.seat))
        _escaped(g, f, monster, NO_ROLL_NEEDED)
        f.step = "choose"
        return
    if inescapable(g, monster):
        f.die, f.step = 0, "caught"
        return
    f.step = "rolled"
    begin_throw(g, Throw(seat=f.seat, of="run", why="run away", need=NEED, monster=card))


def _rolled(g: Game, f: Run, fight: Fight) -> bool:
    """The number counts: the runner escapes, or may still pay (flee.roll)."""
    end_lasting(g, f.seat, "roll", "the roll is made")
    f.step = "escaped" if f.paid >= NEED else "pay"
    return False


def _pay(g: Game, f: Run, fight: Fight) -> bool:
    """After a failed roll, some players may pay with cards, if they can pay enough to escape. A player may use all
    their cards that allow paying, each up to its own limit; each card paid counts where it gives most (flee.pay)."""
    worth = sorted((mod.by for mod, _, _ in mods_of(g, f.seat, v.PayRoll) for _ in range(mod.most)), reverse=True)
    options = payable(g, f.seat) if worth else []
    needed = next((n for n in range(len(worth) + 1) if f.paid + sum(worth[:n]) >= NEED), len(options) + 1)
    if needed > len(options):
        f.step = "caught"
        return False
    picks = choose(g, f, f.seat, "pay roll", options, lo=0, hi=needed)
    if picks is None:
        return True
    spend(g, f.seat, picks)
    f.step = "escaped" if len(picks) == needed else "caught"
    return False


def _after_escape(g: Game, f: Run, fight: Fight) -> bool:
    """The roll was enough: the runner gets away (flee.roll)."""
    monster = find_monster(g, f.monster)
    f.step = "choose"
    if monster is not None:
        _escaped(g, f, monster)
    return False


def _escaped(g: Game, f: Run, monster: Monster, why: str = "") -> None:
    """The runner gets away; some monsters hurt even those who escape (flee.bad-stuff). why: as in events.Fled."""
    g.emit(Fled(f.seat, monster.id, monster.defn, True, why))
    _run_text(g, f, monster, "escaped")


def _caught(g: Game, f: Run, fight: Fight) -> bool:
    """The monster does its Bad Stuff at once (flee.bad-stuff)."""
    monster = find_monster(g, f.monster)
    f.step = "choose"
    if monster is not None:
        g.emit(Fled(f.seat, monster.id, monster.defn, False, "" if f.die else NO_ESCAPE))
        _run_text(g, f, monster, "bad")
    return False


def _run_text(g: Game, f: Run, monster: Monster, part: str) -> None:
    number = g.cat.cards[monster.defn].part(part)
    if number >= 0:
        g.state.stack.append(
            Program(defn=monster.defn, part=number, you=f.seat, victim=f.seat, monster=monster.group)
        )
    elif part == "bad":
        g.emit(Fizzled(f.seat, monster.defn, NO_BAD_STUFF))


_STEPS = {
    "order": _order, "next": _next, "choose": _choose, "rolled": _rolled, "pay": _pay, "escaped": _after_escape,
    "caught": _caught,
}  # fmt: skip
