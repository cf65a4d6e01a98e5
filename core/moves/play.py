"""Playing a card and using an ability: judged, then carried out."""

from core.language import schema as v
from core.language.compiler import PARTS
from core.language.definition import Def, Power
from core.moves.targeting import aim_clause, brought_clause, joins, met, monsters_in_hand, suppressed
from core.moves.timing import card_clause, mode, when_clause
from core.operations.monsters import add_copy, add_monster
from core.operations.players import spend, strike
from core.queries.conditions import Ctx, amount, laying_out, seats_of
from core.queries.limits import ally_clause, can_carry, equip_clause, identity_clause
from core.queries.lookup import find_monster, has_rolled, payable
from core.queries.modifiers import forbidden, usable
from core.state.actions import Play, Use
from core.state.events import Flipped, UsedAbility
from core.state.game import Game, to_open, to_table
from core.state.model import Fight, Placed, Program, Used, Zone
from core.state.reader import Reader, placed

ANYWAY_KINDS = ("curse", "level")
"""Played however late (arbitration by arrival); the rest only if the fight is still as it was seen."""


def find_card(g: Reader, seat: int, card: int) -> str:
    """Where a card to be played lies: hand, or table for a one-shot laid down before; "" if neither."""
    if card in g.state.seats[seat].hand:
        return "hand"
    entry = placed(g, seat, card)
    return "table" if entry is not None and g.of(card).card.one_shot else ""


# ----------------------------------------------------------------------------------------------------------- judging
def play_clause(g: Reader, seat: int, action: Play) -> str:
    """The clause that forbids this play, "" if none does."""
    card = action.card
    if not find_card(g, seat, card):
        return "bad"
    definition = g.of(card)
    clause = time_clause(g, seat, card, definition)
    if clause:
        return clause
    if late(g, definition.kind in ANYWAY_KINDS, action):
        return "changed"
    return target_clause(g, seat, definition, action)


def time_clause(g: Reader, seat: int, card: int, definition: Def) -> str:
    """Whether the card could be played now at all, aside from what it is aimed at."""
    if definition.kind == "monster":
        clause = "" if mode(g) == "fight" else "combat.monster-to-hand"
    else:
        clause = card_clause(g, seat, card, definition)
    return clause or room_clause(g, seat, card, definition)


def room_clause(g: Reader, seat: int, card: int, definition: Def) -> str:
    """Whether there is room for the card, its time being now."""
    if definition.kind == "monster":
        return "" if joins(g, card, None) else "combat.monster-to-hand"
    if definition.kind in ("identity", "double"):
        return identity_clause(g, seat, definition)
    if definition.kind == "ally":
        return ally_clause(g, seat, definition)
    if definition.kind == "item" and not definition.card.one_shot and not can_carry(g, seat, [card], []):
        return "item.vehicle" if definition.slot == "vehicle" else "item.big-one"
    return suppressed(g, definition, seat)


def target_clause(g: Reader, seat: int, definition: Def, action: Play) -> str:
    """Whether it may be aimed so."""
    if definition.brings or action.brought:
        clause = brought_clause(g, seat, definition, action)
        if clause:
            return clause
        if definition.kind == "enhancer" and action.brought:
            return "" if not action.target else "bad"
    if action.seat not in (-1, seat) and mode(g) == "setup":
        return "setup.order"
    clause = aim_clause(g, seat, definition.target, action, definition.card.if_)
    return clause or (wasted_level(g, seat, definition, action.seat) if definition.kind == "level" else "")


def wasted_level(g: Reader, seat: int, definition: Def, at: int) -> str:
    """A level card that could give nobody anything, and do nothing else, is not played (golden.level-nine)."""
    ctx = Ctx(you=seat, victim=at if at >= 0 else seat)
    for op in definition.card.play:
        if not isinstance(op, v.Level) or op.may_win or op.if_ is not None or amount(g, op.by, ctx) <= 0:
            return ""
        if any(g.state.seats[who].level < g.state.options.win_level - 1 for who in seats_of(g, op.who, ctx)):
            return ""
    return "golden.level-nine"


