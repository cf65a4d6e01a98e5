"""The tool that makes mutants of the program's code: the code that it changes, and the code that it does not."""

from pathlib import Path

from tests.code_mutants import draw, mutants

SOURCE = '''
LIMIT = 3


class Queue:
    """A queue."""

    @property
    def room(self) -> int:
        """Return 1 if there is room."""
        LOG.warning("no room for %d", 1)
        self.full = len(self.waiting) < LIMIT
        if not self.open and self.name != "":
            return
        self.waiting.append(2)
        return self.waiting[0] + 1
'''


def test_every_part_of_a_function_is_changed_and_nothing_else() -> None:
    found = list(mutants("queue.py", SOURCE.encode()))
    assert {(one.function, one.function_line) for one in found} == {("Queue.room", 8)}, "decorators are part of it"
    assert [f"{one.line} {one.before} -> {one.after}" for one in found] == [
        "12 self.full = len(self.waiting) < LIMIT -> pass",
        "12 len(self.waiting) < LIMIT -> (len(self.waiting) <= LIMIT)",
        "12 len(self.waiting) < LIMIT -> (len(self.waiting) >= LIMIT)",
        '13 not self.open and self.name != "" -> (not self.open or self.name != \'\')',
        "13 not self.open -> (self.open)",
        '13 self.name != "" -> (self.name == \'\')',
        "14 return -> pass",
        "15 self.waiting.append(2) -> pass",
        "15 2 -> (3)",
        "15 2 -> (1)",
        "16 return self.waiting[0] + 1 -> return None",
        "16 self.waiting[0] + 1 -> (self.waiting[0] - 1)",
        "16 0 -> (1)",
        "16 0 -> (-1)",
        "16 1 -> (2)",
        "16 1 -> (0)",
    ]
    for one in found:
        compile(one.apply(SOURCE.encode()), "queue.py", "exec")


def test_the_same_seed_draws_the_same_mutants_at_most_one_of_a_line(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text(SOURCE)
    first, again, other = (draw(tmp_path, ["queue.py"], seed, 9) for seed in (1, 1, 2))
    assert first == again != other
    assert sorted(one.line for one in first) == [12, 13, 14, 15, 16]
