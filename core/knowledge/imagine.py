"""A whole game that one seat could be in: hidden cards are dealt at random so that they fit everything that the seat
knows.

The cards that are not known lie in the decks and in the hands of others. Held cards (core/knowledge/seen.py) are dealt
first, the best known ones before the others; then cards that must be there (a promised card, a monster brought from the
hand); then the rest at random. Questions to other seats are asked again in the new deal and must turn out the same.
"""

import random
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from core.effects.control import perform
from core.engine import advance
from core.knowledge.seen import DECK
from core.language.catalog import Catalog
from core.queries.capacity import big_items, sellable
from core.state.asks import BY_ACTION
from core.state.game import Game
from core.state.model import (
    DEFN_MASK,
    AnyFrame,
    Bargain,
    Charity,
    Excess,
    Program,
    Rewards,
    Run,
    State,
    TurnFrame,
    card_id,
    cards_once,
    decode,
    defn_of,
    owner_of,
)  # fmt: skip
from core.state.rng import Unknowable
from core.state.veiled import UNTOLD, Pool, Veiled

TRIES = 64
"""The most deals that are tried until one fits the open questions."""
_BARE = BY_ACTION - {"roll"}
"""Kinds of asks without options."""
PROMISED = ("level", "curse")
"""Kinds of card that may be promised for help (help.bribe-hand)."""
Held = tuple[int, int]
"""A definition and, as bits, the places where the card may lie."""
Fits = Callable[[int], bool]
"""Whether a card of this definition is possible in some place."""


class NothingFits(RuntimeError):
    """No deal was found that fits what a seat knows: it contradicts itself, or hardly any deal fits."""


def imagine(cat: Catalog, veiled: Veiled, rng: random.Random) -> State:
    """Return a game that the seat could be in: its view and its legal actions are the same, and everything that it has
    learned of cards is true there; deals that fit are equally likely. Raises NothingFits."""
    return Imaginer(cat, veiled).deal(rng)


class _Deck(NamedTuple):
    """The unknown cards of a deck and of its kind in hands.

    left: these cards. held: those about which something is known. places: their places in the deck, the lowest first;
    the first `low` of them hold only cards of `pool`.
    """

    left: list[int]
    held: list[Held]
    places: list[int]
    low: int
    pool: Counter[int]


