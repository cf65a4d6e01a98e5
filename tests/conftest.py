"""Marks that the whole suite shares."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks."""
    config.addinivalue_line(
        "markers", "proves(*clauses): this test proves these clauses of the rules catalogue, which names it"
    )
