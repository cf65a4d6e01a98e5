"""List the actions of a seat (`legal`), check one action (`check`), fill the open set of a row (`suggest`)."""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, islice

import msgspec

from core.language.catalog import Catalog
from core.moves.bargains import answer_rows, offer_rows, proposer_clause
from core.moves.candidates import first_card_rows, play_rows, use_rows
from core.moves.equipment import equipment_rows
from core.moves.play import is_unhelped, play_is_vain, use_is_vain
from core.moves.sales import sale_rows
from core.moves.timing import Moment, mode, moment, open_gates
from core.moves.validate import deck_clause, hold_clause, refusal
from core.queries.cache import ROWS, cached_by_table
from core.queries.lookup import trouble_options
from core.queries.modifiers import forbidden
from core.queries.strength import winning
from core.state import actions as a
from core.state.actions import Action, AnyAction, Legal, Pick, Refusal
from core.state.model import Ask, State, Window
from core.state.reader import Reader
from core.state.refusals import UNHELPED, VAIN

MOST = 256
"""At most this many rows of `legal`. A player could not read more, and a bot needs no more."""


def check(cat: Catalog, state: State, seat: int, action: AnyAction) -> Refusal | None:
    """Return why this action would be refused now; None if it would be accepted. Change nothing."""
    return refusal(Reader(cat, state), seat, action)


def warning(cat: Catalog, state: State, seat: int, action: AnyAction) -> str:
    """Return a warning to show before an allowed action: it would have no effect, or nobody can be made to help. "" if
    there is none."""
    g = Reader(cat, state)
    if not isinstance(action, a.Play | a.Use):
        return ""
    if play_is_vain(g, seat, action) if isinstance(action, a.Play) else use_is_vain(g, seat, action):
        return VAIN
    return UNHELPED if is_unhelped(g, action) else ""


def legal(cat: Catalog, state: State, seat: int) -> list[Legal]:
    """Return the actions that a seat may do now, at most 256 rows: first answers to its asks, then passing, then plays
    and the rest.

    Each row is an action that `check` allows, whole or with one set left open. Every allowed action is listed, except
    that bargains are listed by examples: their terms are free.
    """
    if seat < 0 or state.winners or not state.stack or state.seats[seat].dead:
        return []
    return rows(Reader(cat, state), seat)


def listed(cat: Catalog, state: State, seat: int, action: AnyAction) -> bool:
    """Return whether `rows` has listed this whole action since the last action, so that it need not be checked
    again."""
    reads, kind = state.reads, type(action)
    for row in reads.rows.get(seat, ()) if reads is not None and reads.cat is cat else ():
        if type(row.action) is kind and row.action == action and row.pick is None:
            return True
    return False


def rows(g: Reader, seat: int) -> list[Legal]:
    """Return `legal` for a Reader, cached until the next action. The seat must be alive, the game must not be over, and
    no `Game` may be changing the state."""
    found = g.reads.rows.get(seat)
    if found is None:
        found = g.reads.rows[seat] = _rows(g, seat)
    return found


def _rows(g: Reader, seat: int) -> list[Legal]:
    top = g.state.stack[-1]
    out: list[Legal] = []
    for ask in top.asks:
        if ask.seat == seat:
            out.extend(_ask_rows(g, ask))
    if isinstance(top, Window) and seat not in top.passed:
        passing, holding = _window_rows(top.id)
        out.append(passing)
        if not hold_clause(g, seat, top):
            out.append(holding)
    now = mode(g)
    if now == "reading" or (now == "setup" and not out):
        return out
    present = moment(g, seat, now)
    if now == "setup":
        first_card_rows(g, seat, out)
        equipment_rows(g, seat, present, out)
    else:
        cards, offers = _free_rows(g, seat, present)
        out += cards
        if g.state.offers:
            answer_rows(g, seat, out)
        # without open offers, `proposer_clause` asks for nothing but free moves
        if offers and present.moves and not (g.state.offers and proposer_clause(g, seat)):
            out += offers
    del out[MOST:]
    return out


