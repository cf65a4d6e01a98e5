"""Identities of a seat (Classes, Races, Armies, Powers): which it has, and which of their disadvantages apply."""

from collections.abc import Sequence

from core.language.definition import Def
from core.language.drawbacks import HARM, SPARED, Sense
from core.state.model import DEFN_MASK, Placed
from core.state.reader import Reader


def identities(g: Reader, seat: int, kind: str) -> list[Placed]:
    """Return the identity cards of a kind (class, race, ...) in front of a seat."""
    cards = g.cat.cards
    out = []
    for entry in g.state.seats[seat].table:
        definition = cards[entry.card & DEFN_MASK]
        if definition.kind == "identity" and definition.card.identity == kind:
            out.append(entry)
    return out


def has(g: Reader, seat: int, name: str) -> bool:
    """Return whether a seat has this identity (warrior, elf, ...); the word for no identity of a kind (human) holds for
    a seat that has none of that kind."""
    cards = g.cat.cards
    for entry in g.state.seats[seat].table:
        if cards[entry.card & DEFN_MASK].ident == name:
            return True
    kind = g.cat.nobody.get(name)
    return kind is not None and not identities(g, seat, kind)


def counts_as(g: Reader, seat: int, name: str, sense: Sense) -> bool:
    """Return whether a condition of this sense counts the seat as having this identity (or none of its kind): a single
    identity under a card that allows two has no disadvantages (self.super-single)."""
    if sense == HARM:
        return suffers(g, seat, name)
    if sense == SPARED and name in g.cat.nobody and protected(g, seat, g.cat.nobody[name]):
        return True
    return has(g, seat, name)


def suffers(g: Reader, seat: int, name: str) -> bool:
    """Return whether a seat has an identity and its disadvantages (self.super-single, self.super-double)."""
    return has(g, seat, name) and not spared(_in_play(g, seat), name)


def spared(there: Sequence[Def], name: str) -> bool:
    """Return whether somebody who has these cards in play has no disadvantages of this identity, which is one of them
    (self.super-single)."""
    for definition in there:
        if definition.ident == name:
            return single(there, definition.card.identity or "")
    return False


def protected(g: Reader, seat: int, kind: str) -> bool:
    """Return whether a seat has a single identity of this kind and the card that allows two (self.super-single)."""
    return single(_in_play(g, seat), kind)


def single(there: Sequence[Def], kind: str) -> bool:
    """Return whether these cards in play have a single identity of this kind and the card that allows two."""
    doubled = False
    count = 0
    for definition in there:
        if definition.kind == "identity" and definition.card.identity == kind:
            count += 1
        elif definition.kind == "double" and definition.card.serves == kind:
            doubled = True
    return doubled and count == 1


def _in_play(g: Reader, seat: int) -> list[Def]:
    cards = g.cat.cards
    return [cards[entry.card & DEFN_MASK] for entry in g.state.seats[seat].table]


def suffered(g: Reader, seat: int, there: list[int]) -> list[int]:
    """Return these cards of a seat without the identities whose disadvantages do not apply."""
    cards = g.cat.cards
    return [
        card for card in there
        if (definition := cards[card & DEFN_MASK]).kind != "identity"
        or not protected(g, seat, definition.card.identity or "")
    ]  # fmt: skip
