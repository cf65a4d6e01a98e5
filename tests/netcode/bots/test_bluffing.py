"""Bluffs: whether a bot holds a window as if it had something, and what a winner does about a hold."""

from collections.abc import Callable
from typing import Any

from core.state.actions import Action, Hold, Play
from core.state.views import View
from netcode.bots.player import Observation
from netcode.bots.threats import threat
from tests.netcode.bots.bot_views import VALUES, ViewBuilder, act, ask, bot, brain


def at_claim(heroes: int = 10, **window: Any) -> tuple[ViewBuilder, list[Action]]:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.fights(1, "Bearbug", heroes=heroes, foes=8)
    return table, [table.opens("claim", 1), Hold(window=9)]


def chances(view_of: Callable[[int], View], bluff: float) -> float:
    """Return how often a bot with this trait holds the window, over many turns."""
    held = [act(view_of(turn), bluff=bluff) == Hold(window=9) for turn in range(1, 201)]
    return sum(held) / len(held)


def claim(hand: str = "") -> Callable[[int], View]:
    def view_of(turn: int) -> View:
        table, rows = at_claim()
        table.turn_no = turn
        if hand:
            rows.append(Play(table.holds(hand), target=table.fight.monsters[0].id))
        return table.see(*rows)

    return view_of


def test_the_bluffer_holds_the_window_of_a_winner() -> None:
    assert chances(claim(), 0.0) == 0.0
    assert 0.0 < chances(claim(), 0.5) < chances(claim(), 1.0) < 0.8


def test_the_spiteful_one_holds_the_windows_of_small_fights() -> None:
    def often(**traits: float) -> float:
        held = 0
        for turn in range(1, 101):
            table = ViewBuilder(levels=(3, 3, 3, 3), turn_no=turn)
            table.fights(1, "Practice Rat", heroes=3, foes=1)
            rows: list[Action] = [table.opens("claim", 1), Hold(window=9)]
            held += act(table.see(*rows), (), **traits) == Hold(window=9)
        return held / 100

    assert often(spite=0.5) == often(bluff=1.0) == 0.0 < often(spite=0.7) < often(spite=1.0) < 1.0


def test_after_a_bluff_it_passes() -> None:
    table, rows = at_claim()
    bluffer = bot(bluff=1.0)
    table.turn_no = next(turn for turn in range(1, 99) if act(claim()(turn), bluff=1.0) == Hold(window=9))
    assert bluffer.decide(Observation(table.see(*rows))) == Hold(window=9)
    assert table.window is not None
    table.window.holder, table.window.holds = 0, 1
    assert bluffer.decide(Observation(table.see(rows[0], asks=[ask("hold")]))) == rows[0]


def test_whether_it_bluffs_does_not_depend_on_its_hand() -> None:
    for turn in range(1, 40):
        empty, armed = (act(claim(hand)(turn), bluff=1.0) for hand in ("", "Greater"))
        assert (empty == Hold(window=9)) == (armed == Hold(window=9))
    assert isinstance(act(claim("Greater")(1), bluff=0.0), Play)


def test_it_holds_only_where_the_others_must_fear_such_a_hand() -> None:
    def far_ahead(turn: int) -> View:
        table, rows = at_claim(heroes=40)
        table.turn_no = turn
        return table.see(*rows)

    def bare(turn: int) -> View:
        table, rows = at_claim()
        table.turn_no, table.hands = turn, (0, 5, 5, 5)
        return table.see(*rows)

    assert chances(far_ahead, 1.0) == chances(bare, 1.0) == 0.0


def test_a_larger_hand_and_a_smaller_lead_are_feared_more_and_cards_in_play_are_not() -> None:
    table, rows = at_claim()
    fears = [threat(table.see(*rows), VALUES, 1, lead) for lead in (1, 5, 10, 99)]
    assert 1.0 > fears[0] > fears[1] > fears[2] > fears[3] == 0.0
    table.hands = (5, 2, 5, 5)
    assert threat(table.see(*rows), VALUES, 1, 5) < fears[1]
    table.hands = (5, 5, 5, 5)
    table.has(2, "Greater")
    assert threat(table.see(*rows), VALUES, 1, 5) < fears[1], "what lies there is in nobody's hand"


def held_fight(levels: tuple[int, ...], holder: int, heroes: int = 10) -> tuple[View, Action]:
    """Return a view and an action: a fighter wins and has a +5 in hand, and somebody holds the window; the action plays
    the +5."""
    table = ViewBuilder(levels=levels)
    table.fights(0, "Bearbug", heroes=heroes, foes=8)
    table.opens("claim", 0)
    assert table.window is not None
    table.window.holder, table.window.passed = holder, True
    play = Play(table.holds("Prismatic Glitter"), side="heroes")
    return table.see(play), play


def test_a_winner_strengthens_a_held_fight_if_that_is_worth_the_card() -> None:
    def does(levels: tuple[int, ...], holder: int, heroes: int = 10) -> bool:
        view, play = held_fight(levels, holder, heroes)
        return brain().decide(Observation(view)) == play

    last, early = (9, 3, 3, 3), (3, 3, 3, 3)
    assert does(last, 2), "the game is at stake"
    assert not does(last, -1), "nobody holds it"
    assert not does(last, 2, heroes=60), "nobody could turn it"
    assert not does(early, 2), "a card for one Treasure is too dear"
