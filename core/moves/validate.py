"""The full judge of an action: the one predicate behind submit, check and legal."""

from collections.abc import Callable
from typing import Any

from core.language.schema import LootFight, SellDouble, TopDiscard
from core.moves import bargains as bargain
from core.moves.play import play_clause, use_clause
from core.moves.timing import blocked, equip_time_clause, mode, selling_clause, when_clause
from core.queries.conditions import Ctx, amount
from core.queries.limits import equip_clause, sellable, worth
from core.queries.lookup import trouble_options
from core.queries.modifiers import forbidden, mods_of
from core.queries.strength import match_point, vehicles, winning
from core.state import actions as a
from core.state.actions import Refusal
from core.state.game import valid_picks
from core.state.model import Ask, Run, Setup, Window
from core.state.reader import Reader, placed
from core.state.refusals import reason

HOLDS = 2
"""Holds of one seat in one fight."""


def refusal(g: Reader, seat: int, action: a.AnyAction) -> Refusal | None:
    """Why this seat may not do this now; None if it may."""
    clause = clause_of(g, seat, action)
    if not clause:
        return None
    fight = g.state.fight
    if clause == "changed" and fight is not None:
        return Refusal(clause, reason(clause), fight.changed_by, fight.changed_at)
    return Refusal(clause, reason(clause))


def clause_of(g: Reader, seat: int, action: a.AnyAction) -> str:
    """The clause that forbids it, or "" if nothing does."""
    kind = type(action)
    if kind in a.HOST_ONLY:
        return _host_clause(g, seat, action)
    if not 0 <= seat < len(g.state.seats):
        return "bad"
    if g.state.winners or not g.state.stack:
        return "over"
    if g.state.seats[seat].dead:
        return "death.nothing"
    awaited = _AWAITED.get(kind)
    if awaited is not None:
        return awaited(g, seat, action)
    return blocked(g) or _laid_out_clause(g, seat, action) or _JUDGES[kind](g, seat, action)


def _laid_out_clause(g: Reader, seat: int, action: a.AnyAction) -> str:
    """Who has said that the first cards are laid out waits for the rest (setup.order)."""
    waits = type(g.state.stack[-1]) is Setup and not isinstance(action, a.Done)
    return "setup.order" if waits and not any(ask.seat == seat for ask in g.state.stack[-1].asks) else ""


# -------------------------------------------------------------------------------------------------- asks and windows
def live_ask(g: Reader, seat: int, kind: str) -> Ask | None:
    """What the frame on top asks of a seat, if it is of this kind."""
    for ask in g.state.stack[-1].asks:
        if ask.seat == seat and ask.kind == kind:
            return ask
    return None


def _asked(kind: str) -> Callable[[Reader, int, Any], str]:
    def judge(g: Reader, seat: int, action: Any) -> str:
        return "" if live_ask(g, seat, kind) is not None else "stale"

    return judge


def _answer(g: Reader, seat: int, action: a.Answer) -> str:
    for ask in g.state.stack[-1].asks:
        if ask.seat == seat and ask.id == action.ask:
            if ask.hi == 0 or ask.kind == "roll":
                return "bad"
            return "" if valid_picks(ask.options, ask.lo, ask.hi, list(action.picks)) else "bad"
    asleep = any(ask.seat == seat and ask.id == action.ask for frame in g.state.stack[:-1] for ask in frame.asks)
    return "later" if asleep else "stale"


def _window_clause(g: Reader, seat: int, action: a.Pass | a.Hold) -> str:
    top = g.state.stack[-1]
    if not isinstance(top, Window) or top.id != action.window or seat in top.passed:
        return "stale"
    if isinstance(action, a.Pass):
        return ""
    fight = g.state.fight
    if fight is None or top.kind == "kick" or top.holder >= 0 or fight.holds[seat] >= HOLDS:
        return "limit"
    return ""


def _host_clause(g: Reader, seat: int, action: a.AnyAction) -> str:
    if seat != -1 or not g.state.stack:
        return "bad"
    top = g.state.stack[-1]
    if isinstance(action, a.Close):
        if not isinstance(top, Window) or top.id != action.window or top.holder >= 0:
            return "stale"
        return "help.match-point" if top.kind in ("claim", "removed") and match_point(g) else ""
    if not isinstance(action, a.Default):
        return "bad"  # a step back is for whoever keeps the states: see stepback.py
    return "" if any(ask.seat == action.seat and ask.id == action.ask for ask in top.asks) else "stale"


# ------------------------------------------------------------------------------------------------------ turn and run
def _done(g: Reader, seat: int, action: a.Done) -> str:
    """First cards are laid out; or phase 2 is passed over by who may not loot."""
    if live_ask(g, seat, "ready") is not None:
        return ""
    if live_ask(g, seat, "trouble") is None:
        return "stale"
    return "" if forbidden(g, "loot", seat) else "turn.loot"


def _trouble(g: Reader, seat: int, action: a.Trouble) -> str:
    if live_ask(g, seat, "trouble") is None:
        return "turn.trouble"
    return "" if action.card in trouble_options(g, seat) else "turn.trouble"


def _loot(g: Reader, seat: int, action: a.Loot) -> str:
    if live_ask(g, seat, "trouble") is None:
        return "turn.loot"
    if forbidden(g, "loot", seat):
        return "card"
    if action.deck == "door":
        return "" if g.state.options.listen and mods_of(g, seat, LootFight) else "fast.loot-treasure"
    if action.deck == "discard":
        pile = g.state.treasure_out if g.state.options.listen else g.state.door_out
        return "" if pile and mods_of(g, seat, TopDiscard) else "cards.discards"
    return ""


