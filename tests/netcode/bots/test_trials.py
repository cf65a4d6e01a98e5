"""Bots ask the rules before they act: each test is a position in which printed numbers mislead."""

import random
from copy import copy

import pytest

from core.engine import submit
from core.state.actions import Action, Decline, Flee, Play, Refusal, Use
from core.state.model import State, decode, defn_of, encode
from core.view import Showing, view
from netcode.bots.brain import Brain
from netcode.bots.combat import CombatPlanner
from netcode.bots.lazy_observation import LazyObservation
from netcode.bots.picks import filled
from netcode.bots.reading import Reading
from netcode.bots.trials import GameStanding, Trials
from netcode.bots.win_blockers import win_blockers
from netcode.simulation.game import SimulatedGame
from tests.blends import BLENDS, catalog_of, values_of
from tests.netcode.bots.bot_positions import CATALOG, COFFEE, FIGHT, VALUES, play_of, position, trials
from tests.thorough import TURN


def decided(state: State, seat: int, level: str = "normal") -> Action | None:
    """Return the action of a bot in this seat."""
    bot = Brain(CATALOG, level, random.Random(1), VALUES)
    return bot.decide(LazyObservation(CATALOG, state, Showing(CATALOG, state), seat))


def test_a_bonus_that_the_monster_ignores_brings_nothing() -> None:
    state = position("Blank Character Sheet", FIGHT, Kim=f'level = 4, hand = ["{COFFEE}"]', Roger="")
    coffee = play_of(state, 0, COFFEE, side="heroes")
    then = trials(state, 0).after(coffee)
    assert then is not None and then.fights and not then.winning and then.lead == -1
    assert decided(state, 0) == Flee(), "it keeps its card"


def test_what_a_die_decides_is_not_known() -> None:
    state = position("Bearbug", FIGHT, Kim='hand = ["Potion of Wild Averages"]', Roger="")
    action = next(row.action for row in view(CATALOG, state, 0).you.legal if isinstance(row.action, Play))
    assert trials(state, 0).after(action) is None


@pytest.mark.parametrize("paid, lead", (("Dwarf", 3), ("Lukewarm Coffee of the Third Watch", 4)))
def test_a_trial_goes_on_through_what_must_be_given_up(paid: str, lead: int) -> None:
    """If the Dwarf is paid, one of two Big Items has to be given up too, so the fighter becomes weaker than the ability
    alone would tell."""
    table = '"Cleric", "Dwarf", "Somebody\'s Front Door", "Coat Rack of Conquest"'
    state = position("Skeleton Staff", FIGHT, Kim=f'level = 2, table = [{table}], hand = ["{COFFEE}"]', Roger="")
    row = next(row for row in view(CATALOG, state, 0).you.legal if isinstance(row.action, Use))
    assert row.pick is not None
    card = next(card for card in row.pick.among if CATALOG.cards[defn_of(card)].name == paid)
    then = trials(state, 0).after(filled(row, [card]))
    assert then is not None and then.fights and then.lead == lead


def test_it_does_not_help_where_its_strength_does_not_count() -> None:
    steps = FIGHT + ', { by = "Kim", do = "offer", to = "Roger", treasures = 2 }'
    strong = 'table = ["Pickle Spear", "Plot Armor"]'
    state = position("Blank Character Sheet", steps, Kim="level = 3", Roger=strong)
    assert decided(state, 1) == Decline(1)
    assert decided(position("Bearbug", steps, Kim="level = 3", Roger=strong), 1) != Decline(1)


def test_at_match_point_it_plays_the_smallest_blow_that_does() -> None:
    hand = f'hand = ["Greater", "{COFFEE}"]'
    state = position("Mummy's Boy", FIGHT, Kim="level = 9", Roger=hand)
    assert decided(state, 1) == play_of(state, 1, COFFEE, side="monsters")
    state = position("Practice Rat", FIGHT, Kim="level = 9", Roger=hand)
    act = decided(state, 1)
    assert isinstance(act, Play) and act.card == play_of(state, 1, "Greater").card


def test_the_next_blow_is_ready_when_the_winner_answers_the_first() -> None:
    hand = f'hand = ["Greater", "{COFFEE}"]'
    state = position("Mummy's Boy", FIGHT, Kim='level = 9, hand = ["Fireball, Indoors"]', Roger=hand)
    first = decided(state, 1)
    assert first == play_of(state, 1, COFFEE, side="monsters")
    assert not isinstance(submit(CATALOG, state, 1, first), Refusal)
    assert not isinstance(decided(state, 1), Play), "it keeps the other one"
    answer = play_of(state, 0, "Fireball, Indoors", side="heroes")
    assert not isinstance(submit(CATALOG, state, 0, answer), Refusal)
    second = decided(state, 1)
    assert isinstance(second, Play) and second.card == play_of(state, 1, "Greater").card


