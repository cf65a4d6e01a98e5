"""A game as one seat knows it: everything that this seat may not know is blanked, all counts are kept.

The state is built field by field, as a view is: what is hidden has a stand-in, and there is no seed. So it is the same,
byte for byte, in all worlds that the seat cannot tell apart. `imagine` (core/knowledge/imagine.py) makes a whole game
of it.

Stand-ins: a card in a deck has the number `len(cat.cards)`; a card in another hand has an id of that hand with the next
number (so core/knowledge/known.py can let the rules run on a veiled state); a hidden answer is UNTOLD.
"""

from functools import lru_cache

from msgspec.structs import replace

from core.effects.control import perform
from core.knowledge.seen import DECK, Hand, Pile, Seen, forget_one, nothing_seen
from core.language.catalog import Catalog
from core.queries.cache import ROWS
from core.state.game import Game
from core.state.model import (
    IN_DECK,
    AnyFrame,
    Ask,
    Bargain,
    Charity,
    Excess,
    Fight,
    Program,
    Rewards,
    Run,
    Seat,
    State,
    TurnFrame,
    Window,
    card_id,
    clone,
    defn_of,
    encode,
    owner_of,
    place_in_deck,
)  # fmt: skip
from core.state.veiled import UNTOLD, Pool, Veiled

_OF_ONE_SEAT = (TurnFrame, Charity, Excess)
"""Frames with secrets of one seat."""


def veil(cat: Catalog, state: State, seat: int, seen: Seen | None = None) -> Veiled:
    """Return what a seat knows of a state. seen: what it has learned; None: only what it sees now."""
    return _Veil(cat, state, seat, seen or nothing_seen(cat, state, seat)).veiled()


