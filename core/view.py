"""The view of one seat: the functions that fill the types of core/state/views.py.

A view is built field by field, never by removing things from a state. A spectator gets the same with `you` empty.
"""

from functools import cache

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.moves.legal import rows
from core.moves.validate import HOLDS
from core.queries.cache import cached_by_table
from core.queries.capacity import hand_limit
from core.queries.conditions import equipped, heroes, laying_out, tags_of
from core.queries.dice import aimed_at
from core.queries.flight import odds
from core.queries.help import help_clause
from core.queries.rewards import (
    helper_levels,
    kill_levels,
    levels_for,
    match_point,
    treasures_due,
    treasures_for,
)
from core.queries.strength import (
    figures,
    figures_at_rest,
    foe_terms,
    hero_terms,
    in_motion,
    monster_terms,
    run_against,
    totals,
    winning,
    wins_ties,
)  # fmt: skip
from core.state.model import (
    DEFN_MASK,
    AnyFrame,
    Bargain,
    Combat,
    Fight,
    Monster,
    Placed,
    Program,
    Rewards,
    Seat,
    State,
    Throw,
    Window,
)  # fmt: skip
from core.state.reader import Reader
from core.state.views import (
    Deciding,
    FightView,
    Flight,
    MonsterView,
    SeatView,
    ThrowView,
    View,
    WindowView,
    You,
)


def view(cat: Catalog, state: State, seat: int) -> View:
    """Return what this seat may know now; -1 for a spectator."""
    return Showing(cat, state).view(seat)


class Showing:
    """Views of one state for several seats; the part that all may know is computed once.

    It must not be used after the next action, except after a pass without an event, which changes nothing read here.
    """

    __slots__ = ("_g", "_public")

    def __init__(self, cat: Catalog, state: State) -> None:
        self._g = Reader(cat, state)
        self._public: View | None = None

    def you(self, seat: int) -> You:
        """Return what concerns this seat alone: `you` of its view."""
        stack = self._g.state.stack
        return _you(self._g, stack[-1] if stack else None, seat)

    def may_only_claim(self, seat: int) -> bool:
        """Return whether this seat may claim a won fight, and no offer is open."""
        s = self._g.state
        top = s.stack[-1] if s.fight is not None and s.stack and not s.offers else None
        if type(top) is not Combat or not top.asks or top.asks[0].seat != seat:
            return False
        return top.asks[0].kind == "fight" and winning(self._g)

    def view(self, seat: int, you: You | None = None) -> View:
        """Return what this seat may know now; -1 for a spectator. you: what concerns it alone, if that is known."""
        g, state = self._g, self._g.state
        top = state.stack[-1] if state.stack else None
        public = self._public
        if public is None:
            public = _public(g, top, seat)
            if not laying_out(g):
                self._public = public
        if seat < 0:
            return public
        fight = public.fight
        return replace(
            public,
            fight=_own_fight(state, fight, seat) if fight is not None else None,
            window=_window(g, top, seat) if isinstance(top, Window) else None,
            offers=_offers(g, seat) if state.offers else [],
            you=you if you is not None else _you(g, top, seat),
        )


def _public(g: Reader, top: AnyFrame | None, seat: int) -> View:
    """Return what everybody may know. seat: the seat that also sees its own first cards while they are laid out."""
    s, turn = g.state, g.state.turn
    # the fields by position: with keywords for so many of them this would take five times as long
    return View(
        s.rev,
        turn.seat,
        turn.no,
        turn.phase,
        _name(type(top)) if top is not None else "over",
        _seats(g) if turn.no else _first_seats(g, seat),
        _fight(g) if s.fight is not None else None,
        _window(g, top, -1) if isinstance(top, Window) else None,
        _deciding(top),
        _offers(g, -1) if s.offers else [],
        len(s.door),
        len(s.door_out),
        s.door_out[-1] if s.door_out else -1,
        len(s.treasure),
        len(s.treasure_out),
        s.treasure_out[-1] if s.treasure_out else -1,
        top.pool[:] if isinstance(top, Rewards) else [],
        s.limbo[:],
        s.options.win_level,
        s.winners[:],
        s.why_won,
        None,
        len(s.seals),
        s.seals_open[:],
        turn.extra,
        turn.after,
        _throw(s, top) if isinstance(top, Throw) else None,
    )


@cache
def _name(kind: type) -> str:
    return kind.__name__.removesuffix("Frame").lower()


@cached_by_table
def _seats(g: Reader) -> list[SeatView]:
    """Return what is seen of each seat."""
    moving, shown, out = in_motion(g), g.reads.shown, []
    for no, player in enumerate(g.state.seats):
        found: SeatView | None = shown[no]
        if no in moving:
            found = _seen(g, no, player, figures(g, no))
        elif (  # the same as before if nothing has changed
            found is None or found.hand != len(player.hand) or found.bare != player.bare or found.body != player.body
        ):  # fmt: skip
            found = shown[no] = _seen(g, no, player, figures_at_rest(g, no))
        out.append(found)
    return out


@cached_by_table
def _first_seats(g: Reader, own: int) -> list[SeatView]:
    """Return the public part of each seat while first cards are laid out. own: the only seat whose cards are shown."""
    alone = Reader(g.cat, _alone(g.state, own))
    return [
        _seen(alone, no, player, figures(alone, no)) if no == own else _unseen(no, player)
        for no, player in enumerate(g.state.seats)
    ]


