"""Whether an action is allowed: `clause_of` decides for `submit` and `check`, and `legal` lists what it allows.

Playing, equipment, sales and bargains have their own modules, each with conditions and the listing that uses them. This
module has the conditions for asks, windows, the turn and running away, and the tables of all actions.
"""

from collections.abc import Callable
from typing import Any

from core.language.schema import LootFight, TopDiscard
from core.moves.bargains import accept_clause, counter_clause, decline_clause, find_offer, offer_clause, withdraw_clause
from core.moves.equipment import discarding_clause, equipping_clause, unequipping_clause
from core.moves.play import play_clause, use_clause
from core.moves.sales import sell_clause
from core.moves.timing import blocked
from core.queries.lookup import trouble_options
from core.queries.modifiers import forbidden, forbidder, mods_of
from core.queries.rewards import ends_game, match_point
from core.queries.strength import winning
from core.state import actions as a
from core.state.actions import Refusal
from core.state.game import valid_picks
from core.state.model import Ask, Run, Setup, Window
from core.state.reader import Reader
from core.state.refusals import FORBIDDEN, Clause, reason

HOLDS = 2
"""How many holds one seat has in one fight."""

Check = Callable[[Reader, int, Any], Clause | None]
"""Returns the clause that forbids a seat an action; None if it is allowed."""


def refusal(g: Reader, seat: int, action: a.AnyAction) -> Refusal | None:
    """Return why this seat (-1: the host) may not do this now; None if it may."""
    clause = clause_of(g, seat, action)
    if not clause:
        return None
    fight = g.state.fight
    if clause == "changed" and fight is not None:
        return Refusal(clause, reason(clause), fight.changed_by, fight.changed_at)
    return Refusal(clause, _by_card(g, seat, clause, action) or reason(clause))


def _by_card(g: Reader, seat: int, clause: Clause, action: a.AnyAction) -> str:
    """Return the sentence that names the card which forbids this; empty if no card does."""
    sentences = FORBIDDEN.get(clause, {})
    if clause == "combat.many-abilities" and isinstance(action, a.Play):
        kind = "one-shots" if g.of(action.card).card.one_shot else "enhancers"
        sentences = {kind: sentences[kind]}
    fight, offer = g.state.fight, find_offer(g, getattr(action, "offer", 0))
    seats = [seat, getattr(action, "to", -1)] + ([offer.frm, offer.to] if offer is not None else [])
    seats += [fight.seat] if fight is not None and clause in _OF_FIGHTER else []
    for what, sentence in sentences.items():
        for one in seats:
            found = forbidder(g, what, one) if 0 <= one < len(g.state.seats) else None
            if found is not None:
                return sentence.format(found.name)
    return ""


_OF_FIGHTER = ("help.ask", "no asking", "combat.many-abilities")
"""Clauses that let a card of the main fighter forbid something to others."""


def clause_of(g: Reader, seat: int, action: a.AnyAction) -> Clause | None:
    """Return the clause that forbids this action of this seat (-1: the host) now; None if it is allowed."""
    kind = type(action)
    if kind in a.HOST_ONLY:
        return HOST[kind](g, seat, action) if seat == -1 and g.state.stack else "bad"
    if not 0 <= seat < len(g.state.seats):
        return "bad"
    if g.state.winners or not g.state.stack:
        return "over"
    if g.state.seats[seat].dead:
        return "death.nothing"
    awaited = AWAITED.get(kind)
    if awaited is not None:
        return awaited(g, seat, action)
    return blocked(g) or _laid_out_clause(g, seat, action) or FREE[kind](g, seat, action)


def _laid_out_clause(g: Reader, seat: int, action: a.AnyAction) -> Clause | None:
    """Return the clause that makes a seat wait for the others after laying out its first cards (setup.order)."""
    waits = type(g.state.stack[-1]) is Setup and not isinstance(action, a.Done)
    return "setup.order" if waits and not any(ask.seat == seat for ask in g.state.stack[-1].asks) else None


# -------------------------------------------------------------------------------------------------- asks and windows
def live_ask(g: Reader, seat: int, kind: str) -> Ask | None:
    """Return the ask of the frame on top for a seat, if it is of this kind."""
    for ask in g.state.stack[-1].asks:
        if ask.seat == seat and ask.kind == kind:
            return ask
    return None


def _asked(kind: str) -> Check:
    """Return a check whether the seat is asked for this kind of answer."""

    def check(g: Reader, seat: int, action: Any) -> Clause | None:
        return None if live_ask(g, seat, kind) is not None else "stale"

    return check


def _answer(g: Reader, seat: int, action: a.Answer) -> Clause | None:
    for ask in g.state.stack[-1].asks:
        if ask.seat == seat and ask.id == action.ask:
            if ask.hi == 0 or ask.kind == "roll":
                return "answer"
            return None if valid_picks(ask.options, ask.lo, ask.hi, list(action.picks)) else "answer"
    waiting = any(ask.seat == seat and ask.id == action.ask for frame in g.state.stack[:-1] for ask in frame.asks)
    return "later" if waiting else "stale"


def _open_window(g: Reader, seat: int, number: int) -> Window | None:
    """Return the window with this number if it is on top and the seat has not passed it."""
    top = g.state.stack[-1]
    return top if isinstance(top, Window) and top.id == number and seat not in top.passed else None


def _pass(g: Reader, seat: int, action: a.Pass) -> Clause | None:
    return None if _open_window(g, seat, action.window) is not None else "stale"


