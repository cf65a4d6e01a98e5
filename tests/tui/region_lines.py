"""The lines of every region of the screen, for one scene and size."""

from collections.abc import Iterator

from tui.menus.keyed import Keys
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.render import details
from tui.render.details import Detail
from tui.scene.cells import Line
from tui.scene.clock import Clock
from tui.scene.scene import Scene
from tui.screens.parts.key_line import key_line
from tui.widgets.cards.page import card_page, cards_to_read
from tui.widgets.table import head, history, seats, stage, track
from tui.widgets.table.hand import hand_list
from tui.widgets.table.prompt import Row, draw, draw_keys, pages, turned
from tui.widgets.table.reading import reading


def regions(scene: Scene, width: int, height: int) -> Iterator[tuple[str, list[Line]]]:
    """Yield the name and the lines of every region of a scene at one size."""
    menus = MenuState()
    here, _ = menus.here(scene)
    prompt = prompt_for(scene, menus, here)
    yield "head", head.draw(scene, width, 1)
    yield "track", track.draw(scene, width, 2)
    yield "seats", seats.draw(scene, width, height)
    yield "history", history.draw(scene, width, height)
    yield "stage", stage.draw(scene, Clock("1.6 s", 1600, 5000), width, height)
    yield "hand", hand_list(scene, width, height, str)
    keyed = Keys()
    keyed.arrange(scene, 0.0)
    keyed.update(scene, menus, here, 0.0)
    rows = [Row(one.key, one.words, one.outlook, one.asks) for one in keyed.choices]
    for rows_high in (2, 3, 6):
        yield "prompt", draw(scene, prompt, turned(pages(rows, rows_high - 1, width), 0, False), width, rows_high)
    yield "keys", draw_keys(key_line(scene, False, ""), width, scene.glyphs)
    yield "reading", reading(scene, scene.selected(), width, height)
    for shown in cards_to_read(scene) if width >= 60 and height >= 11 else ():
        yield f"the large {scene.title(shown.card)}", card_page(scene, shown, "1 of 2", width, height)
    for kind in ("seat", "why", "offers", "keys"):
        yield kind, details.detail(scene, Detail(kind), width, height)
