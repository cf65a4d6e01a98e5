"""No pack that passes the check makes the engine fail or run endlessly: every loop that cards drive is bounded."""

import time

import msgspec
import pytest

from core.authoring.lint import check_pack
from core.authoring.template import new_pack
from core.authoring.untrusted import parse_untrusted_pack
from core.engine import IN_SIGHT_MOST, new_game, submit
from core.language.catalog import Catalog, build, parse_pack
from core.operations.monsters import MONSTERS_MOST
from core.scenario.cast import Cast, begin
from core.scenario.runner import run
from core.scenario.schema import load
from core.state.actions import Done, Play, Refusal
from core.state.game import HAND_MOST
from core.state.model import Options
from core.state.rng import TIES_LIMIT
from core.view import view
from netcode.table.rules_game import RulesGame
from tests.core.random_packs import random_pack, with_counts
from tests.core.random_table import RandomTable

ACTION_S = 5.0
"""The most processor time that one action may take, on a busy machine (s). Most take some milliseconds."""


@pytest.mark.long(6)
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
    return build([parse_untrusted_pack(with_counts({**new_pack("My Set"), "many.toml": cards.encode()}))])


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


# -------------------------------------------------------------------------------- card text that is ended by the engine
def crowding() -> dict[str, bytes]:
    """Return a pack with an Item that, when it is played, puts an effect on its player 60 times."""
    effects = ", ".join(['{ do = "linger", until = "forever", mods = [{ mod = "strength", by = 1 }] }'] * 10)
    lines = ",\n  ".join([effects] * 6)
    card = f'[[card]]\nid = "x"\nname = "X"\nkind = "curse"\ncopies = 20\ntext = "Something."\nplay = [\n  {lines}\n]\n'
    return with_counts({**new_pack("My Set"), "crowd.toml": card.encode()})


SCENARIO = """
[[scenario]]
name = "Ten curses fill the table"
open = true
steps = [
""" + "".join('  { by = "Kim", do = "play", card = "X", on = "Ross" },\n' for _ in range(10)) + """]
[scenario.seats.Kim]
hand = ["X", "X", "X", "X", "X", "X", "X", "X", "X", "X"]
[scenario.seats.Ross]
"""  # fmt: skip


def test_a_table_that_is_full_of_effects_refuses_more_and_nothing_changes() -> None:
    refusal = None
    catalog = build([parse_untrusted_pack(crowding())])
    state, _ = begin(Cast(catalog, load(SCENARIO.encode(), "s.toml")[0]), b"seed")
    game = RulesGame(catalog, state)
    for card in list(game.state.seats[0].hand):
        before = game.save()
        answer = game.submit(0, Play(card, seat=1))
        if isinstance(answer, Refusal):
            refusal = answer
            assert game.save() == before
    assert refusal is not None and f"more than {IN_SIGHT_MOST} cards" in refusal.text


def test_a_scenario_whose_cards_do_not_end_fails_and_says_so() -> None:
    catalog = build([parse_untrusted_pack(crowding())])
    failure = run(catalog, load(SCENARIO.encode(), "s.toml")[0])
    assert failure is not None and failure.step == 9 and f"more than {IN_SIGHT_MOST} cards" in failure.found


def test_a_text_that_does_not_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.engine.STEP_BUDGET", 40)
    catalog = build([parse_untrusted_pack(crowding())])
    failure = run(catalog, load(SCENARIO.encode(), "s.toml")[0])
    assert failure is not None and failure.found == "my-set:x: its text has no end"
