"""The large card: portrait, figures, whole text, when it is played, what it would do now, where it lies. Pure."""

from functools import partial

from msgspec import Struct

from core.state.model import Placed, defn_of
from tui.config.keymap import spelled
from tui.menus.ask_text import cards_of
from tui.render.details import asking_card
from tui.scene.cells import Line
from tui.scene.scene import Scene
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.cards.playability import what_now
from tui.widgets.cards.printed import Part, Printed, draw_side, heading, parts, written

DOUBLED = (110, 22)
"""The columns and rows from which on the portrait is drawn at twice the size."""


class Shown(Struct, frozen=True):
    """A card to read, by its id or the number of its definition, and where it lies."""

    card: int
    where: str


# ------------------------------------------------------------------------------------------------------- what to read
def cards_to_read(scene: Scene) -> list[Shown]:
    """Return every card that this player can see: the one that asks something, the hand in its order, those of the
    fight, those in effect, those in front of the players, open Seals, the top discards, and those to choose from that
    lie nowhere else."""
    view = scene.view
    hand = partial(Shown, where="in your hand")
    found = [Shown(card, "takes effect now") for card in (asking_card(scene),) if card]
    found += [hand(card) for card in scene.hand()]
    found += _of_fight(scene)
    found += [Shown(card, "takes effect now") for card in view.limbo if card not in view.pool]
    found += [Shown(card, "on the table, not yet taken") for card in view.pool]
    found += [Shown(card, "an open Seal, in force") for card in view.seals_open[-1:]]
    found += [Shown(card, "an open Seal") for card in reversed(view.seals_open[:-1])]
    for seat in sorted(view.seats, key=lambda seat: (seat.seat - scene.me) % len(view.seats)):
        whose = scene.who(seat.seat)
        found += [Shown(held.card or held.defn, f"lasts on {whose}") for held in seat.lasting]
        found += [Shown(placed.card, _lies(scene, placed, whose)) for placed in seat.table]
        found += [Shown(card, f"left behind by {scene.name(seat.seat)}") for card in seat.body]
    tops = ((view.door_top, "Door"), (view.treasure_top, "Treasure"))
    found += [Shown(top, f"on top of the {deck} discards") for top, deck in tops if top >= 0]
    found += [Shown(card, "to choose from") for ask in (scene.you.asks if scene.you else ()) for card in cards_of(ask)]
    first: dict[int, Shown] = {}
    for shown in found:
        first.setdefault(shown.card, shown)
    return list(first.values())


def _of_fight(scene: Scene) -> list[Shown]:
    fight = scene.fight
    if fight is None:
        return []
    whose = "your fight" if scene.me in (fight.seat, fight.helper) else f"{scene.name(fight.seat)}'s fight"
    monsters = {one.defn: one.id if defn_of(one.id) == one.defn else one.defn for one in reversed(fight.monsters)}
    found = [Shown(card, f"in {whose}") for card in reversed(monsters.values())]
    return found + [Shown(one.card, f"in {whose}, played by {scene.who(one.seat)}") for one in fight.cards]


def _lies(scene: Scene, placed: Placed, whose: str) -> str:
    if placed.on:
        return f"on {scene.title(placed.on)}, {_owned(whose)}"
    if scene.card(placed.card).kind in ("item", "upgrade"):
        return f"{'equipped' if placed.up else 'carried'}, {_owned(whose)}"
    return f"in front of {whose}"


def _owned(whose: str) -> str:
    return "yours" if whose == "you" else f"{whose}'s"


# ------------------------------------------------------------------------------------------------------------ drawing
def card_page(scene: Scene, shown: Shown, place: str, width: int, height: int, scroll: int = 0) -> list[Line]:
    """Draw a card large, in a box. place: the card's place among all, `3 of 14`. scroll: how many lines the text is
    scrolled up."""
    canvas = Canvas(width, height, scene.glyphs)
    canvas.box(0, 0, width, height, "line", (("CARD", "bold"),), ((place, "dim"),) if place else ())
    size = "double" if width >= DOUBLED[0] and height >= DOUBLED[1] else "large"
    columns, _ = FACE_SIZES[size]
    left = 3 + columns + 3
    draw_side(canvas, printed_of(scene, shown.card), size, 3, 2, height - 2, scene.pixels)
    lines, room = _texts(scene, shown, width - left - 3), height - 4
    start = min(scroll, most_scroll(scene, shown, width, height))
    canvas.paste(left, 2, lines[start : start + room], width - left - 3)
    keys = [("card.previous card.next", "other cards")] if place else []
    keys += [("card.up card.down", "more")] if len(lines) > room else []
    x = 3
    for idents, words in (*keys, ("table.rules", "rules"), ("card.close", "back")):
        key = spelled(idents, scene.key_names, scene.glyphs.ascii)
        press = "" if " " in idents else f"|{key}"
        x = canvas.spans(x, height - 2, ((key, f"bold gold{press}"), (f" {words}   ", f"dim{press}")), width - 2 - x)
    return canvas.lines()


def most_scroll(scene: Scene, shown: Shown, width: int, height: int) -> int:
    """Return how many lines the text of a card can be scrolled up."""
    size = "double" if width >= DOUBLED[0] and height >= DOUBLED[1] else "large"
    return max(0, len(_texts(scene, shown, width - FACE_SIZES[size][0] - 9)) - (height - 4))


def printed_of(scene: Scene, card: int) -> Printed:
    """Return a card of the table as it is printed."""
    definition = scene.definition(card)
    home = next(head.name for head in scene.catalog.packs if head.id == definition.set_id)
    any_time = scene.catalog.switches.special_any_time
    return Printed(definition, scene.lexicon.of(definition), home, scene.portrait(card), any_time)


def _texts(scene: Scene, shown: Shown, width: int) -> list[Line]:
    """Return the text of a card in lines: name and kind, figures, text, times, what it would do now, where it lies."""
    printed = printed_of(scene, shown.card)
    more: list[Part] = []
    if scene.you is not None and shown.card in scene.you.hand:
        more.append(("What it would do now", *_now(scene, shown.card)))
    more.append(("Where it is", f"{shown.where[:1].upper()}{shown.where[1:]}.", ""))
    return heading(printed, width, scene.glyphs) + written((*parts(printed), *more), width, scene.glyphs)


def _now(scene: Scene, card: int) -> tuple[str, str]:
    """Return what a card of the hand would do now in full, and its style."""
    playable, outlook = what_now(scene, card)
    words = " ".join(part for part in (outlook.sums, outlook.words[0] if outlook.words else "") if part)
    text = outlook.sign(scene.glyphs) + ", ".join(part for part in (words, outlook.more) if part)
    return text, f"bold {outlook.style}" if outlook.verdict else "" if playable else "dim"
