"""What a spectator of a game can count of each seat's acts: how often it did something, and how often it could have.

Only what everybody at the table sees is read: the public view before and after an action, and who acted. No talk, and
no card that stays hidden.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from core.language.catalog import Catalog
from core.state import actions as act
from core.state.events import AnyEvent, seen_by
from core.state.model import DEFN_MASK, State
from core.state.views import FightView, View
from core.view import view
from netcode.bots.card_values import CardValues
from netcode.bots.fight_value import BIG, fight_value
from netcode.bots.reputation import Reputation

PUBLIC = -1
FEATURES: dict[str, str] = {
    "holds: for the game": "of rivals' fights that would end the game, those whose window it held",
    "holds: big": "of other big fights that rivals were winning",
    "holds: small": "of the other fights that rivals were winning",
    "holds: foe": "of the fights that the rival who had hurt it most was winning, those whose window it held",
    "asks: for help": "of its own fights that it was losing, those in which it asked for help",
    "asks: little": "of its first offers for help, those of one Treasure",
    "asks: half": "of its first offers for help, those of half of the Treasures or more",
    "asks: first pick": "of its offers for help, those that leave the first pick to the helper",
    "helps: accepts": "of offers for its help, those that it accepted",
    "helps: raises": "of offers for its help, those that it answered with a higher price",
    "helps: unasked": "of rivals' fights that were being lost, those in which it offered its help unasked",
    "helps: first pick": "of its own prices for help, those that want the first pick",
    "fights: flees": "of its own fights that it was losing, those that it gave up",
    "fights: spends": "of its own fights that it was losing, those in which it played a card",
    "turn: prepares": "of its turns, those in which it did something before it opened the door",
    "turn: trouble": "of its turns without a fight at the door, those in which it looked for trouble",
    "turn: lays out": "of the Items that it played, those that it did not equip",
    "turn: bold": "of the fights that it looked for, those that it was losing when they began",
    "turn: identity": "of its turns, those in which it played a Class, a Race or the like",
    "turn: sheds": "of its turns, those in which it discarded one",
    "turn: Level card": "of its turns, those in which it went up a Level by a card",
    "turn: Level card early": "of these cards, those that it played below Level 6",
    "sells: often": "of its turns, those in which it sold Items",
    "sells: early": "of its sales, those below Level 5",
    "sells: much": "of its sales, those of three Items or more",
    "trades: offers": "of its turns, those in which it offered a trade",
    "trades: gives": "of its turns, those in which it offered a gift",
    "trades: accepts": "of trades and gifts that it was offered, those that it accepted",
    "strikes: curses": "of its turns, those in which or after which it played a curse on a rival",
    "strikes: off turn": "of its curses on rivals, those that it played in another seat's turn",
    "strikes: early": "of its curses on rivals, those that it played with five cards in hand or fewer",
    "strikes: fights": "of fights that rivals were winning, those that it made harder",
    "strikes: leader": "of its curses on rivals, those on a seat of the highest Level",
    "strikes: offender": "of its strikes among about equal victims, those at the one that had hurt it most",
    "strikes: helper": "of its strikes among about equal victims, those at the one that had helped it most",
    "uses: abilities": "of its turns, those in which it used an ability",
}
"""What each feature counts, in words: first the opportunities, then those that were taken. The word before the colon in
its name is the choice to which it belongs."""
EQUAL = 2
"""Victims whose Levels differ by at most this much are about equal."""
IDENTITIES = ("identity", "double")
PREPARES = (act.Play, act.Use, act.Equip, act.Unequip, act.Sell, act.Discard, act.Offer, act.Give)
HARDER = ("enhancer", "wandering", "monster")
Counts = dict[str, list[int]]
"""For each feature of one seat: how often the seat did it, and how often it could have."""


class Acts:
    """The acts of one game. shares: for each seat, how often it struck at its worst offender and at its best helper,
    each with the number that an even share would be."""

    def __init__(self, catalog: Catalog, values: CardValues, seats: int) -> None:
        self._catalog, self._values = catalog, values
        self._could: list[dict[str, set[object]]] = [defaultdict(set) for _ in range(seats)]
        self._did: list[dict[str, set[object]]] = [defaultdict(set) for _ in range(seats)]
        self._ledgers = [Reputation(seat, values) for seat in range(seats)]
        self._view: View | None = None
        self._last_turn: dict[int, int] = {}
        self.shares: list[dict[str, list[float]]] = [{"offender": [0, 0.0], "helper": [0, 0.0]} for _ in range(seats)]

    def counts(self) -> list[Counts]:
        """Return the counts of each seat."""
        return [
            {name: [len(did[name] & could[name]), len(could[name])] for name in FEATURES if could[name]}
            for did, could in zip(self._did, self._could, strict=True)
        ]

    def __call__(self, state: State, seat: int, action: act.AnyAction, events: list[AnyEvent]) -> None:
        """Watch an action (simulation.game.Watch)."""
        before = self._view
        if isinstance(action, act.Pass) and not events and before is not None:
            return
        self._view = after = view(self._catalog, state, PUBLIC)
        if before is not None and seat >= 0:
            read = _READERS.get(type(action))
            if read is not None:
                read(self, seat, action, before, after)
            if before.turn == seat and before.phase == "start" and isinstance(action, PREPARES):
                self._has_done(seat, "turn: prepares", before.turn_no)
        public = [one for one in (seen_by(event, PUBLIC) for event in events) if one is not None]
        for ledger in self._ledgers:
            ledger.note(public)
        self._chances(after)

    def _could_have(self, seat: int, name: str, key: object) -> None:
        self._could[seat][name].add(key)

    def _has_done(self, seat: int, name: str, key: object) -> None:
        self._did[seat][name].add(key)

    # ------------------------------------------------------------------------------------------------- opportunities
    def _chances(self, seen: View) -> None:
        """Note what could be done now."""
        for name in (
            "turn: prepares", "turn: identity", "turn: sheds", "turn: Level card", "sells: often", "trades: offers",
            "trades: gives", "strikes: curses", "uses: abilities",
        ):  # fmt: skip
            self._could_have(seen.turn, name, seen.turn_no)
        self._last_turn[seen.turn] = seen.turn_no
        fight = seen.fight
        if fight is None or fight.stage != "fight" or not fight.monsters:
            return
        others = [one.seat for one in seen.seats if not one.dead and one.seat not in (fight.seat, fight.helper)]
        if fight.winning:
            for seat in others:
                if seen.window is not None and seen.window.kind != "kick":
                    for name in self._held(seat, fight):
                        self._could_have(seat, name, fight.no)
                if not fight.match_point:
                    self._could_have(seat, "strikes: fights", fight.no)
            return
        for name in ("asks: for help", "fights: flees", "fights: spends"):
            self._could_have(fight.seat, name, fight.no)
        if fight.help_allowed and fight.helper < 0:
            for seat in others:
                self._could_have(seat, "helps: unasked", fight.no)

    # --------------------------------------------------------------------------------------------------------- fights
    def _holds(self, seat: int, action: act.Hold, before: View, after: View) -> None:
        if before.fight is not None:
            for name in self._held(seat, before.fight):
                self._has_done(seat, name, before.fight.no)

    def _flees(self, seat: int, action: act.Flee, before: View, after: View) -> None:
        if before.fight is not None:
            self._has_done(seat, "fights: flees", before.fight.no)

    def _offers(self, seat: int, action: act.Offer, before: View, after: View) -> None:
        fight, kind = before.fight, action.terms.kind
        self._first_pick(seat, action.terms, before)
        if kind != "help":
            self._has_done(seat, "trades: offers" if kind == "trade" else "trades: gives", before.turn_no)
        elif fight is not None and seat == fight.seat:
            if fight.no not in self._did[seat]["asks: for help"]:
                stake = sum(monster.treasures for monster in fight.monsters)
                first = {"asks: little": action.terms.treasures <= 1, "asks: half": 2 * action.terms.treasures >= stake}
                for name, did in first.items():
                    if stake > 2:
                        self._could_have(seat, name, fight.no)
                        if did:
                            self._has_done(seat, name, fight.no)
            self._has_done(seat, "asks: for help", fight.no)
        elif fight is not None and not any(offer.to in (seat, -1) for offer in before.offers):
            self._has_done(seat, "helps: unasked", fight.no)

    def _first_pick(self, seat: int, terms: act.Terms, before: View) -> None:
        if terms.kind == "help" and terms.treasures:
            name = "helps: first pick" if terms.helper == seat else "asks: first pick"
            self._could_have(seat, name, before.rev)
            if terms.helper_first:
                self._has_done(seat, name, before.rev)

    def _gives(self, seat: int, action: act.Give, before: View, after: View) -> None:
        self._has_done(seat, "trades: gives", before.turn_no)

    def _answers(self, seat: int, action: act.Accept | act.Decline | act.Counter, before: View, after: View) -> None:
        offer = next((one for one in before.offers if one.no == action.offer), None)
        if offer is None or (before.fight is not None and before.fight.seat == seat and offer.kind == "help"):
            return
        if isinstance(action, act.Counter):
            self._first_pick(seat, action.terms, before)
        kind = "helps" if offer.kind == "help" else "trades"
        for name, did in {"accepts": act.Accept, "raises": act.Counter}.items():
            if f"{kind}: {name}" in FEATURES:
                self._could_have(seat, f"{kind}: {name}", offer.no)
                if isinstance(action, did):
                    self._has_done(seat, f"{kind}: {name}", offer.no)

    def _held(self, seat: int, fight: FightView) -> list[str]:
        """Return the features of a hold in this fight."""
        size = "for the game" if fight.match_point else "big" if fight_value(fight) >= BIG else "small"
        hurt = self._ledgers[seat].hurt
        foe = fight.seat in hurt and hurt[fight.seat] == max(hurt.values())
        return [f"holds: {size}", *(["holds: foe"] if foe else [])]

    # ---------------------------------------------------------------------------------------------------------- cards
    def _plays(self, seat: int, action: act.Play, before: View, after: View) -> None:
        card, fight = self._catalog.cards[action.card & DEFN_MASK].card, before.fight
        if fight is not None and fight.stage == "fight":
            self._plays_into(seat, card.kind, fight, after.fight)
        if card.kind in IDENTITIES:
            self._has_done(seat, "turn: identity", before.turn_no)
        elif card.kind == "level" and before.turn == seat:
            self._has_done(seat, "turn: Level card", before.turn_no)
            self._could_have(seat, "turn: Level card early", before.rev)
            if before.seats[seat].level < 6:
                self._has_done(seat, "turn: Level card early", before.rev)
        elif card.kind == "curse" and action.seat not in (-1, seat):
            self._curses(seat, action, before)
        elif card.kind == "item" and not card.one_shot:
            there = {one.card for one in before.seats[seat].table}
            new = [one for one in after.seats[seat].table if one.card not in there]
            self._could_have(seat, "turn: lays out", before.rev)
            if new and not new[0].up:
                self._has_done(seat, "turn: lays out", before.rev)

    def _plays_into(self, seat: int, kind: str, fight: FightView, then: FightView | None) -> None:
        harder = kind in HARDER or (then is not None and then.heroes - then.foes < fight.heroes - fight.foes)
        if seat == fight.seat:
            self._has_done(seat, "fights: spends", fight.no)
        elif seat != fight.helper and harder and fight.winning and not fight.match_point:
            self._has_done(seat, "strikes: fights", fight.no)

    def _curses(self, seat: int, action: act.Play, before: View) -> None:
        key = before.rev
        turn = before.turn_no if before.turn == seat else self._last_turn.get(seat, -1)
        self._has_done(seat, "strikes: curses", turn)
        highest = max(one.level for one in before.seats if one.seat != seat and not one.dead)
        for name, did in {
            "strikes: off turn": before.turn != seat, "strikes: early": before.seats[seat].hand <= 5,
            "strikes: leader": before.seats[action.seat].level == highest,
        }.items():  # fmt: skip
            self._could_have(seat, name, key)
            if did:
                self._has_done(seat, name, key)
        self._strikes(seat, action.seat, before)

    def _uses(self, seat: int, action: act.Use, before: View, after: View) -> None:
        self._has_done(seat, "uses: abilities", before.turn_no)
        effects = self._values.of[action.card & DEFN_MASK].ability_effects[action.ability]
        if action.seat not in (-1, seat) and (effects.victim < 0 or effects.cards_lost):
            self._strikes(seat, action.seat, before)

    def _strikes(self, seat: int, victim: int, before: View) -> None:
        """Note a strike at a seat, if there was a choice between about equal victims: not one that stops its fight."""
        fight, ledger = before.fight, self._ledgers[seat]
        if fight is not None and fight.stage == "fight" and victim in (fight.seat, fight.helper):
            return
        level = before.seats[victim].level
        rivals = [one for one in before.seats if not one.dead and one.seat != seat]
        equal = [one.seat for one in rivals if abs(one.level - level) <= EQUAL]
        for name, deeds in {"offender": ledger.hurt, "helper": ledger.helped}.items():
            most = max((deeds.get(one, 0.0) for one in equal), default=0.0)
            worst = [one for one in equal if most and deeds.get(one, 0.0) == most]
            if len(equal) < 2 or len(worst) != 1:
                continue
            self._could_have(seat, f"strikes: {name}", before.rev)
            if victim in worst:
                self._has_done(seat, f"strikes: {name}", before.rev)
            self.shares[seat][name][0] += victim in worst
            self.shares[seat][name][1] += 1 / len(equal)

    # ------------------------------------------------------------------------------------------------------- own turn
    def _sells(self, seat: int, action: act.Sell, before: View, after: View) -> None:
        self._has_done(seat, "sells: often", before.turn_no)
        for name, did in {"sells: early": before.seats[seat].level < 5, "sells: much": len(action.cards) > 2}.items():
            self._could_have(seat, name, before.rev)
            if did:
                self._has_done(seat, name, before.rev)

    def _sheds(self, seat: int, action: act.Discard, before: View, after: View) -> None:
        self._has_done(seat, "turn: sheds", before.turn_no)

    def _second_phase(self, seat: int, action: act.Trouble | act.Loot, before: View, after: View) -> None:
        self._could_have(seat, "turn: trouble", before.turn_no)
        if isinstance(action, act.Trouble):
            self._has_done(seat, "turn: trouble", before.turn_no)
            if after.fight is not None:
                self._could_have(seat, "turn: bold", after.fight.no)
                if not after.fight.winning:
                    self._has_done(seat, "turn: bold", after.fight.no)


_READERS: dict[type, Callable[[Acts, int, Any, View, View], None]] = {
    act.Hold: Acts._holds, act.Flee: Acts._flees, act.Offer: Acts._offers, act.Give: Acts._gives,
    act.Accept: Acts._answers, act.Decline: Acts._answers, act.Counter: Acts._answers, act.Play: Acts._plays,
    act.Use: Acts._uses, act.Sell: Acts._sells, act.Discard: Acts._sheds, act.Trouble: Acts._second_phase,
    act.Loot: Acts._second_phase,
}  # fmt: skip