def _alone(state: State, own: int) -> State:
    """Return a state in which only one seat has laid anything out, because its strength may depend on the cards of
    others."""
    seats = [player if no == own else Seat(level=player.level, sex=player.sex) for no, player in enumerate(state.seats)]
    return replace(state, seats=seats)


def _seen(g: Reader, no: int, player: Seat, figures: tuple[int, int]) -> SeatView:
    return SeatView(
        no, player.level, len(player.hand), player.dead, player.bare, player.sex, _table(g, no, player),
        player.lasting[:], player.body[:], figures[0], figures[1],
    )  # fmt: skip


def _table(g: Reader, no: int, player: Seat) -> list[Placed]:
    """Return the cards in play; an Item that its owner may not use now is seen as turned sideways, however it lies
    (item.not-usable)."""
    cards, table = g.cat.cards, player.table[:]
    for at, entry in enumerate(table):
        definition = cards[entry.card & DEFN_MASK]
        if definition.gear and not definition.free and entry.up and not equipped(g, no, entry, definition):
            table[at] = replace(entry, up=False)
    return table


def _unseen(no: int, player: Seat) -> SeatView:
    """Return what the others see of a seat that lays out its first cards: a hand of eight (setup.order)."""
    return SeatView(no, player.level, 8, False, False, player.sex, [], [], [], player.level, 0)


@cached_by_table
def _fight(g: Reader) -> FightView | None:
    fight = g.state.fight
    if fight is None:
        return None
    levels = kill_levels(g)
    kills = len(fight.monsters) + fight.killed
    goal = g.state.options.win_level
    runners = heroes(fight)
    return FightView(
        fight.no,
        fight.seat,
        fight.helper,
        fight.compelled,
        fight.stage,
        [_monster(g, fight, monster) for monster in fight.monsters],
        fight.cards[:],
        fight.bonuses[:],
        *totals(g),
        hero_terms(g),
        foe_terms(g),
        wins_ties(g),
        winning(g),
        match_point(g),
        min(g.state.seats[fight.seat].level + levels, goal),
        levels,
        treasures_due(g),
        helper_levels(g, kills) if len(runners) > 1 else 0,
        help_clause(g) is None,
        _masked(fight.bargain, -1) if fight.bargain is not None else None,
        fight.changed_at,
        fight.changed_by,
        fight.safe[:],
        fight.met[:],
        [Flight(seat, monster.id, *odds(g, seat, monster)) for seat in runners for monster in fight.monsters],
    )


def _own_fight(state: State, public: FightView, seat: int) -> FightView:
    """Return the combat as a seat sees it: the two seats of a bargain for help see its promised hand cards."""
    bargain = state.fight.bargain if state.fight is not None else None
    if bargain is None or not bargain.cards or seat not in (bargain.frm, bargain.to):
        return public
    return replace(public, bargain=bargain)


def _masked(bargain: Bargain, seat: int) -> Bargain:
    """Return a bargain as a seat sees it: promised hand cards are named only to its two seats."""
    if not bargain.cards or seat in (bargain.frm, bargain.to):
        return bargain
    return replace(bargain, cards=[])


def _monster(g: Reader, fight: Fight, monster: Monster) -> MonsterView:
    return MonsterView(
        monster.id, monster.defn, monster.group, sum([term.by for term in monster_terms(g, monster)]),
        treasures_for(g, monster), levels_for(g, monster),
        sum([term.by for term in run_against(g, fight.seat, monster)]), tags_of(g, monster.group, monster.defn),
        monster.by,
    )  # fmt: skip


def _window(g: Reader, top: Window, seat: int) -> WindowView:
    fight = g.state.fight
    holds = HOLDS - fight.holds[seat] if fight is not None and seat >= 0 and top.kind != "kick" else 0
    return WindowView(top.id, top.kind, top.seat, top.holder, seat in top.passed, holds)


def _throw(s: State, top: Throw) -> ThrowView:
    found = ThrowView(top.seat, top.sides, top.number, top.total, top.need, top.monster)
    below = s.stack[-2]
    if not isinstance(below, Program):
        return found
    return replace(
        found, defn=below.defn, part=below.part, save=top.save, you=below.you, victim=below.victim,
        on=aimed_at(s.stack, top),
    )  # fmt: skip


def _deciding(top: AnyFrame | None) -> list[Deciding]:
    """Return who is asked. A seat that has answered in secret stays listed until all have."""
    if top is None or isinstance(top, Window):
        return []
    return [Deciding(ask.seat, ask.kind, ask.card) for ask in top.asks]


def _offers(g: Reader, seat: int) -> list[Bargain]:
    """Return the open offers as a seat sees them."""
    return [_masked(offer, seat) for offer in g.state.offers]


def _you(g: Reader, top: AnyFrame | None, seat: int) -> You:
    player = g.state.seats[seat]
    asks = [ask for ask in top.asks if ask.seat == seat] if top is not None else []
    legal = rows(g, seat) if top is not None and not g.state.winners and not player.dead else []
    return You(seat, player.hand[:], player.fresh[:], asks, legal, hand_limit(g, seat))
