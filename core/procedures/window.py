"""The window: a moment in which every player may still act before a result is final (combat.window).

A window opens over a step of the frame below. It closes when every living seat has passed or its time is up, and that
frame continues at the step in `AFTER`. A card or power spent meanwhile opens it again with a new number.
"""

from core.state.events import WindowClosed, WindowOpened
from core.state.game import Game, oblige
from core.state.model import Window
from core.state.reader import Reader


def open_window(g: Game, kind: str, seat: int) -> None:
    """Open a window on top. kind: kick, claim, lost, removed or reward. The seat that asked for it counts as having
    passed."""
    number = g.state.window_no + 1
    g.emit(WindowOpened(kind, number, seat))
    g.state.stack.append(Window(step="open", kind=kind, id=number, seat=seat, spent=g.state.spent, passed=[seat]))


def run_window(g: Game, f: Window, still_true: bool) -> bool:
    """Run a window; return True while it is open.

    It opens again when a card or power was spent or the fight has changed. It is withdrawn, and the step below asks
    again, if the result it announced no longer holds (not still_true), or if something was spent in a kick window.
    """
    changed = f.spent != g.state.spent
    if not still_true or (changed and f.kind == "kick"):
        g.state.stack.pop()
        g.emit(WindowClosed(f.id, "withdrawn"))
        return False
    if changed:
        f.spent, f.passed, f.holder, f.closed = g.state.spent, [f.seat], -1, False
        f.id = g.state.window_no + 1
        g.emit(WindowOpened(f.kind, f.id, f.seat))
    if closing(g, f):
        g.state.stack.pop()
        g.state.stack[-1].step = AFTER[f.kind]
        g.emit(WindowClosed(f.id, f.kind))
        return False
    return stay_open(g, f)


def stay_open(g: Game, f: Window) -> bool:
    """Keep a window open: it waits for everybody or, while it is held, for its holder. Return True."""
    if f.holder >= 0:
        oblige(g, f, f.holder, "hold")
    else:
        f.asks = []
    return True


def closing(g: Reader, f: Window) -> bool:
    """Return whether the time of a window is up, or every living seat has passed."""
    if not f.closed:
        for no, player in enumerate(g.state.seats):
            if no not in f.passed and not player.dead:
                return False
    return True


AFTER = {"kick": "door", "claim": "won", "lost": "run", "removed": "removed", "reward": "reward"}
"""The step at which the frame below continues after a window of each kind has closed."""