def _claim(g: Reader, seat: int, action: a.Claim) -> str:
    if live_ask(g, seat, "fight") is None:
        return "stale"
    return "" if winning(g) else "combat.compare"


def _flee(g: Reader, seat: int, action: a.Flee) -> str:
    if live_ask(g, seat, "fight") is None:
        return "stale"
    return "flee.only-losing" if winning(g) else ""


def _roll(g: Reader, seat: int, action: a.Roll) -> str:
    top = g.state.stack[-1]
    if not isinstance(top, Run) or live_ask(g, seat, "roll") is None:
        return "stale"
    return "" if action.monster in top.left else "bad"


# ------------------------------------------------------------------------------------------------------ cards in play
def _equip(g: Reader, seat: int, action: a.Equip) -> str:
    clause = equip_time_clause(g, seat) or bargain.moves_clause(g, seat)
    if clause:
        return clause
    entry = placed(g, seat, action.card)
    if entry is None or (entry.up and entry.on == action.carrier and entry.both == action.both):
        return "bad"
    return "card" if forbidden(g, "equip", seat) else equip_clause(g, seat, entry, action.carrier, action.both)


def _unequip(g: Reader, seat: int, action: a.Unequip) -> str:
    clause = equip_time_clause(g, seat) or bargain.moves_clause(g, seat)
    if clause:
        return clause
    entry = placed(g, seat, action.card)
    if entry is None or not entry.up or g.of(action.card).kind != "item" or g.of(action.card).card.one_shot:
        return "bad"
    return "card" if forbidden(g, "equip", seat) else ""


def _discard(g: Reader, seat: int, action: a.Discard) -> str:
    """Identities may go at any time, Items not for nothing (item.no-free-discard)."""
    if mode(g) == "setup":
        return "setup.order"
    if placed(g, seat, action.card) is None:
        return "bad"
    kind = g.of(action.card).kind
    if kind == "item":
        return "" if abandons(g, seat, action.card) else "item.no-free-discard"
    return "" if kind in ("identity", "ally") else "bad"


def abandons(g: Reader, seat: int, card: int) -> bool:
    """A slow Vehicle may be left behind before the roll (item.vehicle)."""
    return (
        not when_clause(g, seat, "running")
        and card in vehicles(g, seat)
        and any(amount(g, mod.by, Ctx(you=seat)) < 0 for mod in g.of(card).flee)
    )


def _sell(g: Reader, seat: int, action: a.Sell) -> str:
    clause = selling_clause(g, seat)
    if clause:
        return clause
    if forbidden(g, "sell", seat):
        return "card"
    allowed = sellable(g, seat)
    if len(set(action.cards)) != len(action.cards) or any(card not in allowed for card in action.cards):
        return "item.no-value-line"
    total = sum(worth(g, card) for card in action.cards)
    if action.doubled:
        if action.doubled not in action.cards or g.state.turn.doubled >= len(mods_of(g, seat, SellDouble)):
            return "bad"
        total += worth(g, action.doubled)
    if total < 1000:
        return "item.sell"
    return "item.sell-not-10" if g.state.seats[seat].level >= g.state.options.win_level - 1 else ""


# ----------------------------------------------------------------------------------------------------------- bargains
def _give(g: Reader, seat: int, action: a.Give) -> str:
    return bargain.offer_clause(g, seat, action.to, a.Terms("gift", gives=action.cards))


def _offer(g: Reader, seat: int, action: a.Offer) -> str:
    if action.terms.kind == "gift":
        return "bad"
    return bargain.offer_clause(g, seat, action.to, action.terms)


def _counter(g: Reader, seat: int, action: a.Counter) -> str:
    deal = bargain.find_offer(g, action.offer)
    if deal is None or deal.frm == seat or deal.to not in (-1, seat):
        return "stale"
    if action.terms.kind == "gift" or (action.terms.kind == "help") != (deal.kind == "help"):
        return "bad"
    return bargain.offer_clause(g, seat, deal.frm, action.terms)


def _accept(g: Reader, seat: int, action: a.Accept) -> str:
    return bargain.accept_clause(g, seat, action.offer)


def _decline(g: Reader, seat: int, action: a.Decline) -> str:
    deal = bargain.find_offer(g, action.offer)
    return "" if deal is not None and deal.to == seat else "stale"


def _withdraw(g: Reader, seat: int, action: a.Withdraw) -> str:
    deal = bargain.find_offer(g, action.offer)
    return "" if deal is not None and deal.frm == seat else "stale"


_AWAITED: dict[type, Callable[[Reader, int, Any], str]] = {
    a.Answer: _answer, a.Pass: _window_clause, a.Hold: _window_clause,
}  # fmt: skip
"""What the frame on top waits for, whatever is blocked."""

_JUDGES: dict[type, Callable[[Reader, int, Any], str]] = {
    a.Done: _done, a.Kick: _asked("kick"), a.EndTurn: _asked("end"), a.Trouble: _trouble, a.Loot: _loot,
    a.Claim: _claim, a.Flee: _flee, a.Roll: _roll, a.Play: play_clause, a.Use: use_clause, a.Equip: _equip,
    a.Unequip: _unequip, a.Discard: _discard, a.Sell: _sell, a.Give: _give, a.Offer: _offer, a.Counter: _counter,
    a.Accept: _accept, a.Decline: _decline, a.Withdraw: _withdraw,
}  # fmt: skip
