"""Lessons and puzzles on the screen: the words of the coach, the keys it names, and their effects."""


import pytest

from core.scenario.guide_check import play as play_steps
from core.scenario.parts import Step
from core.state import actions as a
from tests.tui.app_pilot import TablePilot, shown
from tests.tui.guided import guided, moments, puzzle, said, scene
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.lessons import library
from tui.lessons.guided_client import GuidedClient
from tui.lessons.library import Told
from tui.menus.entries import Menu, Picker
from tui.menus.paths import entries_to
from tui.scene.cells import ASCII, UNICODE
from tui.scene.table_session import TableSession
from tui.screens.first_start import PLAY, FirstStartScreen
from tui.screens.parts.coach import whole_game
from tui.screens.puzzles import PuzzleListScreen
from tui.screens.table import TableScreen
from tui.widgets.coach import SIGNS, Coach, Saying, draw, with_keys


async def choose(pilot: TablePilot, words: str) -> None:
    """Press the key of the choice with these words."""
    screen = pilot.screen
    key = next(one.key for one in screen.model.keyed.choices if words in one.words)
    await pilot.keys(key if key.isdigit() else screen.model.names[key])


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_first_scene_is_played_with_the_keys_that_the_coach_names(size: tuple[int, int]) -> None:
    async with guided(scene(1), size) as (pilot, results):
        assert "Scene 1 of 5, step 1 of 4: Behind the door" in said(pilot) and "[2] puts the Spear" in said(pilot)
        await pilot.keys("2")
        assert "[SPACE] goes on" in said(pilot) and "5 strong" in said(pilot)
        await pilot.keys("space")
        assert "[k] kicks it open" in said(pilot)
        await pilot.keys("k")
        assert "THE DOOR OPENS" in pilot.text() and await moments(pilot) == ["door"]
        assert "Every turn begins so" in said(pilot)
        await pilot.keys("space")
        await choose(pilot, "Prismatic Glitter")
        await choose(pilot, "heroes")
        assert "One-shots work from your hand" in said(pilot)
        await pilot.keys("space")
        await choose(pilot, "claim")
        assert "THE FIGHT IS WON" in pilot.text() and await moments(pilot) == ["won"]
        assert "A kill pays a Level" in said(pilot)
        await pilot.keys("space")
        assert "That was a whole fight" in said(pilot) and results == []
        await pilot.keys("space")
        assert results == ["done"]


async def test_every_sentence_fits_the_strip_at_the_smallest_size() -> None:
    for told in [*library.lessons(), *library.puzzles()[0]]:
        lesson, puzzle = told.scenario.lesson, told.scenario.puzzle
        said = [task.say for task in lesson.tasks] + [task.why for task in lesson.tasks] if lesson else []
        said += [wrong.say for task in lesson.tasks for wrong in task.mistakes] + [lesson.after] if lesson else []
        if puzzle:
            said += [puzzle.goal, f"Hint: {puzzle.hint}", puzzle.why, puzzle.late]
            said += [wrong.say for wrong in puzzle.mistakes]
        for text in said:
            for width, height in ((60, 4), (80, 3)):
                rows = draw(Saying(told.name, "task", with_keys(text, lambda act: "[ENTER]")), width, height, UNICODE)
                assert UNICODE.mark not in "".join(span for row in rows for span, _ in row), text


async def test_a_mistake_says_why_and_is_taken_back() -> None:
    async with guided(scene(1)) as (pilot, _):
        await choose(pilot, "kick open")
        await moments(pilot)
        assert "With bare hands?" in said(pilot) and "[SPACE] takes it back" in said(pilot)
        await pilot.keys("space")
        assert "puts the Spear" in said(pilot) and pilot.client.view.window is None


async def test_nothing_passes_by_itself_while_the_coach_is_being_read() -> None:
    async with guided(scene(1)) as (pilot, _):
        await choose(pilot, "kick open")
        await moments(pilot)
        pilot.screen.look()
        assert not pilot.screen.parts.auto_pass.passing


async def test_space_never_passes_a_fight_by_way_of_the_coach() -> None:
    async with guided(scene(3)) as (pilot, _):
        await choose(pilot, "Level Drain Pipe")
        await choose(pilot, "Roger")
        await moments(pilot)
        assert "[SPACE] goes on" in said(pilot) and "SPACE pass" not in " ".join(pilot.text().split())
        await pilot.keys("space")
        pilot.screen.coach.action_space()  # a second press right after the first
        assert "just come" in pilot.model.session.remark
        await pilot.keys("space")
        assert "PASS ALL THE SAME?" in pilot.text() and not pilot.client.view.window.passed
        await pilot.keys("space")
        assert not pilot.client.view.window.passed and pilot.client.guide.word.kind == "task"
        await pilot.keys("enter")
        await moments(pilot)
        assert "no curse has struck Roger" in said(pilot), "passing is a mistake, and possible"


