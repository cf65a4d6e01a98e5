"""The legal actions to which the menus of a scene lead."""

import msgspec

from core.state import actions as a
from tui.menus.choices import card_menu, gear_menu, root
from tui.menus.entries import Go, Menu, Picker
from tui.menus.offer_editor import Draft
from tui.scene.scene import Scene

FREE = (a.Pass, a.Hold, a.Offer, a.Counter, a.Give)
"""Actions that menus need not lead to: SPACE and z send them, or the offer editor writes them."""


def reached(scene: Scene) -> set[object]:
    """Return every action that the menus lead to. A set of cards stands for all its actions, as (verb, card)."""
    found: set[object] = set()

    def walk(go: Go) -> None:
        if isinstance(go, Menu):
            for entry in go.entries:
                walk(entry.go)
        elif isinstance(go, Picker):
            made = go.make(tuple(go.pick.among[: go.pick.lo]))
            found.add((type(made), getattr(made, "card", getattr(made, "ask", 0))))
        elif not isinstance(go, Draft):
            found.add(msgspec.json.encode(go))

    walk(root(scene))
    walk(gear_menu(scene))
    for card in scene.hand():
        walk(card_menu(scene, card))
    return found


def unreachable(scene: Scene) -> list[a.Action]:
    """Return the legal actions of the seat that no menu leads to."""
    if scene.you is None:
        return []
    found = reached(scene)
    return [
        option.action for option in scene.you.legal
        if not isinstance(option.action, FREE)
        and msgspec.json.encode(option.action) not in found
        and (type(option.action), getattr(option.action, "card", getattr(option.action, "ask", 0))) not in found
    ]  # fmt: skip
