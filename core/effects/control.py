"""Carry out one effect of card text, by a table of handlers; and the verbs that control the text itself.

A handler gets the game, the program frame, its instruction and its effect. It returns the address of the next
instruction, or WAIT while it asks. Until all its questions are answered it only reads, because it starts again after
each answer (common.ask).
"""

from core.effects.cards import CARD_VERBS
from core.effects.combat import COMBAT_VERBS
from core.effects.common import WAIT, Handler, ask, condition_holds, ctx_of
from core.effects.decks import DECK_VERBS
from core.effects.players import PLAYER_VERBS
from core.language import schema as v
from core.language.compiler import Ins
from core.operations.dice import begin_throw
from core.queries.conditions import holds, seats_of
from core.queries.help import may_be_compelled
from core.state.events import Chose
from core.state.game import Game
from core.state.model import Program, Throw


def perform(g: Game, f: Program, ins: Ins) -> int:
    """Carry out one instruction, if its condition holds. Return the address of the next one, or WAIT while it asks."""
    op = ins.op
    if op is None:
        return ins.ok
    if op.if_ is not None and not isinstance(op, v.Branch) and not condition_holds(g, f, op.if_, ins.sense):
        return ins.skip
    g.asked = 0
    address = VERBS[type(op)](g, f, ins, op)
    if address != WAIT and (f.asks or f.answers):
        f.asks, f.answers = [], {}
    return address


def _choose_seat(g: Game, f: Program, ins: Ins, op: v.ChooseSeat) -> int:
    ctx = ctx_of(g, f)
    options = []
    for seat in seats_of(g, op.among, ctx):
        ctx.me = seat
        if holds(g, op.meets, ctx, "me", ins.inner[0]) and (not ins.compels or may_be_compelled(g, seat)):
            options.append(seat)
    by = seats_of(g, op.by, ctx_of(g, f))
    if not options or not by:
        return ins.fail
    picks = ask(g, f, by[0], "seat", sorted(options))
    if picks is None:
        return WAIT
    f.chosen = picks[0]
    return ins.ok


def _branch(g: Game, f: Program, ins: Ins, op: v.Branch) -> int:
    """Go to `then` or `else`. The condition decides between them, so `perform` does not check it."""
    return ins.ok if op.if_ is None or condition_holds(g, f, op.if_, ins.sense) else ins.fail


def _option(g: Game, f: Program, ins: Ins, op: v.Option) -> int:
    by = seats_of(g, op.by, ctx_of(g, f))
    senses = enumerate(zip(op.of, ins.inner, strict=True))
    options = [i for i, (choice, sense) in senses if choice.if_ is None or condition_holds(g, f, choice.if_, sense)]
    if not by or not options:
        return ins.skip
    picks = ask(g, f, by[0], "option", options, texts=[op.of[i].text for i in options])
    if picks is None:
        return WAIT
    g.emit(Chose(by[0], f.defn, op.of[picks[0]].text))
    return ins.arms[picks[0]]


def _each(g: Game, f: Program, ins: Ins, op: v.Each) -> int:
    """Begin the next round of the loop: the next living seat of the queue becomes `me`. `skip` ends the loop."""
    if f.me < 0:
        f.queue = seats_of(g, op.who, ctx_of(g, f))
    while f.queue:
        f.me = f.queue.pop(0)
        if not g.state.seats[f.me].dead:
            return ins.ok
    f.me = -1
    return ins.skip


def _die(g: Game, f: Program, ins: Ins, op: v.Die) -> int:
    """Roll a die. While it may be rolled again, a frame of its own asks and keeps the number, and the text waits."""
    who = seats_of(g, op.who, ctx_of(g, f))
    seat = who[0] if who else f.you
    begin_throw(g, Throw(seat=seat, of="text", sides=op.sides, why=g.cat.cards[f.defn].name, save=op.save))
    return ins.ok


VERBS: dict[type, Handler] = {
    v.ChooseSeat: _choose_seat, v.Branch: _branch, v.Option: _option, v.Each: _each, v.Die: _die,
    **PLAYER_VERBS, **CARD_VERBS, **DECK_VERBS, **COMBAT_VERBS,
}  # fmt: skip
