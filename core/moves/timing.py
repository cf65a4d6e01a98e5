"""The times at which a seat may do something: before the door, in a combat, while running away, in its own turn.

Each function named `*_clause`, here and in the rest of core, returns the clause that forbids the thing, None if nothing
forbids it. `check`, `legal` and `submit` read the same ones.
"""

from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct

from core.language import schema as v
from core.language.definition import Def
from core.queries.conditions import in_combat
from core.queries.lookup import has_rolled
from core.state.model import (
    Backout,
    Charity,
    Combat,
    Excess,
    Looting,
    Program,
    Rewards,
    Run,
    Setup,
    Throw,
    TurnFrame,
    Window,
)  # fmt: skip
from core.state.reader import Reader
from core.state.refusals import Clause

MOVES = 64
"""At most this many free moves (equipping, unequipping, offers) of one seat in one turn, so that every turn ends."""

Mode = Literal["over", "setup", "reading", "open", "fight", "run", "settle"]
"""What the table is doing, which decides who may play what.

setup: first cards are laid out. reading: a card text runs, a surplus is reduced, a die may be rolled again; nobody
plays. open: a turn, outside combat. fight, run: a combat, running away. settle: rewards, charity and bodies.
"""

MODES: dict[type, Mode] = {
    Setup: "setup", TurnFrame: "open", Combat: "fight", Window: "fight", Run: "run", Rewards: "settle",
    Charity: "settle", Looting: "settle", Program: "reading", Excess: "reading", Backout: "reading", Throw: "reading",
}  # fmt: skip
"""The mode while a frame of this type is on top; `mode` has the two exceptions."""

_FIRST_KINDS = ("identity", "double", "hireling", "ally", "cheat", "upgrade")
"""Kinds of card that may be laid out as first cards, besides Items (setup.first-cards)."""
_NEVER_AT_ONCE = ("curse", "enhancer", "wandering", "monster")
"""Kinds of card that wait for their ordinary time even when they have just been received."""


def mode(g: Reader) -> Mode:
    """Return what the table is doing."""
    s = g.state
    stack = s.stack
    if s.winners or not stack:
        return "over"
    top = stack[-1]
    kind = type(top)
    if kind is Window and top.kind == "kick":  # type: ignore[union-attr]
        return "open"
    if kind is Run and top.step == "pay":
        return "reading"  # a roll and its consequence are one step (flee.atomic)
    return MODES[kind]


class Moment(Struct, gc=False, frozen=True):
    """What the table is doing, as it concerns one seat. It decides which cards and abilities may be played and used
    now.

    starts: the door is not opened yet. own_turn: it is the turn of the seat. in_combat: the seat fights, helps or runs
    away. fighting: a fight is not decided yet. runs: the seat still has to run away; rolled: it has rolled for that.
    moves: it has free moves left this turn.
    """

    mode: Mode
    starts: bool
    own_turn: bool
    in_combat: bool
    fighting: bool
    runs: bool
    rolled: bool
    moves: bool


def moment(g: Reader, seat: int, now: Mode) -> Moment:
    """Return the present moment for a seat. now: the mode."""
    s = g.state
    turn, fight = s.turn, s.fight
    starts, own, moves = turn.phase == "start", turn.seat == seat, s.seats[seat].moves < MOVES
    if fight is None:
        return Moment(now, starts, own, False, False, False, False, moves)
    runs = now == "run" and _still_runs(g, seat)
    rolled = runs and has_rolled(g, seat)
    return Moment(now, starts, own, in_combat(g, seat), fight.stage == "fight", runs, rolled, moves)


def blocked(g: Reader) -> Clause | None:
    """Return the word for why nothing can be played now ("later", "over"); None if something can be played."""
    now = mode(g)
    if now == "reading":
        return "later"
    return "over" if now == "over" else None


def free_moves_clause(g: Reader, seat: int) -> Clause | None:
    """Return "limit" if a seat has no free moves left this turn."""
    return "limit" if g.state.seats[seat].moves >= MOVES else None


def when_clause(g: Reader, seat: int, when: v.When) -> Clause | None:
    """Return the clause that forbids a card or ability of this timing now. First cards must have been laid out."""
    return None if when == "any" else _when_clause(moment(g, seat, mode(g)), when)


def _when_clause(at: Moment, when: v.When) -> Clause | None:
    if when == "any":
        return None
    if when == "running":
        return None if at.runs else "flee.auto-escape"
    if when in ("peace", "own-turn", "prepare") and at.in_combat:
        return "when.no-combat-changes"
    if when in ("own-turn", "prepare"):
        if not at.own_turn or at.mode not in ("open", "settle"):
            return "when.own-turn-item"
        return None if when == "own-turn" or at.starts else "turn.start"
    if when == "peace":
        return None
    if not at.fighting or at.mode != "fight":
        return "combat.interfere"
    if when == "own-combat" and not at.in_combat:
        return "when.no-combat-changes"
    return None


def _still_runs(g: Reader, seat: int) -> bool:
    top = g.state.stack[-1]
    return isinstance(top, Run) and (seat == top.seat or seat in top.seats)


# ---------------------------------------------------------------------------------------------------- playing a card
def gate_clause(g: Reader, seat: int, gate: str) -> Clause | None:
    """Return the clause that forbids every card with this gate (Def.gate) now; None if this is its time.

    First cards must have been laid out. A card just received may be played at other times too: see `card_time_clause`.
    """
    return _gate_clause(moment(g, seat, mode(g)), gate, g.cat.switches.special_any_time)


def _gate_clause(at: Moment, gate: str, special_any_time: bool) -> Clause | None:
    if gate == "identity":
        return None if at.own_turn else "when.own-turn-identity"
    if gate == "monster":
        return None if at.mode == "fight" else "combat.monster-to-hand"
    if gate == "special":
        return None if special_any_time else _when_clause(at, "own-turn")
    return _when_clause(at, gate)  # type: ignore[arg-type]


@lru_cache(maxsize=1000)
def open_gates(at: Moment, special_any_time: bool) -> frozenset[str]:
    """Return the gates that are open at a moment; the times of abilities are among them."""
    gates = (*get_args(v.When), "identity", "monster", "special")
    return frozenset([gate for gate in gates if not _gate_clause(at, gate, special_any_time)])


def card_time_clause(g: Reader, seat: int, card: int, definition: Def) -> Clause | None:
    """Return the clause that forbids playing this card now, whatever its target (setup.first-cards, when.*)."""
    if mode(g) == "setup" and definition.kind != "monster":
        return None if _is_first_card(g, definition) else "setup.order"
    clause = gate_clause(g, seat, definition.gate)
    return None if clause is not None and playable_at_once(g, seat, card, definition) else clause


def _is_first_card(g: Reader, definition: Def) -> bool:
    """Return whether a card may be laid out before the first turn. In sets with ranked identities, level cards may be
    played then too (setup.first-cards-powers)."""
    if definition.kind == "item":
        return not definition.card.one_shot
    return definition.kind in _FIRST_KINDS or (definition.kind == "level" and bool(g.cat.ranked))


def playable_at_once(g: Reader, seat: int, card: int, definition: Def) -> bool:
    """Return whether a card has just been received and may be played at once, outside combat."""
    if card not in g.state.seats[seat].fresh or in_combat(g, seat):
        return False
    if definition.kind in ("identity", "double"):
        return True
    return definition.card.when is None and not definition.card.one_shot and definition.kind not in _NEVER_AT_ONCE
