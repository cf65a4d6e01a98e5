"""Which keys the last line of the table names: those that do something now."""

from tui.menus.hint import undecided
from tui.menus.owner_menus import knocking_words
from tui.scene.clock import limited
from tui.scene.scene import Scene
from tui.scene.situation import has_seals


def key_line(scene: Scene, nested: bool, reading: str, covered: bool = False) -> list[tuple[str, str]]:
    """Return the bindings whose keys do something now, with short words, most useful first; the last one stands at the
    end of the line. covered: whether the hand is out of sight."""
    knocks = knocking_words(scene.knocks)
    keys: list[tuple[str, str]] = [("table.door", knocks)] if knocks else []
    if reading:
        keys += [("prompt.back", "close"), ("table.max", "larger")]  # the heading says if there is more
    if scene.hand() and not covered:
        keys += [("hand.next", "card")] if len(scene.hand()) > 1 else []
        keys += [("hand.use", "use")] if not nested else []
        keys += [("table.read", "read")]
    keys += [("table.why", "why"), ("table.rules", "rules")]
    if scene.me >= 0 and not scene.view.winners and not scene.replay:
        keys += [("table.hint", "hints" if undecided(scene) else "hint")]
    window, you = scene.view.window, scene.you
    if window is not None and you is not None and not window.passed:
        more = window.holds > 0 and window.holder < 0 and limited(scene.timers)
        keys += [("prompt.hold", "more time")] if more else []
        keys += [("prompt.autopass", "pass until it changes")] if scene.fight is not None else []
    keys += [("table.seals", "Seals")] if has_seals(scene) else []
    keys += [("table.log", "log"), ("table.recap", "recap"), ("table.others", "others"), ("table.talk", "talk")]
    if scene.me >= 0 and not scene.view.winners and scene.undo is not None and scene.info.vote is None:
        keys += [("table.back", "undo")]
    if scene.me >= 0 and scene.me == scene.info.owner and not nested:
        keys += [("table.owner", "owner")]
    return [*keys, ("app.palette", "all"), ("app.quit", "leave"), ("app.keys", "keys")]
