"""Every screen of the program by name, opened in a running app at any size: `opened(name, size)`."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from textual.screen import Screen

from core.state.views import View
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.netcode.recorded_games import PACKS, finished_game, recorded
from tests.tui import goldens, moment_samples, samples, set_samples
from tests.tui.app_pilot import TablePilot, settled, still
from tests.tui.fake_client import FakeClient, FakeLobby
from tests.tui.story_samples import finish
from tui.app.app import BOOKS, KickdoorApp
from tui.app.menu_rows import built_in_heads, host_rows, join_rows, menu_rows, play_rows, settings_rows, unfinished_rows
from tui.config.keymap import TABLE
from tui.config.settings import Settings
from tui.lessons import library
from tui.lessons.guided_client import GuidedClient
from tui.scene.table_session import TableSession
from tui.screens.career import CareerScreen
from tui.screens.first_start import FirstStartScreen
from tui.screens.forms import ChoiceScreen, FormScreen
from tui.screens.key_map import KeyMapScreen
from tui.screens.lobby import LobbyScreen
from tui.screens.main_menu import MainMenuScreen
from tui.screens.moment import MomentScreen
from tui.screens.parts.guided_coach import guided
from tui.screens.puzzles import PuzzleListScreen
from tui.screens.replay import ReplayScreen
from tui.screens.replay_list import ReplayListScreen
from tui.screens.replay_timeline import Timeline, load_timeline
from tui.screens.settings import SettingsScreen
from tui.screens.table import TableScreen
from tui.screens.waiting_room import WaitingRoomScreen

Size = tuple[int, int]
SIZES: tuple[Size, ...] = ((60, 20), (80, 23), (80, 24), (120, 40), (200, 60))
SETS = ("munchkins-and-mazes", "axe-cop")

TABLE_KEYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "card": ("crowded", ("v",)), "log": ("crowded", ("l",)), "recap": ("crowded", ("r",)), "keys": ("idle", ("?",)),
    "gear-of-others": ("crowded", ("o",)), "leaving": ("own-combat", ("ctrl+q",)), "talking": ("idle", ("t",)),
    "owner": ("idle", ("a",)), "door": ("idle", ("d",)), "why-not": ("crowded", ("w",)),
}  # fmt: skip
"""Screens over a table: the state in which each begins, and the keys that open it."""
NAMED = {"?": "question_mark"}
USUAL: Mapping[str, str] = {}
"""The key map of somebody who has changed no key."""


def _screens() -> dict[str, Callable[[KickdoorApp], Screen[Any]]]:
    """Return the constructors of the screens that need no table."""
    settings = Settings(name="Ann")
    puzzles, _ = library.puzzles()
    return {
        "menu": lambda app: MainMenuScreen(menu_rows(settings), built_in_heads(), app.glyphs),
        "menu-note": lambda app: MainMenuScreen(menu_rows(settings), built_in_heads(), app.glyphs, "No host answers."),
        "form-play": lambda app: FormScreen("Play", play_rows(settings, SETS), app.glyphs),
        "form-host": lambda app: FormScreen("Host", host_rows(settings, SETS[:1]), app.glyphs),
        "form-join": lambda app: FormScreen("Join", join_rows(settings), app.glyphs),
        "settings": lambda app: SettingsScreen("Settings", settings_rows(settings), app.glyphs, settings),
        "key-map": lambda app: KeyMapScreen("default", {"table.why": "f2"}, app.glyphs),
        "choice": lambda app: ChoiceScreen("Host a table", unfinished_rows(), app.glyphs),
        "first-start": lambda app: FirstStartScreen(app.glyphs),
        **{f"book-{name}": partial(_book, name) for name in BOOKS},
        "puzzles": lambda app: PuzzleListScreen(puzzles, {puzzles[0].ident}, ["a.toml: broken"]),
        "replays": lambda app: ReplayListScreen(app.glyphs, _recordings()),
        "replay": lambda app: ReplayScreen(_timeline()),
        "career": lambda app: CareerScreen(app.glyphs),
        "learn": lambda app: _guided(library.lessons()[0], app),
        "puzzle": lambda app: _guided(puzzles[0], app),
    }


def _book(name: str, app: KickdoorApp) -> Screen[Any]:
    return app.book(name)


@cache
def _recordings() -> Path:
    _KEPT.append(TemporaryDirectory())
    folder = Path(_KEPT[-1].name)
    recorded(finished_game()[0], folder)
    return folder


_KEPT: list[TemporaryDirectory[str]] = []
"""Folders that live as long as the tests."""


@cache
def _timeline() -> Timeline:
    return load_timeline(next(_recordings().glob("**/*.kickdoor")))


def _guided(told: library.Told, app: KickdoorApp) -> TableScreen:
    client = GuidedClient(library.lay_out(told), "Ada")
    session = TableSession(client, client.guide.game.catalog, app.glyphs)
    return TableScreen(session, coach=guided(client, told.name if told.scenario.puzzle else "Scene 1 of 5"))


SCREENS = _screens()
MOMENTS = tuple(f"moment-{kind}" for kind in moment_samples.KINDS)
TABLES = tuple(state for state in goldens.STATES if not state.endswith("ascii"))
OTHERS = ("lobby", "lobby-empty", *(state for state in goldens.BEFORE if "ascii" not in state), "end", "end-watching")
STATES: tuple[str, ...] = (*TABLES, *TABLE_KEYS, *MOMENTS, *OTHERS, *SCREENS)
"""Every state that is swept."""


@asynccontextmanager
async def opened(
    name: str, size: Size, *, ascii_only: bool = False, seats: Sequence[str] = (), keys: Mapping[str, str] = USUAL
) -> AsyncIterator[TablePilot]:
    """Run an app that shows this state. seats: the names of the players, instead of the usual ones. keys: the player's
    own keys by the ids of their bindings."""
    app = KickdoorApp(Settings(ascii=ascii_only, bell=False, motion="never", keys=dict(keys)))
    async with app.run_test(size=size, notifications=True) as textual:
        if name in SCREENS:
            screen = SCREENS[name](app)
            await app.push_screen(screen)
            pilot = TablePilot(app, screen, textual, getattr(getattr(screen, "session", None), "client", None))
            await settled(textual)
        elif name.startswith("lobby"):
            client: Any = FakeLobby([] if name.endswith("empty") else None)
            screen = LobbyScreen(client, app.glyphs, "Your seat is kept." if name != "lobby" else "")
            await app.push_screen(screen)
            pilot = TablePilot(app, screen, textual, client)
            await settled(textual)
        elif name.startswith("before"):
            pilot = await _waiting_room(app, textual, seats)
            await pilot.keys(*goldens.BEFORE[name])
        else:
            pilot = await _table(app, textual, name, seats)
        await still(textual)
        yield pilot


async def _waiting_room(app: KickdoorApp, textual: Any, names: Sequence[str]) -> TablePilot:
    info = _named(samples.info(4, stage="lobby", watch_delay=60, watchers=2, machine="attic", packs=list(PACKS)), names)
    info.seats[2] = SeatInfo()
    client = FakeClient(None, info)
    session = TableSession(client, samples.catalog(), app.glyphs, lambda: 0.0, (goldens.STRING,))
    screen = WaitingRoomScreen(session)
    await app.push_screen(screen)
    pilot = TablePilot(app, screen, textual, client)
    await settled(textual)
    return pilot


async def _table(app: KickdoorApp, textual: Any, name: str, names: Sequence[str]) -> TablePilot:
    state, keys = TABLE_KEYS.get(name, (name, goldens.KEYS.get(name, ())))
    view, catalog, log, info, me = _begun(state)
    info = _named(info or samples.info(len(view.seats)), names)
    client = FakeClient(view, info, me)
    session = TableSession(client, catalog, app.glyphs, clock=lambda: 0.0)
    session.log = list(log)
    screen = TableScreen(session)
    await app.push_screen(screen)
    pilot = TablePilot(app, screen, textual, client)
    await settled(textual)
    own = app.settings.keymap()
    now = {row.keys: own.get(row.id, row.keys) for row in TABLE}
    await pilot.keys(*(now.get(key, key) for key in (NAMED.get(key, key) for key in keys)))
    if name.startswith("end"):
        await finish(pilot, me)
    if name.startswith("moment-"):
        found = moment_samples.moment(next(kind for kind in moment_samples.KINDS if name == f"moment-{kind}"))
        scene = samples.scene(found.view, app.glyphs, info=info, key_names=session.key_names)
        await app.push_screen(MomentScreen(session, scene, found, None))
        await settled(textual)
        app.screen.dead_until = 0.0  # type: ignore[attr-defined]
    return pilot


def _begun(state: str) -> tuple[View, Any, Sequence[Any], TableInfo | None, int]:
    """Return the view, the catalog, the log, the table and the seat that a state begins with."""
    if state.startswith("moment-"):
        found = moment_samples.moment(next(kind for kind in moment_samples.KINDS if state == f"moment-{kind}"))
        return found.view, samples.catalog(), samples.LOG, None, samples.ME
    if state.startswith("end"):
        me = -1 if state == "end-watching" else samples.ME
        return samples.SITUATIONS["over"](), samples.catalog(), samples.LOG, None, me
    name = goldens.situation(state)
    if name in set_samples.SITUATIONS:
        box, view = set_samples.SITUATIONS[name]()
        return view, box.catalog, set_samples.LOG, None, samples.ME
    info = goldens.INFOS[state]() if state in goldens.INFOS else None
    return samples.SITUATIONS[name](), samples.catalog(), samples.LOG, info, -1 if name == "watching" else samples.ME


def _named(info: TableInfo, names: Sequence[str]) -> TableInfo:
    for seat, name in zip(info.seats, names):
        if seat.name:
            seat.name = name
    return info
