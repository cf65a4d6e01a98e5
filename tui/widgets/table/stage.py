"""The stage: what matters now, in the middle of the table."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import NULL_OFFSET, Region, Size, Spacing
from textual.layout import Layout, WidgetPlacement
from textual.reactive import var
from textual.widget import Widget

from netcode.protocol.wire import Timers
from tui.menus.side_menus import vote_words
from tui.scene.cells import Line
from tui.scene.clock import Clock, can_resume, clock_of
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.pane import UNFIT_VIEW_ERRORS, Pane
from tui.widgets.table.stage_parts import Part, Room, strip

FRAMED = 6
"""The least rows of a stage with a border."""
Act = Literal["first cards", "combat", "run", "end", "calm"]
"""What the stage may show."""


BACK = "back"
"""The part with everything that stands still. It lies below the other parts, each of which is drawn by itself."""
PARTS = (BACK, "sums", "bar", "terms", "verdict", "outcomes", "acts", "last")


class Stage(Container):
    """Shows the stage with its clock: a pane for each part, so that what changes is painted without its neighbours."""

    scene: var[Scene | None] = var(None, init=False, always_update=True)

    def __init__(self, ident: str, clocks: Callable[[], Timers]) -> None:
        """clocks: returns the clocks of the table, which are read each time the stage is drawn."""
        super().__init__(id=ident)
        self._clocks = clocks
        self._placed = _Placed()
        self._panes = {name: Pane(f"stage-{name}") for name in PARTS}
        self._found: dict[str, Part] = {}
        self._moment: Scene | None = None
        self._shown: tuple[Scene, Clock, Size] | None = None
        """What was shown last; nothing is drawn again while it stays equal."""

    @property
    def layout(self) -> Layout:
        """Return the layout that puts each pane where its part is drawn."""
        return self._placed

    def compose(self) -> ComposeResult:
        """A pane for each part; it is shown where the scene has this part."""
        yield from self._panes.values()

    def watch_scene(self, scene: Scene | None) -> None:
        """Show a scene."""
        if scene is not None:
            self.update(scene.board)

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        shown = scene, clock_of(scene, self._clocks()), self.size
        if shown == self._shown:
            return
        self._shown = shown
        self._moment = scene
        before = self._regions
        hidden = not self.arranged(self.size)
        if self._regions != before or not before or hidden:
            self._panes[BACK].refresh(repaint=False, layout=True)  # a child makes its parent place everything again
        for name, part in self._found.items():
            self._panes[name].show(partial(self._drawn, part), self._shown)

    def arranged(self, size: Size) -> list[tuple[Pane, Region]]:
        """Find the parts for a size; return where the panes are, the topmost last."""
        if self._moment is None or not size.width or not size.height:
            return []
        scene = self._moment
        clock = clock_of(scene, self._clocks())
        try:
            self._found = {part.name: part for part in parts(scene, clock, size.width, size.height)}
        except UNFIT_VIEW_ERRORS as problem:
            report = self._panes[BACK].on_draw_error
            if report is None:
                raise
            report(problem)
            return []
        for name, part in self._found.items():
            self._panes[name].draws(partial(self._drawn, part), self._shown)
        return [(self._panes[name], part.region) for name, part in self._found.items()]

    @property
    def _regions(self) -> list[tuple[str, Region]]:
        return [(name, part.region) for name, part in self._found.items()]

    def _drawn(self, part: Part, width: int, height: int) -> list[Line]:
        """Draw a part as it is at this moment."""
        assert self._moment is not None
        return lines_of(part, self._moment, clock_of(self._moment, self._clocks()))

    def tick(self) -> None:
        """Draw the clock again, and with it what is drawn in the same pane."""
        self._panes["last" if "last" in self._found else BACK].redraw()


class _Placed(Layout):
    """Puts each pane of the stage where its part is drawn."""

    name = "placed"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> list[WidgetPlacement]:
        """Return where the panes are; panes whose part is not in the scene are nowhere."""
        assert isinstance(parent, Stage)
        return [
            WidgetPlacement(region, NULL_OFFSET, Spacing(), pane, order)
            for order, (pane, region) in enumerate(parent.arranged(size))
            if pane in children
        ]


# ---------------------------------------------------------------------------------------------------------- drawing
def draw(scene: Scene, clock: Clock, width: int, height: int) -> list[Line]:
    """Draw the whole stage."""
    canvas = Canvas(width, height, scene.glyphs)
    for part in parts(scene, clock, width, height):
        part.draw(Room(canvas, scene, clock, part.x, part.y, part.width, part.height))
    return canvas.lines()


def lines_of(part: Part, scene: Scene, clock: Clock) -> list[Line]:
    """Draw one part by itself."""
    canvas = Canvas(part.width, part.height, scene.glyphs)
    part.draw(Room(canvas, scene, clock, 0, 0, part.width, part.height))
    return canvas.lines()


def parts(scene: Scene, clock: Clock, width: int, height: int) -> list[Part]:
    """Return the parts of the stage, first the one that lies below all others."""
    room = _inside(Room(Canvas(0, 0, scene.glyphs), scene, clock, 0, 0, width, height))
    above: list[Part] = []
    if room.height > 0 and _act(scene) == "combat":
        from tui.widgets.table import stage_combat  # one scene at a time

        above = stage_combat.parts(room)
    return [Part(BACK, 0, 0, width, height, _back), *above]


def _back(room: Room) -> None:
    """Draw the border, why the game is paused, and the part of the scene that does not move."""
    scene = room.scene
    if room.height >= FRAMED:
        title, colour, heavy, subtitle = _frame(scene)
        room.canvas.box(
            room.x, room.y, room.width, room.height, colour, ((title, "bold"),),
            ((subtitle, "gold"),) if subtitle else (), heavy,
        )  # fmt: skip
    inside = _inside(room)
    if inside.y > room.y + (room.height >= FRAMED):
        strip(inside, inside.y - 1, _halted(scene), "on-gold on gold")
    if inside.height > 0:
        _drawing(_act(scene))(inside)


def _inside(room: Room) -> Room:
    """Return the room within the border, and below the row that says why the game stands still."""
    if room.height >= FRAMED:
        room = room.below(1).without_last(1).beside(2)
        room = room.part(room.width - 2, room.height)
    return room.below(1) if room.height > 1 and _halted(room.scene) else room


def _act(scene: Scene) -> Act:
    """Return what matters now."""
    fight = scene.fight
    if scene.view.winners:
        return "end"
    if scene.view.top == "setup":
        return "first cards"
    if fight is not None and fight.stage == "lost" and fight.monsters and _runs(scene):
        return "run"
    if fight is not None and not scene.view.pool and fight.stage not in ("won", "fled", "died", "ended"):
        return "combat"
    return "calm"


def _drawing(act: Act) -> Callable[[Room], None]:
    """Return the function that draws this. Its module is loaded when it is first needed: a game begins with the first
    cards."""
    if act == "first cards":
        from tui.widgets.table import stage_first  # one scene at a time

        return stage_first.draw
    if act == "run":
        from tui.widgets.table import stage_run  # one scene at a time

        return stage_run.draw
    if act == "combat":
        from tui.widgets.table import stage_combat  # one scene at a time

        return stage_combat.draw
    from tui.widgets.table import stage_calm  # one scene at a time

    return stage_calm.draw_end if act == "end" else stage_calm.draw


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
        from tui.widgets.table import stage_calm  # one scene at a time

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
        return [f"The table is paused. {can_resume(scene)}", "The table is paused."]
    if scene.away:
        return ["A bot plays for you. Press any key to take your seat back.", "A bot plays for you."]
    return []


def ticks(clocks: Timers) -> bool:
    """Return whether the stage may show a running time."""
    return max(clocks.window, clocks.hold, clocks.pause) >= 0 or bool(clocks.prompts) or bool(clocks.banks)
