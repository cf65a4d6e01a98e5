"""Texts that must not strike twice, give a price back, or hide cards that the chooser has just seen."""

import pytest

from tests.core.kitchen import failures


@pytest.mark.proves("flee.bad-stuff-side")
def test_a_bad_stuff_for_everybody_strikes_once_and_spares_the_escaped() -> None:
    assert failures("strikes.toml") == []


@pytest.mark.proves("self.price-stays-paid")
def test_a_price_is_not_given_back() -> None:
    assert failures("prices.toml") == []


def test_who_is_caught_is_told_what_is_not_taken_and_why() -> None:
    assert failures("caught.toml") == []
