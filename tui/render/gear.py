"""What a seat has in play, in words: identities, gear, and what is attached to or carried by another card. Pure."""

import re
from dataclasses import dataclass

from core.language.schema import TwoHanded
from core.state.model import Placed
from tui.scene.card_text import in_play, in_play_short, with_counters
from tui.scene.cells import fit, length, signed
from tui.scene.scene import Scene

ALLY, VEHICLE = "@", "&"
"""Marks of Allies and Vehicles in the short form; the heading of the seats says what they mean."""


@dataclass(frozen=True)
class Piece:
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


def bonuses(scene: Scene, seat: int) -> list[str]:
    """Return the equipped cards with a bonus, in words."""
    return [_words(scene, seat, piece) for piece in with_bonus(scene, seat)]


def bonus_sum(scene: Scene, seat: int) -> int:
    """Return the sum of the bonuses of the equipped cards."""
    return sum(scene.card(piece.card).bonus + both_hands(scene, seat, piece) for piece in with_bonus(scene, seat))


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
    """Return a card with the cards on it: `Tire Iron+2 with Duct Tape+2`, `Wexter+4(Ally) carrying Spare Head`."""
    text = _words(scene, seat, piece)
    if not piece.on:
        return text
    word = "carrying" if scene.card(piece.card).kind in ("ally", "hireling") else "with"
    return f"{text} {word} {' and '.join(full(scene, seat, under) for under in piece.on)}"


def _words(scene: Scene, seat: int, piece: Piece) -> str:
    return in_play(scene.card(piece.card), both_hands(scene, seat, piece), piece.placed.counters)


def short(scene: Scene, seat: int, piece: Piece) -> str:
    """Return the short form: a mark for Allies and Vehicles, behind the bonus what upgrades and both hands add, and the
    counters."""
    card = scene.card(piece.card)
    mark = ALLY if card.kind == "ally" else VEHICLE if card.slot == "vehicle" else ""
    more = [*(_attached(scene, under) for under in piece.on), both_hands(scene, seat, piece)]
    figures = "".join(signed(by) for by in more if by) + with_counters(piece.placed.counters)
    return f"{mark}{in_play_short(card)}{figures}"


def _attached(scene: Scene, piece: Piece) -> int:
    card = scene.card(piece.card)
    return card.bonus if card.kind == "upgrade" else 0


def shorts(scene: Scene, seat: int) -> list[str]:
    """Return the short forms of all a seat has in play; carried Items are in brackets.

    What a follower carries follows it as entries of its own.
    """
    found: list[str] = []
    for piece in equipped(scene, seat):
        found.append(short(scene, seat, piece))
        if scene.card(piece.card).kind in ("ally", "hireling"):
            found += [short(scene, seat, under) for under in piece.on]
    return found + [f"({titled(scene, piece.placed)})" for piece in carried(scene, seat)]


def titled(scene: Scene, placed: Placed) -> str:
    """Return the name of a card in play with its counters: `Hungry Axe (3)`."""
    return scene.title(placed.card) + with_counters(placed.counters)


def squeeze(items: list[str], room: int, scene: Scene) -> str:
    """Return as many items as fit in `room` cells, and the number left out: `Spear+4 Hat+1 +2 more`."""
    text = ""
    for at, item in enumerate(items):
        rest = len(items) - at - 1
        tail = f" +{rest} more" if rest else ""
        longer = f"{text} {item}" if text else item
        if length(((longer + tail, ""),)) > room:
            left = len(items) - at
            if text:
                return f"{text} +{left} more"
            if room - len(tail) < 8:
                return fit(f"{left} card{'s' if left > 1 else ''}", room, scene.glyphs).rstrip()
            return _narrowed(item, room - len(tail), scene) + tail
        text = longer
    return text


def _narrowed(item: str, room: int, scene: Scene) -> str:
    """Return the name of an Item, shortened without cutting its bonuses and counters."""
    found = _FIGURES.search(item)
    bonus = found.group() if found is not None and found.start() else ""
    return fit(item[: len(item) - len(bonus)], max(4, room - len(bonus)), scene.glyphs).rstrip() + bonus


_FIGURES = re.compile(r"([+-]\d+)*( \(\d+\))?$")
"""The bonuses and counters at the end of the short form of a card."""


# ------------------------------------------------------------------------------------------------------ identities
def identity(scene: Scene, seat: int) -> str:
    """Return the identities of a seat: `Elf Wizard`, `Cop, Moon, Avocado (Ranks 4 of 5)`, `no class, human`."""
    names, powers = _identities(scene, seat)
    return names + (f", {', '.join(powers)} {ranks(scene, seat)}" if powers else "")


def identity_short(scene: Scene, seat: int, room: int) -> str:
    """Return the identities in `room` cells; if the names of Powers do not fit, only their Ranks and the Level."""
    text = identity(scene, seat)
    _, powers = _identities(scene, seat)
    if not powers or length(((text, ""),)) <= room:
        return text
    names, _ = _identities(scene, seat, brief=True)
    tail = f" R{rank_sum(scene, seat)}/{scene.seat(seat).level}"
    return fit(names, max(4, room - len(tail)), scene.glyphs).rstrip() + tail


def _identities(scene: Scene, seat: int, brief: bool = False) -> tuple[str, list[str]]:
    """Return Classes, Races and Armies as one phrase, and the names of ranked identities (Powers)."""
    there = [(scene.card(placed.card), titled(scene, placed)) for placed in scene.seat(seat).table]
    ranked, cards = scene.catalog.ranked, [card for card, _ in there]
    powers = [name for card, name in there if card.kind == "identity" and card.identity in ranked]
    names = [name for card, name in there if card.kind == "identity" and card.identity not in ranked]
    names += [f"({name})" for card, name in there if card.kind == "double"]
    if names:
        return " ".join(names), powers
    kinds = {card.identity for card in cards if card.kind == "identity"}
    words = [word for kind, word in scene.lexicon.first.words.no_identity.items() if kind not in kinds]
    return ", ".join(words) or ("" if powers and brief else "nobody special"), powers


def rank_sum(scene: Scene, seat: int) -> int:
    """Return the sum of the Ranks of a seat's Powers."""
    cards = [scene.card(placed.card) for placed in scene.seat(seat).table]
    return sum(card.rank or 0 for card in cards if card.kind == "identity")


def ranks(scene: Scene, seat: int) -> str:
    """Return `(Ranks 4 of 5)`: the sum of Ranks, and the Level, which it may not exceed."""
    return f"(Ranks {rank_sum(scene, seat)} of {scene.seat(seat).level})"
