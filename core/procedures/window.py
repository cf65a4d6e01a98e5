"""The window: a moment in which everybody may still speak up before a result is final."""

from core.state.events import WindowClosed, WindowOpened
from core.state.game import Game, oblige
from core.state.model import Window
from core.state.reader import Reader


def open_window(g: Game, kind: str, seat: int) -> None:
    """A window opens on top: kick, claim, lost or removed. Who asked for it counts as having passed."""
    number = g.state.window_no + 1
    g.emit(WindowOpened(kind, number, seat))
    g.state.stack.append(Window(step="open", kind=kind, id=number, seat=seat, spent=g.state.spent, passed=[seat]))


def run_window(g: Game, f: Window, still_true: bool) -> bool:
    """True while it is open. It opens anew when a card or power was spent or the fight changed; if what it is about is
    no longer so, or a kick was spoken up to, it goes and the step below asks again."""
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
    return stands(g, f)


def stands(g: Game, f: Window) -> bool:
    """It stays open, and waits for everybody or, while it is held, for its holder."""
    if f.holder >= 0:
        oblige(g, f, f.holder, "hold")
    else:
        f.asks = []
    return True


def closing(g: Reader, f: Window) -> bool:
    """Its time is up, or every living seat has passed."""
    return f.closed or all(player.dead or seat in f.passed for seat, player in enumerate(g.state.seats))


AFTER = {"kick": "door", "claim": "won", "lost": "run", "removed": "removed"}
"""The step of the frame below at which it goes on once a window has closed."""
