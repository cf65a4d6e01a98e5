"""Play lessons and puzzles, one screen after the other, and note which are done."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from tui.app.app import KickdoorApp
from tui.app.start_host import TableError
from tui.config.settings import usual_name
from tui.lessons import library, progress
from tui.lessons.guided_client import GuidedClient
from tui.lessons.library import LessonError, Told
from tui.scene.table_session import TableSession
from tui.screens.parts.guided_coach import guided
from tui.screens.puzzles import PuzzleListScreen
from tui.screens.table import TableScreen

WHOLE_GAME: dict[str, Any] = {"bots": 2, "level": "easy", "hints": True}
"""The game after the last scene."""
LEFT = "To go on where you left: kickdoor learn {}"


async def play_lessons(
    app: KickdoorApp, first: int, play_solo: Callable[[dict[str, Any]], Awaitable[str]]
) -> str:  # fmt: skip
    """Play the scenes from this one on, then a whole game; return a note. Raise TableError. play_solo: plays that
    game."""
    try:
        scenes = await asyncio.to_thread(library.lessons)
    except LessonError as problem:
        raise TableError(str(problem)) from None
    for number, told in enumerate(scenes[first - 1 :], first):
        title = f"Scene {number} of {len(scenes)}"
        if await _play(app, told, title) != "done":
            return LEFT.format(number)
        problem_text = progress.done("scenes", told.ident)
        if problem_text:
            app.notify(problem_text, severity="warning", markup=False)
    return await play_solo(WHOLE_GAME)


async def play_puzzles(app: KickdoorApp, name: str) -> str:
    """Show the puzzles until the player leaves; name: the ident of the one to begin with. Raise TableError."""
    at = 0
    while True:
        try:
            found, wrong = await asyncio.to_thread(library.puzzles)
        except LessonError as problem:
            raise TableError(str(problem)) from None
        chosen = next((told for told in found if told.ident == name), None)
        if chosen is None:
            solved = set(progress.load().puzzles)
            chosen = await app.push_screen_wait(PuzzleListScreen(found, solved, wrong, at))
        if chosen is None:
            return ""
        at, name = found.index(chosen), ""
        if await _play(app, chosen, chosen.name) == "done":
            problem_text = progress.done("puzzles", chosen.ident)
            if problem_text:
                app.notify(problem_text, severity="warning", markup=False)


async def _play(app: KickdoorApp, told: Told, title: str) -> str:
    """Play one lesson or puzzle; return how it ended: done or left. Raise TableError."""
    try:
        guide = await asyncio.to_thread(partial(library.lay_out, told))
    except LessonError as problem:
        raise TableError(str(problem)) from None
    client = GuidedClient(guide, usual_name(app.settings))
    session = TableSession(client, guide.game.catalog, app.glyphs)
    try:
        return await app.push_screen_wait(TableScreen(session, coach=guided(client, title))) or "left"
    finally:
        session.stop()
