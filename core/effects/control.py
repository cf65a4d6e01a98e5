"""One short handler for each verb of the card language.

A handler gets the game, the program frame and its instruction, and returns the address to go on at, or WAIT while it
asks. Up to the ask it only reads: it is run again whenever the state is looked at anew.
"""

from collections.abc import Callable
from typing import Any

from core.effects.cards import CARD_VERBS
from core.effects.combat import FIGHT_VERBS
from core.effects.common import WAIT, ask, ctx_of, judged
from core.language import schema as v
from core.language.compiler import Ins
from core.operations.players import begin_lasting, change_level, die, lift, throw
from core.operations.seals import close_seal, open_seal
from core.queries.conditions import amount, holds, seats_of
from core.state.events import Chose, Rolled, Safe, SexChanged
from core.state.game import Game, to_discard, to_open
from core.state.model import Program, Zone

Handler = Callable[[Game, Program, Ins, Any], int]


def perform(g: Game, f: Program, ins: Ins) -> int:
    """Carry out one instruction; its condition is judged first."""
    op = ins.op
    if op is None:
        return ins.ok
    if op.if_ is not None and not isinstance(op, v.Branch) and not judged(g, f, op.if_):
        return ins.skip
    g.asked = 0
    address = VERBS[type(op)](g, f, ins, op)
    if address != WAIT and (f.asks or f.answers):
        f.asks, f.answers = [], {}
    return address


# --------------------------------------------------------------------------------------------------------- the seat
def _level(g: Game, f: Program, ins: Ins, op: v.Level) -> int:
    by = amount(g, op.by, ctx_of(g, f))
    name = g.cat.cards[f.defn].name
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        change_level(g, seat, by, name, op.may_win)
    return ins.ok


def _set_level(g: Game, f: Program, ins: Ins, op: v.SetLevel) -> int:
    to = amount(g, op.to, ctx_of(g, f))
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        change_level(g, seat, to - g.state.seats[seat].level, g.cat.cards[f.defn].name)
    return ins.ok


def _kill(g: Game, f: Program, ins: Ins, op: v.Kill) -> int:
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        die(g, seat)
    return ins.ok


def _linger(g: Game, f: Program, ins: Ins, op: v.Linger) -> int:
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        card = 0
        if f.card and f.rest == "discard" and g.of(f.card).kind == "curse":
            to_open(g, f.card, Zone("limbo"), "lasting", seat, "stays")
            f.rest, f.kept = "", f.card
        if f.kept and seat == f.victim:
            card = f.kept
        begin_lasting(g, seat, f.defn, ins.code, op.until, card)
    return ins.ok


def _lift(g: Game, f: Program, ins: Ins, op: v.Lift) -> int:
    wanted = [f.target] if op.which == "named" else None
    seats = range(len(g.state.seats)) if wanted else seats_of(g, op.who, ctx_of(g, f))
    for seat in seats:
        lasting = g.state.seats[seat].lasting
        for index in range(len(lasting) - 1, -1, -1):
            if index < len(lasting) and lasting[index].card and (wanted is None or lasting[index].card in wanted):
                lift(g, seat, index, "lifted")
                lasting = g.state.seats[seat].lasting
    return ins.ok


# ------------------------------------------------------------------------------------------------------ text control
def _choose_seat(g: Game, f: Program, ins: Ins, op: v.ChooseSeat) -> int:
    ctx = ctx_of(g, f)
    options = []
    for seat in seats_of(g, op.among, ctx):
        ctx.me = seat
        if holds(g, op.meets, ctx, "me"):
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
    return ins.ok if op.if_ is None or judged(g, f, op.if_) else ins.fail


def _option(g: Game, f: Program, ins: Ins, op: v.Option) -> int:
    by = seats_of(g, op.by, ctx_of(g, f))
    options = [i for i, choice in enumerate(op.of) if choice.if_ is None or judged(g, f, choice.if_)]
    if not by or not options:
        return ins.skip
    picks = ask(g, f, by[0], "option", options, texts=[op.of[i].text for i in options])
    if picks is None:
        return WAIT
    g.emit(Chose(by[0], f.defn, op.of[picks[0]].text))
    return ins.arms[picks[0]]


def _each(g: Game, f: Program, ins: Ins, op: v.Each) -> int:
    if f.me < 0:
        f.queue = seats_of(g, op.who, ctx_of(g, f))
    while f.queue:
        f.me = f.queue.pop(0)
        if not g.state.seats[f.me].dead:
            return ins.ok
    f.me = -1
    return ins.skip


def _die(g: Game, f: Program, ins: Ins, op: v.Die) -> int:
    who = seats_of(g, op.who, ctx_of(g, f))
    seat = who[0] if who else f.you
    number = throw(g, seat)
    f.saved[op.save] = number
    g.emit(Rolled(seat, number, g.cat.cards[f.defn].name))
    return ins.ok


# ------------------------------------------------------------------------------------------------- Seals, sex, Allies
def _open_seal(g: Game, f: Program, ins: Ins, op: v.OpenSeal) -> int:
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        open_seal(g, seat)
    return ins.ok


def _close_seal(g: Game, f: Program, ins: Ins, op: v.CloseSeal) -> int:
    close_seal(g, g.cat.cards[f.defn].name)
    return ins.ok


def _swap_sex(g: Game, f: Program, ins: Ins, op: v.SwapSex) -> int:
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        g.emit(SexChanged(seat, "female" if g.state.seats[seat].sex == "male" else "male"))
    return ins.ok


def _sacrifice(g: Game, f: Program, ins: Ins, op: v.Sacrifice) -> int:
    """The Ally goes with all it carries; its player escapes, and a main fighter speaks for the helper too."""
    fight = g.state.fight
    picks: list[int] | None = [0]
    with_helper = fight is not None and fight.seat == f.you and fight.helper >= 0
    if with_helper and fight is not None and not g.state.seats[fight.helper].dead:
        texts = ["the helper must roll", "the helper escapes too"]
        picks = ask(g, f, f.you, "option", [0, 1], texts=texts)
    if picks is None:
        return WAIT
    for entry in list(g.state.seats[f.you].table):
        if entry.on == f.source:
            to_discard(g, entry.card, Zone("table", f.you), "lost", f.you)
    to_discard(g, f.source, Zone("table", f.you), "sacrificed", f.you)
    g.emit(Safe(f.you, 0, g.cat.cards[f.defn].name))
    if picks[0] and fight is not None:
        g.emit(Safe(fight.helper, 0, g.cat.cards[f.defn].name))
    return ins.ok


VERBS: dict[type, Handler] = {
    v.Level: _level, v.SetLevel: _set_level, v.Kill: _kill, v.Linger: _linger, v.Lift: _lift,
    v.ChooseSeat: _choose_seat, v.Branch: _branch, v.Option: _option, v.Each: _each,
    v.Die: _die, v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.SwapSex: _swap_sex, v.Sacrifice: _sacrifice,
    **CARD_VERBS, **FIGHT_VERBS,
}  # fmt: skip
