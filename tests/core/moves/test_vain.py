"""A play that is listed as having no effect has none: the seat is told the truth before it acts."""

import random

import pytest

from cards import BUILT_IN
from core.engine import submit
from core.language import schema as v
from core.language.definition import MAY_BE_NOTHING
from core.moves.legal import legal, warning
from core.queries import prospects
from core.queries.conditions import Ctx
from core.state.actions import Legal, Play, Use
from core.state.model import State, decode, defn_of, encode
from core.state.reader import Reader
from netcode.bots.picks import at_random
from tests.blends import BLENDS_AND_PAIRS, catalog_of
from tests.core.changed_cards import scenario_passes, with_cards
from tests.core.random_table import RandomTable

GAMES, STATES = 11, 60


def test_each_verb_that_may_come_to_nothing_is_judged() -> None:
    assert {*prospects._JUDGES, v.ChooseSeat} == MAY_BE_NOTHING, "a choice is judged with the text after it"


def test_cards_that_depend_on_their_victim_alone_are_judged_alike_whoever_plays_them() -> None:
    """More than a quarter of all cards that can have no effect depend on their victim alone. Each of these is tried on
    every victim by every player."""
    cards = [definition for definition in catalog_of(BUILT_IN).cards if definition.vain]
    alone = [definition for definition in cards if definition.vain_alone]
    assert len(cards) / 4 < len(alone) < len(cards)
    table = RandomTable(catalog_of(BUILT_IN), 4, 3)
    for _ in range(300):
        table.act()
    g = Reader(table.catalog, table.state)
    for definition in alone:
        for victim in range(4):
            contexts = [Ctx(you=you, victim=victim, card=(999 << 16) + definition.no) for you in range(4)]
            assert len({prospects.comes_to_nothing(g, definition.card.play, ctx) for ctx in contexts}) == 1


def test_what_is_said_to_come_to_nothing_changes_nothing() -> None:
    judged = 0
    for game in range(GAMES):
        catalog = catalog_of(BLENDS_AND_PAIRS[game % len(BLENDS_AND_PAIRS)])
        table = RandomTable(catalog, 3 + game % 4, game, interrupts=0.5)
        rng = random.Random(game)
        for _ in range(STATES):
            for _ in range(rng.randrange(1, 10)):
                if not table.state.winners:
                    table.act()
            for seat in range(len(table.state.seats)):
                for row in [row for row in legal(catalog, table.state, seat) if row.vain]:
                    _changes_nothing(table, seat, row)
                    judged += 1
    assert judged > 100, f"only {judged} actions came to nothing"


@pytest.mark.parametrize(("monsters", "vain"), [(1, "true"), (2, "false")], ids=["one monster", "two monsters"])
def test_a_second_escape_from_the_same_monster_is_announced_as_vain(monsters: int, vain: str) -> None:
    """Two cards that escape from the next monster: the second is of use only if there is a second monster."""
    scenario_passes(
        f"""
doors = ["Bearbug"]
steps = [
  {{ by = "Ann", do = "kick" }},
  {{ pass = "all" }},
  {'{ by = "Bo", do = "play", card = "Wandering Monster", with = "Practice Rat" },' if monsters == 2 else ""}
  {{ by = "Ann", do = "flee" }},
  {{ pass = "all" }},
  {{ by = "Ann", do = "play", card = "Level Drain Pipe", on = "Ann", vain = false }},
  {{ by = "Ann", do = "play", card = "Two Trapdoors", on = "Ann", vain = {vain} }},
]
open = true
[scenario.seats.Ann]
level = 2
hand = ["Level Drain Pipe", "Two Trapdoors"]
[scenario.seats.Bo]
hand = ["Wandering Monster", "Practice Rat"]
""",
        with_cards(
            level_drain_pipe={"play": (v.Escape(who="victim", from_="next"),)},
            two_trapdoors={"play": (v.Escape(who="victim", from_="next"),)},
        ),
    )


def _changes_nothing(table: RandomTable, seat: int, row: Legal) -> None:
    action = at_random(row, table.rng)
    assert isinstance(action, Play | Use)
    assert warning(table.catalog, table.state, seat, action)
    spent = {action.card} if isinstance(action, Play) else set(action.pay)
    clone = decode(encode(table.state))
    events = submit(table.catalog, clone, seat, action)
    assert isinstance(events, list)
    name = table.catalog.cards[defn_of(action.card)].name
    assert _belongings(clone, spent) == _belongings(table.state, spent), f"{name}, seat {seat}: {action}: {events}"


def _belongings(state: State, spent: set[int]) -> object:
    """Return the possessions and the state of the players, without the cards spent, and the cards of the table."""
    seats = [
        (
            player.level, [card for card in player.hand if card not in spent], player.dead, player.sex,
            [entry.card for entry in player.table if entry.card not in spent],
            [(lasting.defn, lasting.code, lasting.armed) for lasting in player.lasting],
        )
        for player in state.seats
    ]  # fmt: skip
    fight = state.fight
    fought = (fight.seat, fight.helper, fight.monsters, fight.bonuses, fight.stage) if fight is not None else None
    return seats, state.seals_open, fought
