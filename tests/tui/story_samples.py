"""The story of a game with something of everything, and the screen that shows it."""

import msgspec

from netcode.protocol import wire
from netcode.recording.recorder import Finished
from netcode.recording.recording import Header
from netcode.recording.story import FightTold, SeatTold, Stab, Story, Swing, TurningPoint, pack
from tests.netcode.recorded_games import PACKS
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, settled
from tui.scene.story_text import Told
from tui.screens.end import EndScreen

NAMES = ["Ada", "Bo", "Cid", "Dee", "Eve", "Fox"]
GAME = "Munchkins & Mazes"


def sample_story(seats: int = 6) -> Story:
    """Return the story of a game of 35 turns with something of everything."""
    told = [
        SeatTold([(0, 1), (4, 2), (9, 3)], kills=2, cursed=4, deaths=[12], killers=["Glampire"], rolls=3, pips=6),
        SeatTold([(0, 1), (3, 3), (8, 5), (20, 4), (26, 5)], kills=5, helped=2, strikes=1, bought=3, rolls=4, pips=16,
                 runs=4, away=3),
        SeatTold([(0, 1), (5, 4), (14, 8), (22, 9), (29, 7)], kills=9, cursed=3, strikes=2, runs=1),
        SeatTold([(0, 1), (17, 2)], broken=1),
        SeatTold([(0, 1), (6, 3), (12, 6), (27, 8), (31, 9), (35, 10)], kills=11, helped=3, strikes=7, betrayals=3),
        SeatTold([(0, 1), (2, 2), (11, 5)], kills=4),
    ]  # fmt: skip
    return Story(
        goal=10, turns=35, seats=told[:seats], faces=[5, 3, 7, 4, 6, 2], winners=[min(4, seats - 1)], why="level",
        seconds=41 * 60, final=FightTold(35, min(4, seats - 1), 19, 14, ["Mummy's Boy"], "killed"),
        turning=TurningPoint(29, "stopped", 2, min(4, seats - 1), "Deluxe Reprint"),
        biggest=FightTold(22, 2, 31, 28, ["Wyrm of the Shared Hoard", "Glampire"], "killed", helper=1),
        stab=Stab(29, min(4, seats - 1), 2, "Deluxe Reprint", 10, match_point=True),
        mattered=[
            Swing(12, 200, 2, 31, 48, "fight", 2, fight=FightTold(12, 2, 17, 15, ["Glampire"], "killed")),
            Swing(20, 310, 2, 48, 39, "curse", 2, "Bad Hat Day"),
            Swing(27, 420, 2, 52, 40, "level", min(4, seats - 1), level=8),
        ],
    )  # fmt: skip


def sample_told(me: int = samples.ME, seats: int = 6, names: list[str] | None = None) -> Told:
    """Return that story as a seat reads it."""
    return Told(sample_story(seats), (names or NAMES)[:seats], me, GAME)


def header(me: int = samples.ME, story: Story | None = None) -> Header:
    """Return the header of a recording of that game."""
    return Header(
        1, "x", wire.WIRE, 0, "t", 1, me, list(PACKS), NAMES, [False] * 6, winners=[4], story=pack(story),
    )  # fmt: skip


async def finish(pilot: TablePilot, me: int = samples.ME) -> EndScreen:
    """Send the session the end of its game, and return the screen that opens."""
    story = sample_story()
    session = pilot.screen.session
    info = pilot.client.info
    session.finished = Finished("k", msgspec.structs.replace(header(me, story), game=info.game), info, story)
    session.changed()
    await settled(pilot.textual, 6)
    screen = pilot.app.screen
    assert isinstance(screen, EndScreen)
    screen.opened_at -= 1
    return screen
