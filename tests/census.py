"""Count what the cards of the sets do: python -m tests.census [--set ID|DIR] [--list FIGURE] [--json].

The rules and the goals are data, in census_rules.py. tests/core/test_census.py wants every built-in set to meet them.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import takewhile
from statistics import median
from typing import NamedTuple, get_args

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from cards import BUILT_IN
from core.authoring.effects_key import effects_key
from core.language import schema as v
from core.language.definition import Def
from core.language.errors import PackError
from core.language.manifest import PackHead
from core.language.selectors import Amount, Cards, If
from core.language.tree import child_texts, walk, who_fields
from tests.census_rules import (
    BY_THE_BOOK,
    CHOICES,
    DICE,
    GOALS,
    GROWING,
    KILLED,
    OWN_SYSTEMS,
    PLAIN,
    PRINTED,
    THEFTS,
    Plain,
    Signs,
)  # fmt: skip
from tests.scenarios import catalog_for

LONG = 240
SIDES = ("all", "door", "treasure")


# --------------------------------------------------------------------------------------------------------------- signs
class Term(NamedTuple):
    """One condition of a sign on a piece: a path of keys, and the words that it must be (or must not be).

    words: None if the key only has to be given.
    """

    path: tuple[str, ...]
    words: frozenset[str] | None
    unwanted: bool


@cache
def parsed(sign: str) -> tuple[str, tuple[Term, ...]]:
    """Return the piece that a sign is about, and its terms."""
    word, _, rest = sign.partition(": ")
    terms = []
    for term in rest.split(", ") if rest else ():
        key, equals, words = term.partition("=")
        unwanted = key.endswith("!")
        named = frozenset(words.split("|")) if equals else None
        terms.append(Term(tuple(key.strip("!").split(".")), named, unwanted or key.startswith("!")))
    return word, tuple(terms)


@cache
def by_word(signs: Signs) -> dict[str, list[tuple[Term, ...]]]:
    """Return the terms of these signs, by the piece that they are about."""
    found: dict[str, list[tuple[Term, ...]]] = {}
    for sign in signs:
        word, terms = parsed(sign)
        found.setdefault(word, []).append(terms)
    return found


PIECES: tuple[type[Struct], ...] = (
    *get_args(v.Op), *get_args(v.Mod), v.Card, v.Ability, v.Cost, v.Choice, Cards, Amount, If,
)  # fmt: skip
"""The pieces of the card language that a sign may be about."""


def misspelt(sign: str) -> list[str]:
    """Return the words of a sign that name no piece of the card language, or no key of the piece that it is about."""
    word, terms = parsed(sign)
    pieces = [piece for piece in PIECES if word in ("*", _tag(piece))]
    if not pieces:
        return [word]
    keys = {field.name for piece in pieces for field in fields(piece)} | {"who", "in"}
    return [term.path[0] for term in terms if term.path[0] not in keys]


class Signpost:
    """Finds the signs in cards of one set. It knows what `@army` stands for there."""

    def __init__(self, heads: Iterable[PackHead], cards: Iterable[Def]) -> None:
        self.names: dict[str, set[str]] = {}
        for head in heads:
            for kind, word in head.words.no_identity.items():
                self.names.setdefault(f"@{kind}", set()).add(word.replace(" ", "-"))
        for card in cards:
            if card.card.identity is not None:
                self.names.setdefault(f"@{card.card.identity}", set()).add(card.ident)

    def shows(self, card: Def, signs: Signs) -> bool:
        """Return whether some piece of the card shows one of the signs."""
        return any(self._shown(signs, key, piece) for key, piece in walk(card.card))

    def shown_by(self, piece: Struct, signs: Signs) -> bool:
        """Return whether this piece itself shows one of the signs."""
        return self._shown(signs, "", piece)

    def _shown(self, signs: Signs, key: str, piece: Struct) -> bool:
        there = by_word(signs)
        about = (*there.get(word_of(piece), ()), *there.get("*", ()))
        return any(all(self._holds(term, key, piece) for term in terms) for terms in about)

    def _holds(self, term: Term, key: str, piece: Struct) -> bool:
        if term.path == ("who",):
            found = [getattr(piece, name) for name in who_fields(piece)]
        elif term.path == ("in",):
            found = ["".join(takewhile(lambda char: char.isalpha() or char == "_", key))]
        else:
            owner, value = _value_at(piece, term.path)
            if term.words is None:
                return (owner is not None and term.path[-1] in given(owner)) != term.unwanted
            found = [] if value is None else [*value] if isinstance(value, tuple) else [value]
        wanted = {name for word in term.words or () for name in self.names.get(word, {word})}
        hit = any(_word(value) in wanted for value in found)
        return bool(found) and hit != term.unwanted


def word_of(piece: Struct) -> str:
    """Return the word of a piece: of a verb or a modifier the one in TOML, else its name in lower case."""
    return _tag(type(piece))


def _tag(kind: type[Struct]) -> str:
    tag = kind.__struct_config__.tag
    return tag if isinstance(tag, str) else kind.__name__.lower()


def _value_at(piece: object, path: tuple[str, ...]) -> tuple[Struct | None, object]:
    """Return the piece to which the last key of a path belongs, and the value there; None if there is none."""
    for name in path[:-1]:
        piece = getattr(piece, name, None)
    return (piece if isinstance(piece, Struct) else None), getattr(piece, path[-1], None)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --------------------------------------------------------------------------------------------------------------- plain
def plain_as(card: Def, post: Signpost) -> str:
    """Return the kind of plain card that this is, "" if it is not plain."""
    for name, rule in PLAIN.items():
        if post.shows(card, (rule.sign,)):
            return name if _is_plain(card, rule, post) else ""
    return ""


def _is_plain(card: Def, rule: Plain, post: Signpost) -> bool:
    if not given(card.card) <= PRINTED | rule.keys:
        return False
    for mod in card.card.mods:
        if any(isinstance(piece, v.Amount) for _, piece in walk(mod)) or not post.shown_by(mod, rule.mods):
            return False
    if "*" in rule.verbs:
        return True
    return all(len(text) <= 1 and all(_simple(op, rule) for op in text) for text in child_texts(card.card).values())


def _simple(op: v.Op, rule: Plain) -> bool:
    fixed = not any(isinstance(piece, v.Amount | v.If) for _, piece in walk(op))
    return word_of(op) in rule.verbs and fixed and not any(child_texts(op).values())


def given(piece: Struct) -> set[str]:
    """Return the names of the fields of a piece that differ from their defaults."""
    found = set()
    for field in fields(piece):
        default = field.default if field.default is not NODEFAULT else field.default_factory
        if getattr(piece, field.name) != default:
            found.add(field.name)
    return found


# -------------------------------------------------------------------------------------------------------------- shared
def shared_groups(cards: Iterable[Def], post: Signpost) -> list[list[Def]]:
    """Return the groups of cards of different sets with the same effects. Levels without a condition, plain gear and
    cards that the books name are left out."""
    groups: dict[bytes, list[Def]] = {}
    for card in cards:
        if plain_as(card, post) not in ("gear", "level") and card.card.id not in BY_THE_BOOK.get(card.set_id, ()):
            groups.setdefault(effects_key(card.card), []).append(card)
    return [group for group in groups.values() if len({card.set_id for card in group}) > 1]


# -------------------------------------------------------------------------------------------------------------- census
class Census:
    """The figures of one set. cards: its definitions; others: those of the sets it is compared with."""

    def __init__(self, set_id: str, head: PackHead, cards: list[Def], others: list[Def]) -> None:
        self.set_id = set_id
        self.cards = cards
        post = Signpost([head], cards)
        shared = {card.full_id for group in shared_groups([*cards, *others], post) for card in group}
        self.systems = {
            name: [card for card in cards if post.shows(card, signs)]
            for name, signs in OWN_SYSTEMS.get(set_id, {}).items()
        }
        own = {card.full_id for found in self.systems.values() for card in found}
        self.lists = {
            "own": [card for card in cards if card.full_id in own],
            "plain": [card for card in cards if plain_as(card, post)],
            "killed": [card for card in cards if post.shows(card, KILLED)],
            "choices": [card for card in cards if post.shows(card, CHOICES)],
            "thefts": [card for card in cards if post.shows(card, THEFTS)],
            "dice": [card for card in cards if post.shows(card, DICE)],
            "growing": [card for card in cards if post.shows(card, GROWING)],
            "shared": [card for card in cards if card.full_id in shared],
            "longest": [card for card in cards if len(card.card.text) > LONG],
            "low": [card for card in cards if card.kind == "monster" and (card.card.level or 0) <= 2],
        }
        self.kinds = {card.full_id: plain_as(card, post) for card in cards}

    def figure(self, name: str, side: str = "all") -> float:
        """Return a figure of the set or of one of its decks, in the unit of its goal."""
        whole = [card for card in self.cards if side in ("all", card.deck)]
        if name in ("median", "longest"):
            lengths = [len(card.card.text) for card in whole] or [0]
            return float(median(lengths) if name == "median" else max(lengths))
        found = [card for card in self.lists[name] if side in ("all", card.deck)]
        if name == "low":
            return float(sum(card.card.copies for card in found))
        if GOALS[name][1].unit == "%":
            return round(100 * len(found) / max(1, len(whole)), 1)
        return float(len(found))


def census_of(set_id: str) -> Census:
    """Return the census of a pack, by id or folder, compared with the built-in sets. Raises PackError."""
    catalog = catalog_for((set_id,))
    head = catalog.packs[0]
    others = [card for name in BUILT_IN if name != head.id for card in catalog_for((name,)).cards]
    return Census(head.id, head, list(catalog.cards), others)


# -------------------------------------------------------------------------------------------------------------- report
def report(census: Census) -> Iterator[str]:
    """Yield the lines of the report on one set; `*` marks a figure that falls short of its goal."""
    head = "".join(f"{side:>10}" for side in SIDES)
    yield f"{census.set_id} ({len(census.cards)} cards)".ljust(44) + head + "      goal"
    for name, (words, goal) in GOALS.items():
        values = "".join(f"{census.figure(name, side):>10g}" for side in SIDES)
        mark = " " if goal.met(census.figure(name)) else "*"
        wanted = f">= {goal.at_least}" if goal.at_least is not None else f"<= {goal.at_most}"
        yield f"{mark} {name:<9}{words:<33}{values}{wanted:>9}{goal.unit}"
        for system, found in census.systems.items() if name == "own" else ():
            counts = (sum(side in ("all", card.deck) for card in found) for side in SIDES)
            yield f"{'':13}{system:<31}" + "".join(f"{count:>10}" for count in counts)


def listed(census: Census, name: str) -> Iterator[str]:
    """Yield a line for each card behind a figure, or behind one of the set's own systems."""
    found = census.lists.get(name) or next(
        (cards for system, cards in census.systems.items() if system.lower() == name.lower()), []
    )  # fmt: skip
    for card in found:
        why = f"  ({census.kinds[card.full_id]})" if name == "plain" else ""
        why = f"  ({len(card.card.text)} letters)" if name == "longest" else why
        yield f"{card.full_id:<60}{card.deck:<10}{card.kind}{why}"


