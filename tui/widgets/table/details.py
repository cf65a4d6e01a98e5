"""What is being read beside the hand: a seat, the reasons of a sum, offers, Seals, keys."""

from textual.reactive import var

from tui.render.details import Detail, detail
from tui.scene.scene import Scene
from tui.widgets.table.scene_pane import ScenePane


class Details(ScenePane):
    """Shows what is being read. The table sets `reading` before the scene."""

    reading: var[Detail] = var(Detail, init=False)

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        reading = self.reading
        self.show(lambda width, height: detail(scene, reading, width, height))
