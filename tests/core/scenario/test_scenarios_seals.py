"""Scenario files of sets with Seals, Allies, Vehicles and sex: their setups, steps and expectations."""

import pytest

from core.authoring.lint import check_pack
from tests.core.kitchen import FOLDER, files, outcome

SEALS = (FOLDER / "seals.toml").read_text()
TABLE = (FOLDER / "table.toml").read_text()


def test_the_pack_of_these_scenarios_passes() -> None:
    assert check_pack(files()) == []


def test_seals_and_sex_are_set_up_and_expected() -> None:
    assert outcome(SEALS) == "fine"


def test_a_seal_keeps_monsters_from_pursuing() -> None:
    text = (FOLDER / "calm.toml").read_text()
    assert outcome(text) == "fine"
    assert "asks = {'Molly': 'roll'}" in outcome(text.replace("level = 2", "level = 3"))


def test_attached_cards_are_set_up_and_expected() -> None:
    assert outcome(TABLE.replace("dice = [1]\n", "")) == "fine"
    assert "dice not rolled: [1]" in outcome(TABLE)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('seals_open = ["Wind", "Rain"], sex', 'seals_open = ["Rain", "Wind"], sex', "seals_open = ['Wind', 'Rain']"),
        ("seals = 10, seals_open", "seals = 9, seals_open", "found:    seals = 10"),
        ('Nick = "male"', 'Nick = "female"', "'Nick': 'male'"),
        ('seals = ["Hail", "Rain"]', 'seals = ["Hail", "Rain", "Rain"]', "Rain is named 3 times"),
        ('sex = "female"', 'sex = "other"', "Invalid enum value 'other'"),
    ],
)
def test_a_wrong_expectation_of_seals_fails(old: str, new: str, says: str) -> None:
    assert old in SEALS
    assert says in outcome(SEALS.replace(old, new, 1))


def test_a_wrong_expectation_of_the_table_fails() -> None:
    text = TABLE.replace("dice = [1]\n", "")
    assert "attached = {'Molly': ['Fork > Owl', 'Tines > Fork']}" in outcome(text.replace('["Fork > Owl", ', "["))
    assert "Fork is named 2 times" in outcome(text.replace('"Bat", "Tines', '"Fork", "Bat", "Tines'))
    assert "vehicles = {'Molly': ['Trolley']}" in outcome(text.replace('["Trolley"] }, carried', "[] }, carried"))
