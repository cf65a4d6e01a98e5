"""A bot at the bargaining table: asking for help, what it asks for its own, trades and gifts."""

from collections.abc import Callable
from math import ceil

from core.state.actions import Accept, Action, Counter, Decline, Legal, Offer, Terms, Withdraw
from core.state.model import Bargain
from netcode.bots.card_values import LEVEL
from netcode.bots.lazy import Once
from netcode.bots.levels import Memory, Style
from netcode.bots.observation import WIN, Sight

ROUNDS = 9
"""Offers and counter-offers of one bot in one fight."""
PATIENCE = 60
"""Decisions that a bot spends waiting for answers before it goes on without them, even if nobody hurries it."""

SAVED = 0.3
"""How much of the Bad Stuff that my help spares the fighter I count as its gain: it might have run."""


class Bargains:
    """One decision about offers."""

    def __init__(self, sight: Sight, style: Style, memory: Memory, hold: Callable[[int], float]) -> None:
        self.sight = sight
        self.style = style
        self.memory = memory
        self.hold = hold

    # ----------------------------------------------------------------------------------- answering others
    def answer(self) -> Action | None:
        """Answer the offers that lie on the table for me: accept, counter or decline; None if there are none."""
        if not self.sight.rows(Accept) and not self.sight.rows(Decline):
            return None
        mine = self.sight.me
        for deal in self.sight.view.offers:
            if deal.frm == mine or deal.to not in (mine, -1):
                continue
            act = self._help(deal) if deal.kind == "help" else self._swap(deal)
            if act is not None:
                return act
        return None

    def _help(self, deal: Bargain) -> Action | None:
        fight = self.sight.fight
        if fight is None or fight.no != deal.fight:
            return self._no(deal)
        if self.sight.me == fight.seat:
            return self._hire(deal)
        if not self.style.bargains:
            return self._easy_help(deal)
        me = self.sight.me
        if self.worth_helping(me, deal.treasures) > 0 or self._promised(deal) > self.sight.weight(fight.seat) * LEVEL:
            return self._yes(deal) or self._no(deal)
        for treasures in range(deal.treasures + 1, self.payable + 1):
            if self.worth_helping(me, treasures) > 0:
                return self._raise(deal, treasures) or self._no(deal)
        return self._no(deal)

    def _easy_help(self, deal: Bargain) -> Action | None:
        """A beginner helps whenever there is something in it, and does not look at who is winning the game."""
        return (self._yes(deal) if deal.treasures >= 1 else None) or self._no(deal)

    def worth_helping(self, seat: int, treasures: int) -> float:
        """Points that helping for so many Treasures brings a seat, less what it brings the fighter. All of it lies
        open, so I can reckon for others as for myself, as if they thought like me."""
        fight = self.sight.fight
        if fight is None:
            return 0.0
        if fight.match_point and not self._shared():
            return -WIN
        helper = self.sight.view.seats[seat]
        helps = fight.heroes + helper.strength - fight.foes + (1 if fight.wins_ties else 0)
        if helps <= 0:
            return -self.sight.bad(seat) - 1.0
        levels = self.sight.helping(seat, helps)
        if helper.level + levels >= self.sight.view.win_level:
            return WIN
        gain = LEVEL * levels + self.style.treasure * treasures
        kept = max(0, fight.treasures - treasures)
        theirs = LEVEL * fight.levels + self.style.treasure * kept + SAVED * self.sight.bad(fight.seat)
        risk = self.sight.bad(seat) * (0.1 if helps <= 3 else 0.05)
        return gain - risk - self.style.price * self.sight.weight(fight.seat, seat) * theirs

    def _shared(self) -> bool:
        """Would the fighter's victory be mine too? Views do not tell options, so a bot never counts on it."""
        return False

    def _promised(self, deal: Bargain) -> float:
        """Points of the Items and cards promised for my help."""
        if deal.frm == self.sight.me:
            return 0.0
        return sum(self.hold(card) for card in (*deal.gives, *deal.cards))

    def _hire(self, deal: Bargain) -> Action | None:
        """A helper names its price (by offer or counter-offer): take it if it is fair and the help suffices."""
        fight = self.sight.fight
        assert fight is not None
        helper = self.sight.view.seats[deal.frm]
        enough = fight.heroes + helper.strength - fight.foes + (1 if fight.wins_ties else 0) > 0
        if enough and not fight.winning and deal.treasures <= self.most() and not deal.gives and not deal.wants:
            return self._yes(deal) or self._no(deal)
        if enough and not fight.winning and deal.treasures > self.most() > self.memory.asked.get(deal.frm, 0):
            self.memory.asked[deal.frm] = self.most()
            return self._raise(deal, self.most()) or self._no(deal)
        self.memory.refused.add(deal.frm)
        return self._no(deal)

    def most(self) -> int:
        """The most Treasures I give for help in this fight."""
        fight = self.sight.fight
        if fight is None:
            return 0
        if fight.match_point:
            return self.payable
        fair = ceil(self.payable * self.style.pays)
        desperate = self.sight.bad(self.sight.me) > 2.5 * LEVEL
        return min(self.payable, fair + 1 if desperate else fair)

    @property
    def payable(self) -> int:
        """The Treasures of the monsters now in the fight: what may be promised (help.bribe)."""
        fight = self.sight.fight
        return sum([monster.treasures for monster in fight.monsters]) if fight is not None else 0

    # -------------------------------------------------------------------------------------------- asking
    def ask(self) -> Action | None:
        """An offer to the best helper not yet asked for this much; None if nobody is left to ask."""
        if self.memory.rounds >= ROUNDS or not self.helpable():
            return None
        targets = {row.action.to for row in self.sight.rows(Offer) if isinstance(row.action, Offer) and _is_help(row)}
        return next((self._offer(seat, treasures) for seat, treasures in self._askable if seat in targets), None)

    def volunteer(self) -> Action | None:
        """An offer of my own help to somebody who is losing, for what is fair and worth it; once in each fight."""
        fight = self.sight.fight
        if fight is None or not self.style.volunteers or fight.winning or fight.helper >= 0 or not fight.help_allowed:
            return None
        half = (self.payable + 1) // 2
        prices = [number for number in (half, half + 1) if 1 <= number <= self.payable]
        treasures = next((number for number in prices if self.worth_helping(self.sight.me, number) > 0), 0)
        return self._step_forward(fight.seat, treasures) if treasures and not self.memory.rounds else None

    def _step_forward(self, fighter: int, treasures: int) -> Action | None:
        """An offer of my own help to the fighter, if one may be made."""
        if not any(isinstance(row.action, Offer) and row.action.to == fighter for row in self.sight.rows(Offer)):
            return None
        self.memory.rounds += 1
        return Offer(to=fighter, terms=Terms(kind="help", helper=self.sight.me, treasures=treasures))

    def _offer(self, seat: int, treasures: int) -> Action:
        self.memory.asked[seat] = treasures
        self.memory.rounds += 1
        self.memory.waits = 0
        return Offer(to=seat, terms=Terms(kind="help", helper=seat, treasures=treasures))

    @Once
    def _askable(self) -> list[tuple[int, int]]:
        """Whom asking makes sense, and the Treasures to offer: who would help for the least first. If nobody would, as
        far as I can reckon, one is asked all the same, for the most: they may reckon otherwise."""
        able = [seat for seat in self._able if seat not in self.memory.refused]
        willing = [(seat, self._bid_to(seat)) for seat in able]
        if any(treasures for _, treasures in willing):
            return sorted([offer for offer in willing if offer[1]], key=lambda offer: offer[1])
        return [(seat, self.most()) for seat in able[:1] if self.most() and not self.memory.asked]

    def _bid_to(self, seat: int) -> int:
        """The Treasures to offer a seat now: the least that should do, next the most I give; 0: nothing I have not
        offered it would do."""
        most, offered = self.most(), self.memory.asked.get(seat, 0)
        low = max(1, (self.payable + 1) // 2 - 1)
        for treasures in range(low, most + 1):
            if self.worth_helping(seat, treasures) > 0:
                return treasures if offered < treasures else most if offered < most else 0
        return 0

    @Once
    def _able(self) -> list[int]:
        """Who could turn the fight and costs me least: low Levels first, those who gain levels by it last."""
        fight = self.sight.fight
        assert fight is not None
        able = []
        for rival in self.sight.rivals:
            lead = fight.heroes + rival.strength - fight.foes + (1 if fight.wins_ties else 0)
            if lead > 0:
                levels = self.sight.helping(rival.seat, lead)
                danger = levels > 0 and rival.level + levels >= self.sight.view.win_level
                if not danger:
                    able.append((rival.level + (4 if levels else 0), -lead, rival.seat))
        return [seat for _, _, seat in sorted(able)]

    def helpable(self) -> bool:
        """Is there anybody left whom asking makes sense?"""
        fight = self.sight.fight
        if fight is None or fight.helper >= 0 or not fight.help_allowed or not self.style.bargains:
            return False
        return bool(self._askable)

    def waiting(self) -> bool:
        """Do offers of mine still wait for an answer, and have I patience left?"""
        mine = [deal for deal in self.sight.view.offers if deal.frm == self.sight.me]
        return bool(mine) and self.memory.waits < PATIENCE

    def clear(self) -> Action | None:
        """Take back an offer that nobody answers."""
        return next((row.action for row in self.sight.rows(Withdraw)), None)

    # ------------------------------------------------------------------------------------ trades and gifts
    def _swap(self, deal: Bargain) -> Action | None:
        """A trade or gift offered to me: yes if I come off better, and the other side does not gain more."""
        got = sum(self.hold(card) + 1.0 for card in deal.gives)
        given = sum(self.hold(card) + 1.0 for card in deal.wants)
        if got > given + 0.5:
            return self._yes(deal) or self._no(deal)
        return self._bid(deal, got) or self._no(deal)

    def _bid(self, deal: Bargain, got: float) -> Action | None:
        """Ask for the same against the least of what they want, if that is fair to me."""
        if not self.style.bargains or len(deal.wants) < 2 or self.memory.rounds >= ROUNDS:
            return None
        least = min(deal.wants, key=self.hold)
        big = any(self.sight.value(card).card.big for card in (least, *deal.gives))
        if big or self.hold(least) + 1.0 >= got:
            return None
        self.memory.rounds += 1
        return self._counter(deal, Terms(kind="trade", gives=(least,), wants=tuple(deal.gives)))

    # ---------------------------------------------------------------------------------------------- rows
    def _yes(self, deal: Bargain) -> Action | None:
        return self._row(Accept, deal.no)

    def _no(self, deal: Bargain) -> Action | None:
        return self._row(Decline, deal.no)

    def _raise(self, deal: Bargain, treasures: int) -> Action | None:
        if self.memory.rounds >= ROUNDS:
            return None
        if deal.to < 0:  # a call to the whole table: no counter-offer, but an offer of my own, once
            return self._step_forward(deal.frm, treasures) if not self.memory.rounds else None
        self.memory.rounds += 1
        fight = self.sight.fight
        helper = deal.helper if deal.helper >= 0 else self._other(deal, fight.seat if fight else -1)
        return self._counter(deal, Terms(kind="help", helper=helper, treasures=treasures))

    def _other(self, deal: Bargain, fighter: int) -> int:
        return self.sight.me if deal.frm == fighter else deal.frm

    def _counter(self, deal: Bargain, terms: Terms) -> Action | None:
        """`legal` lists no counter-offers: what may be offered to that seat may be countered, no call to the table."""
        if deal.to != self.sight.me:
            return None
        for row in self.sight.rows(Offer):
            action = row.action
            if isinstance(action, Offer) and action.to == deal.frm and action.terms.kind == terms.kind:
                return Counter(offer=deal.no, terms=terms)
        return None

    def _row(self, kind: type, no: int) -> Action | None:
        for row in self.sight.rows(kind):
            if isinstance(row.action, kind) and row.action.offer == no:  # type: ignore[union-attr]
                return row.action
        return None


def _is_help(row: Legal) -> bool:
    return isinstance(row.action, Offer) and row.action.terms.kind == "help" and row.action.to >= 0
