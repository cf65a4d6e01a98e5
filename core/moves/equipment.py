"""Cards in play: equipping and unequipping Items, and discarding cards that may be discarded without a price."""

from core.language.definition import Def
from core.language.schema import TwoHanded
from core.moves.timing import Moment, mode, moment, when_clause
from core.queries.cache import cached_by_gear
from core.queries.capacity import equip_clause
from core.queries.conditions import Ctx, amount, usable
from core.queries.modifiers import forbidden, mods_of
from core.queries.strength import vehicles
from core.state.actions import Discard, Equip, Legal, Unequip
from core.state.model import DEFN_MASK, Placed
from core.state.reader import Reader, placed
from core.state.refusals import Clause

_DISCARDED_FREELY = ("identity", "ally")
"""Kinds of card that their owner may discard at any time (when.anytime-discard-identity, self.ally-limit)."""


# --------------------------------------------------------------------------------------------------------- what may be
def equipping_clause(g: Reader, seat: int, action: Equip) -> Clause | None:
    """Return the clause that forbids equipping this Item in this way."""
    clause = _switching_clause(g, seat)
    if clause:
        return clause
    entry = placed(g, seat, action.card)
    if entry is None:
        return "not there"
    if _lies_so(entry, action.carrier, action.both):
        return "lies so" if usable(g, seat, entry) else "item.restricted"
    return "no switching" if forbidden(g, "equip", seat) else equip_clause(g, seat, entry, action.carrier, action.both)


def unequipping_clause(g: Reader, seat: int, action: Unequip) -> Clause | None:
    """Return the clause that forbids turning this Item sideways."""
    clause = _switching_clause(g, seat)
    if clause:
        return clause
    entry = placed(g, seat, action.card)
    if entry is None:
        return "not there"
    if not _can_unequip(g, seat, entry, g.of(action.card)):
        return "lies so"
    return "no switching" if forbidden(g, "equip", seat) else None


def discarding_clause(g: Reader, seat: int, action: Discard) -> Clause | None:
    """Return the clause that forbids discarding this card: identities may be discarded at any time, Items only as a
    price (item.no-free-discard)."""
    if mode(g) == "setup":
        return "setup.order"
    if placed(g, seat, action.card) is None:
        return "not there"
    kind = g.of(action.card).kind
    if kind == "item":
        return None if action.card in _abandonable(g, seat) else "item.no-free-discard"
    return None if kind in _DISCARDED_FREELY else "no discard"


def _switching_clause(g: Reader, seat: int) -> Clause | None:
    """Return the clause that forbids switching any Item now."""
    return _moment_clause(moment(g, seat, mode(g)), g.cat.switches.equip == "any-time")


def _moment_clause(at: Moment, any_time: bool) -> Clause | None:
    """Return the clause that forbids switching any Item at a moment. By when.anytime-equip it is allowed outside
    combat, by when.equip-own-turn only before the door, and always while first cards are laid out."""
    if at.in_combat:
        return "when.no-combat-changes"
    if not (any_time or at.mode == "setup" or (at.own_turn and at.starts)):
        return "when.equip-own-turn"
    return None if at.moves else "limit"


def _can_unequip(g: Reader, seat: int, entry: Placed, definition: Def) -> bool:
    """Return whether an Item is equipped: one that its owner may not use is not, however it lies (item.not-usable)."""
    return entry.up and definition.gear and usable(g, seat, entry)


def _lies_so(entry: Placed, carrier: int, both: bool) -> bool:
    """Return whether an Item is already equipped in this way."""
    return entry.up and entry.on == carrier and entry.both == both


def _abandonable(g: Reader, seat: int) -> tuple[int, ...]:
    """Return the slow Vehicles that a runner may leave behind before its roll (item.vehicle)."""
    return tuple([card for card in vehicles(g, seat) if _slows(g, seat, card) and not when_clause(g, seat, "running")])


def _slows(g: Reader, seat: int, card: int) -> bool:
    return any(amount(g, mod.by, Ctx(you=seat, card=card)) < 0 for mod in g.of(card).flee)


# ------------------------------------------------------------------------------------------------------------- listing
def equipment_rows(g: Reader, seat: int, at: Moment, out: list[Legal]) -> None:
    """Add every way to equip, unequip and discard a card in play."""
    if g.state.seats[seat].table:
        switching = not _moment_clause(at, g.cat.switches.equip == "any-time") and not forbidden(g, "equip", seat)
        abandonable = _abandonable(g, seat) if at.runs else ()
        out += _rows(g, seat, switching, at.mode != "setup", abandonable)


@cached_by_gear
def _rows(g: Reader, seat: int, switching: bool, discarding: bool, abandonable: tuple[int, ...]) -> list[Legal]:
    out: list[Legal] = []
    cards = g.cat.cards
    ways = _ways_to_equip(g, seat) if switching else []
    for entry in g.state.seats[seat].table:
        card = entry.card
        definition = cards[card & DEFN_MASK]
        if (discarding and definition.kind in _DISCARDED_FREELY) or card in abandonable:
            out.append(Legal(Discard(card)))
        if switching and definition.gear:
            if _can_unequip(g, seat, entry, definition):
                out.append(Legal(Unequip(card)))
            now = (entry.on, entry.both) if entry.up else None  # the same test as `_lies_so`
            for way in ways:
                if way != now and not equip_clause(g, seat, entry, *way):
                    out.append(Legal(Equip(card, *way)))
    return out


def _ways_to_equip(g: Reader, seat: int) -> list[tuple[int, bool]]:
    """Return (carrier, with both hands) for each way in which some Item could be equipped."""
    table, cards = g.state.seats[seat].table, g.cat.cards
    ways = [(0, False)]
    ways += [(entry.card, False) for entry in table if cards[entry.card & DEFN_MASK].kind in ("hireling", "ally")]
    return [*ways, (0, True)] if mods_of(g, seat, TwoHanded) else ways
