"""Decide about a combat: win one's own, escape cheaply, or stop a rival from winning."""

from core.state.actions import Action, Claim, Flee, Play, Roll, Use
from core.state.model import DEFN_MASK
from core.state.views import FightView
from netcode.bots.bargaining import Bargaining
from netcode.bots.combat_moves import CombatMoves, Move, plan
from netcode.bots.memory import Memory
from netcode.bots.points import WIN
from netcode.bots.reading import NEAR, Reading, lazy_property
from netcode.bots.threats import threat
from netcode.bots.tuning import TUNING, Style

_COMBAT = TUNING.combat


class CombatPlanner:
    """One decision about the combat that is on."""

    def __init__(self, obs: Reading, fight: FightView, style: Style, memory: Memory, bargains: Bargaining) -> None:
        self.obs = obs
        self.fight = fight
        self.style = style
        self.memory = memory
        self.bargains = bargains

    @lazy_property
    def moves(self) -> list[Move]:
        """All my moves that change the fight. They are cached, because a fighter is asked again whenever offers
        change."""
        obs, memory = self.obs, self.memory
        if not obs.fighting and not self.fight.match_point:
            return CombatMoves(obs, self.fight).moves()
        key = (self.fight, obs.view.seats, obs.rows(Play), obs.rows(Use))
        if key != memory.moves_key:
            memory.moves_key, memory.moves, memory.winning_moves = key, CombatMoves(obs, self.fight).moves(), None
        return memory.moves

    @lazy_property
    def _winning_moves(self) -> list[Move]:
        """The cheapest moves that win my fight; empty if nothing wins it."""
        moves, memory = self.moves, self.memory
        if memory.winning_moves is None:
            memory.winning_moves = self._plan(moves, self.obs.strength_missing, hostile=False)
        return memory.winning_moves

    def _plan(self, moves: list[Move], need: float, hostile: bool) -> list[Move]:
        """Return `plan` of these moves after asking the rules about each move in it. At match point, ask about every
        move that may do harm before giving up."""
        thrifty = hostile and self.fight.match_point
        while True:
            chosen = plan(moves, need, hostile, thrifty)
            asked = chosen or ([move for move in moves if move.swing <= 0] if thrifty else [])
            unsure = [move for move in asked if not move.known]
            if not unsure:
                return chosen
            self._check(unsure[0], need, hostile)

    def _check(self, move: Move, need: float, hostile: bool) -> None:
        """Set the swing of a move by the rules, if they can tell."""
        if move.known:
            return
        move.known = True
        if self._as_printed(move.action):
            return
        then = self.obs.after(move.action)
        if then is None or not then.fights:
            return
        move.swing = float(then.lead - (self.fight.heroes - self.fight.foes))
        stands = then.match_point if self.fight.match_point else then.winning
        if hostile:
            move.swing = max(move.swing, _COMBAT.edge - need) if stands else min(move.swing, -need)
        else:
            move.swing = max(move.swing, need) if stands else min(move.swing, need - _COMBAT.edge)

    def _as_printed(self, action: Action) -> bool:
        """Return whether a card or an ability adds exactly its printed number, so that the rules need not be asked:
        nothing in the fight changes the number or depends on its source."""
        assert isinstance(action, Play | Use)
        value, hand = self.obs.value(action.card), self.obs.you.hand
        if isinstance(action, Play):
            sure = value.as_printed and not action.brought and (action.card in hand or not self.obs.fighting)
        else:
            sure = value.abilities_as_printed[action.ability] and set(hand).issuperset(action.pay)
        return sure and self._undisturbed

    @lazy_property
    def _undisturbed(self) -> bool:
        """Whether no visible card changes the strength that other cards add to the fight (CardValues.meddling)."""
        view, fight = self.obs.view, self.fight
        there = [placed.card & DEFN_MASK for seat in view.seats for placed in seat.table]
        there += [lasting.defn for seat in view.seats for lasting in seat.lasting]
        there += [monster.defn for monster in fight.monsters] + [joined.card & DEFN_MASK for joined in fight.cards]
        return self.obs.values.meddling.isdisjoint([*there, *view.seals_open])

    @property
    def _bad_stuff_points(self) -> float:
        """What I expect losing the fight to cost me."""
        return self.style.fear * self.obs.bad_stuff_points(self.obs.me)

    @property
    def can_win(self) -> bool:
        """Whether I win my fight alone, as it stands or with my cards."""
        return self.fight.winning or bool(self._winning_moves)

    # ------------------------------------------------------------------------------------------ own fight
    def fighter(self, hurry: bool) -> Action | None:
        """Decide as the main fighter: claim, play cards, ask for help, wait for an answer, or give up.

        hurry: do not wait for answers to offers. Returns None to wait (memory.waiting)."""
        if self.fight.winning:
            return self._first(Claim)
        alone, helped, flee = self._points_alone(), self._points_helped(), -self._bad_stuff_points
        moves = self._winning_moves
        if helped > max(alone - self.memory.leanings.company if moves else flee, flee):
            price = self.style.treasure * self.bargains.highest_price()
            offer = self._compel_helper(most=price) or self.bargains.ask_for_help()
            if offer is not None:
                return offer
        if self.bargains.awaiting_answer() and not hurry:
            self.bargains.wait()
            return None
        if moves and alone > flee:
            return moves[0].action
        gift = self.bargains.offer_an_item() if self._points_of_help > flee else None
        last = gift or self._compel_helper() or self._gamble() or self._way_out()
        return last or self._first(Flee) or self._first(Claim)

    def _points_alone(self) -> float:
        """Return the points of winning with my own cards; rivals may answer."""
        moves = self._winning_moves
        cost = sum(move.cost for move in moves)
        chance = _COMBAT.alone_match_point if self.fight.match_point else _COMBAT.alone
        return self.obs.prize(self.obs.me) * chance - self.style.card_cost * cost

    def _points_helped(self) -> float:
        """Return the points of winning with a helper at my highest price; -WIN if there is nobody to ask."""
        return self._points_of_help if not self.fight.winning and self.bargains.can_ask_for_help() else -WIN

    @property
    def _points_of_help(self) -> float:
        price = self.style.treasure * self.bargains.highest_price()
        return self.obs.prize(self.obs.me) * _COMBAT.helped - price

    def _compel_helper(self, most: float = WIN) -> Action | None:
        """Compel somebody to help if that wins a fight worth the cost. most: points that it may cost."""
        strongest = max((rival.strength for rival in self.obs.rivals), default=0)
        if strongest < self.obs.strength_missing:
            return None
        ways = [move for move in self.moves if move.compels and move.cost < min(most, self.obs.prize(self.obs.me))]
        best = min(ways, key=lambda move: move.cost, default=None)
        return best.action if best is not None else None

    def _gamble(self) -> Action | None:
        """Use an ability that costs nothing and wins a fight that is lost without it, if the die is kind."""
        for row in self.obs.rows(Use):
            action = row.action
            assert isinstance(action, Use)
            effects = self.obs.ability_effects(action.card, action.ability)
            at_best = effects.heroes - effects.foes + effects.luck
            if effects.luck and row.pick is None and not row.vain and at_best >= self.obs.strength_missing:
                return action
        return None

    def _way_out(self) -> Action | None:
        """Play the cheapest card that gets me out of a losing fight if it costs less than the Bad Stuff."""
        out = [move for move in self.moves if move.escapes > 0 and move.swing <= 0]
        best = min(out, key=lambda move: move.cost / move.escapes, default=None)
        spared = _COMBAT.spared * self._bad_stuff_points
        return best.action if best is not None and best.cost < spared * best.escapes else None

    def helper(self) -> Action | None:
        """Decide as the helper in a losing fight: play what wins it if my share is worth it."""
        if self.fight.winning:
            return None
        moves = self._winning_moves
        gain = self.obs.prize(self.obs.me) + self._bad_stuff_points
        if moves and sum(move.cost for move in moves) < gain and not self.fight.match_point:
            return moves[0].action
        return None

    # ---------------------------------------------------------------------------------------- running away
    def run_away(self) -> Action | None:
        """Play a sure escape if the Bad Stuff costs more, else roll, against the worst monster first."""
        rolls = [row.action for row in self.obs.rows(Roll) if isinstance(row.action, Roll)]
        sure = min((move for move in self.moves if move.escapes > 0), key=lambda move: move.cost, default=None)
        if sure is not None and sure.cost < self._bad_stuff_points * _COMBAT.spared:
            return sure.action
        if not rolls:
            return None
        return max(rolls, key=lambda roll: self._danger(roll.monster))

    def _danger(self, monster: int) -> tuple[bool, float]:
        """Return whether a monster's Bad Stuff is deadly, and its points. Deadly monsters come first: the dead
        need not run again."""
        value = self.obs.value(monster)
        for entry in self.fight.monsters:
            if entry.id == monster:
                value = self.obs.values.of[entry.defn]
        return value.deadly, value.bad_stuff_points

    # -------------------------------------------------------------------------------------- a held window
    def fortify(self) -> Action | None:
        """Strengthen my won fight while a rival holds its window: the card that takes away most of what that hand may
        do, if it is worth its price."""
        window = self.obs.view.window
        if window is None or window.holder in (-1, self.obs.me, self.fight.helper) or not self.fight.winning:
            return None
        best = max((move for move in self.moves if move.swing > 0), key=self._safety, default=None)
        if best is None:
            return None
        self._check(best, 0.0, hostile=False)
        return best.action if self._safety(best) > 0 else None

    def _safety(self, move: Move) -> float:
        """Return the points that a move is worth against the hand of whoever holds the window."""
        obs = self.obs
        assert obs.view.window is not None
        before, after = (
            threat(obs.view, obs.values, obs.view.window.holder, lead) for lead in (obs.lead, obs.lead + move.swing)
        )
        return _COMBAT.believed * (before - after) * obs.prize(obs.me) - self.style.card_cost * move.cost

    # -------------------------------------------------------------------------------------- interfering
    def interfere(self) -> Action | None:
        """Stop a rival's win if that is worth the cards; at match point at any price. In a window of my own fight there
        is nothing to stop."""
        if not self.obs.fighting and not self.fight.winning and self.memory.leanings.volunteers:
            return self.bargains.offer_my_help()
        if self.obs.fighting or not self.fight.winning or not self.style.guards:
            return None
        if not self.fight.match_point and not self.style.interference_cost:
            return None
        if self.fight.match_point:
            moves = self._plan(self.moves, self.obs.lead, hostile=True)
            return self._guard_match_point(moves, [move for move in self.moves if move.swing < 0])
        hostile = [move for move in self.moves if move.swing < 0]
        if not self._is_worth(plan(hostile, self.obs.lead, hostile=True), hostile):
            return None
        moves = self._plan(hostile, self.obs.lead, hostile=True)  # ask the rules only about moves that are worth it
        return moves[0].action if self._is_worth(moves, hostile) else None

    @property
    def is_left_to_the_holder(self) -> bool:
        """Whether somebody else should act next and waiting costs me nothing: a window at match point has no clock and
        does not close while it is held."""
        window = self.obs.view.window
        held = window is not None and window.holder not in (-1, self.obs.me)
        return held and self.fight.match_point and not self.obs.fighting

    def _is_worth(self, moves: list[Move], hostile: list[Move]) -> bool:
        """Return whether it pays to turn an ordinary fight with these moves. hostile: all hostile moves."""
        if not moves:
            return False
        cost = sum(move.cost for move in moves) * self.style.interference_cost
        if len(hostile) <= len(moves):
            cost += self.style.last_guard
        return self._gain_from_loss > cost

    def _guard_match_point(self, moves: list[Move], hostile: list[Move]) -> Action | None:
        """Play a single move that turns the fight; else one that denies the kill; else moves that turn it together;
        else the strongest hostile one if others could add the missing strength."""
        deny = min((move for move in self.moves if move.denies_kill), key=lambda move: move.cost, default=None)
        if deny is not None and len(moves) != 1:
            return deny.action
        if moves:
            return moves[0].action
        best = min(hostile, key=lambda move: move.swing, default=None)
        if best is None or not self._others_could_add(self.obs.lead + best.swing):
            return None
        return best.action

    def _others_could_add(self, missing: float) -> bool:
        """Return whether the other rivals' hands may hold the strength that is missing."""
        cards = sum(seat.hand for seat in self.obs.rivals if seat.seat not in (self.fight.seat, self.fight.helper))
        return missing <= _COMBAT.hand_card * cards

    @lazy_property
    def _gain_from_loss(self) -> float:
        """My points if the fighter and its helper lose this fight."""
        obs, fighter, helper = self.obs, self.fight.seat, self.fight.helper
        gain = obs.rival_weight(fighter) * (obs.prize(fighter) + obs.bad_stuff_points(fighter))
        if helper >= 0 and helper != obs.me:
            gain += obs.rival_weight(helper) * (obs.prize(helper) + obs.bad_stuff_points(helper))
        near_winning = self.fight.win_level >= obs.view.win_level - NEAR
        return gain if near_winning or fighter == obs.leader else gain * _COMBAT.far_from_winning

    def _first(self, kind: type) -> Action | None:
        return next((row.action for row in self.obs.rows(kind)), None)
