"""Verbs that change players: levels, death, lasting effects, sex, turns, counters; opening and closing Seals; giving up
an Ally."""

from core.effects.common import WAIT, Handler, ask, ctx_of
from core.language import schema as v
from core.language.compiler import Ins
from core.operations.players import begin_lasting, change_level, die, lift, lose_carried, ways_not_to_die
from core.operations.seals import close_seal, open_seal
from core.queries.conditions import amount, seats_of
from core.queries.prospects import no_extra_turn
from core.state.events import LOWEST_LEVEL, Counted, ExtraTurn, Fizzled, Safe, SexChanged
from core.state.game import Game, to_discard, to_open
from core.state.model import Program, Zone
from core.state.reader import placed
from core.text.grammar import counted


def _level(g: Game, f: Program, ins: Ins, op: v.Level) -> int:
    ctx, name = ctx_of(g, f), g.cat.cards[f.defn].name
    for seat, by in [(seat, amount(g, op.by, ctx, -1, [seat])) for seat in seats_of(g, op.who, ctx)]:
        changed = change_level(g, seat, by, name, op.may_win)
        if by < 0 and not changed and not g.state.seats[seat].dead:
            g.emit(Fizzled(seat, f.defn, LOWEST_LEVEL))
    return ins.ok


def _set_level(g: Game, f: Program, ins: Ins, op: v.SetLevel) -> int:
    ctx = ctx_of(g, f)
    for seat, to in [(seat, amount(g, op.to, ctx, -1, [seat])) for seat in seats_of(g, op.who, ctx)]:
        change_level(g, seat, to - g.state.seats[seat].level, g.cat.cards[f.defn].name)
    return ins.ok


def _kill(g: Game, f: Program, ins: Ins, op: v.Kill) -> int:
    """Kill players. Each player with several cards that replace death chooses one first (death.replaced)."""
    dying: list[tuple[int, int]] = []
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        ways = ways_not_to_die(g, seat)
        texts = [f"{name}: lose {counted(levels, 'level', 'levels')}" for levels, name in ways]
        picks = ask(g, f, seat, "option", list(range(len(ways))), texts=texts) if len(ways) > 1 else [0]
        if picks is None:
            return WAIT
        dying.append((seat, picks[0]))
    for seat, instead in dying:
        if not die(g, seat, instead):
            g.emit(Fizzled(seat, f.defn, LOWEST_LEVEL))
    return ins.ok


def _linger(g: Game, f: Program, ins: Ins, op: v.Linger) -> int:
    """Begin lasting effects. A curse moves from limbo to the first seat it affects, and stays there as a reminder."""
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
    """End lasting curses: only effects with a curse as reminder can be lifted. Lifting one may end others too, so each
    index is checked."""
    wanted = [f.target] if op.which == "named" else None
    seats = range(len(g.state.seats)) if wanted else seats_of(g, op.who, ctx_of(g, f))
    for seat in seats:
        lasting = g.state.seats[seat].lasting
        for index in range(len(lasting) - 1, -1, -1):
            if index < len(lasting) and lasting[index].card and (wanted is None or lasting[index].card in wanted):
                lift(g, seat, index, "lifted")
                lasting = g.state.seats[seat].lasting
    return ins.ok


def _counter(g: Game, f: Program, ins: Ins, op: v.Counter) -> int:
    """Put counters on the card whose text this is, or take some off: never more than `most`, never below none
    (cards.counters)."""
    ctx = ctx_of(g, f)
    entry = placed(g, f.you, ctx.card)
    if entry is None:
        g.emit(Fizzled(f.you, f.defn, "it is not in play any more"))
        return ins.skip
    there, by = entry.counters, amount(g, op.by, ctx)
    after = max(there, min(there + by, op.most)) if by > 0 else max(there + by, 0)
    if after != there:
        g.emit(Counted(f.you, entry.card, after - there, after))
    return ins.ok


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
    """Discard the Ally and all it carries. Its player escapes; if that is the main fighter, they decide whether the
    helper escapes too (self.ally-sacrifice)."""
    fight = g.state.fight
    picks: list[int] | None = [0]
    with_helper = fight is not None and fight.seat == f.you and fight.helper >= 0
    if with_helper and fight is not None and not g.state.seats[fight.helper].dead:
        texts = ["the helper must roll", "the helper escapes too"]
        picks = ask(g, f, f.you, "option", [0, 1], texts=texts)
    if picks is None:
        return WAIT
    lose_carried(g, f.you, f.source)
    to_discard(g, f.source, Zone("table", f.you), "sacrificed", f.you)
    g.emit(Safe(f.you, 0, g.cat.cards[f.defn].name))
    if picks[0] and fight is not None:
        g.emit(Safe(fight.helper, 0, g.cat.cards[f.defn].name))
    return ins.ok


def _extra_turn(g: Game, f: Program, ins: Ins, op: v.ExtraTurn) -> int:
    """Give a seat one more turn after this one. At most one waits, and there is none in an extra turn (turn.extra)."""
    for seat in seats_of(g, op.who, ctx_of(g, f)):
        why = no_extra_turn(g)
        g.emit(Fizzled(seat, f.defn, why) if why else ExtraTurn(seat, f.defn))
    return ins.ok


PLAYER_VERBS: dict[type, Handler] = {
    v.Level: _level, v.SetLevel: _set_level, v.Kill: _kill, v.Linger: _linger, v.Lift: _lift, v.SwapSex: _swap_sex,
    v.OpenSeal: _open_seal, v.CloseSeal: _close_seal, v.Sacrifice: _sacrifice, v.Counter: _counter,
    v.ExtraTurn: _extra_turn,
}  # fmt: skip
