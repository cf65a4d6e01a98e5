"""What a bot does about a combat: win its own, get out of it cheaply, or spoil a rival's."""

import random

from core.state.actions import Action, Claim, Flee, Play, Roll, Use
from core.view import FightView
from netcode.bots.bargaining import Bargains
from netcode.bots.combat_moves import Arms, Move, plan
from netcode.bots.lazy import Once
from netcode.bots.levels import Memory, Style
from netcode.bots.observation import WIN, Sight
from netcode.bots.threats import Threat

LAST_GUARD = 4.0
"""Points that the last card which could stop a winner is worth beyond its own."""


class Battle:
    """One decision about the combat now on."""

    def __init__(
        self, sight: Sight, fight: FightView, style: Style, memory: Memory, bargains: Bargains, rng: random.Random
    ) -> None:
        self.sight = sight
        self.fight = fight
        self.style = style
        self.memory = memory
        self.bargains = bargains
        self.rng = rng

    @Once
    def threat(self) -> Threat:
        """What rivals may still throw in."""
        return Threat(self.sight, self.rng)

    @Once
    def moves(self) -> list[Move]:
        """All that bears on the fight: a hero is asked again and again while nothing changes but offers."""
        sight, memory = self.sight, self.memory
        if not sight.hero:
            return Arms(sight, self.fight).moves()
        seen = (self.fight, sight.view.seats, sight.rows(Play), sight.rows(Use))
        if seen != memory.seen:
            memory.seen, memory.moves, memory.steps = seen, Arms(sight, self.fight).moves(), None
        return memory.moves

    @Once
    def _steps(self) -> list[Move]:
        """The cheapest moves that win the fight, which is my own."""
        moves, memory = self.moves, self.memory
        if memory.steps is None:
            memory.steps = plan(moves, self.sight.short, hostile=False)
        return memory.steps

    # ------------------------------------------------------------------------------------------ own fight
    def fighter(self, hurry: bool) -> Action | None:
        """The main fighter's choice: claim, strengthen, ask for help, wait for an answer, or give up."""
        if self.fight.winning:
            return self._secure() or self._row(Claim)
        alone, helped, flee = self._alone(), self._helped(), -self.sight.bad(self.sight.me)
        steps = self._steps
        if helped > max(alone if steps else flee, flee):
            ask = self.bargains.ask()
            if ask is not None:
                return ask
        if self.bargains.waiting() and not hurry:
            self.memory.waits += 1
            self.memory.waiting = True
            return None
        if steps and alone > flee:
            return steps[0].action
        return self._compel() or self._way_out() or self._row(Flee) or self._row(Claim)

    def _alone(self) -> float:
        """Points of winning with my own cards (the promise of them: rivals may answer)."""
        steps = self._steps
        cost = sum(move.price for move in steps)
        prize = self.sight.prize(self.sight.me) * self._chance(sum(move.swing for move in steps) - self.sight.short)
        return prize - self.style.spends * cost

    def _chance(self, spare: float) -> float:
        return self.threat.stands(spare) if self.style.weighs else (0.6 if self.fight.match_point else 0.9)

    def _helped(self) -> float:
        """Points of winning with a helper who takes the most I would give; minus infinity if nobody would."""
        if self.fight.winning or not self.bargains.helpable():
            return -WIN
        return self.sight.prize(self.sight.me) * 0.8 - self.style.treasure * self.bargains.most()

    def _secure(self) -> Action | None:
        """Winning already: a bot that reckons with others makes an easy prey richer before it claims it."""
        if not self.style.weighs or self.fight.match_point or self.fight.helper >= 0:
            return None
        for move in self.moves:
            lead = self.sight.spare + move.swing
            pays = move.swing < 0 and self.style.treasure * move.treasures > move.price + 1.0
            if pays and lead > 0 and self.threat.stands(lead - 1.0) > 0.9:
                return move.action
        return None

    def _compel(self) -> Action | None:
        """Somebody may be made to help: worth it for a kill that gives something."""
        for move in self.moves:
            if move.compels and self._strongest() >= self.sight.short and move.price < self.sight.prize(self.sight.me):
                return move.action
        return None

    def _way_out(self) -> Action | None:
        """Lost as things stand: the cheapest card that takes me out of it, if that spares me more than it costs."""
        out = [move for move in self.moves if move.ends > 0 and move.swing <= 0]
        best = min(out, key=lambda move: move.price / move.ends, default=None)
        spared = 0.8 * self.sight.bad(self.sight.me)
        return best.action if best is not None and best.price < spared * best.ends else None

    def _strongest(self) -> float:
        return max((rival.strength for rival in self.sight.rivals), default=0)

    def helper(self) -> Action | None:
        """Helping and losing: add what it takes, if the share is worth it."""
        if self.fight.winning:
            return None
        steps = self._steps
        gain = self.sight.prize(self.sight.me) + self.sight.bad(self.sight.me)
        if steps and sum(move.price for move in steps) < gain and not self.fight.match_point:
            return steps[0].action
        return None

    # ------------------------------------------------------------------------------------------- running
    def run(self) -> Action | None:
        """Running away: a sure escape if the Bad Stuff is dear, else the roll, the worst monster first."""
        rolls = [row.action for row in self.sight.rows(Roll) if isinstance(row.action, Roll)]
        sure = min((move for move in self.moves if move.ends > 0), key=lambda move: move.price, default=None)
        if sure is not None and sure.price < self.sight.bad(self.sight.me) * 0.8:
            return sure.action
        if not rolls:
            return None
        return max(rolls, key=lambda roll: self._dread(roll.monster))

    def _dread(self, monster: int) -> float:
        """The deadly first: who is dead need not run from the rest."""
        value = self.sight.value(monster)
        for entry in self.fight.monsters:
            if entry.id == monster:
                value = self.sight.worth.of[entry.defn]
        return (1000.0 if value.deadly else 0.0) + value.bad

    # -------------------------------------------------------------------------------------- interfering
    def spoil(self) -> Action | None:
        """A rival is about to win: stop it if that is worth the cards, at match point at any price."""
        if not self.fight.winning or not self.style.guards:
            return None
        if not self.fight.match_point and not self.style.interferes:
            return None
        hostile = [move for move in self.moves if move.swing < 0]
        steps = plan(hostile, self.sight.spare, hostile=True)
        if self.fight.match_point:
            return self._guard(steps, hostile)
        if not hostile:
            return None
        if not steps:
            return None
        cost = sum(move.price for move in steps) * self.style.interferes
        if len(hostile) <= len(steps):
            cost += LAST_GUARD
        return steps[0].action if self._harm() > cost else None

    def _guard(self, steps: list[Move], hostile: list[Move]) -> Action | None:
        """Match point: the set that turns the fight, or else the strongest card, so that others may add theirs."""
        if steps:
            return steps[0].action
        deny = min((move for move in self.moves if move.denies), key=lambda move: move.price, default=None)
        if deny is not None:
            return deny.action
        best = min(hostile, key=lambda move: move.swing, default=None)
        if best is None or not self._others_could(self.sight.spare + best.swing):
            return None
        return best.action

    def _others_could(self, missing: float) -> bool:
        """May the other rivals between them still hold what is missing?"""
        cards = sum(seat.hand for seat in self.sight.rivals if seat.seat not in (self.fight.seat, self.fight.helper))
        return missing <= 2.5 * cards

    def _harm(self) -> float:
        """Points by which the fighter's (and its helper's) loss of this fight is my gain."""
        fighter, helper = self.fight.seat, self.fight.helper
        out = self.sight.weight(fighter) * (self.sight.prize(fighter) + self.sight.bad(fighter))
        if helper >= 0 and helper != self.sight.me:
            out += self.sight.weight(helper) * (self.sight.prize(helper) + self.sight.bad(helper))
        near = self.fight.win_level >= self.sight.view.win_level - 2
        return out if near or fighter == self.sight.leader else out * 0.6

    def _row(self, kind: type) -> Action | None:
        return next((row.action for row in self.sight.rows(kind)), None)
