"""The stage: what matters now, in the middle of the table."""

from netcode.protocol.wire import Timers
from tui.menus.side_menus import vote_words
from tui.scene.cells import Line
from tui.scene.clock import Clock, clock_of
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.widgets.canvas import Canvas
from tui.widgets.pane import Pane
from tui.widgets.table import stage_calm, stage_combat, stage_first, stage_run
from tui.widgets.table.stage_parts import Room, strip

FRAMED = 6
"""The least rows of a stage with a border."""


class Stage(Pane):
    """Shows the stage with its clock."""

    def update(self, scene: Scene, session: TableSession) -> None:
        """Show this scene. session: for the clocks, which are read each time the stage is drawn."""
        self.show(lambda width, height: draw(scene, clock_of(scene, session.client.clocks()), width, height))


def draw(scene: Scene, clock: Clock, width: int, height: int) -> list[Line]:
    """Draw the stage."""
    canvas = Canvas(width, height, scene.glyphs)
    room = Room(canvas, scene, clock, 0, 0, width, height)
    if height >= FRAMED:
        title, colour, heavy, subtitle = _frame(scene)
        canvas.box(0, 0, width, height, colour, ((title, "bold"),), ((subtitle, "gold"),) if subtitle else (), heavy)
        room = Room(canvas, scene, clock, 2, 1, width - 4, height - 2)
    halted = _halted(scene)
    if halted and room.height > 1:
        strip(room, room.y, halted, "on-gold on gold")
        room = room.below(1)
    if room.height > 0:
        _scene(room)
    return canvas.lines()


def _scene(room: Room) -> None:
    """Draw what matters now."""
    scene = room.scene
    fight = scene.fight
    if scene.view.winners:
        stage_calm.draw_end(room)
    elif scene.view.top == "setup":
        stage_first.draw(room)
    elif fight is not None and fight.stage == "lost" and fight.monsters and _runs(scene):
        stage_run.draw(room)
    elif fight is not None and not scene.view.pool and fight.stage not in ("won", "fled", "died", "ended"):
        stage_combat.draw(room)
    else:
        stage_calm.draw(room)


def _runs(scene: Scene) -> bool:
    """Return whether the fight is lost for good, so that its heroes run."""
    return scene.view.window is None


def _frame(scene: Scene) -> tuple[str, str, bool, str]:
    """Return the title of the border, its colour, whether it is heavy, and its subtitle."""
    view, fight = scene.view, scene.fight
    if view.winners:
        return "THE GAME IS OVER", "gold", True, ""
    if view.top == "setup":
        return "FIRST CARDS", "line", False, ""
    if fight is None or view.pool or fight.stage in ("won", "fled", "died", "ended"):
        return stage_calm.title(scene), "line", False, ""
    subtitle = "MATCH POINT" if fight.match_point else ""
    if fight.stage == "lost" and view.window is None:
        return "RUN AWAY", "foe", True, ""
    window = view.window
    claims = {"claim": "claims the kill", "lost": "gives up", "removed": "has no monster left", "reward": "is paid"}
    if window is None or window.kind not in claims:
        return "COMBAT", "foe", True, subtitle
    you = window.seat == scene.me
    verbs = {"claims": "claim", "gives": "give", "has": "have", "is": "are"}
    verb, _, rest = claims[window.kind].partition(" ")
    who = "You" if you else scene.name(window.seat) if window.seat >= 0 else "The table"
    return f"COMBAT  {who} {verbs[verb] if you else verb} {rest}", "foe", True, subtitle


def _halted(scene: Scene) -> list[str]:
    """Return why the game stands still, the longest form first; empty if it does not."""
    if scene.info.vote is not None:
        return [vote_words(scene), "A vote on taking an act back is open."]
    if scene.info.stage == "paused":
        who = "Anybody" if scene.timers.pause == 0 else "Its owner"
        return [f"The table is paused. {who} can resume it.", "The table is paused."]
    if scene.away:
        return ["A bot plays for you. Press any key to take your seat back.", "A bot plays for you."]
    return []


def ticks(scene: Scene, clocks: Timers) -> bool:
    """Return whether the stage shows a running time."""
    return scene.view.window is not None or bool(clocks.prompts) or bool(clocks.banks) or clocks.pause >= 0
