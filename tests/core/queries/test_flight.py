"""The odds to run away in a view agree with every roll of random games, and reveal nothing hidden to a seat."""

from collections import Counter

import pytest

from core.engine import submit
from core.language.catalog import Catalog
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load
from core.scenario.steps import ScenarioGame
from core.state.actions import Roll
from core.state.events import AnyEvent, Fled, LastingEnded, Moved, Rolled, SafeUsed
from core.state.model import Run, State, decode, encode
from core.state.views import Flight
from core.view import view
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable

STEPS = 2500
QUIET = {Rolled, Fled, LastingEnded, SafeUsed, Moved}
"""Events that leave the shown odds against the other monsters as they are."""
FIGHT = """
[[scenario]]
name = "A fight"
sets = ["munchkins-and-mazes", "apocalypse"]
doors = ["MONSTER"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  STEPS
]
[scenario.seats.Kim]
level = 3
[scenario.seats.Roger]
level = 2
hand = ["Natural One", "munchkins-and-mazes:wandering-monster", "Plot Bunny"]
"""
HELPED = """
{ by = "Kim", do = "offer", to = "Roger" },
{ by = "Roger", do = "accept" },
"""
CURSED = """{ by = "Roger", do = "play", card = "Natural One", on = "Kim" },"""
JOINED = """{ by = "Roger", do = "play", card = "munchkins-and-mazes:wandering-monster", with = "Plot Bunny" },"""


@pytest.mark.long(5)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
def test_the_view_tells_what_the_die_must_show(sets: tuple[str, ...]) -> None:
    catalog = catalog_of(sets)
    seen: Counter[str] = Counter()
    for seed in (1, 2):
        table = RandomTable(catalog, 4, seed)
        for _ in range(STEPS):
            if table.state.winners:
                break
            seen.update(_runs(table))
            table.act()
    assert seen["by the die"] > 20, seen


def _runs(table: RandomTable) -> list[str]:
    """Roll against every monster that the runner may choose now, each on a copy of the game; return what decided."""
    top = table.state.stack[-1]
    fight = view(table.catalog, table.state, -1).fight
    if not isinstance(top, Run) or fight is None:
        return []
    assert table.state.fight is not None and fight.met == table.state.fight.met
    told = {(flight.seat, flight.monster): flight for flight in fight.flights}
    decided = []
    for ask in [ask for ask in top.asks if ask.kind == "roll"]:
        for monster in ask.options:
            state = decode(encode(table.state))
            events = submit(table.catalog, state, ask.seat, Roll(monster=monster))
            assert isinstance(events, list)
            decided.append(_decided(events, ask.seat, told[ask.seat, monster].need))
            if {type(event) for event in events} <= QUIET:
                decided += _next(table.catalog, state, told, ask.seat, monster)
    return decided


def _next(
    catalog: Catalog, state: State, told: dict[tuple[int, int], Flight], seat: int, monster: int
) -> list[str]:
    """Check the odds shown for the monsters that are left after this one; return whether something was spent."""
    fight = view(catalog, state, -1).fight
    left = {pick for ask in state.stack[-1].asks if ask.seat == seat and ask.kind == "roll" for pick in ask.options}
    found = []
    for flight in fight.flights if fight is not None else []:
        if flight.seat == seat and flight.monster in left:
            before = told[seat, flight.monster]
            spent = told[seat, monster].spends
            assert flight.need == (before.later if spent else before.need), (before, flight)
            found.append("one later" if spent else "one more")
    return found


def _decided(events: list[AnyEvent], seat: int, need: int) -> str:
    """Check a roll against the odds shown before it; return what decided it."""
    fled = next((event for event in events if isinstance(event, Fled)), None)
    rolled = next((event for event in events if isinstance(event, Rolled) and event.seat == seat and event.need), None)
    if rolled is None:
        assert fled is not None and (need <= 1 if fled.escaped else need >= 7)
        return "without a die"
    total = rolled.die + sum(by for _, by in rolled.adds)
    assert (rolled.die >= need) == (total >= rolled.need), (rolled, need)
    return "by the die" if 1 < need < 7 else "for sure"


@pytest.mark.parametrize(
    ("monster", "steps", "needs"),
    [
        ("Grammar Grue", "", [(6, 6, False)]),
        ("Grammar Grue", CURSED, [(7, 6, True)]),
        ("Grammar Grue", CURSED + JOINED, [(7, 6, True), (7, 5, True)]),
        ("Waterspout Shark", HELPED, [(7, 7, False), (7, 7, False)]),
        ("Zombie Apologist", "", [(5, 5, False)]),
        ("Zombie Apologist", HELPED, [(5, 5, False), (1, 1, False)]),
    ],
    ids=["plain", "the next die is a 1", "of two rolls either may be the next", "no roll", "pursued", "spares one"],
)
def test_what_no_roll_decides_is_told(monster: str, steps: str, needs: list[tuple[int, int, bool]]) -> None:
    (scenario,) = load(FIGHT.replace("MONSTER", monster).replace("STEPS", steps).encode(), "it.toml")
    catalog = catalog_of(("munchkins-and-mazes", "apocalypse"))
    cast = Cast(catalog, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    for step in scenario.steps:
        assert game.do(step) is None, game.reason
    fight = view(catalog, game.state, -1).fight
    assert fight is not None
    assert [(flight.need, flight.later, flight.spends) for flight in fight.flights] == needs
    runners = [fight.seat, fight.helper] if fight.helper >= 0 else [fight.seat]
    assert [(one.seat, one.monster) for one in fight.flights] == [
        (seat, foe.id) for seat in runners for foe in fight.monsters
    ]
