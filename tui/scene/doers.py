"""Who caused an event, by which card, and which seats it touches. Pure; it reads only what the reader may see."""

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from core.text.grammar import third
from core.text.log import PASSED


def doer(event: AnyEvent) -> int:
    """Return the seat that an event is about: who did it or suffered it; -1 for none."""
    if isinstance(event, ev.WindowOpened):
        return event.seat if event.kind in ("claim", "lost") else -1  # nobody asks where a monster has gone by a card
    if isinstance(event, ev.Moved):
        if event.why == "taken" and event.to_seat >= 0:
            return event.to_seat
        if event.why in PASSED and event.at >= 0:
            return event.at
        return event.seat if event.seat >= 0 else event.at if event.at >= 0 else event.to_seat
    if isinstance(event, ev.Offered):
        return event.bargain.frm
    if isinstance(event, ev.Strengthened):
        return event.bonus.seat
    if isinstance(event, ev.SealClosed):
        return event.climber
    if isinstance(event, ev.FighterChanged):
        return event.to
    if isinstance(event, ev.Won):
        return event.seats[0] if event.seats else -1
    return int(getattr(event, "seat", -1))


def touches(event: AnyEvent, me: int) -> bool:
    """Return whether an event does something to this seat that it did not do itself."""
    if isinstance(event, _OF_ITS_SEAT):
        return doer(event) == me
    if isinstance(event, ev.Moved):
        if event.at == me and event.why in ("lost", *_FREELY):
            return event.why == "lost"
        return me in (event.at, event.to_seat, event.on_seat) and event.seat not in (-1, me)
    if isinstance(event, ev.Offered):
        return event.bargain.to == me
    if isinstance(event, ev.Fled):
        return event.seat == me and not event.escaped
    if isinstance(event, ev.HelperCame):
        return event.seat == me and event.compelled
    if isinstance(event, ev.UsedAbility | ev.Rolled):
        return event.on == me and event.seat != me
    if isinstance(event, ev.Shown):
        return event.at == me and event.seat != me
    if isinstance(event, ev.FighterChanged):
        return me in (event.frm, event.to)
    if isinstance(event, ev.SteppedBack):
        return event.by == me and event.seat != me
    if isinstance(event, ev.Won):
        return me in event.seats
    return isinstance(event, ev.HandsPassed)


def hits(event: AnyEvent) -> bool:
    """Return whether an event does something to another seat than the one that does it: a card played on them, a card
    taken from them, what they lose by it."""
    if isinstance(event, ev.LastingBegan | ev.LastingArmed):
        return True
    if isinstance(event, ev.UsedAbility | ev.Rolled):
        return event.on not in (-1, event.seat)
    if not isinstance(event, ev.Moved) or event.why in _FREELY:
        return False
    lost = event.why == "lost" and event.frm in ("hand", "table")
    return lost or (event.seat >= 0 and any(seat not in (-1, event.seat) for seat in (event.at, event.on_seat)))


_FREELY = ("charity", "given", "promised")
"""Why a seat hands over a card that nobody takes from it."""
_OF_ITS_SEAT = (ev.LevelChanged, ev.LastingBegan, ev.LastingArmed, ev.Died, ev.Returned, ev.ExtraTurn, ev.SexChanged)
"""Events that happen to their seat."""


def compels(event: AnyEvent) -> bool:
    """Return whether an event makes somebody help."""
    return isinstance(event, ev.HelperCame) and event.compelled


def asking(before: View | None, otherwise: int = -1) -> int:
    """Return the definition of the card that asks somebody in a view; otherwise: if none does."""
    found = (deciding.card for deciding in (before.deciding if before is not None else ()))
    return next((card for card in found if card >= 0), otherwise)


def asked_for(event: AnyEvent, before: View | None) -> int:
    """Return the definition of the card whose text has asked a seat for the card that it loses; -1 if none has."""
    if before is None or not isinstance(event, ev.Moved) or event.at < 0 or event.why not in ("lost", "discarded"):
        return -1
    lost = defn_of(max(event.card, event.new))
    found = (one.card for one in before.deciding if one.seat == event.at)
    return next((card for card in found if card >= 0 and card != lost), -1)


def by_card(text: str, defn: int, catalog: Catalog) -> str:
    """Return a sentence with the card that is its cause. defn: its definition, -1 if it is not known."""
    return f"{text} ({catalog.cards[defn].card.name})" if 0 <= defn < len(catalog.cards) else text


BOT = "A bot for you"
_DEEDS = (
    ev.Moved, ev.Flipped, ev.Kicked, ev.FightBegan, ev.UsedAbility, ev.RolledAgain, ev.Offered, ev.OfferClosed,
    ev.LaidOut, ev.Chose, ev.SoldDouble, ev.Held, ev.Released,
)  # fmt: skip
"""What somebody decides to do."""


def bot_words(event: AnyEvent, text: str) -> str:
    """Return the sentence of what the reader's seat did while a bot played for them, with the bot as its subject; what
    became of the seat keeps its words."""
    deed = text.removeprefix("You ")
    did = deed != text and isinstance(event, _DEEDS) and not touches(event, doer(event))
    return f"{BOT} {third(deed)}" if did else text
