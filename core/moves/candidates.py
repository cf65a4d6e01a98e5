"""Every way to play a card and to use an ability, as rows of `legal`.

The clauses are those of play.py and targeting.py. For speed, clauses that cannot forbid anything are skipped; the flags
of a definition (core/language/definition.py) say which.
"""

from functools import lru_cache

from core.language.definition import Def, Power
from core.language.schema import Ability
from core.language.traits import ONE_SHOT, POWER
from core.moves.level_cards import somebody_stays, stays
from core.moves.play import (
    again_clause,
    is_unhelped,
    lends,
    moment_clause,
    named_clause,
    payment,
    play_is_vain,
    room_clause,
    target_clause,
    unfit_clause,
    use_is_vain,
    vain_clause,
    vain_for,
)
from core.moves.targeting import NOBODY, Aim, aims, meeting, met, monsters_in_hand, suppresses
from core.moves.timing import playable_at_once
from core.queries.cache import ROWS, cached_by_gear
from core.state.actions import Legal, Pick, Play, Use
from core.state.model import DEFN_MASK
from core.state.reader import Reader


# ----------------------------------------------------------------------------------------------------- playing a card
def play_rows(g: Reader, seat: int, gates: frozenset[str], out: list[Legal]) -> None:
    """Add every card this seat may play at present, each with all its targets. First cards must have been laid out.

    This is `moment_clause` for a whole hand. gates: those that are open (timing.open_gates).
    """
    player, cards, barring = g.state.seats[seat], g.cat.cards, g.state.fight is not None and suppresses(g)
    for card in player.hand:
        definition = cards[card & DEFN_MASK]
        if definition.gate not in gates and not (card in player.fresh and playable_at_once(g, seat, card, definition)):
            continue
        room = definition.room
        if not room or (room == "combat" and not barring) or not room_clause(g, seat, card, definition):
            _rows_of(g, seat, card, definition, out)
    for entry in player.table if g.reads.traits[seat] & ONE_SHOT else ():
        definition = cards[entry.card & DEFN_MASK]
        if definition.card.one_shot and not moment_clause(g, seat, entry.card, definition):
            _rows_of(g, seat, entry.card, definition, out)


