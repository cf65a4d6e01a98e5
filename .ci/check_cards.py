"""What `kickdoor cards list --json` and `kickdoor rules --json` print, held against what the sets promise.

    python .ci/check_cards.py CARDS.json RULES.json

Counts copies: 168 cards in the built-in set, 95 of them Door cards and 73 Treasures.
Every clause that holds in it must have a proof.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

COUNTS = {"door": 95, "treasure": 73}
KEYS = {"id", "name", "set", "deck", "kind", "copies", "text"}


def card_faults(cards: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the list of cards."""
    counted: Counter[str] = Counter()
    for card in cards:
        counted[card["deck"]] += card["copies"]
    faults = [f"{card['id']} has no {', '.join(sorted(KEYS - set(card)))}" for card in cards if KEYS - set(card)]
    if dict(counted) != COUNTS:
        faults.append(f"expected {COUNTS}, found {dict(counted)}")
    if len({card["id"] for card in cards}) != len(cards):
        faults.append("two cards have one id")
    return faults


def rule_faults(clauses: list[dict[str, Any]]) -> list[str]:
    """What is wrong with the catalogue: too few clauses, or one of this game's without a proof."""
    ours = [clause for clause in clauses if {"all", "maze"} & set(clause["sets"])]
    faults = [f"{clause['id']} is proved by nothing" for clause in ours if not clause["scenarios"] + clause["tests"]]
    return faults + ([f"only {len(clauses)} clauses"] if len(clauses) < 207 else [])


def main() -> int:
    """Exit code 1 if anything is wrong."""
    cards, clauses = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:3])
    faults = card_faults(cards) + rule_faults(clauses)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(cards)} different cards, {sum(card['copies'] for card in cards)} with copies; {len(clauses)} clauses")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
