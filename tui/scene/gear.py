"""What a seat has in play, in words: identities, gear, and what is attached to or carried by another card. Pure."""

import re

from msgspec import Struct
from rich.cells import cell_len

from core.language.schema import TwoHanded
from core.state.model import Placed
from tui.scene.card_text import in_play, with_counters
from tui.scene.cells import count, shorten
from tui.scene.scene import Scene


class Piece(Struct, frozen=True):
    """A card in play with the cards on it: cheats and upgrades of an Item, Items carried by an Ally or a Hireling."""

    placed: Placed
    on: tuple["Piece", ...] = ()

    @property
    def card(self) -> int:
        """Return the card's id."""
        return self.placed.card


def pieces(scene: Scene, seat: int) -> list[Piece]:
    """Return what a seat has in play without identities, best first, each card on the one it is attached to."""
    table = [p for p in scene.seat(seat).table if scene.card(p.card).kind not in ("identity", "double")]
    known = {p.card for p in table}
    return _under(scene, table, [p for p in table if p.on not in known])


def _under(scene: Scene, table: list[Placed], roots: list[Placed]) -> list[Piece]:
    ordered = sorted(roots, key=lambda p: (-scene.card(p.card).bonus, scene.title(p.card)))
    return [Piece(p, tuple(_under(scene, table, [q for q in table if q.on == p.card]))) for p in ordered]


def equipped(scene: Scene, seat: int) -> list[Piece]:
    """Return the Items and followers that are equipped."""
    return [piece for piece in pieces(scene, seat) if piece.placed.up]


def carried(scene: Scene, seat: int) -> list[Piece]:
    """Return the Items that are carried, not equipped."""
    return [piece for piece in pieces(scene, seat) if not piece.placed.up]


def with_bonus(scene: Scene, seat: int) -> list[Piece]:
    """Return the equipped cards that have a bonus, including followers and attached cards."""
    found: list[Piece] = []

    def walk(piece: Piece) -> None:
        if scene.card(piece.card).bonus:
            found.append(piece)
        for under in piece.on:
            walk(under)

    for piece in equipped(scene, seat):
        walk(piece)
    return found


def both_hands(scene: Scene, seat: int, piece: Piece) -> int:
    """Return the extra bonus of an Item used with both hands (clause identity.militia); 0 if it is not."""
    if not piece.placed.both:
        return 0
    table = [scene.definition(placed.card) for placed in scene.seat(seat).table]
    return sum(getattr(mod, "by", 0) for definition in table for mod in definition.by_type.get(TwoHanded, ()))


# ------------------------------------------------------------------------------------------------------- in words
def full(scene: Scene, seat: int, piece: Piece) -> str:
    """Return a card with the cards on it, each with what it adds now: `Tire Iron +2 with Duct Tape +2`,
    `Wexter +4 (Ally) carrying Spare Head`."""
    now = scene.amounts.get((seat, piece.card))
    text = in_play(scene.card(piece.card), both_hands(scene, seat, piece), piece.placed.counters, now)
    if not piece.on:
        return text
    word = "carrying" if scene.card(piece.card).kind in ("ally", "hireling") else "with"
    return f"{text} {word} {' and '.join(full(scene, seat, under) for under in piece.on)}"


def in_words(scene: Scene, seat: int, piece: Piece) -> str:
    """Return a card in play without those on it: `Tire Iron +2`."""
    return in_play(scene.card(piece.card), both_hands(scene, seat, piece), piece.placed.counters)


class Worn(Struct, frozen=True):
    """A card in play as a seat shows it. name: with its counters. amount: what it adds to the strength now, with the
    cards on it; 0: nothing. word: what it is if it is not an equipped Item: Ally, Vehicle, carried. counters: on it."""

    name: str
    noun: str
    amount: int
    word: str
    counters: int = 0


