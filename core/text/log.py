"""What happened, told as one plain line of log for each audience: no markup, no numbering (the screen's business).

An event first passes events.seen_by, then is told here: what this seat did as "You ...", what is hidden from it as a
count. One small function for each kind of event; those that are not worth a line have none.
"""

from collections.abc import Callable, Sequence
from typing import Any

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent, seen_by
from core.state.model import defn_of
from core.text.grammar import Voice, counted, listed, third
from core.text.log_fights import FIGHTS

_DECKS = {"door": ("Door card", "Door cards"), "treasure": ("Treasure", "Treasures")}


# ------------------------------------------------------------------------------------------------------------ cards
def _drew(t: Voice, e: ev.Drew) -> str | None:
    if not e.count:
        return None
    if e.cards:
        return f"{t.does(e.seat, 'draw')} {t.cards(e.cards)}{', face up' if e.face_up else ''}"
    return f"{t.does(e.seat, 'draw')} {counted(e.count, *_DECKS[e.deck])}"


def _turned(t: Voice, e: ev.Turned) -> str | None:
    return f"{t.does(e.seat, 'open')} the door: {t.card(e.card)}"


def _shuffled(t: Voice, e: ev.Shuffled) -> str | None:
    return f"The {e.deck.capitalize()} discards are shuffled into a new deck"


_MOVED = {
    "played": "play {card}{on}{whom}",
    "discarded": "discard {card}",
    "lost": "lose {card}",
    "sold": "sell {card}",
    "spent": "discard {card} to pay",
    "looted": "take {card} from {whose} body",
    "sacrificed": "sacrifice {card}",
    "found": "take {card} in hand",
    "put on": "put on {card}",
    "recovered": "take {card} from the discards",
    "shared": "take {card}",
}
"""By the word in the event: what its doer does."""
_PASSED = {"given": "give", "charity": "give", "promised": "give", "traded": "trade"}
_SILENT = ("done", "left", "stays", "laid out")
"""Tidying up after something that a line of its own has told."""


def _moved(t: Voice, e: ev.Moved) -> str | None:
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
        return t.does(doer, _MOVED[e.why].format(card=card, on=on, whom=_whom(t, e), whose=t.whose(e.at)))
    return _moved_plainly(t, e, card)


def _whom(t: Voice, e: ev.Moved) -> str:
    """On whom a card was played; that one goes up a level oneself goes without saying."""
    if e.on_seat < 0 or (e.on_seat == e.seat and t.catalog.cards[defn_of(e.new)].kind == "level"):
        return ""
    if e.on_seat == e.seat:
        return " on yourself" if e.seat == t.me else " on themselves"
    return f" on {t.name(e.on_seat)}"


def _moved_plainly(t: Voice, e: ev.Moved, card: str) -> str | None:
    """A move by where it went, for reasons that have no words of their own."""
    if e.to in ("door", "treasure"):
        return f"{t.does(e.at, 'lose')} {card}" if e.at >= 0 and e.frm in ("hand", "table") else f"{card} is discarded"
    if e.to == "hand":
        return f"{t.does(e.to_seat, 'take')} {card} in hand"
    if e.to == "table" and (e.frm, e.at) != ("table", e.to_seat):
        return f"{t.does(e.to_seat, 'put')} {card} into play"
    return None


def _flipped(t: Voice, e: ev.Flipped) -> str | None:
    if e.on:
        return f"{t.does(e.seat, 'hand')} {t.card(e.card)} to {t.card(e.on)}"
    card = t.card(e.card)
    if e.kept:
        return t.does(e.seat, f"keep {card} {'in use' if e.up else 'turned sideways'}, with no room for it")
    both = " in both hands" if e.both else ""
    return t.does(e.seat, f"equip {card}{both}" if e.up else f"turn {card} sideways")


def _shown(t: Voice, e: ev.Shown) -> str | None:
    if e.cards:
        return f"{t.does(e.seat, 'see')} {t.whose(e.at)} hand: {t.cards(e.cards)}"
    return f"{t.does(e.seat, 'look')} at {t.whose(e.at)} hand"


# ------------------------------------------------------------------------------------------------- levels and dice
def _level(t: Voice, e: ev.LevelChanged) -> str | None:
    if not e.by:
        return None
    many = counted(abs(e.by), "level", "levels")
    why = f" ({e.why})" if e.why else ""
    return f"{t.does(e.seat, 'gain' if e.by > 0 else 'lose')} {many}{why}: Level {e.level}"


def _rolled(t: Voice, e: ev.Rolled) -> str | None:
    terms = "".join(f" {'-' if by < 0 else '+'} {abs(by)} ({label})" for label, by in e.adds)
    total = e.die + sum(by for _, by in e.adds)
    told = f"{t.does(e.seat, 'roll')} {e.die}{terms}{f' = {total}' if e.adds else ''}"
    if e.monster:
        told += f" to run from {t.card(e.monster)}"
    elif e.why:
        told += f" ({e.why})"
    return f"{told}; {e.need} needed" if e.need else told


# -------------------------------------------------------------------------------------------------- turns and fights
def _turn(t: Voice, e: ev.TurnBegan) -> str | None:
    return "Your turn" if e.seat == t.me else f"{t.whose(e.seat)} turn"


# -------------------------------------------------------------------------------------------- death, curses, the end
def _died(t: Voice, e: ev.Died) -> str | None:
    return f"{t.does(e.seat, 'die')}"


def _returned(t: Voice, e: ev.Returned) -> str | None:
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


_NOW = {"next-combat": "in this combat", "next-turn": "in this turn"}
"""What would wait counts at once if its time is on (curse.next-combat, curse.next-turn)."""


