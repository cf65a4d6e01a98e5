"""The mutation test by hand: python -m tests.mutation [--set ID|DIR] [--card SLUG] [--jobs 2]. Prints survivors."""

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from cards import BUILT_IN
from core.authoring.mutation import Verdict, judge, proving
from core.scenario.runner import Scenario, load
from tests.scenarios import catalog_for, scenario_texts


@cache
def scenarios_of(set_id: str) -> list[Scenario]:
    """Every scenario of a pack, those that shuffle it together with others included."""
    return [scenario for name, data in scenario_texts(set_id).items() for scenario in load(data, f"{set_id}/{name}")]


def judge_card(job: tuple[str, int]) -> Verdict:
    """The mutation test of one card of a set."""
    set_id, no = job
    catalog = catalog_for((set_id,))
    return judge(catalog, no, proving(scenarios_of(set_id), catalog.cards[no].full_id), catalog_for)


def jobs_for(sets: tuple[str, ...], card: str | None = None) -> list[tuple[str, int]]:
    """(set, definition) for every card of these sets, or for the one with this slug or name."""
    return [
        (set_id, definition.no)
        for set_id in sets
        for definition in catalog_for((set_id,)).cards
        if card is None or card in (definition.card.id, definition.name, definition.full_id)
    ]


def main() -> int:
    """Exit code 0: no survivors; 1: some; 2: no such card."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--set", dest="sets", action="append", help="a set by id or folder (default: all)")
    parser.add_argument("--card", help="one card, by slug or printed name")
    parser.add_argument("--jobs", type=int, default=1, help="processes at work at the same time")
    args = parser.parse_args()
    work = jobs_for(tuple(args.sets or BUILT_IN), args.card)
    if not work:
        print(f"no card {args.card!r}", file=sys.stderr)
        return 2
    if args.jobs > 1:
        with ProcessPoolExecutor(args.jobs) as pool:
            verdicts = list(pool.map(judge_card, work, chunksize=4))
    else:
        verdicts = [judge_card(job) for job in work]
    for verdict in verdicts:
        for what in verdict.survivors:
            print(f"{verdict.card} ({verdict.scenarios} scenarios): {what}")
    survivors = sum(len(verdict.survivors) for verdict in verdicts)
    print(f"{len(verdicts)} cards, {sum(verdict.mutants for verdict in verdicts)} mutants, {survivors} survivors")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
