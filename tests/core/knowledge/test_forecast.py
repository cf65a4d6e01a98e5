"""Forecasts: in every fight of every scenario they come true; examples of each kind of option; unknown outcomes."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from cards import BUILT_IN
from core.knowledge.forecast import Forecaster
from core.language.catalog import Catalog
from core.moves.legal import legal
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load, run
from core.scenario.steps import ScenarioGame
from core.state import actions as a
from core.state.actions import AnyAction, Legal
from core.state.forecasts import Forecast
from core.state.model import State, defn_of, encode
from core.state.reader import Reader
from core.view import view
from tests.core.knowledge.forecasts import ForecastCheck
from tests.core.queries.guard import check_kept
from tests.scenarios import catalog_for, packaged
from tests.thorough import TURN


# ---------------------------------------------------------------------------------------------------- every scenario
class Scenarios:
    """Runs the scenarios of a set; before each step in a fight the acting seat's forecasts must come true."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fates: Counter[str] = Counter()
        self.cards: dict[str, set[str]] = {}
        """The fates forecast for each card that a step played or used in a fight."""
        self._checks: dict[int, ForecastCheck] = {}
        submit = ScenarioGame._submit

        def watched(game: ScenarioGame, seat: int, action: AnyAction) -> str | None:
            if 0 <= seat < len(game.state.seats) and game.state.fight is not None:
                self._check(game.cast.catalog, game.state, seat, action)
            return submit(game, seat, action)

        monkeypatch.setattr(ScenarioGame, "_submit", watched)

    def _check(self, catalog: Catalog, state: State, seat: int, action: AnyAction) -> None:
        check = self._checks.setdefault(id(catalog), ForecastCheck(catalog, random.Random(TURN or 1)))
        told = check.of(state, seat)
        for forecast in check.those_of(action, *told):
            self.fates[forecast.fate] += 1
            if isinstance(action, a.Play | a.Use):
                self.cards.setdefault(catalog.cards[defn_of(action.card)].full_id, set()).add(forecast.fate)
        check.comes_true(state, seat, 1 if TURN else 3, told)  # others in each turn

    def run(self, set_id: str) -> None:
        """Run all scenarios of a set."""
        for name, (owner, data) in packaged((set_id,)).items():
            for scenario in load(data, name):
                failure = run(catalog_for(scenario.sets or (owner,)), scenario, strict=False)
                assert failure is None, str(failure)


