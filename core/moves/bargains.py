"""Bargains: help, trades and gifts as standing offers; nothing here ever blocks."""

from functools import lru_cache

from msgspec.structs import replace

from core.moves.timing import mode, trade_clause
from core.operations.players import join_as_helper
from core.queries.cache import ROWS, of_gear, of_table, remembered
from core.queries.conditions import heroes, in_combat
from core.queries.limits import can_carry
from core.queries.modifiers import forbidden
from core.queries.strength import treasures_due
from core.state.actions import Give, Legal, Offer, Pick, Terms
from core.state.events import Moves, OfferClosed, Offered
from core.state.game import Game, to_table
from core.state.model import Bargain, Fight, Zone
from core.state.reader import Reader, placed

OPEN_OFFERS = 3
MOST_TREASURES = 8
"""More than this is not listed as an offer of help."""
MOVES = 64
"""Equipping, offers and trades of one seat in one turn; then they are refused, so that nobody plays for ever."""


def moves_clause(g: Reader, seat: int) -> str:
    """Whether a seat has free actions left this turn."""
    return "limit" if g.state.seats[seat].moves >= MOVES else ""


# ----------------------------------------------------------------------------------------------------------- judging
def offer_clause(g: Reader, seat: int, to: int, terms: Terms) -> str:
    """The clause that forbids to propose these terms, "" if none does."""
    clause = moves_clause(g, seat)
    if clause:
        return clause
    if _open(g, seat) >= OPEN_OFFERS:
        return "limit"
    return terms_clause(g, seat, to, terms)


def _open(g: Reader, seat: int) -> int:
    return len([deal for deal in g.state.offers if deal.frm == seat])


def terms_clause(g: Reader, seat: int, to: int, terms: Terms) -> str:
    """Whether these terms make sense between these two now."""
    if to == seat or to >= len(g.state.seats) or len(set(terms.gives)) != len(terms.gives):
        return "bad"
    if to >= 0 and g.state.seats[to].dead:
        return "death.nothing"
    return _help_clause(g, seat, to, terms) if terms.kind == "help" else _swap_clause(g, seat, to, terms)


@remembered
def _asking_clause(g: Reader) -> str:
    """Whether anybody may be asked for help now (help.ask)."""
    fight = g.state.fight
    if fight is None or fight.stage != "fight" or mode(g) != "fight":
        return "help.ask-when"
    return "help.ask" if fight.helper >= 0 or forbidden(g, "help", fight.seat) else ""


def _help_clause(g: Reader, seat: int, to: int, terms: Terms) -> str:
    clause = _asking_clause(g)
    fight = g.state.fight
    if clause or fight is None:
        return clause
    if seat != fight.seat and (to != fight.seat or terms.helper != seat):
        return "help.ask"
    if seat == fight.seat and (terms.helper != to or forbidden(g, "ask", seat)):
        return "bad" if terms.helper != to else "card"
    if terms.wants or terms.treasures > treasures_due(g):
        return "help.bribe"
    if any(not _trades(g, fight.seat, card) for card in terms.gives):
        return "help.bribe"
    helper = terms.helper
    if helper >= 0 and terms.gives and not can_carry(g, helper, list(terms.gives), []):
        return "item.receive-limit"
    return _promise_clause(g, seat, terms)


def _promise_clause(g: Reader, seat: int, terms: Terms) -> str:
    """Only the fighter promises cards from hand, such as could be played on the helper (help.bribe-hand)."""
    if not terms.cards:
        return ""
    fight = g.state.fight
    if fight is None or seat != fight.seat:
        return "help.bribe-hand"
    hand = g.state.seats[seat].hand
    fine = all(card in hand and g.of(card).kind in ("level", "curse") for card in terms.cards)
    return "" if fine and len(set(terms.cards)) == len(terms.cards) else "help.bribe-hand"


def _trades(g: Reader, seat: int, card: int) -> bool:
    return placed(g, seat, card) is not None and g.of(card).is_item


def _swap_clause(g: Reader, seat: int, to: int, terms: Terms) -> str:
    clause = trade_clause(g, seat, to) if to >= 0 else "bad"
    if clause:
        return clause
    if forbidden(g, "trade", seat):
        return "card"
    if not terms.gives or bool(terms.wants) != (terms.kind == "trade") or terms.cards or terms.treasures:
        return "bad"
    if len(set(terms.wants)) != len(terms.wants):
        return "bad"
    if any(not _trades(g, seat, card) for card in terms.gives) or any(not _trades(g, to, c) for c in terms.wants):
        return "item.trade"
    gives, wants = list(terms.gives), list(terms.wants)
    if not can_carry(g, to, gives, wants) or not can_carry(g, seat, wants, gives):
        return "item.receive-limit"
    return ""


def find_offer(g: Reader, number: int) -> Bargain | None:
    """An offer that still stands."""
    return next((deal for deal in g.state.offers if deal.no == number), None)


def accept_clause(g: Reader, seat: int, number: int) -> str:
    """Whether this seat may take this offer now: accepted terms are judged again."""
    deal = find_offer(g, number)
    if deal is None or deal.frm == seat or deal.to not in (-1, seat):
        return "stale"
    terms = _terms(deal)
    if deal.kind != "help" and forbidden(g, "trade", seat):
        return "card"
    if deal.to == -1:
        terms = replace(terms, helper=seat)
    return terms_clause(g, deal.frm, seat, terms)


