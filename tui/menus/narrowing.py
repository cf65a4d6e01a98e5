"""From a verb or a card to one action, one field at a time: which side, on whom, paid with what. Pure."""

from collections.abc import Sequence
from operator import add
from typing import Any

import msgspec

from core.operations.sales import PRICE
from core.state import actions as a
from core.state.actions import Action, Legal, Pick
from core.state.numbers import seat_fields
from tui.menus.ask_text import answered, asking, card_label, struck_by
from tui.menus.danger import danger_of, harms_own_side, harms_target, only_looks, paying_danger, place_of
from tui.menus.entries import Entry, Go, Menu, Picker
from tui.scene.card_text import ability_words, added
from tui.scene.outlook import LEFT_ALONE, of_legals, rank
from tui.scene.scene import FIRST_CARD, Scene

_FIELD_ORDER = (
    "ability", "brought", "seat", "side", "target", "deck", "carrier", "both", "to", "doubled", "also", "monster",
)  # fmt: skip
"""Fields of actions in the order in which the player chooses them, if there is more than one possibility."""


IN_VAIN = "(nothing comes of it)"
"""Stands behind the words of what would be done in vain."""


def narrow(scene: Scene, title: str, legals: Sequence[Legal]) -> Go:
    """Return menus that lead to one of these actions by asking for one field at a time. All of them share verb and
    card.

    A single action is returned itself. title: the words for the fields chosen so far.
    """
    if len(legals) == 1:
        return action_or_set(scene, title, legals[0])
    for name in _fields(scene, legals):
        values = list(dict.fromkeys(getattr(option.action, name, None) for option in legals))
        if len(values) > 1:
            rows = [[option for option in legals if getattr(option.action, name, None) == value] for value in values]
            entries = [_entry(scene, title, name, value, same) for value, same in zip(values, rows, strict=True)]
            order = [(*_use_of(scene, name, entry, same), at) for at, (entry, same) in enumerate(zip(entries, rows))]
            return Menu(asking(title, _said(scene, name, values)), tuple(entries[key[-1]] for key in sorted(order)))
    return action_or_set(scene, title, legals[0])


def _fields(scene: Scene, legals: Sequence[Legal]) -> Sequence[str]:
    """Return the fields in the order in which they are asked for. Targets that all lie on players are asked for first:
    that says whose they are."""
    targets = [getattr(option.action, "target", None) for option in legals]
    return ("target", *_FIELD_ORDER) if _said(scene, "target", targets) == "lying" else _FIELD_ORDER


def _said(scene: Scene, name: str, values: Sequence[Any]) -> str:
    """Return the name under which a field's question is found: a target that lies on a player has its own."""
    lying = name == "target" and all(isinstance(value, int) and struck_by(scene, value) >= 0 for value in values)
    return "lying" if lying else name


def _entry(scene: Scene, title: str, name: str, value: Any, same: Sequence[Legal]) -> Entry:
    """Return the entry for one value of a field. same: the actions that have it."""
    label = _value(scene, name, value, same[0].action)
    is_card = isinstance(value, int) and value >= FIRST_CARD
    said = _said(scene, name, [value])
    seat = value if name in seat_fields(type(same[0].action)) else struck_by(scene, value) if said == "lying" else -1
    go = narrow(scene, answered(title, said, label), same)
    return Entry(f"{name}={value}", noted(label, same), go, value if is_card else 0, seat)


def _use_of(scene: Scene, name: str, entry: Entry, same: Sequence[Legal]) -> tuple[int, ...]:
    """Return the sort key of an entry, the lowest first. The target with the best forecast comes first, then the
    fighter if the action harms, or the player if it does not. Useless entries come last, except for dangerous ones,
    which come after them."""
    last = int(_is_last(scene, entry))
    if name not in ("seat", "target"):
        return (last,)
    outlook = of_legals(scene, same)
    wanted = rank(outlook) if outlook else LEFT_ALONE
    first = same[0].action
    fight = scene.fight
    fighting = fight is not None and entry.seat in (fight.seat, fight.helper) and entry.seat >= 0
    likely = fighting if harms_target(scene, first) else entry.seat == scene.me >= 0
    last += entry.seat == scene.me >= 0 and only_looks(scene, first)
    return (last, int(all(option.vain for option in same)), *(-part for part in wanted), int(not likely))


def _is_last(scene: Scene, entry: Entry) -> bool:
    """Return whether an entry comes after all harmless ones: it harms the player, or helps the monsters that the player
    fights."""
    go = entry.go
    if isinstance(go, Menu):
        return bool(go.entries) and all(_is_last(scene, inner) for inner in go.entries)
    if isinstance(go, Picker):
        go = go.make(())
    return bool(danger_of(scene, go)) or harms_own_side(scene, go)


def noted(words: str, found: Sequence[Legal]) -> str:
    """Return the words for these actions, with a note if nothing would come of any of them, or nobody would help."""
    if all(option.unhelped for option in found):
        return f"{words} (nobody can be made to help)"
    return f"{words} {IN_VAIN}" if all(option.vain for option in found) else words


