"""A built-in bot's decision: from a seat's view to its next action. It knows what a player at the screen knows.

    brain = Brain(catalog, "normal", random.Random(7))
    action = brain.decide(Observation(view))          # None: nothing it wants or may do now

Each other module of this package holds one part of the decision: levels (their names), tuning (all numbers),
card_values, effect_values and points (cards, effects and modifiers in points), reading (reading the view), memory
(what is kept between decisions), personalities, reputation, alliances and bluffing (character), combat, combat_moves,
bargaining, own_turn (everything outside combat), trading, gear, answers (asks with options), dice, picks (completing
legal rows). player.py says what a player is, lazy_observation.py shows it a game that is played in this process.
"""

import random
from collections.abc import Mapping, Sequence
from functools import partial

from core.language.catalog import Catalog
from core.state.actions import Action, Answer, Discard, Equip, Give, Hold, Legal, Offer, Pass, Unequip, Use, Withdraw
from core.state.events import AnyEvent
from core.state.model import Ask
from core.state.views import View, You
from netcode.bots.answers import Answers
from netcode.bots.bargaining import Bargaining
from netcode.bots.bluffing import holds
from netcode.bots.card_values import CardValues
from netcode.bots.character import leanings_of, style_of
from netcode.bots.combat import CombatPlanner
from netcode.bots.levels import LEVEL_NAMES, level_named
from netcode.bots.memory import Memory
from netcode.bots.own_turn import OwnTurn
from netcode.bots.personalities import Personality
from netcode.bots.picks import at_random
from netcode.bots.player import Observation, Player
from netcode.bots.reading import NO_REGARD, Reading
from netcode.bots.reputation import Earlier, Reputation
from netcode.bots.trials import Trials
from netcode.bots.tuning import TUNING, Style

DEFERRABLE = frozenset((Hold, Equip, Unequip, Discard, Give, Offer, Withdraw))
"""Actions that a bot never takes while a window is open, because they can wait."""
OWN_TURN_ASKS = ("ready", "kick", "trouble", "end")
"""Asks of one's own turn, outside combat."""


