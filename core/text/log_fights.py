"""The lines of the log about fights: how they begin and grow, who helps at what price, running away, windows."""

from collections.abc import Callable
from typing import Any

from core.state import events as ev
from core.state.model import DEFN_MASK, Bargain, defn_of
from core.text.grammar import Grammar, counted, listed

_ENTRANCES = ("found", "trouble", "loot")
"""Ways of arrival of a monster that need no line, because the fight it begins has one."""


def _kicked(t: Grammar, e: ev.Kicked) -> str | None:
    return f"{t.does(e.seat, 'are')} about to open the door"


def _fight(t: Grammar, e: ev.FightBegan) -> str | None:
    return f"{t.does(e.seat, 'fight')} {t.level(defn_of(e.card))}"


def _came(t: Grammar, e: ev.MonsterCame) -> str | None:
    if e.how == ev.COPIED:
        return f"A copy of {t.level(e.defn)} joins"
    if e.how == "joins":
        return f"{t.does(e.seat, 'let')} {t.level(e.defn)} join"
    return None if e.how in _ENTRANCES else f"{t.level(e.defn)} {e.how}"


_LEFT = {
    "killed": "is killed", "removed": "is removed from the fight", "swapped": "leaves", "undone": "leaves again",
}  # fmt: skip


def _left(t: Grammar, e: ev.MonsterLeft) -> str | None:
    worth = f", {counted(e.treasures, 'Treasure', 'Treasures')} due" if e.treasures else ""
    which = t.defn(e.defn) if t.foes.won or t.foes.found(e.id) is None else t.monster(e.id)
    return f"{which} {_LEFT[e.how]}{worth}" if e.how in _LEFT else None


def _strengthened(t: Grammar, e: ev.Strengthened) -> str | None:
    bonus = e.bonus
    if bonus.side == "heroes":
        target = "the heroes"
    else:
        target = t.monsters(bonus.on) if bonus.on > DEFN_MASK else "the monsters"
    itself = target == t.defn(bonus.defn)
    parts = [f"{bonus.by:+d}" if itself else f"{bonus.by:+d} to {target}"] if bonus.by else []
    if bonus.treasures:
        parts.append(f"{bonus.treasures:+d} {'Treasure' if abs(bonus.treasures) == 1 else 'Treasures'}")
    return f"{t.defn(bonus.defn)}: {', '.join(parts)}" if parts else None


def _undone(t: Grammar, e: ev.Undone) -> str | None:
    return t.does(e.seat, f"undo {t.card(e.card)}")


def _helper(t: Grammar, e: ev.HelperCame) -> str | None:
    if e.compelled:
        return f"{t.does(e.seat, 'have')} to help"
    return f"{t.does(e.seat, 'help')}{f' for {_terms(t, e.bargain, e.cards)}' if e.bargain else ''}"


def _helper_left(t: Grammar, e: ev.HelperLeft) -> str | None:
    if e.why == "backs out":
        return t.does(e.seat, "back out of the fight")
    return f"{t.does(e.seat, 'are')} out of the fight{'' if e.why in ('died', 'goes free') else f' ({e.why})'}"


def _fighter(t: Grammar, e: ev.FighterChanged) -> str | None:
    return f"The fight passes from {t.name(e.frm)} to {t.name(e.to)}"


def _stage(t: Grammar, e: ev.StageSet) -> str | None:
    if e.stage == "won":
        return t.does(e.seat, f"win the fight{f' by {e.margin}' if e.margin else ', a tie'}")
    by = f"by {e.margin}" if e.margin else "on a tie"
    return t.does(e.seat, f"lose the fight {by} and must run away") if e.stage == "lost" else None


_ENDED = {
    "removed": "The fight is over: no monster is left",
    "died": "The fight is over: the fighter is dead",
    "ended": "The fight is over without a winner",
}


def _ended(t: Grammar, e: ev.FightEnded) -> str | None:
    return _ENDED.get(e.how)


def _used(t: Grammar, e: ev.UsedAbility) -> str | None:
    on = f" on {t.name(e.on)}" if 0 <= e.on < len(t.names) else ""
    paid = f", discarding {counted(e.paid, 'card', 'cards')}" if e.paid else ""
    return f"{t.does(e.seat, 'use')} {t.card(e.card)}{on}{paid}"


# ------------------------------------------------------------------------------------------------------- running away
def _fled(t: Grammar, e: ev.Fled) -> str | None:
    why = f": {e.why}" if e.why else ""
    which = t.defn(e.defn) if t.foes.found(e.monster) is None else t.monster(e.monster)
    if e.escaped:
        return f"{t.does(e.seat, 'escape')} from {which}{why}"
    return f"{which} catches {t.name(e.seat)}{why}"


