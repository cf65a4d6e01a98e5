"""The audit of the dependencies distinguishes three results: advisories were found, the advisories cannot be reached,
the audit is impossible."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

AUDIT = Path(__file__).parents[2] / ".ci" / "audit.py"
CLEAN = {"name": "click", "version": "8.3.0", "vulns": []}
SKIPPED = {"name": "segno", "skip_reason": "Dependency not found on PyPI"}
FOUND = {"name": "rich", "version": "14.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["14.1"], "aliases": []}]}


@pytest.fixture
def audit() -> ModuleType:
    """The script, imported from its path."""
    spec = importlib.util.spec_from_file_location("audit", AUDIT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("packages", "code", "words"),
    [
        ([CLEAN], 0, "no advisory"),
        ([CLEAN, FOUND], 1, "rich 14.0: PYSEC-1, fixed in 14.1"),
        ([SKIPPED, FOUND], 1, "PYSEC-1"),
        ([CLEAN, SKIPPED], 3, "NOT AUDITED"),
    ],
)
def test_a_report_leads_to_its_exit_code(
    audit: ModuleType, packages: list[object], code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.verdict(json.dumps({"dependencies": packages}), "") == code
    printed = capsys.readouterr()
    assert words in printed.out + printed.err


@pytest.mark.parametrize(
    ("errors", "code", "words"),
    [
        ("Traceback\nrequests.exceptions.ConnectionError: no route", 3, "NOT AUDITED"),
        ("ERROR: Could not connect to PyPI's vulnerability feed", 3, "NOT AUDITED"),
        ("python: No module named pip_audit", 2, "the audit cannot be made: python: No module named pip_audit"),
        ("", 2, "pip-audit said nothing"),
    ],
)
def test_an_audit_without_a_report_is_offline_or_impossible_never_clean(
    audit: ModuleType, errors: str, code: int, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.verdict("", errors) == code
    assert words in capsys.readouterr().err