class Brain(Player):
    """The player of one seat. Give several brains of one catalog the same `values` to share the tables. personality:
    shifts its decisions; None: it has none.

    Raises ValueError for an unknown level."""

    def __init__(
        self, catalog: Catalog, level: str, rng: random.Random, values: CardValues | None = None,
        personality: Personality | None = None,
    ) -> None:  # fmt: skip
        name = level_named(level, LEVEL_NAMES).style
        style = TUNING.style[name] if name is not None else None
        self.style = style_of(personality, style) if personality is not None and style is not None else style
        """None: it takes legal actions at random."""
        self.personality = personality
        self.wants_events = personality is not None
        self._earlier: Earlier = {}
        self._untold: list[AnyEvent] = []
        """Events from before it knew its seat."""
        self.rng = rng
        self.values = values if values is not None else CardValues(catalog)
        self.memory = Memory(leanings=leanings_of(personality))

    def decide(self, observation: Observation, budget: int = 0) -> Action | None:
        """Return what this bot does now, None for nothing. It spends no rollouts."""
        self.memory.waiting = False
        self.memory.patient = observation.patient
        claim = observation.claim() if self.style is not None else None
        if claim is not None:  # a won fight is claimed at once
            return claim
        you = observation.you
        if you is None or not you.legal:
            return None
        if self.style is None:
            return self._random_action(you)
        bluff = self._bluff(observation, you, self.personality) if self.personality is not None else None
        return bluff or _only_pass(you.legal) or self._think(observation.view, you, observation, self.style)

    @property
    def waiting(self) -> bool:
        """See Player."""
        return self.memory.waiting

    # ------------------------------------------------------------------------------------------- character
    def observe(self, events: Sequence[AnyEvent]) -> None:
        """See Player: remember who has hurt or helped it, if it minds."""
        if self.memory.reputation is not None:
            self.memory.reputation.note(events)
        elif self.personality is not None:
            self._untold += events

    def recall(self, earlier: Earlier) -> None:
        """Begin a game with what is left of the deeds of other seats in earlier games."""
        left = TUNING.reputation.next_game
        self._earlier = {seat: (left * hurt, left * helped) for seat, (hurt, helped) in earlier.items()}

    def deeds(self) -> Earlier:
        """Return the deeds of other seats towards it, earlier games included."""
        reputation = self.memory.reputation
        if reputation is None:
            return self._earlier
        seats = sorted({*reputation.hurt, *reputation.helped})
        return {seat: (reputation.hurt.get(seat, 0.0), reputation.helped.get(seat, 0.0)) for seat in seats}

    def _bluff(self, observation: Observation, you: You, personality: Personality) -> Action | None:
        """Hold the open window as a bluff; None if it does not bluff."""
        if self.memory.reputation is None:
            self.memory.reputation = Reputation(you.seat, self.values, self._earlier)
            self.memory.reputation.note(self._untold)
            self._untold.clear()
        rows = [row.action for row in you.legal if isinstance(row.action, Hold)]
        held = bool(rows) and holds(
            observation.view, you.seat, personality.id, self.memory.leanings, self.memory.reputation, self.values
        )
        return rows[0] if held else None

    @property
    def _regard(self) -> Mapping[int, float]:
        """The factors for the weight of seats that have hurt or helped it."""
        reputation, personality =self.memory.reputation, self.personality
        return reputation.regard(personality) if reputation is not None and personality is not None else NO_REGARD

    # ---------------------------------------------------------------------------------------------- random
    def _random_action(self, you: You) -> Action | None:
        urgent = bool(you.asks) or any(isinstance(row.action, Pass) for row in you.legal)
        if not urgent and self.rng.random() < TUNING.random.idle:
            return None
        return at_random(you.legal[int(self.rng.random() * len(you.legal))], self.rng)

    # -------------------------------------------------------------------------------------------- thinking
    def _think(self, view: View, you: You, observation: Observation, style: Style) -> Action | None:
        memory, fight = self.memory, view.fight
        memory.start_decision(view.turn_no, fight.no if fight is not None else -1)
        trials = partial(_trials, observation, self.values)
        obs = Reading(view, you, self.values, self._regard if memory.reputation is not None else NO_REGARD, trials)
        if memory.reputation is not None:
            obs.moods = memory.reputation.moods(memory.leanings, view)
        own_turn = OwnTurn(obs, style, memory)
        ask = self._open_ask(obs) if you.asks else None
        if ask is not None:
            return Answers(obs, own_turn, self.rng).answer(ask)
        bargains = Bargaining(obs, style, memory, own_turn)
        combat = CombatPlanner(obs, fight, style, memory, bargains) if fight is not None else None
        reply = bargains.answer_offers(partial(_can_win, combat)) if view.offers else None
        if reply is not None:
            return reply
        if combat is not None:
            act = own_turn.play_benefit() if obs.me == combat.fight.helper else None
            if act is None and style.abilities and obs.fighting and obs.rows(Use):
                act = own_turn.ability()
            act = act or self._combat(combat, obs, observation.hurry)
            if act is not None and combat.is_left_to_the_holder and not observation.hurry:
                return None
            if act is not None or obs.fighting:
                return act or self._pass(obs)
        if not obs.ask_kinds.isdisjoint(OWN_TURN_ASKS):
            return self._own_turn(own_turn, bargains, observation.hurry)
        return own_turn.improve() or self._pass(obs)

    def _combat(self, combat: CombatPlanner, obs: Reading, hurry: bool) -> Action | None:
        if "fight" in obs.ask_kinds:
            return combat.fighter(hurry)
        if combat.fight.stage == "lost":
            return combat.run_away()
        if obs.me == combat.fight.helper:
            return combat.helper()
        return combat.fortify() if obs.me == combat.fight.seat else combat.interfere()

    def _own_turn(self, own_turn: OwnTurn, bargains: Bargaining, hurry: bool) -> Action | None:
        rushes = self.memory.leanings.rushes and "kick" in own_turn.obs.ask_kinds
        act = None if rushes else own_turn.improve() or bargains.offer_trade() or bargains.offer_gift()
        if act is None and not hurry and bargains.awaiting_answer():
            bargains.wait()
            return None
        if act is None and "end" in own_turn.obs.ask_kinds:
            act = own_turn.play_before_charity()
        return act or own_turn.next_phase()

    @staticmethod
    def _open_ask(obs: Reading) -> Ask | None:
        """Return the ask with options that waits for this seat's answer now."""
        if not obs.rows(Answer):
            return None
        answerable = {row.action.ask for row in obs.rows(Answer) if isinstance(row.action, Answer)}
        return next((ask for ask in obs.you.asks if ask.id in answerable), None)

    @staticmethod
    def _pass(obs: Reading) -> Action | None:
        rows = obs.rows(Pass)
        return rows[0].action if rows else None


def _only_pass(rows: list[Legal]) -> Action | None:
    """Return a pass if a window is open and all other legal actions can wait. Most decisions end here."""
    found = None
    for row in rows:
        kind = type(row.action)
        if kind is Pass:
            found = row.action
        elif kind not in DEFERRABLE:
            return None
    return found


def _can_win(combat: CombatPlanner | None) -> bool:
    return combat is not None and combat.can_win


def _trials(observation: Observation, values: CardValues) -> Trials | None:
    """Return trials of a seat's actions; None if its knowledge is not available as a state. They hold no reference to
    the bot, because the bot keeps them and garbage collection of cycles is off during games."""
    known = values.known
    veiled = observation.veiled or observation.ask()
    if veiled is None or known is None:
        return None
    you = observation.you
    return Trials(known, veiled, values.carried, you.legal if you is not None else ())
