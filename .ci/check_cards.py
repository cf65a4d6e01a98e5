"""Check what `kickdoor cards list --json` and `kickdoor rules --json` print: the number of cards, and a proof for
each clause.

    python .ci/check_cards.py CARDS.json RULES.json

Each set must have 168 cards, copies included and Seals not, Munchkins & Mazes 95 Door cards and 73 Treasures. Every
clause that holds in the book of a set must have a proof.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

SET, COUNTS = "munchkins-and-mazes", {"door": 95, "treasure": 73}
CARDS = 168
BOOKS = {"munchkins-and-mazes": "maze", "axe-cop": "axe", "apocalypse": "apo", "warhammer-40k": "w40k"}
APPLIED = "(Applied to all sets"
KEYS = {"id", "name", "set", "deck", "kind", "copies", "text"}


def card_faults(cards: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with the list of cards, one sentence each."""
    faults = [f"{card['id']} has no {', '.join(sorted(KEYS - set(card)))}" for card in cards if KEYS - set(card)]
    counted: dict[str, Counter[str]] = {SET: Counter()}
    for card in cards:
        counted.setdefault(card["set"], Counter())[card["deck"]] += card["copies"]
    for name, decks in counted.items():
        if decks["door"] + decks["treasure"] != CARDS:
            faults.append(f"{name}: expected {CARDS} cards without Seals, found {dict(decks)}")
    if counted[SET] != COUNTS:
        faults.append(f"{SET}: expected {COUNTS}, found {dict(counted[SET])}")
    if len({card["id"] for card in cards}) != len(cards):
        faults.append("two cards have the same id")
    return faults


def rule_faults(clauses: list[dict[str, Any]], sets: set[str]) -> list[str]:
    """Return what is wrong with the catalogue: too few clauses, or a clause of one of these sets that has no proof."""
    books = {"all", *(BOOKS[name] for name in sets)}
    ours = [clause for clause in clauses if books & set(clause["sets"]) or APPLIED in clause["text"]]
    faults = [f"nothing proves {clause['id']}" for clause in ours if not clause["scenarios"] + clause["tests"]]
    return faults + ([f"only {len(clauses)} clauses"] if len(clauses) < 207 else [])


def main() -> int:
    """Return 0 if nothing is wrong, 1 if something is."""
    cards, clauses = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:3])
    faults = card_faults(cards) + rule_faults(clauses, {card["set"] for card in cards})
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(cards)} different cards, {sum(card['copies'] for card in cards)} with copies; {len(clauses)} clauses")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
