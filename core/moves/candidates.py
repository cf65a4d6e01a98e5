"""Every way to play a card of one's own and to use an ability of what one has in play, as rows of `legal`."""

from functools import lru_cache

from core.language.definition import Def, Power
from core.language.schema import Ability
from core.moves.play import again_clause, lends, payers, room_clause, target_clause, time_clause, wasted_level, worn_out
from core.moves.targeting import Aim, aim_clause, aims, met, monsters_in_hand
from core.moves.timing import gate_clause, mode, when_clause
from core.queries.cache import ROWS, of_gear
from core.queries.lookup import has_rolled
from core.state.actions import Legal, Pick, Play, Use
from core.state.reader import Reader


def play_rows(g: Reader, seat: int, now: str, out: list[Legal]) -> None:
    """Everything this seat may play now (see timing.mode), each with every way to aim it."""
    player = g.state.seats[seat]
    cards = g.cat.cards
    shut: dict[str, str] = {}
    timely = now != "setup"  # an open gate is all that the time of a card asks for
    for card in player.hand:
        definition = cards[card & 4095]
        gate = definition.gate
        if gate not in shut:
            shut[gate] = gate_clause(g, seat, gate)
        if not shut[gate] and timely:
            if definition.roomy or not room_clause(g, seat, card, definition):
                _rows_of(g, seat, card, definition, out)
        elif (not shut[gate] or card in player.fresh) and not time_clause(g, seat, card, definition):
            _rows_of(g, seat, card, definition, out)
    for entry in player.table:
        definition = cards[entry.card & 4095]
        if definition.card.one_shot and not time_clause(g, seat, entry.card, definition):
            _rows_of(g, seat, entry.card, definition, out)


def _rows_of(g: Reader, seat: int, card: int, definition: Def, out: list[Legal]) -> None:
    """Every way to aim a card that could be played now."""
    if definition.kind == "monster":
        out.append(Legal(Play(card)))
        return
    if definition.plain:
        ways = aims(g, seat, definition.target)
        out.extend(_plays(card, _fitting(g, seat, definition, ways) if definition.demands else ways))
        return
    monsters = monsters_in_hand(g, seat) if definition.brings else [0]
    for at, side, target in aims(g, seat, definition.target):
        for brought in monsters:
            action = Play(card, at, side, target, brought)  # type: ignore[arg-type]
            if not target_clause(g, seat, definition, action):
                out.append(Legal(action))
    if definition.kind == "enhancer" and definition.card.gives_tag is not None:
        for brought in monsters_in_hand(g, seat):
            action = Play(card, brought=brought)
            if not target_clause(g, seat, definition, action):
                out.append(Legal(action))


def _fitting(g: Reader, seat: int, definition: Def, ways: tuple[Aim, ...]) -> tuple[Aim, ...]:
    """Of the ways to aim a plain card those at which its demands are met."""
    if mode(g) == "setup":
        ways = tuple([way for way in ways if way[0] in (-1, seat)])
    cond = definition.card.if_
    if cond is not None:
        ways = tuple([way for way in ways if met(g, seat, cond, way[0], way[2])])
    if definition.kind == "level":
        ways = tuple([way for way in ways if not wasted_level(g, seat, definition, way[0])])
    return ways


@lru_cache(maxsize=ROWS)
def _plays(card: int, ways: tuple[Aim, ...]) -> list[Legal]:
    return [Legal(Play(card, *way)) for way in ways]  # type: ignore[arg-type]


def use_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Every ability this seat may use now that first cards are laid out, the payment left open."""
    powers = _powers(g, seat)
    shut: dict[str, str] = {}
    rolled = bool(powers) and has_rolled(g, seat)
    for card, power in powers:
        ability = power.ability
        when = ability.when
        if when not in shut:
            shut[when] = when_clause(g, seat, when)
        if shut[when] or (rolled and power.sacrifices):
            continue
        if again_clause(g, seat, card & 4095, power):
            continue
        pick = _payment(g, seat, ability)
        if pick is not None or ability.cost is None:
            _uses_of(g, seat, card, power, pick, out)


@of_gear
def _powers(g: Reader, seat: int) -> list[tuple[int, Power]]:
    """Every ability of what a seat has in play, with its card."""
    found = [(entry, g.of(entry.card)) for entry in g.state.seats[seat].table]
    return [
        (entry.card, power)
        for entry, definition in found
        if definition.powers and lends(g, seat, entry, definition)
        for power in definition.powers
    ]


def _uses_of(g: Reader, seat: int, card: int, power: Power, pick: Pick | None, out: list[Legal]) -> None:
    """Every way to aim an ability that could be used now."""
    bringing = monsters_in_hand(g, seat) if power.brings else [0]
    for way in aims(g, seat, power.ability.target):
        for brought in bringing:
            action = Use(card, power.number, (), *way, brought)  # type: ignore[arg-type]
            if power.sure or _aimed_right(g, seat, power, action):
                out.append(Legal(action, pick))


def _aimed_right(g: Reader, seat: int, power: Power, action: Use) -> bool:
    if aim_clause(g, seat, power.ability.target, action, power.ability.if_):
        return False
    return not worn_out(g, seat, power, action)


def _payment(g: Reader, seat: int, ability: Ability) -> Pick | None:
    cost = ability.cost
    if cost is None:
        return None
    if cost.whole_hand:
        hand = g.state.seats[seat].hand
        return Pick("pay", tuple(hand), len(hand), len(hand)) if len(hand) >= cost.least else None
    cards = payers(g, seat, cost)
    if len(cards) < cost.least:
        return None
    return Pick("pay", tuple(cards), cost.least, min(cost.most, len(cards)))
