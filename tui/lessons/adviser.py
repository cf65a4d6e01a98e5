"""What a good player would do: the decision of the best bot, with what a seat sees and knows."""

import random
from collections.abc import Iterable
from typing import NamedTuple

from core.language.catalog import Catalog
from core.state.actions import (
    NO_RESPONSE,
    Action,
    Discard,
    EndTurn,
    Equip,
    Kick,
    Loot,
    Offer,
    Pass,
    Play,
    Sell,
    Trouble,
    Unequip,
    Use,
)  # fmt: skip
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.veiled import Veiled
from core.state.views import View, You
from netcode.bots.brain import Brain
from netcode.bots.card_values import CardValues
from netcode.bots.levels import DEFAULT_LEVEL
from netcode.bots.player import Observation
from netcode.bots.search import Question, Search, Searcher, numbers
from netcode.bots.second_look import look_again, next_act
from netcode.bots.trials import Trials
from tui.lessons.remembered import remembered

WORLDS = 16
"""Imagined games in which a found act is looked at again."""
FOLLOWED = 4
"""Imagined games that show what the seat does next."""
SETTLED = (Discard, Equip, Play, Sell, Unequip, Use)
"""Acts whose outcome the rules may tell beforehand."""
PHASES = (Kick, Loot, EndTurn)
"""What a seat does next that uses nothing."""


class Then(NamedTuple):
    """What is certain to come of an act, by the rules: the Level of the seat, and by how much its strength changes."""

    level: int
    strength: int


class Advice(NamedTuple):
    """What to do, None: nothing. instead: the bot's first choice, if imagined games showed something better; chances:
    those of both to win, from 0 to 1; dies: (a, b): the seat dies this turn in a of b imagined games. then: what is
    certain to come of it, None: that is not known; plan: the next step after it, None: that depends."""

    action: Action | None
    instead: Action | None = None
    chances: tuple[float, float] | None = None
    dies: tuple[int, int] = (0, 0)
    then: Then | None = None
    plan: Action | None = None


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
        rng = random.Random(_position(view))
        player = Searcher(self._catalog, rng, values)
        if view.you is not None:
            player.policy.memory = remembered(view, view.you.seat, happened)
        observation = Observation(view, veiled, hurry=not (patient and _unanswered(view)))
        choice, question = player.consider(observation, numbers().budget)
        if view.you is None or veiled is None:
            return Advice(choice)
        search = Search(self._catalog, values)
        taken = question.found[search.answer(question, numbers().budget).taken] if question is not None else choice
        plays = _plays_first(view.you, veiled, choice, rng) if isinstance(choice, EndTurn) and taken == choice else None
        if plays is not None:
            taken = plays.found[search.answer(plays, numbers().budget).taken]
        looked = self._looked_at(search, view, veiled, (taken, choice), rng)
        return self._explained(search, view, veiled, looked, rng)

    def _looked_at(
        self, search: Search, view: View, veiled: Veiled, acts: tuple[Action | None, Action | None], rng: random.Random
    ) -> Advice:
        """Return what holds in further imagined games: what a search found instead of the bot's choice only if it is
        surely better; an ability that costs cards in the seat's own turn only if it is no worse than going on."""
        taken, choice = acts
        if taken != choice:
            found = look_again(search, veiled, (taken, choice), rng, WORLDS)
            if found is not None and found.sure:
                return Advice(taken, choice, found.chances, (found.died, found.worlds), plan=found.then)
        ahead = _going_on(view) if isinstance(choice, Use) and choice.pay and view.fight is None else None
        if ahead is not None:
            found = look_again(search, veiled, (choice, ahead), rng, WORLDS)
            if found is not None and found.sure:
                return Advice(choice, ahead, found.chances, (found.died, found.worlds))
            if found is not None and found.gain <= 0:
                return Advice(ahead)
        return Advice(choice)

    def _explained(self, search: Search, view: View, veiled: Veiled, advice: Advice, rng: random.Random) -> Advice:
        """Return the advice with what is certain to come of it, and with the next step."""
        action, plan, you = advice.action, advice.plan, view.you
        assert you is not None
        begins = isinstance(action, Trouble) or (view.fight is not None and isinstance(action, Offer | Play | Use))
        if isinstance(action, Discard | Unequip) or (begins and plan is None):
            plan = next_act(search, veiled, action, rng, FOLLOWED)
        mine = {*you.hand, *(placed.card for placed in view.seats[you.seat].table)}
        mine.discard(getattr(action, "card", 0))
        known = plan is not None and getattr(plan, "card", 0) in {0, *mine}
        if begins and isinstance(plan, Equip):
            known = False  # that only tidies up
        return advice._replace(then=self._then(you, veiled, action), plan=plan if known else None)

    def _then(self, you: You, veiled: Veiled, action: Action | None) -> Then | None:
        """Return what the rules say will come of an act outside fights."""
        known = self._values_of_cards().known
        if known is None or not isinstance(action, SETTLED):
            return None
        trials = Trials(known, veiled, self._values_of_cards().carried, you.legal)
        now, then = trials.now(), trials.after(action)
        if now is None or then is None or now.fights or then.fights:
            return None
        level = then.levels[you.seat]
        return Then(level, then.gear - now.gear + level - now.levels[you.seat])

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


def _position(view: View) -> str:
    """Return a seed for the position: the same as long as nothing happens that matters to the seat."""
    fight, you = view.fight, view.you
    stands = (fight.no, fight.heroes, fight.foes, fight.stage) if fight is not None else ()
    asked = [(ask.kind, ask.options) for ask in you.asks] if you is not None else []
    held = you.hand if you is not None else []
    return f"{view.turn_no} {view.phase} {stands} {asked} {held} {[seat.level for seat in view.seats]}"


def _plays_first(you: You, veiled: Veiled, choice: EndTurn, rng: random.Random) -> Question | None:
    """Return the question whether to play something before the end of the turn; None if nothing can be played."""
    plays = [row.action for row in you.legal if isinstance(row.action, Play | Equip) and not row.pick and not row.vain]
    found = rng.sample(plays, min(len(plays), numbers().candidates_most - 1))
    return Question(veiled, (choice, *found), rng.getrandbits(62)) if found else None


def _going_on(view: View) -> Action | None:
    """Return what a seat may do next that uses nothing: the next step of its own turn, or to pass."""
    rows = view.you.legal if view.you is not None else []
    return next((row.action for row in rows if isinstance(row.action, (*PHASES, Pass))), None)


def _unanswered(view: View) -> bool:
    """Return whether an offer of this seat to another one waits for its answer: a good player does not give up before
    it comes."""
    me = view.you.seat if view.you is not None else -1
    return any(offer.frm == me and offer.to >= 0 for offer in view.offers)