def late(g: Reader, anyway: bool, action: Play | Use) -> bool:
    """Whether the fight changed since this was decided, and that matters (design: arbitration by arrival)."""
    fight = g.state.fight
    if action.anyway is not None:
        anyway = action.anyway
    return fight is not None and not anyway and 0 <= action.seen < fight.changed_at


def use_clause(g: Reader, seat: int, action: Use) -> str:
    """The clause that forbids to use this ability so, "" if none does."""
    entry = placed(g, seat, action.card)
    if entry is None:
        return "bad"
    powers = g.of(action.card).powers
    if action.ability >= len(powers):
        return "bad"
    power = powers[action.ability]
    ability = power.ability
    clause = _power_clause(g, seat, entry, power)
    if clause:
        return clause
    if late(g, True, action):
        return "changed"
    clause = aim_clause(g, seat, ability.target, action, ability.if_)
    if clause:
        return clause
    if action.brought and action.brought not in monsters_in_hand(g, seat):
        return "combat.monster-to-hand"
    if bool(action.brought) != power.brings:
        return "bad"
    if worn_out(g, seat, power, action):
        return "card"
    return _cost_clause(g, seat, ability, action.pay)


def _power_clause(g: Reader, seat: int, entry: Placed, power: Power) -> str:
    """Whether an ability could be used now at all, aside from aim and payment."""
    clause = "setup.order" if mode(g) == "setup" else when_clause(g, seat, power.ability.when)
    if clause:
        return clause
    if power.sacrifices and has_rolled(g, seat):
        return "self.ally-sacrifice-when"
    if not lends(g, seat, entry, g.of(entry.card)):
        return "item.carried-equipped"
    return again_clause(g, seat, entry.card & 4095, power)


def lends(g: Reader, seat: int, entry: Placed, definition: Def) -> bool:
    """Whether a card in play lends its abilities."""
    return definition.kind != "item" or (entry.up and usable(g, seat, entry))


def again_clause(g: Reader, seat: int, defn: int, power: Power) -> str:
    """Whether an ability was used as often as may be, or its own demands are not met."""
    ability = power.ability
    if ability.per in ("combat", "turn") and _times(g, seat, defn, power, -1) >= ability.most:
        return "card"
    if ability.if_ is not None and ability.target in ("none", "side"):
        return "" if met(g, seat, ability.if_, -1, 0) else "card"
    return ""


def worn_out(g: Reader, seat: int, power: Power, action: Use) -> bool:
    """Whether an ability that counts for each victim has been used on this one as often as may be."""
    ability = power.ability
    return ability.per == "victim" and _times(g, seat, action.card & 4095, power, action.seat) >= ability.most


def _times(g: Reader, seat: int, defn: int, power: Power, on: int) -> int:
    """How often a seat used an ability; one that counts for each victim: on this one (-1: it does not)."""
    times = 0
    for used in _uses(g, power.ability.per):
        if used.defn == defn and used.seat == seat and used.ability == power.number and used.on == on:
            times += used.times
    return times


def _uses(g: Reader, scope: str) -> list[Used]:
    fight: Fight | None = g.state.fight
    return fight.uses if scope != "turn" and fight is not None else g.state.turn.uses


def _cost_clause(g: Reader, seat: int, ability: v.Ability, pay: tuple[int, ...]) -> str:
    cost = ability.cost
    if cost is None:
        return "" if not pay else "bad"
    if len(set(pay)) != len(pay):
        return "bad"
    if cost.whole_hand:
        hand = g.state.seats[seat].hand
        return "" if sorted(pay) == sorted(hand) and len(hand) >= cost.least else "self.discard-power"
    allowed = payers(g, seat, cost)
    if not cost.least <= len(pay) <= cost.most or any(card not in allowed for card in pay):
        return "self.discard-power"
    return ""


def payers(g: Reader, seat: int, cost: v.Cost) -> list[int]:
    """The cards that may pay this price."""
    there, cards = payable(g, seat), g.cat.cards
    return there if cost.kind is None else [card for card in there if cards[card & 4095].kind == cost.kind]


# ------------------------------------------------------------------------------------------------------ carrying out
def play(g: Game, seat: int, action: Play) -> None:
    """Carry out a legal play."""
    definition = g.of(action.card)
    frm = find_card(g, seat, action.card)
    _PLAYS.get(definition.kind, _play_text)(g, seat, action, definition, frm)