def _value(scene: Scene, name: str, value: Any, action: Action) -> str:
    """Return the label of one value of an action's field."""
    if name in seat_fields(type(action)):
        return "nobody" if value < 0 else ("yourself" if value == scene.me else scene.name(value))
    if name == "side":
        return _side(scene, value, action)
    if name == "ability":
        return ability_words(scene.definition(getattr(action, "card", 0)), value)
    if name == "deck":
        return _deck(scene, value)
    if name == "both":
        return "in both hands" if value else "as it is"
    if not value:
        return {"carrier": "yourself", "doubled": "none", "also": "nothing else"}.get(name, "nothing")
    if isinstance(value, tuple):
        return " and ".join(_target(scene, card) for card in value)
    return _target(scene, value)


def _deck(scene: Scene, value: str) -> str:
    """Return what looting draws: a Door, or a Treasure with the option `listen`."""
    listen = "listen" in scene.info.options
    if value == "discard":
        top = scene.view.treasure_top if listen else scene.view.door_top
        return f"the top discard: {scene.printed(top).name}" if top >= 0 else "the top discard"
    return "a face-down Treasure" if listen and not value else "a face-down Door"


def _side(scene: Scene, side: str, action: Action) -> str:
    fight = scene.fight
    card = scene.card(getattr(action, "card", 0))
    if fight is None or not side:
        return side or "neither"
    now = fight.heroes if side == "heroes" else fight.foes
    bonus = card.bonus or added(card)
    if bonus and isinstance(action, a.Play):
        return f"{side} ({now} {scene.glyphs.arrow} {now + bonus})"
    return side


def _target(scene: Scene, value: int) -> str:
    met = next((one for one in scene.fight.monsters if one.id == value), None) if scene.fight is not None else None
    if met is not None:
        name = scene.monster(value)
        return name if name == scene.printed(met.defn).name else f"{name} (strength {met.strength})"
    if value < FIRST_CARD:
        seat = value if value < len(scene.view.seats) else -1
        return scene.who(seat) if seat >= 0 else f"number {value}"
    return card_label(scene, value)


def action_or_set(scene: Scene, title: str, legal: Legal) -> Go:
    """Return the action, or the picker for the set that it still needs."""
    if legal.pick is None:
        return legal.action
    pick, action = _counted_twice(legal.pick, legal.action), legal.action
    labels = tuple(pick_label(scene, legal.pick, ident, _twice(action)) for ident in pick.among)
    name = pick.field
    verb = "sell these" if isinstance(action, a.Sell) else VERBS[name]
    colon = "" if title[-1:] in (".", "?", "!") else ":"
    words = f"{title}{colon}"
    if pick.sum_at_least:
        already = f"{words} " if isinstance(action, a.Sell) and action.doubled else ""
        words = f"{already}Which Items are sold, for {pick.sum_at_least} gold or more?"
    return Picker(
        words, pick, labels, lambda chosen: _filled(action, name, chosen), verb,
        danger=lambda chosen: paying_danger(scene, chosen) or danger_of(scene, _filled(action, name, chosen)),
    )  # fmt: skip


def _twice(action: Action) -> tuple[int, ...]:
    """Return the Items that count twice in a sale."""
    return tuple(card for card in action.twice if card) if isinstance(action, a.Sell) else ()


def _counted_twice(pick: Pick, action: Action) -> Pick:
    """Return the set of a sale with all that its Items have to bring, and with the double worth of those that count
    twice: the host asks only for the rest of the sum."""
    twice = _twice(action)
    if not twice:
        return pick
    added = tuple(gold if card in twice else 0 for card, gold in zip(pick.among, pick.worth, strict=True))
    worth = tuple(map(add, pick.worth, added))
    return msgspec.structs.replace(pick, worth=worth, sum_at_least=PRICE)


def _filled(action: Action, name: str, chosen: tuple[int, ...]) -> Action:
    return msgspec.structs.replace(action, **{name: chosen})


VERBS = {"pay": "pay these", "cards": "give these", "picks": "take these", "gives": "give these", "wants": "want these"}
"""The words for handing in a set, by the field of the action that it fills."""


def pick_label(scene: Scene, pick: Pick, ident: int, twice: Sequence[int] = ()) -> str:
    """Return the label of a set's member: its name, its worth in Gold Pieces if that counts, and where it lies. twice:
    the members whose worth counts twice."""
    if ident < FIRST_CARD:
        return str(ident)
    worth = f"{scene.title(ident)} {pick.worth[pick.among.index(ident)]} gold" if pick.worth else ""
    worth += ", counts twice" if ident in twice else ""
    return (worth or card_label(scene, ident)) + option_place(scene, ident)


def option_place(scene: Scene, ident: int) -> str:
    """Return where a card of the player lies, as the end of a label: `, equipped`; empty for anything else."""
    place = place_of(scene, ident) if ident >= FIRST_CARD else ""
    place = "in play" if place == "equipped" and not scene.definition(ident).is_item else place
    return f", {place}" if place else ""
