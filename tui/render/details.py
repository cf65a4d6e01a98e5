"""Details as lines: what a player reads on demand, such as a seat. Pure.

A detail takes the place of the seats at 80 columns, and is beside the hand if there is room. It has a kind and an
argument: seat (its number), why, offers, keys (1: those of a replay), seals.
"""

from collections.abc import Callable
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from core.state.model import defn_of
from tui.config.keymap import HelpRows
from tui.menus.offer_text import offer_words
from tui.scene import bots
from tui.scene.arrival import uncounted, why_carried
from tui.scene.bad_stuff import bad_stuff
from tui.scene.card_text import added_abilities, in_play
from tui.scene.cells import Line, block, clip, count, rule, wrap
from tui.scene.dealings import dealing_lines
from tui.scene.fight import prize, run_chance, tags_of, usual_odds, verdict
from tui.scene.gear import (
    Piece,
    equipped,
    full,
    identity,
    pieces,
    titled,
    with_bonus,
)
from tui.scene.scene import Scene, shape
from tui.scene.seal_lines import seal_lines
from tui.scene.situation import afflictions, curses, has_seals
from tui.scene.strengths import strength_words
from tui.scene.sums import two_sides

GAP = 2
"""Blanks before and between columns."""
MOST_KEYS = 16
"""The most cells for the keys of a binding; more of them wrap."""


class Detail(Struct, frozen=True):
    """What is being read. scroll: in lines. over: the visit of the menu that was open when the detail was opened, -1:
    none. of: the menu opened the detail, which closes with it. keys: the rows of the page of keys."""

    kind: str = ""
    arg: int = 0
    scroll: int = 0
    over: int = -1
    of: bool = False
    keys: HelpRows = ()


def detail(scene: Scene, what: Detail, width: int, height: int) -> list[Line]:
    """Draw the detail below its heading. If not all lines fit, the heading says which ones are shown."""
    title, lines = contents(scene, what, width)
    room = max(1, height - 1)
    most = max(0, len(lines) - room)
    start = min(what.scroll, most)
    names = scene.key_names
    right = f"{names['prompt.back']} back"
    if most:
        pages = f"{names['read.up']} {names['read.down']}"
        right = f"{start + 1}-{min(len(lines), start + room)} of {len(lines)}, {pages}, {right}"
    heading = rule(title, right, width, scene.glyphs, "warn")
    return block([heading, *lines[start : start + room]], width, height, scene.glyphs)


def scrolled(scene: Scene, what: Detail, lines: int, width: int, height: int) -> Detail:
    """Return the detail scrolled by this many lines, but not beyond its ends."""
    most = max(0, len(contents(scene, what, width)[1]) - max(1, height - 1))
    return replace(what, scroll=max(0, min(min(what.scroll, most) + lines, most)))


def page(height: int) -> int:
    """Return the lines of a page: one less than fit below the heading, so that two pages share a line."""
    return max(1, height - 2)


