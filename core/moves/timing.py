"""The times at which a seat may do something: before the door, in a combat, while running away, in its own turn.

Each function named `*_clause`, here and in the rest of core, returns the clause that forbids the thing, None if nothing
forbids it. `check`, `legal` and `submit` read the same ones.
"""

from typing import Literal

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
    """What decides, besides the parts of the table (core/language/dependencies.py), what a seat may do of its own
    accord: the mode, the phase of the turn, whether it has free moves left, whether it still runs, and whether it has
    rolled to run."""

    mode: Mode
    phase: str
    moves: bool
    runs: bool
    rolled: bool


def moment(g: Reader, seat: int, now: Mode) -> Moment:
    """Return the present moment as it is for a seat. now: the mode."""
    s = g.state
    runs = now == "run" and _still_runs(g, seat)
    return Moment(now, s.turn.phase, s.seats[seat].moves < MOVES, runs, runs and has_rolled(g, seat))


def blocked(g: Reader) -> Clause | None:
    """Return the word for why nothing at all can be played now ("later", "over"); None if something can."""
    now = mode(g)
    if now == "reading":
        return "later"
    return "over" if now == "over" else None


def free_moves_clause(g: Reader, seat: int) -> Clause | None:
    """Return "limit" if a seat has no free moves left this turn."""
    return "limit" if g.state.seats[seat].moves >= MOVES else None


def when_clause(g: Reader, seat: int, when: v.When) -> Clause | None:
    """Return the clause that forbids, now, a card or ability of this timing. First cards must have been laid out."""
    if when == "any":
        return None
    if when == "peace":
        return "when.no-combat-changes" if in_combat(g, seat) else None
    now = mode(g)
    if when in ("own-turn", "prepare"):
        if in_combat(g, seat):
            return "when.no-combat-changes"
        if g.state.turn.seat != seat or now not in ("open", "settle"):
            return "when.own-turn-item"
        return None if when == "own-turn" or g.state.turn.phase == "start" else "turn.start"
    if when == "running":
        return None if now == "run" and _still_runs(g, seat) else "flee.auto-escape"
    fight = g.state.fight
    if fight is None or fight.stage != "fight" or now != "fight":
        return "combat.interfere"
    if when == "own-combat" and not in_combat(g, seat):
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
    if gate == "identity":
        return None if g.state.turn.seat == seat else "when.own-turn-identity"
    if gate == "monster":
        return None if mode(g) == "fight" else "combat.monster-to-hand"
    if gate == "special":
        return None if g.cat.switches.special_any_time else when_clause(g, seat, "own-turn")
    return when_clause(g, seat, gate)  # type: ignore[arg-type]


def card_time_clause(g: Reader, seat: int, card: int, definition: Def) -> Clause | None:
    """Return the clause that forbids playing this card now, whatever its target (setup.first-cards, when.*)."""
    if mode(g) == "setup" and definition.kind != "monster":
        return None if _is_first_card(g, definition) else "setup.order"
    clause = gate_clause(g, seat, definition.gate)
    return None if clause is not None and _playable_at_once(g, seat, card, definition) else clause


def _is_first_card(g: Reader, definition: Def) -> bool:
    """Return whether a card may be laid out before the first turn. In sets with ranked identities, level cards may be
    played then too (setup.first-cards-powers)."""
    if definition.kind == "item":
        return not definition.card.one_shot
    return definition.kind in _FIRST_KINDS or (definition.kind == "level" and bool(g.cat.ranked))


def _playable_at_once(g: Reader, seat: int, card: int, definition: Def) -> bool:
    """Return whether a card has just been received and may be played at once, outside combat."""
    if card not in g.state.seats[seat].fresh or in_combat(g, seat):
        return False
    if definition.kind in ("identity", "double"):
        return True
    return definition.card.when is None and not definition.card.one_shot and definition.kind not in _NEVER_AT_ONCE
