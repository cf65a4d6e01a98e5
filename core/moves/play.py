"""Playing a card and using an ability: the clauses that forbid it, and carrying it out."""

from collections.abc import Sequence

from core.language import schema as v
from core.language.compiler import PARTS
from core.language.definition import Def, Power
from core.moves.level_cards import level_nine_clause
from core.moves.targeting import (
    aim_clause,
    brought_clause,
    closed_clause,
    joins,
    met,
    monsters_in_hand,
    suppressed_clause,
)
from core.moves.timing import card_time_clause, mode, when_clause
from core.operations.equipping import equip
from core.operations.monsters import add_monster, add_partner
from core.operations.players import spend, strike
from core.queries.cache import cached_by_gear
from core.queries.capacity import equip_clause, limit_clause
from core.queries.conditions import Ctx, laying_out, usable
from core.queries.help import compel_clause, help_clause
from core.queries.lookup import find_monster, has_rolled, payable
from core.queries.modifiers import forbidden
from core.queries.prospects import comes_to_nothing
from core.queries.rewards import for_the_win
from core.state.actions import Play, Use
from core.state.events import UsedAbility
from core.state.game import Game, to_open, to_table
from core.state.model import DEFN_MASK, Fight, Placed, Program, Used, Zone, card_id, defn_of
from core.state.reader import Reader, placed
from core.state.refusals import Clause

ANYWAY_KINDS = ("curse", "level")
"""Kinds of card that are played even if the fight has changed since the decision; other kinds are refused
(docs/architecture.md, Arbitration)."""


def zone_to_play_from(g: Reader, seat: int, card: int) -> str:
    """Return where a card to be played lies: "hand", "table" (a one-shot in play), or "" if it cannot be played."""
    if card in g.state.seats[seat].hand:
        return "hand"
    entry = placed(g, seat, card)
    return "table" if entry is not None and g.of(card).card.one_shot else ""


# ----------------------------------------------------------------------------------------------------- playing a card
def play_clause(g: Reader, seat: int, action: Play) -> Clause | None:
    """Return the clause that forbids this play."""
    card = action.card
    if not zone_to_play_from(g, seat, card):
        return "not there"
    definition = g.of(card)
    clause = moment_clause(g, seat, card, definition)
    if clause:
        return clause
    if _is_late(g, definition.kind in ANYWAY_KINDS, action):
        return "changed"
    return target_clause(g, seat, definition, action)


def moment_clause(g: Reader, seat: int, card: int, definition: Def) -> Clause | None:
    """Return the clause that forbids playing a card now, whatever its target: by its time, or for lack of room."""
    return card_time_clause(g, seat, card, definition) or room_clause(g, seat, card, definition)


def room_clause(g: Reader, seat: int, card: int, definition: Def) -> Clause | None:
    """Return the clause by which a card that could be played now has no room: a limit of the seat, or a condition of
    the combat."""
    room = definition.room
    if room == "joins":
        return None if joins(g, card, None) else "combat.monster-to-hand"
    clause = limit_clause(g, seat, definition.no) if room == "limit" else None
    return clause or suppressed_clause(g, definition)


def target_clause(g: Reader, seat: int, definition: Def, action: Play) -> Clause | None:
    """Return the clause that forbids the target of a play, or the monster it brings along."""
    if definition.brings or action.brought:
        clause = brought_clause(g, seat, definition, action)
        if clause:
            return clause
        if definition.kind == "enhancer" and action.brought:
            return None if not action.target else "target"
    if action.seat not in (-1, seat) and mode(g) == "setup":
        return "setup.order"
    clause = aim_clause(g, seat, definition.target, action, definition.card.if_, definition.sense)
    return clause or vain_clause(g, seat, definition, action.seat)


def vain_clause(g: Reader, seat: int, definition: Def, at: int) -> Clause | None:
    """Return the clause by which a card would not work: it would give a level to a player who is one short of winning,
    or compel somebody to help who cannot be compelled (golden.level-nine, help.compelled). at: the seat it is aimed at,
    -1 for none."""
    if definition.compels:
        clause = _compelling_clause(g, definition.card.play, Ctx(you=seat, victim=at if at >= 0 else seat))
        if clause:
            return clause
    return level_nine_clause(g, seat, definition.card.play, at, definition.kind) if definition.gives_level else None


