"""What a seat may do: all of it (`legal`), whether this (`check`), and bounded ways to fill the sets (`suggest`)."""

from collections.abc import Callable
from itertools import combinations, islice

import msgspec

from core.language.catalog import Catalog
from core.language.schema import LootFight, SellDouble, TopDiscard, TwoHanded
from core.moves.bargains import MOVES, accept_clause, offer_rows
from core.moves.candidates import play_rows, use_rows
from core.moves.timing import equip_time_clause, mode, selling_clause
from core.moves.validate import HOLDS, abandons, refusal
from core.queries.cache import of_gear
from core.queries.limits import equip_clause, sellable, worths
from core.queries.lookup import trouble_options
from core.queries.modifiers import forbidden, mods_of
from core.queries.strength import vehicles, winning
from core.state import actions as a
from core.state.actions import AnyAction, Legal, Pick, Refusal
from core.state.model import Ask, State, Window
from core.state.reader import Reader

MOST = 256
"""Rows of legal; more than this a player could not read and a bot need not."""


def check(cat: Catalog, state: State, seat: int, action: AnyAction) -> Refusal | None:
    """Why this would be refused now; None if it would be taken. Changes nothing."""
    return refusal(Reader(cat, state), seat, action)


def legal(cat: Catalog, state: State, seat: int) -> list[Legal]:
    """Everything a seat may do now, at most 256 rows: what it must answer, then passing, then plays and the rest."""
    if seat < 0 or state.winners or not state.stack or state.seats[seat].dead:
        return []
    return rows(Reader(cat, state), seat)


def rows(g: Reader, seat: int) -> list[Legal]:
    """`legal` for a game already being looked at; the seat is alive and the game on."""
    top = g.state.stack[-1]
    out: list[Legal] = []
    for ask in top.asks:
        if ask.seat == seat:
            _ask_rows(g, ask, out)
    if isinstance(top, Window) and seat not in top.passed:
        _window_rows(g, seat, top, out)
    now = mode(g)
    if now == "reading" or (now == "setup" and not out):
        return out
    play_rows(g, seat, now, out)
    if now != "setup":
        use_rows(g, seat, out)
    _own_cards(g, seat, now, out)
    if now != "setup":
        _sale_rows(g, seat, out)
        _bargain_rows(g, seat, out)
    del out[MOST:]
    return out


def _window_rows(g: Reader, seat: int, top: Window, out: list[Legal]) -> None:
    out.append(Legal(a.Pass(top.id)))
    fight = g.state.fight
    if top.kind != "kick" and top.holder < 0 and fight is not None and fight.holds[seat] < HOLDS:
        out.append(Legal(a.Hold(top.id)))


def _ask_rows(g: Reader, ask: Ask, out: list[Legal]) -> None:
    """The ways to answer an ask: by an action of its kind, by one of its options, or by a set of them."""
    own = _OWN_ACTIONS.get(ask.kind)
    if own is not None:
        out.extend([Legal(action) for action in own(g, ask)])
    elif ask.lo == 1 and ask.hi == 1:
        out.extend([Legal(a.Answer(ask.id, (option,))) for option in ask.options])
    else:
        out.append(Legal(a.Answer(ask.id), Pick("picks", tuple(ask.options), ask.lo, ask.hi)))


def _trouble_actions(g: Reader, ask: Ask) -> list[a.Action]:
    barred = forbidden(g, "loot", ask.seat)
    actions: list[a.Action] = [a.Done()] if barred else [a.Loot()]
    pile = g.state.treasure_out if g.state.options.listen else g.state.door_out
    if not barred and pile and mods_of(g, ask.seat, TopDiscard):
        actions.append(a.Loot("discard"))
    if not barred and g.state.options.listen and mods_of(g, ask.seat, LootFight):
        actions.append(a.Loot("door"))
    return actions + [a.Trouble(card) for card in trouble_options(g, ask.seat)]


_OWN_ACTIONS: dict[str, Callable[[Reader, Ask], list[a.Action]]] = {
    "ready": lambda g, ask: [a.Done()],
    "kick": lambda g, ask: [a.Kick()],
    "trouble": _trouble_actions,
    "fight": lambda g, ask: [a.Claim() if winning(g) else a.Flee()],
    "roll": lambda g, ask: [a.Roll(monster) for monster in ask.options],
    "end": lambda g, ask: [a.EndTurn()],
    "hold": lambda g, ask: [],
}


