"""Why playing a card from the hand would be of little use: an Item would only be carried, or a card played in vain; and
why an Item in play is only carried. Pure."""

from core.knowledge.public_facts import only_carried
from core.language.catalog import Catalog
from core.language.definition import Def
from core.state.actions import Play
from core.state.model import Placed
from core.state.refusals import UNHELPED, VAIN, reason
from core.text.grammar import listed
from tui.scene.gear import carried, equipped
from tui.scene.lexicon import Lexicon
from tui.scene.scene import Refused, Scene

_TAKEN = {
    "head": "you wear Headgear already", "armor": "you wear Armor already", "feet": "you wear Footgear already",
    "vehicle": "you have a Vehicle already",
}  # fmt: skip
"""Why there is no room, by the slot; Items without one of these take hands."""
_NO_ROOM = {"head": "head taken", "armor": "armor worn", "feet": "feet taken", "vehicle": "one Vehicle"}
"""The same in the words that fit a card."""


def only_carried_words(scene: Scene, card: int) -> tuple[str, ...]:
    """Return why an Item in hand would not be equipped if it were played now, the longest words first; () if it would
    be equipped, or is not an Item that can be equipped."""
    definition = scene.definition(card)
    if definition.kind != "item" or definition.card.one_shot or scene.me < 0:
        return ()
    clause = only_carried(scene.catalog, scene.view, scene.me, card)
    if clause is None:
        return ()
    why, brief = "", ""
    if clause == "item.restricted":
        why, brief = restriction(scene.catalog, definition), "not for you"
    if clause == "item.slots":
        why, brief = _no_room(definition), _NO_ROOM.get(definition.slot, "hands full")
    whole = (f"carried, not equipped: {why}", f"carried: {why}", f"carried: {brief}", brief) if why else ()
    return *whole, "carried, not equipped", "only carried", "carried"


def limit_words(scene: Scene, card: int) -> str:
    """Return who may use an Item, if the reader may not now: `only if you are an Elf`; else ""."""
    definition = scene.definition(card)
    if definition.kind != "item" or scene.me < 0:
        return ""
    barred = only_carried(scene.catalog, scene.view, scene.me, card) == "item.restricted"
    return restriction(scene.catalog, definition) if barred else ""


def idle_why(scene: Scene, card: int) -> Refused | None:
    """Return why a card in hand that can be played now would be of little use, and what would change that; None if it
    would be of use."""
    rows = [row for row in scene.you.legal if getattr(row.action, "card", 0) == card] if scene.you is not None else []
    if rows and all(row.vain for row in rows):
        return Refused(f"{scene.title(card)}: in vain", VAIN, "curse.ignored")
    if rows and all(row.unhelped for row in rows):
        return Refused(f"{scene.title(card)}: nobody helps", UNHELPED, "help.compelled-barred")
    plays = any(isinstance(row.action, Play) for row in rows)
    return carried_why(scene, card) if plays else None


def carried_why(scene: Scene, card: int) -> Refused | None:
    """Return the clause by which an Item in hand would only be carried if it were played now, what that means, and what
    would change it; None if it would be equipped, or is not an Item that can be equipped."""
    words = only_carried_words(scene, card)
    if not words:
        return None
    definition = scene.definition(card)
    clause = only_carried(scene.catalog, scene.view, scene.me, card) or "item.carried-equipped"
    why, change = reason(clause), ""
    if clause == "item.restricted":
        limit = restriction(scene.catalog, definition)
        why = f"You cannot use it {limit[4:]}." if limit.startswith("not if") else f"You can use it {limit}."
        change = "Once that changes it can be equipped, and counts."
    elif clause == "item.slots":
        held = [scene.title(piece.card) for piece in equipped(scene, scene.me) if _takes(scene, definition, piece.card)]
        why = f"{_no_room(definition)[:1].upper()}{_no_room(definition)[1:]}."
        change = f"Put {listed(held, 'or') or 'what is there'} away first: then it can be equipped, and counts."
    said = f"{why} So it would only be carried, and would add nothing. {change}".strip()
    return Refused(f"{scene.title(card)}: carried, not equipped", said, clause)


def _no_room(definition: Def) -> str:
    return _TAKEN.get(definition.slot, "your hands are full")


def _takes(scene: Scene, wanted: Def, card: int) -> bool:
    """Return whether a card in play takes the place that an Item needs."""
    there = scene.definition(card)
    return there.slot == wanted.slot if wanted.slot in _TAKEN else there.hands > 0


def restriction(catalog: Catalog, definition: Def, who: str = "you") -> str:
    """Return who may use an Item: `only if you are an Elf`; "" if everybody may. who: its owner."""
    words = Lexicon(catalog).phrases(definition)
    only, unless = definition.card.only, definition.card.unless
    parts = [f"only if {words.condition(only, who)}"] if only is not None else []
    parts += [f"not if {words.condition(unless, who)}"] if unless is not None else []
    return " and ".join(parts)


def why_carried(scene: Scene, seat: int, placed: Placed) -> str:
    """Return why an Item in play is not equipped: `only if you are an Elf`, `hands are full`, `put away`."""
    clause = only_carried(scene.catalog, scene.view, seat, placed.card)
    definition = scene.definition(placed.card)
    if clause == "item.restricted":
        return restriction(scene.catalog, definition, scene.who(seat)) or "not usable now"
    if clause == "item.slots":
        return _NO_ROOM.get(definition.slot, "hands full")
    return "put away"


def uncounted(scene: Scene, seat: int) -> list[str]:
    """Return the Items of a seat that are carried and would add something, each with why it does not count:
    `Trophy +3 (only if you are Level 4 or higher)`."""
    there = ((scene.card(piece.card), piece.placed) for piece in carried(scene, seat))
    return [f"{card.name} {card.bonus:+d} ({why_carried(scene, seat, placed)})" for card, placed in there if card.bonus]
