"""The checkpoint: consequences that the rules demand at once, worked off one at a time, active seat first.

Verbs only record them (or leave the state dirty); nothing here runs while card text is at work.
"""

from core.operations.seals import close_seal, open_seal
from core.procedures.over_limit import excess_of, keep_what_had_room, suspects
from core.queries.conditions import laying_out
from core.queries.strength import helper_wins, kill_levels
from core.state.events import Chose, HelperCame, HelperLeft, Settled, Won
from core.state.game import Game, choose
from core.state.model import Backout, Excess, Looting, Program, Run

_AT_WORK = frozenset((Program, Excess, Backout))
_BEFORE_BODIES = (Run, Looting)


def checkpoint(g: Game) -> bool:
    """Work off what is due; True if something was begun (or the game is over). Nothing while first cards are laid out:
    a remedy would show them, and would have to give to somebody who is not ready (setup.order)."""
    s = g.state
    if not (s.dirty or s.pending or (s.fight is not None and s.fight.compelled)) or laying_out(g):
        return False
    _rooms(g)
    if not _AT_WORK.isdisjoint(map(type, s.stack)):
        return False
    if s.dirty:
        if _winners(g) or _first_excess(g) or _three_levels(g):
            return True
        s.dirty, g.checked = False, len(g.events)
    return _compelled(g) or (bool(s.pending) and (_bodies(g) or _deadly_seal(g)))


def _rooms(g: Game) -> None:
    """What an Ally that is gone made room for stays, before anybody looks for an excess (self.ally-extra)."""
    for seat in [due.seat for due in g.state.pending if due.what == "room"]:
        keep_what_had_room(g, seat)
        g.emit(Settled("room", seat))


def _winners(g: Game) -> bool:
    """The winning level ends the game at once; both win if one combat took both there (win.level-10, win.together)."""
    s = g.state
    goal = s.options.win_level
    won = [seat for seat, player in enumerate(s.seats) if player.level >= goal and not player.dead]
    if not won:
        return False
    shared = [due.seat for due in s.pending if due.what == "shared" and due.seat not in won]
    g.emit(Won(sorted(won + shared), "shared" if shared else "level"))
    return True


def _bodies(g: Game) -> bool:
    """Bodies are looted when the event that killed is over, in the order of the deaths (death.loot-when)."""
    s = g.state
    if any(isinstance(frame, _BEFORE_BODIES) for frame in s.stack):
        return False
    for due in s.pending:
        if due.what == "loot":
            g.emit(Settled("loot", due.seat))
            s.stack.append(Looting(step="order", seat=due.seat))
            return True
    return False


def _three_levels(g: Game) -> bool:
    """Three levels up in one turn close a Seal, once for each player (seal.close-three-levels)."""
    s = g.state
    if not s.seals_open:
        return False
    for seat, player in enumerate(s.seats):
        if player.gained >= 3 and not player.sealed:
            close_seal(g, "three levels in one turn", seat)
            return True
    return False


def _deadly_seal(g: Game) -> bool:
    """Who died opens a Seal once looted; several deaths open one, by whose turn it is (seal.death)."""
    s = g.state
    if any(isinstance(frame, _BEFORE_BODIES) for frame in s.stack):
        return False
    died = [due.seat for due in s.pending if due.what == "seal"]
    if not died:
        return False
    for seat in died:
        g.emit(Settled("seal", seat))
    open_seal(g, died[0] if len(died) == 1 else s.turn.seat)
    return True


def _compelled(g: Game) -> bool:
    """A fight that has become one for the win, of its fighter, lets the compelled helper go (help.compelled)."""
    fight = g.state.fight
    if fight is None or not fight.compelled or fight.helper < 0 or fight.stage != "fight":
        return False
    if g.state.seats[fight.seat].level + kill_levels(g) < g.state.options.win_level:
        return False
    g.state.stack.append(Backout(step="ask", seat=fight.helper))
    return True


def run_backout(g: Game, f: Backout) -> bool:
    """Stay or go; who stays does so of free will from then on (help.match-point)."""
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


def _first_excess(g: Game) -> bool:
    seats = suspects(g)
    reader = g.reader() if seats else g
    for seat in seats:
        what = excess_of(reader, seat)
        if what:
            g.state.stack.append(Excess(step="keep", seat=seat, what=what))
            return True
    return False