def _lasting(t: Voice, e: ev.LastingBegan) -> str | None:
    until = e.lasting.until
    when = _NOW.get(until) if e.lasting.armed else None
    return f"{t.defn(e.lasting.defn)} holds for {t.name(e.seat)} {when or _UNTIL.get(until, '')}".rstrip()


def _lasting_ended(t: Voice, e: ev.LastingEnded) -> str | None:
    return f"{t.defn(e.defn)} no longer holds for {t.name(e.seat)}"


def _armed(t: Voice, e: ev.LastingArmed) -> str | None:
    return f"What waited for {t.name(e.seat)} counts now"


def _chose(t: Voice, e: ev.Chose) -> str | None:
    return f"{t.does(e.seat, 'choose')}: {e.text}"


# ------------------------------------------------------------------------------------------------- Seals and sex
def _seals_made(t: Voice, e: ev.SealsMade) -> str | None:
    return f"{counted(e.count, 'Seal is', 'Seals are')} shuffled, all of them closed"


def _seal_opened(t: Voice, e: ev.SealOpened) -> str | None:
    return f"{t.does(e.seat, 'open')} the Seal {t.defn(e.defn)}: {_open_seals(e.open)}"


def _seal_closed(t: Voice, e: ev.SealClosed) -> str | None:
    why = f"{t.whose(e.climber)} {e.why}" if e.climber >= 0 else e.why
    return f"The Seal {t.defn(e.defn)} is closed ({why}): {_open_seals(e.open)}"


def _open_seals(number: int) -> str:
    return f"{counted(number, 'Seal is', 'Seals are')} open" if number else "no Seal is open"


def _sex(t: Voice, e: ev.SexChanged) -> str | None:
    return f"{t.does(e.seat, 'are')} {e.sex}"


# ---------------------------------------------------------------------------------------------------------- the end
def _fizzled(t: Voice, e: ev.Fizzled) -> str | None:
    if e.defn < 0:
        return e.why or None
    whom = f" for {t.name(e.seat)}" if e.seat >= 0 else ""
    return f"{t.defn(e.defn)} comes to nothing{whom}{f': {e.why}' if e.why else ''}"


_ENDS = {"shared": " together, the helper too", "the seventh Seal": ": the seventh Seal is open"}


_BACK = {
    "kick": "open the door", "claim": "claim the kill", "flee": "run away", "end_turn": "end the turn",
    "equip": "change gear", "unequip": "change gear", "accept": "take an offer", "offer": "make an offer",
    "counter": "answer an offer", "decline": "decline an offer", "withdraw": "withdraw an offer", "give": "give Items",
    "sell": "sell Items", "discard": "discard", "use": "use a card", "play": "play a card", "answer": "choose",
    "hold": "hold the table", "pass": "pass", "done": "go on", "loot": "loot", "roll": "run", "trouble": "fight",
}  # fmt: skip
"""By the name of an action: what was done when it was taken."""


def taken_back(what: str, you: bool = False) -> str:
    """An action by its name on the wire, in words: "claims the kill", for you "claim the kill"."""
    words = _BACK.get(what, what.replace("_", " "))
    return words if you else third(words)


def _stepped_back(t: Voice, e: ev.SteppedBack) -> str | None:
    done = taken_back(e.what, you=e.by == t.me)
    return f"As {t.name(e.seat)} asked, the table steps back to before {t.name(e.by)} {done}"


def _won(t: Voice, e: ev.Won) -> str | None:
    if list(e.seats) == [t.me]:
        told = "You win the game"
    else:
        who = listed([t.name(seat) for seat in e.seats])
        told = f"{who[:1].upper()}{who[1:]} {'win' if len(e.seats) > 1 else 'wins'} the game"
    return f"{told}{_ENDS.get(e.why, '')}"


def _laid_out(t: Voice, e: ev.LaidOut) -> str | None:
    return f"{t.does(e.seat, 'begin')} with {t.cards(e.cards)}"


def _sold_double(t: Voice, e: ev.SoldDouble) -> str | None:
    return f"{t.whose(e.seat)} {t.card(e.card)} counts twice"


def _new_hand(t: Voice, e: ev.NewHand) -> str | None:
    return t.does(e.seat, "begin with a new hand")


_TELL: dict[type, Callable[[Voice, Any], str | None]] = {
    ev.Drew: _drew, ev.Turned: _turned, ev.Shuffled: _shuffled, ev.Moved: _moved, ev.Flipped: _flipped,
    ev.Shown: _shown, ev.LevelChanged: _level, ev.Rolled: _rolled, ev.TurnBegan: _turn, ev.LaidOut: _laid_out,
    ev.NewHand: _new_hand, ev.SoldDouble: _sold_double, ev.Died: _died, ev.Returned: _returned,
    ev.LastingBegan: _lasting, ev.LastingArmed: _armed, ev.LastingEnded: _lasting_ended, ev.Chose: _chose,
    ev.SealsMade: _seals_made, ev.SealOpened: _seal_opened, ev.SealClosed: _seal_closed, ev.SexChanged: _sex,
    ev.Fizzled: _fizzled, ev.SteppedBack: _stepped_back, ev.Won: _won, **FIGHTS,
}  # fmt: skip


def line(event: AnyEvent, catalog: Catalog, names: Sequence[str], me: int) -> str | None:
    """One line for what this seat (-1: a spectator) may know of the event; None if it is not worth a line.

    names: of all seats, in order. Cards out of this seat's sight are told as numbers of cards.
    """
    seen = seen_by(event, me)
    if seen is None:
        return None
    tell = _TELL.get(type(seen))
    told = tell(Voice(catalog, names, me), seen) if tell else None
    return None if told is None else told[:1].upper() + told[1:]
