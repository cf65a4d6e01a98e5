"""The stage: what matters now, in the middle of the table."""

from netcode.protocol.wire import Timers
from tui.render import combat
from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane


class Stage(Pane):
    """Shows the stage with its clock."""

    def update(self, scene: Scene, session: TableSession) -> None:
        """Show this scene. session: for the clocks, which are read each time the stage is drawn."""
        self.show(lambda width, height: draw(scene, combat.timer_words(session, scene), width, height))


def draw(scene: Scene, clock: str, width: int, height: int) -> list[Line]:
    """Draw the stage. clock: in words, empty if none runs."""
    if height < 6:
        return combat.panel(scene, width, height, clock)
    canvas = Canvas(width, height, scene.glyphs)
    fight = scene.fight is not None and not scene.view.winners
    title, colour = ("COMBAT", "foe") if fight else ("TABLE", "line")
    canvas.box(0, 0, width, height, colour, ((title, "bold"),), heavy=fight)
    canvas.paste(2, 1, combat.panel(scene, width - 4, height - 2, clock), width - 4)
    return canvas.lines()


def ticks(scene: Scene, clocks: Timers) -> bool:
    """Return whether the stage shows a running time."""
    return scene.view.window is not None or bool(clocks.prompts) or bool(clocks.banks) or clocks.pause >= 0
