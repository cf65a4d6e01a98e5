"""Whole games in which a person alone with three bots follows every hint: each hint with its scene, as it was given."""

from collections.abc import Iterator

from msgspec import Struct

from core.state.actions import Action, Pass
from core.state.events import AnyEvent
from core.state.model import State
from core.state.veiled import Veiled
from core.state.views import View
from netcode.protocol import wire
from tests.tui.solo_games import STEPS, SoloGame
from tui.lessons.adviser import Advice
from tui.menus.hint import hint_words
from tui.menus.offer_editor import concerns
from tui.menus.windows import verdict
from tui.scene.scene import Scene
from tui.scene.situation import bots_wait


class Hint(Struct, frozen=True):
    """A hint. number: from 1 in its game; words: as the person reads them; veiled: what the seat knows; events:
    those that it has seen."""

    number: int
    scene: Scene
    veiled: Veiled
    advice: Advice
    words: str
    events: tuple[AnyEvent, ...]

    @property
    def view(self) -> View:
        """The view on which it was given."""
        return self.scene.view


class HintedGame(SoloGame):
    """A game in which the person asks for a hint wherever they are asked for something, and does what it says."""

    forecasts = True
    _given, _waited_at = 0, -1

    @property
    def state(self) -> State:
        """The true state of the game: for a judge, never for a hint."""
        assert self.table.table.match is not None
        return self.table.table.match.game.state  # type: ignore[attr-defined]

    @property
    def won(self) -> bool:
        """Whether the person has won."""
        return self.person.seat in self.state.winners

    def hints(self) -> Iterator[Hint]:
        """Play to the end; yield each hint before it is followed."""
        for _ in range(STEPS):
            scene = self.scene()
            if self._is_asked(scene):
                hint = self._hint(scene)
                yield hint
                self._follow(hint.advice.action)
            elif scene.view.window is not None and not scene.view.window.passed:
                self._follow(Pass(scene.view.window.id))
            elif bots_wait(scene):
                self._follow(None)
            elif not self._bots_act():
                self.table.wait(2_000)
            if self.table.table.stage != "playing":
                return
        raise AssertionError(f"game {self.table.number} does not end")

    def _is_asked(self, scene: Scene) -> bool:
        """Return whether the person is asked for something that they may do."""
        you, window = scene.you, scene.view.window
        if you is None or not you.legal:
            return False
        if you.asks:
            return True
        if window is not None and not window.passed:
            found = verdict(scene, self.wanted)
            return found == "asked" or (found == "weighed" and not self._passes(scene))
        return any(concerns(scene, offer) for offer in scene.view.offers)

    def _passes(self, scene: Scene) -> bool:
        return self._adviser.passes(scene.view, self.person.update.veiled, self._events())

    def _hint(self, scene: Scene) -> Hint:
        """Ask for a hint; if it said to wait, and nothing has happened since, ask for what to do without waiting."""
        self._given += 1
        veiled, seen = self.person.update.veiled, tuple(self._events())
        assert veiled is not None
        advice = self._adviser.advice(scene.view, veiled, seen, patient=scene.view.rev != self._waited_at)
        self._waited_at = scene.view.rev if advice.action is None else self._waited_at
        return Hint(self._given, scene, veiled, advice, hint_words(scene, advice), seen)

    def _follow(self, action: Action | None) -> None:
        """Do what the hint says; go on if it says nothing."""
        self.person.session.buckets.clear()
        if action is None:
            self.person.set(skip=True)
            self.table.wait(2_000)
            self._bots_act()
            return
        answer = self.person.act(action)
        assert isinstance(answer, wire.Ack), (action, answer)
