"""What a window that is too small shows instead of the table."""

from collections.abc import Sequence

from textual.reactive import var

from tui.scene.cells import Line, block, wrap
from tui.scene.scene import Scene
from tui.widgets.table.foot import Asked
from tui.widgets.table.prompt import Row
from tui.widgets.table.scene_pane import ScenePane


class Gate(ScenePane):
    """Says that the window is too small, and asks whether to leave."""

    asked: var[Asked | None] = var(None, init=False)
    """What is asked; None in a recording."""

    def watch_asked(self) -> None:
        """Draw the question anew."""
        if self.scene is not None:
            self.update(self.scene)

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        asked = self.asked
        question = asked.prompt.question if asked is not None else ""
        rows = asked.rows if asked is not None and asked.leaving else ()
        self.show(lambda width, height: gate(scene, width, height, question, rows))


def gate(scene: Scene, width: int, height: int, question: str = "", asked: Sequence[Row] = ()) -> list[Line]:
    """Return what is shown instead of the table in a window that is too small. asked: the question whether to leave,
    with its answers."""
    leave = scene.key_names["app.quit"]
    words = f"This window is {width} by {height}; the table needs 60 by 20. Make it larger, or leave with {leave}."
    texts = wrap(words, max(10, width - 2), scene.glyphs)
    if asked:
        texts = [line for text in (question, *(f"{row.key} {row.words}" for row in asked))
                 for line in wrap(text, max(10, width - 2), scene.glyphs, "    ")]  # fmt: skip
    lines: list[Line] = [((text, "warn"),) for text in texts]
    return block(lines, width, height, scene.glyphs)
