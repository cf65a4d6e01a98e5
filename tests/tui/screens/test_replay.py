"""Recorded games on the screen: every step as it was, forward and back, by turns and fights, at every size."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from core.language import catalog as catalogs
from core.state.views import View
from netcode.protocol import codec, wire
from netcode.recording.recording import ReplayError, read_header, read_recording, write_recording
from netcode.table.rules_adapter import view_bytes
from tests.netcode.offline_table import Player
from tests.netcode.recorded_games import FILES, Listener, finished_game, recorded, recorder
from tests.tui.app_pilot import TablePilot, shown
from tests.tui.command_line import kickdoor
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.cells import UNICODE, plain
from tui.screens.card import CardScreen
from tui.screens.moment import MomentScreen
from tui.screens.parts import playback
from tui.screens.replay import ReplayScreen
from tui.screens.replay_list import ReplayListScreen
from tui.screens.replay_timeline import Timeline, load_timeline
from tui.screens.rules import RulesScreen


@cache
def data(seat: int) -> bytes:
    """The recording of one seat (3: a spectator)."""
    with TemporaryDirectory() as folder:
        return recorded(finished_game()[seat], Path(folder)).read_bytes()


def timeline_of(seat: int, folder: Path) -> Timeline:
    path = folder / "game.kickdoor"
    path.write_bytes(data(seat))
    return load_timeline(path)


@asynccontextmanager
async def open_replay(timeline: Timeline, size: tuple[int, int] = (80, 24)) -> AsyncIterator[TablePilot]:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=size) as textual:
        screen = ReplayScreen(timeline)
        await app.push_screen(screen)
        pilot = TablePilot(app, screen, textual)
        await pilot.settle()
        yield pilot


def place(pilot: TablePilot) -> int:
    found = re.search(r"step (\d+) of \d+", pilot.text())
    assert found is not None, pilot.text()
    return int(found[1])


async def read_moments(pilot: TablePilot) -> None:
    """Close the moments over the table."""
    while isinstance(pilot.app.screen, MomentScreen):
        await pilot.keys_of_a_moment("enter")


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_steps_go_forward_and_back_and_show_the_table_as_it_was(size: tuple[int, int], tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    async with open_replay(timeline, size) as pilot:
        assert "step 1 of" in pilot.text() and "First cards" in pilot.text() and "as Kim saw it" in pilot.text()
        seen = [_moment(pilot)]
        for _ in range(12):
            await pilot.keys("right")
            await read_moments(pilot)
            seen.append(_moment(pilot))
        assert len({text for text, _ in seen}) == 13, "every step shows something of its own"
        for before in reversed(seen[:-1]):
            await pilot.keys("left")
            assert _moment(pilot) == before, "a step looks the same whichever way one came"
        await pilot.keys("end")
        assert "wins the game" in pilot.lines()[0] and "the end" in pilot.text()
        await pilot.keys("right", "home", "left")
        assert place(pilot) == 1


def _moment(pilot: TablePilot) -> tuple[str, object]:
    """The screen without the hand, whose cursor follows its card, and without the card that is read beside it."""
    head = [line for ident in ("head", "track", "prompt") for line in pilot.screen.query_one(f"#{ident}").lines]
    return "\n".join(plain(line) for line in head), (pilot.model.now.view, pilot.model.now.log)


async def test_keys_go_to_the_next_and_previous_turn_and_fight(tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    async with open_replay(timeline) as pilot:
        for turn in (1, 2, 3):
            await pilot.keys("pagedown")
            assert f" Turn {turn} " in pilot.lines()[0]
        await pilot.keys("shift+left")
        assert " Turn 2 " in pilot.lines()[0]
        await pilot.keys("g")
        assert " fight" in pilot.lines()[0] and pilot.model.now.fight is not None
        at = place(pilot)
        await pilot.keys("g", "G")
        assert place(pilot) == at


@pytest.mark.long(2)
@pytest.mark.parametrize("size", [(80, 23), (120, 40)])
async def test_a_click_on_the_timeline_goes_to_its_step(size: tuple[int, int], tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    async with open_replay(timeline, size) as pilot:
        lines = [plain(line) for line in pilot.screen.query_one("#prompt").lines]
        (row,) = [at for at, line in enumerate(lines) if "●" in line]
        await pilot.textual.click("#prompt", offset=(lines[row].index("●") + 12, row))
        await pilot.settle()
        assert 1 < place(pilot) < len(timeline.steps)
        assert len({line for line in lines if "step 1 of" in line}) == 1


async def test_a_key_leads_from_one_moment_that_mattered_to_the_next_and_says_what_changed(tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    swings = [*timeline.mattered.values()]
    assert len(swings) == 3
    async with open_replay(timeline, (120, 40)) as pilot:
        for at, swing in timeline.mattered.items():
            await pilot.keys_of_a_moment("m")
            assert place(pilot) == at + 1
            assert f"from {swing.before} to {swing.after} %" in " ".join(pilot.text().split())
        await pilot.keys_of_a_moment("m")
        assert "no further one" in pilot.text()
        await pilot.keys_of_a_moment("M")
        assert place(pilot) == [*timeline.mattered][1] + 1


async def test_a_replay_runs_automatically_and_stops(tmp_path: Path) -> None:
    timeline = timeline_of(1, tmp_path)
    async with open_replay(timeline) as pilot:
        await pilot.keys("s", "space")
        assert "running (fast)" in pilot.text()
        while timeline.at < 2:
            await pilot.textual.pause(0.05)
        await read_moments(pilot)
        await pilot.keys("space")
        assert "running" not in pilot.text()
        at = place(pilot)
        await pilot.textual.pause(0.2)
        assert place(pilot) == at


async def test_cards_can_be_read_but_not_played(tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    async with open_replay(timeline) as pilot:
        await pilot.keys("v")
        first = pilot.text()
        assert isinstance(pilot.app.screen, CardScreen) and "1 of" in first
        await pilot.keys("tab")
        assert pilot.text() != first
        await pilot.keys("escape", "l", "escape", "question_mark")
        assert "run; again: stop" in pilot.text() and "trade Items" not in pilot.text()
        await pilot.keys("escape", "enter", "1", "x", "t", "y")
        assert place(pilot) == 1
        await pilot.keys("q")
        assert not isinstance(pilot.app.screen, ReplayScreen)


async def test_rules_can_be_looked_up_and_hints_are_for_games_that_run(tmp_path: Path) -> None:
    async with open_replay(timeline_of(0, tmp_path)) as pilot:
        await pilot.keys("pagedown", "i")
        assert isinstance(pilot.app.screen, RulesScreen) and "All subjects" in pilot.text()
        await pilot.keys("escape", "h")
        assert "good player" not in pilot.text() and pilot.app.screen is pilot.screen


async def test_the_recording_of_a_spectator_shows_no_hand(tmp_path: Path) -> None:
    timeline = timeline_of(3, tmp_path)
    for at in range(0, len(timeline.steps), 9):
        timeline.show(at)
        view = timeline.session.client.view
        assert view is not None and view.you is None
    async with open_replay(timeline) as pilot:
        assert "as spectators saw it" in pilot.text()


def test_every_step_of_every_seat_has_a_line_and_a_scene(tmp_path: Path) -> None:
    for seat in range(4):
        timeline = timeline_of(seat, tmp_path)
        assert sum(step.turn > 0 for step in timeline.steps) >= timeline.header.turns - 1
        for at in range(len(timeline.steps)):
            timeline.show(at)
            assert timeline.lines and timeline.session.scene().log[-len(timeline.lines) :] == tuple(timeline.lines)


async def test_a_recording_that_does_not_fit_its_cards_is_reported_in_one_line(tmp_path: Path) -> None:
    recording = read_recording(_written(tmp_path))
    for at, (ms, frame) in enumerate(recording.messages):
        message = codec.unpack_told(frame)
        if isinstance(message, wire.Update) and message.view is not None:
            message.view.door_top = 4095
            message.view.turn = 11
            recording.messages[at] = (ms, codec.pack(message))
    broken = tmp_path / "broken.kickdoor"
    write_recording(broken, recording)
    try:
        timeline = load_timeline(broken)
    except ReplayError as problem:
        assert str(broken) in str(problem)
        return
    words: list[str | None] = []
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test() as textual:
        await app.push_screen(ReplayScreen(timeline), words.append)
        await textual.resize_terminal(100, 30)
        await textual.press("pagedown", "pagedown")
    assert words and "does not fit its cards" in str(words[0])


def _written(folder: Path) -> Path:
    path = folder / "2026-11-20-1200-game.kickdoor"
    path.write_bytes(data(0))
    return path


async def test_the_list_names_date_sets_players_and_winner(tmp_path: Path) -> None:
    _written(tmp_path)
    (tmp_path / "2026-11-19-1200-torn.kickdoor").write_bytes(data(0)[:40])
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(110, 30)) as textual:
        screen = ReplayListScreen(app.glyphs, tmp_path)
        await app.push_screen(screen)
        pilot = TablePilot(app, screen, textual)
        await pilot.settle()
        text = pilot.text()
        winner = read_header(tmp_path / "2026-11-20-1200-game.kickdoor").winners[0]
        name = ("Kim", "Roger", "Ross")[winner]
        assert "Replays: 2 games" in text and "2026-11-20 12:00" in text and "Munchkins & Maze" in text
        assert name in text and re.search(r"\d+ turns?", text) and "cannot be read" in text
        await pilot.keys("home")
        assert "is damaged" in pilot.text() or "is damaged" in await _below(pilot)
        told = [game.told()[0] for game in screen.games if game.header is not None]
        assert told[0].startswith(f"Kim, Roger, Ross. {name} won after")


async def _below(pilot: TablePilot) -> str:
    await pilot.keys("down")
    return pilot.text()


async def test_games_are_found_by_words_and_a_damaged_one_is_not_opened(tmp_path: Path) -> None:
    _written(tmp_path)
    (tmp_path / "2026-11-19-1200-torn.kickdoor").write_bytes(data(0)[:40])
    screen = ReplayListScreen(UNICODE, tmp_path)
    async with shown(screen, (80, 23)) as (press, results):
        text = await press("slash", *"torn", "enter")
        assert "Replays: 1 of 2 games" in text and "is damaged" in text
        await press("enter")
        assert results == []
        await press("escape", "slash", *"kim 2026-11-20", "enter", "enter")
        assert results == [tmp_path / "2026-11-20-1200-game.kickdoor"]


async def test_an_empty_list_says_so(tmp_path: Path) -> None:
    async with shown(ReplayListScreen(UNICODE, tmp_path), (60, 20)) as (press, results):
        assert "No game has been recorded yet" in " ".join((await press()).split())
        await press("enter", "escape")
        assert results == [None]


def test_the_command_verifies_without_a_terminal_and_refuses_other_files(tmp_path: Path) -> None:
    path = _written(tmp_path)
    done = kickdoor("replay", str(path), "--verify", home=tmp_path)
    assert done.returncode == 0 and "ok      the file is complete" in done.stdout, done
    path.write_bytes(data(0)[:-3])
    torn = kickdoor("replay", str(path), "--verify", home=tmp_path)
    assert torn.returncode == 2 and "is damaged" in torn.stderr and torn.stderr.count("\n") == 1
    nothing = kickdoor("replay", str(tmp_path / "nothing"), home=tmp_path)
    assert nothing.returncode == 2


# -------------------------------------------------------------------------------------------------- opened hands
@pytest.mark.long(0)
async def test_a_revealed_game_can_be_seen_from_every_seat(tmp_path: Path) -> None:
    players = finished_game(provable=True, options=("open-hands",))
    opened: list[Path] = []
    listener = Listener(players[0])
    keeper = recorder(listener, tmp_path, opened)
    listener.catch_up()
    await keeper.close()
    own = Timeline(read_recording(opened[-1]), catalogs.load(FILES))
    for other, player in enumerate(players[:3]):
        seen = {view_bytes(view) for view in _views(player)}
        timeline = own.seen_by(other)
        shown = []
        for at in range(len(timeline.steps)):
            timeline.show(at)
            shown.append(timeline.session.client.view)
        missing = [view for view in shown if view is not None and view_bytes(view) not in seen]
        assert not missing, f"seat {other} never saw this: {missing[0]}"
    async with open_replay(own) as pilot:
        await pilot.keys("pagedown", "pagedown", "g")
        assert "e view" in pilot.text() and "as Kim saw it" in pilot.text()
        for name in ("as Roger saw it", "as Ross saw it", "as spectators saw it", "as Kim saw it"):
            rev = pilot.model.now.view.rev
            await pilot.keys("e")
            assert name in pilot.text() and pilot.model.now.view.rev >= rev


def _views(player: Player) -> list[View]:
    return [m.view for m in player.inbox if isinstance(m, wire.Update) and m.view is not None]


async def test_a_game_that_was_not_revealed_shows_only_the_players_own_view(tmp_path: Path) -> None:
    async with open_replay(timeline_of(0, tmp_path)) as pilot:
        await pilot.keys("e")
        assert "were not revealed" in pilot.text() and "e view" not in pilot.text()
        await pilot.keys("right")
        assert place(pilot) == 2


# ------------------------------------------------------------------------------------------------------- moments
def first_with_moments(timeline: Timeline, least: int = 1) -> int:
    """The first step after the beginning with this many moments."""
    for at in range(1, len(timeline.steps)):
        timeline.show(at)
        if len(timeline.moments()) >= least:
            return at
    raise AssertionError("no step has so many moments")


@pytest.mark.long(2)
@pytest.mark.parametrize("seat", [0, 3])
def test_a_replay_finds_the_moments_that_were_told_in_the_game(seat: int, tmp_path: Path) -> None:
    timeline = timeline_of(seat, tmp_path)
    session = Timeline(timeline.recording, timeline.session.catalog).session
    told = []
    session._log._last = 0
    for _, frame in timeline.recording.messages:
        message = codec.unpack_told(frame)
        session.client.take(message)  # type: ignore[attr-defined]
        session.heard(message)
        told += [*session.moments.overtaken(), *iter(session.moments.take, None)]
    found = []
    for at in range(len(timeline.steps)):
        timeline.show(at)
        found += timeline.moments()
    assert [one.kind for one in found] == [one.kind for one in told] and len(found) > 20
    assert [(one.said, one.changes) for one in found] == [(one.said, one.changes) for one in told]


@pytest.mark.long(0)
async def test_a_step_by_hand_shows_its_moment_until_a_key_and_a_jump_shows_none(tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    at = first_with_moments(timeline)
    moments = timeline.moments()
    timeline.show(at - 1)
    async with open_replay(timeline) as pilot:
        await pilot.keys_of_a_moment("right")
        for left in range(len(moments), 0, -1):
            assert isinstance(pilot.app.screen, MomentScreen) and pilot.app.screen.moment.kind == moments[-left].kind
            assert "closes by itself" not in pilot.text()
            await pilot.keys_of_a_moment("right")
        assert pilot.app.screen is pilot.screen and place(pilot) == at + 1, "the key did nothing else"
        await pilot.keys_of_a_moment("right", *["space"] * 4, "left")
        assert pilot.app.screen is pilot.screen
        for there, back in (("pagedown", "pageup"), ("g", "G"), ("end", "home")):
            await pilot.keys_of_a_moment(there, back)
            assert pilot.app.screen is pilot.screen, "a jump shows no moment"


async def test_a_moment_leads_to_its_rules_and_its_card(tmp_path: Path) -> None:
    timeline = timeline_of(0, tmp_path)
    at = first_with_moments(timeline)
    timeline.show(at - 1)
    async with open_replay(timeline) as pilot:
        await pilot.keys_of_a_moment("right", "i")
        assert isinstance(pilot.app.screen, RulesScreen)
        await pilot.keys_of_a_moment("escape")
        assert pilot.app.screen is pilot.screen and place(pilot) == at + 1


@pytest.mark.long(0)
async def test_a_moment_is_shown_for_a_while_when_the_replay_runs_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playback, "PASSES_S", 0.2)
    monkeypatch.setattr(playback, "SHORTEST_S", 0.01)
    monkeypatch.setattr(playback, "LONGEST_S", 0.02)
    timeline = timeline_of(0, tmp_path)
    at = first_with_moments(timeline)
    timeline.show(at - 1)
    async with open_replay(timeline) as pilot:
        await pilot.keys("s", "space")
        seen = []
        for _ in range(400):
            await pilot.textual.pause(0.02)
            if isinstance(pilot.app.screen, MomentScreen) and pilot.app.screen.moment not in seen:
                seen.append(pilot.app.screen.moment)
            if timeline.at > at + 2:
                break
        assert timeline.at > at + 2 and seen, "it runs on without a key"
        monkeypatch.setattr(playback, "PASSES_S", 60)
        while "closes by itself" not in pilot.text():
            await pilot.textual.pause(0.02)
            if " more" in pilot.text():
                await read_moments(pilot)
        for _ in range(5):
            await read_moments(pilot)
            await pilot.keys_of_a_moment("left")  # otherwise it continues from a moment that has just come
        assert "running" not in pilot.text()
