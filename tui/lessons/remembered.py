"""What a seat has done in this game, as the memory of a bot, taken from the events that the seat has seen.

Each hint is worked out from the view alone, so that asking for one changes nothing. But the view does not show which
offers were declined in this fight; without this memory, a hint would make the same offer again and again.
"""

from collections.abc import Iterable

from core.state import events as ev
from core.state.model import DEFN_MASK, Bargain
from core.state.views import View
from netcode.bots.memory import ITEM_OFFERED, Memory
from netcode.bots.trading import LOOKED


def remembered(view: View, seat: int, happened: Iterable[ev.AnyEvent]) -> Memory:
    """Return what a bot in this seat would remember. happened: the events of this game that the seat has seen, in
    order, as far as they are kept."""
    return _Reader(view, seat).read(happened)


class _Reader:
    """Reads events into a memory; each method takes one kind."""

    def __init__(self, view: View, seat: int) -> None:
        self._seat, self._turn = seat, 0
        self._fight = view.fight.no if view.fight is not None else -1
        self._offers: dict[int, Bargain] = {}
        self._refused: set[int] = set()
        self._open = {offer.no for offer in view.offers}
        self.memory = Memory(turn_no=view.turn_no, fight_no=self._fight)

    def read(self, happened: Iterable[ev.AnyEvent]) -> Memory:
        for event in happened:
            if isinstance(event, ev.TurnBegan):
                self._begin_turn(event.no)
            elif isinstance(event, ev.Offered):
                self._offers[event.bargain.no] = event.bargain
                self._note_turn(event.bargain)
            elif isinstance(event, ev.OfferClosed) and event.seat == self._seat and event.how == "declined":
                self._refused.add(event.no)
            elif isinstance(event, ev.Flipped) and event.seat == self._seat:
                self._flip(event)
            elif isinstance(event, ev.Moved) and event.seat == self._seat and event.why == "played":
                self.memory.identities[event.card & DEFN_MASK] = self._turn
            elif isinstance(event, ev.SteppedBack):
                self._step_back(event)
        for offer in self._offers.values():
            self._note_offer(offer)
        return self.memory

    def _begin_turn(self, number: int) -> None:
        self._turn = number
        self.memory.turned.clear()
        self.memory.tried.clear()

    def _note_turn(self, offer: Bargain) -> None:
        """Note an offer of this seat that is made once in a turn."""
        if offer.frm == self._seat and offer.kind == "trade":
            self.memory.tried.add(LOOKED)
        elif offer.frm == self._seat and offer.gives:
            self.memory.tried.add((offer.to, ITEM_OFFERED))

    def _flip(self, event: ev.Flipped) -> None:
        """Note how an Item was turned: a bot does not turn it the same way again in this turn."""
        ways = [(event.card, event.on, both) for both in (False, True)] if event.up else [(event.card, -1)]
        self.memory.turned.update(ways)

    def _step_back(self, event: ev.SteppedBack) -> None:
        """Forget what was undone, and what may have been undone."""
        self._offers = {no: offer for no, offer in self._offers.items() if offer.at <= event.rev}
        self.memory.turned.clear()
        self.memory.tried.clear()

    def _note_offer(self, offer: Bargain) -> None:
        memory = self.memory
        if offer.frm == self._seat and offer.kind == "trade":
            memory.traded |= {(mine, other) for mine in offer.gives for other in offer.wants}
        if offer.kind != "help" or offer.fight != self._fight:
            return
        if offer.frm == self._seat:
            memory.offers_made += 1
            memory.offered[offer.to] = max(offer.treasures, memory.offered.get(offer.to, 0))
        elif offer.no in self._refused and offer.no not in self._open:
            memory.refusing.add(offer.frm)
