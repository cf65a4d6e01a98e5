"""A searching bot does not try moves that by the rules are against its own interest."""

import random

import pytest
from msgspec.structs import replace

from core.knowledge.veil import veil
from core.state.actions import Accept, Action, Answer, Counter, Decline, Flee, Play, Use
from core.state.model import State, defn_of
from core.view import view
from netcode.bots.player import Observation
from netcode.bots.pruning import gives_up, harmless_moves
from netcode.bots.search import Question, Search, Searcher, Verdict
from tests.netcode.bots.bot_positions import CATALOG, COFFEE, FIGHT, VALUES, play_of, position, trials


def question(state: State, seat: int) -> tuple[Action | None, Question | None]:
    """Return the action of a searching bot's policy, and the question to its search."""
    seen = Observation(view(CATALOG, state, seat), veil(CATALOG, state, seat))
    return Searcher(CATALOG, random.Random(1), VALUES).consider(seen, 40)


def tried(state: State, seat: int) -> tuple[Action | None, ...]:
    choice, asked = question(state, seat)
    return asked.found if asked is not None else (choice,)


def test_a_hero_does_not_strengthen_the_monsters_for_nothing() -> None:
    for foe, kept in (("monsters", False), ("heroes", True)):
        state = position("Mummy's Boy", FIGHT, Kim=f'level = 3, hand = ["{COFFEE}"]', Roger="")
        found: list[Action | None] = [None, Flee(), play_of(state, 0, COFFEE, side=foe)]
        assert harmless_moves(trials(state, 0), 0, found) == ([0, 1, 2] if kept else [0, 1])


def test_one_more_monster_is_worth_its_treasures_while_the_fight_stays_won() -> None:
    for level, kept in ((9, True), (3, False)):
        table = 'hand = ["Greater"], table = ["Pickle Spear", "Plot Armor"]'
        state = position("Practice Rat", FIGHT, Kim=f"level = {level}, {table}", Roger="")
        play = next(row.action for row in view(CATALOG, state, 0).you.legal if isinstance(row.action, Play))
        assert harmless_moves(trials(state, 0), 0, [play]) == ([0] if kept else []), level


def test_a_rival_does_not_win_somebody_elses_fight() -> None:
    state = position("Mummy's Boy", FIGHT, Kim="level = 3", Roger=f'hand = ["{COFFEE}"]')
    coffee = play_of(state, 1, COFFEE, side="heroes")
    then = trials(state, 1).after(coffee)
    assert then is not None
    assert harmless_moves(trials(state, 1), 1, [coffee]) == ([] if then.winning else [0])


@pytest.mark.parametrize(("level", "tries"), [(9, False), (3, True)])
def test_a_rival_who_fights_for_the_game_is_not_helped(level: int, tries: bool) -> None:
    """With the bot's help alone the rival would not win, but may have a card for what is missing."""
    offer = FIGHT + ', { by = "Kim", do = "offer", to = "Roger", treasures = 1 }'
    state = position("Maze Architect", offer, Kim=f"level = {level}", Roger='table = ["Pickle Spear"]')
    choice, asked = question(state, 1)
    found = asked.found if asked is not None else ()
    assert isinstance(choice, Decline)
    assert any(isinstance(one, Accept | Counter) for one in found) == tries


def test_a_won_fight_is_not_put_at_risk_by_what_cannot_be_foreseen() -> None:
    for level, kept in ((9, False), (3, True)):
        hand = f'level = {level}, hand = ["Potion of Wild Averages"], table = ["Pickle Spear"]'
        state = position("Mummy's Boy", FIGHT, Kim=hand, Roger="")
        for row in view(CATALOG, state, 0).you.legal:
            if isinstance(row.action, Play):
                assert trials(state, 0).after(row.action) is None
                assert harmless_moves(trials(state, 0), 0, [row.action]) == ([0] if kept else []), level


def test_a_blow_that_leaves_somebody_elses_fight_won_is_not_tried() -> None:
    for name, kept in ((COFFEE, False), ("Greater", True)):
        state = position("Mummy's Boy", FIGHT, Kim='level = 9, table = ["Plot Armor"]', Roger=f'hand = ["{name}"]')
        now = trials(state, 1).now()
        assert now is not None and now.winning and now.match_point
        plays = [row.action for row in view(CATALOG, state, 1).you.legal if isinstance(row.action, Play)]
        blows = [play for play in plays if play.side != "heroes"]
        assert harmless_moves(trials(state, 1), 1, blows) == ([0] if kept else [])


