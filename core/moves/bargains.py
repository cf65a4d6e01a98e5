"""Bargains: help, trades and gifts as offers that stay open while the game goes on.

Nobody has to answer an offer, and the game never waits for one (help.*, item.trade).
"""

from functools import lru_cache

from msgspec.structs import replace

from core.moves.play import promised_clause
from core.moves.timing import free_moves_clause, mode
from core.operations.players import join_as_helper
from core.queries.cache import ROWS, cached_by_gear, cached_by_table
from core.queries.capacity import can_carry
from core.queries.conditions import heroes, in_combat, laying_out
from core.queries.help import help_clause
from core.queries.modifiers import barred, foes_forbid, forbidden, own_forbids
from core.queries.rewards import treasures_due
from core.state.actions import Accept, Decline, Give, Legal, Offer, Pick, Terms, Withdraw
from core.state.events import Moves, OfferClosed, Offered
from core.state.game import Game, to_table
from core.state.model import DEFN_MASK, Bargain, Fight, Zone
from core.state.reader import Reader, placed
from core.state.refusals import Clause

OPEN_OFFERS = 3
"""How many offers of one seat may be open at the same time."""
MOST_TREASURES = 8
"""Offers of help for more Treasures than this are not listed, though they are allowed."""


# ----------------------------------------------------------------------------------------------------- what may be
def offer_clause(g: Reader, seat: int, to: int, terms: Terms) -> Clause | None:
    """Return the clause that forbids proposing these terms (to: -1 for everybody)."""
    return proposer_clause(g, seat) or terms_clause(g, seat, to, terms) or _unplayable_clause(g, seat, to, terms)


def counter_clause(g: Reader, seat: int, offer: Bargain | None, terms: Terms) -> Clause | None:
    """Return the clause that forbids answering an offer (None: it is closed) with these terms. Help is answered with
    help, a trade or gift with a trade."""
    if offer is None or not _is_made_to(offer, seat):
        return "stale"
    if terms.kind == "gift" or (terms.kind == "help") != (offer.kind == "help"):
        return "terms"
    return offer_clause(g, seat, offer.frm, terms)


def accept_clause(g: Reader, seat: int, offer: Bargain | None) -> Clause | None:
    """Return the clause that forbids this seat to accept an offer now (None: the offer is closed). The terms are
    checked again, because the game has moved on since the offer."""
    if offer is None or not _is_made_to(offer, seat):
        return "stale"
    terms = _terms(offer)
    if offer.to == -1:
        terms = replace(terms, helper=seat)
    return terms_clause(g, offer.frm, seat, terms)


def decline_clause(seat: int, offer: Bargain | None) -> Clause | None:
    """Return "stale" if this is not an open offer to this seat alone."""
    return None if offer is not None and offer.to == seat else "stale"


def withdraw_clause(seat: int, offer: Bargain | None) -> Clause | None:
    """Return "stale" if this is not an open offer of this seat."""
    return None if offer is not None and offer.frm == seat else "stale"


def terms_clause(g: Reader, seat: int, to: int, terms: Terms) -> Clause | None:
    """Return the clause that forbids these terms between these two seats now (to: -1 for everybody)."""
    if to == seat or to >= len(g.state.seats) or len(set(terms.gives)) != len(terms.gives):
        return "terms"
    if to >= 0 and g.state.seats[to].dead:
        return "death.nothing"
    return _help_clause(g, seat, to, terms) if terms.kind == "help" else _swap_clause(g, seat, to, terms)


def proposer_clause(g: Reader, seat: int) -> Clause | None:
    """Return "limit" if this seat may make no more offers now, whatever their terms."""
    offers = g.state.offers
    full = len(offers) >= OPEN_OFFERS and len([offer for offer in offers if offer.frm == seat]) >= OPEN_OFFERS
    return "limit" if full else free_moves_clause(g, seat)


def _is_made_to(offer: Bargain, seat: int) -> bool:
    """Return whether a seat may answer this offer: it is made to it or to everybody, by another seat."""
    return offer.frm != seat and offer.to in (-1, seat)


def _asking_clause(g: Reader) -> Clause | None:
    """Return the clause that forbids everybody to ask for help or offer it now (help.ask, help.ask-when)."""
    return help_clause(g) if mode(g) == "fight" else "help.ask-when"


def _help_clause(g: Reader, seat: int, to: int, terms: Terms) -> Clause | None:
    clause = _asking_clause(g)
    fight = g.state.fight
    if clause or fight is None:
        return clause
    if seat != fight.seat and (to != fight.seat or terms.helper != seat):
        return "help.ask"
    if seat == fight.seat and terms.helper != to:
        return "terms"
    if seat == fight.seat and not _may_ask(g, fight):
        return "no asking"
    if terms.wants or terms.treasures > treasures_due(g):
        return "help.bribe"
    if any(not _is_tradable(g, fight.seat, card) for card in terms.gives):
        return "help.bribe"
    helper = terms.helper
    if terms.gives and barred(g, fight.seat, helper if helper >= 0 else fight.seat):
        return "item.barred"
    if helper >= 0 and terms.gives and not can_carry(g, helper, list(terms.gives), []):
        return "item.receive-limit"
    return _promise_clause(g, seat, fight, terms)


