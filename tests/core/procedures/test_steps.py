"""The docstring of each procedure names its steps, in the order of the tables that run them."""

import re
from types import ModuleType

import pytest

from core.procedures import charity, checkpoint, combat, over_limit, rewards, running_away, turn

PAGES = [charity, checkpoint, combat, over_limit, rewards, running_away, turn]


@pytest.mark.parametrize("module", PAGES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_the_page_of_a_procedure_names_its_steps_in_order(module: ModuleType) -> None:
    named = re.findall(r"^    ([a-z ]+): ", module.__doc__ or "", re.MULTILINE)
    tables = [table for name, table in vars(module).items() if re.fullmatch(r"_([A-Z]+_)?(STEPS|REMEDIES)", name)]
    assert tables, f"{module.__file__} has no table of steps"
    assert named == [step for table in tables for step in table], f"the docstring of {module.__file__}"


@pytest.mark.parametrize("module", PAGES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_each_step_says_what_it_does(module: ModuleType) -> None:
    functions = [step for name, table in vars(module).items() if name.endswith(("_STEPS", "_REMEDIES"))
                 for step in table.values()]  # fmt: skip
    silent = [step.__name__ for step in functions if not step.__doc__]
    assert not silent, f"steps of {module.__file__} without a docstring: {silent}"
