"""What becomes of the offers that a player has made or been made. Pure."""

from collections.abc import Iterable, Mapping, Sequence

from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import Bargain

KEPT = 4
"""At most this many answers are kept: the newest."""
_TO_MY_OFFER = {"declined": "{who}: no.", "countered": "{who}: not on these terms.", "accepted": "{who}: agreed."}
"""What the other player says, by how an offer of the reader's ended."""


class Offers:
    """Follows the open offers, event by event. open: by number, as the seat sees them. answers: what has become of
    those that concern the reader since they were read last, each as a sentence."""

    def __init__(self) -> None:
        self.open: Mapping[int, Bargain] = {}
        self.answers: tuple[str, ...] = ()

    def clear(self) -> None:
        """Forget everything: another game."""
        self.open, self.answers = {}, ()

    def read(self) -> None:
        """Note that the reader has acted, and so has read the answers."""
        self.answers = ()

    def set(self, offers: Iterable[Bargain]) -> None:
        """Take over the offers that are open now."""
        self.open = {deal.no: deal for deal in offers}

    def follow(self, event: AnyEvent, names: Sequence[str], me: int) -> None:
        """Take in an event. me: the reader's seat, -1: a spectator."""
        if isinstance(event, ev.Offered):
            self.open = {**self.open, event.bargain.no: event.bargain}
        elif isinstance(event, ev.OfferClosed):
            said = self._said(event, names, me)
            if said:
                self.answers = (*(one for one in self.answers if one != said), said)[-KEPT:]
            self.open = {no: deal for no, deal in self.open.items() if no != event.no}
        elif isinstance(event, ev.SteppedBack):
            self.answers = ()

    def touches(self, event: AnyEvent, me: int) -> bool:
        """Return whether somebody else, or the course of the game, ends an offer of the reader or to the reader."""
        deal = self.open.get(event.no) if isinstance(event, ev.OfferClosed) and event.seat != me else None
        return deal is not None and me >= 0 and me in (deal.frm, deal.to)

    def _said(self, event: ev.OfferClosed, names: Sequence[str], me: int) -> str:
        """Return what to tell the reader about the end of an offer; "" if the offer does not concern them, or they
        ended it themselves."""
        deal = self.open.get(event.no)
        if deal is None or not self.touches(event, me):
            return ""
        who = names[event.seat] if 0 <= event.seat < len(names) else ""
        if event.how == "withdrawn":
            return f"{who} has taken the offer back."
        if event.how == "lapsed":
            return "Your offer no longer stands." if deal.frm == me else ""
        return _TO_MY_OFFER.get(event.how, "").format(who=who) if deal.frm == me else ""
