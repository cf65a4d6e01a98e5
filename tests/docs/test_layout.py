"""The files of tests: what may import what, and modules that the ordinary run does not reach."""

import importlib
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
OF_A_TEST = re.compile(r"^\s*(?:from|import)\s.*\btest_\w+", re.MULTILINE)
"""An import of a test module or from one."""
BENCHMARKS = sorted(path.stem for path in (TESTS / "bench").glob("*.py") if not path.stem.startswith("__"))


def test_no_module_imports_a_test_module() -> None:
    """Code that two test modules share belongs in a helper module, which is named for what it gives."""
    wrong = {
        str(path.relative_to(TESTS)): found
        for path in TESTS.rglob("*.py")
        if (found := [line.strip() for line in OF_A_TEST.findall(path.read_text("utf-8"))])
    }
    assert not wrong, f"these import a test module: {wrong}"


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_benchmark_can_be_imported(name: str) -> None:
    """The benchmarks take too long for the ordinary run; this test notices when a module that they import has moved."""
    assert importlib.import_module(f"tests.bench.{name}")
