"""Whole games between bots: every seat's screen always fits, names the keys, and reaches all legal actions."""

import pytest
from rich.cells import cell_len

from netcode.protocol import wire
from tests.tui import bot_games, samples
from tests.tui.fake_client import FakeClient
from tests.tui.menu_reach import unreachable
from tests.tui.region_lines import regions
from tui.menus.entries import Picker
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for
from tui.scene.cells import plain
from tui.scene.table_session import TableSession


@pytest.mark.long(3)
@pytest.mark.parametrize(("seed", "seats"), [(1, 3), (2, 4), (3, 6)])
def test_every_moment_of_a_game_fits_and_says_what_to_press(seed: int, seats: int) -> None:
    for step, (seat, seen) in enumerate(bot_games.views(seed, seats)):
        if step % 7:
            continue
        scene = samples.scene(seen, info=samples.info(seats), me=seat)
        menus = MenuState()
        here, _ = menus.here(scene)
        prompt = prompt_for(scene, menus, here)
        assert prompt.text, (step, seat)
        if seat >= 0:
            assert unreachable(scene) == [], (step, seat)
        asked = bool(scene.you and scene.you.asks)
        if asked:
            answers = bool(here.labels if isinstance(here, Picker) else here.entries) or bool(prompt.keys)
            assert prompt.urgent and answers, (step, seat, scene.you.asks)
        if step % 35 == 0:
            for region, lines in regions(scene, 80, 7):
                assert all(cell_len(plain(line)) == 80 for line in lines), (step, seat, region)


def test_the_log_numbers_steps_by_turn_and_restarts_with_the_next_game() -> None:
    client = FakeClient(None, samples.info(4), 0)
    session = TableSession(client, samples.catalog())
    count = 0
    for at, (_, events) in enumerate(bot_games.moments(5)):
        client.tell(wire.Update(1, at, None, bot_games.events_for(events, 0, count + 1)))
        count += len(events)
        if at > 60:
            break
    turns = [line for line in session.log if line.kind == "turn"]
    assert turns and turns[0].text.startswith("Turn 1: ")
    numbered = [line.step for line in session.log if line.step.startswith("1.")]
    assert numbered[:3] == ["1.1", "1.2", "1.3"]
    before = len(session.log)
    client.tell(wire.Update(1, 99, None, bot_games.events_for(next(iter(bot_games.moments(6)))[1], 0, 1)))
    assert len(session.log) > before, "the events of the next game are told although their numbers are low"
    later = [line.step for line in session.log[before:] if line.step]
    assert later and all(step.startswith("0.") for step in later), "what comes before its first turn belongs to no turn"
