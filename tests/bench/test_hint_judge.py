"""The judge of hints: what it plays out, and games whose hints were wrong once."""

import json
from types import SimpleNamespace
from typing import cast

import pytest

from core.knowledge.veil import veil
from core.state import actions as a
from core.state.model import State, defn_of
from core.view import view
from tests.bench import hints
from tests.bench.hint_judge import PLAYED, Judge
from tests.bench.hinted_game import Hint
from tests.netcode.bots.bot_positions import CATALOG, COFFEE, FIGHT, VALUES, position


def hint_at(state: State, seat: int) -> Hint:
    """Return a hint for a seat, with only the fields that playing it out needs."""
    scene = SimpleNamespace(me=seat, title=lambda card: CATALOG.cards[defn_of(card)].name)
    return cast(Hint, SimpleNamespace(scene=scene, view=view(CATALOG, state, seat), veiled=veil(CATALOG, state, seat)))


def test_an_act_is_played_on_to_the_end_of_the_game() -> None:
    state = position("Practice Rat", FIGHT, Kim='level = 9, table = ["Plot Armor"]', Roger="", Ross="")
    judge, hint = Judge(CATALOG, VALUES, 1), hint_at(state, 0)
    assert judge.played_out(hint, a.Claim()) == [True] * PLAYED
    assert judge.played_out(hint, a.Kick()) == [], "it is not allowed"


def test_what_could_stop_a_winner_does_so_by_the_rules() -> None:
    armed = f'hand = ["Greater", "{COFFEE}"]'
    claimed = FIGHT + ', { by = "Kim", do = "claim" }'
    state = position("Practice Rat", claimed, Kim="level = 9", Roger=armed, Ross="")
    judge, hint = Judge(CATALOG, VALUES, 1), hint_at(state, 1)
    assert judge._could_stop(hint, state, "Greater") and not judge._could_stop(hint, state, COFFEE)


@pytest.mark.long(0)
@pytest.mark.parametrize(("name", "seed"), [("axe-cop", 5), ("munchkins-and-mazes", 9)])
def test_games_whose_hints_were_wrong_have_true_ones(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, seed: int
) -> None:
    """Formerly, hints compared figures within the standard error, said "100 of 100" without proof, advised charity
    before plays, and said that cards stop a winner that do not."""
    monkeypatch.setattr(Judge, "played_out", lambda *about: [])
    assert hints.main(["--games", "1", "--seed", f"{seed}", "--set", name, "--within", "2"]) == 0
    printed = {row["name"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert printed["hints: false"]["hints"] > 30 and printed["hints: empty"]["value"] < 5
