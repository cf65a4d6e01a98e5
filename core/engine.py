"""The entry points of the rules: `new_game` and `submit`, and the loop that runs until somebody has to choose."""

from collections.abc import Callable
from typing import Any

from core.effects.control import perform
from core.execute import execute
from core.language.catalog import Catalog
from core.language.compiler import PARTS
from core.language.schema import Shield
from core.moves.bargains import sweep
from core.moves.legal import listed
from core.moves.play import play_clause
from core.moves.validate import refusal
from core.procedures.charity import run_charity, run_looting
from core.procedures.checkpoint import checkpoint, run_backout
from core.procedures.combat import run_combat, run_fight_window
from core.procedures.over_limit import run_excess
from core.procedures.rewards import run_rewards
from core.procedures.running_away import run_away
from core.procedures.setup import deal, fresh_state, run_setup
from core.procedures.throwing import run_throw
from core.procedures.turn import run_turn
from core.procedures.window import run_window
from core.queries.modifiers import mods_of
from core.state.actions import AnyAction, Counter, Decline, Give, Offer, Refusal, Withdraw
from core.state.events import (
    BY_ROLL,
    NONE_APPLIES,
    NOTHING_IN_IT,
    AnyEvent,
    Chose,
    Fizzled,
    Fled,
    Moved,
    Rolled,
    RolledAgain,
    Turned,
)  # fmt: skip
from core.state.game import Game, choose, to_discard
from core.state.model import (
    Backout,
    Charity,
    Combat,
    Excess,
    Looting,
    Options,
    Program,
    Rewards,
    Run,
    Setup,
    State,
    Throw,
    TurnFrame,
    Window,
    Zone,
)  # fmt: skip
from core.state.reader import Reader

STEP_BUDGET = 5000
"""At most this many steps of the loop for one action; card text that needs more never ends."""


IN_SIGHT_MOST = 500
"""At most this many cards, effects and bonuses on the table, so that every view fits a message of the host. Games with
the built-in sets have less than a hundred and fifty."""

ASIDE = frozenset((Give, Offer, Counter, Decline, Withdraw))
"""Actions that no frame waits for. If they do not touch the table, the game keeps waiting for the same answer."""


class Runaway(RuntimeError):
    """Raised when card text never ends or fills the table without end. The state must not be used any more: the host
    refuses the action and goes back to the state before it."""


def new_game(cat: Catalog, seats: int, options: Options, seed: bytes) -> tuple[State, list[AnyEvent]]:
    """Return a dealt game, in which seats lay out their first cards, and its events.

    seed: 1 to 64 bytes. Raises ValueError for an impossible number of seats.
    """
    state = fresh_state(seats, options, seed)
    g = Game(cat, state)
    deal(g)
    advance(g)
    state.rev = 1
    return state, g.events


def submit(cat: Catalog, state: State, seat: int, action: AnyAction) -> Refusal | list[AnyEvent]:
    """Carry out an action of a seat (-1: the host, for Close and Default), then run until somebody has to choose.

    Return the events, or the Refusal; a refused action changes nothing. Raises Runaway if card text never ends or
    fills the table.
    """
    if not listed(cat, state, seat, action):
        refused = refusal(Reader(cat, state), seat, action)
        if refused is not None:
            return refused
    g = Game(cat, state)
    setting_up = state.turn.no == 0
    execute(g, seat, action)
    if g.touched or type(action) not in ASIDE:
        advance(g)
    # everybody sees `rev`, and laying out first cards tells the others nothing (setup.order)
    if g.touched and _too_many(g):
        raise Runaway(f"more than {IN_SIGHT_MOST} cards and effects would be on the table")
    if g.events and (not setting_up or state.turn.no > 0):
        state.rev += 1
    state.step_no += 1
    return g.events


def _too_many(g: Game) -> bool:
    """Return whether every view would show too many cards, effects and bonuses. They are counted only if there may be
    too many since the last count."""
    reads = g.reads
    if reads.in_sight > IN_SIGHT_MOST:
        reads.in_sight = _in_sight(g.state)
    return reads.in_sight > IN_SIGHT_MOST


def _in_sight(state: State) -> int:
    """Return how many cards, effects and bonuses every view shows."""
    fight = state.fight
    found = 0 if fight is None else len(fight.cards) + len(fight.monsters) + len(fight.bonuses)
    for seat in state.seats:
        found += len(seat.table) + len(seat.lasting) + len(seat.body)
    return found


def start_turn(cat: Catalog, state: State, seat: int) -> list[AnyEvent]:
    """Begin the turn of this seat in a hand-built state (a scenario) and run to the first choice. Return the events."""
    state.stack.append(TurnFrame(step="start", seat=seat))
    g = Game(cat, state)
    advance(g)
    state.rev += 1
    return g.events


