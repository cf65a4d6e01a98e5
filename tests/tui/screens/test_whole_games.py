"""Whole games between bots: every seat's screen always fits, says what to press, and reaches all that is legal."""

import msgspec
import pytest
from rich.cells import cell_len

from core.state import actions as a
from netcode.protocol import wire
from tests.tui import bot_games as games
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tests.tui.render.test_regions import everything
from tui.menus.choices import Menu, Picker, card_menu, gear_menu, root
from tui.menus.menu_state import MenuState
from tui.menus.offer_editor import Draft
from tui.menus.prompts import prompt_for
from tui.scene.cells import plain
from tui.scene.table_session import TableSession

FREE = (a.Pass, a.Hold, a.Offer, a.Counter, a.Give)
"""Answered by SPACE and z, or written in the editor of offers."""


def reached(scene):
    """All actions that lead out of the menus, sets by their verb and card."""
    found = set()

    def walk(go):
        if isinstance(go, Menu):
            for entry in go.entries:
                walk(entry.go)
        elif isinstance(go, Picker):
            made = go.make(tuple(go.pick.among[: go.pick.lo]))
            found.add((type(made), getattr(made, "card", getattr(made, "ask", 0))))
        elif not isinstance(go, Draft):
            found.add(msgspec.json.encode(go))

    walk(root(scene))
    walk(gear_menu(scene))
    for card in scene.hand():
        walk(card_menu(scene, card))
    return found


def missing(scene):
    """Legal actions that no menu leads to."""
    found = reached(scene)
    return [
        option.action for option in scene.you.legal
        if not isinstance(option.action, FREE)
        and msgspec.json.encode(option.action) not in found
        and (type(option.action), getattr(option.action, "card", getattr(option.action, "ask", 0))) not in found
    ]  # fmt: skip


@pytest.mark.parametrize(("seed", "seats"), [(1, 3), (2, 4), (3, 6)])
def test_every_moment_of_a_game_fits_and_says_what_to_press(seed, seats):
    for step, (seat, seen) in enumerate(games.views(seed, seats)):
        if step % 7:
            continue
        scene = samples.scene(seen, info=samples.info(seats), me=seat)
        menus = MenuState()
        here, _ = menus.here(scene)
        prompt = prompt_for(scene, menus, here)
        assert prompt.text, (step, seat)
        if seat >= 0:
            assert missing(scene) == [], (step, seat)
        asked = bool(scene.you and scene.you.asks)
        if asked:
            answers = bool(here.labels if isinstance(here, Picker) else here.entries) or bool(prompt.keys)
            assert prompt.urgent and answers, (step, seat, scene.you.asks)
        if step % 35 == 0:
            for region, lines in everything(scene, 80, 7):
                assert all(cell_len(plain(line)) == 80 for line in lines), (step, seat, region)


def test_the_log_of_a_game_numbers_steps_by_turn_and_begins_anew_with_the_next_game():
    client = FakeClient(None, samples.info(4), 0)
    session = TableSession(client, samples.catalog())
    count = 0
    for at, (_, events) in enumerate(games.moments(5)):
        client.tell(wire.Update(1, at, None, games.told(events, 0, count + 1)))
        count += len(events)
        if at > 60:
            break
    turns = [line for line in session.log if line.kind == "turn"]
    assert turns and turns[0].text.startswith("turn 1: ")
    numbered = [line.step for line in session.log if line.step.startswith("1.")]
    assert numbered[:3] == ["1.1", "1.2", "1.3"]
    before = len(session.log)
    client.tell(wire.Update(1, 99, None, games.told(next(iter(games.moments(6)))[1], 0, 1)))
    assert len(session.log) > before, "the events of the next game are told although their numbers are low"
    later = [line.step for line in session.log[before:] if line.step]
    assert later and all(step.startswith("0.") for step in later), "what comes before its first turn belongs to no turn"