def _compelling_clause(g: Reader, text: tuple[v.Op, ...], ctx: Ctx) -> Clause | None:
    """Return the clause that forbids a text that compels help: the fight would win the game, or nobody can be compelled
    and the text would do nothing else (help.compelled)."""
    if for_the_win(g):
        return "help.compelled"
    return help_clause(g) or "help.compelled" if comes_to_nothing(g, text, ctx) else None


def play_is_vain(g: Reader, seat: int, action: Play) -> bool:
    """Return whether an allowed play would have no effect (curse.ignored)."""
    return g.of(action.card).vain and vain_for(g, seat, action.card, (action.seat,))[0]


def vain_for(g: Reader, seat: int, card: int, aimed_at: Sequence[int]) -> list[bool]:
    """Return for each of these seats (-1: none is named) whether a card played on it would have no effect. The card
    must be one that may have no effect (Def.vain)."""
    no = card & DEFN_MASK
    definition = g.cat.cards[no]
    if definition.vain_alone:
        return [_is_vain_for(g, at if at >= 0 else seat, no) for at in aimed_at]
    ctx, text = Ctx(you=seat, victim=seat, card=card), definition.card.play
    if definition.vain_alike:
        return [comes_to_nothing(g, text, ctx)] * len(aimed_at)
    found = []
    for at in aimed_at:
        ctx.victim = at if at >= 0 else seat
        found.append(comes_to_nothing(g, text, ctx))
    return found


@cached_by_gear
def _is_vain_for(g: Reader, victim: int, defn: int) -> bool:
    """Return whether a card would have no effect on this victim. Only the victim may decide this (Def.vain_alone)."""
    return comes_to_nothing(g, g.cat.cards[defn].card.play, Ctx(you=victim, victim=victim))


def use_is_vain(g: Reader, seat: int, action: Use) -> bool:
    """Return whether an allowed use of an ability would have no effect."""
    power = g.of(action.card).powers[action.ability]
    if not power.vain:
        return False
    victim = action.seat if action.seat >= 0 else seat
    return comes_to_nothing(g, power.ability.do, Ctx(you=seat, victim=victim, card=action.card))


def is_unhelped(g: Reader, action: Play | Use) -> bool:
    """Return whether an allowed action would compel help although nobody can be compelled, so that only its other
    effects would happen (help.compelled-barred)."""
    definition = g.of(action.card)
    compels = definition.compels if isinstance(action, Play) else definition.powers[action.ability].compels
    return compels and compel_clause(g, list(range(len(g.state.seats)))) is not None


def promised_clause(g: Reader, seat: int, card: int, helper: int) -> Clause | None:
    """Return the clause that forbids playing a card from hand on this helper, regardless of timing
    (help.bribe-hand)."""
    definition = g.of(card)
    return target_clause(g, seat, definition, Play(card, helper if definition.target == "seat" else -1))


def _is_late(g: Reader, anyway: bool, action: Play | Use) -> bool:
    """Return whether the fight has changed since this was decided and the change matters. anyway: the default for the
    action's own `anyway`; if True, a change does not matter."""
    fight = g.state.fight
    if action.anyway is not None:
        anyway = action.anyway
    return fight is not None and not anyway and 0 <= action.seen < fight.changed_at


# --------------------------------------------------------------------------------------------------- using an ability
def use_clause(g: Reader, seat: int, action: Use) -> Clause | None:
    """Return the clause that forbids using this ability in this way."""
    entry = placed(g, seat, action.card)
    if entry is None:
        return "not there"
    powers = g.of(action.card).powers
    if action.ability >= len(powers):
        return "bad"
    power = powers[action.ability]
    ability = power.ability
    clause = _power_clause(g, seat, entry, power)
    if clause:
        return clause
    if _is_late(g, True, action):
        return "changed"
    if action.brought and action.brought not in monsters_in_hand(g, seat):
        return "combat.monster-to-hand"
    if bool(action.brought) != power.brings:
        return "brings"
    return named_clause(g, seat, power, action) or _cost_clause(g, seat, ability, action.pay)


