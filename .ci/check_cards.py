"""What `kickdoor cards list --json` and `kickdoor rules --json` print, held against what the sets promise.

    python .ci/check_cards.py CARDS.json RULES.json

Counts copies: 168 cards in each set (Seals apart), of Munchkins & Mazes 95 Door cards and 73 Treasures. Every clause
that holds in the book of a set must have a proof.
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
    """What is wrong with the list of cards."""
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
        faults.append("two cards have one id")
    return faults


def rule_faults(clauses: list[dict[str, Any]], sets: set[str]) -> list[str]:
    """What is wrong with the catalogue: too few clauses, or one of a book that can be played without a proof."""
    books = {"all", *(BOOKS[name] for name in sets)}
    ours = [clause for clause in clauses if books & set(clause["sets"]) or APPLIED in clause["text"]]
    faults = [f"{clause['id']} is proved by nothing" for clause in ours if not clause["scenarios"] + clause["tests"]]
    return faults + ([f"only {len(clauses)} clauses"] if len(clauses) < 207 else [])


def main() -> int:
    """Exit code 1 if anything is wrong."""
    cards, clauses = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:3])
    faults = card_faults(cards) + rule_faults(clauses, {card["set"] for card in cards})
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(cards)} different cards, {sum(card['copies'] for card in cards)} with copies; {len(clauses)} clauses")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