def contents(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    """Return the title and all lines of a detail."""
    return _KINDS.get(what.kind, _nothing)(scene, what, width)


def _wrapped(text: str, width: int, scene: Scene, style: str = "", indent: str = "") -> list[Line]:
    return [((f"  {line}", style),) for line in wrap(text, width - 3, scene.glyphs, indent)]


def _nothing(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    return "", []


def asking_card(scene: Scene) -> int:
    """Return the card that takes effect and asks this seat something, 0 if there is none."""
    asking = {ask.card for ask in scene.you.asks} if scene.you is not None else set()
    return next((card for card in scene.view.limbo if defn_of(card) in asking), 0)


def _whose(scene: Scene, seat: int) -> str:
    """Return shape and name of a seat, as its box names it: `● You`, `■ Bo`."""
    return f"{shape(seat, scene.glyphs.ascii)} You" if seat == scene.me else scene.marked(seat)


# ------------------------------------------------------------------------------------------------------------ seats
def _seat(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    seat = what.arg
    view = scene.seat(seat)
    lines: list[Line] = []
    head = f"Level {view.level}, strength {view.strength}, {count(view.hand, 'card')} in hand"
    odds = usual_odds(scene, seat)[0]
    head += f", {'to run: ' if odds.startswith('not') else 'gets away '}{odds}" + (f", {view.sex}" if view.sex else "")
    if view.dead:
        head = "Dead until the next turn; " + head
    lines += _wrapped(head, width, scene, "bold")
    bad = afflictions(scene, seat)
    player = scene.info.seats[seat] if seat < len(scene.info.seats) else None
    if player is not None and (who := bots.described(player)):
        lines += _wrapped(who, width, scene, "dim")
    to_you, by_you = scene.dealings[seat] if seat < len(scene.dealings) else ("", "")
    for text in dealing_lines(to_you, by_you):
        lines += _wrapped(text, width, scene, "dim" if text.startswith("You") else "warn")
    for lasting in view.lasting:
        state = "counts now" if lasting.armed else f"waits for the {lasting.until.replace('-', ' ')}"
        card = scene.printed(lasting.defn)
        lines += _wrapped(f"{card.name}, {state}: {card.text}", width, scene, "bad" if lasting in bad else "")
    up = [full(scene, seat, piece) for piece in equipped(scene, seat)]
    if up:
        lines += _wrapped(", ".join(up), width, scene, "bold", "    ")
    for placed in view.table:
        if scene.card(placed.card).kind in ("identity", "double"):
            lines += _wrapped(_described(scene, placed.card, titled(scene, placed)), width, scene, "", "    ")
    for piece in pieces(scene, seat):
        lines += _piece(scene, seat, piece, width, "")
    if view.body:
        lines += _wrapped("laid out: " + ", ".join(scene.title(card) for card in view.body), width, scene, "warn")
    others = "left/right: other seats" if len(scene.view.seats) > 1 else ""
    return f"{_whose(scene, seat)}: {identity(scene, seat)}  {others}", lines


def _piece(scene: Scene, seat: int, piece: Piece, width: int, held: str) -> list[Line]:
    """Return a card in play and below it the cards on it. held: the words for how it is held by the one above."""
    placed = piece.placed
    why = f" ({why_carried(scene, seat, placed)})" if scene.card(piece.card).kind == "item" else ""
    where = held or ("" if placed.up else f"carried{why}: ")
    text = where + _described(scene, piece.card, titled(scene, placed))
    lines = _wrapped(text, width, scene, "" if placed.up else "dim", "    ")
    under = "  carries " if scene.card(piece.card).kind in ("ally", "hireling") else "  with "
    return lines + [line for below in piece.on for line in _piece(scene, seat, below, width, under)]


def _described(scene: Scene, card: int, name: str) -> str:
    text, definition = scene.card(card).text, scene.definition(card)
    texts = [text, *added_abilities(definition)]
    return f"{name}, {scene.facts(card)}. {' '.join(part for part in texts if part)}"


# ----------------------------------------------------------------------------------------------------- why, bargains
def _why(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    fight = scene.fight
    if fight is None:
        return _strengths(scene, what, width)
    lines = two_sides(scene, width)
    lines.append(((f"  {verdict(scene)[0]}; {prize(scene)}", "bold"),))
    for monster in fight.monsters:
        worth = f"{count(monster.treasures, 'Treasure')}, {count(monster.levels, 'level')}"
        text = f"{scene.monster(monster.id)}: {monster.strength}, {tags_of(scene, monster) or 'no tag'}; {worth}"
        lines += _wrapped(text, width, scene)
        lines += _wrapped(f"Whoever is caught: {bad_stuff(scene, monster.defn)}", width, scene, "bad", "  ")
    for deal in scene.view.offers:
        lines += _wrapped(f"Offer: {offer_words(scene, deal)}.", width, scene, "", "  ")
    for seat in (fight.seat, fight.helper):
        if seat >= 0:
            counted = {term.label for term in fight.hero_terms if term.seat == seat}
            there = [scene.card(piece.card) for piece in with_bonus(scene, seat)]
            idle = [*(in_play(card) for card in there if card.name not in counted), *uncounted(scene, seat)]
            if idle:
                whose = "yours" if seat == scene.me else f"{scene.name(seat)}'s"
                text = f"not counted, {whose}: {', '.join(idle)}"
                lines += _wrapped(text, width, scene, "warn")
            gets = "get" if seat == scene.me else "gets"
            text = f"running: {scene.who(seat)} {gets} away {run_chance(scene, seat)}"
            text += f"; added to the die: {_run(scene, seat)}"
            lines += _wrapped(text, width, scene)
    return f"Why {fight.heroes} against {fight.foes}", lines


def _run(scene: Scene, seat: int) -> str:
    own = {term.label: 0 for term in scene.run_bonuses[seat]}
    for term in scene.run_bonuses[seat]:
        own[term.label] += term.by
    run = scene.seat(seat).run
    named = f" ({', '.join(f'{name} {by:+d}' for name, by in own.items())})" if own and sum(own.values()) == run else ""
    parts = [f"own {run:+d}{_vehicle(scene, seat) or named}"]
    parts += [f"{scene.monster(m.id)} {m.run:+d}" for m in (scene.fight.monsters if scene.fight else ()) if m.run]
    return ", ".join(parts)


def _vehicle(scene: Scene, seat: int) -> str:
    """Return, in brackets, the Vehicles whose modifier replaces all other modifiers of their owner; empty if there are
    none."""
    riding = [piece.card for piece in equipped(scene, seat) if scene.definition(piece.card).slot == "vehicle"]
    riding = [card for card in riding if scene.definition(card).flee]
    return f" ({' or '.join(scene.title(card) for card in riding)} instead of all else)" if riding else ""


def _strengths(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    """Return every seat's strength with its terms, outside a fight."""
    lines: list[Line] = []
    for seat, words in zip(scene.view.seats, strength_words(scene), strict=True):
        text = f"{_whose(scene, seat.seat)}: strength {seat.strength} = {words}"
        bad = curses(scene, seat.seat)
        lying = [scene.catalog.cards[held.defn] for held in afflictions(scene, seat.seat)]
        word = f"{scene.lexicon.curse(lying).lower()}s"
        lines += _wrapped(text + (f"; {word}: {', '.join(bad)}" if bad else ""), width, scene, "", "  ")
    return "Why these strengths", lines


def _offers(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    lines: list[Line] = []
    for deal in scene.view.offers:
        lines += _wrapped(f"offer {deal.no}: {offer_words(scene, deal)}", width, scene)
    return "Open offers", lines or _wrapped("There is none.", width, scene, "dim")


def _seals(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    if not has_seals(scene):
        return "Seals", _wrapped("The sets in play have no Seals.", width, scene, "dim")
    lines: list[Line] = []
    for text, style in seal_lines(scene):
        lines += _wrapped(text, width, scene, style, "  ")
    return "Seals", lines


# ------------------------------------------------------------------------------------------------------------- keys
def _keys(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    """Return every key with its words, which wrap beside it, in two columns where there is room for them."""
    columns = 2 if width >= 76 else 1
    room = (width - 2) // columns - GAP
    cells = min(MOST_KEYS, max((len(key) for key, _ in what.keys), default=0))
    entries = [_key_lines(scene, key, words, cells, room) for key, words in what.keys]
    half = -(-sum(map(len, entries)) // columns)
    left: list[Line] = []
    right: list[Line] = []
    for lines in entries:  # an entry is not split between columns
        (left if len(left) < half and not right else right).extend(lines)
    return "Keys", [
        ((" " * GAP, ""), *clip(first, room, scene.glyphs), (" " * GAP, ""), *second)
        for first, second in zip_longest(left, right, fillvalue=())
    ]


def _key_lines(scene: Scene, key: str, words: str, cells: int, room: int) -> list[Line]:
    names = wrap(key, cells, scene.glyphs)
    texts = wrap(words, room - cells - 1, scene.glyphs)
    return [
        ((name.ljust(cells + 1), "bold gold"), (text, "")) for name, text in zip_longest(names, texts, fillvalue="")
    ]


_KINDS: dict[str, Callable[[Scene, Detail, int], tuple[str, list[Line]]]] = {
    "seat": _seat, "why": _why, "offers": _offers, "keys": _keys,
    "seals": _seals,
}  # fmt: skip