def _rides(t: Grammar, e: ev.Rides) -> str | None:
    return t.does(e.seat, f"run away with {t.card(e.card)}")


def _safe(t: Grammar, e: ev.Safe) -> str | None:
    what = {0: "any monster", -1: "the next monster"}.get(e.monster) or t.monster(e.monster)
    return t.does(e.seat, f"need no roll against {what}")


# ---------------------------------------------------------------------------------------------------------- bargains
def _terms(t: Grammar, bargain: Bargain, cards: int = 0) -> str:
    """Return what a bargain gives the helper. cards: how many promised hand cards this reader may not know."""
    parts = []
    if bargain.treasures:
        first = ", first pick" if bargain.helper_first else ""
        parts.append(counted(bargain.treasures, "Treasure", "Treasures") + first)
    if bargain.gives:
        parts.append(t.cards(bargain.gives))
    if bargain.cards:
        parts.append(f"{t.cards(bargain.cards)} played from the hand")
    if cards:
        parts.append(f"{counted(cards, 'card', 'cards')} played from the hand")
    return listed(parts) or "nothing"


def _offered(t: Grammar, e: ev.Offered) -> str | None:
    bargain = e.bargain
    to = t.name(bargain.to) if bargain.to >= 0 else "the table"
    if bargain.kind == "help":
        what = f"{_terms(t, bargain, e.cards)} for help"
        if bargain.frm == bargain.helper:
            return f"{t.does(bargain.frm, 'offer')} {to} help for {_terms(t, bargain, e.cards)}"
    elif bargain.kind == "trade":
        what = f"{t.cards(bargain.gives) or 'nothing'} for {t.cards(bargain.wants) or 'nothing'}"
    else:
        what = f"{t.cards(bargain.gives)} as a gift"
    return f"{t.does(bargain.frm, 'offer')} {to} {what}"


_CLOSED = {
    "accepted": "accept {offer}", "declined": "say no to {offer}", "withdrawn": "take {offer} back",
    "countered": "want other terms for {offer}",
}  # fmt: skip
"""What a seat does that ends an offer, by how it ended."""


def _closed(t: Grammar, e: ev.OfferClosed) -> str | None:
    deal = t.offers.get(e.no)
    if e.how == "lapsed":
        mine = deal is not None and t.me in (deal.frm, deal.to)
        return f"{_whose_offer(t, deal)} has lapsed" if mine and deal is not None else None
    if e.how not in _CLOSED or e.seat < 0:
        return None
    if deal is None:
        offer = "an offer"
    elif deal.frm == e.seat:
        offer = "your offer" if e.seat == t.me else "the offer"
    else:
        offer = _whose_offer(t, deal)
    return t.does(e.seat, _CLOSED[e.how].format(offer=offer))


def _whose_offer(t: Grammar, deal: Bargain) -> str:
    """Return an offer by who has made it: "your offer", "Bo's offer to you"."""
    to = f" to {t.name(deal.to)}" if deal.to >= 0 and deal.frm != t.me else ""
    return f"{t.whose(deal.frm)} offer{to}"


# ---------------------------------------------------------------------------------------------------- windows
_WINDOWS = {
    "claim": "{claim} the kill: does anybody respond?",
    "lost": "{give} up the fight: does anybody respond?",
    "removed": "The last monster is gone: does anybody respond?",
    "reward": "What the fight pays ends the game: does anybody respond?",
}


def _window(t: Grammar, e: ev.WindowOpened) -> str | None:
    text = _WINDOWS.get(e.kind)
    return text.format(claim=t.does(e.seat, "claim"), give=t.does(e.seat, "give")) if text else None


def _held(t: Grammar, e: ev.Held) -> str | None:
    return f"{t.does(e.seat, 'stop')} the clock to respond"


def _released(t: Grammar, e: ev.Released) -> str | None:
    return f"{t.does(e.seat, 'let')} the clock run again"


FIGHTS: dict[type, Callable[[Grammar, Any], str | None]] = {
    ev.Kicked: _kicked, ev.FightBegan: _fight, ev.MonsterCame: _came, ev.MonsterLeft: _left,
    ev.Strengthened: _strengthened, ev.Undone: _undone, ev.HelperCame: _helper, ev.HelperLeft: _helper_left,
    ev.FighterChanged: _fighter,
    ev.StageSet: _stage, ev.FightEnded: _ended, ev.UsedAbility: _used, ev.Fled: _fled, ev.Safe: _safe,
    ev.Rides: _rides, ev.Offered: _offered, ev.OfferClosed: _closed, ev.WindowOpened: _window, ev.Held: _held,
    ev.Released: _released,
}  # fmt: skip
