"""The checkpoint: consequences that the rules demand at once, handled one at a time, the active seat first.

Card texts and procedures only note them (`Game.note`) or leave the state dirty; nothing here runs while a card text
runs. The consequences, in order (`_DIRTY_STEPS`, then `_PENDING_STEPS`, at the end of the file):

    winners: the winning Level ends the game (win.level-10, win.together)
    excess: a player who has too much of something gets down to the limit (core/procedures/over_limit.py)
    three levels: three Levels in one turn close a Seal (seal.close-three-levels)
    compelled: a helper who was compelled may leave a fight for the win (help.compelled)
    bodies: bodies are looted (death.loot-when)
    deadly seal: a player who died opens a Seal (seal.death)
"""

from collections.abc import Callable

from core.operations.seals import close_seal, open_seal
from core.procedures.over_limit import excess_of, keep_what_had_room
from core.queries.conditions import laying_out
from core.queries.rewards import for_the_win, helper_wins
from core.state.events import Chose, HelperCame, HelperLeft, Settled, Won
from core.state.game import Game, choose
from core.state.model import Backout, Excess, Looting, Program, Run, Throw
from core.state.reader import living

Step = Callable[[Game], bool]
_AT_WORK = frozenset((Program, Excess, Backout, Throw))
"""Frames that must end before anything else is begun."""
_BEFORE_BODIES = (Run, Looting)
"""Frames that must end before the next body is looted."""


def checkpoint(g: Game) -> bool:
    """Begin the first consequence that is due in a state that is `stirred`; return False if none is.

    Nothing is due while first cards are laid out: a consequence would show them, and might give a card to a seat that
    is not ready (setup.order).
    """
    s = g.state
    if laying_out(g):
        return False
    if s.pending:
        _keep_rooms(g)
    if not _AT_WORK.isdisjoint(map(type, s.stack)):
        return False
    if s.dirty:
        if not g.reads.settled:
            if _begin_first(g, _DIRTY_STEPS):
                return True
            g.reads.settled = True
        s.dirty = False
    noted = bool(s.pending) or (s.fight is not None and s.fight.compelled)
    return noted and _begin_first(g, _PENDING_STEPS)


def _begin_first(g: Game, steps: dict[str, Step]) -> bool:
    """Begin the first of these consequences that is due; return False if none is."""
    for step in steps.values():  # noqa: SIM110  (a generator costs several times as much)
        if step(g):
            return True
    return False


def _keep_rooms(g: Game) -> None:
    """Let Items for which a lost Ally had made room stay, before any surplus is counted (self.ally-extra)."""
    for seat in [due.seat for due in g.state.pending if due.what == "room"]:
        keep_what_had_room(g, seat)
        g.emit(Settled("room", seat))


def _winners(g: Game) -> bool:
    """End the game if somebody has the winning Level; fighter and helper both win if one combat took both there
    (win.level-10, win.together)."""
    s = g.state
    goal = s.options.win_level
    won = [seat for seat, player in enumerate(s.seats) if player.level >= goal and not player.dead]
    if not won:
        return False
    shared = [due.seat for due in s.pending if due.what == "shared" and due.seat not in won]
    g.emit(Won(sorted(won + shared), "shared" if shared else "level"))
    return True


def _excess(g: Game) -> bool:
    """Let the first seat that has too much of something get down to the limit."""
    found = [excess_of(g, seat) for seat in range(len(g.state.seats))]
    for seat in living(g) if any(found) else ():
        surplus = found[seat]
        if surplus is not None:
            g.state.stack.append(Excess(step="keep", seat=seat, what=surplus.text))
            return True
    return False


def _bodies(g: Game) -> bool:
    """Loot the next body, in the order of the deaths, once the event that killed is over (death.loot-when)."""
    dead = [due.seat for due in g.state.pending if due.what == "loot"]
    if not dead or _bodies_wait(g):
        return False
    g.emit(Settled("loot", dead[0]))
    g.state.stack.append(Looting(step="order", seat=dead[0]))
    return True


def _bodies_wait(g: Game) -> bool:
    """Return whether the event that killed the player still goes on, or another body is being looted."""
    return any(isinstance(frame, _BEFORE_BODIES) for frame in g.state.stack)


def _three_levels(g: Game) -> bool:
    """Close a Seal for a player who has gained three Levels in this turn, once for each (seal.close-three-levels)."""
    s = g.state
    if not s.seals_open:
        return False
    for seat, player in enumerate(s.seats):
        if player.gained >= 3 and not player.sealed:
            close_seal(g, "three levels in one turn", seat)
            return True
    return False


def _deadly_seal(g: Game) -> bool:
    """A player who died opens a Seal after the looting; for several deaths the active player opens one (seal.death)."""
    died = [due.seat for due in g.state.pending if due.what == "seal"]
    if not died or _bodies_wait(g):
        return False
    for seat in died:
        g.emit(Settled("seal", seat))
    open_seal(g, died[0] if len(died) == 1 else g.state.turn.seat)
    return True


def _compelled(g: Game) -> bool:
    """Ask a compelled helper whether to leave once the fight would let its fighter win the game (help.compelled)."""
    fight = g.state.fight
    if fight is None or not fight.compelled or fight.helper < 0 or fight.stage != "fight":
        return False
    if not for_the_win(g):
        return False
    g.state.stack.append(Backout(step="ask", seat=fight.helper))
    return True


def run_backout(g: Game, f: Backout) -> bool:
    """Ask a compelled helper whether to leave; return True while it is asked. A helper that stays is no longer
    compelled (help.match-point)."""
    fight = g.state.fight
    if fight is None or fight.helper != f.seat or not fight.compelled:
        g.state.stack.pop()
        return False
    picks = choose(g, f, f.seat, "back out", [0, 1], texts=["back out", "stay and help"])
    if picks is None:
        return True
    g.state.stack.pop()
    if picks[0] == 0:
        g.emit(HelperLeft(f.seat, "backs out"))
    else:
        g.emit(HelperCame(f.seat, False, fight.bargain))
        g.emit(Chose(f.seat, -1, "stays and helps" + (" to win as well" if helper_wins(g) else "")))
    return False


_DIRTY_STEPS: dict[str, Step] = {"winners": _winners, "excess": _excess, "three levels": _three_levels}
"""Checked after each change of the state that can make one of them due. They read only seats, Seals and the things that
conditions of gear depend on, so they stay settled until an event touches these (core/state/read_cache.py)."""
_PENDING_STEPS: dict[str, Step] = {"compelled": _compelled, "bodies": _bodies, "deadly seal": _deadly_seal}
"""Checked when a consequence is noted or a compelled helper is in the fight."""