def first_card_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Add every card this seat may lay out before the first turn, each with all its targets (setup.first-cards)."""
    cards = g.cat.cards
    for card in g.state.seats[seat].hand:
        definition = cards[card & DEFN_MASK]
        if not moment_clause(g, seat, card, definition):
            found: list[Legal] = []
            _rows_of(g, seat, card, definition, found)
            out += [row for row in found if isinstance(row.action, Play) and row.action.seat in (-1, seat)]


def _rows_of(g: Reader, seat: int, card: int, definition: Def, out: list[Legal]) -> None:
    """Add a card that may be played now, with all its targets."""
    if definition.plain:
        ways = aims(g, seat, definition.target)
        if definition.demands:
            ways = _demanded(g, seat, card, definition, ways)
        found = _plain_rows(card, ways)
        if definition.compels:
            found = [Legal(row.action, unhelped=is_unhelped(g, row.action)) for row in found]  # type: ignore[arg-type]
        out += _judged(g, seat, card, found) if definition.vain else found
        return
    if definition.kind == "monster":
        out += _plain_rows(card, NOBODY)
        return
    if definition.target == "bring" and definition.brings and not (definition.demands or definition.vain):
        out += _bringing_rows(card, tuple(monsters_in_hand(g, seat)))
        return
    monsters = monsters_in_hand(g, seat) if definition.brings else [0]
    named = [(*way, brought) for way in aims(g, seat, definition.target) for brought in monsters]
    if definition.kind == "enhancer" and definition.card.gives_tag is not None:
        named += [(-1, "", 0, brought) for brought in monsters_in_hand(g, seat)]
    for fields in named:
        action = Play(card, *fields)  # type: ignore[arg-type]
        if not target_clause(g, seat, definition, action):
            out.append(Legal(action, None, play_is_vain(g, seat, action), is_unhelped(g, action)))


def _demanded(g: Reader, seat: int, card: int, definition: Def, ways: tuple[Aim, ...]) -> tuple[Aim, ...]:
    """Return the targets for which the demands of a plain card are met."""
    cond = definition.card.if_
    if definition.asks_victim:
        ways = tuple([way for way in ways if _met_by(g, way[0] if way[0] >= 0 else seat, card)])
    elif cond is not None:
        if definition.asks_target:
            ways = meeting(g, seat, cond, definition.sense, ways, card)
        elif not meeting(g, seat, cond, definition.sense, NOBODY, card):
            return ()
    if definition.compels or (definition.gives_level and somebody_stays(g)):
        ways = tuple([way for way in ways if not _is_refused(g, seat, definition, way[0])])
    return ways


def _is_refused(g: Reader, seat: int, definition: Def, at: int) -> bool:
    """Return whether `vain_clause` forbids aiming a card at this seat. A card that gives levels only to its victim is
    forbidden only if the victim is one level short of winning."""
    if definition.vain_alone and not stays(g, at if at >= 0 else seat):
        return False
    return vain_clause(g, seat, definition, at) is not None


@cached_by_gear
def _met_by(g: Reader, victim: int, card: int) -> bool:
    """Return whether the condition of a card holds for this victim; it must depend on nothing else."""
    definition = g.of(card)
    cond = definition.card.if_
    return cond is None or met(g, victim, cond, definition.sense, (victim, "", 0), card)


def _judged(g: Reader, seat: int, card: int, found: list[Legal]) -> list[Legal]:
    """Return these plays of a card that may have no effect, each with whether it would have none."""
    vain = vain_for(g, seat, card, [row.action.seat for row in found])  # type: ignore[union-attr]
    if True not in vain:
        return found
    return [Legal(row.action, None, True) if is_vain else row for row, is_vain in zip(found, vain)]


@lru_cache(maxsize=ROWS)
def _plain_rows(card: int, ways: tuple[Aim, ...]) -> list[Legal]:
    return [Legal(Play(card, *way)) for way in ways]  # type: ignore[arg-type]


@lru_cache(maxsize=ROWS)
def _bringing_rows(card: int, monsters: tuple[int, ...]) -> list[Legal]:
    return [Legal(Play(card, brought=brought)) for brought in monsters]


# --------------------------------------------------------------------------------------------------- using an ability
def use_rows(g: Reader, seat: int, gates: frozenset[str], out: list[Legal]) -> None:
    """Add every ability this seat may use now, each with all its targets, the payment left open. gates: the times that
    there are (timing.open_gates)."""
    for card, power in _powers(g, seat) if g.reads.traits[seat] & POWER else ():
        ability = power.ability
        if ability.when not in gates or unfit_clause(g, seat, power) or again_clause(g, seat, card, power):
            continue
        pick = _payment_pick(g, seat, ability)
        if pick is not None or ability.cost is None:
            _uses_of(g, seat, card, power, pick, out)


@cached_by_gear
def _powers(g: Reader, seat: int) -> list[tuple[int, Power]]:
    """Return (card, ability) for all abilities that a seat's cards in play lend it."""
    cards = g.cat.cards
    return [
        (entry.card, power)
        for entry in g.state.seats[seat].table
        if (definition := cards[entry.card & DEFN_MASK]).powers and lends(g, seat, entry, definition)
        for power in definition.powers
    ]


def _uses_of(g: Reader, seat: int, card: int, power: Power, pick: Pick | None, out: list[Legal]) -> None:
    """Add an ability that may be used now, with all its targets."""
    ways = aims(g, seat, power.ability.target)
    if power.sure and not (power.brings or power.vain):
        out += _use_rows(card, power.number, ways, pick)
        return
    bringing = monsters_in_hand(g, seat) if power.brings else [0]
    for way in ways:
        for brought in bringing:
            action = Use(card, power.number, (), *way, brought)  # type: ignore[arg-type]
            if power.sure or not named_clause(g, seat, power, action):
                out.append(Legal(action, pick, use_is_vain(g, seat, action), is_unhelped(g, action)))


@lru_cache(maxsize=ROWS)
def _use_rows(card: int, number: int, ways: tuple[Aim, ...], pick: Pick | None) -> list[Legal]:
    return [Legal(Use(card, number, (), *way), pick) for way in ways]  # type: ignore[arg-type]


def _payment_pick(g: Reader, seat: int, ability: Ability) -> Pick | None:
    """Return the cards from which a seat may choose its payment; None if it pays nothing or cannot pay."""
    if ability.cost is None:
        return None
    cards, least, most = payment(g, seat, ability.cost)
    return Pick("pay", tuple(cards), least, most) if least <= most else None
