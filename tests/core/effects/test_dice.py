"""Dice: with six and with twenty sides, fixed in advance, and rolled again."""

import pytest

from core.authoring.lint import check_pack
from core.engine import new_game
from core.queries.dice import may_throw_again
from core.scenario.runner import run_texts
from core.state.model import Options, Placed, Throw, card_id
from core.state.reader import Reader
from tests.card_mutation import judge, proving
from tests.core.dice_pack import CATALOG, files, outcome, scenarios

OWN = sorted(card.full_id for card in CATALOG.cards if any(proving(scenarios(), card.full_id)))


def test_the_pack_has_no_mistake() -> None:
    assert [str(problem) for problem in check_pack(files())] == []


@pytest.mark.parametrize("name", [scenario.name for scenario in scenarios()])
def test_each_scenario_of_the_pack_passes(name: str) -> None:
    assert outcome(name) == "fine"


@pytest.mark.parametrize("card", OWN)
def test_what_each_card_of_the_pack_does_is_proved(card: str) -> None:
    """These scenarios are not about slots and values."""
    verdict = judge(CATALOG, CATALOG.by_id[card].no, proving(scenarios(), card))
    survivors = [what for what in verdict.survivors if what.startswith(("play", "mods"))]
    assert survivors == [] and verdict.failures == ()


@pytest.mark.proves("dice.sides")
def test_a_number_that_waits_for_the_next_die_waits_for_one_with_six_sides() -> None:
    assert outcome("a number that waits for the next die waits for one with six sides") == "fine"


@pytest.mark.proves("dice.again")
def test_a_die_is_rolled_again_before_anything_else() -> None:
    for name in (
        "the roller is asked first, and nothing else happens in between",
        "a roll to run away is rolled again once in a turn",
        "a number that was fixed before is not rolled again",
        "a failed roll is paid for after the last time that it was rolled",
    ):
        assert outcome(name) == "fine"


def test_while_first_cards_are_laid_out_nobody_is_asked_because_that_would_show_them() -> None:
    state, _ = new_game(CATALOG, 3, Options(), b"x")
    state.seats[1].table = [Placed(card_id(1, 0, CATALOG.by_id["dice:hex-doll"].no))]
    assert may_throw_again(Reader(CATALOG, state), 1, Throw(seat=0, of="text")) == []
    state.turn.no = 1
    assert len(may_throw_again(Reader(CATALOG, state), 1, Throw(seat=0, of="text"))) == 1
    state.seats[1].dead = True
    assert may_throw_again(Reader(CATALOG, state), 1, Throw(seat=0, of="text")) == []


SPIN = """
[[scenario]]
name = "A number that the die lacks"
turn = "Molly"
dice = [%s]
steps = [{ by = "Molly", do = "play", card = "%s", expect = { levels = { Molly = 2 } } }]
[scenario.seats.Molly]
hand = ["%s"]
"""


@pytest.mark.parametrize(
    ("number", "card", "found"),
    [(6, "Coin", ""), (7, "Coin", "a number from 1 to 6 in dice for a die with 6 sides"), (20, "Spinner", "levels")],
)
def test_a_scenario_names_only_numbers_that_the_die_has(number: int, card: str, found: str) -> None:
    text = (SPIN % (number, card, card)).encode()
    report = run_texts(lambda sets: CATALOG, {"it.toml": text}, ("dice",))
    assert bool(report.failures) == bool(found)
    assert all(found in failure.expected for failure in report.failures)


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        (', if = { saved = "coin", at_least = 4 }', ', if = { saved = "coin" }', "play[1].if.saved", "always holds"),
        ('{ saved = "spin", at_most = 1 }', '{ level_at_least = 2, at_most = 1 }', "play[1].if.at_most", "with saved"),
        ("at_least = 2, at_most = 3", "at_least = 3, at_most = 2", "play[3].if.at_most", "no number is"),
        ('of = "run", per = "turn"', 'of = "run"', "mods[0].per", "is missing"),
        ("spent = true", 'spent = true, per = "turn"', "mods[0].per", "means nothing"),
        ("spent = true", "spent = true, most = 2", "mods[0].most", "means nothing"),
        ('{ mod = "roll_is", value = 3 }', '{ mod = "throw_again", spent = true }', "play[0].mods[0]", "linger"),
        ('do = "extra_turn" }', 'do = "extra_turn", who = "others" }', "play[0].who", "at most one extra turn"),
        ("sides = 20", "sides = 12", "play[0].sides", "one of 6, 20"),
        (
            'kind = "hireling"\ntext', 'kind = "seal"\ntext', "mods[0]", "means nothing on a Seal"
        ),
    ],
)  # fmt: skip
def test_a_mistake_with_dice_or_turns_is_found(old: str, new: str, key: str, says: str) -> None:
    pack = files()
    assert old.encode() in pack["dice.toml"]
    found = check_pack({**pack, "dice.toml": pack["dice.toml"].replace(old.encode(), new.encode())})
    assert [str(problem) for problem in found if problem.key == key and says in str(problem)], list(map(str, found))