def short_of(census: Census) -> list[str]:
    """Return a sentence for each figure of a set that falls short of its goal."""
    return [
        f"{census.set_id}, {words}: {census.figure(name):g}{goal.unit}"
        for name, (words, goal) in GOALS.items()
        if not goal.met(census.figure(name))
    ]


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 after a report, 2 for an unknown pack or figure."""
    parser = argparse.ArgumentParser(prog="python -m tests.census", description=__doc__)
    parser.add_argument("--set", dest="sets", action="append", help="a set by id or folder (default: all)")
    parser.add_argument("--list", dest="listed", metavar="FIGURE", help="list the cards behind a figure or a system")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    args = parser.parse_args(argv)
    try:
        found = [census_of(set_id) for set_id in args.sets or BUILT_IN]
    except PackError as error:
        print(error, file=sys.stderr)
        return 2
    known = {*(name for one in found for name in (*one.lists, *(system.lower() for system in one.systems)))}
    if args.listed and args.listed.lower() not in known:
        print(f"no figure {args.listed!r}: one of {', '.join(sorted(known))}", file=sys.stderr)
        return 2
    if args.json:
        rows = {one.set_id: {side: {name: one.figure(name, side) for name in GOALS} for side in SIDES} for one in found}
        print(json.dumps(rows, indent=1))
        return 0
    for one in found:
        for line in listed(one, args.listed) if args.listed else report(one):
            print(line)
        if not args.listed:
            print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
