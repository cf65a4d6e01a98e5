"""No pack that passes the check makes the engine fail or go on without end: every loop that cards drive is bounded."""

import time

import msgspec
import pytest

from core.authoring.checked import checked_pack
from core.authoring.lint import check_pack
from core.authoring.template import new_pack
from core.engine import new_game, submit
from core.language.catalog import Catalog, build, parse_pack
from core.operations.monsters import MONSTERS_MOST
from core.state.actions import Done
from core.state.game import HAND_MOST
from core.state.model import Options
from core.state.rng import TIES_LIMIT
from core.view import view
from tests.core.random_packs import random_pack, with_counts
from tests.core.random_table import RandomTable

ACTION_S = 5.0
"""Processor time of one action at most, on a busy machine. Most take some milliseconds."""


@pytest.mark.parametrize("seed", range(6))
def test_random_packs_that_pass_the_check_are_played_without_end_and_without_fault(seed: int) -> None:
    files = random_pack(seed)
    assert [str(problem) for problem in check_pack(files)] == []
    play(build([parse_pack(files)]), 3 + seed % 4, 150)


def play(catalog: Catalog, seats: int, actions: int) -> RandomTable:
    """Play random actions. Fail if one takes too long, is refused though it is legal, or raises."""
    table = RandomTable(catalog, seats, 1)
    for _ in range(actions):
        if table.state.winners:
            break
        began = time.process_time()
        table.act()
        assert time.process_time() - began < ACTION_S, table.recent[-1]
    return table


def chained(kind: str, text: str, number: int = 200) -> Catalog:
    """Return the catalog of a pack with many copies of cards of this kind, each with this text."""
    cards = "".join(
        f'[[card]]\nid = "x-{at}"\nname = "X {at}"\nkind = "{kind}"\ncopies = 20\ntext = "Something."\n{text}\n'
        for at in range(number)
    )
    return build([checked_pack(with_counts({**new_pack("My Set"), "many.toml": cards.encode()}))])


@pytest.mark.proves("combat.crowd")
def test_at_most_thirty_monsters_are_in_a_combat() -> None:
    texts = 'enter = [{ do = "add_monster", what = "deck" }]\nbad = [{ do = "level", by = -1 }]\n'
    table = RandomTable(chained("monster", f"{texts}level = 1\ntreasures = 1"), 4, 1)
    most = 0
    for _ in range(60):
        table.act()
        most = max(most, len(table.state.fight.monsters) if table.state.fight is not None else 0)
    assert most == MONSTERS_MOST


@pytest.mark.proves("cards.hand-most")
def test_nothing_is_drawn_into_a_hand_of_a_hundred_cards() -> None:
    text = 'play = [{ do = "draw", deck = "door", count = 99, who = "all" }]'
    table = play(chained("curse", text), 6, 100)
    assert max(len(seat.hand) for seat in table.state.seats) == HAND_MOST
    for seat in range(6):
        assert len(msgspec.msgpack.encode(view(table.catalog, table.state, seat))) < 60_000


@pytest.mark.proves("setup.ties")
def test_after_twenty_equal_rolls_the_turn_order_decides() -> None:
    catalog = build([parse_pack({name: data for name, data in new_pack("My Set").items() if "/" not in name})])
    state, _ = new_game(catalog, 3, Options(), b"seed")
    state.dice = [4] * 3 * TIES_LIMIT
    for seat in range(3):
        submit(catalog, state, seat, Done())
    assert state.dice == [] and state.turn.seat == 0