def _may_ask(g: Reader, fight: Fight) -> bool:
    """Return whether the fighter may ask for help; others may offer it even if not."""
    return not forbidden(g, "ask", fight.seat)


def _promise_clause(g: Reader, seat: int, fight: Fight, terms: Terms) -> Clause | None:
    """Return the clause that forbids promising these hand cards: only the fighter promises any, and only cards that can
    be played on the helper (help.bribe-hand)."""
    if not terms.cards:
        return None
    hand = g.state.seats[seat].hand
    promised = all(card in hand and g.of(card).kind in ("level", "curse") for card in terms.cards)
    distinct = len(set(terms.cards)) == len(terms.cards)
    return None if seat == fight.seat and promised and distinct else "help.bribe-hand"


def _unplayable_clause(g: Reader, seat: int, to: int, terms: Terms) -> Clause | None:
    """Return the clause that forbids promising a card that could not be played on the helper now, or, in an offer to
    everybody, on each seat that may accept. It is not checked again when the offer is accepted, because a refusal then
    would tell the others what the card is (help.bribe-hand)."""
    others = [at for at, player in enumerate(g.state.seats) if at != seat and not player.dead]
    for card in terms.cards:
        for helper in [to] if to >= 0 else others:
            clause = promised_clause(g, seat, card, helper)
            if clause:
                return clause
    return None


def _is_tradable(g: Reader, seat: int, card: int) -> bool:
    """Return whether a card is an Item in play in front of a seat (item.trade)."""
    return placed(g, seat, card) is not None and g.of(card).is_item


@cached_by_table
def _swap_clause(g: Reader, seat: int, to: int, terms: Terms) -> Clause | None:
    """Return the clause that forbids these terms of a trade or gift (item.trade)."""
    if to < 0:
        return "terms"
    traders, _ = _traders(g)
    if laying_out(g) or seat not in traders or to not in traders:
        return _trade_time_clause(g, seat, to) or "item.barred"
    if not terms.gives or bool(terms.wants) != (terms.kind == "trade") or terms.cards or terms.treasures:
        return "terms"
    if len(set(terms.wants)) != len(terms.wants):
        return "terms"
    offered = all(_is_tradable(g, seat, card) for card in terms.gives)
    if not offered or not all(_is_tradable(g, to, card) for card in terms.wants):
        return "item.trade"
    gives, wants = list(terms.gives), list(terms.wants)
    if not can_carry(g, to, gives, wants) or not can_carry(g, seat, wants, gives):
        return "item.receive-limit"
    return None


def _trade_time_clause(g: Reader, one: int, other: int) -> Clause | None:
    """Return the clause that forbids a trade now: first cards are still laid out, or one of the two cannot trade."""
    return "setup.order" if laying_out(g) else _trader_clause(g, one) or _trader_clause(g, other)


def _trader_clause(g: Reader, seat: int) -> Clause | None:
    """Return the clause that forbids a seat to trade, give or receive: it is in combat, or dead."""
    if in_combat(g, seat):
        return "item.trade"
    return "death.nothing" if g.state.seats[seat].dead else None


def find_offer(g: Reader, number: int) -> Bargain | None:
    """Return the open offer with this number; None if there is none."""
    return next((offer for offer in g.state.offers if offer.no == number), None)