async def test_what_was_won_with_help_is_shared_with_the_keys_on_the_screen() -> None:
    async with guided(scene(2)) as (pilot, results):
        await pilot.keys("x", "enter", "space", "c")
        await moments(pilot)
        await pilot.keys("1", "2", "3")
        assert "ENTER take these" in " ".join(pilot.text().split())
        await pilot.keys("enter")
        assert len(pilot.client.view.you.hand) == 3 and "The rest is Roger's" in said(pilot)
        await pilot.keys("space", "space")
        assert results == ["done"]


async def test_a_share_that_leaves_nothing_to_choose_is_not_asked_for() -> None:
    async with guided(scene(2)) as (pilot, _):
        await pilot.keys("x", "2", "enter", "space", "c")
        await moments(pilot)
        await pilot.keys("space")
        assert "Friends are bought" in said(pilot), "Roger has picked first, and the rest is yours"


async def test_coach_and_cards_agree_on_what_stops_the_level_9() -> None:
    async with guided(scene(3)) as (pilot, _):
        text = pilot.text()
        assert "any of your three cards to stop it" in said(pilot)
        for words in ("✓ 13:6 no game", "✓ 12:6 no game", "✓ 14:16"):
            assert words in text


async def test_undo_takes_the_last_act_back_without_asking() -> None:
    async with guided(puzzle()) as (pilot, _):
        hand = len(pilot.client.view.you.hand)
        await choose(pilot, "Crowd-Pleasing")
        assert len(pilot.client.view.you.hand) == hand - 1
        await pilot.keys("u")
        assert len(pilot.client.view.you.hand) == hand


async def test_a_puzzle_shows_its_hint_its_solution_and_begins_again() -> None:
    async with guided(puzzle(), (120, 40)) as (pilot, results):
        assert "Roger must lose this fight" in said(pilot) and "Hint:" not in said(pilot)
        await pilot.keys("H")
        assert "Hint: 13 against 6" in said(pilot)
        await pilot.keys("space", "enter")
        assert "victory" in await moments(pilot)
        assert "Roger has won the game" in said(pilot) and "[SPACE] again" in said(pilot)
        await pilot.keys("space", "A")
        assert "(the solution)" in said(pilot) and "Lukewarm Coffee" in said(pilot)
        for _ in range(6):  # three steps, and a key that came too early does nothing
            if "(the solution)" in said(pilot):
                await moments(pilot)
                await pilot.keys("space")
        assert "Roger must lose this fight" in said(pilot) and results == []


async def test_play_again_begins_again_at_once_since_nobody_else_has_to_be_ready() -> None:
    async with guided(puzzle(), (120, 40)) as (pilot, _):
        await pilot.keys("space", "enter")
        await moments(pilot)
        assert "Roger has won the game" in said(pilot) and "play again" in pilot.text()
        await pilot.keys("y")
        assert "Roger must lose this fight" in said(pilot) and not pilot.client.view.winners


async def test_a_solved_puzzle_ends_with_what_is_to_be_learned() -> None:
    async with guided(puzzle()) as (pilot, results):
        told = pilot.client.guide.told
        assert play_steps(pilot.client.guide, told.solution) == ""
        pilot.client.refresh()
        await pilot.settle()
        await moments(pilot)
        assert "bait it with your cheapest" in said(pilot)
        await pilot.keys("space")
        assert results == ["done"]


async def test_a_puzzle_that_is_solved_is_left_without_a_question() -> None:
    told = puzzle()
    async with guided(told) as (pilot, results):
        assert play_steps(pilot.client.guide, told.scenario.puzzle.solution) == ""
        pilot.client.refresh()
        await pilot.settle()
        await pilot.keys("ctrl+q")
        assert results == ["done"]


async def test_leaving_asks_and_says_that_it_was_left() -> None:
    async with guided(scene(2)) as (pilot, results):
        await pilot.keys("ctrl+q")
        assert "What you have learnt so far is kept" in pilot.text()
        await pilot.keys("1")
        assert results == ["left"]


async def test_the_player_reads_their_own_name_and_only_their_own_cards() -> None:
    async with guided(puzzle(), (120, 40)) as (pilot, _):
        assert pilot.client.info.seats[0].name == "Ada"
        assert pilot.client.view.seats[1].hand == 1
        events = [numbered.event for numbered in pilot.client.events]
        assert all("That Never Happened" not in repr(event) for event in events)


async def test_ascii_stays_ascii() -> None:
    async with guided(scene(3), ascii_only=True) as (pilot, _):
        assert pilot.text().isascii()
    for kind in SIGNS:
        rows = draw(Saying("Scene", kind, "Words", (("SPACE", "goes on"),)), 60, 3, ASCII)
        assert all(span.isascii() for row in rows for span, _ in row)


