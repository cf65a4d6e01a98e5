"""A verb says by its struct alone that it gives Levels: every rule and piece of advice about Levels goes by that."""

from typing import Any

import pytest

from core.authoring.advice_numbers import number_advice
from core.authoring.drawbacks import drawbacks
from core.engine import new_game
from core.language import schema as v
from core.language.definition import Def
from core.moves.level_cards import level_nine_clause
from core.state.model import Options
from core.state.reader import Reader
from tests.core.kitchen import CATALOG
from tests.core.language.level_verbs import Exchange, Rob


def curse(*ops: Any, text: str = "Something.") -> v.Card:
    return v.Card(id="x", name="X", kind="curse", text=text, play=ops)


@pytest.mark.parametrize(
    ("op", "gives"),
    [(Rob(), True), (Rob(number=-2), False), (Rob(number=v.Amount(monsters=True)), True), (Exchange(), True)],
)
def test_a_definition_knows_that_its_text_gives_levels(op: Any, gives: bool) -> None:
    nested = v.Branch(if_=v.If(own_turn=True), then=(op,))
    assert Def(0, "x", curse(nested)).gives_level is gives


@pytest.mark.parametrize(
    ("op", "levels", "clause"),
    [
        (Rob(), [9, 1], "golden.level-nine"),
        (Rob(), [8, 9], None),
        (Rob(number=-1), [9, 1], None),
        (Rob(even_win=True), [9, 1], None),
        (Exchange(), [9, 1], "golden.level-nine"),
    ],
)
def test_nobody_one_level_short_of_winning_gains_one(op: Any, levels: list[int], clause: str | None) -> None:
    state, _ = new_game(CATALOG, 3, Options(), b"x")
    for seat, level in zip(state.seats, levels):
        seat.level = level
    assert level_nine_clause(Reader(CATALOG, state), 0, (op,), 1, "curse") == clause


def test_a_text_has_to_give_the_levels_of_any_verb() -> None:
    wanted = list(number_advice(curse(Rob(number=3), text="You gain levels.")))
    assert [key for key, *_ in wanted] == ["play[0].number"]
    assert list(number_advice(curse(Rob(number=3), text="Gain three levels."))) == []
    assert list(number_advice(curse(Exchange(), text="Exchange your levels."))) == []


def test_levels_that_count_an_identity_are_a_drawback_of_it() -> None:
    elves = v.Amount(count=v.Cards(zone="identities"), times=-1)
    assert list(drawbacks(curse(v.Level(by=elves)))) == ["play[0].by.count"]
    assert list(drawbacks(curse(Rob(number=elves)))) == ["play[0].number.count"]
