"""What a bot offers and accepts: asking for help, the price of its own help, trades and gifts."""

from collections.abc import Callable
from math import ceil

from core.state.actions import Accept, Action, Counter, Decline, Give, Offer, Terms
from core.state.model import Bargain
from core.state.views import FightView
from netcode.bots.memory import ITEM_OFFERED, Memory
from netcode.bots.own_turn import OwnTurn
from netcode.bots.points import LEVEL, WIN
from netcode.bots.reading import Reading, lazy_property
from netcode.bots.trading import LOOKED, Trading
from netcode.bots.tuning import TUNING, Style

_BARGAINS = TUNING.bargains
GIVEN = (-4,)
"""The mark in `Memory.tried` that a gift was considered in this turn."""


class Bargaining:
    """One decision about offers. own: what my own cards are worth to me."""

    def __init__(self, obs: Reading, style: Style, memory: Memory, own: OwnTurn) -> None:
        self.obs = obs
        self.style = style
        self.memory = memory
        self._own = own

    @lazy_property
    def trading(self) -> Trading:
        """Trades and gifts."""
        return Trading(self.obs, self.memory, self._own.gear)

    # ----------------------------------------------------------------------------------- answering others
    def answer_offers(self, can_win: Callable[[], bool]) -> Action | None:
        """Accept, counter or decline the first offer to me that I can answer; None if there is none. can_win: whether I
        can win my own fight without help."""
        if not self.obs.rows(Accept) and not self.obs.rows(Decline):
            return None
        me = self.obs.me
        for offer in self.obs.view.offers:
            if offer.frm == me or offer.to not in (me, -1):
                continue
            act = self._answer_help(offer, can_win) if offer.kind == "help" else self._answer_trade(offer)
            if act is not None:
                return act
        return None

    def _answer_help(self, offer: Bargain, can_win: Callable[[], bool]) -> Action | None:
        fight = self.obs.fight
        if fight is None or fight.no != offer.fight:
            return self._decline(offer)
        if self.obs.me == fight.seat:
            return self._answer_helper(offer, fight, can_win)
        if not self.style.bargains:
            return self._answer_help_simply(offer)
        me = self.obs.me
        fair = self.points_of_helping(me, offer.treasures) + self._promised_points(offer) > 0
        more = () if fair else range(offer.treasures + 1, self.treasures_at_stake + 1)
        price = next((treasures for treasures in more if self.points_of_helping(me, treasures) > 0), None)
        if not (fair or price is not None) or not self._suffices(offer):
            return self._decline(offer)
        return (self._counter_help(offer, price) if price is not None else self._accept(offer)) or self._decline(offer)

    def _suffices(self, offer: Bargain) -> bool:
        """Return whether this help wins the fight, judged by what I know."""
        accept = self._accept(offer)
        then = self.obs.after(accept) if accept is not None else None
        return then is None or not then.fights or then.winning

    def _answer_help_simply(self, offer: Bargain) -> Action | None:
        """Offer help for any Treasure, no matter who is winning the game."""
        return (self._accept(offer) if offer.treasures >= 1 else None) or self._decline(offer)

    def points_of_helping(self, seat: int, treasures: int) -> float:
        """Return the points that helping for this many Treasures brings a seat, minus what it brings the fighter.

        This depends on public facts only, so a bot computes it for others as for itself and assumes that they think
        alike."""
        fight = self.obs.fight
        if fight is None:
            return 0.0
        if fight.match_point:
            return -WIN  # a view does not tell whether victories are shared, so a bot never counts on it
        helper = self.obs.view.seats[seat]
        lead = _lead_with(fight, helper.strength)
        if lead <= 0:
            return -self.obs.bad_stuff_points(seat) - 1.0
        levels = self.obs.helper_levels(seat, lead)
        if helper.level + levels >= self.obs.view.win_level:
            return WIN
        gain = LEVEL * levels + self.style.treasure * treasures
        kept = max(0, fight.treasures - treasures)
        spared = _BARGAINS.saved * self.obs.bad_stuff_points(fight.seat)
        fighter_gain = LEVEL * fight.levels + self.style.treasure * kept + spared
        risk = self.obs.bad_stuff_points(seat) * (_BARGAINS.risk_close if lead <= _BARGAINS.close else _BARGAINS.risk)
        price = self.style.help_price * (self.style.own_price if seat == self.obs.me else 1.0)
        return gain - risk - price * self.obs.rival_weight(fight.seat, seat) * fighter_gain

    def _promised_points(self, offer: Bargain) -> float:
        """Return the points of the Items and cards promised for my help."""
        if offer.frm == self.obs.me:
            return 0.0
        return self.trading.gain(self.obs.me, offer.gives) + sum(self._own.hand_points(card) for card in offer.cards)

    def _answer_helper(self, offer: Bargain, fight: FightView, can_win: Callable[[], bool]) -> Action | None:
        """Answer a possible helper's price for helping me: accept a fair price, counter a high one once, and then
        accept it if it is better than a lost fight."""
        enough = not fight.winning and _lead_with(fight, self.obs.view.seats[offer.frm].strength) > 0
        highest = self.highest_price()
        plain = enough and not offer.gives and not offer.wants and self._suffices(offer)
        if plain and offer.treasures <= highest:
            return self._accept(offer) or self._decline(offer)
        if enough and offer.treasures > highest > self.memory.offered.get(offer.frm, 0):
            self.memory.offered[offer.frm] = highest
            counter = self._counter_help(offer, highest)
            if counter is not None:
                return counter
        if plain and not can_win() and self._beats_losing(offer):
            return self._accept(offer) or self._decline(offer)
        self.memory.refusing.add(offer.frm)
        return self._decline(offer)

    def _beats_losing(self, offer: Bargain) -> bool:
        """Return whether winning with this help is better for me than losing the fight."""
        fight, helper = self.obs.fight, offer.frm
        if fight is None or fight.match_point:
            return fight is not None
        levels = self.obs.helper_levels(helper, _lead_with(fight, self.obs.view.seats[helper].strength))
        if self.obs.view.seats[helper].level + levels >= self.obs.view.win_level:
            return False
        kept = self.style.treasure * max(0, fight.treasures - offer.treasures)
        given = self.style.treasure * offer.treasures + LEVEL * levels
        gain = LEVEL * fight.levels + kept + self.obs.bad_stuff_points(self.obs.me)
        return gain > self.obs.rival_weight(helper) * given

    def highest_price(self) -> int:
        """Return the most Treasures that I would give for help in this fight."""
        fight = self.obs.fight
        if fight is None:
            return 0
        if fight.match_point:
            return self.treasures_at_stake
        fair = ceil(self.treasures_at_stake * self.style.highest_share)
        desperate = self.obs.bad_stuff_points(self.obs.me) > _BARGAINS.desperate * LEVEL
        return min(self.treasures_at_stake, fair + 1 if desperate else fair)

    @property
    def treasures_at_stake(self) -> int:
        """The Treasures of the monsters now in the fight: what may be promised to a helper (help.bribe)."""
        fight = self.obs.fight
        return sum([monster.treasures for monster in fight.monsters]) if fight is not None else 0

    # ------------------------------------------------------------------------------------ asking for help
    def ask_for_help(self) -> Action | None:
        """Make an offer to the best helper who has not had an offer as high; None if there is nobody left to ask."""
        if not self.may_propose or not self.can_ask_for_help():
            return None
        listed = {
            row.action.to for row in self.obs.rows(Offer)
            if isinstance(row.action, Offer) and row.action.terms.kind == "help" and row.action.to >= 0
        }  # fmt: skip
        return next((self._offer_for_help(seat, price) for seat, price in self._help_prices if seat in listed), None)

    def offer_an_item(self) -> Action | None:
        """Offer my most Treasures, and a useless Item as a gift, to the first seat that would help for both but not for
        the Treasures alone; None if there is none. Each seat gets one such offer in a turn."""
        fight, treasures = self.obs.fight, self.highest_price()
        items = self.trading.idle_items() if fight is not None and self.style.bargains else []
        if not items or fight is None or fight.helper >= 0 or not self.may_propose:
            return None
        asked = {row.action.to for row in self.obs.rows(Offer) if isinstance(row.action, Offer)}
        for seat in self._able_helpers:
            missing = -self.points_of_helping(seat, treasures)
            enough = [item for item in items if self.trading.gain(seat, (item,)) > missing >= 0]
            if seat in asked and enough and (seat, ITEM_OFFERED) not in self.memory.tried:
                action = Offer(seat, Terms("help", helper=seat, treasures=treasures, gives=(enough[0],)))
                self.memory.tried.add((seat, ITEM_OFFERED))
                if self.obs.after(action) is not None:  # cards may bar it
                    self.memory.offers_made += 1
                    self.memory.waits = 0
                    return action
        return None

    def offer_my_help(self) -> Action | None:
        """Offer my help unasked, once in a fight, for the fewest Treasures that make it well worth while."""
        fight = self.obs.fight
        if fight is None or fight.stage != "fight" or fight.helper >= 0 or not fight.help_allowed:
            return None
        if self.memory.offers_made or any(self.obs.me in (offer.frm, offer.to) for offer in self.obs.view.offers):
            return None
        prices = range(1, self.treasures_at_stake + 1)
        least = TUNING.personality.volunteers
        price = next((price for price in prices if self.points_of_helping(self.obs.me, price) > least), None)
        return self._offer_help_to(fight.seat, price) if price is not None else None

    @property
    def may_propose(self) -> bool:
        """Whether I may make more offers in this fight without making too many."""
        return self.memory.offers_made < _BARGAINS.offers_most

    def can_ask_for_help(self) -> bool:
        """Return whether there is anybody left who is worth asking."""
        fight = self.obs.fight
        if fight is None or fight.helper >= 0 or not fight.help_allowed or not self.style.bargains:
            return False
        return bool(self._help_prices)

    def awaiting_answer(self) -> bool:
        """Return whether I still wait for an answer to one of my offers."""
        offers = self.obs.view.offers
        mine = [offer for offer in offers if offer.frm == self.obs.me] if offers else offers
        return bool(mine) and (self.memory.patient or self.memory.waits < _BARGAINS.waits_most)

    def wait(self) -> None:
        """Wait for an answer to an offer of mine."""
        self.memory.waits += 1
        self.memory.waiting = True

    def _offer_help_to(self, fighter: int, treasures: int) -> Action | None:
        if not any(isinstance(row.action, Offer) and row.action.to == fighter for row in self.obs.rows(Offer)):
            return None
        self.memory.offers_made += 1
        return Offer(to=fighter, terms=self._price(self.obs.me, treasures))

    def _price(self, helper: int, treasures: int) -> Terms:
        """Return the terms of help for Treasures; the personality says who takes them first."""
        leanings = self.memory.leanings
        first = leanings.wants_first if helper == self.obs.me else leanings.gives_first
        return Terms(kind="help", helper=helper, treasures=treasures, helper_first=first)

    def _offer_for_help(self, seat: int, treasures: int) -> Action:
        self.memory.offered[seat] = treasures
        self.memory.offers_made += 1
        self.memory.waits = 0
        return Offer(to=seat, terms=self._price(seat, treasures))

    @lazy_property
    def _help_prices(self) -> list[tuple[int, int]]:
        """Seats to ask for help and the Treasures to offer each, the cheapest first. If nobody seems willing, one seat
        is still offered the most, because it may think otherwise; not at match point, where whoever helps loses the
        game."""
        able = [seat for seat in self._able_helpers if seat not in self.memory.refusing]
        prices = [(seat, self._price_for(seat)) for seat in able]
        if any(treasures for _, treasures in prices):
            return sorted([price for price in prices if price[1]], key=lambda price: price[1])
        asks = not (self.memory.offered or self.obs.fight is None or self.obs.fight.match_point)
        return [(seat, self.highest_price()) for seat in able[:1] if self.highest_price() and asks]

    def _price_for(self, seat: int) -> int:
        """Return the Treasures to offer a seat now: first the least that should suffice, then the most that I would
        give; 0 if both were offered already or would not suffice."""
        highest, offered = self.highest_price(), self.memory.offered.get(seat, 0)
        lowest = 1 if self.style.haggles else max(1, (self.treasures_at_stake + 1) // 2 - 1)
        for treasures in range(lowest, highest + 1):
            if self.points_of_helping(seat, treasures) > 0:
                return treasures if offered < treasures else highest if offered < highest else 0
        return 0

    @lazy_property
    def _able_helpers(self) -> list[int]:
        """The seats strong enough to win the fight with me, the least dangerous first: low Levels before high ones,
        then seats that gain levels by helping. Seats that would win the game by helping are left out."""
        fight = self.obs.fight
        assert fight is not None
        able = []
        for rival in self.obs.rivals:
            lead = _lead_with(fight, rival.strength)
            if lead > 0:
                levels = self.obs.helper_levels(rival.seat, lead)
                wins = levels > 0 and rival.level + levels >= self.obs.view.win_level
                if not wins:
                    able.append((rival.level + (_BARGAINS.gains_levels if levels else 0), -lead, rival.seat))
        return [seat for _, _, seat in sorted(able)]

    # ------------------------------------------------------------------------------------ trades and gifts
    def offer_trade(self) -> Action | None:
        """Offer a trade that both sides gain by; None if there is none."""
        return self.trading.offer() if self.style.bargains and LOOKED not in self.memory.tried else None

    def offer_gift(self) -> Action | None:
        """Give an Item that I have no use for to the seat that has helped me most, if it gains by it; None if there is
        neither. Once in a turn."""
        if not self.memory.leanings.gives or GIVEN in self.memory.tried or self.memory.reputation is None:
            return None
        self.memory.tried.add(GIVEN)
        helped, most = self.memory.reputation.helped, TUNING.personality.gift
        among = {
            row.action.to: row.pick.among for row in self.obs.rows(Give)
            if isinstance(row.action, Give) and row.pick is not None and helped.get(row.action.to)
        }  # fmt: skip
        spare = self.trading.idle_items() if among else []
        spare = [item for item in spare if self.trading.gain(self.obs.me, (), (item,)) >= -most]
        ways = ((item, to) for to in sorted(among, key=lambda to: -helped[to]) for item in spare if item in among[to])
        return next((Give((item,), to) for item, to in ways if self.trading.gain(to, (item,)) > most), None)

    def _answer_trade(self, offer: Bargain) -> Action | None:
        """Accept a trade or gift that is worth it to me, otherwise propose a smaller one."""
        if self.trading.accepts(offer):
            return self._accept(offer) or self._decline(offer)
        counter = None
        if self.style.bargains and self.may_propose:
            counter = self.trading.counter(offer)
        if counter is not None and self.may_counter(offer, counter.terms):
            self.memory.offers_made += 1
            return counter
        return self._decline(offer)

    # ---------------------------------------------------------------------------------------------- rows
    def _accept(self, offer: Bargain) -> Action | None:
        return self._row(Accept, offer.no)

    def _decline(self, offer: Bargain) -> Action | None:
        return self._row(Decline, offer.no)

    def _row(self, kind: type[Accept | Decline], no: int) -> Action | None:
        for row in self.obs.rows(kind):
            if isinstance(row.action, kind) and row.action.offer == no:
                return row.action
        return None

    def _counter_help(self, offer: Bargain, treasures: int) -> Action | None:
        if not self.may_propose:
            return None
        if offer.to < 0:  # a call to the whole table cannot be countered, so answer it with an offer of my own
            return self._offer_help_to(offer.frm, treasures) if not self.memory.offers_made else None
        self.memory.offers_made += 1
        fight = self.obs.fight
        by_fighter = fight is not None and offer.frm == fight.seat
        helper = offer.helper if offer.helper >= 0 else self.obs.me if by_fighter else offer.frm
        return self._counter(offer, self._price(helper, treasures))

    def _counter(self, offer: Bargain, terms: Terms) -> Action | None:
        """Counter an offer, if that is allowed."""
        return Counter(offer=offer.no, terms=terms) if self.may_counter(offer, terms) else None

    def may_counter(self, offer: Bargain, terms: Terms) -> bool:
        """Return whether an offer may be answered with these terms. `legal` lists no counter-offers, so this checks
        whether an offer of this kind may be made to the seat."""
        offers = [row.action for row in self.obs.rows(Offer) if isinstance(row.action, Offer)]
        return offer.to == self.obs.me and any(
            one.to == offer.frm and one.terms.kind == terms.kind for one in offers
        )  # fmt: skip


def _lead_with(fight: FightView, strength: int) -> int:
    """Return by how much the heroes would win (above 0) with a helper of this strength."""
    return fight.heroes + strength - fight.foes + (1 if fight.wins_ties else 0)