def _power_clause(g: Reader, seat: int, entry: Placed, power: Power) -> Clause | None:
    """Return the clause that forbids using an ability now, whatever its target and payment."""
    clause = "setup.order" if mode(g) == "setup" else when_clause(g, seat, power.ability.when)
    clause = clause or unfit_clause(g, seat, power)
    if clause:
        return clause
    if not lends(g, seat, entry, g.of(entry.card)):
        return "item.carried-equipped"
    return again_clause(g, seat, entry.card, power)


def unfit_clause(g: Reader, seat: int, power: Power) -> Clause | None:
    """Return the clause that forbids an ability in this fight: sacrificing an Ally after its runner has rolled, or
    bringing a monster after the last one has left."""
    if power.sacrifices and has_rolled(g, seat):
        return "self.ally-sacrifice-when"
    return closed_clause(g) if power.adds else None


def lends(g: Reader, seat: int, entry: Placed, definition: Def) -> bool:
    """Return whether a card in play lends its abilities: an Item, one-shots too, if it lies upright and its owner may
    use it."""
    return definition.kind != "item" or (entry.up and usable(g, seat, entry))


def again_clause(g: Reader, seat: int, card: int, power: Power) -> Clause | None:
    """Return why an ability cannot be used: it was used as often as allowed, or its condition (if it is not about a
    target) does not hold."""
    ability = power.ability
    counted = ability.per in ("combat", "turn") and _uses(g, ability.per)
    if counted and _times(g, seat, defn_of(card), power, -1) >= ability.most:
        return "used"
    if ability.if_ is not None and ability.target in ("none", "side"):
        return None if met(g, seat, ability.if_, power.sense, (-1, "", 0), card) else "condition"
    return None


def named_clause(g: Reader, seat: int, power: Power, action: Use) -> Clause | None:
    """Return the clause that forbids the target of a use: a wrong target, a victim that it has struck as often as
    allowed, or an effect that would not work (see `vain_clause`)."""
    ability = power.ability
    clause = aim_clause(g, seat, ability.target, action, ability.if_, power.sense)
    if clause:
        return clause
    if ability.per == "victim" and _times(g, seat, defn_of(action.card), power, action.seat) >= ability.most:
        return "used"
    if power.compels:
        ctx = Ctx(you=seat, victim=action.seat if action.seat >= 0 else seat, card=action.card)
        clause = _compelling_clause(g, ability.do, ctx)
        if clause:
            return clause
    if not power.gives_level:
        return None
    return level_nine_clause(g, seat, ability.do, action.seat, card=action.card)


def _times(g: Reader, seat: int, defn: int, power: Power, on: int) -> int:
    """Return how often a seat used an ability. on: the victim, if uses are counted for each victim; else -1."""
    times = 0
    for used in _uses(g, power.ability.per):
        if used.defn == defn and used.seat == seat and used.ability == power.number and used.on == on:
            times += used.times
    return times


def _uses(g: Reader, scope: str) -> list[Used]:
    fight: Fight | None = g.state.fight
    return fight.uses if scope != "turn" and fight is not None else g.state.turn.uses


def _cost_clause(g: Reader, seat: int, ability: v.Ability, pay: tuple[int, ...]) -> Clause | None:
    cost = ability.cost
    if cost is None:
        return None if not pay else "self.discard-power"
    if len(set(pay)) != len(pay):
        return "self.discard-power"
    cards, least, most = payment(g, seat, cost)
    paid = least <= len(pay) <= most and all(card in cards for card in pay)
    return None if paid else "self.discard-power"


def payment(g: Reader, seat: int, cost: v.Cost) -> tuple[list[int], int, int]:
    """Return how a seat may pay a price: (the cards it may use, at least how many, at most how many). If it cannot pay,
    the most is below the least."""
    if cost.whole_hand:
        hand = g.state.seats[seat].hand
        return hand, max(cost.least, len(hand)), len(hand)
    there, cards = payable(g, seat), g.cat.cards
    payers = there if cost.kind is None else [card for card in there if cards[card & DEFN_MASK].kind == cost.kind]
    return payers, cost.least, min(cost.most, len(payers))


