"""The number of short words says which table is meant, so no two tables of a host or a club have the same."""

from pathlib import Path

from netcode.host.registry import Registry, TablePlan
from netcode.journal import Journal
from netcode.short_words.frames import NUMBERS
from netcode.short_words.word_list import SHORT_NUMBERS, number_of

SETS = ("munchkins-and-mazes",)


def test_a_table_that_gets_words_when_it_is_restored_has_a_number_that_is_free_in_the_club(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    without = Registry(journal)
    entry = without.open(TablePlan(sets=SETS, seats=3), without.cards(SETS, ()))
    journal.close()
    journal = Journal(tmp_path)
    registry = Registry(journal, words=True)
    registry.elsewhere = set(SHORT_NUMBERS) - {57}
    assert registry.resume() == []
    assert number_of(registry.seatings()[entry.id].admission.words) == 57
    journal.close()


def test_a_table_is_opened_without_words_when_all_numbers_are_taken() -> None:
    registry = Registry(words=True)
    registry.elsewhere = set(NUMBERS)
    entry = registry.open(TablePlan(sets=SETS, seats=3), registry.cards(SETS, ()))
    assert entry.table.seating.admission.words == ""
