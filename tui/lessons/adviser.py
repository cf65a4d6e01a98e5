"""What a good player would do: the decision of the best bot, with what a seat sees and knows."""

import random
from collections.abc import Iterable
from typing import NamedTuple

from core.language.catalog import Catalog
from core.state.actions import NO_RESPONSE, Action, Pass, Play
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.veiled import Veiled
from core.state.views import View
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.bots.player import Observation
from netcode.bots.search import Search, Searcher, numbers
from tui.lessons.remembered import remembered


class Advice(NamedTuple):
    """What to do, None: nothing. instead: the bot's first choice, if a search in imagined games found something better;
    chances: those of both to win the game, from 0 to 1."""

    action: Action | None
    instead: Action | None = None
    chances: tuple[float, float] | None = None


class Adviser:
    """Advises one seat. It knows what that seat knows and has seen; no hint changes a later one."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._values: CardValues | None = None

    def advice(
        self, view: View, veiled: Veiled | None = None, happened: Iterable[AnyEvent] = (), patient: bool = True
    ) -> Advice:
        """Return what to do now. veiled: what the seat knows of the game as a state; without it no action is tried out.
        happened: the events of this game that the seat has seen. patient: wait for answers to offers of the seat, which
        a person may never give. Takes a tenth of a second, the first time more: call it in a thread."""
        values = self._values_of_cards()
        player = Searcher(self._catalog, random.Random(view.rev), values)
        if view.you is not None:
            player.policy.memory = remembered(view, view.you.seat, happened)
        observation = Observation(view, veiled, hurry=not (patient and _unanswered(view)))
        choice, question = player.consider(observation, numbers().budget)
        if question is None:
            return Advice(choice)
        verdict = Search(self._catalog, values).answer(question, numbers().budget)
        if not verdict.taken:
            return Advice(choice)
        return Advice(question.found[verdict.taken], choice, (verdict.chances[verdict.taken], verdict.chances[0]))

    def passes(self, view: View, veiled: Veiled | None = None, happened: Iterable[AnyEvent] = ()) -> bool:
        """Return whether passing is the only sensible response in the open window: a bot of the usual level would pass,
        and the hint would pass too, or do something that can wait. Arguments and time are those of `advice`; mostly the
        bot alone decides."""
        if view.you is None:
            return False
        seen = tuple(happened)
        usual = Brain(self._catalog, DEFAULT_LEVEL, random.Random(view.rev), self._values_of_cards())
        usual.memory = remembered(view, view.you.seat, seen)
        if not isinstance(usual.decide(Observation(view, veiled)), Pass):
            return False
        return self._can_wait(view, view.you.seat, self.advice(view, veiled, seen).action)

    def _can_wait(self, view: View, me: int, action: Action | None) -> bool:
        """Return whether an action does not bear on the open window: it responds to no window, or lays out an Item
        while somebody else fights or opens a door."""
        if isinstance(action, NO_RESPONSE):
            return True
        if not isinstance(action, Play) or (view.fight is not None and me in (view.fight.seat, view.fight.helper)):
            return False
        return self._catalog.cards[defn_of(action.card)].gear

    def _values_of_cards(self) -> CardValues:
        if self._values is None:
            self._values = CardValues(self._catalog)
        return self._values


def _unanswered(view: View) -> bool:
    """Return whether an offer of this seat to another one waits for its answer: a good player does not give up before
    it comes."""
    me = view.you.seat if view.you is not None else -1
    return any(offer.frm == me and offer.to >= 0 for offer in view.offers)
