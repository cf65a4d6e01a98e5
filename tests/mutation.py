"""Run the mutation test of card packs: python -m tests.mutation [--set ID|DIR] [--card SLUG] [--jobs 2].

It removes or changes one effect, condition or figure of a card at a time. It prints each mutant that no scenario of the
card noticed (a survivor), each scenario that fails before anything is changed, and each card that no scenario proves.
"""

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache

from cards import BUILT_IN
from core.language.errors import PackError
from core.scenario.runner import Scenario, ScenarioError, load
from tests.card_mutation import Verdict, judge, proving
from tests.scenarios import catalog_for, in_folders, scenario_texts


@cache
def scenarios_of(set_id: str) -> list[Scenario]:
    """Return every scenario of a pack, also those that mix it with other sets. Raises ScenarioError."""
    return [scenario for name, data in scenario_texts(set_id).items() for scenario in load(data, f"{set_id}/{name}")]


def judge_card(job: tuple[str, int]) -> Verdict:
    """Run the mutation test of one card, given by its set and the number of its definition."""
    set_id, no = job
    catalog = catalog_for((set_id,))
    proofs = proving(scenarios_of(set_id), catalog.cards[no].full_id)
    return judge(catalog, no, proofs, lambda sets: catalog_for(in_folders(sets, set_id)))


def jobs_for(sets: tuple[str, ...], card: str | None = None) -> list[tuple[str, int]]:
    """Return (set, number of the definition) for every card of these sets, or for the cards with this slug or name."""
    return [
        (set_id, definition.no)
        for set_id in sets
        for definition in catalog_for((set_id,)).cards
        if card is None or card in (definition.card.id, definition.name, definition.full_id)
    ]


def findings(verdict: Verdict) -> Iterator[str]:
    """Yield one text for each thing to correct: failing scenarios, a missing proof, survivors."""
    for failure in verdict.failures:
        yield f"{verdict.card}: a scenario fails before anything is mutated\n{failure}"
    if not verdict.scenarios:
        if not verdict.failures:
            yield f'{verdict.card}: no scenario proves it (proves = ["{verdict.card}"])'
        return
    many = f"{verdict.scenarios} scenario{'s' if verdict.scenarios > 1 else ''}"
    for what in verdict.survivors:
        yield f"{verdict.card} ({many}): {what}"


def main(argv: list[str] | None = None) -> int:
    """Return the exit code: 0 if every mutant was noticed, 1 if there is something to mend, 2 for wrong usage."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--set", dest="sets", action="append", help="a set by id or folder (default: all)")
    parser.add_argument("--card", help="one card, by slug or printed name")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes")
    args = parser.parse_args(argv)
    sets = tuple(args.sets or BUILT_IN)
    try:
        work = jobs_for(sets, args.card)
        for set_id in sets:
            scenarios_of(set_id)
    except (PackError, ScenarioError) as error:
        print(error, file=sys.stderr)
        return 2
    if not work:
        print(f"no card {args.card!r}", file=sys.stderr)
        return 2
    verdicts = _judged(work, args.jobs)
    for verdict in verdicts:
        for text in findings(verdict):
            print(text)
    survivors = sum(len(verdict.survivors) for verdict in verdicts)
    print(f"{len(verdicts)} cards, {sum(verdict.mutants for verdict in verdicts)} mutants, {survivors} survivors")
    return 1 if survivors or any(verdict.failures for verdict in verdicts) else 0


def _judged(work: list[tuple[str, int]], jobs: int) -> list[Verdict]:
    if jobs <= 1:
        return [judge_card(job) for job in work]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(judge_card, work, chunksize=4))


if __name__ == "__main__":
    sys.exit(main())