def _hold(g: Reader, seat: int, action: a.Hold) -> Clause | None:
    window = _open_window(g, seat, action.window)
    return hold_clause(g, seat, window) if window is not None else "stale"


def hold_clause(g: Reader, seat: int, window: Window) -> Clause | None:
    """Return "limit" if this window cannot be held: it is before a door, is held already, or the seat has no holds
    left in this fight."""
    fight = g.state.fight
    if fight is None or window.kind == "kick" or window.holder >= 0 or fight.holds[seat] >= HOLDS:
        return "limit"
    return None


# ------------------------------------------------------------------------------------------------------ turn and run
def _done(g: Reader, seat: int, action: a.Done) -> Clause | None:
    """Allow a seat to finish laying out first cards, or to skip phase 2 if it may not loot (turn.loot)."""
    if live_ask(g, seat, "ready") is not None:
        return None
    if live_ask(g, seat, "trouble") is None:
        return "stale"
    return None if forbidden(g, "loot", seat) else "turn.loot"


def _trouble(g: Reader, seat: int, action: a.Trouble) -> Clause | None:
    if live_ask(g, seat, "trouble") is None:
        return "turn.trouble"
    return None if action.card in trouble_options(g, seat) else "turn.trouble"


def _loot(g: Reader, seat: int, action: a.Loot) -> Clause | None:
    if live_ask(g, seat, "trouble") is None:
        return "turn.loot"
    return "no looting" if forbidden(g, "loot", seat) else deck_clause(g, seat, action.deck)


def deck_clause(g: Reader, seat: int, deck: str) -> Clause | None:
    """Return the clause that forbids a seat to loot from this deck (as in Loot); the seat may loot."""
    if deck == "door":
        return None if g.state.options.listen and mods_of(g, seat, LootFight) else "fast.loot-treasure"
    if deck == "discard":
        pile = g.state.treasure_out if g.state.options.listen else g.state.door_out
        return None if pile and mods_of(g, seat, TopDiscard) else "cards.discards"
    return None


def _claim(g: Reader, seat: int, action: a.Claim) -> Clause | None:
    if live_ask(g, seat, "fight") is None:
        return "stale"
    return None if winning(g) else "combat.compare"


def _flee(g: Reader, seat: int, action: a.Flee) -> Clause | None:
    if live_ask(g, seat, "fight") is None:
        return "stale"
    return "flee.only-losing" if winning(g) else None


def _roll(g: Reader, seat: int, action: a.Roll) -> Clause | None:
    top = g.state.stack[-1]
    if not isinstance(top, Run) or live_ask(g, seat, "roll") is None:
        return "stale"
    return None if action.monster in top.left else "target"


# ----------------------------------------------------------------------------------------------------------- bargains
def _give(g: Reader, seat: int, action: a.Give) -> Clause | None:
    return offer_clause(g, seat, action.to, a.Terms("gift", gives=action.cards))


def _offer(g: Reader, seat: int, action: a.Offer) -> Clause | None:
    return "terms" if action.terms.kind == "gift" else offer_clause(g, seat, action.to, action.terms)


def _counter(g: Reader, seat: int, action: a.Counter) -> Clause | None:
    return counter_clause(g, seat, find_offer(g, action.offer), action.terms)


def _accept(g: Reader, seat: int, action: a.Accept) -> Clause | None:
    return accept_clause(g, seat, find_offer(g, action.offer))


def _decline(g: Reader, seat: int, action: a.Decline) -> Clause | None:
    return decline_clause(seat, find_offer(g, action.offer))


def _withdraw(g: Reader, seat: int, action: a.Withdraw) -> Clause | None:
    return withdraw_clause(seat, find_offer(g, action.offer))


# ----------------------------------------------------------------------------------------------------------- the host
def _close(g: Reader, seat: int, action: a.Close) -> Clause | None:
    """Allow the host to close a window that nobody holds, unless that would end the game (combat.last-moment)."""
    top = g.state.stack[-1]
    if not isinstance(top, Window) or top.id != action.window or top.holder >= 0:
        return "stale"
    decides = ends_game(g, won=False) if top.kind == "lost" else top.kind != "kick" and match_point(g)
    return "combat.last-moment" if decides else None


def _default(g: Reader, seat: int, action: a.Default) -> Clause | None:
    asks = g.state.stack[-1].asks
    return None if any(ask.seat == action.seat and ask.id == action.ask for ask in asks) else "stale"


def _step_back(g: Reader, seat: int, action: a.StepBack) -> Clause | None:
    """Refuse: the rules keep no earlier states, so core/undo.py carries it out."""
    return "bad"


# ------------------------------------------------------------------------------------------- every action and its check
HOST: dict[type, Check] = {a.Close: _close, a.Default: _default, a.StepBack: _step_back}
"""Actions of the host."""
AWAITED: dict[type, Check] = {a.Answer: _answer, a.Pass: _pass, a.Hold: _hold}
"""Actions that the frame on top waits for. They are allowed even while nothing can be played."""
FREE: dict[type, Check] = {
    a.Done: _done, a.Kick: _asked("kick"), a.EndTurn: _asked("end"), a.Trouble: _trouble, a.Loot: _loot,
    a.Claim: _claim, a.Flee: _flee, a.Roll: _roll, a.Play: play_clause, a.Use: use_clause, a.Equip: equipping_clause,
    a.Unequip: unequipping_clause, a.Discard: discarding_clause, a.Sell: sell_clause, a.Give: _give, a.Offer: _offer,
    a.Counter: _counter, a.Accept: _accept, a.Decline: _decline, a.Withdraw: _withdraw,
}  # fmt: skip
"""All other actions of a seat."""
