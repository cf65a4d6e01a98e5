"""What one seat has learned of hidden cards: folded from the events that it was told (events.seen_by), and only those.
`undo.Reversible` keeps it for a game, so a replay and a journal restore it, and an undo takes it back.

A hidden card lies in a *place*: in the hand of another seat, or in a deck. What a seat knows of them:

    places in a deck   the definitions of cards that it has looked at, put under the deck, or seen go there
    held               a card that certainly lies in one of some places; when somebody passes a card on unseen, each
                       card that it may be lies in one of the two places from then on
    doors              for each hand, the least and the most Door cards that it holds: cards passed on unseen do not
                       show their backs
    below              the cards of a deck made of discards: it holds no others

Which cards in hands are older than the last reshuffle is not recorded. All of it is data that does not depend on the
hidden cards themselves, so it is the same in all worlds that the seat cannot tell apart.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from msgspec import Struct

from core.language.catalog import Catalog
from core.state import events as E
from core.state.model import Seat, State, defn_of, owner_of
from core.state.numbers import SeatNo

DECK = 1 << 6
"""The bit of a card's own deck in `held`; the bit of a hand is 1 << seat."""


class Pile(Struct, array_like=True):
    """A deck, face down. known: definitions by their place, counted from the bottom (0). out: its discards.

    below: the places under this one were filled from `pool` alone, which still has the cards drawn from there since; 0:
    nothing is known of them."""

    size: int = 0
    known: dict[int, int] = {}
    out: list[int] = []
    below: int = 0
    pool: list[int] = []


class Hand(Struct, array_like=True):
    """Hidden cards of another seat: how many, and how many of them are Door cards, from low to high."""

    count: int = 0
    low: int = 0
    high: int = 0


class Seen(Struct, array_like=True):
    """What one seat has learned of hidden cards. Plain data, so it can be copied.

    hand: its own cards. hands: of every seat (its own is not used); while first cards are laid out (laying_out), what
    lies in front of others is hidden too, and counts.
    held: definitions, each with the places where the card may lie, as bits.
    """

    seat: SeatNo
    hand: list[int]
    hands: list[Hand]
    dead: list[bool]
    decks: dict[str, Pile]
    laying_out: bool
    held: list[tuple[int, int]] = []

    def copy(self) -> "Seen":
        """Return a copy that learns independently."""
        return Seen(
            self.seat, self.hand[:], [Hand(hand.count, hand.low, hand.high) for hand in self.hands], self.dead[:],
            {
                name: Pile(pile.size, dict(pile.known), pile.out[:], pile.below, pile.pool)
                for name, pile in self.decks.items()
            },
            self.laying_out, self.held[:],
        )  # fmt: skip


def nothing_seen(cat: Catalog, state: State, seat: int) -> Seen:
    """Return the knowledge of a seat that sees the game for the first time: open cards, its own hand, and the numbers
    of all other cards. In a game just dealt it also knows how many cards of each deck everybody got (setup.deal)."""
    just_dealt = state.turn.no == 0 and state.step_no == 0
    return Seen(
        seat,
        state.seats[seat].hand[:],
        [_hand(cat, player, state.turn.no == 0, just_dealt) for player in state.seats],
        [player.dead for player in state.seats],
        {
            "door": Pile(len(state.door), out=state.door_out[:]),
            "treasure": Pile(len(state.treasure), out=state.treasure_out[:]),
            "seal": Pile(len(state.seals)),
        },
        state.turn.no == 0,
    )


def _hand(cat: Catalog, player: Seat, laying_out: bool, backs_seen: bool) -> Hand:
    """Return what others know of the hidden cards of a seat: their number, and, if backs_seen, their decks."""
    count = len(player.hand) + (len(player.table) if laying_out else 0)
    doors = sum(cat.cards[defn_of(card)].deck == "door" for card in player.hand) if backs_seen else 0
    return Hand(count, doors, doors if backs_seen else count)


def all_learn(cat: Catalog, seen: Sequence[Seen], events: Iterable[E.AnyEvent]) -> None:
    """Let every seat learn from the part of these events that it may know."""
    telling = [event for event in events if type(event) in _LEARN]
    for one in seen:
        for event in telling:
            told = E.seen_by(event, one.seat)
            if told is not None:
                _LEARN[type(event)](_Learner(cat, one), told)