def test_cards_that_stop_a_winner_are_found_by_the_rules() -> None:
    names = {CATALOG.cards[no].name for no in win_blockers(CATALOG)}
    assert {"Greater", "Crowd-Pleasing", "Fireball, Indoors", "Level Drain Pipe"} <= names
    assert not names & {"Elf", "Meat Shield", "Find a Typo in the Rulse", "Pickle Spear"}


def test_it_keeps_what_stops_a_rival_near_victory() -> None:
    end = FIGHT + ', { by = "Kim", do = "loot" }, { by = "Kim", do = "end_turn" }'
    hand = 'hand = ["Greater", "Orc", "Thief", "Cleric"]'
    for level in (8, 9):
        state = position('Elf", "Dwarf', end, Kim=hand, Roger=f"level = {level}")
        act = decided(state, 0)
        assert act is not None and play_of(state, 0, "Greater").card not in getattr(act, "picks", ())


def test_it_plays_the_level_card_that_lets_only_itself_choose() -> None:
    """Its text gives Levels to the players with the lowest Level; an estimate treats it as a gift for everybody."""
    kick = '{ by = "Kim", do = "kick" }, { pass = "all" }'
    for level, plays in ((2, True), (4, False)):
        kim = f'level = {level}, hand = ["Double or Nothing"]'
        state = position("Greater", kick, Kim=kim, Bo="level = 3", Cy="level = 3")
        assert (decided(state, 0) == play_of(state, 0, "Double or Nothing")) == plays, level


@pytest.mark.long(8)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_the_rules_would_say_what_is_printed_where_they_are_not_asked(
    sets: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []
    as_printed = CombatPlanner._as_printed

    def compared(planner: CombatPlanner, action: Action) -> bool:
        spared = as_printed(planner, action)
        then, fight = planner.obs.after(action), planner.fight
        if spared and then is not None and then.fights:
            move = next(move for move in planner.moves if move.action == action)
            lead = fight.heroes - fight.foes + int(move.swing)
            wins = lead > 0 or (lead == 0 and fight.wins_ties)
            assert (then.lead, then.winning) == (lead, wins), action
            assert then.match_point == (wins and fight.match_point)
            found.append(wins)
        return spared

    monkeypatch.setattr(CombatPlanner, "_as_printed", compared)
    catalog = catalog_of(sets)
    values = values_of(catalog)
    for seed in range(4 * TURN, 4 * TURN + 4) if TURN else range(12):
        SimulatedGame(catalog, ["normal"] * 4, seed, values=values).play(80)
    assert {True, False} <= set(found)


@pytest.mark.long(5)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_nothing_else_is_due_when_a_trial_begins(sets: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial that skips the check for due consequences has the same result as one that makes it."""
    tried: list[Action] = []
    after = Trials.after

    def compared(trial: Trials, action: Action, option: bool = False) -> GameStanding | None:
        found = after(trial, action, option)
        state = decode(trial._data)
        state.dirty = True
        looking = copy(trial)
        looking._data = encode(state)
        assert after(looking, action, option) == found, action
        tried.append(action)
        return found

    monkeypatch.setattr(Trials, "after", compared)
    catalog = catalog_of(sets)
    values = values_of(catalog)
    for seed in range(2 * TURN, 2 * TURN + 2) if TURN else range(6):
        SimulatedGame(catalog, ["normal"] * 4, seed, values=values).play(80)
    assert len(tried) > 20


def test_at_match_point_the_rules_are_not_asked_about_what_helps_the_winner(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Action] = []
    after = Reading.after

    def noted(obs: Reading, action: Action) -> GameStanding | None:
        asked.append(action)
        return after(obs, action)

    monkeypatch.setattr(Reading, "after", noted)
    kim = 'level = 9, table = ["Pickle Spear", "Plot Armor"]'
    state = position("Practice Rat", FIGHT, Kim=kim, Roger=f'hand = ["{COFFEE}"]')
    assert {row.action.side for row in view(CATALOG, state, 1).you.legal if isinstance(row.action, Play)} == {
        "heroes", "monsters"
    }  # fmt: skip
    decided(state, 1)
    assert asked and all(isinstance(action, Play) and action.side == "monsters" for action in asked)
