"""What happened, told as one plain line of log for each audience: no markup, no numbering (the screen's business).

An event first passes events.seen_by, then is told here: what this seat did as "You ...", what is hidden from it as a
count. One small function for each kind of event; those that are not worth a line have none.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core import events as ev
from core.catalog import Catalog
from core.events import AnyEvent, seen_by
from core.model import Deal, defn_of

_DECKS = {"door": ("Door card", "Door cards"), "treasure": ("Treasure", "Treasures")}
_ENTRANCES = ("found", "trouble")
"""How a monster came when the fight that it began has been told already."""


class _Teller:
    """Words for one reader: names of seats and cards, and verbs that agree with them."""

    def __init__(self, catalog: Catalog, names: Sequence[str], me: int) -> None:
        self.catalog, self.names, self.me = catalog, names, me

    def name(self, seat: int) -> str:
        """A seat in the middle of a sentence."""
        if seat == self.me and seat >= 0:
            return "you"
        return self.names[seat] if 0 <= seat < len(self.names) else "nobody"

    def whose(self, seat: int) -> str:
        if seat == self.me and seat >= 0:
            return "your"
        name = self.name(seat)
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    def does(self, seat: int, verb: str) -> str:
        """A seat as the subject of a verb, given in the form for you: "You draw", "Kim draws"."""
        if seat == self.me and seat >= 0:
            return f"You {verb}"
        first, _, rest = verb.partition(" ")
        return f"{self.name(seat)} {_third(first)}{' ' + rest if rest else ''}"

    def defn(self, defn: int) -> str:
        return self.catalog.cards[defn].card.name if 0 <= defn < len(self.catalog.cards) else "a card"

    def card(self, card: int) -> str:
        return self.defn(defn_of(card)) if card else "a card"

    def cards(self, cards: Sequence[int]) -> str:
        return listed([self.card(card) for card in cards])

    def level(self, defn: int) -> str:
        """A monster with its printed Level."""
        level = self.catalog.cards[defn].card.level
        return f"{self.defn(defn)} (Level {level})" if level is not None else self.defn(defn)


_IRREGULAR = {"are": "is", "have": "has", "do": "does"}


def _third(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def counted(number: int, one: str, many: str) -> str:
    """1 Treasure, 2 Treasures."""
    return f"{number} {one if number == 1 else many}"


def signed(number: int) -> str:
    """+3 or -3."""
    return f"{number:+d}"


# ------------------------------------------------------------------------------------------------------------ cards
def _drew(t: _Teller, e: ev.Drew) -> str | None:
    if not e.count:
        return None
    if e.cards:
        return f"{t.does(e.seat, 'draw')} {t.cards(e.cards)}{', face up' if e.face_up else ''}"
    return f"{t.does(e.seat, 'draw')} {counted(e.count, *_DECKS[e.deck])}"


def _turned(t: _Teller, e: ev.Turned) -> str | None:
    return f"{t.does(e.seat, 'open')} the door: {t.card(e.card)}"


def _shuffled(t: _Teller, e: ev.Shuffled) -> str | None:
    return f"The {e.deck.capitalize()} discards are shuffled into a new deck"


_MOVED = {
    "played": "play {card}{on}",
    "discarded": "discard {card}",
    "lost": "lose {card}",
    "sold": "sell {card}",
    "spent": "discard {card} to pay",
    "looted": "take {card} from {whose} body",
    "found": "take {card} in hand",
    "put on": "put on {card}",
    "recovered": "take {card} from the discards",
    "shared": "take {card}",
}
"""By the word in the event: what its doer does."""
_PASSED = {"given": "give", "charity": "give", "promised": "give", "traded": "trade"}
_SILENT = ("done", "left", "stays", "laid out")
"""Tidying up after something that a line of its own has told."""


def _moved(t: _Teller, e: ev.Moved) -> str | None:
    if e.why in _SILENT or e.frm == "lasting" or (e.to == "fight" and e.why != "played"):
        return None
    card = t.card(max(e.card, e.new))
    doer = e.seat if e.seat >= 0 else e.at
    if e.why in _PASSED and e.at != e.to_seat and e.to_seat >= 0:
        return f"{t.does(e.at, _PASSED[e.why])} {card} to {t.name(e.to_seat)}"
    if e.why == "taken" and e.at != e.to_seat and e.to_seat >= 0:
        return f"{t.does(e.to_seat, 'take')} {card} from {t.name(e.at)}"
    if e.why in _MOVED and doer >= 0:
        on = f" on {t.card(e.on)}" if e.on else ""
        return t.does(doer, _MOVED[e.why].format(card=card, on=on, whose=t.whose(e.at)))
    return _moved_plainly(t, e, card)


def _moved_plainly(t: _Teller, e: ev.Moved, card: str) -> str | None:
    """A move by where it went, for reasons that have no words of their own."""
    if e.to in ("door", "treasure"):
        return f"{t.does(e.at, 'lose')} {card}" if e.at >= 0 and e.frm in ("hand", "table") else f"{card} is discarded"
    if e.to == "hand":
        return f"{t.does(e.to_seat, 'take')} {card} in hand"
    if e.to == "table" and (e.frm, e.at) != ("table", e.to_seat):
        return f"{t.does(e.to_seat, 'put')} {card} into play"
    return None


def _flipped(t: _Teller, e: ev.Flipped) -> str | None:
    if e.on:
        return f"{t.does(e.seat, 'hand')} {t.card(e.card)} to {t.card(e.on)}"
    card = t.card(e.card)
    return t.does(e.seat, f"equip {card}" if e.up else f"turn {card} sideways")


def _shown(t: _Teller, e: ev.Shown) -> str | None:
    if e.cards:
        return f"{t.does(e.seat, 'see')} {t.whose(e.at)} hand: {t.cards(e.cards)}"
    return f"{t.does(e.seat, 'look')} at {t.whose(e.at)} hand"


# ------------------------------------------------------------------------------------------------- levels and dice
def _level(t: _Teller, e: ev.LevelChanged) -> str | None:
    if not e.by:
        return None
    many = counted(abs(e.by), "level", "levels")
    why = f" ({e.why})" if e.why else ""
    return f"{t.does(e.seat, 'gain' if e.by > 0 else 'lose')} {many}{why}: Level {e.level}"


def _rolled(t: _Teller, e: ev.Rolled) -> str | None:
    terms = "".join(f" {'-' if by < 0 else '+'} {abs(by)} ({label})" for label, by in e.adds)
    total = e.die + sum(by for _, by in e.adds)
    told = f"{t.does(e.seat, 'roll')} {e.die}{terms}{f' = {total}' if e.adds else ''}"
    if e.monster:
        told += f" to run from {t.card(e.monster)}"
    elif e.why:
        told += f" ({e.why})"
    return f"{told}; {e.need} needed" if e.need else told


def _fled(t: _Teller, e: ev.Fled) -> str | None:
    if e.escaped:
        return f"{t.does(e.seat, 'escape')} from {t.defn(e.defn)}"
    return f"{t.defn(e.defn)} catches {t.name(e.seat)}"


def _safe(t: _Teller, e: ev.Safe) -> str | None:
    what = {0: "any monster", -1: "the next monster"}.get(e.monster) or t.card(e.monster)
    return t.does(e.seat, f"need no roll against {what}")


# -------------------------------------------------------------------------------------------------- turns and fights
def _turn(t: _Teller, e: ev.TurnBegan) -> str | None:
    return "Your turn" if e.seat == t.me else f"{t.whose(e.seat)} turn"


def _kicked(t: _Teller, e: ev.Kicked) -> str | None:
    return f"{t.does(e.seat, 'are')} about to open the door"


def _fight(t: _Teller, e: ev.FightBegan) -> str | None:
    return f"{t.does(e.seat, 'fight')} {t.level(defn_of(e.card))}"


def _came(t: _Teller, e: ev.MonsterCame) -> str | None:
    return None if e.how in _ENTRANCES else f"{t.level(e.defn)} {e.how}"


_LEFT = {"killed": "is killed", "removed": "is got rid of", "swapped": "leaves"}


def _left(t: _Teller, e: ev.MonsterLeft) -> str | None:
    worth = f", {counted(e.treasures, 'Treasure', 'Treasures')} due" if e.treasures else ""
    return f"{t.defn(e.defn)} {_LEFT[e.how]}{worth}" if e.how in _LEFT else None


def _strengthened(t: _Teller, e: ev.Strengthened) -> str | None:
    bonus = e.bonus
    if bonus.side == "heroes":
        whom = "the heroes"
    else:
        whom = t.card(bonus.on) if bonus.on > 4095 else "the monsters"
    parts = [f"{signed(bonus.by)} to {whom}"] if bonus.by else []
    if bonus.treasures:
        parts.append(f"{signed(bonus.treasures)} {'Treasure' if abs(bonus.treasures) == 1 else 'Treasures'}")
    return f"{t.defn(bonus.defn)}: {', '.join(parts)}" if parts else None


def _helper(t: _Teller, e: ev.HelperCame) -> str | None:
    if e.compelled:
        return f"{t.does(e.seat, 'have')} to help"
    return f"{t.does(e.seat, 'help')}{f' for {_terms(t, e.deal)}' if e.deal else ''}"


def _helper_left(t: _Teller, e: ev.HelperLeft) -> str | None:
    if e.why == "backs out":
        return t.does(e.seat, "back out of the fight")
    return f"{t.does(e.seat, 'are')} out of the fight{'' if e.why in ('died', 'goes free') else f' ({e.why})'}"


def _fighter(t: _Teller, e: ev.FighterChanged) -> str | None:
    return f"The fight passes from {t.name(e.frm)} to {t.name(e.to)}"


def _stage(t: _Teller, e: ev.StageSet) -> str | None:
    if e.stage == "won":
        return t.does(e.seat, f"win the fight{f' by {e.margin}' if e.margin else ', a tie'}")
    return t.does(e.seat, f"lose the fight by {e.margin} and must run") if e.stage == "lost" else None


_ENDED = {
    "removed": "The fight is over: no monster is left",
    "died": "The fight is over: its fighter is dead",
    "ended": "The fight is over without a winner",
}


def _ended(t: _Teller, e: ev.FightEnded) -> str | None:
    return _ENDED.get(e.how)


def _used(t: _Teller, e: ev.UsedAbility) -> str | None:
    on = f" on {t.name(e.on)}" if 0 <= e.on < len(t.names) else ""
    paid = f", discarding {counted(e.paid, 'card', 'cards')}" if e.paid else ""
    return f"{t.does(e.seat, 'use')} {t.card(e.card)}{on}{paid}"


# ---------------------------------------------------------------------------------------------------------- bargains
def _terms(t: _Teller, deal: Deal, cards: int = 0) -> str:
    """What a bargain gives its taker, in a few words; cards are promised hand cards that this reader may not know."""
    parts = []
    if deal.treasures:
        first = ", first pick" if deal.helper_first else ""
        parts.append(counted(deal.treasures, "Treasure", "Treasures") + first)
    if deal.gives:
        parts.append(t.cards(deal.gives))
    if deal.cards:
        parts.append(f"{t.cards(deal.cards)} played from the hand")
    if cards:
        parts.append(f"{counted(cards, 'card', 'cards')} played from the hand")
    return listed(parts) or "nothing"


def _offered(t: _Teller, e: ev.Offered) -> str | None:
    deal = e.deal
    to = t.name(deal.to) if deal.to >= 0 else "the table"
    if deal.kind == "help":
        what = f"{_terms(t, deal, e.cards)} for help"
        if deal.frm == deal.helper:
            return f"{t.does(deal.frm, 'offer')} {to} help for {_terms(t, deal, e.cards)}"
    elif deal.kind == "trade":
        what = f"{t.cards(deal.gives) or 'nothing'} for {t.cards(deal.wants) or 'nothing'}"
    else:
        what = f"{t.cards(deal.gives)} as a gift"
    return f"{t.does(deal.frm, 'offer')} {to} {what}"


_CLOSED = {"declined": "decline an offer", "withdrawn": "take an offer back", "withdraw": "take an offer back"}


def _closed(t: _Teller, e: ev.OfferClosed) -> str | None:
    if e.how == "accepted":
        return f"{t.does(e.seat, 'accept')} an offer"
    return t.does(e.seat, _CLOSED[e.how]) if e.how in _CLOSED and e.seat >= 0 else None


# -------------------------------------------------------------------------------------------- death, curses, the end
def _died(t: _Teller, e: ev.Died) -> str | None:
    return f"{t.does(e.seat, 'die')}"


def _returned(t: _Teller, e: ev.Returned) -> str | None:
    return f"{t.does(e.seat, 'are')} back from the dead"


_UNTIL = {
    "combat": "until the combat is over",
    "next-combat": "in the next combat",
    "turn": "until the turn is over",
    "next-turn": "in the next turn",
    "roll": "for the next roll",
    "level": "until the next level",
    "forever": "until it is lifted",
}


def _lasting(t: _Teller, e: ev.LastingBegan) -> str | None:
    return f"{t.defn(e.lasting.defn)} holds for {t.name(e.seat)} {_UNTIL.get(e.lasting.until, '')}".rstrip()


def _lasting_ended(t: _Teller, e: ev.LastingEnded) -> str | None:
    return f"{t.defn(e.defn)} no longer holds for {t.name(e.seat)}"


def _armed(t: _Teller, e: ev.LastingArmed) -> str | None:
    return f"What waited for {t.name(e.seat)} counts now"


_WINDOWS = {
    "claim": "{claim} the kill: anything to say?",
    "lost": "{give} the fight up: anything to say?",
    "removed": "The last monster is gone: anything to say?",
}


def _window(t: _Teller, e: ev.WindowOpened) -> str | None:
    told = _WINDOWS.get(e.kind)
    return told.format(claim=t.does(e.seat, "claim"), give=t.does(e.seat, "give")) if told else None


def _held(t: _Teller, e: ev.Held) -> str | None:
    return f"{t.does(e.seat, 'have')} something to say: wait"


def _released(t: _Teller, e: ev.Released) -> str | None:
    return f"{t.does(e.seat, 'let')} the clock run again"


def _chose(t: _Teller, e: ev.Chose) -> str | None:
    return f"{t.does(e.seat, 'choose')}: {e.text}"


def _fizzled(t: _Teller, e: ev.Fizzled) -> str | None:
    if e.defn < 0:
        return e.why or None
    whom = f" for {t.name(e.seat)}" if e.seat >= 0 else ""
    return f"{t.defn(e.defn)} comes to nothing{whom}{f': {e.why}' if e.why else ''}"


def _won(t: _Teller, e: ev.Won) -> str | None:
    if list(e.seats) == [t.me]:
        told = "You win the game"
    else:
        who = listed([t.name(seat) for seat in e.seats])
        told = f"{who[:1].upper()}{who[1:]} {'win' if len(e.seats) > 1 else 'wins'} the game"
    return f"{told}{' together, the helper too' if e.why == 'shared' else ''}"


def _laid_out(t: _Teller, e: ev.LaidOut) -> str | None:
    return f"{t.does(e.seat, 'begin')} with {t.cards(e.cards)}"


def _sold_double(t: _Teller, e: ev.SoldDouble) -> str | None:
    return f"{t.whose(e.seat)} {t.card(e.card)} counts twice"


def _new_hand(t: _Teller, e: ev.NewHand) -> str | None:
    return t.does(e.seat, "begin with a new hand")


_TELL: dict[type, Callable[[_Teller, Any], str | None]] = {
    ev.Drew: _drew, ev.Turned: _turned, ev.Shuffled: _shuffled, ev.Moved: _moved, ev.Flipped: _flipped,
    ev.Shown: _shown, ev.LevelChanged: _level, ev.Rolled: _rolled, ev.Fled: _fled, ev.Safe: _safe, ev.TurnBegan: _turn,
    ev.Kicked: _kicked, ev.LaidOut: _laid_out, ev.NewHand: _new_hand, ev.SoldDouble: _sold_double,
    ev.FightBegan: _fight, ev.MonsterCame: _came, ev.MonsterLeft: _left, ev.Strengthened: _strengthened,
    ev.HelperCame: _helper, ev.HelperLeft: _helper_left, ev.FighterChanged: _fighter, ev.StageSet: _stage,
    ev.FightEnded: _ended, ev.UsedAbility: _used, ev.Offered: _offered, ev.OfferClosed: _closed, ev.Died: _died,
    ev.Returned: _returned, ev.LastingBegan: _lasting, ev.LastingArmed: _armed, ev.LastingEnded: _lasting_ended,
    ev.WindowOpened: _window, ev.Held: _held, ev.Released: _released, ev.Chose: _chose, ev.Fizzled: _fizzled,
    ev.Won: _won,
}  # fmt: skip


def line(event: AnyEvent, catalog: Catalog, names: Sequence[str], me: int) -> str | None:
    """One line for what this seat (-1: a spectator) may know of the event; None if it is not worth a line.

    names: of all seats, in order. Cards out of this seat's sight are told as numbers of cards.
    """
    seen = seen_by(event, me)
    if seen is None:
        return None
    tell = _TELL.get(type(seen))
    told = tell(_Teller(catalog, names, me), seen) if tell else None
    return None if told is None else told[:1].upper() + told[1:]