def worn(scene: Scene, seat: int) -> list[Worn]:
    """Return all that a seat has in play besides identities: first what is equipped and what followers carry, then the
    rest."""
    found: list[Worn] = []
    for piece in equipped(scene, seat):
        found.append(_worn(scene, seat, piece))
        if scene.card(piece.card).kind in ("ally", "hireling"):
            found += [_worn(scene, seat, under) for under in piece.on]
    for piece in carried(scene, seat):
        counters = piece.placed.counters
        brief = noun(scene.title(piece.card)) + with_counters(counters)
        found.append(Worn(titled(scene, piece.placed), brief, 0, "carried", counters))
    return found


def _worn(scene: Scene, seat: int, piece: Piece) -> Worn:
    card, counters = scene.card(piece.card), piece.placed.counters
    word = "Ally" if card.kind == "ally" else "Vehicle" if card.slot == "vehicle" else ""
    upgrades = [under.card for under in piece.on if scene.card(under.card).kind == "upgrade"]
    amount = sum(scene.amounts.get((seat, one), 0) for one in (piece.card, *upgrades))
    more = with_counters(counters)
    return Worn(card.name + more, noun(card.name) + more, amount, word, counters)


def countered(scene: Scene, seat: int, room: int) -> str:
    """Return the cards of a seat that have counters, besides identities, in `room` cells, those with the most first:
    `Axe (3 counters), 1 more`; only the largest number if there is no room for a name."""
    found = sorted((piece for piece in worn(scene, seat) if piece.counters), key=lambda piece: -piece.counters)
    for shown in range(len(found), 0, -1):
        more = [f"{len(found) - shown} more"] if shown < len(found) else []
        text = ", ".join([*(piece.noun for piece in found[:shown]), *more])
        if cell_len(text) <= room:
            return text
    brief = f"{count(found[0].counters, 'counter')}{scene.glyphs.mark if len(found) > 1 else ''}" if found else ""
    return brief if cell_len(brief) <= room else ""


_AFTER = {
    "a", "among", "an", "above", "all", "as", "at", "behind", "by", "for", "from", "full", "in", "made", "nobody", "of",
    "on", "past", "that", "the", "to", "under", "until", "who", "with", "without", "you",
}  # fmt: skip
"""Words that follow the noun in a card's name: `Helm of Selective Hearing`, `Antlers You Found`."""


_NO_NOUN = {"and", "back", "get", "got", "has", "is", "it", "read", "sings", "takes", "was"}
"""Words before a word of _AFTER that are no nouns: `But It Has A Tummy Ache`; the last word is, more likely."""


def noun(name: str) -> str:
    """Return the noun of a card's name: `Keys` for Turning Keys, `Boots` for Boots of Skipping Ahead."""
    words = name.partition(",")[0].split()
    while len(words) > 1 and words[0].lower() in _AFTER:
        words = words[1:]
    end = next((at for at, word in enumerate(words) if at and word.lower() in _AFTER), len(words))
    last = words[end - 1] if words else name
    return words[-1] if last.lower() in _NO_NOUN else last


def with_noun(text: str) -> str:
    """Return a text with the noun of the name that stands in brackets at its end, if any: `You roll 4 (Boots)`."""
    begin, joint, name = text.rpartition(" (")
    return f"{begin} ({noun(name.removesuffix(')'))})" if joint and name.endswith(")") else text


LEAST_NAME = 3
"""The fewest cells of a name before its counters."""


def titled(scene: Scene, placed: Placed) -> str:
    """Return the name of a card in play with its counters: `Hungry Axe (3 counters)`."""
    return scene.title(placed.card) + with_counters(placed.counters)


# ------------------------------------------------------------------------------------------------------ identities
def identity(scene: Scene, seat: int) -> str:
    """Return the identities of a seat: `Elf · Wizard`, `Cop · Moon, Ranks 4 of 5`, `no class, human`."""
    names, powers = identities(scene, seat)
    return _together(scene, [names or _nobody(scene, seat), powers], f" {scene.glyphs.dot} ", ranks(scene, seat))