class Imaginer:
    """Deals games from one veiled state; what they have in common is computed once. Raises NothingFits if the veiled
    state names more cards than there are."""

    def __init__(self, cat: Catalog, veiled: Veiled) -> None:
        self.cat, self.me, self._data = cat, veiled.seat, veiled.data
        self._in_deck, self._unseen = len(cat.cards), len(cat.cards) + 1
        state = veiled.state()
        left = _cards_left(cat, state)
        self.door, self.treasure = (
            self._deck(left[name], [one for one in veiled.held if self._of(one[0]) == name], pile, pool)
            for name, pile, pool in zip(("door", "treasure"), (state.door, state.treasure), veiled.pools)
        )
        self._seals_left, self._doors = left["seal"], veiled.doors
        self.named = [
            [card for card in player.hand if self._readable(card)] if no != self.me else []
            for no, player in enumerate(state.seats)
        ]
        self.unknown = [
            len(player.hand) - len(self.named[no]) if no != self.me else 0 for no, player in enumerate(state.seats)
        ]
        self._ids = [self._known_ids(state, no) for no in range(len(state.seats))]
        self.needs = list(self._needed(state))

    def deal(self, rng: random.Random) -> State:
        """Return one such game. Raises NothingFits."""
        for _ in range(TRIES):
            state = decode(self._data)
            try:
                fits = self._deal_cards(state, rng) and self._fill(state, rng) and self._asks_the_same(state, rng)
            except Unknowable:  # the present ask does not arise here, and chance decides what comes next
                fits = False
            if fits:
                state.seed = rng.randbytes(16)
                return state
        raise NothingFits(f"none of {TRIES} deals fits what seat {self.me} knows")

    # ------------------------------------------------------------------------------------------------- what is known
    def _deck(self, left: list[int], held: list[Held], pile: list[int], pool: Pool) -> _Deck:
        places = [place for place, defn in enumerate(pile) if defn == self._in_deck]
        low = bisect_left(places, pool.below)
        return _Deck(left, held, places, low, Counter(pool.cards) - Counter(pile[: pool.below]))

    def _of(self, defn: int) -> str:
        return self.cat.cards[defn].deck

    def _kind(self, *kinds: str) -> Fits:
        return lambda defn: self.cat.cards[defn].kind in kinds

    def _readable(self, card: int) -> bool:
        return card & DEFN_MASK < self._in_deck

    def _stand_ins(self, cards: list[int]) -> list[int]:
        return [card for card in cards if not self._readable(card)]

    def _known_ids(self, state: State, no: int) -> list[int]:
        """Return ids of cards that this seat has seen in another hand, and that may be there still."""
        found = [card for bargain in _bargains(state) for card in bargain.cards]
        found += [card for frame in state.stack if isinstance(frame, Program) for card in frame.seen.get(self.me, ())]
        there = [card for card in found if owner_of(card) == no + 1 and self._readable(card) and no != self.me]
        return [card for card in dict.fromkeys(there) if card not in self.named[no]]

    def _needed(self, state: State) -> Iterator[tuple[int, Fits]]:
        """Yield the unknown cards that must be in hands: the seat, and which cards are possible."""
        for bargain in {bargain.no: bargain for bargain in _bargains(state)}.values():
            for card in self._stand_ins(bargain.cards):
                yield owner_of(card) - 1, self._kind(*PROMISED)
        for frame in state.stack:
            if isinstance(frame, Program) and not self._readable(frame.brought):
                yield frame.you, self._kind("monster")

    # ----------------------------------------------------------------------------------------------------- the cards
    def _deal_cards(self, state: State, rng: random.Random) -> bool:
        """Deal the unknown cards; return False if that came to a dead end."""
        doors = self._doors_in_hands(len(self.door.left) - len(self.door.places), rng)
        treasures = [count - of_door for count, of_door in zip(self.unknown, doors)]
        hands: list[list[int]] = [[] for _ in state.seats]
        if not _Dealing(self, self.door, state.door, doors, hands, rng).done():
            return False
        if not _Dealing(self, self.treasure, state.treasure, treasures, hands, rng).done():
            return False
        state.seals = self._seals(state.seals, rng)
        for no, player in enumerate(state.seats):
            if no != self.me:
                player.hand, player.serial = self._with_ids(no, hands[no])
        return True

    def _doors_in_hands(self, hidden: int, rng: random.Random) -> list[int]:
        """Return how many of the unknown cards in each hand are Door cards, so that the sum is right."""
        most = [min(high, count) for (_, high), count in zip(self._doors, self.unknown)]
        found = [min(low, count) for (low, _), count in zip(self._doors, self.unknown)]
        open_ = [no for no, (least, top) in enumerate(zip(found, most)) for _ in range(top - least)]
        if not 0 <= hidden - sum(found) <= len(open_):
            raise NothingFits(f"{hidden} Door cards do not fit into hands with {found} to {most}")
        for no in rng.sample(open_, hidden - sum(found)):
            found[no] += 1
        return found

    def _seals(self, pile: list[int], rng: random.Random) -> list[int]:
        left = iter(_mixed(self._seals_left, rng))
        return [next(left) if defn == self._in_deck else defn for defn in pile]

    def _with_ids(self, no: int, cards: list[int]) -> tuple[list[int], int]:
        """Return a hand as ids, and the next serial. Cards that the seat has seen there keep the ids that it saw."""
        named, ids = self.named[no], self._ids[no][:]
        serial = max([card >> 16 for card in named + ids], default=0) + 1
        hand = named[:]
        for defn in cards:
            known = next((card for card in ids if defn_of(card) == defn), 0) if ids else 0
            if known:
                ids.remove(known)
                hand.append(known)
            else:
                hand.append(card_id(serial, no + 1, defn))
                serial += 1
        return hand, serial

    # ------------------------------------------------------------------------------------- choices, and what is asked
    def _fill(self, state: State, rng: random.Random) -> bool:
        """Put cards and choices in place of the stand-ins in bargains and frames; return False if none fit."""
        told: dict[int, list[int]] = {}
        for bargain in _bargains(state):
            if bargain.no not in told:
                told[bargain.no] = self._picked(state, bargain.cards, self._kind(*PROMISED), rng)
            bargain.cards = told[bargain.no]
        return all(self._fill_frame(state, frame, rng) for frame in state.stack)

    def _fill_frame(self, state: State, frame: AnyFrame, rng: random.Random) -> bool:
        own = getattr(frame, "seat", self.me) == self.me
        match frame:
            case TurnFrame():
                frame.drawn = self._picked(state, frame.drawn, lambda defn: self._of(defn) == "door", rng)
            case Charity() if not own:
                frame.cards = self._picked(state, frame.cards, lambda defn: True, rng)
                if frame.step == "who gets what" and frame.counts:
                    for at in rng.sample(range(len(frame.counts)), len(frame.cards) - sum(frame.counts)):
                        frame.counts[at] += 1
            case Excess() if not own and frame.cards:
                return self._fill_excess(state, frame, rng)
            case Rewards() if frame.bargain is not None and frame.cards:
                frame.cards = frame.bargain.cards[-len(frame.cards) :]
            case Run():
                for seat, picks in frame.answers.items():
                    if picks == UNTOLD:
                        frame.answers[seat] = [rng.choice(frame.seats)]
            case Program():
                brought = self._picked(state, [frame.brought], self._kind("monster"), rng)
                frame.brought = brought[0] if brought else 0
                for who, cards in frame.seen.items():
                    frame.seen[who] = self._picked(state, cards, lambda defn: True, rng)
        return True

    def _fill_excess(self, state: State, frame: Excess, rng: random.Random) -> bool:
        """Choose the Big Items that another seat has secretly decided to lose."""
        g = Game(self.cat, state)
        there = big_items(g, frame.seat)
        if len(there) < len(frame.cards):
            return False
        frame.cards = rng.sample(there, len(frame.cards))
        if frame.sale:
            frame.sale = [frame.cards[0], *(card for card in sellable(g, frame.seat) if card not in frame.cards)]
        return True

    def _picked(self, state: State, cards: list[int], fits: Fits, rng: random.Random) -> list[int]:
        """Return these cards with possible cards of the same hand in place of the stand-ins. If none is possible, the
        card has left the hand and an id that no card has takes its place."""
        if all(map(self._readable, cards)):
            return cards
        found: list[int] = []
        for card in cards:
            if not self._readable(card):
                there = [one for one in state.seats[owner_of(card) - 1].hand if one not in found]
                among = [one for one in there if fits(defn_of(one))]
                found.append(rng.choice(among) if among else card_id(0, owner_of(card), 0))
            else:
                found.append(card)
        return found

    def _asks_the_same(self, state: State, rng: random.Random) -> bool:
        """Ask the open question again if hidden cards may be among its options; return whether the seat sees the same
        questions."""
        top = state.stack[-1] if state.stack else None
        if top is None or all(ask.kind in _BARE for ask in top.asks):
            return True
        g = Game(self.cat, state)
        if isinstance(top, Program) and min(top.answers, default=0) < 0 and not self._answered(g, top, rng):
            return False
        shown = [(ask.seat, ask.kind, ask.card) for ask in top.asks]
        own = [ask for ask in top.asks if ask.seat == self.me]
        top.asks = [ask for ask in top.asks if ask.seat == self.me or ask.kind in _BARE]
        advance(g)
        if g.events or not state.stack or state.stack[-1] is not top:
            return False
        same = [(ask.seat, ask.kind, ask.card) for ask in top.asks] == shown
        return same and [ask for ask in top.asks if ask.seat == self.me] == own

    def _answered(self, g: Game, frame: Program, rng: random.Random) -> bool:
        """Choose the answers of others to the earlier questions of an effect, one after another; return False if that
        leads to other questions. The effect itself answers questions without a choice."""
        asks, answers, numbers = frame.asks, frame.answers, g.state.seats[self.me].asked
        frame.answers = {}
        for number in sorted((number for number in answers if number < 0), reverse=True):
            frame.asks = []
            perform(g, frame, self.cat.cards[frame.defn].parts[frame.part][frame.at])
            if g.events or not frame.asks:
                return False
            if number not in frame.answers:
                ask, picks = frame.asks[0], answers[number]
                told = picks if picks != UNTOLD else rng.sample(ask.options, rng.randint(ask.lo, ask.hi))
                frame.answers[number] = told
        frame.asks, g.state.seats[self.me].asked = asks, numbers  # all these questions were asked before
        return True