def _terms(deal: Bargain) -> Terms:
    return Terms(
        deal.kind, deal.helper, deal.treasures, deal.helper_first,  # type: ignore[arg-type]
        tuple(deal.gives), tuple(deal.wants), tuple(deal.cards),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ carrying out
def propose(g: Game, seat: int, to: int, terms: Terms) -> None:
    """The offer stands from now on, under a number of its own."""
    fight = g.state.fight
    g.emit(Moves(seat))
    g.emit(
        Offered(
            Bargain(
                g.state.offer_no + 1, seat, to, terms.kind, terms.helper, terms.treasures, terms.helper_first,
                list(terms.gives), list(terms.wants), list(terms.cards),
                fight.no if fight is not None and terms.kind == "help" else 0, g.state.rev + 1,
            )
        )
    )  # fmt: skip


def counter(g: Game, seat: int, number: int, terms: Terms) -> None:
    """Other terms: the old offer is gone, a new one goes the other way (a call to the table stands on)."""
    deal = find_offer(g, number)
    assert deal is not None
    if deal.to != -1:
        g.emit(OfferClosed(number, "countered", seat))
    propose(g, seat, deal.frm, terms)


def accept(g: Game, seat: int, number: int) -> None:
    """Both have agreed: help joins the fight, Items change hands."""
    deal = find_offer(g, number)
    assert deal is not None
    g.emit(OfferClosed(number, "accepted", seat))
    if deal.kind == "help":
        deal.helper = seat if deal.to == -1 else deal.helper
        join_as_helper(g, deal.helper, False, deal)
        return
    for card in deal.gives:
        to_table(g, card, Zone("table", deal.frm), seat, "given" if deal.kind == "gift" else "traded", up=False)
    for card in deal.wants:
        to_table(g, card, Zone("table", seat), deal.frm, "traded", up=False)


def sweep(g: Game) -> None:
    """Offers lapse when a named card has left its place, a seat died, or their fight has changed or ended."""
    for deal in list(g.state.offers):
        if _lapsed(g, deal):
            g.emit(OfferClosed(deal.no, "lapsed", -1))


def _lapsed(g: Reader, deal: Bargain) -> bool:
    s = g.state
    if s.seats[deal.frm].dead or (deal.to >= 0 and s.seats[deal.to].dead):
        return True
    owner = deal.frm
    if deal.kind == "help":
        fight = s.fight
        if fight is None or fight.no != deal.fight or fight.changed_at > deal.at or fight.stage != "fight":
            return True
        owner = fight.seat
    if not (deal.gives or deal.wants or deal.cards):
        return False
    hand = s.seats[owner].hand
    return (
        any(placed(g, owner, card) is None for card in deal.gives)
        or any(placed(g, deal.to, card) is None for card in deal.wants)
        or any(card not in hand for card in deal.cards)
    )


# ------------------------------------------------------------------------------------------------------- enumerating
def offer_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Bargains a seat could propose: help for each number of Treasures, gifts and swaps with the Items left open.
    Terms may be varied freely; `check` is the judge."""
    if g.state.seats[seat].moves >= MOVES or _open(g, seat) >= OPEN_OFFERS:
        return
    fight = g.state.fight
    if fight is not None and not _asking_clause(g):
        _help_rows(g, seat, fight, out)
    if not in_combat(g, seat) and not forbidden(g, "trade", seat):
        items = _small_items(g, seat)
        if items:
            out.extend(_swaps(seat, items, _traders(g)))


@of_table
def _traders(g: Reader) -> tuple[int, ...]:
    """Who may have something now, each followed by the first Small Item to be had for it (0: none)."""
    fighting = heroes(g.state.fight)
    found: list[int] = []
    for to, player in enumerate(g.state.seats):
        if not player.dead and to not in fighting:
            items = _small_items(g, to)
            found.append(to)
            found.append(items[0] if items else 0)
    return tuple(found)


@lru_cache(maxsize=ROWS)
def _swaps(seat: int, items: tuple[int, ...], traders: tuple[int, ...]) -> list[Legal]:
    """A gift and a swap with each other seat, of Small Items, which anybody can carry."""
    out = []
    for to, want in zip(traders[::2], traders[1::2]):
        if to != seat:
            out.append(Legal(Give((), to), Pick("cards", items, 1, len(items))))
            if want:
                out.append(Legal(Offer(to, Terms("trade", wants=(want,))), Pick("gives", items, 1, len(items))))
    return out


@of_gear
def _small_items(g: Reader, seat: int) -> tuple[int, ...]:
    cards = g.cat.cards
    return tuple([entry.card for entry in g.state.seats[seat].table if cards[entry.card & 4095].small_item])


@lru_cache(maxsize=ROWS)
def _help_offers(seats: tuple[int, ...], helper: int, most: int) -> list[Legal]:
    """The rows of help for 0, 1, ... Treasures to each of these: by this helper, or (-1) by whom they are made to."""
    return [
        Legal(Offer(to, Terms("help", to if helper < 0 else helper, treasures)))
        for to in seats
        for treasures in range(most + 1)
    ]


def _help_rows(g: Reader, seat: int, fight: Fight, out: list[Legal]) -> None:
    """The fighter may ask all at once, and each of the living; everybody else may offer it."""
    seats = g.state.seats
    most = min(treasures_due(g), MOST_TREASURES)
    if seat != fight.seat:
        if not seats[fight.seat].dead:
            out.extend(_help_offers((fight.seat,), seat, most))
    elif not forbidden(g, "ask", seat):
        others = [to for to, player in enumerate(seats) if to != seat and not player.dead]
        out.extend(_help_offers((-1, *others), -1, most))
