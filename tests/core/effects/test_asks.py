"""Effects that ask: several seats, one after another, and the same seat more than once."""

import pytest

from core.effects import control
from core.effects.common import WAIT, ask
from core.language import schema as v
from core.language.compiler import Ins
from core.state.events import Chose
from core.state.game import Game
from core.state.model import Program
from tests.core.kitchen import outcome

MOULT = """
[[scenario]]
name = "Everybody else exchanges a Power"
turn = "Molly"
steps = [
  { by = "Molly", do = "discard", card = "Fox" },
  { by = "Molly", do = "play", card = "Moult", on = "Molly", expect = { asks = { Nick = "give up" } } },
  { by = "Nick", do = "answer", pick = ["Ant"], expect = { asks = { Oona = "give up" } } },
  { by = "Oona", do = "answer", pick = ["Dog"] },
  { expect = { identities = { Nick = ["Cat", "Fox"], Oona = ["Eel", "Ant"], Petra = [] }, door_top = "Moult" } },
]
[scenario.seats.Molly]
hand = ["Moult"]
table = ["Fox"]
[scenario.seats.Nick]
level = 2
table = ["Ant", "Cat"]
[scenario.seats.Oona]
level = 2
table = ["Dog", "Eel"]
[scenario.seats.Petra]
"""


def test_each_seat_is_asked_once_and_changes_once() -> None:
    assert outcome(MOULT) == "fine"


TWICE = """
[[scenario]]
name = "Nick answers twice, Molly in between"
turn = "Molly"
steps = [
  { by = "Molly", do = "play", card = "Shave", on = "Nick", expect = { options = { Nick = ["red", "blue"] } } },
  { by = "Nick", do = "answer", pick = ["blue"], expect = { options = { Molly = ["left", "right"] } } },
  { by = "Molly", do = "answer", pick = ["left"], expect = { options = { Nick = ["up", "down"] } } },
  { by = "Nick", do = "answer", pick = ["down"], expect = { log = "Nick chooses: blue left down" } },
]
[scenario.seats.Molly]
hand = ["Shave"]
[scenario.seats.Nick]
"""


def _three_questions(g: Game, f: Program, ins: Ins, op: v.SwapSex) -> int:
    colour = ask(g, f, f.victim, "option", [0, 1], texts=["red", "blue"])
    if colour is None:
        return WAIT
    side = ask(g, f, f.you, "option", [0, 1], texts=["left", "right"])
    if side is None:
        return WAIT
    height = ask(g, f, f.victim, "option", [0, 1], texts=["up", "down"])
    if height is None:
        return WAIT
    words = (["red", "blue"][colour[0]], ["left", "right"][side[0]], ["up", "down"][height[0]])
    g.emit(Chose(f.victim, f.defn, " ".join(words)))
    assert not f.asks
    return ins.ok


def test_a_seat_may_be_asked_more_than_once_by_one_effect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(control.VERBS, v.SwapSex, _three_questions)
    assert outcome(TWICE) == "fine"