class _Veil:
    """Blanks one state for one seat."""

    def __init__(self, cat: Catalog, state: State, seat: int, seen: Seen) -> None:
        self.cat, self.state, self.seat, self.seen = cat, state, seat, seen
        self.in_deck = len(cat.cards)
        self.unseen = self.in_deck + 1
        self.laying_out = state.turn.no == 0
        asks = [ask for ask in state.stack[-1].asks if ask.seat == seat] if state.stack else []
        self.asked = [option for ask in asks for option in ask.options]
        self.sure = {no: self._sure(no) for no in range(len(state.seats)) if no != seat}

    def veiled(self) -> Veiled:
        s, seen = self.state, self.seen
        held = seen.held[:]
        door, treasure = (self._deck(name, pile, held) for name, pile in (("door", s.door), ("treasure", s.treasure)))
        for no, cards in self.sure.items():
            for card in cards:
                forget_one(held, defn_of(card), 1 << no)
        blanked = State(
            format=s.format,
            seed=b"",
            draws=0,
            options=s.options,
            seats=[self._seat(no, player) for no, player in enumerate(s.seats)],
            door=door,
            door_out=s.door_out,
            treasure=treasure,
            treasure_out=s.treasure_out,
            turn=s.turn,
            fight=self._fight(s.fight),
            stack=[self._frame(place, frame) for place, frame in enumerate(s.stack)],
            offers=[self._bargain(offer) for offer in s.offers],
            limbo=s.limbo,
            pending=s.pending,
            winners=s.winners,
            why_won=s.why_won,
            serial=s.serial,
            offer_no=s.offer_no,
            window_no=s.window_no,
            fight_no=s.fight_no,
            rev=s.rev,
            spent=0 if self.laying_out else s.spent,
            dirty=s.dirty or self.laying_out,
            seals=self._stand_ins(len(s.seals), seen.decks["seal"].known),
            seals_open=s.seals_open,
        )
        return Veiled(
            self.seat, encode(blanked), tuple(sorted(held, key=_best_known)),
            tuple([self._doors(no, hand) for no, hand in enumerate(seen.hands)]),
            (_pool(seen.decks["door"]), _pool(seen.decks["treasure"])),
        )  # fmt: skip

    # ---------------------------------------------------------------------------------------------- cards
    def _deck(self, name: str, pile: list[int], held: list[tuple[int, int]]) -> list[int]:
        """Return a deck with the cards that the seat has looked at; cards that it looks at right now are added to
        `held`."""
        known = dict(self.seen.decks[name].known)
        for option in self.asked:
            if option > self.in_deck and owner_of(option) == IN_DECK and self._lies_in(name, option):
                place = len(pile) - 1 - place_in_deck(option)
                if place not in known:
                    known[place] = defn_of(option)
                    forget_one(held, defn_of(option), DECK)
        return self._stand_ins(len(pile), known)

    def _stand_ins(self, count: int, known: dict[int, int]) -> list[int]:
        pile = [self.in_deck] * count
        for place, defn in known.items():
            pile[place] = defn
        return pile

    def _lies_in(self, name: str, card: int) -> bool:
        return self.cat.cards[defn_of(card)].deck == name

    def _sure(self, no: int) -> list[int]:
        """Return the cards in another hand whose ids the seat knows now: promised to it, or shown for it to choose."""
        if not (self.state.offers or self.asked):
            return []
        promised = [card for offer in self.state.offers if offer.frm == no or offer.to == no
                    for card in self._bargain(offer).cards]  # fmt: skip
        known = [card for card in (*promised, *self.asked) if owner_of(card) == no + 1 and self._readable(card)]
        return list(dict.fromkeys(known))

    def _readable(self, card: int) -> bool:
        return defn_of(card) < self.in_deck < card

    def _mask(self, cards: list[int]) -> list[int]:
        """Return these cards, with stand-ins for those in hands of others."""
        return [
            card if owner_of(card) in (0, self.seat + 1) else card_id(at, owner_of(card), self.unseen)
            for at, card in enumerate(cards, 1)
        ]

    # ---------------------------------------------------------------------------------------------- seats
    def _seat(self, no: int, player: Seat) -> Seat:
        """Return what the seat knows of a player: everything about itself; about others, what lies open and how many
        cards they have. First cards of others count as cards of the hand."""
        if no == self.seat:
            return player
        sure = self.sure[no]
        unknown = len(player.hand) + (len(player.table) if self.laying_out else 0) - len(sure)
        hand = [*sure, *_hidden(no + 1, self.unseen, unknown)]
        if self.laying_out:
            return Seat(level=player.level, hand=hand, sex=player.sex, serial=len(hand) + 1, asked=1)
        return Seat(
            level=player.level, hand=hand, table=player.table, lasting=player.lasting, body=player.body,
            dead=player.dead, bare=player.bare, sex=player.sex, serial=len(hand) + 1, asked=1, gained=player.gained,
            sealed=player.sealed,
        )  # fmt: skip

    def _doors(self, no: int, hand: Hand) -> tuple[int, int]:
        """Return the least and the most Door cards that another hand has besides those whose ids are known."""
        if no == self.seat:
            return 0, 0
        sure = self.sure[no]
        known = sum(self._lies_in("door", card) for card in sure) if sure else 0
        return max(0, hand.low - known), max(0, hand.high - known)

    # ---------------------------------------------------------------------------------------------- bargains and frames
    def _bargain(self, offer: Bargain) -> Bargain:
        """Return a bargain; promised hand cards are known to its two seats alone."""
        if not offer.cards or self.seat in (offer.frm, offer.to):
            return offer
        return replace(offer, cards=self._mask(offer.cards))

    def _fight(self, fight: Fight | None) -> Fight | None:
        if fight is None or fight.bargain is None:
            return fight
        return replace(fight, bargain=self._bargain(fight.bargain))

    def _frame(self, place: int, frame: AnyFrame) -> AnyFrame:
        """Return what the seat knows of a running procedure. A procedure that waits for another one to end asks again
        when it continues, so its asks are left out."""
        top = place == len(self.state.stack) - 1
        changes: dict[str, object] = {}
        if frame.asks:
            changes["asks"] = [self._ask(ask) for ask in frame.asks] if top else []
        if frame.answers:
            changes["answers"] = self._own(frame.answers)
        own = isinstance(frame, _OF_ONE_SEAT) and frame.seat == self.seat
        match frame:
            case Window() if frame.passed:
                changes["passed"] = [no for no in frame.passed if no in (self.seat, frame.seat)]
            case TurnFrame() if frame.drawn and not own:
                changes["drawn"] = self._mask(frame.drawn)
            case Charity() if not own:
                even = len(frame.cards) // len(frame.takers) if frame.takers else 0
                changes |= {"cards": self._mask(frame.cards), "counts": [even] * len(frame.counts)}
            case Excess() if not own:
                changes |= {"cards": UNTOLD * len(frame.cards), "sale": UNTOLD if frame.sale else []}
            case Rewards() if frame.bargain is not None:
                told = self.seat in (frame.bargain.frm, frame.bargain.to)
                changes |= {
                    "bargain": self._bargain(frame.bargain), "cards": frame.cards if told else self._mask(frame.cards)
                }  # fmt: skip
            case Run() if frame.answers:  # everybody sees that a seat without an ask has answered
                changes["answers"] = dict.fromkeys(frame.answers, UNTOLD) | self._own(frame.answers)
            case Program():
                changes |= self._program(frame, place)
        return replace(frame, **changes) if changes else frame

    def _own(self, answers: dict[int, list[int]]) -> dict[int, list[int]]:
        """Return the seat's own answer only: even whether another seat has answered is secret."""
        return {seat: picks for seat, picks in answers.items() if seat == self.seat}

    def _ask(self, ask: Ask) -> Ask:
        """Return an ask; if it is another seat's, only what everybody sees (view.Deciding)."""
        return ask if ask.seat == self.seat else Ask(1, ask.seat, ask.kind, [], 0, 0, ask.card)

    def _program(self, frame: Program, place: int) -> dict[str, object]:
        """Return what the seat knows of running card text, without the cards from hands that it is about and without
        what others were shown.

        A monster that a text brings stays in the hand until the text brings it in, which everybody sees.
        """
        brought = frame.brought
        if brought and frame.you != self.seat:
            there = brought in self.state.seats[frame.you].hand
            brought = card_id(1, frame.you + 1, self.unseen) if there else 0
        return {
            "answers": self._own(frame.answers) | self._earlier_answers(frame, place), "brought": brought,
            "seen": {who: cards if who == self.seat else self._mask(cards) for who, cards in frame.seen.items()},
        }  # fmt: skip

    def _earlier_answers(self, frame: Program, place: int) -> dict[int, list[int]]:
        """Return the answers to the earlier questions of an effect. Answers of others, and answers without a choice,
        are UNTOLD."""
        found = {}
        for number in sorted((number for number in frame.answers if number < 0), reverse=True):
            g = Game(self.cat, clone(self.state))
            asking = g.state.stack[place]
            assert isinstance(asking, Program)
            asking.answers = {earlier: picks for earlier, picks in frame.answers.items() if number < earlier < 0}
            asking.asks = []
            perform(g, asking, self.cat.cards[asking.defn].parts[asking.part][asking.at])
            own = number not in asking.answers and asking.asks[-1].seat == self.seat
            found[number] = frame.answers[number] if own else UNTOLD
        return found


@lru_cache(maxsize=ROWS)
def _hidden(owner: int, unseen: int, count: int) -> tuple[int, ...]:
    """Return stand-ins for the hidden cards of a hand. owner: as in model.card_id."""
    return tuple([card_id(place, owner, unseen) for place in range(1, count + 1)])


def _pool(pile: Pile) -> Pool:
    return Pool(pile.below, tuple(pile.pool))


def _best_known(held: tuple[int, int]) -> tuple[int, int, int]:
    """The order of held cards: those that can lie in few places come first."""
    return held[1].bit_count(), held[1], held[0]
