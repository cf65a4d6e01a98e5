"""The stage of a situation as plain rows."""

from rich.cells import cell_len

from tests.tui import samples, set_samples
from tui.scene.cells import UNICODE, Glyphs, plain
from tui.scene.clock import Clock
from tui.scene.scene import Scene
from tui.widgets.table import stage

CLOCK = Clock("1.6 s", 1600, 5000)


def scene_of(name: str, glyphs: Glyphs = UNICODE) -> Scene:
    """Return a situation of the samples as a scene."""
    if name in set_samples.SITUATIONS:
        box, view = set_samples.SITUATIONS[name]()
        return Scene(box.catalog, view=view, glyphs=glyphs, info=samples.info(6), me=samples.ME)
    return samples.scene(samples.SITUATIONS[name](), glyphs, me=-1 if name == "watching" else samples.ME)


def rows(scene: Scene, width: int, height: int, clock: Clock = CLOCK) -> list[str]:
    """Return the stage as plain rows, after checking its size."""
    found = [plain(line) for line in stage.draw(scene, clock, width, height)]
    assert len(found) == height
    assert [cell_len(row) for row in found] == [width] * height
    return found


def text(scene: Scene, width: int, height: int, clock: Clock = CLOCK) -> str:
    """Return the stage as one text."""
    return "\n".join(rows(scene, width, height, clock))
