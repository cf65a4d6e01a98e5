"""The screens drawn as plain text at three sizes; `python -m tests.tui.goldens` rewrites the golden files and names
those that changed."""

import asyncio
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

from netcode.protocol.wire import SeatInfo, TableInfo
from tests.tui import moment_samples, samples, set_samples
from tests.tui.app_pilot import TablePilot, screen_lines, still, table
from tests.tui.fake_client import FakeClient, FakeLobby
from tests.tui.story_samples import finish
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.lobby import LobbyScreen
from tui.screens.waiting_room import WaitingRoomScreen

SIZES = ((80, 24), (120, 40), (200, 60))
FOLDER = Path(__file__).with_name("goldens")
KEYS: dict[str, tuple[str, ...]] = {
    "interrupt-why": ("w",), "own-combat-offer": ("x", "2"), "your-turn-sale": ("s",), "axe-lost-gear": ("g",),
    "own-combat-owner": ("a",), "interrupt-owner-seat": ("a", "4"), "interrupt-step-back": ("u",),
    "apo-fight-why": ("w",), "apo-idle-seals": ("S",), "apo-idle-others": ("o", "o"),
}  # fmt: skip
"""Keys that lead to a state from its situation; a state's name begins with that of its situation."""
INFOS: dict[str, Callable[[], TableInfo]] = {
    "interrupt-vote": samples.voting, "interrupt-asked": lambda: samples.voting(by=samples.ME, waiting=[1, 2]),
    "own-combat-away": samples.away,
}  # fmt: skip
"""States whose TableInfo differs from the usual one."""
STATES = (
    "own-combat-owner", "interrupt-owner-seat", "interrupt-step-back", "interrupt-vote", "interrupt-asked",
    "own-combat-away",
    "idle", "your-turn", "your-turn-sale", "crowded", "interrupt-why", "own-combat", "own-combat-offer", "charity",
    "looting", "running", "first-cards", "over", "offered", "watching", "crowded-ascii",
    "axe-lost", "axe-lost-gear", "axe-ranks", "apo-fight", "apo-fight-why", "apo-idle", "apo-idle-seals",
    "apo-idle-others",
    "apo-over",
    "w40k-lost", "w40k-looted", "mixed",
)  # fmt: skip
BEFORE: dict[str, tuple[str, ...]] = {
    "before": (), "before-owner": ("a",), "before-owner-seat": ("a", "1"), "before-qr": ("Q",),
    "before-qr-ascii": ("Q",),
}  # fmt: skip
"""States of the waiting room as the owner sees it, and the keys that lead to them."""
STRING = "kickdoor://192.168.1.20:7788/1a2b3c#" + "Kq3x" * 10 + "Kq3." + "t0Ke" * 5 + "t0"
LOBBIES = ("lobby", "lobby-empty", "lobby-ascii")
"""States of a host's lobby."""
ENDS = ("end", "end-ascii", "end-watching")
"""States of the end of a game."""


def situation(state: str) -> str:
    """Return the name of the situation that a state begins with."""
    names = [*samples.SITUATIONS, *set_samples.SITUATIONS]
    return next(name for name in sorted(names, key=len, reverse=True) if state.startswith(name))


def path(state: str, size: tuple[int, int]) -> Path:
    """Return the path of the golden of a state at a size in cells."""
    return FOLDER / f"{state}.{size[0]}x{size[1]}.txt"


async def lines(state: str, size: tuple[int, int]) -> list[str]:
    """Return the text of the table's screen in this state, line by line."""
    name = situation(state)
    if name in set_samples.SITUATIONS:
        box, view = set_samples.SITUATIONS[name]()
        async with table(view, size, catalog=box.catalog, log=set_samples.LOG) as pilot:
            await _reach(pilot, state)
            return pilot.lines()
    view = samples.SITUATIONS[name]()
    seat = -1 if name == "watching" else samples.ME
    info = INFOS[state]() if state in INFOS else None
    async with table(view, size, ascii_only=state.endswith("ascii"), seat=seat, info=info) as pilot:
        await _reach(pilot, state)
        return pilot.lines()


