"""List which effects meet in each set: python -m tests.crossings [--set ID|blends] [--cards KIND].

Each pair of the six kinds of effect is a crossing: if two of them affect the same moment, a sentence of a book or a
ruling must decide. A scenario covers a crossing if its name begins with the pair ("compels × counts: ...") and if
what it lays out, plays or proves shows both kinds. Scenarios that play with several sets are the blends, with pairs of
their own. tests/core/test_crossings.py wants every pair that a set has cards for.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import msgspec

from cards import BUILT_IN
from core.language.catalog import Catalog
from core.language.definition import Def
from core.scenario.cast import split_nth
from core.scenario.schema import Scenario, load
from tests.census import Signpost
from tests.census_rules import Signs
from tests.scenarios import catalog_for, packaged

BLENDS = "blends"
"""The name under which the scenarios of several sets stand."""
GROUPS = (*BUILT_IN, BLENDS)


class Kind(NamedTuple):
    """A kind of effect. signs: the parts of a card that show it (see census_rules). clauses: the rules that have such
    an effect without a card."""

    signs: Signs
    clauses: frozenset[str]


def _kind(signs: str, clauses: str) -> Kind:
    return Kind(tuple(sign.strip() for sign in signs.split(";")), frozenset(clauses.split()))


KINDS = {
    # a number that counts players, identities, Items, a hand, Levels, monsters, counters or dice
    "counts": _kind(
        "amount: count; amount: having; amount: tagged; amount: monsters; amount: level_of; amount: counters;"
        "amount: margin; amount: seals; amount: saved; if: cards, at_least!=1; if: monsters_at_least; if: leads;"
        "if: level_at_least; if: level_at_most; if: seals_at_least; if: counters_at_least",
        "cards.counters win.seventh-seal-count seal.bonus seal.close-three-count self.powers-rank help.levels-elf",
    ),
    # another of a monster, or the same card once more
    "copies": _kind(
        "card: partner; add_monster: what=copy; recover; swap_identity",
        "combat.clone combat.clone-own self.price-stays-paid",
    ),
    # somebody must help, fight, leave, give or show
    "compels": _kind(
        "compel; expel; hand_over; pass_hands; look; swap; take: cards.of=chosen|victim|me|helper|fighter|left|turn;"
        "add_monster: what=deck",
        "help.compelled help.match-point golden.no-forced-win combat.handed-over item.big-excess turn.charity",
    ),
    # no help, no cards, no escape, no sale; not for everybody
    "forbids": _kind(
        "forbid; card: only; card: unless; spares",
        "item.restricted item.big-one item.receive-limit item.barred item.sell-not-10 golden.level-nine"
        " when.no-combat-changes self.class-one self.race-one self.army-one death.nothing",
    ),
    # a card, an identity or a bonus that for a time does not count, or counts without its drawbacks
    "suspends": _kind(
        "ignore; card: kind=double|cheat; undo_played; discard: cards.zone=identities; discard: cards.pick=best",
        "item.carried-equipped item.slots-excess item.one-shot-carried self.super-single self.super-lost"
        " self.gain-lose combat.undo-last curse.kept-off",
    ),
    # twice the price, more Treasure, one more turn, one more roll, two levels
    "doubles": _kind(
        "sell_double; extra_turn; throw_again; reward; enhance: treasures; card: kind=enhancer, treasures;"
        "card: levels=2; draw: deck=treasure, in=killed|won; helper_levels; level: by=2",
        "turn.extra item.sell-doubled dice.again combat.two-levels self.super-double",
    ),
}  # fmt: skip
PAIRS = tuple(combinations_with_replacement(sorted(KINDS), 2))
"""All pairs of kinds, in alphabetical order; a kind meets itself too."""


def title(pair: tuple[str, str]) -> str:
    """Return the beginning of the name of a scenario that covers this pair."""
    return f"{pair[0]} × {pair[1]}: "


# --------------------------------------------------------------------------------------------------------------- cards
@cache
def cards_of(group: str) -> dict[str, tuple[Def, ...]]:
    """Return the cards of each kind in a set; for the blends those of all sets."""
    if group == BLENDS:
        return {name: tuple(card for one in BUILT_IN for card in cards_of(one)[name]) for name in KINDS}
    catalog = catalog_for((group,))
    post = Signpost(catalog.packs, catalog.cards)
    return {name: tuple(card for card in catalog.cards if post.shows(card, kind.signs)) for name, kind in KINDS.items()}


@cache
def _ids_of(set_id: str, kind: str) -> frozenset[str]:
    return frozenset(card.full_id for card in cards_of(set_id)[kind])


def pairs_of(group: str) -> list[tuple[str, str]]:
    """Return the pairs that a set has cards for."""
    there = cards_of(group)
    return [pair for pair in PAIRS if all(there[name] for name in pair)]


# ----------------------------------------------------------------------------------------------------------- scenarios
class Crossing(NamedTuple):
    """A scenario whose name begins with a pair. group: its set, or the blends. where: "set/file"."""

    group: str
    pair: tuple[str, str]
    scenario: Scenario
    where: str


@cache
def crossings() -> tuple[Crossing, ...]:
    """Return every packaged scenario whose name begins with a pair."""
    found = []
    for where, (set_id, data) in packaged().items():
        for scenario in load(data, where):
            for pair in PAIRS:
                if scenario.name.startswith(title(pair)):
                    group = BLENDS if len(scenario.sets) > 1 else (*scenario.sets, set_id)[0]
                    found.append(Crossing(group, pair, scenario, where))
    return tuple(found)


def covering(group: str, pair: tuple[str, str]) -> list[Crossing]:
    """Return the scenarios of a group that cover a pair: their names say so, and they show both kinds."""
    return [one for one in crossings() if (one.group, one.pair) == (group, pair) and not unseen(one)]


def missing(group: str) -> list[str]:
    """Return a sentence for each pair of a group that no scenario covers."""
    return [f"{group}: no scenario named {title(pair)!r}..." for pair in pairs_of(group) if not covering(group, pair)]


def unseen(crossing: Crossing) -> list[str]:
    """Return the kinds of the pair that no sign shows in what the scenario lays out, plays or proves. Two of one kind
    take two cards (or copies), two clauses, or one of each."""
    shown = dict.fromkeys(crossing.pair, 0)
    catalog = catalog_for(crossing.scenario.sets or (crossing.where.partition("/")[0],))
    for name in shown:
        kind = KINDS[name]
        shown[name] += len(kind.clauses & set(crossing.scenario.proves))
        shown[name] += sum(card.full_id in _ids_of(card.set_id, name) for card in _played(catalog, crossing.scenario))
    return [name for name in shown if shown[name] < crossing.pair.count(name)]


def _played(catalog: Catalog, scenario: Scenario) -> list[Def]:
    """Return each card that a scenario names, once for each copy that it names."""
    words = {
        part.strip() for text in _strings(msgspec.to_builtins(scenario)) for part in text.split(">")
    }  # fmt: skip
    named = {split_nth(word)[0] for word in words}
    copies = {split_nth(word)[0] for word in words if split_nth(word)[1] > 1}
    found = [card for card in catalog.cards if named & {card.name, card.full_id}]
    return found + [card for card in found if copies & {card.name, card.full_id}]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from (key, *_strings(inner))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


# -------------------------------------------------------------------------------------------------------------- report
def report(group: str) -> Iterator[str]:
    """Yield the lines of the report on one group: the cards of each kind, then the scenarios of each pair."""
    there = cards_of(group)
    yield f"{group}: " + ", ".join(f"{len(there[name])} {name}" for name in sorted(KINDS))
    for pair in pairs_of(group):
        found = covering(group, pair)
        yield f"{'*' if not found else ' '} {' × '.join(pair)}: {len(found)}"
        yield from (f"    {one.where}: {one.scenario.name.partition(': ')[2]}" for one in found)


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 after a report, 1 if a pair is missing."""
    parser = argparse.ArgumentParser(prog="python -m tests.crossings", description=__doc__)
    parser.add_argument("--set", dest="groups", action="append", choices=GROUPS, help="a set, or the blends")
    parser.add_argument("--cards", metavar="KIND", choices=sorted(KINDS), help="list the cards of a kind")
    args = parser.parse_args(argv)
    groups: Iterable[str] = args.groups or GROUPS
    if args.cards:
        for group in groups:
            for card in cards_of(group)[args.cards] if group != BLENDS else ():
                print(card.full_id)
        return 0
    for group in groups:
        for line in report(group):
            print(line)
        print()
    return 1 if any(missing(group) for group in groups) else 0


if __name__ == "__main__":
    sys.exit(main())