def advance(g: Game) -> None:
    """Run the game until somebody has to choose. A state that is already waiting stays as it is.

    Raises Runaway if that takes more than STEP_BUDGET steps.
    """
    s = g.state
    swept = 0  # how many events had touched the table when offers were last checked
    asked = False  # the step just run asked, but left something for the checkpoint
    for _ in range(STEP_BUDGET):
        if s.offers and g.touched != swept:
            sweep(g)
            swept = g.touched
        if s.winners or not s.stack:
            s.stack = []
            return
        stirred = s.dirty or s.pending or (s.fight is not None and s.fight.compelled)
        top = s.stack[-1]
        if (stirred and checkpoint(g)) or not RUN[type(top)](g, top):
            asked = False
        elif asked or not s.dirty:
            return
        else:
            asked = True
    top = s.stack[-1]
    name = g.cat.cards[top.defn].full_id if isinstance(top, Program) else type(top).__name__
    raise Runaway(f"{name}: no end after {STEP_BUDGET} steps")


def _run_window(g: Game, f: Window) -> bool:
    if f.kind == "kick":
        return run_window(g, f, not g.state.seats[f.seat].dead)
    return run_fight_window(g, f)


def _run_rewards(g: Game, f: Rewards) -> bool:
    return run_rewards(g, f, play_clause)


# --------------------------------------------------------------------------------------------------------- card text
def run_program(g: Game, f: Program) -> bool:
    """Run card text instruction by instruction, starting at `f.at`; return True while it asks.

    Raises Runaway if the text never ends.
    """
    if f.step == "shield" and _shield(g, f):
        return bool(f.asks)
    code = g.cat.cards[f.defn].parts[f.part] if f.part >= 0 else ()
    budget = STEP_BUDGET
    while f.at < len(code):
        address = perform(g, f, code[f.at])
        if address < 0:
            return True
        f.at = address
        budget -= 1
        if budget <= 0:
            raise Runaway(f"{g.cat.cards[f.defn].full_id}: its text has no end")
        if g.state.winners or g.state.stack[-1] is not f:
            return False
    finish(g, f)
    return False


def _shield(g: Game, f: Program) -> bool:
    """Let the victim of a curse use something in play against it; return True while the victim is asked."""
    if g.state.seats[f.victim].dead:
        f.part, f.step = -1, ""
        return False
    shields = [card for mod, card, _ in mods_of(g, f.victim, Shield) if card]
    f.step = "" if not shields else f.step
    if not shields:
        return False
    picks = choose(g, f, f.victim, "shield", [0, *shields], card=f.defn)
    if picks is None:
        return True
    f.step = ""
    if picks[0]:
        spent = any(mod.spent for mod, card, _ in mods_of(g, f.victim, Shield) if card == picks[0])
        g.emit(Fizzled(f.victim, f.defn, f"{g.of(picks[0]).name} keeps it off"))
        if spent:
            to_discard(g, picks[0], Zone("table", f.victim), "spent", f.victim)
        f.part = -1
    return False


def finish(g: Game, f: Program) -> None:
    """End a program and discard its card unless the card stays (curse.immediate). Emit an event if a Bad Stuff or a
    curse had no effect."""
    g.state.stack.remove(f)
    if f.part == _BAD or (f.part >= 0 and g.cat.cards[f.defn].kind == "curse"):
        _tell_nothing(g, f)
    if f.rest == "discard" and f.card in g.state.limbo:
        to_discard(g, f.card, Zone("limbo"), "done")


def _tell_nothing(g: Game, f: Program) -> None:
    """Emit the event that a Bad Stuff or a curse had no effect, if only dice and choices have happened since it
    struck."""
    rolled = False
    for event in reversed(g.events):
        rolled = rolled or isinstance(event, Rolled)
        if isinstance(event, Rolled | RolledAgain | Chose):
            continue
        caught = f.part == _BAD and isinstance(event, Fled)
        struck = f.card and isinstance(event, Moved | Turned) and f.card == getattr(event, "new", event.card)
        if caught or struck:
            g.emit(Fizzled(f.victim, f.defn, BY_ROLL if rolled else NONE_APPLIES if caught else NOTHING_IN_IT))
        return


_BAD = PARTS.index("bad")


RUN: dict[type, Callable[[Game, Any], bool]] = {
    Program: run_program, TurnFrame: run_turn, Combat: run_combat, Window: _run_window, Run: run_away,
    Rewards: _run_rewards, Charity: run_charity, Looting: run_looting, Excess: run_excess, Backout: run_backout,
    Setup: run_setup, Throw: run_throw,
}  # fmt: skip
"""The function that runs one step of each kind of frame; it returns True if the frame waits for somebody."""
