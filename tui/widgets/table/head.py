"""The head of the table: the game, the turn, whose act it is; on the right the decks. One line."""

from tui.render.board import LAST_SEAL, has_seals, situation, waiting_for
from tui.scene.cells import Line, Span, length
from tui.scene.scene import Scene, seat_colour, shape
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane


class Head(Pane):
    """Shows the head of the table."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        self.show(lambda width, height: draw(scene, width, height))


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the head."""
    canvas = Canvas(width, height, scene.glyphs)
    right = _right(scene, width)
    end = width - length(right) - 1
    canvas.spans(1, 0, _left(scene, width), end - 3)
    canvas.spans(end, 0, right)
    return canvas.lines()


def _left(scene: Scene, width: int) -> Line:
    view = scene.view
    ascii_only = scene.glyphs.ascii
    spans: list[Span] = [("KICKDOOR", "bold gold")]
    if width >= 100:
        spans.append((f"  {scene.lexicon.first.name}", "dim"))
    spans += [(f"  Turn {view.turn_no}", ""), ("  ", "")]
    spans.append((f"{shape(view.turn, ascii_only)} {scene.name(view.turn)}", f"bold {seat_colour(view.turn)}"))
    spans.append((f" {situation(scene).lower()}", ""))
    if view.turn_after >= 0:
        spans.append((" (extra turn)", "gold"))
    waiting = waiting_for(scene)
    if scene.offline:  # here too, since an open menu replaces the prompt
        spans.append(("  no connection: trying again", "urgent"))
    elif waiting:
        spans += [("  waits for ", "dim"), (", ".join(waiting), "bold gold" if waiting[0] == "YOU" else "")]
    if view.extra_turn >= 0:
        spans += [("  then ", "dim"), (f"{scene.name(view.extra_turn)} (extra)", seat_colour(view.extra_turn))]
    return tuple(spans)


def _right(scene: Scene, width: int) -> Line:
    view = scene.view
    spans: list[Span] = [("AUTO-PASS  ", "warn")] if scene.auto else []
    if has_seals(scene):
        opened = len(view.seals_open)
        spans.append((f"Seals {opened} of {LAST_SEAL}  ", "bold foe" if opened == LAST_SEAL - 1 else "oneshot"))
    words = ("doors ", "  treasures ") if width >= 100 or not has_seals(scene) else ("", "+")
    spans += [(words[0], "dim"), (str(view.doors), ""), (words[1], "dim"), (str(view.treasures), "")]
    return tuple(spans)