def identity_in(scene: Scene, seat: int, room: int) -> str:
    """Return the identities in `room` cells. What does not fit is cut from the names, not from the Ranks."""
    names, powers = identities(scene, seat)
    tail, brief = ranks(scene, seat), f"Ranks {rank_sum(scene, seat)}"
    full = identity(scene, seat)
    if cell_len(full) <= room:
        return full
    known = [names, powers] if names or powers else [_nobody(scene, seat)]
    for end in dict.fromkeys((tail, brief if tail else "")):
        text = _together(scene, known, " ", end)
        if cell_len(text) <= room:
            return text
    if not tail:
        return _shortened(scene, known, room)
    roomy = [end for end in (tail, brief) if room - cell_len(end) >= 7]
    found = [f"{_shortened(scene, known, room - cell_len(end) - 2)}, {end}" for end in roomy]
    return max(found, key=lambda text: ("(" in text) + ("counter" in text), default=brief)


COUNTERS = re.compile(r" \((\d+) counters?\)$")
"""The number of counters on a card, as it follows the name."""


def _shortened(scene: Scene, groups: list[list[str]], room: int) -> str:
    """Return names in `room` cells: the longest are cut, but not the counters behind them. If not all fit, those with
    the most counters stay, followed by the mark, at last without their name. Without counters the end is cut."""
    names = [name for group in groups for name in group]
    lying = [COUNTERS.search(name) for name in names]
    many = [int(found[1]) if found else 0 for found in lying]
    parts = [(COUNTERS.sub("", name), found[0] if found else "") for name, found in zip(names, lying, strict=True)]
    order = sorted(range(len(parts)), key=lambda at: -many[at])
    mark = scene.glyphs.mark
    for kept in range(len(parts), 0, -1) if any(many) else ():
        shown = [part for at, part in enumerate(parts) if at in order[:kept]]
        sizes = [cell_len(name) for name, _ in shown]
        spare = room - sum(cell_len(end) for _, end in shown) - kept + 1 - (kept < len(parts))
        if spare >= sum(min(size, LEAST_NAME) for size in sizes):
            while sum(sizes) > spare:
                sizes[sizes.index(max(sizes))] -= 1
            found = (shorten(name, size, scene.glyphs) + end for (name, end), size in zip(shown, sizes, strict=True))
            return " ".join(found) + (mark if kept < len(parts) else "")
    nameless = f"{count(max(many), 'counter')}{mark}" if any(many) else ""
    if nameless and cell_len(nameless) <= room:
        return nameless
    return shorten(" ".join(name for name, _ in parts), room, scene.glyphs)


def _together(scene: Scene, groups: list[list[str]], between: str, tail: str) -> str:
    text = between.join(name for group in groups for name in group)
    return f"{text}, {tail}" if tail else text


def identities(scene: Scene, seat: int) -> tuple[list[str], list[str]]:
    """Return the names of Classes, Races and Armies with their counters, and those of ranked identities (Powers)."""
    there = [(scene.card(placed.card), titled(scene, placed)) for placed in scene.seat(seat).table]
    ranked = scene.catalog.ranked
    names = [name for card, name in there if card.kind == "identity" and card.identity not in ranked]
    names += [name for card, name in there if card.kind == "double"]
    return names, [name for card, name in there if card.kind == "identity" and card.identity in ranked]


def _nobody(scene: Scene, seat: int) -> list[str]:
    """Return what a seat is without Class, Race or Army: `no class`, `human`."""
    there = {scene.card(placed.card).identity for placed in scene.seat(seat).table}
    words = [word for kind, word in scene.lexicon.first.words.no_identity.items() if kind not in there]
    return words or ([] if there - {None} else ["nobody special"])


def rank_sum(scene: Scene, seat: int) -> int:
    """Return the sum of the Ranks of a seat's Powers."""
    cards = [scene.card(placed.card) for placed in scene.seat(seat).table]
    return sum(card.rank or 0 for card in cards if card.kind == "identity")


def ranks(scene: Scene, seat: int) -> str:
    """Return `Ranks 4 of 5`: the sum of the Ranks, and the Level, which it may not exceed; empty without Powers."""
    ranked = scene.catalog.ranked
    powers = [p for p in scene.seat(seat).table if scene.card(p.card).identity in ranked]
    return f"Ranks {rank_sum(scene, seat)} of {scene.seat(seat).level}" if powers else ""
