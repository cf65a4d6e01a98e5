"""The crossings of effects: a scenario covers every pair for which a set has cards."""

import pytest
from msgspec.structs import replace

from core.scenario.schema import load
from tests import crossings
from tests.census import misspelt
from tests.crossings import BLENDS, GROUPS, KINDS, PAIRS, Crossing, title

SIGNS = sorted({sign for kind in KINDS.values() for sign in kind.signs})

SCENARIO = """
[[scenario]]
name = "compels × counts: a helper before an Imp"
proves = ["help.ask"]
steps = []
[scenario.seats.Kim]
hand = ["Involuntary Volunteer"]
table = ["Ten-Foot Pole"]
"""


@pytest.mark.long(5)
@pytest.mark.parametrize("group", GROUPS)
def test_every_pair_of_a_set_has_a_scenario(group: str) -> None:
    assert crossings.missing(group) == []


def test_no_two_crossings_prove_the_same() -> None:
    proven: dict[frozenset[str], str] = {}
    for one in crossings.crossings():
        what = frozenset(one.scenario.proves)
        assert what not in proven, (proven[what], one.where, one.scenario.name)
        proven[what] = f"{one.where}: {one.scenario.name}"
    assert len(proven) >= 120


def test_there_are_six_kinds_and_twenty_one_pairs() -> None:
    assert len(KINDS) == 6
    assert len(PAIRS) == len(set(PAIRS)) == 21
    assert title(PAIRS[1]) == "compels × copies: "


def test_a_missing_pair_is_named_with_its_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossings, "covering", lambda group, pair: [] if pair == ("compels", "copies") else [0])
    assert crossings.missing(BLENDS) == ["blends: no scenario named 'compels × copies: '..."]


@pytest.mark.parametrize(
    ("old", "new", "unseen"),
    [
        ("", "", []),
        ("Involuntary Volunteer", "Elf", ["compels"]),
        ("Ten-Foot Pole", "Pickle Spear", ["counts"]),
    ],
)
def test_what_a_scenario_does_not_show_is_named(old: str, new: str, unseen: list[str]) -> None:
    (scenario,) = load(SCENARIO.replace(old, new).encode(), "it.toml")
    crossing = Crossing("munchkins-and-mazes", ("compels", "counts"), scenario, "munchkins-and-mazes/it.toml")
    assert crossings.unseen(crossing) == unseen


def test_two_of_one_kind_take_two_cards_or_copies() -> None:
    (scenario,) = load(SCENARIO.encode(), "it.toml")
    crossing = Crossing("munchkins-and-mazes", ("counts", "counts"), scenario, "munchkins-and-mazes/it.toml")
    assert crossings.unseen(crossing) == ["counts"]
    assert crossings.unseen(crossing._replace(scenario=replace(scenario, doors=("Rust Mobster",)))) == []
    assert crossings.unseen(crossing._replace(scenario=replace(scenario, doors=("Ten-Foot Pole#2",)))) == []


@pytest.mark.parametrize("sign", SIGNS)
def test_each_sign_is_made_of_words_of_the_card_language(sign: str) -> None:
    assert misspelt(sign) == []


def test_the_report_lists_pairs_scenarios_and_cards(capsys: pytest.CaptureFixture[str]) -> None:
    crossings.main(["--set", "munchkins-and-mazes"])
    said = capsys.readouterr().out
    assert "compels × forbids" in said and "munchkins-and-mazes/crossings-1.toml: who may not ask" in said
    crossings.main(["--set", "axe-cop", "--cards", "compels"])
    assert "axe-cop:soldier" in capsys.readouterr().out
