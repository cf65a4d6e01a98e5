"""In which windows a player is asked whether they respond: one rule for the screen and the plain table.

A window waits until somebody who is alone with bots passes. Such a player is not asked if they can only pass, or if the
hint would tell them to pass. As soon as somebody else plays or watches, nothing is passed automatically: the time at
which a window closes would tell others what this seat holds. docs/trust.md says more.
"""

import asyncio
from typing import Literal

from core.state import actions as a
from core.state.views import You
from tui.lessons.counsel import Counsel
from tui.menus.danger import danger_of
from tui.menus.offer_editor import concerns
from tui.scene.scene import Scene, Unasked
from tui.scene.table_session import TableSession

Verdict = Literal["", "asked", "passes", "weighed", "left"]
"""What becomes of a window. "": none is open for this seat. asked: the player decides. passes: it is passed
automatically. weighed: it is passed if the hint would pass it, and asked otherwise. left: the player is not asked, and
nothing is sent; it ends by its own time."""
WEIGHED_S = 1.5
"""The player is asked about a window on which the hint has not decided within this time."""

KEPT = "You answer yourself here."
KEPT_NEXT = "You are asked in the next window."


def alone(scene: Scene) -> bool:
    """Return whether nobody but bots can notice when this player answers: no other person plays or watches."""
    return scene.info.solo and not scene.info.watchers


def could_respond(you: You) -> bool:
    """Return whether anything that this seat may do now would respond to a window."""
    return not all(isinstance(row.action, a.NO_RESPONSE) for row in you.legal)


def why_unasked(scene: Scene) -> str:
    """Return why the player is not asked about the open window, as a sentence; empty while the hint is deciding."""
    if not scene.unasked or scene.unasked == "weighed" or scene.you is None:
        return ""
    return "Nothing of yours is worth playing." if could_respond(scene.you) else "You have nothing to play here."


def verdict(scene: Scene, wanted: str) -> Verdict:
    """Return what becomes of the open window. wanted: when this player wants to be asked, as in `Settings.asks`."""
    window, you = scene.view.window, scene.you
    if window is None or window.passed or you is None:
        return ""
    if wanted == "always" or you.asks or scene.away:  # a hold of one's own asks too
        return "asked"
    responds = could_respond(you)
    if not alone(scene):
        ends = scene.timers.window >= 0 and window.holder < 0
        return "left" if ends and not responds else "asked"
    if scene.timers.waits or any(concerns(scene, offer) for offer in scene.view.offers):
        return "asked"  # a pass would tell the bots that their act was read and the offer ignored
    if not responds:
        return "passes"
    if wanted != "useful" or danger_of(scene, a.Pass(window.id)):
        return "asked"  # no pass of the screen may lose the game for somebody who could still act
    return "weighed"


class Windows:
    """Follows the windows of one table. The player is asked about a window that they have gone back to by an undo, or
    that they have kept open."""

    def __init__(self, session: TableSession, counsel: Counsel) -> None:
        """session: is told of a verdict that takes longer. counsel: works it out."""
        self._session, self._counsel = session, counsel
        self._kept = 0
        """The window that the player answers themselves."""
        self._keep_next = False
        self._gone_back = session.gone_back
        self._weighed: tuple[int, int] = (0, 0)
        """The window that was weighed last, and the revision of the view at that time."""
        self._passes: bool | None = None
        """Whether to pass it; None: not decided yet."""
        self._weighing: asyncio.Task[None] | None = None

    def follow(self, scene: Scene, wanted: str, busy: bool = False) -> Unasked:
        """Return what becomes of the window that is open now, empty if the player is asked or none is open. wanted: as
        in `verdict`. busy: the player has a menu open, and so has begun to answer."""
        self._follow(scene)
        found = verdict(scene, wanted)
        window = scene.view.window
        if window is not None and busy and found in ("passes", "weighed"):
            self._kept = window.id
        if window is None or found in ("", "asked") or window.id == self._kept:
            return ""
        if found == "weighed":
            return self._weigh(scene, window.id)
        return "left" if found == "left" else "passes"

    def none(self) -> None:
        """Note that no window is open."""
        self._gone_back = self._session.gone_back

    def keep(self, scene: Scene) -> str:
        """Ask about the open window even if the player would not be asked, or about the next one if none is open for
        them. Return a sentence about it; empty for somebody who is asked already, or not alone."""
        window = scene.view.window
        if not alone(scene):
            return ""
        if window is None or window.passed:
            self._keep_next = True
            return KEPT_NEXT
        if not scene.unasked:
            return ""
        self._kept = window.id
        return KEPT

    def stop(self) -> None:
        """Stop weighing."""
        if self._weighing is not None:
            self._weighing.cancel()

    def _follow(self, scene: Scene) -> None:
        """Note which window the player answers themselves: the one to which an undo has led, or the next one if they
        have asked for that."""
        window, back = scene.view.window, self._session.gone_back
        if window is not None and not window.passed and (back != self._gone_back or self._keep_next):
            self._kept, self._keep_next = window.id, False
        self._gone_back = back

    # ------------------------------------------------------------------------------------------------------- weighing
    def _weigh(self, scene: Scene, window: int) -> Unasked:
        """Return what the hint says about a window, `weighed` until it does. It is weighed again at each change."""
        now = window, scene.view.rev
        if now != self._weighed:
            self.stop()
            self._weighed, self._passes = now, None
            self._weighing = asyncio.ensure_future(self._find_out(scene, now))
        return "weighed" if self._passes is None else "passes" if self._passes else ""

    async def _find_out(self, scene: Scene, now: tuple[int, int]) -> None:
        """Work out the answer, and update the table. If that fails, the player is asked."""
        passes = False
        try:
            passes = await self._within_time(scene)
        finally:
            if now == self._weighed:
                self._passes = passes
                self._session.changed()

    async def _within_time(self, scene: Scene) -> bool:
        try:
            async with asyncio.timeout(WEIGHED_S):
                veiled = await self._session.client.knowledge()
                return await self._counsel.passes(scene.view, veiled, WEIGHED_S)
        except TimeoutError:
            return False