@lru_cache(maxsize=ROWS)
def _window_rows(window: int) -> tuple[Legal, Legal]:
    """Return the rows for passing and for holding in a window."""
    return Legal(a.Pass(window)), Legal(a.Hold(window))


@cached_by_table
def _free_rows(g: Reader, seat: int, present: Moment) -> tuple[list[Legal], list[Legal]]:
    """Return the actions that a seat may do unasked: those with its cards, and the offers it could make."""
    out: list[Legal] = []
    gates = open_gates(present, g.cat.switches.special_any_time)
    play_rows(g, seat, gates, out)
    use_rows(g, seat, gates, out)
    equipment_rows(g, seat, present, out)
    sale_rows(g, seat, present, out)
    return out, offer_rows(g, seat)


# --------------------------------------------------------------------------------------------------- answers to an ask
def _ask_rows(g: Reader, ask: Ask) -> list[Legal]:
    """Return the ways to answer an ask: its own actions, a row for each option, or one row for a set of options."""
    if ask.kind in OWN_ACTIONS:
        return [Legal(action) for action in own_actions(g, ask)]
    if ask.lo == 1 and ask.hi == 1:
        return [Legal(a.Answer(ask.id, (option,))) for option in ask.options]
    return [Legal(a.Answer(ask.id), Pick("picks", tuple(ask.options), ask.lo, ask.hi))]


def own_actions(g: Reader, ask: Ask) -> list[a.Action]:
    """Return the allowed actions that answer an ask; none if it is answered by its options.

    The first one is carried out for a seat whose time is up (timeouts.py).
    """
    named = OWN_ACTIONS.get(ask.kind)
    return named(g, ask) if named is not None else []


def _trouble_actions(g: Reader, ask: Ask) -> list[a.Action]:
    seat = ask.seat
    looting = not forbidden(g, "loot", seat)
    ways = [way for way in _LOOTING if not deck_clause(g, seat, way.deck)] if looting else [a.Done()]
    return [*ways, *[a.Trouble(card) for card in trouble_options(g, seat)]]


_LOOTING = (a.Loot(), a.Loot("discard"), a.Loot("door"))


OWN_ACTIONS: dict[str, Callable[[Reader, Ask], list[a.Action]]] = {
    "ready": lambda g, ask: [a.Done()],
    "kick": lambda g, ask: [a.Kick()],
    "trouble": _trouble_actions,
    "fight": lambda g, ask: [a.Claim() if winning(g) else a.Flee()],
    "roll": lambda g, ask: [a.Roll(monster) for monster in ask.options],
    "end": lambda g, ask: [a.EndTurn()],
    "hold": lambda g, ask: [],
}
"""The actions by which an ask of the frame on top may be answered now, by its kind. A player who holds a window plays
something or passes."""


# ---------------------------------------------------------------------------------------------------------- suggest
def suggest(row: Legal, most: int = 32) -> list[Action]:
    """Return at most `most` ways to fill the open set of a row, smallest first; for a whole action, just that action.

    This reads only the row, so a bot needs nothing but its view. A sale always includes the Item that counts twice.
    """
    pick = row.pick
    if pick is None:
        return [row.action]
    must = row.action.twice if isinstance(row.action, a.Sell) else ()
    price = dict(zip(pick.among, pick.worth))
    found: list[Action] = []
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


def fill(row: Legal, chosen: tuple[int, ...]) -> Action:
    """Return the action of a row with its open set filled by `chosen`; a whole action unchanged."""
    if row.pick is None:
        return row.action
    if row.pick.field in ("gives", "wants") and isinstance(row.action, a.Offer | a.Counter):
        terms = msgspec.structs.replace(row.action.terms, **{row.pick.field: chosen})
        return msgspec.structs.replace(row.action, terms=terms)
    return msgspec.structs.replace(row.action, **{row.pick.field: chosen})