class _Dealing:
    """Deals the unknown cards of one deck. pile: the deck; room: how many go to each hand; hands: where they go."""

    def __init__(
        self, by: Imaginer, deck: _Deck, pile: list[int], room: list[int], hands: list[list[int]], rng: random.Random
    ) -> None:
        self.by, self.deck, self.pile, self.room, self.hands, self.rng = by, deck, pile, room[:], hands, rng
        self.left = deck.left[:]
        self.in_pile: list[int] = []
        """Held cards that lie in the deck."""

    def done(self) -> bool:
        """Deal the cards; return False if that came to a dead end."""
        if not all(map(self._place, self.deck.held)):
            return False
        if self.by.needs:
            self._meet_needs()
        return self._rest()

    def _place(self, held: Held) -> bool:
        """Put a held card into one of its places; a place with more room is more likely."""
        defn, places = held
        options = [no for no, room in enumerate(self.room) if places >> no & 1 for _ in range(room)]
        in_deck = len(self.deck.places) - len(self.in_pile) if places & DECK else 0
        if defn not in self.left or not (options or in_deck):
            return False
        at = int(self.rng.random() * (len(options) + in_deck))
        self.left.remove(defn)
        if at < len(options):
            self._to_hand(options[at], defn)
        else:
            self.in_pile.append(defn)
        return True

    def _to_hand(self, no: int, defn: int) -> None:
        self.room[no] -= 1
        self.hands[no].append(defn)

    def _meet_needs(self) -> None:
        """Put cards into hands that must hold some of their kind."""
        spare = [hand + [defn_of(card) for card in named] for hand, named in zip(self.hands, self.by.named)]
        for no, fits in self.by.needs:
            there = next((defn for defn in spare[no] if fits(defn)), -1)
            if there >= 0:
                spare[no].remove(there)
                continue
            among = [defn for defn in self.left if fits(defn)] if self.room[no] else []
            if among:
                defn = self.rng.choice(among)
                self.left.remove(defn)
                self._to_hand(no, defn)

    def _rest(self) -> bool:
        """Deal all other cards at random: first into the places of the deck that hold cards of its last reshuffle."""
        places, low_count = self.deck.places, self.deck.low
        high = len(places) - low_count
        low, cards = _of_pool(self.deck.pool, low_count, self.in_pile + _mixed(self.left, self.rng))
        if len(low) < low_count or high + sum(self.room) != len(cards) or _stray(self.in_pile, low) > high:
            return False
        dealt = _mixed(low, self.rng) + (_mixed(cards[:high], self.rng) if self.in_pile else cards[:high])
        if len(dealt) == len(self.pile):
            self.pile[:] = dealt
        else:
            for place, defn in zip(places, dealt):
                self.pile[place] = defn
        at = high
        for no, room in enumerate(self.room):
            self.hands[no] += cards[at : at + room]
            at += room
        return True


