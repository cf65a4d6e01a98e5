"""The clocks in words: how long a window, a hold or a prompt has left. Pure but for reading the client's clock."""

from tui.scene.scene import Scene, letter
from tui.scene.table_session import Session

CELLS = 8


def timer_words(session: Session, scene: Scene) -> str:
    """For the heading of the combat panel: a bar and seconds of what runs now; empty if nothing does."""
    if scene.info.vote is not None or scene.info.stage == "paused":
        return "the clock stands still"
    timers = session.client.clocks()
    window = scene.view.window
    if timers.hold >= 0:
        who = scene.who(window.holder) if window is not None and window.holder >= 0 else "somebody"
        return f"held by {who}: {seconds(timers.hold)}"
    if window is not None and timers.window >= 0:
        return f"{bar(timers.window, timers.window_full, scene)} {seconds(timers.window)}"
    if window is not None:
        return "no clock: all must pass" if not window.passed else "the others have not passed yet"
    if scene.me in timers.prompts:
        return f"you have {seconds(timers.prompts[scene.me])}"
    for seat in sorted(timers.prompts):
        if timers.prompts[seat] >= 0:
            return f"{letter(seat)} has {seconds(timers.prompts[seat])}"
    return ""


def seconds(ms: int) -> str:
    """1.6s below ten seconds, whole seconds above."""
    return f"{ms / 1000:.1f}s" if ms < 10_000 else f"{ms // 1000}s"


def bar(left: int, full: int, scene: Scene) -> str:
    """What is left of the time, as a bar of fixed length."""
    cells = max(0, min(CELLS, -(-left * CELLS // max(1, full))))
    return f"[{scene.glyphs.full * cells}{scene.glyphs.empty * (CELLS - cells)}]"
