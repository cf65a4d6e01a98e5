"""The way through the menus to an action, and the hint made of it."""

from core.state import actions as a
from netcode.protocol import wire
from tests.tui import bot_games, samples
from tui.lessons.adviser import Advice, Adviser
from tui.menus.hint import hint_words
from tui.menus.paths import entries_to
from tui.scene.scene import Scene

FREE = (a.Pass, a.Hold, a.Give, a.Withdraw)
"""Actions that have their own keys, or that the editor of trades writes."""


def test_there_is_a_way_to_everything_that_a_good_player_would_do() -> None:
    adviser = Adviser(samples.catalog())
    info = wire.TableInfo("", [wire.SeatInfo(name, "here") for name in ("Ada", "Bo", "Cid")], "playing")
    found = 0
    for seat, view in bot_games.views(11, seats=3, every=6):
        if seat < 0 or view.you is None or not view.you.legal:
            continue
        advice = adviser.advice(view)
        action = advice.action
        if action is None or isinstance(action, FREE):
            continue
        scene = Scene(samples.catalog(), info, view, seat)
        way = entries_to(scene, action)
        assert way, f"no entry leads to {action}"
        assert hint_words(scene, advice).startswith("A good player would ")
        found += 1
    assert found > 30


def test_the_hint_of_nothing_is_to_let_it_pass() -> None:
    info = wire.TableInfo("", [wire.SeatInfo("Ada", "here")] * 6, "playing")
    scene = Scene(samples.catalog(), info, samples.crowded(), samples.ME)
    assert hint_words(scene, Advice(None)).startswith("A good player would wait. ")
    assert hint_words(scene, Advice(a.Pass(1))).startswith("A good player would let this pass. ")