def _own_cards(g: Reader, seat: int, now: str, out: list[Legal]) -> None:
    """Equipping, turning sideways, giving up an identity."""
    player = g.state.seats[seat]
    if not player.table:
        return
    switching = player.moves < MOVES and not equip_time_clause(g, seat) and not forbidden(g, "equip", seat)
    left = tuple([card for card in vehicles(g, seat) if abandons(g, seat, card)]) if now == "run" else ()
    out.extend(_gear_rows(g, seat, switching, now != "setup", left))


@of_gear
def _gear_rows(g: Reader, seat: int, switching: bool, discarding: bool, left: tuple[int, ...]) -> list[Legal]:
    """left: the Vehicles that may be left behind."""
    out: list[Legal] = []
    cards = g.cat.cards
    table = g.state.seats[seat].table
    carriers = [entry.card for entry in table if cards[entry.card & 4095].kind in ("hireling", "ally")]
    two_handed = switching and bool(mods_of(g, seat, TwoHanded))
    for entry in table:
        definition = cards[entry.card & 4095]
        if (discarding and definition.kind in ("identity", "ally")) or entry.card in left:
            out.append(Legal(a.Discard(entry.card)))
        if not switching or definition.kind != "item" or definition.card.one_shot:
            continue
        if entry.up:
            out.append(Legal(a.Unequip(entry.card)))
        if (not entry.up or entry.both or entry.on) and not equip_clause(g, seat, entry, 0):
            out.append(Legal(a.Equip(entry.card)))
        for carrier in carriers:
            if not (entry.up and entry.on == carrier) and not equip_clause(g, seat, entry, carrier):
                out.append(Legal(a.Equip(entry.card, carrier)))
        if two_handed and not entry.both and not equip_clause(g, seat, entry, 0, True):
            out.append(Legal(a.Equip(entry.card, 0, True)))
    return out


def _sale_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    if selling_clause(g, seat) or forbidden(g, "sell", seat):
        return
    if g.state.seats[seat].level >= g.state.options.win_level - 1:
        return
    cards = sellable(g, seat)
    prices = tuple(worths(g, cards))
    total = sum(prices)
    if total >= 1000:
        out.append(Legal(a.Sell(()), Pick("cards", tuple(cards), 1, len(cards), 1000, prices)))
    if 2 * total >= 1000 and g.state.turn.doubled < len(mods_of(g, seat, SellDouble)):
        for card, price in zip(cards, prices):
            if price and total + price >= 1000:
                pick = Pick("cards", tuple(cards), 1, len(cards), max(1000 - price, 0), prices)
                out.append(Legal(a.Sell((), card), pick))


def _bargain_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    for deal in g.state.offers:
        if deal.frm == seat:
            out.append(Legal(a.Withdraw(deal.no)))
            continue
        if deal.to in (-1, seat) and not accept_clause(g, seat, deal.no):
            out.append(Legal(a.Accept(deal.no)))
        if deal.to == seat:
            out.append(Legal(a.Decline(deal.no)))
    offer_rows(g, seat, out)


# ---------------------------------------------------------------------------------------------------------- suggest
def suggest(row: Legal, most: int = 32) -> list[AnyAction]:
    """Ways to fill the set of a legal row, smallest first, at most `most`; a whole action as it is.

    Works from the row alone, so a bot needs nothing but its view. What counts double in a sale is always in it.
    """
    pick = row.pick
    if pick is None:
        return [row.action]
    must = (row.action.doubled,) if isinstance(row.action, a.Sell) and row.action.doubled else ()
    price = dict(zip(pick.among, pick.worth))
    found: list[AnyAction] = []
    for size in range(max(pick.lo, len(must)), pick.hi + 1):
        for chosen in islice(combinations(pick.among, size), 4 * most):
            if any(card not in chosen for card in must):
                continue
            if pick.sum_at_least and sum(price.get(card, 0) for card in chosen) < pick.sum_at_least:
                continue
            found.append(fill(row, chosen))
            if len(found) >= most:
                return found
    return found


def fill(row: Legal, chosen: tuple[int, ...]) -> AnyAction:
    """The action of a row with its open set filled."""
    if row.pick is None:
        return row.action
    if row.pick.field in ("gives", "wants") and isinstance(row.action, a.Offer | a.Counter):
        terms = msgspec.structs.replace(row.action.terms, **{row.pick.field: chosen})
        return msgspec.structs.replace(row.action, terms=terms)
    return msgspec.structs.replace(row.action, **{row.pick.field: chosen})
