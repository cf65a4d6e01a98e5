"""Whether anybody may join the fight as helper now: asked, offered or compelled."""

from core.queries.modifiers import forbidden
from core.queries.rewards import for_the_win
from core.state.reader import Reader
from core.state.refusals import Clause


def help_clause(g: Reader) -> Clause | None:
    """Return the clause that forbids everybody to join the fight as helper: it is decided, somebody helps already, or a
    card forbids it (help.ask, help.ask-when)."""
    fight = g.state.fight
    if fight is None or fight.stage != "fight":
        return "help.ask-when"
    return "help.ask" if fight.helper >= 0 or forbidden(g, "help", fight.seat) else None


def compel_clause(g: Reader, seats: list[int]) -> Clause | None:
    """Return the clause by which none of these seats can be compelled to help: nobody may help, the fight would win the
    game, or the seats are dead or fight themselves (help.compelled)."""
    clause = help_clause(g)
    if clause:
        return clause
    return "help.compelled" if for_the_win(g) or not any(may_be_compelled(g, seat) for seat in seats) else None


def may_be_compelled(g: Reader, seat: int) -> bool:
    """Return whether a seat could be compelled to help, in a fight where compelling is allowed."""
    fight = g.state.fight
    return fight is not None and seat != fight.seat and not g.state.seats[seat].dead