@pytest.mark.long(0)
@pytest.mark.parametrize("set_id", BUILT_IN)
def test_in_every_fight_of_every_scenario_forecasts_come_true(set_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenarios = Scenarios(monkeypatch)
    scenarios.run(set_id)
    unknown = {card: fates for card, fates in scenarios.cards.items() if not fates & {"sums", "over"}}
    assert scenarios.fates["sums"] > 100 and len(scenarios.cards) > 3 * len(unknown), "this proves little"
    assert all(fates == {"chance"} for fates in unknown.values()), f"unknown without a die or a draw: {unknown}"


# -------------------------------------------------------------------------------------------------------- examples
FIGHT = """
[[scenario]]
name = "Kim meets the Glampire"
doors = ["Glampire"]
steps = [{ by = "Kim", do = "kick" }, { pass = "all" }]
[scenario.seats.Kim]
level = 8
hand = ["Prismatic Glitter", "Practice Rat"]
table = ["Pickle Spear", "Plot Armor"]
[scenario.seats.Roger]
level = 4
hand = [
  "Greater", "Nerfed", "Find a Typo in the Rulse", "Advantaged", "Disadvantaged", "Wandering Monster", "Lawn Gnome",
]
table = ["Thief", "Threehander"]
[scenario.seats.Ross]
level = 2
hand = ["Festive Gift Wrap"]
"""
KIM, ROGER, ROSS = 0, 1, 2


class Table:
    """A scenario of a set after its steps."""

    def __init__(self, text: str = FIGHT, set_id: str = "munchkins-and-mazes") -> None:
        (scenario,) = load(text.encode(), "example")
        self.catalog = catalog_for((set_id,))
        cast = Cast(self.catalog, scenario)
        game = ScenarioGame(cast, lay_out(cast))
        for step in scenario.steps:
            assert game.do(step) is None
        self.state = game.state

    def asked(self, seat: int) -> tuple[State, int, list[Legal]]:
        """Return the arguments of a forecaster for a seat."""
        return self.state, seat, legal(self.catalog, self.state, seat)

    def told(self, by: int, card: str = "", kind: type = a.Play, **fields: object) -> list[Forecast]:
        """Return the forecasts, without rows, of a seat's options with a card, or with the action of these fields."""
        _, _, rows = self.asked(by)
        wanted = []
        for at, row in enumerate(rows):
            action = row.action
            named = not card or self.catalog.cards[defn_of(getattr(action, "card", 0))].name == card
            if type(action) is kind and named and all(getattr(action, name) == is_ for name, is_ in fields.items()):
                wanted.append(at)
        assert wanted, f"seat {by} cannot {kind.__name__} {card}"
        found = Forecaster(self.catalog).forecasts(*self.asked(by))
        return [replace(told, rows=[]) for told in found if set(wanted) & set(told.rows)]

    def sums(self, by: int, card: str = "", kind: type = a.Play, **fields: object) -> tuple[int, int, bool]:
        """Return both sums and whether the heroes win, of the only forecast."""
        (told,) = self.told(by, card, kind, **fields)
        assert told.fate == "sums"
        return told.heroes, told.foes, told.wins


def test_cards_from_the_hand_on_either_side_and_on_the_monster() -> None:
    table = Table()
    assert table.sums(KIM, "Prismatic Glitter", side="heroes") == (21, 14, True)
    assert table.sums(KIM, "Prismatic Glitter", side="monsters") == (16, 19, False)
    assert table.sums(ROGER, "Greater") == (16, 24, False)
    (told,) = table.told(ROGER, "Greater")
    assert (told.fighter, told.helper, told.level, told.treasures, told.match_point) == (KIM, -1, 9, 6, False)


def test_a_curse_counts_against_the_fighter_alone_and_a_level_for_him() -> None:
    table = Table()
    assert table.told(ROGER, "Nerfed", seat=KIM) == [Forecast([], "choice")], "Kim chooses between two Items of +4"
    one_item = Table(FIGHT.replace('"Pickle Spear", ', ""))
    assert one_item.sums(ROGER, "Nerfed", seat=KIM) == (8, 14, False)
    assert table.sums(ROGER, "Nerfed", seat=ROGER) == (16, 14, True)
    (told,) = table.told(ROGER, "Find a Typo in the Rulse", seat=KIM)
    assert (told.heroes, told.level, told.match_point) == (17, 10, True)


def test_a_wandering_monster_brings_its_own_strength_and_treasure() -> None:
    (told,) = Table().told(ROGER, "Wandering Monster")
    assert (told.heroes, told.foes, told.level, told.treasures, told.match_point) == (16, 15, 10, 5, True)


def test_an_ability_is_judged_with_the_fewest_cards_of_the_hand_or_with_each_that_lies_equipped() -> None:
    table = Table()
    (told,) = table.told(ROGER, "Thief", a.Use, seat=KIM)
    assert (told.heroes, told.foes, told.pays) == (14, 14, 1)
    bare = Table()
    bare.state.seats[ROGER].hand.clear()
    assert bare.told(ROGER, "Thief", a.Use, seat=KIM) == [told], "whichever pays, it comes to the same"
    carried = ["Reforged Sword", "Meat Shield", "Wombat Boots", "Turning Keys", "Crown of Small Taxes"]
    many = Table(FIGHT.replace('"Threehander"]', f'"Threehander"]\ncarried = {carried}'))
    many.state.seats[ROGER].hand.clear()
    assert [one.fate for one in many.told(ROGER, "Thief", a.Use, seat=KIM)] == ["choice"], "too many to judge each"


def test_help_counts_as_if_it_were_given_whatever_is_promised() -> None:
    table = Table()
    (told,) = table.told(KIM, kind=a.Offer, to=ROGER)
    assert (told.heroes, told.helper, told.wins) == (26, ROGER, True)
    assert table.told(KIM, kind=a.Offer, to=-1) == [Forecast([], "choice")]
    (told,) = table.told(ROSS, kind=a.Offer)
    assert (told.heroes, told.helper) == (18, ROSS)


def test_accepting_help_and_looking_for_trouble() -> None:
    asked = FIGHT.replace('{ pass = "all" }]', '{ pass = "all" }, { by = "Kim", do = "offer", to = "Roger" }]')
    assert Table(asked).sums(ROGER, kind=a.Accept) == (26, 14, True)
    calm = FIGHT.replace('"Glampire"', '"Thief"').replace('table = ["Thief", ', "table = [")
    (told,) = Table(calm).told(KIM, "Practice Rat", a.Trouble)
    assert (told.heroes, told.foes, told.fighter, told.level, told.treasures) == (16, 1, KIM, 9, 1)


def test_what_the_seat_chooses_on_the_way_is_followed() -> None:
    sums = {(told.heroes, told.foes, told.treasures) for told in Table().told(ROSS, "Festive Gift Wrap")}
    assert sums == {(16, 17, 6), (16, 11, 3)}


def test_a_die_is_not_guessed_and_not_even_rolled() -> None:
    table = Table()
    before = encode(table.state)
    assert table.told(ROGER, "Advantaged") == [Forecast([], "chance", fighter=KIM, sides=6, wins_on=(1,))]
    assert [one.fate for one in table.told(ROGER, "Disadvantaged")] == ["chance"], "two dice are not told"
    assert encode(table.state) == before


APOCALYPSE = """
[[scenario]]
name = "Kim meets a monster"
doors = ["MONSTER"]
steps = [{ by = "Kim", do = "kick" }, { pass = "all" }]
[scenario.seats.Kim]
level = LEVEL
hand = ["Canned Laughter", "Slightly Luminous", "Sealed With a Hiss"]
[scenario.seats.Roger]
[scenario.seats.Ross]
"""


def apocalypse(level: int) -> Table:
    """Kim fights a monster of Level 8 that has no bonus, in the set with Seals."""
    return Table(APOCALYPSE.replace("LEVEL", str(level)).replace("MONSTER", "Shark With a Plan"), "apocalypse")


def test_a_single_die_tells_with_which_of_its_numbers_the_heroes_win() -> None:
    (told,) = apocalypse(5).told(KIM, "Canned Laughter", side="heroes")
    assert (told.fate, told.fighter, told.sides, told.wins_on) == ("chance", KIM, 6, (4, 5, 6))
    (told,) = apocalypse(1).told(KIM, "Canned Laughter", side="heroes")
    assert (told.sides, told.wins_on) == (6, ())


def test_before_a_draw_decides_the_sums_so_far_are_told() -> None:
    (told,) = apocalypse(5).told(KIM, "Sealed With a Hiss")
    assert (told.fate, told.fighter, told.heroes, told.foes) == ("chance", KIM, 5, 12)


def test_the_chance_to_get_away_is_told_of_each_outcome() -> None:
    (told,) = apocalypse(5).told(KIM, "Slightly Luminous")
    assert (told.foes, told.away) == (13, 50)


def test_options_that_leave_the_fight_as_it_is_are_left_out() -> None:
    table = Table()
    *_, rows = table.asked(KIM)
    judged = {row for told in Forecaster(table.catalog).forecasts(*table.asked(KIM)) for row in told.rows}
    left_out = {type(row.action) for at, row in enumerate(rows) if at not in judged}
    assert left_out <= {a.Claim, a.Flee, a.Pass, a.Hold, a.Give, a.Sell} and a.Claim in left_out


def test_a_forecast_leaves_what_is_read_of_the_game_alone() -> None:
    table = Table()
    view(table.catalog, table.state, KIM)
    before = table.state.reads
    Forecaster(table.catalog).forecasts(*table.asked(KIM))
    assert table.state.reads is before is not None and before.cat is table.catalog
    assert check_kept(Reader(table.catalog, table.state))


def test_the_number_of_actions_carried_out_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    whole = sum(len(told.rows) for told in Forecaster(table.catalog).forecasts(*table.asked(ROGER)))
    monkeypatch.setattr("core.knowledge.forecast.MOST", 3)
    assert sum(len(told.rows) for told in Forecaster(table.catalog).forecasts(*table.asked(ROGER))) == 3 < whole


def test_card_text_without_an_end_leaves_the_rest_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    monkeypatch.setattr("core.engine.STEP_BUDGET", 0)
    assert Forecaster(table.catalog).forecasts(*table.asked(ROGER)) == []
