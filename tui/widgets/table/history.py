"""What happened, and what was said: beside the stage where there is room."""

from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.table.log import events_of, heading, newest, talk_lines
from tui.widgets.table.scene_pane import ScenePane

RECENT = 120
"""How many entries are looked at for the last lines."""
TALK_LEAST = 4
"""The least rows of the talk, with its heading and its key, where there is room for both."""


class History(ScenePane):
    """Shows the newest lines of the log, and of the talk below them."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        board = scene.board
        shown = scene.log[-RECENT:], scene.me, scene.glyphs, scene.key_names, scene.replay
        self.show(lambda width, height: draw(board, width, height), shown)


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw both in one box, the newest lines last."""
    canvas = Canvas(width, height, scene.glyphs)
    room = height - 2
    key = scene.key_names["table.log"]
    canvas.box(0, 0, width, height, "line", (("What happened", "dim"),), ((key, f"gold|{key}"), (" all", f"dim|{key}")))
    talk = _talk(scene, width - 3, max(TALK_LEAST, room // 3)) if room >= 3 * TALK_LEAST else []
    rows = room - len(talk)
    canvas.paste(1, 1, newest(scene, events_of(scene.log[-RECENT:]), width - 3, rows), width - 3)
    canvas.paste(1, 1 + rows, talk, width - 3)
    return canvas.lines()


def _talk(scene: Scene, width: int, most: int) -> list[Line]:
    """Return the newest talk below its heading, in at most so many rows, and the key to speak."""
    found: list[Line] = []
    said = [entry for entry in scene.log[-RECENT:] if entry.kind == "talk"]
    while said and len(found) + len(more := talk_lines(scene, said[-1], width)) <= most - 2:
        found = more + found
        said.pop()
    key = scene.key_names["table.talk"]
    keys: list[Line] = [] if scene.replay else [((" ", ""), (key, f"gold|{key}"), (" speak", f"dim|{key}"))]
    return [heading(scene, "Talk", width), *found, *keys]
