"""A bot's mind: from its view to its next action. It knows nothing but the view, like a player at the screen.

    brain = Brain(catalog, "normal", random.Random(7))
    action = brain.decide(view)          # None: nothing it wants or may do now

The kinds of thinking live beside this file: brain_worth (cards in points), brain_sight (reading the table), brain_fight
and brain_battle (combat), brain_table (bargains), brain_turn (own affairs), brain_wardrobe (gear), brain_choose (asks),
brain_threat (what others may hold), brain_style (what makes the levels differ, what is remembered).
"""

import random
from typing import TYPE_CHECKING, Literal

from core.state.actions import Action, Answer, Discard, Equip, Give, Hold, Legal, Offer, Pass, Unequip, Withdraw
from core.state.model import Ask
from core.view import View, You
from netcode.bots.answers import Choices
from netcode.bots.bargaining import Bargains
from netcode.bots.card_values import Worth
from netcode.bots.combat import Battle
from netcode.bots.levels import STYLES, Memory
from netcode.bots.observation import Sight
from netcode.bots.own_turn import Affairs
from netcode.bots.picks import at_random

if TYPE_CHECKING:
    from core.language.catalog import Catalog

Level = Literal["random", "easy", "normal", "hard"]
LEVELS: tuple[Level, ...] = ("random", "easy", "normal", "hard")
IDLE = 0.7
"""How often a random bot lets a moment pass in which nobody waits for it."""
DULL = frozenset((Hold, Equip, Unequip, Discard, Give, Offer, Withdraw))
"""What a bot never does while a window is open: it can wait."""
OWN = ("ready", "kick", "trouble", "end")
"""Asks of one's own turn, outside combat."""


class Brain:
    """One seat's player. Give several brains of one catalog the same `worth` to share the tables."""

    def __init__(self, catalog: "Catalog", level: Level, rng: random.Random, worth: Worth | None = None) -> None:
        if level not in LEVELS:
            raise ValueError(f"no such level of bot: {level!r} (one of {', '.join(LEVELS)})")
        self.level = level
        self.rng = rng
        self.worth = worth if worth is not None else Worth(catalog)
        self.memory = Memory()

    def decide(self, view: View, hurry: bool = False) -> Action | None:
        """What this bot does now, None for nothing. hurry: wait no longer for answers to offers (see waiting)."""
        you = view.you
        self.memory.waiting = False
        if you is None or not you.legal or view.winners:
            return None
        if self.level == "random":
            return self._at_random(you)
        return self._passing(you.legal) or self._think(view, you, hurry)

    @property
    def waiting(self) -> bool:
        """The last decision was to wait for an answer to an offer: whoever runs this bot ends the wait by `hurry`."""
        return self.memory.waiting

    # ---------------------------------------------------------------------------------------------- random
    def _at_random(self, you: You) -> Action | None:
        urgent = bool(you.asks) or any(isinstance(row.action, Pass) for row in you.legal)
        if not urgent and self.rng.random() < IDLE:
            return None
        return at_random(you.legal[int(self.rng.random() * len(you.legal))], self.rng)

    # -------------------------------------------------------------------------------------------- thinking
    @staticmethod
    def _passing(rows: list[Legal]) -> Action | None:
        """The early exit: a window is open, and beside passing nothing is possible that could be wanted in it."""
        found = None
        for row in rows:
            kind = type(row.action)
            if kind is Pass:
                found = row.action
            elif kind not in DULL:
                return None
        return found

    def _think(self, view: View, you: You, hurry: bool) -> Action | None:
        self.memory.look(view.turn_no, view.fight.no if view.fight is not None else -1)
        style = STYLES[self.level]
        sight = Sight(view, you, self.worth)
        affairs = Affairs(sight, style, self.memory)
        bargains = Bargains(sight, style, self.memory, affairs.hold)
        ask = self._choice(sight)
        if ask is not None:
            return Choices(sight, affairs, self.rng).answer(ask)
        reply = bargains.answer()
        if reply is not None:
            return reply
        if view.fight is not None:
            battle = Battle(sight, view.fight, style, self.memory, bargains, self.rng)
            act = affairs.level() if sight.me == view.fight.helper else None
            act = act or self._combat(battle, sight, hurry)
            if act is not None or sight.hero:
                return act or self._pass(sight)
        if not sight.asked.isdisjoint(OWN):
            return self._own_turn(affairs, bargains, hurry)
        return self._aside(affairs) or self._pass(sight)

    def _combat(self, battle: Battle, sight: Sight, hurry: bool) -> Action | None:
        if "fight" in sight.asked:
            return battle.fighter(hurry)
        if battle.fight.stage == "lost":
            return battle.run()
        if sight.me == battle.fight.helper:
            return battle.helper()
        return battle.spoil() or battle.bargains.volunteer()

    def _own_turn(self, affairs: Affairs, bargains: Bargains, hurry: bool) -> Action | None:
        act = affairs.improve()
        if act is None and "end" in affairs.sight.asked:
            act = affairs.dump()
        return act or affairs.phase()

    def _aside(self, affairs: Affairs) -> Action | None:
        """Somebody else's turn: one's own affairs as far as they go."""
        return affairs.improve()

    @staticmethod
    def _choice(sight: Sight) -> Ask | None:
        """An ask with options that waits for an answer now."""
        if not sight.rows(Answer):
            return None
        live = {row.action.ask for row in sight.rows(Answer) if isinstance(row.action, Answer)}
        return next((ask for ask in sight.you.asks if ask.id in live), None)

    @staticmethod
    def _pass(sight: Sight) -> Action | None:
        rows = sight.rows(Pass)
        return rows[0].action if rows else None
