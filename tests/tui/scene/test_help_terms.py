"""What a helper brings: sums of help add up from what the row and the table show."""

import re

import pytest

from core.knowledge.forecast import Forecaster
from core.state import actions as a
from core.view import view
from tests.tui import bot_games, samples, set_samples
from tui.menus.hint_reasons import why
from tui.scene.cells import UNICODE
from tui.scene.help_terms import help_words
from tui.scene.outlook import of_action
from tui.scene.scene import Scene

SETS = (set_samples.MAZES, set_samples.W40K)
CHANGED = 10
"""Each game is read until this many offers of help lead to sums that the strengths of the table do not explain."""


@pytest.mark.parametrize("name", SETS)
def test_a_sum_with_a_helper_adds_up_from_what_its_row_says(name: str) -> None:
    """A row said `19 : 1 with Cyd` of a fighter of 6 and a helper of 10."""
    changed = said = 0
    catalog = set_samples.catalog(name)
    forecaster = Forecaster(catalog)
    for state, _ in bot_games.moments(227, catalog=catalog):
        if state.fight is None or state.fight.stage != "fight" or state.fight.helper >= 0:
            continue
        now = view(catalog, state, 0)
        forecasts = forecaster.forecasts(state, 0, now.you.legal) if now.you is not None else []
        scene = Scene(catalog, samples.info(4), now, 0, UNICODE, forecasts=tuple(forecasts))
        assert scene.fight is not None and now.you is not None
        for forecast in forecasts:
            action = now.you.legal[forecast.rows[0]].action
            if forecast.fate != "sums" or not isinstance(action, a.Offer) or forecast.helper < 0:
                continue
            shown = scene.fight.heroes + scene.seat(forecast.helper).strength
            if (shown, scene.fight.foes) == (forecast.heroes, forecast.foes):
                continue
            changed += 1
            forms = help_words(scene, forecast)
            said += bool(forms)
            row = of_action(scene, action)
            if row.sums:
                assert not forms or row.words[0].startswith(forms[0])
                assert not forms or forms[0].partition(" ")[2] in why(scene, action), "a hint says so too"
            else:
                assert scene.fight.winning and scene.fight.seat != 0 and "wins without you" in row.words[0]
            for words in forms:
                ours, *theirs = words.split(", ")
                assert scene.fight.heroes + _added(ours) == forecast.heroes, words
                assert scene.fight.foes + sum(map(_added, theirs)) == forecast.foes, words
        if changed >= CHANGED:
            break
    assert changed >= CHANGED and said == changed


def _added(words: str) -> int:
    """Return the sum of the numbers in `Cyd 10 + Civilian 3` or `Wight +5`."""
    first, *others = re.split(r" (?=[+-] )", words)
    numbers = [int(first.rpartition(" ")[2])]
    for other in others:
        sign, *_, number = other.split()
        numbers.append(int(number) if sign == "+" else -int(number))
    return sum(numbers)