def test_a_card_that_stops_a_winner_is_kept_while_a_rival_is_near_victory() -> None:
    """The card would lower the fighter's Level, and the fight would still be won."""
    kim, roger = 'level = 7, table = ["Pickle Spear", "Plot Armor"]', 'hand = ["Level Drain Pipe"]'
    state = position("Mummy's Boy", FIGHT, Kim=kim, Roger=roger, Bo="level = 8")
    play = next(row.action for row in view(CATALOG, state, 1).you.legal if isinstance(row.action, Play))
    play = replace(play, seat=0)
    then = trials(state, 1).after(play)
    assert then is not None and then.winning and then.levels[0] < 7
    assert harmless_moves(trials(state, 1), 1, [play]) == [0]
    assert harmless_moves(trials(state, 1), 1, [play], VALUES.win_blockers) == []


def test_no_answer_names_what_stops_a_winner_instead_of_another_card() -> None:
    state = position("Mummy's Boy", FIGHT, Kim="level = 8", Roger='hand = ["Greater", "Orc"]')
    greater, orc = state.seats[1].hand
    for picks, choice, given in (((greater,), (orc,), True), ((orc,), (orc,), False), ((greater,), (greater,), False)):
        answer = Answer(1, picks)
        assert gives_up(answer, Answer(1, choice), state.seats[1].hand, VALUES.win_blockers) == given
    assert not gives_up(Answer(1, (greater,)), Answer(1, (orc,)), state.seats[1].hand, frozenset()), "nobody is near"


def test_a_card_that_raises_only_others_is_not_tried() -> None:
    state = position("Mummy's Boy", FIGHT, Kim='level = 4, hand = ["Find a Typo in the Rulse"]', Roger="")
    for seat in (0, 1):
        play = replace(play_of(state, 0, "Find a Typo in the Rulse"), seat=seat)
        assert harmless_moves(trials(state, 0), 0, [None, play]) == ([0, 1] if seat == 0 else [0])


def test_who_stops_a_winner_does_not_wait_whether_others_do() -> None:
    hand = f'hand = ["{COFFEE}", "Greater"]'
    state = position("Mummy's Boy", FIGHT, Kim="level = 9", Roger=hand)
    choice, asked = question(state, 1)
    assert choice == play_of(state, 1, COFFEE, side="monsters") and asked is None
    state = position("Mummy's Boy", FIGHT, Kim="level = 8", Roger=hand)
    assert None in tried(state, 1), "an ordinary fight may be left to others"


def test_who_has_the_cards_to_win_does_not_try_to_run_away() -> None:
    for level, flees in ((6, False), (1, True)):
        state = position("Mummy's Boy", FIGHT, Kim=f'level = {level}, hand = ["{COFFEE}"]', Roger="")
        assert (Flee() in tried(state, 0)) == flees, level


def test_abilities_are_paid_with_the_least_wanted_cards_first() -> None:
    """A rival is near victory: the card that could stop it is the last to go."""
    hand = 'table = ["Thief"], hand = ["Greater", "Orc", "Elf"]'
    state = position("Mummy's Boy", FIGHT, Kim="level = 8", Roger=hand)
    paid = [action for action in tried(state, 1) if isinstance(action, Use)]
    assert paid and all(CATALOG.cards[defn_of(card)].name != "Greater" for use in paid[:2] for card in use.pay)


def test_the_search_compares_only_what_does_no_harm(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position("Mummy's Boy", FIGHT, Kim=f'level = 3, hand = ["{COFFEE}"]', Roger="")
    harm, flee = play_of(state, 0, COFFEE, side="monsters"), Flee()
    asked = Question(veil(CATALOG, state, 0), (flee, harm, play_of(state, 0, COFFEE, side="heroes")), 1)
    seen: list[object] = []

    def rollout(self: Search, there: State, seat: int, action: Action | None, *_: int) -> tuple[float, int]:
        seen.append(action)
        return (1.0 if action == harm else 0.5), 1

    monkeypatch.setattr(Search, "rollout", rollout)
    verdict = Search(CATALOG, VALUES).answer(asked, 40)
    assert isinstance(verdict, Verdict) and verdict.taken == 0 and harm not in seen and flee in seen
    assert verdict.chances[1] == 0