def _of_pool(pool: Counter[int], count: int, cards: list[int]) -> tuple[list[int], list[int]]:
    """Split off the first cards that belong to a pool, up to a number; return them and the rest."""
    if not count:
        return [], cards
    pool = pool.copy()
    low: list[int] = []
    others: list[int] = []
    for defn in cards:
        if len(low) < count and pool[defn] > 0:
            pool[defn] -= 1
            low.append(defn)
        else:
            others.append(defn)
    return low, others


def _stray(cards: list[int], low: list[int]) -> int:
    """Return how many of these cards are not among those for the lower places of a deck."""
    return (Counter(cards) - Counter(low)).total() if cards else 0


def _mixed(cards: list[int], rng: random.Random) -> list[int]:
    """Return cards in random order; several times as fast as random.shuffle."""
    draw = rng.random
    return sorted(cards, key=lambda _: draw())


def _bargains(state: State) -> Iterator[Bargain]:
    """Yield all bargains, the open ones and the agreed one."""
    yield from state.offers
    if state.fight is not None and state.fight.bargain is not None:
        yield state.fight.bargain
    for frame in state.stack:
        if isinstance(frame, Rewards) and frame.bargain is not None:
            yield frame.bargain


def _cards_left(cat: Catalog, state: State) -> dict[str, list[int]]:
    """Return the cards of each deck whose place is not known. Raise NothingFits if more are known than there are."""
    there: list[int] = [*state.limbo, *state.door_out, *state.treasure_out, *state.seals_open]
    for pile in (state.door, state.treasure, state.seals):
        there += [defn for defn in pile if defn < len(cat.cards)]
    for player in state.seats:
        there += player.hand + player.body
        there += [entry.card for entry in player.table]
        there += {lasting.card: None for lasting in player.lasting if lasting.card}
    if state.fight is not None:
        there += cards_once(state.fight.cards)
    known = Counter([card & DEFN_MASK for card in there])
    left: dict[str, list[int]] = {"door": [], "treasure": [], "seal": []}
    for definition in cat.cards:
        count = definition.card.copies - known.get(definition.no, 0)
        if count < 0:
            raise NothingFits(f"more copies of {definition.full_id} are known than there are")
        if count:
            left[definition.deck] += [definition.no] * count
    return left
