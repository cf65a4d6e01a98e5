"""When may I: one predicate for each kind of thing, read by legal, check and submit alike.

Each function returns the id of the clause that forbids it, or "" if nothing does.
"""

from core.language import schema as v
from core.language.definition import Def
from core.queries.cache import remembered
from core.queries.conditions import in_combat
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
    TurnFrame,
    Window,
)  # fmt: skip
from core.state.reader import Reader

_MODES: dict[type, str] = {
    Program: "reading", Excess: "reading", Backout: "reading", Setup: "setup", Combat: "fight", Run: "run",
    TurnFrame: "open", Rewards: "settle", Charity: "settle", Looting: "settle",
}  # fmt: skip


@remembered
def mode(g: Reader) -> str:
    """The state of the table: over, setup, reading, open (turn, kick), fight, run, settle (charity, bodies, ...)."""
    s = g.state
    if s.winners or not s.stack:
        return "over"
    top = s.stack[-1]
    kind = type(top)
    if kind is Window:
        return "open" if top.kind == "kick" else "fight"  # type: ignore[union-attr]
    if kind is Run and top.step == "pay":
        return "reading"  # a roll and its consequence are one step (flee.atomic)
    return _MODES[kind]


def blocked(g: Reader) -> str:
    """Why nothing at all can be played now."""
    now = mode(g)
    if now == "reading":
        return "later"
    return "over" if now == "over" else ""


def when_clause(g: Reader, seat: int, when: v.When) -> str:
    """The clause that forbids to do now what may be done at these times."""
    if when == "any":
        return ""
    if when == "peace":
        return "when.no-combat-changes" if in_combat(g, seat) else ""
    now = mode(g)
    if when in ("own-turn", "prepare"):
        if in_combat(g, seat):
            return "when.no-combat-changes"
        if g.state.turn.seat != seat or now not in ("open", "settle", "setup"):
            return "when.own-turn-item"
        return "" if when == "own-turn" or g.state.turn.phase == "start" else "turn.start"
    if when == "running":
        return "" if now == "run" and _still_runs(g, seat) else "flee.auto-escape"
    fight = g.state.fight
    if fight is None or fight.stage != "fight" or now != "fight":
        return "combat.interfere"
    if when == "own-combat" and not in_combat(g, seat):
        return "when.no-combat-changes"
    return ""


def _still_runs(g: Reader, seat: int) -> bool:
    top = g.state.stack[-1]
    return isinstance(top, Run) and (seat == top.seat or seat in top.seats)


def selling_clause(g: Reader, seat: int) -> str:
    """Own turn, outside combat and running away (item.sell)."""
    if in_combat(g, seat):
        return "when.no-combat-changes"
    return "" if g.state.turn.seat == seat and mode(g) in ("open", "settle") else "item.sell"


def equip_time_clause(g: Reader, seat: int) -> str:
    """When Items may be switched (when.anytime-equip, or only before the door: when.equip-own-turn)."""
    if in_combat(g, seat):
        return "when.no-combat-changes"
    if mode(g) == "setup" or g.cat.switches.equip == "any-time":
        return ""
    start = g.state.turn.seat == seat and g.state.turn.phase == "start"
    return "" if start else "when.equip-own-turn"


def trade_clause(g: Reader, one: int, other: int) -> str:
    """Neither in combat, both alive, nobody still laying out first cards (item.trade)."""
    if mode(g) == "setup":
        return "setup.order"
    if in_combat(g, one) or in_combat(g, other):
        return "item.trade"
    if g.state.seats[one].dead or g.state.seats[other].dead:
        return "death.nothing"
    return ""


def card_clause(g: Reader, seat: int, card: int, definition: Def) -> str:
    """The clause that forbids to play this card now, whatever it may be aimed at."""
    if mode(g) == "setup":
        item = definition.kind == "item" and not definition.card.one_shot
        first = ("identity", "double", "hireling", "ally", "cheat", "upgrade", *(("level",) if g.cat.ranked else ()))
        return "" if item or definition.kind in first else "setup.order"
    if definition.kind == "identity" or definition.kind == "double":
        return _identity_time(g, seat, card)
    if definition.gate == "special" and g.cat.switches.special_any_time:
        return ""
    clause = when_clause(g, seat, definition.when)
    if not clause or definition.card.one_shot or definition.kind in ("curse", "enhancer", "wandering", "monster"):
        return clause
    if card in g.state.seats[seat].fresh and definition.card.when is None and not in_combat(g, seat):
        return ""
    return clause


def _identity_time(g: Reader, seat: int, card: int) -> str:
    """Any time in one's own turn, in combat too; or as just received, outside combat."""
    if g.state.turn.seat == seat:
        return ""
    if card in g.state.seats[seat].fresh and not in_combat(g, seat):
        return ""
    return "when.own-turn-identity"


def gate_clause(g: Reader, seat: int, gate: str) -> str:
    """What holds at once for every card of a hand that waits for the same moment (see catalog.Def.gate), but for those
    just received: the clause that forbids them all, or "" if it is their moment (while first cards are laid out: if
    each must be looked at)."""
    if gate == "identity":
        return "" if g.state.turn.seat == seat or mode(g) == "setup" else "when.own-turn-identity"
    if gate == "monster":
        return "" if g.state.fight is not None and mode(g) == "fight" else "combat.monster-to-hand"
    if gate == "special":
        return "" if g.cat.switches.special_any_time else when_clause(g, seat, "own-turn")
    return when_clause(g, seat, gate)  # type: ignore[arg-type]