async def test_the_list_of_puzzles_shows_goals_and_what_is_solved() -> None:
    found, _ = library.puzzles()
    async with shown(PuzzleListScreen(found, {found[0].ident}, ["a.toml: broken"])) as (press, results):
        text = await press()
        assert "1 of 6 solved" in text and "solved  Stop the Level 9" in text and "open    Without a Class" in text
        assert "Roger must lose this fight" in text and "a.toml: broken" in text
        await press("down", "enter")
        assert results == [found[1]]
    async with shown(PuzzleListScreen(found, ())) as (press, results):
        await press("escape")
        assert results == [None]


@pytest.mark.parametrize(("key", "answer"), [("y", True), ("n", False), ("enter", True), ("escape", False)])
async def test_the_first_start_takes_one_key(key: str, answer: bool) -> None:
    async with shown(FirstStartScreen(UNICODE)) as (press, results):
        assert "New here?" in await press()
        await press(key)
        assert results == [answer]
    async with shown(FirstStartScreen(UNICODE, PLAY)) as (press, _):
        assert "n  I know the game: begin at once" in await press()


async def test_the_first_whole_game_has_a_coach_that_hints() -> None:
    guide = library.lay_out(scene(4))
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test(size=(120, 40)) as textual:
        client = GuidedClient(guide, "Ada")
        screen = TableScreen(TableSession(client, guide.game.catalog, app.glyphs), coach=whole_game)
        await app.push_screen(screen)
        pilot = TablePilot(app, screen, textual, client)
        for _ in range(100):
            await pilot.settle()
            await app.workers.wait_for_complete()
            if "A good player would" in said(pilot):
                break
        assert "A good player would give up and run. You lose" in said(pilot)
        long = " ".join(f"word{number}" for number in range(50))
        for text in (long, "short", long):
            screen.query_one(Coach).saying = Saying("Head", "task", text)
            await pilot.settle()
            assert said(pilot).endswith(text), "what is long takes more rows and is not cut"


async def do_step(pilot: TablePilot, step: Step) -> None:
    """Do a step of the person who plays through the menus of the screen."""
    screen, guide = pilot.screen, pilot.client.guide
    await moments(pilot)
    action = guide.game.action_of(step)
    if isinstance(action, a.Pass):
        await pilot.keys("space")
        return
    if isinstance(action, a.Offer):  # the editor of offers has its own tests
        pilot.client.act(action)
        await pilot.settle()
        return
    way = entries_to(screen.model.now, action)
    assert way, f"no entry leads to {action}"
    while screen.model.menus.nested:  # a set that has opened by itself
        screen.run("back")
    for entry in way:
        screen.model.keyed.revive()
        found = (at for at, one in enumerate(screen.model.here.entries) if one.key == entry.key)
        screen.parts.answers.choose(next(found))
    if isinstance(screen.model.here, Picker):
        pick = screen.model.here.pick
        for card in getattr(action, pick.field):
            screen.parts.answers.choose(pick.among.index(card))
        screen.model.keyed.revive()
        screen.run("enter")
    if isinstance(screen.model.here, Menu) and screen.model.here.grave:
        screen.model.keyed.revive()
        screen.run("enter")
    await pilot.settle()


MOMENTS = {
    1: ["door", "won"], 2: ["won"], 3: ["curse", "averted"], 4: ["die", "death", "looting"],
    5: ["level", "door", "called", "won", "victory"],
}  # fmt: skip
"""The moments of each scene."""


@pytest.mark.long(5)
@pytest.mark.parametrize("number", MOMENTS)
async def test_a_scene_can_be_played_through_the_menus(number: int) -> None:
    told = scene(number)
    shown: list[str] = []
    async with guided(told, (120, 40)) as (pilot, results):
        for task in told.scenario.lesson.tasks:
            for step in task.ways[0]:
                await do_step(pilot, step)
            shown += await moments(pilot)
            assert pilot.client.guide.word.kind == "why", f"{task.say}: {said(pilot)}"
            assert task.why in said(pilot)
            await pilot.keys("space")
        await pilot.keys("space")
        assert results == ["done"]
    assert shown == MOMENTS[number], "as at any table"


@pytest.mark.long(6)
@pytest.mark.parametrize("told", library.puzzles()[0], ids=lambda told: told.name)
async def test_a_puzzle_can_be_solved_through_the_menus(told: Told) -> None:
    async with guided(told, (80, 24)) as (pilot, results):
        for step in told.scenario.puzzle.solution:
            await do_step(pilot, step)
        await moments(pilot)
        assert told.scenario.puzzle.why in said(pilot)
        await pilot.keys("space")
        assert results == ["done"]
