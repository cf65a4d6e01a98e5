"""The head of the table: the game, the turn, whose act it is; on the right the Seals and the decks. One line."""

from itertools import product

from tui.scene.cells import Line, Span, length
from tui.scene.scene import Scene, seat_colour, shape
from tui.scene.situation import LAST_SEAL, act, has_seals, laying_out, seal_count
from tui.widgets.canvas import Canvas
from tui.widgets.table.scene_pane import ScenePane

BROAD = 180
"""From this width on the head names the top cards of both discards."""


class Head(ScenePane):
    """Shows the head of the table."""

    def update(self, scene: Scene) -> None:
        """Show this scene."""
        around = scene.around
        self.show(lambda width, height: draw(around, width, height), around)


def draw(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the head: the longest words that fit."""
    canvas = Canvas(width, height, scene.glyphs)
    news, piles = _news(scene), _piles(scene, width)
    *starts, none = _starts(scene)
    bare = piles[-1]  # decks give way before the turn does
    ways = [*product(starts, piles[:-1]), (starts[-1], bare), *product((none,), piles)]
    middle = length((*act(scene), *news, *_next(scene)))
    fits = (way for way in ways if length((*way[0], *way[1])) + middle + 4 <= width)
    start, right = next(fits, ((), piles[-1]))
    end = width - 1 - length(right)
    canvas.spans(1, 0, [*start, *act(scene), *_next(scene), *news], end - 2)
    canvas.spans(end, 0, right)
    return canvas.lines()


def _starts(scene: Scene) -> list[Line]:
    """Return what the line begins with, the longest words first."""
    logo: Line = (("KICKDOOR", "bold gold"), ("  ", ""))
    title: Line = ((scene.lexicon.first.name, "dim"), ("   ", ""))
    turn: Line = () if laying_out(scene) else ((f"Turn {scene.view.turn_no}", ""), ("  ", ""))
    return [(*logo, *title, *turn), (*logo, *turn), turn, ()]


def _next(scene: Scene) -> list[Span]:
    """Return who has an extra turn after this one."""
    seat = scene.view.extra_turn
    if seat < 0 or scene.view.winners:
        return []
    again = "you again" if seat == scene.me else f"{scene.name(seat)} again"
    return [("  then ", "dim"), (f"{shape(seat, scene.glyphs.ascii)} {again}", f"{seat_colour(seat)}|seat:{seat}")]


def _news(scene: Scene) -> list[Span]:
    """Return what is unusual about the table itself: no connection, a pause, a vote, passing by itself."""
    if scene.offline:  # here too, since an open menu replaces the prompt
        return [("  ", ""), (" no connection: trying again ", "on-band on band")]
    spans: list[Span] = []
    if scene.info.stage == "paused":
        spans += [("  ", ""), ("paused", "bold oneshot")]
    if scene.info.vote is not None:
        spans += [("  ", ""), ("vote: take an act back?", "bold oneshot")]
    if scene.auto:
        spans += [("  ", ""), ("you pass until the fight changes", "oneshot")]
    return spans


def _piles(scene: Scene, width: int) -> list[Line]:
    """Return the Seals and the decks, the longest words first, at last without the decks."""
    view = scene.view
    decks: Line = (("doors ", "dim"), (str(view.doors), ""), ("  treasures ", "dim"), (str(view.treasures), ""))
    found: list[Line] = [decks, (("decks ", "dim"), (f"{view.doors} + {view.treasures}", ""))]
    if width >= BROAD:
        found.insert(0, (*decks, *_discards(scene)))
    if not has_seals(scene):
        return [*found, ()]
    number = len(view.seals_open)
    style = "bold foe" if number == LAST_SEAL - 1 else "oneshot"
    short: Line = ((f"Seals {number} of {LAST_SEAL}", style), ("  ", ""))
    counts: list[Line] = [((seal_count(scene), style), ("  ", "")), short]
    return [*((*seals, *piles) for seals in counts for piles in found), short]


def _discards(scene: Scene) -> Line:
    """Return the top cards of both discards."""
    view = scene.view
    tops = ((view.door_top, view.doors_out), (view.treasure_top, view.treasures_out))
    names = [scene.printed(top).name if top >= 0 and number else "none" for top, number in tops]
    between = f" {scene.glyphs.dot} "
    return (("  discards ", "dim"), (names[0], "curse"), (between, "dim"), (names[1], "gold"))
