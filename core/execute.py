"""Carry out an action that is known to be legal: one short function for each kind."""

from collections.abc import Callable
from typing import Any

from core.moves import bargains
from core.moves.play import play, use
from core.moves.timeouts import default_action
from core.operations.equipping import equip
from core.operations.sales import sell
from core.procedures.combat import claim, give_up
from core.procedures.running_away import roll
from core.procedures.turn import look_for_trouble, loot
from core.procedures.window import open_window
from core.queries.capacity import keeps_room
from core.queries.conditions import laying_out
from core.state import actions as a
from core.state.events import Flipped, Held, Kicked, Moves, OfferClosed, Released
from core.state.game import Game, to_discard
from core.state.model import Combat, Run, Setup, TurnFrame, Window, Zone


def execute(g: Game, seat: int, action: a.AnyAction) -> None:
    """Carry out an action; afterwards the engine continues the game."""
    EXECUTE[type(action)](g, seat, action)


def _done(g: Game, seat: int, action: a.Done) -> None:
    """Finish laying out first cards, or skip a phase in which the seat need not do anything."""
    top = g.state.stack[-1]
    if isinstance(top, Setup):
        top.ready = sorted([*top.ready, seat])
    else:
        frame = _turn(g)
        frame.asks = []
        frame.step = "end"


def _turn(g: Game) -> TurnFrame:
    top = g.state.stack[-1]
    assert isinstance(top, TurnFrame)
    return top


def _kick(g: Game, seat: int, action: a.Kick) -> None:
    """Announce the kick; the kick window comes before the door."""
    _turn(g).asks = []
    g.emit(Kicked(seat))
    open_window(g, "kick", seat)


def _trouble(g: Game, seat: int, action: a.Trouble) -> None:
    look_for_trouble(g, _turn(g), action.card)


def _loot(g: Game, seat: int, action: a.Loot) -> None:
    loot(g, _turn(g), action.deck)


def _end_turn(g: Game, seat: int, action: a.EndTurn) -> None:
    frame = _turn(g)
    frame.asks = []
    frame.step = "charity"


def _equip(g: Game, seat: int, action: a.Equip) -> None:
    g.emit(Moves(seat))
    equip(g, seat, action.card, action.carrier, action.both)


def _unequip(g: Game, seat: int, action: a.Unequip) -> None:
    g.emit(Moves(seat))
    g.emit(Flipped(seat, action.card, False, hidden=laying_out(g), kept=keeps_room(g, seat, action.card)))


def _discard(g: Game, seat: int, action: a.Discard) -> None:
    to_discard(g, action.card, Zone("table", seat), "discarded", seat)


def _sell(g: Game, seat: int, action: a.Sell) -> None:
    sell(g, seat, action.cards, action.twice)


def _give(g: Game, seat: int, action: a.Give) -> None:
    bargains.propose(g, seat, action.to, a.Terms("gift", gives=action.cards))


def _offer(g: Game, seat: int, action: a.Offer) -> None:
    bargains.propose(g, seat, action.to, action.terms)


def _counter(g: Game, seat: int, action: a.Counter) -> None:
    bargains.counter(g, seat, action.offer, action.terms)


def _accept(g: Game, seat: int, action: a.Accept) -> None:
    bargains.accept(g, seat, action.offer)


def _decline(g: Game, seat: int, action: a.Decline) -> None:
    g.emit(OfferClosed(action.offer, "declined", seat))


def _withdraw(g: Game, seat: int, action: a.Withdraw) -> None:
    g.emit(OfferClosed(action.offer, "withdrawn", seat))


def _combat(g: Game) -> Combat:
    top = g.state.stack[-1]
    assert isinstance(top, Combat)
    return top


def _claim(g: Game, seat: int, action: a.Claim) -> None:
    claim(g, _combat(g))


def _flee(g: Game, seat: int, action: a.Flee) -> None:
    give_up(g, _combat(g))


def _roll(g: Game, seat: int, action: a.Roll) -> None:
    top = g.state.stack[-1]
    assert isinstance(top, Run)
    roll(g, top, action.monster)


def _answer(g: Game, seat: int, action: a.Answer) -> None:
    g.state.stack[-1].answers[seat] = list(action.picks)


def _window(g: Game) -> Window:
    top = g.state.stack[-1]
    assert isinstance(top, Window)
    return top


def _pass(g: Game, seat: int, action: a.Pass) -> None:
    """Note the pass, which the others do not see. A holder that passes releases its hold."""
    window = _window(g)
    window.passed = sorted([*window.passed, seat])
    if window.holder == seat:
        window.holder = -1
        g.emit(Released(seat))


def _hold(g: Game, seat: int, action: a.Hold) -> None:
    _window(g).holder = seat
    g.emit(Held(seat))


def _close(g: Game, seat: int, action: a.Close) -> None:
    _window(g).closed = True


def _default(g: Game, seat: int, action: a.Default) -> None:
    """The time is up: release the hold, or give the default answer to the ask."""
    top = g.state.stack[-1]
    if isinstance(top, Window):
        top.holder = -1
        g.emit(Released(action.seat))
        return
    ask = next(ask for ask in top.asks if ask.seat == action.seat and ask.id == action.ask)
    execute(g, action.seat, default_action(g, ask))


EXECUTE: dict[type, Callable[[Game, int, Any], None]] = {
    a.Done: _done, a.Kick: _kick, a.Trouble: _trouble, a.Loot: _loot, a.EndTurn: _end_turn, a.Play: play, a.Use: use,
    a.Equip: _equip, a.Unequip: _unequip, a.Discard: _discard, a.Sell: _sell, a.Give: _give, a.Offer: _offer,
    a.Counter: _counter, a.Accept: _accept, a.Decline: _decline, a.Withdraw: _withdraw, a.Claim: _claim,
    a.Flee: _flee, a.Roll: _roll, a.Answer: _answer, a.Pass: _pass, a.Hold: _hold, a.Close: _close,
    a.Default: _default,
}  # fmt: skip
