"""The lines of every region of the screen, for one scene and size."""

from collections.abc import Iterator

from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.render import details, hand
from tui.render.details import Detail
from tui.scene.cells import Line
from tui.scene.clock import Clock
from tui.scene.scene import Scene
from tui.widgets.cards.page import card_page, cards_to_read
from tui.widgets.table import head, history, seats, stage, track
from tui.widgets.table.hand import hand_list
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
    yield "choosing", hand.choosing(scene, menus, here, width, height)
    yield "prompt", hand.prompt(scene, prompt, menus, here, width, 2)
    yield "footer", hand.footer(scene, hand.footer_keys(scene, menus, ""), width)
    yield "reading", reading(scene, scene.selected(), width, height)
    for shown in cards_to_read(scene) if width >= 60 and height >= 11 else ():
        yield f"the large {scene.title(shown.card)}", card_page(scene, shown, "1 of 2", width, height)
    for kind in ("seat", "why", "offers", "keys"):
        yield kind, details.detail(scene, Detail(kind), width, height)