# ------------------------------------------------------------------------------------------------------ carrying out
def play(g: Game, seat: int, action: Play) -> None:
    """Carry out a play that is allowed."""
    definition = g.of(action.card)
    frm = zone_to_play_from(g, seat, action.card)
    _PLAYS.get(definition.kind, _play_text)(g, seat, action, definition, frm)


def _play_into_place(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """Put a card in play in front of its player: an identity, a card that allows two, an Item or what attaches to one,
    a Hireling, an Ally.

    Where Items are switched only before the door, an Item that comes later is equipped as it arrives and replaces
    others (when.equip-own-turn).
    """
    if definition.card.one_shot:
        _play_text(g, seat, action, definition, frm)
        return
    on = action.target if definition.kind in ("cheat", "upgrade") else 0
    new = to_table(g, action.card, Zone("hand", seat), seat, "played", on=on, up=definition.kind != "item")
    entry = placed(g, seat, new)
    clause = equip_clause(g, seat, entry, 0) if entry is not None else None
    arriving = g.cat.switches.equip == "turn-start" and mode(g) != "setup"
    fits = not clause or (clause == "item.slots" and arriving)
    if definition.kind == "item" and fits and not forbidden(g, "equip", seat):
        equip(g, seat, new)
    if definition.card.play and not laying_out(g):  # runs once all are ready (procedures/turn.py)
        _push(g, definition, PARTS.index("play"), seat, action, 0, "", new if definition.names_this else 0)


def _play_text(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """Run the text of a card. A one-shot stays in the combat until its end, others are discarded afterwards
    (item.one-shot)."""
    stays = definition.card.one_shot and g.state.fight is not None
    if definition.stays:
        _play_into_place(g, seat, action, definition, frm)
        return
    new = to_open(g, action.card, Zone(frm, seat), "fight" if stays else "limbo", seat, "played", on_seat=action.seat)
    _push(g, definition, PARTS.index("play"), seat, action, new, "" if stays else "discard")


def _push(
    g: Game, definition: Def, part: int, seat: int, action: Play | Use, card: int, rest: str, source: int = 0
) -> None:
    """Start one part of a card's text. card: the card's id while the text runs, 0 if it stays where it is. rest: what
    happens to it afterwards ("discard" or ""). source: the card in play that `this` means in the text, 0 if none."""
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
    new = to_open(g, action.card, Zone(frm, seat), "fight", seat, "played")
    add_monster(g, seat, action.brought, "hand", "wanders in", new)


def _play_enhancer(g: Game, seat: int, action: Play, definition: Def, frm: str) -> None:
    """Put an enhancer on a monster of the combat, or on one that joins by the tag it gives (combat.enhancer)."""
    if action.brought:
        follows = card_id(g.state.serial + 1, 0, definition.no)  # the id of the enhancer, put on the monster below
        group = add_monster(g, seat, action.brought, "hand", "joins", follows)
    else:
        found = find_monster(g, action.target)
        group = found.group if found is not None else 0
    new = to_open(g, action.card, Zone(frm, seat), "fight", seat, "played", on=group)
    if definition.card.partner:
        add_partner(g, seat, group, new)
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
    """Carry out a use that is allowed: first its price, then its text."""
    definition = g.of(action.card)
    ability = definition.abilities[action.ability]
    before = len(g.state.door_out), len(g.state.treasure_out)
    spend(g, seat, action.pay)
    paid = g.state.door_out[before[0] :] + g.state.treasure_out[before[1] :]
    on = action.seat if ability.per == "victim" else -1
    scope = "turn" if ability.per == "turn" else "combat"
    g.emit(UsedAbility(seat, action.card, action.ability, on, len(action.pay), scope))
    _push(g, definition, len(PARTS) + action.ability, seat, action, 0, "")
    frame = g.state.stack[-1]
    assert isinstance(frame, Program)
    frame.saved["paid"] = len(action.pay)
    frame.paid = paid
    frame.source = action.card
