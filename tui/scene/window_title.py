"""Whose turn it is, for the title of the terminal's window. Pure."""

from tui.scene.cells import clean, shorten
from tui.scene.scene import Scene
from tui.scene.situation import acting, laying_out

NAME_MOST = 20
"""Cells of a name."""


def window_title(scene: Scene, asked: bool) -> str:
    """Return the title for this moment. asked: whether the table waits for this player."""
    mark = f"{'>' if scene.glyphs.ascii else '▶'} " if asked else ""
    if scene.view.winners:
        return "the game is over"
    seat = acting(scene)
    if asked and scene.view.turn != scene.me and not laying_out(scene):
        return f"{mark}you are asked"
    if seat == scene.me >= 0 or asked:
        return f"{mark}your turn"
    return f"{shorten(clean(scene.name(seat), scene.glyphs), NAME_MOST, scene.glyphs)}'s turn" if seat >= 0 else ""
