"""What happened, and what was said: beside the stage where there is room."""

from tui.render import details
from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane

TALK_ROWS = 6


class History(Pane):
    """Shows the newest lines of the log, and of the talk below them."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        self.show(lambda width, height: draw(scene, width, height))


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw both in one box."""
    canvas = Canvas(width, height, scene.glyphs)
    canvas.box(0, 0, width, height, "line", (("What happened", "dim"),), (("l all", "dim"),))
    talk = TALK_ROWS if height > 3 * TALK_ROWS else 0
    canvas.paste(2, 1, details.log(scene, width - 4, height - 2 - talk, not talk)[0:], width - 4)
    if talk:
        canvas.paste(2, height - 1 - talk, details.talk(scene, width - 4, talk), width - 4)
    return canvas.lines()