async def lobby_lines(state: str, size: tuple[int, int]) -> list[str]:
    """Return the text of the lobby, line by line."""
    app = KickdoorApp(Settings(ascii=state.endswith("ascii"), bell=False))
    async with app.run_test(size=size) as textual:
        client = FakeLobby([] if state.endswith("empty") else None)
        await app.push_screen(LobbyScreen(client, app.glyphs, "" if state != "lobby" else "Your seat is kept."))
        return await still(textual)


async def before_lines(state: str, size: tuple[int, int]) -> list[str]:
    """Return the text of the waiting room, line by line."""
    app = KickdoorApp(Settings(ascii=state.endswith("ascii"), bell=False))
    async with app.run_test(size=size) as textual:
        info = samples.info(4, stage="lobby", watch_delay=60, watchers=2, machine="attic")
        info.seats[2] = SeatInfo()
        session = TableSession(FakeClient(None, info), samples.catalog(), app.glyphs, lambda: 0.0, (STRING,))
        await app.push_screen(WaitingRoomScreen(session))
        for key in ("", *BEFORE[state]):
            if key:
                app.simulate_key(key)
            await still(textual)
        return screen_lines(app)


async def end_lines(state: str, size: tuple[int, int]) -> list[str]:
    """Return the text of the end of a game, line by line."""
    seat = -1 if state == "end-watching" else samples.ME
    async with table(samples.SITUATIONS["over"](), size, ascii_only=state.endswith("ascii"), seat=seat) as pilot:
        await finish(pilot, seat)
        return pilot.lines()


def moment_lines(state: str, size: tuple[int, int]) -> list[str]:
    """Return the text of a moment over the table, line by line."""
    kind = next(kind for kind in moment_samples.KINDS if state == f"moment-{kind}")
    return moment_samples.drawn(moment_samples.moment(kind), *size)


async def _reach(pilot: TablePilot, state: str) -> None:
    await pilot.keys(*KEYS.get(state, ()))


def text_of(found: list[str]) -> str:
    """Return the text of a golden file: the lines without blanks at their ends."""
    return "\n".join(line.rstrip() for line in found) + "\n"


def difference(found: list[str], state: str, size: tuple[int, int]) -> str:
    """Return where lines differ from the golden of a state first, and what to do if they are right; "" if nowhere."""
    golden, drawn = path(state, size).read_text("utf-8"), text_of(found)
    if golden == drawn:
        return ""
    pairs = enumerate(zip_longest(golden.split("\n"), drawn.split("\n")), 1)
    number, (old, new) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    file = path(state, size).name
    return f"{file}, line {number}: drawn\n{new}\ngolden\n{old}\nif it is meant: python -m tests.tui.goldens"


def keep(found: list[str], state: str, size: tuple[int, int]) -> None:
    """Write the golden of a state, and name it if it has changed."""
    file, text = path(state, size), text_of(found)
    if not file.exists() or file.read_text("utf-8") != text:
        file.write_text(text, "utf-8")
        print(file.name, flush=True)


async def write() -> None:
    """Write every golden."""
    FOLDER.mkdir(exist_ok=True)
    for state in STATES:
        for size in SIZES:
            keep(await lines(state, size), state, size)
    for state in LOBBIES:
        for size in SIZES:
            keep(await lobby_lines(state, size), state, size)
    for state in BEFORE:
        for size in SIZES:
            keep(await before_lines(state, size), state, size)
    for state in ENDS:
        for size in SIZES:
            keep(await end_lines(state, size), state, size)
    write_moments()


def write_moments() -> None:
    """Write the goldens of the moments."""
    for kind in moment_samples.KINDS:
        for size in SIZES:
            keep(moment_lines(f"moment-{kind}", size), f"moment-{kind}", size)


if __name__ == "__main__":
    asyncio.run(write())