def forget_one(held: list[tuple[int, int]], defn: int, place: int) -> None:
    """Remove from `held` one card of this definition that may lie here, because it is known individually now.

    If there are several, it is not known which one it was. Remove the best known one. Then each of the others, in order
    from the best known, may also lie where the one before it could. This is true whichever card it was.
    """
    there = sorted((one[1].bit_count(), one[1], at) for at, one in enumerate(held) if one[0] == defn and one[1] & place)
    for (_, before, _), (_, places, at) in pairwise(there):
        held[at] = (defn, places | before)
    if there:
        del held[there[0][2]]


def look_again(seen: Sequence[Seen], state: State) -> None:
    """Note the open cards after an undo that hides nothing again (core/undo.py)."""
    for one in seen:
        one.decks["door"].out, one.decks["treasure"].out = state.door_out[:], state.treasure_out[:]
        one.dead = [player.dead for player in state.seats]


class _Learner:
    """Changes what a seat has learned, by one event."""

    __slots__ = ("cat", "me", "seen")

    def __init__(self, cat: Catalog, seen: Seen) -> None:
        self.cat, self.seen, self.me = cat, seen, seen.seat

    def _deck(self, defn: int) -> str:
        return self.cat.cards[defn].deck

    # ------------------------------------------------------------------------------------------------ certain cards
    def _forget_one(self, defn: int, place: int) -> None:
        """A card of this definition that lay here was revealed."""
        forget_one(self.seen.held, defn, place)

    def _emptied(self, place: int, deck: str = "") -> None:
        """Nothing hidden is left in a place. deck: which deck, if the place is DECK."""
        held = [
            (defn, places & ~place if not deck or self._deck(defn) == deck else places)
            for defn, places in self.seen.held
        ]
        self.seen.held = [one for one in held if one[1]]

    def _certain(self, cards: Iterable[int], place: int) -> None:
        """At least these cards lie in a place; those that are held there already are not counted twice."""
        for defn, count in Counter(cards).items():
            for _ in range(count - self.seen.held.count((defn, place))):
                self._forget_one(defn, place)
                self.seen.held.append((defn, place))

    # -------------------------------------------------------------------------------------------------------- hands
    def _gains(self, seat: int, defn: int) -> None:
        """Another hand gets a card that everybody, or this seat, knows."""
        hand, door = self.seen.hands[seat], self._deck(defn) == "door"
        hand.count, hand.low, hand.high = hand.count + 1, hand.low + door, hand.high + door
        self.seen.held.append((defn, 1 << seat))

    def _reveals(self, seat: int, defn: int) -> None:
        """A card of another hand leaves it, and this seat sees which."""
        hand, door = self.seen.hands[seat], self._deck(defn) == "door"
        hand.count -= 1
        if door:
            hand.low, hand.high = max(0, hand.low - 1), hand.high - 1
        hand.high = min(hand.high, hand.count)
        self._forget_one(defn, 1 << seat)
        if not hand.count:
            self._emptied(1 << seat)

    def _passes_on(self, giver: int, taker: int) -> None:
        """A card goes from one hand to another, and this seat does not see which."""
        frm, to = self.seen.hands[giver], self.seen.hands[taker]
        may_be_door, may_be_treasure = frm.high > 0, frm.low < frm.count
        to.count, to.low, to.high = to.count + 1, to.low + (not may_be_treasure), to.high + may_be_door
        frm.count -= 1
        frm.low, frm.high = max(0, frm.low - 1), min(frm.high, frm.count)
        self.seen.held = [
            (defn, places | 1 << taker if places >> giver & 1 else places) for defn, places in self.seen.held
        ]
        if not frm.count:
            self._emptied(1 << giver)

    # -------------------------------------------------------------------------------------------------------- decks
    def _top(self, deck: str) -> int | None:
        """The top card leaves a deck; return its definition if this seat knew it."""
        pile = self.seen.decks[deck]
        pile.size -= 1
        defn = pile.known.pop(pile.size, None)
        if defn is not None:
            self._left(pile, defn)
        pile.below = min(pile.below, pile.size)
        return defn

    def _left(self, pile: Pile, defn: int) -> None:
        """A card known to be the top one of a pile has left it."""
        if pile.size < pile.below and defn in pile.pool:
            pile.pool = pile.pool[:]
            pile.pool.remove(defn)

    def _top_shown(self, deck: str, defn: int) -> None:
        """The top card leaves a deck, and this seat sees it."""
        pile = self.seen.decks[deck]
        reached = pile.size <= pile.below
        if self._top(deck) is None:
            self._forget_one(defn, DECK)
            if reached and defn in pile.pool:
                pile.pool = pile.pool[:]
                pile.pool.remove(defn)
        self._run_out(deck)

    def _run_out(self, deck: str) -> None:
        if not self.seen.decks[deck].size:
            self._emptied(DECK, deck)

    def _shifted(self, pile: Pile, by: int) -> None:
        """Cards were put under a deck."""
        pile.known = {place + by: defn for place, defn in pile.known.items()}
        pile.size += by

    # ------------------------------------------------------------------------------------------------------- events
    def drew(self, event: E.Drew) -> None:
        if event.seat == self.me:
            self.seen.hand += event.cards
            for card in event.cards:
                self._top_shown(event.deck, defn_of(card))
        elif event.face_up:
            for defn in event.cards:
                self._top_shown(event.deck, defn)
                self._gains(event.seat, defn)
        else:
            for _ in range(event.count):
                self._drew_unseen(event.seat, event.deck)

    def _drew_unseen(self, seat: int, deck: str) -> None:
        defn = self._top(deck)
        if defn is not None:
            self._gains(seat, defn)
        else:
            hand, door = self.seen.hands[seat], deck == "door"
            hand.count, hand.low, hand.high = hand.count + 1, hand.low + door, hand.high + door
            self.seen.held = [
                (defn, places | 1 << seat if places & DECK and self._deck(defn) == deck else places)
                for defn, places in self.seen.held
            ]
        self._run_out(deck)

    def turned(self, event: E.Turned) -> None:
        self._top_shown("door", defn_of(event.card))

    def shuffled(self, event: E.Shuffled) -> None:
        pile = self.seen.decks[event.deck]
        self._shifted(pile, len(pile.out))
        pile.below, pile.pool, pile.out = len(pile.out), sorted(pile.out), []

    def moved(self, event: E.Moved) -> None:
        if event.hidden and event.to == "hand" and self.me not in (event.at, event.to_seat):
            self._passes_on(event.at, event.to_seat)
            return
        defn = defn_of(event.card)
        if event.frm == "hand":
            if event.at == self.me:
                self.seen.hand.remove(event.card)
            else:
                self._reveals(event.at, defn)
        elif event.frm == "table" and self.seen.laying_out and event.at != self.me:
            self._reveals(event.at, defn)
        elif event.frm.endswith("-pile"):
            self._top_shown(event.frm.removesuffix("-pile"), defn)
        elif event.frm in ("door", "treasure"):
            self.seen.decks[event.frm].out.remove(defn)
        if event.to == "hand":
            if event.to_seat == self.me:
                self.seen.hand.append(event.new)
            else:
                self._gains(event.to_seat, defn)
        elif event.to in ("door", "treasure"):
            self.seen.decks[event.to].out.append(defn)

    def turn_began(self, event: E.TurnBegan) -> None:
        self.seen.laying_out = False

    def laid_out(self, event: E.LaidOut) -> None:
        if event.seat != self.me:
            for card in event.cards:
                self._reveals(event.seat, defn_of(card))

    def hands_passed(self, event: E.HandsPassed) -> None:
        alive = [seat for seat, dead in enumerate(self.seen.dead) if not dead]
        step = 1 if event.to == "left" else -1
        taker = {seat: alive[(at + step) % len(alive)] for at, seat in enumerate(alive)}
        mine = self.seen.hand
        if self.me in taker:
            giver = next(seat for seat in alive if taker[seat] == self.me)
            for card in event.hands[self.me]:
                self._forget_one(defn_of(card), 1 << giver)
            self._emptied(1 << giver)
            self.seen.hand = event.hands[self.me][:]
        moved = {1 << seat: 1 << to for seat, to in taker.items()}
        self.seen.held = [
            (defn, sum(moved.get(1 << bit, 1 << bit) for bit in range(7) if places >> bit & 1))
            for defn, places in self.seen.held
        ]
        hands = self.seen.hands[:]
        for seat, to in taker.items():
            hands[to] = self.seen.hands[seat]
        self.seen.hands = hands
        if self.me in taker:
            hands[taker[self.me]] = Hand()
            for card in mine:
                self._gains(taker[self.me], defn_of(card))

    def shown(self, event: E.Shown) -> None:
        if event.seat != self.me or event.at == self.me:
            return
        place, hand = 1 << event.at, self.seen.hands[event.at]
        for defn in event.cards:
            self._forget_one(defn, place)
        self._emptied(place)
        self.seen.held += [(defn, place) for defn in event.cards]
        hand.low = hand.high = sum(self._deck(defn) == "door" for defn in event.cards)

    def peeked(self, event: E.Peeked) -> None:
        """Look at the top of a deck. If another seat looks, the places of these cards are unknown afterwards."""
        pile = self.seen.decks[event.deck]
        if event.seat != self.me and pile.below < pile.size:
            pile.below = max(0, min(pile.below, pile.size - event.count))
        for at in range(event.count):
            place = pile.size - 1 - at
            if event.seat == self.me:
                if place not in pile.known:
                    self._forget_one(event.cards[at], DECK)
                    pile.known[place] = event.cards[at]
            elif place in pile.known:
                self.seen.held.append((pile.known.pop(place), DECK))

    def reordered(self, event: E.Reordered) -> None:
        pile = self.seen.decks[event.deck]
        top = pile.size - 1
        if pile.below < pile.size:
            pile.below = 0 if event.under else min(pile.below, top - max(event.places, default=0))
        taken = [pile.known.pop(top - place, None) for place in event.places]
        gone = [top - place for place in event.places]
        pile.known = {place - sum(one < place for one in gone): defn for place, defn in pile.known.items()}
        under = event.count if event.under else 0
        pile.known = {place + under: defn for place, defn in pile.known.items()}
        lowest = 0 if event.under else pile.size - len(taken)
        pile.known |= {lowest + at: defn for at, defn in enumerate(reversed(taken)) if defn is not None}

    def promised(self, event: E.Offered | E.HelperCame) -> None:
        cards = event.bargain.cards if event.bargain is not None else []
        owners = {owner_of(card) - 1 for card in cards} - {self.me}
        for owner in sorted(owners):
            self._certain([defn_of(card) for card in cards if owner_of(card) - 1 == owner], 1 << owner)

    def died(self, event: E.Died) -> None:
        self.seen.dead[event.seat] = True

    def returned(self, event: E.Returned) -> None:
        self.seen.dead[event.seat] = False

    def seals_made(self, event: E.SealsMade) -> None:
        self.seen.decks["seal"].size = event.count

    def seal_opened(self, event: E.SealOpened) -> None:
        self._top("seal")

    def seal_closed(self, event: E.SealClosed) -> None:
        """A Seal is put under the others, and everybody has seen which."""
        pile = self.seen.decks["seal"]
        self._shifted(pile, 1)
        pile.known[0] = event.defn


_LEARN: dict[type, Callable[[_Learner, Any], None]] = {
    E.Drew: _Learner.drew, E.Turned: _Learner.turned, E.Shuffled: _Learner.shuffled, E.Moved: _Learner.moved,
    E.LaidOut: _Learner.laid_out, E.TurnBegan: _Learner.turn_began, E.HandsPassed: _Learner.hands_passed,
    E.Shown: _Learner.shown,
    E.Peeked: _Learner.peeked, E.Reordered: _Learner.reordered, E.Offered: _Learner.promised,
    E.HelperCame: _Learner.promised, E.Died: _Learner.died, E.Returned: _Learner.returned,
    E.SealsMade: _Learner.seals_made, E.SealOpened: _Learner.seal_opened, E.SealClosed: _Learner.seal_closed,
}  # fmt: skip
"""The events from which somebody may learn something of hidden cards."""
