"""Whole games of one person with three bots, at a table without sockets: what the person is asked, by the same rules as
on the screen.

The person does what a bot of the level `normal` would do that plays the whole game. Where the rules of the screen would
pass a window, the person passes if that bot would pass too; if it would not, this is noted.
"""

import random
from collections.abc import Callable, Iterator
from functools import cache

from msgspec import Struct

from core.state import actions as a
from core.state.actions import Action
from core.state.events import AnyEvent
from core.state.views import View
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.protocol import wire
from netcode.protocol.pack_files import load_packs
from netcode.table.rules_adapter import Rules, RunningGame
from tests.netcode.offline_table import OfflineTable
from tests.netcode.recorded_games import decided
from tui.lessons.adviser import Adviser
from tui.menus.offer_editor import concerns
from tui.menus.windows import Verdict, verdict
from tui.scene.scene import Scene
from tui.scene.situation import bots_wait

SEATS, STEPS = 4, 4_000
"""Seats, and the most steps of a game; none takes half as many."""


@cache
def rules_of(sets: tuple[str, ...]) -> Rules:
    """Return the rules of these sets, loaded once."""
    return Rules(load_packs(list(sets)))


@cache
def values_of(sets: tuple[str, ...]) -> CardValues:
    """Return what bots think of the cards of these sets."""
    return CardValues(rules_of(sets).catalog)


class Moment(Struct, frozen=True):
    """A moment in which a person alone with bots could be asked.

    kind: question (of the rules, or an offer), window, wait (bots wait for a key), free (an act that nobody has asked
    for). action: what the person does; None: goes on. before: whether the earlier rules asked them (these asked
    everywhere except in windows in which they could only pass). found: the verdict on a window. worth: of a window that
    is weighed, whether something in it is worth playing. seconds: of CPU to weigh it.
    """

    kind: str
    scene: Scene
    action: Action | None
    before: bool = True
    found: Verdict = "asked"
    worth: bool = True
    seconds: float = 0.0

    @property
    def asked(self) -> bool:
        """Whether the person is asked."""
        return self.found == "asked" or (self.found == "weighed" and self.worth)


class SoloTable(OfflineTable):
    """A table of one person and three bots."""

    veiled = True

    def __init__(self, number: int, sets: tuple[str, ...]) -> None:
        self.number, self.sets = number, sets
        super().__init__(None, seats=SEATS, bots=SEATS - 1, pace="book", speed="fast", solo=True)

    def deal(self, seats: int, seed: bytes) -> tuple[RunningGame, list[AnyEvent]]:
        return rules_of(self.sets).deal(seats, seed)

    def seed(self, number: int) -> bytes:
        return b"solo%d" % self.number


class SoloGame:
    """A game in progress. seconds: a clock of CPU time."""

    forecasts: bool = False
    """Whether the scenes have forecasts of the person's options."""

    def __init__(self, number: int, sets: tuple[str, ...], wanted: str = "useful",
                 seconds: Callable[[], float] = lambda: 0.0) -> None:  # fmt: skip
        self.wanted, self._seconds = wanted, seconds
        self.table = SoloTable(number, sets)
        self.table.forecasts = self.forecasts
        self.catalog = rules_of(sets).catalog
        (self.person,) = self.table.sit("Ada")
        self.bots = self.table.seat_own_bots()
        self.person.set(waits="touching", speed="fast")
        values = values_of(sets)
        self._brains = {
            one.seat: Brain(self.catalog, "normal", random.Random(f"{number} {one.seat}"), values)
            for one in (self.person, *self.bots)
        }
        self._adviser = Adviser(self.catalog)
        self._happened: list[AnyEvent] = []
        self._heard = 0

    def scene(self) -> Scene:
        """Return the scene of the person's screen."""
        info = self.table.table.info()
        foreseen = tuple(self.person.update.forecasts)
        return Scene(
            self.catalog, info, self.person.view, self.person.seat, timers=self.person.timers, forecasts=foreseen
        )

    def moments(self) -> Iterator[Moment]:
        """Play to the end; yield each moment before the person acts in it."""
        for _ in range(STEPS):
            moment = self._moment()
            if moment is not None:
                yield moment
                self._do(moment)
            elif not self._bots_act():
                self.table.wait(2_000)
            if self.table.table.stage != "playing":
                return
        raise AssertionError(f"game {self.table.number} does not end")

    def _moment(self) -> Moment | None:
        """Return what the person is asked or does now, None if it is for the bots to act."""
        scene, you = self.scene(), self.person.view.you
        if you is None:
            return None
        action = decided(self._brains[self.person.seat], scene.view) if you.legal or you.asks else None
        if you.asks:
            return Moment("question", scene, action) if action is not None else None
        window = scene.view.window
        if window is not None and not window.passed:
            return self._window(scene, action)
        if any(concerns(scene, offer) for offer in scene.view.offers):
            return Moment("question", scene, action)
        if action is not None:
            return Moment("free", scene, action, before=False)
        return Moment("wait", scene, None) if bots_wait(scene) else None

    def _window(self, scene: Scene, action: Action | None) -> Moment:
        found = verdict(scene, self.wanted)
        before = not (scene.you is not None and only_passes(scene.view))
        worth, began = True, self._seconds()
        if found == "weighed":
            veiled = self.person.update.veiled
            worth = not self._adviser.passes(scene.view, veiled, self._events())
        return Moment("window", scene, action, before, found, worth, self._seconds() - began)

    def _events(self) -> list[AnyEvent]:
        """Return the events that the person has seen."""
        for message in self.person.inbox[self._heard :]:
            if isinstance(message, wire.Update):
                self._happened += [told.event for told in message.events]
        self._heard = len(self.person.inbox)
        return self._happened

    def _do(self, moment: Moment) -> None:
        """Let the person act."""
        self.person.session.buckets.clear()
        if moment.action is not None:
            answer = self.person.act(moment.action)
            assert isinstance(answer, wire.Ack), (moment.action, answer)
        else:
            self.person.set(skip=True)

    def _bots_act(self) -> bool:
        """Let the bots act; return whether one has."""
        acted = False
        for bot in self.bots:
            view = bot.view
            if view.you is not None and (view.you.legal or view.you.asks) and self.table.table.stage == "playing":
                action = decided(self._brains[bot.seat], view)
                if action is not None:
                    acted = isinstance(bot.act(action), wire.Ack) or acted
                    bot.session.buckets.clear()
                    bot.session.refused_at.clear()
        if acted:
            self.table.wait(400)
        return acted


def only_passes(view: View) -> bool:
    """Return whether a seat can do nothing in a window that would respond to it."""
    return view.you is not None and all(isinstance(row.action, a.NO_RESPONSE) for row in view.you.legal)
