"""What becomes of an Item that is played from the hand: equipped, or only carried, and why. Pure."""

from core.language.definition import Def
from core.sheet import only_carried
from core.text.card_phrases import Phrases
from tui.scene.scene import Scene

_TAKEN = {
    "head": "you wear Headgear already", "armor": "you wear Armor already", "feet": "you wear Footgear already",
    "vehicle": "you have a Vehicle already",
}  # fmt: skip
"""Why there is no room, by the slot; Items without one of these take hands."""


def only_carried_words(scene: Scene, card: int) -> tuple[str, ...]:
    """Return why an Item in hand would not be equipped if it were played now, the longest words first; () if it would
    be, or is no Item that can be."""
    definition = scene.definition(card)
    if definition.kind != "item" or definition.card.one_shot or scene.me < 0:
        return ()
    clause = only_carried(scene.catalog, scene.view, scene.me, card)
    if clause is None:
        return ()
    why = _restriction(scene, definition) if clause == "item.restricted" else ""
    if clause == "item.slots":
        why = _TAKEN.get(definition.slot, "your hands are full")
    whole = (f"carried, not equipped: {why}",) if why else ()
    return *whole, "carried, not equipped", "only carried", "carried"


def _restriction(scene: Scene, definition: Def) -> str:
    """Return who may use an Item: `only if you are an Elf`."""
    words = Phrases(next((head for head in scene.catalog.packs if head.id == definition.set_id), None))
    only, unless = definition.card.only, definition.card.unless
    parts = [f"only if {words.condition(only, 'you')}"] if only is not None else []
    parts += [f"not if {words.condition(unless, 'you')}"] if unless is not None else []
    return " and ".join(parts)
