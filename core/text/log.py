"""The log: what happened, as one plain line of English for each reader, without markup or numbers.

events.seen_by removes from an event what its reader may not know. Then one small function for each kind of event makes
the line: acts of the reader begin with "You", and hidden cards are counted. Events that are not worth a line have no
function.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from core.language.catalog import Catalog
from core.state import actions as a
from core.state import events as ev
from core.state.events import AnyEvent, seen_by
from core.state.model import Bargain, defn_of
from core.text.foes import Foes
from core.text.grammar import NO_OFFERS, Grammar, counted, listed, third
from core.text.log_fights import FIGHTS

_DECKS = {"door": ("Door card", "Door cards"), "treasure": ("Treasure", "Treasures")}


# ------------------------------------------------------------------------------------------------------------ cards
def _drew(t: Grammar, e: ev.Drew) -> str | None:
    if not e.count:
        return None
    if e.cards:
        return f"{t.does(e.seat, 'draw')} {t.cards(e.cards)}{', face up' if e.face_up else ''}"
    return f"{t.does(e.seat, 'draw')} {counted(e.count, *_DECKS[e.deck])}"


def _turned(t: Grammar, e: ev.Turned) -> str | None:
    return f"{t.does(e.seat, 'open')} the door: {t.card(e.card)}"


def _shuffled(t: Grammar, e: ev.Shuffled) -> str | None:
    return f"The {e.deck.capitalize()} discards are shuffled into a new deck"


FROM_HAND = " from hand"
"""Follows the name of a card that somebody discards or loses out of their hand."""
TO_PAY = " to pay"
"""Follows the name of a card that somebody discards as a price."""
_MOVED = {
    "played": "play {card}{on}{target}",
    "discarded": "discard {card}{hand}",
    "lost": "lose {card}{hand}",
    "sold": "sell {card}",
    "spent": "discard {card}" + TO_PAY,
    "looted": "take {card} from {whose} body",
    "sacrificed": "sacrifice {card}",
    "found": "take {card} into hand",
    "put on": "put on {card}",
    "recovered": "take {card} from the discards",
    "shared": "take {card}",
}
"""The verb for what the seat does, by the reason in the event."""
PASSED = {"given": "give", "charity": "give", "promised": "give", "traded": "trade", "swapped": "pass"}
"""The verb for handing a card to another seat, by the reason in the event."""
_SILENT = ("done", "left", "stays", "laid out")
"""Reasons for moves that follow from something that has a line of its own."""


def _moved(t: Grammar, e: ev.Moved) -> str | None:
    if e.why in _SILENT or e.frm == "lasting" or (e.to == "fight" and e.why != "played"):
        return None
    card = t.card(max(e.card, e.new))
    doer = e.seat if e.seat >= 0 else e.at
    if e.why in PASSED and e.at != e.to_seat and e.to_seat >= 0:
        return f"{t.does(e.at, PASSED[e.why])} {card} to {t.name(e.to_seat)}{_occasion(t, e.why)}"
    if e.why == "taken" and e.at != e.to_seat and e.to_seat >= 0:
        return f"{t.does(e.to_seat, 'take')} {card} from {t.name(e.at)}"
    if e.why in _MOVED and doer >= 0:
        on = f" on {t.monsters(e.on) if e.to == 'fight' else t.card(e.on)}" if e.on else ""
        return t.does(doer, _MOVED[e.why].format(
            card=card, on=on, target=_on_target(t, e), whose=t.whose(e.at), hand=_out_of_hand(e)
        ))  # fmt: skip
    return _moved_plainly(t, e, card)


def _occasion(t: Grammar, why: str) -> str:
    """Return the occasion on which a card is given away, in brackets: " (charity)"; "" for a gift."""
    charity = t.catalog.packs[0].words.phases.get("charity", "charity").lower()
    words = {"charity": charity, "promised": "as promised"}.get(why)
    return f" ({words})" if words else ""


def _on_target(t: Grammar, e: ev.Moved) -> str:
    """Return " on ..." with the player the card was played on; "" for a level card played on its own player."""
    if e.on_seat < 0 or (e.on_seat == e.seat and t.catalog.cards[defn_of(e.new)].kind == "level"):
        return ""
    if e.on_seat == e.seat:
        return " on yourself" if e.seat == t.me else " on themselves"
    return f" on {t.name(e.on_seat)}"


def _out_of_hand(e: ev.Moved) -> str:
    """Return FROM_HAND for a card that leaves a hand, since the same card may be in play beside it; else ""."""
    return FROM_HAND if e.frm == "hand" else ""


def _moved_plainly(t: Grammar, e: ev.Moved, card: str) -> str | None:
    """Return the line of a move whose reason has no words of its own, by where the card went."""
    if e.to in ("door", "treasure"):
        there = e.at >= 0 and e.frm in ("hand", "table")
        return f"{t.does(e.at, 'lose')} {card}{_out_of_hand(e)}" if there else f"{card} is discarded"
    if e.to == "hand":
        return f"{t.does(e.to_seat, 'take')} {card} into hand"
    if e.to == "table" and (e.frm, e.at) != ("table", e.to_seat):
        return f"{t.does(e.to_seat, 'put')} {card} into play"
    return None


def _flipped(t: Grammar, e: ev.Flipped) -> str | None:
    if e.on:
        return f"{t.does(e.seat, 'hand')} {t.card(e.card)} to {t.card(e.on)}"
    card = t.card(e.card)
    if e.kept:
        return t.does(e.seat, f"keep {card} {'equipped' if e.up else 'carried'} without room for it")
    both = " in both hands" if e.both else ""
    return t.does(e.seat, f"equip {card}{both}" if e.up else f"put {card} away")


def _counted(t: Grammar, e: ev.Counted) -> str | None:
    there = counted(e.counters, "counter", "counters") if e.counters else "no counters"
    return f"{t.whose(e.seat)} {t.card(e.card)} has {there} now"


def _shown(t: Grammar, e: ev.Shown) -> str | None:
    if e.cards:
        return f"{t.does(e.seat, 'see')} {t.whose(e.at)} hand: {t.defns(e.cards)}"
    return f"{t.does(e.seat, 'look')} at {t.whose(e.at)} hand"


def _peeked(t: Grammar, e: ev.Peeked) -> str | None:
    one, many = _DECKS[e.deck]
    top = f"the top {one}" if e.count == 1 else f"the top {e.count} {many}"
    return f"{t.does(e.seat, 'look')} at {top}{f': {t.defns(e.cards)}' if e.cards else ''}"


def _reordered(t: Grammar, e: ev.Reordered) -> str | None:
    return f"{t.does(e.seat, 'put')} {counted(e.count, *_DECKS[e.deck])} under the deck" if e.under else None


def _hands_passed(t: Grammar, e: ev.HandsPassed) -> str | None:
    mine = e.hands[t.me] if 0 <= t.me < len(e.hands) else []
    return f"All hands are passed to the {e.to}{f'; you get {t.cards(mine)}' if mine else ''}"


# ------------------------------------------------------------------------------------------------- levels and dice
def _level(t: Grammar, e: ev.LevelChanged) -> str | None:
    if not e.by:
        return None
    many = counted(abs(e.by), "level", "levels")
    why = f" ({e.why})" if e.why else ""
    return f"{t.does(e.seat, 'gain' if e.by > 0 else 'lose')} {many}{why}: Level {e.level}"


def _rolled(t: Grammar, e: ev.Rolled) -> str | None:
    terms = "".join(f" {'-' if by < 0 else '+'} {abs(by)} ({label})" for label, by in e.adds)
    total = e.die + sum(by for _, by in e.adds)
    on = "" if e.sides == 6 else f" on a die with {e.sides} sides"
    text = f"{t.does(e.seat, 'roll')} {e.die}{on}{terms}{f' = {total}' if e.adds else ''}"
    if e.monster:
        text += f" to run from {t.monster(e.monster)}"
    elif e.why:
        text += f" ({e.why}{f' on {t.name(e.on)}' if e.on >= 0 else ''})"
    return f"{text}; {e.need} needed" if e.need else text


def _rolled_again(t: Grammar, e: ev.RolledAgain) -> str | None:
    die = "the die" if e.roller == e.seat else f"{t.whose(e.roller)} die"
    return f"{t.does(e.seat, 'have')} {die} rolled again ({t.card(e.card)})"


# -------------------------------------------------------------------------------------------------- turns and fights
def _turn(t: Grammar, e: ev.TurnBegan) -> str | None:
    turn = "turn" if e.after < 0 else "extra turn"
    return f"Your {turn}" if e.seat == t.me else f"{t.whose(e.seat)} {turn}"


def _extra_turn(t: Grammar, e: ev.ExtraTurn) -> str | None:
    return f"{t.does(e.seat, 'have')} an extra turn after this one ({t.defn(e.defn)})"


# -------------------------------------------------------------------------------------------- death, curses, the end
def _died(t: Grammar, e: ev.Died) -> str | None:
    return f"{t.does(e.seat, 'die')}"


def _returned(t: Grammar, e: ev.Returned) -> str | None:
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
"""An effect that would wait begins at once if its moment has come (curse.next-combat, curse.next-turn)."""


def _lasting(t: Grammar, e: ev.LastingBegan) -> str | None:
    until = e.lasting.until
    when = _NOW.get(until) if e.lasting.armed else None
    return f"{t.defn(e.lasting.defn)} affects {t.name(e.seat)} {when or _UNTIL.get(until, '')}".rstrip()


def _lasting_ended(t: Grammar, e: ev.LastingEnded) -> str | None:
    return f"{t.defn(e.defn)} no longer affects {t.name(e.seat)}"


def _armed(t: Grammar, e: ev.LastingArmed) -> str | None:
    what = t.defn(e.defn) if e.defn >= 0 else "A delayed effect"
    return f"{what} affects {t.name(e.seat)} from now on"


def _chose(t: Grammar, e: ev.Chose) -> str | None:
    return f"{t.does(e.seat, 'choose')}: {e.text}"


# ------------------------------------------------------------------------------------------------- Seals and sex
def _seals_made(t: Grammar, e: ev.SealsMade) -> str | None:
    return f"{counted(e.count, 'Seal is', 'Seals are')} shuffled, all of them closed"


def _seal_opened(t: Grammar, e: ev.SealOpened) -> str | None:
    return f"{t.does(e.seat, 'open')} the Seal {t.defn(e.defn)}: {_open_seals(e.open)}"


def _seal_closed(t: Grammar, e: ev.SealClosed) -> str | None:
    why = f"{t.whose(e.climber)} {e.why}" if e.climber >= 0 else e.why
    return f"The Seal {t.defn(e.defn)} is closed ({why}): {_open_seals(e.open)}"


def _open_seals(number: int) -> str:
    return f"{counted(number, 'Seal is', 'Seals are')} open" if number else "no Seal is open"


def _sex(t: Grammar, e: ev.SexChanged) -> str | None:
    return f"{t.does(e.seat, 'are')} {e.sex}"


# ---------------------------------------------------------------------------------------------------------- the end
def _fizzled(t: Grammar, e: ev.Fizzled) -> str | None:
    if e.defn < 0:
        return e.why or None
    if e.why == ev.NOTHING_TO_LOSE and e.seat >= 0:  # one part of a text: other parts may still cost something
        return f"{t.does(e.seat, 'have')} nothing that {t.defn(e.defn)} takes"
    monster = 0 <= e.defn < len(t.catalog.cards) and t.catalog.cards[e.defn].kind == "monster"
    if e.seat >= 0 and (e.why in _TAKES_NOT or (monster and e.why == ev.BY_ROLL)):
        return f"{t.defn(e.defn)} takes {_TAKES_NOT.get(e.why, 'nothing')} from {t.name(e.seat)}: {e.why}"
    target = f" on {t.name(e.seat)}" if e.seat >= 0 else ""
    return f"{t.defn(e.defn)} has no effect{target}{f': {e.why}' if e.why else ''}"


_TAKES_NOT = {ev.LOWEST_LEVEL: "no level", ev.NONE_APPLIES: "nothing", ev.NO_BAD_STUFF: "nothing"}
"""Words for what a card does not take from a player, by the reason in the event."""


_ENDS = {"shared": " together, the helper too", "the seventh Seal": ": the seventh Seal is open"}


ACTIONS: dict[type, str] = {
    a.Kick: "open the door", a.Claim: "claim the kill", a.Flee: "run away", a.EndTurn: "end the turn",
    a.Equip: "change gear", a.Unequip: "change gear", a.Accept: "accept an offer", a.Offer: "make an offer",
    a.Counter: "make a counter-offer", a.Decline: "decline an offer", a.Withdraw: "withdraw an offer",
    a.Give: "give Items", a.Sell: "sell Items", a.Discard: "discard", a.Use: "use a card", a.Play: "play a card",
    a.Answer: "choose", a.Hold: "stop the clock", a.Pass: "pass", a.Done: "carry on", a.Loot: "loot", a.Roll: "roll",
    a.Trouble: "fight",
}  # fmt: skip
"""Words for what a seat does, by its action."""
_BY_NAME = {str(kind.__struct_config__.tag): words for kind, words in ACTIONS.items()}  # type: ignore[attr-defined]


def action_words(what: str, you: bool = False) -> str:
    """Return an action in words, by its name on the wire: "claims the kill", or "claim the kill" if `you` did it."""
    words = _BY_NAME.get(what, what.replace("_", " "))
    return words if you else third(words)


def _stepped_back(t: Grammar, e: ev.SteppedBack) -> str | None:
    if not e.what and e.rev < 0:  # a lesson or a puzzle, which may also begin anew or show its solution
        return "The table lies as it lay before"
    done = f'"{action_words(e.what, you=True)}"' if e.what else "last act"
    known = "; you know what it has shown, so your career leaves this game out" if e.learnt else ""
    if e.seat == e.by:
        return f"{t.name(e.by)} took back {done if e.what else f'{t.whose(e.by)} {done}'}{known}"
    return f"{t.whose(e.by)} {done} is taken back, as {t.name(e.seat)} asked{known}"


def _won(t: Grammar, e: ev.Won) -> str | None:
    if list(e.seats) == [t.me]:
        text = "You win the game"
    else:
        who = listed([t.name(seat) for seat in e.seats])
        text = f"{who[:1].upper()}{who[1:]} {'win' if len(e.seats) > 1 else 'wins'} the game"
    return f"{text}{_ENDS.get(e.why, '')}"


def _laid_out(t: Grammar, e: ev.LaidOut) -> str | None:
    return f"{t.does(e.seat, 'begin')} with {t.cards(e.cards)}"


def _sold_double(t: Grammar, e: ev.SoldDouble) -> str | None:
    return f"{t.whose(e.seat)} {t.card(e.card)} sells for twice its value"


def _new_hand(t: Grammar, e: ev.NewHand) -> str | None:
    return t.does(e.seat, "start again with a new hand")


SENTENCES: dict[type, Callable[[Grammar, Any], str | None]] = {
    ev.Drew: _drew, ev.Turned: _turned, ev.Shuffled: _shuffled, ev.Moved: _moved, ev.Flipped: _flipped,
    ev.Counted: _counted, ev.Shown: _shown, ev.Peeked: _peeked, ev.Reordered: _reordered, ev.HandsPassed: _hands_passed,
    ev.LevelChanged: _level, ev.Rolled: _rolled, ev.TurnBegan: _turn, ev.LaidOut: _laid_out,
    ev.ExtraTurn: _extra_turn, ev.RolledAgain: _rolled_again,
    ev.NewHand: _new_hand, ev.SoldDouble: _sold_double, ev.Died: _died, ev.Returned: _returned,
    ev.LastingBegan: _lasting, ev.LastingArmed: _armed, ev.LastingEnded: _lasting_ended, ev.Chose: _chose,
    ev.SealsMade: _seals_made, ev.SealOpened: _seal_opened, ev.SealClosed: _seal_closed, ev.SexChanged: _sex,
    ev.Fizzled: _fizzled, ev.SteppedBack: _stepped_back, ev.Won: _won, **FIGHTS,
}  # fmt: skip


def log_line(
    event: AnyEvent, catalog: Catalog, names: Sequence[str], me: int, foes: Foes | None = None,
    offers: Mapping[int, Bargain] = NO_OFFERS,
) -> str | None:  # fmt: skip
    """Return one line for the part of an event that a seat (me; -1: a spectator) may know; None if it is not worth a
    line.

    names: the names of all seats, in order. foes: the monsters in the combat before the event, to tell equal ones
    apart. offers: those that were open before it, by number, to say which one has ended. Cards that the seat may not
    see are counted, not named.
    """
    seen = seen_by(event, me)
    if seen is None:
        return None
    sentence = SENTENCES.get(type(seen))
    text = sentence(Grammar(catalog, names, me, foes, offers), seen) if sentence else None
    return None if text is None else text[:1].upper() + text[1:]
