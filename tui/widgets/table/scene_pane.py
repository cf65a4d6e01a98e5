"""The base of the regions of the table: panes that are drawn from a scene."""

from textual.reactive import var

from tui.scene.scene import Scene
from tui.widgets.pane import Pane


class ScenePane(Pane):
    """Shows a scene. Each region defines in `update` how; the table binds `scene` to its own scene."""

    scene: var[Scene | None] = var(None, init=False, always_update=True)

    def watch_scene(self, scene: Scene | None) -> None:
        """Draw the scene: only cells that have changed are painted."""
        if scene is not None:
            self.update(scene)

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        raise NotImplementedError
