"""Facts that everybody can compute from a view: strengths and rolls to run away term by term, both sides of a combat
with another helper, what counts when the last Seal opens, the levels that a helper gains, how many cards a hand may
hold, and whether an Item would be equipped or carried."""

from core.language.catalog import Catalog
from core.language.schema import HelperLevels
from core.operations.seals import card_bonus
from core.queries.capacity import equip_clause, hand_limit
from core.queries.modifiers import mods_of
from core.queries.strength import foe_terms, hero_terms, run_terms, seat_terms
from core.state.model import FORMAT, Fight, Monster, Options, Placed, Seat, State, Turn
from core.state.reader import Reader
from core.state.refusals import Clause
from core.state.views import Term, View


def strengths(cat: Catalog, seen: View) -> list[list[Term]]:
    """Return every seat's strength term by term, as it is outside a combat."""
    g = _known(cat, seen)
    return [seat_terms(g, seat) for seat in range(len(seen.seats))]


def run_bonuses(cat: Catalog, seen: View) -> list[list[Term]]:
    """Return what is added to every seat's rolls to run away, term by term, as it is outside a combat."""
    g = _known(cat, seen)
    return [run_terms(g, seat) for seat in range(len(seen.seats))]


def seal_bonuses(cat: Catalog, seen: View) -> list[int]:
    """Return what would count for every seat if the last Seal opened now: what its cards add (win.seventh-seal)."""
    g = _known(cat, seen)
    return [card_bonus(g, seat) for seat in range(len(seen.seats))]


def terms_with(cat: Catalog, seen: View, helper: int) -> tuple[list[Term], list[Term]]:
    """Return both sides of the combat term by term, as they would be if this seat helped; nothing without one. What
    depends on hidden cards is missing, so compare the sums with those of a forecast."""
    fight = seen.fight
    if fight is None:
        return [], []
    g = _known(cat, seen)
    g.state.fight = Fight(
        fight.no, fight.seat, [Monster(one.id, one.defn, one.group, one.by) for one in fight.monsters], helper,
        cards=fight.cards[:], bonuses=fight.bonuses[:], stage=fight.stage,
    )  # fmt: skip
    return hero_terms(g), foe_terms(g)


def helper_levels(cat: Catalog, seen: View, seat: int, kills: int, margin: int) -> int:
    """Return the levels that a seat would gain for helping with this many kills in a fight won by this margin."""
    g = _known(cat, seen)
    mods = (mod for mod, _, _ in mods_of(g, seat, HelperLevels))
    return sum(mod.by * kills if mod.each else mod.by * (margin >= mod.margin) for mod in mods) if kills else 0


def hand_limit_of(cat: Catalog, seen: View, seat: int) -> int:
    """Return how many cards a seat may hold at the end of its turn (cards.hand-limit)."""
    return hand_limit(_known(cat, seen), seat)


def only_carried(cat: Catalog, seen: View, seat: int, card: int) -> Clause | None:
    """Return the clause by which an Item that a seat played now would only be carried; None: it would be equipped."""
    clause = equip_clause(_known(cat, seen), seat, Placed(card), 0)
    makes_room = cat.switches.equip == "turn-start" and seen.top != "setup"  # see when.equip-own-turn
    return None if clause == "item.slots" and makes_room else clause


def _known(cat: Catalog, seen: View) -> Reader:
    """Return a state that holds only the content of the view, without the combat.

    Cards in hand are counted, not known: if a text looked at one of them, the answers would differ from the game's.
    """
    seats = [
        Seat(
            level=one.level, hand=[0] * one.hand, table=one.table[:], lasting=one.lasting[:], body=one.body[:],
            dead=one.dead, bare=one.bare, sex=one.sex,
        )
        for one in seen.seats
    ]  # fmt: skip
    state = State(
        FORMAT, b"", 0, Options(win_level=seen.win_level), seats, [], [], [], [],
        Turn(seen.turn, seen.turn_no, seen.phase), None, [], [], [], [], [], seals_open=list(seen.seals_open),
    )  # fmt: skip
    return Reader(cat, state)