def _play_into_place(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """Identities, the cards that allow two, Items and what attaches to them, Hirelings and Allies stay in front of
    their player. Where Items are switched only before the door, one that comes later is equipped as it arrives and
    others give way (when.equip-own-turn)."""
    if definition.card.one_shot:
        _play_text(g, seat, action, definition, frm)
        return
    on = action.target if definition.kind in ("cheat", "upgrade") else 0
    new = to_table(g, action.card, Zone("hand", seat), seat, "played", on=on, up=definition.kind != "item")
    entry = placed(g, seat, new)
    clause = equip_clause(g, seat, entry, 0) if entry is not None else ""
    arriving = g.cat.switches.equip == "turn-start" and mode(g) != "setup"
    fits = not clause or (clause == "item.slots" and arriving)
    if definition.kind == "item" and fits and not forbidden(g, "equip", seat):
        g.emit(Flipped(seat, new, True, hidden=laying_out(g)))
    if definition.card.play:
        _push(g, definition, PARTS.index("play"), seat, action, 0, "", new if definition.names_this else 0)


def _play_text(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """One-shots stay in the combat until it is over; other texts are discarded when done (item.one-shot)."""
    stays = definition.card.one_shot and g.state.fight is not None
    if definition.kind == "special" and definition.card.mods:
        _play_into_place(g, seat, action, definition, frm)
        return
    new = to_open(g, action.card, Zone(frm, seat), "fight" if stays else "limbo", seat, "played", on_seat=action.seat)
    _push(g, definition, PARTS.index("play"), seat, action, new, "" if stays else "discard")


def _push(
    g: Game, definition: Def, part: int, seat: int, action: Play | Use, card: int, rest: str, source: int = 0
) -> None:
    found = find_monster(g, action.target)
    g.state.stack.append(
        Program(
            defn=definition.no, part=part, card=card, you=seat, victim=action.seat if action.seat >= 0 else seat,
            monster=found.group if found is not None else 0, side=action.side, brought=action.brought,
            target=action.target, rest=rest, source=source,
        )
    )  # fmt: skip


def _play_curse(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    new = to_open(g, action.card, Zone(frm, seat), "limbo", seat, "played", on_seat=action.seat)
    strike(g, action.seat, new, seat)


def _play_monster(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    add_monster(g, seat, action.card, "hand", "joins")


def _play_wandering(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    to_open(g, action.card, Zone(frm, seat), "fight", seat, "played")
    add_monster(g, seat, action.brought, "hand", "wanders in")


def _play_enhancer(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """On a monster of the combat, or with a monster that joins by the tag it is given (combat.enhancer)."""
    if action.brought:
        group = add_monster(g, seat, action.brought, "hand", "joins")
    else:
        found = find_monster(g, action.target)
        group = found.group if found is not None else 0
    new = to_open(g, action.card, Zone(frm, seat), "fight", seat, "played", on=group)
    if definition.card.partner:
        add_copy(g, seat, group, new, "joins")
    if definition.card.play:
        g.state.stack.append(
            Program(defn=definition.no, part=PARTS.index("play"), card=new, you=seat, victim=seat, monster=group)
        )


_PLAYS = {
    "identity": _play_into_place, "double": _play_into_place, "item": _play_into_place, "cheat": _play_into_place,
    "hireling": _play_into_place, "ally": _play_into_place, "upgrade": _play_into_place,
    "curse": _play_curse, "monster": _play_monster, "wandering": _play_wandering,
    "enhancer": _play_enhancer,
}  # fmt: skip


def use(g: Game, seat: int, action: Use) -> None:
    """Carry out a legal use: the price first, then the text."""
    definition = g.of(action.card)
    ability = definition.abilities[action.ability]
    spend(g, seat, action.pay)
    on = action.seat if ability.per == "victim" else -1
    scope = "turn" if ability.per == "turn" else "combat"
    g.emit(UsedAbility(seat, action.card, action.ability, on, len(action.pay), scope))
    _push(g, definition, len(PARTS) + action.ability, seat, action, 0, "")
    frame = g.state.stack[-1]
    assert isinstance(frame, Program)
    frame.saved["paid"] = len(action.pay)
    frame.source = action.card