def _terms(offer: Bargain) -> Terms:
    return Terms(
        offer.kind, offer.helper, offer.treasures, offer.helper_first,  # type: ignore[arg-type]
        tuple(offer.gives), tuple(offer.wants), tuple(offer.cards),
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ carrying out
def propose(g: Game, seat: int, to: int, terms: Terms) -> None:
    """Open an offer under a new number. It takes one of the seat's free moves."""
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
    """Answer an offer with one in the opposite direction. The old offer is closed, unless it was made to everybody."""
    offer = find_offer(g, number)
    assert offer is not None
    if offer.to != -1:
        g.emit(OfferClosed(number, "countered", seat))
    propose(g, seat, offer.frm, terms)


def accept(g: Game, seat: int, number: int) -> None:
    """Carry out an accepted offer: a helper joins the fight, or Items change hands."""
    offer = find_offer(g, number)
    assert offer is not None
    g.emit(OfferClosed(number, "accepted", seat))
    if offer.kind == "help":
        offer.helper = seat if offer.to == -1 else offer.helper
        join_as_helper(g, offer.helper, False, offer)
        return
    for card in offer.gives:
        to_table(g, card, Zone("table", offer.frm), seat, "given" if offer.kind == "gift" else "traded", up=False)
    for card in offer.wants:
        to_table(g, card, Zone("table", seat), offer.frm, "traded", up=False)


def sweep(g: Game) -> None:
    """Close every offer that has lapsed."""
    for offer in list(g.state.offers):
        if _has_lapsed(g, offer):
            g.emit(OfferClosed(offer.no, "lapsed", -1))


def _has_lapsed(g: Reader, offer: Bargain) -> bool:
    """Return whether a seat of the offer has died, its fight has changed or ended, or a named card has moved."""
    s = g.state
    if s.seats[offer.frm].dead or (offer.to >= 0 and s.seats[offer.to].dead):
        return True
    owner = offer.frm
    if offer.kind == "help":
        fight = s.fight
        if fight is None or fight.no != offer.fight or fight.changed_at > offer.at or fight.stage != "fight":
            return True
        owner = fight.seat
    if not (offer.gives or offer.wants or offer.cards):
        return False
    return (
        _some_gone(offer.gives, [entry.card for entry in s.seats[owner].table])
        or _some_gone(offer.wants, [entry.card for entry in s.seats[offer.to].table])
        or _some_gone(offer.cards, s.seats[owner].hand)
    )


def _some_gone(named: list[int], there: list[int]) -> bool:
    """Return whether one of the named cards has moved away."""
    for card in named:  # noqa: SIM110  (a generator costs several times as much)
        if card not in there:
            return True
    return False


# ----------------------------------------------------------------------------------------------------------- listing
def answer_rows(g: Reader, seat: int, out: list[Legal]) -> None:
    """Add the ways to close each open offer: withdraw one's own, accept or decline another's."""
    # the same tests as `withdraw_clause`, `_is_made_to` and `decline_clause`, without calls
    for offer in g.state.offers:
        if offer.frm == seat:
            out.append(Legal(Withdraw(offer.no)))
        elif offer.to in (seat, -1):
            if not accept_clause(g, seat, offer):
                out.append(Legal(Accept(offer.no)))
            if offer.to == seat:
                out.append(Legal(Decline(offer.no)))


def offer_rows(g: Reader, seat: int) -> list[Legal]:
    """Return example offers for a seat that may propose: help for each number of Treasures, gifts and trades with their
    Items left open.

    A seat may propose any terms that `offer_clause` allows.
    """
    out: list[Legal] = []
    fight = g.state.fight
    if fight is not None and not _asking_clause(g):
        _help_rows(g, seat, fight, out)
    if _own_trade(g, seat):
        items, traders = _traders(g)
        if seat in items:
            out += _swap_rows(seat, items[seat], traders)
    return out


@cached_by_table
def _traders(g: Reader) -> tuple[dict[int, tuple[int, ...]], tuple[int, ...]]:
    """Return the seats that may take part in a trade, in two forms: each with its Small Items, and as a flat row of
    seats, each followed by its first Small Item (0 if it has none)."""
    # the same tests as `_trader_clause` and `barred`, for all seats at once
    fighting = heroes(g.state.fight)
    items: dict[int, tuple[int, ...]] = {}
    traders: list[int] = []
    for to in range(len(g.state.seats)) if not (fighting and "trade" in foes_forbid(g)) else ():
        there = _own_trade(g, to)
        if there is not None and to not in fighting:
            items[to] = there
            traders += (to, there[0] if there else 0)
    return items, tuple(traders)


@lru_cache(maxsize=ROWS)
def _swap_rows(seat: int, items: tuple[int, ...], traders: tuple[int, ...]) -> list[Legal]:
    """Return a gift to and a trade with each other seat, of Small Items, which anybody can carry."""
    out = []
    for to, want in zip(traders[::2], traders[1::2]):
        if to != seat:
            out.append(Legal(Give((), to), Pick("cards", items, 1, len(items))))
            if want:
                out.append(Legal(Offer(to, Terms("trade", wants=(want,))), Pick("gives", items, 1, len(items))))
    return out


@cached_by_gear
def _own_trade(g: Reader, seat: int) -> tuple[int, ...] | None:
    """Return the Small Items of a seat; None if it is dead, or its own cards forbid it to trade."""
    player, cards = g.state.seats[seat], g.cat.cards
    if player.dead or own_forbids(g, "trade", seat):
        return None
    return tuple([entry.card for entry in player.table if cards[entry.card & DEFN_MASK].small_item])


@lru_cache(maxsize=ROWS)
def _help_offers(seats: tuple[int, ...], helper: int, most: int) -> list[Legal]:
    """Return offers of help for 0 to `most` Treasures to each of these seats. helper: -1 for the seat that gets the
    offer."""
    return [
        Legal(Offer(to, Terms("help", to if helper < 0 else helper, treasures)))
        for to in seats
        for treasures in range(most + 1)
    ]


def _help_rows(g: Reader, seat: int, fight: Fight, out: list[Legal]) -> None:
    """Add the requests that the fighter may make to everybody and to each living seat, or the offers that another seat
    may make to the fighter."""
    seats = g.state.seats
    most = min(treasures_due(g), MOST_TREASURES)
    if seat != fight.seat:
        if not seats[fight.seat].dead:
            out.extend(_help_offers((fight.seat,), seat, most))
    elif _may_ask(g, fight):
        others = [to for to, player in enumerate(seats) if to != seat and not player.dead]
        out.extend(_help_offers((-1, *others), -1, most))
