"""Kinds of blunders: each function judges a deed, with the engine as judge and the true state at hand. It returns the
action to blame, or the one that was left undone, if it was a blunder; else None.

A deed is a blunder only if its player could foresee the result: bad luck and hidden cards do not count.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from core.language.catalog import Catalog
from core.queries.rewards import treasures_due
from core.state.actions import Accept, Answer, AnyAction, Discard, EndTurn, Flee, Play, Sell, Use
from core.state.events import AnyEvent, HelperCame, LevelChanged, Moved
from core.state.model import decode, defn_of, encode
from tests.bench.trials import Position, acts, best_gear, foreseen, reached, tried

IDLE = 2
"""Strength of an Item that should not lie idle."""
IN_USE = 3
"""Strength that is worth more than a level."""
TOO_LARGE = 3
"""A blow may be this much stronger than the smallest one that is enough; more is a blunder."""
NEAR = 2
"""A rival is near victory with at most this many Levels to go."""
CARDS_MOST = 2
"""The number of cards that a fighter should rather spend than give the fight up."""


@dataclass
class Deed:
    """What a seat did: the encoded state before it, the action, and once its text had run, the position and all events.
    stop: the definitions of cards that can stop a winner (bots/win_blockers.py)."""

    cat: Catalog
    stop: frozenset[int]
    data: bytes
    seat: int
    action: AnyAction
    after: Position
    events: list[AnyEvent]

    @cached_property
    def before(self) -> Position:
        """The position before it."""
        return Position(self.cat, decode(self.data))


# ------------------------------------------------------------------------------------------------ the end of a turn
def level_card_unplayed(deed: Deed) -> AnyAction | None:
    """A turn was ended with a card in hand that would have raised its player's Level and nobody else's."""
    if not isinstance(deed.action, EndTurn):
        return None
    before = deed.before
    cards = {card for card in before.state.seats[deed.seat].hand if before.kind(card) == "level"}
    for action in acts(deed.cat, deed.data, deed.seat, (Play,)) if cards else ():
        if isinstance(action, Play) and action.card in cards:
            outcome = tried(deed.cat, deed.data, deed.seat, action)
            if outcome is not None and foreseen(outcome[1]) and _risen(before, outcome[0]) == [deed.seat]:
                return action
    return None


def _risen(before: Position, after: Position) -> list[int]:
    """Return the seats whose Level has risen."""
    was = [seat.level for seat in before.state.seats]
    return [no for no, seat in enumerate(after.state.seats) if seat.level > was[no]]


def item_idle(deed: Deed) -> AnyAction | None:
    """A turn was ended although an Item in hand, or one turned sideways, would have made its owner stronger by 2."""
    if not isinstance(deed.action, EndTurn):
        return None
    before = deed.before
    owner = before.state.seats[deed.seat]
    idle = [*owner.hand, *(placed.card for placed in owner.table if not placed.up)]
    if not any(before.kind(card) == "item" for card in idle):
        return None
    best, action = best_gear(deed.cat, deed.data, deed.seat)
    return action if best >= before.gear(deed.seat) + IDLE else None


# ---------------------------------------------------------------------------------------------------------- own gear
def sold_in_use(deed: Deed) -> AnyAction | None:
    """Items were sold that gave their owner 3 strength for each level that they brought, and nothing replaces them."""
    if not isinstance(deed.action, Sell):
        return None
    there = deed.before.gear(deed.seat)
    levels = sum(event.by for event in deed.events if isinstance(event, LevelChanged) and event.seat == deed.seat)
    least = there - IN_USE * max(1, levels)
    return deed.action if deed.after.gear(deed.seat) <= least and _best_gear_after(deed) <= least else None


def cheat_useless(deed: Deed) -> AnyAction | None:
    """A Cheat! was played and its player is no stronger, not even with the Item equipped."""
    if not isinstance(deed.action, Play) or deed.before.kind(deed.action.card) != "cheat":
        return None
    better = max(deed.after.gear(deed.seat), _best_gear_after(deed)) > deed.before.gear(deed.seat)
    return None if better else deed.action


def _best_gear_after(deed: Deed) -> int:
    return best_gear(deed.cat, encode(deed.after.state), deed.seat)[0]


# ------------------------------------------------------------------------------------------------- cards for nothing
def raised_only_rivals(deed: Deed) -> AnyAction | None:
    """A card or an ability raised Levels of others, not that of its player, and won no fight for its player."""
    if not isinstance(deed.action, Play | Use) or not foreseen(deed.events) or _ended_a_fight(deed):
        return None
    fight = deed.before.fight
    if fight is not None and deed.seat in (fight.seat, fight.helper) and deed.after.winning > deed.before.winning:
        return None
    risen = _risen(deed.before, deed.after)
    return deed.action if risen and deed.seat not in risen else None


def curse_empty(deed: Deed) -> AnyAction | None:
    """A curse was played on somebody and nothing changed for anybody."""
    if not isinstance(deed.action, Play) or deed.before.kind(deed.action.card) != "curse" or deed.action.brought:
        return None
    if deed.action.seat in (-1, deed.seat) or not foreseen(deed.events):
        return None
    return None if _changed(deed) else deed.action


def spent_for_nothing(deed: Deed) -> AnyAction | None:
    """A fighter or helper spent a card in the fight, and nothing changed."""
    fight = deed.before.fight
    if fight is None or deed.seat not in (fight.seat, fight.helper) or not isinstance(deed.action, Play | Use):
        return None
    if not foreseen(deed.events) or not _spent(deed):
        return None
    return None if _changed(deed) else deed.action


def _changed(deed: Deed) -> bool:
    return _signature(deed.before, deed.seat) != _signature(deed.after, deed.seat)


def _spent(deed: Deed) -> bool:
    """Return whether a card of the seat went to a discard pile or into the fight."""
    return any(
        isinstance(event, Moved) and event.at == deed.seat and event.to in ("fight", "limbo", "door", "treasure")
        for event in deed.events
    )


def _signature(position: Position, spender: int) -> object:
    """Return the relevant parts of a position, without the cards of the spender."""
    state = position.state
    rows: list[object] = []
    for no, seat in enumerate(state.seats):
        mine = no == spender
        kept = (0, 0) if mine else (len(seat.hand), sorted(placed.card for placed in seat.table))
        rows.append((seat.level, seat.dead, seat.sex, len(seat.lasting), position.gear(no), *kept))
    fight = position.fight
    there = (fight.helper, len(fight.monsters), treasures_due(position.reader)) if fight is not None else None
    return rows, there, position.lead, len(state.seals_open), state.turn.extra


def _ended_a_fight(deed: Deed) -> bool:
    return deed.before.state.fight is not None and deed.after.state.fight is None


# ------------------------------------------------------------------------------------------------------------- fights
def own_goal(deed: Deed) -> AnyAction | None:
    """A hero's play lowered the heroes' lead for no more Treasure and no Level; or a rival's play won their fight."""
    fight, after = deed.before.fight, deed.after.fight
    if fight is None or after is None or (fight.no, fight.seat) != (after.no, after.seat):
        return None
    if not isinstance(deed.action, Play | Use) or not foreseen(deed.events):
        return None
    if deed.seat not in (fight.seat, fight.helper):
        return deed.action if deed.after.winning and not deed.before.winning else None
    if deed.seat in _risen(deed.before, deed.after):
        return None
    richer = treasures_due(deed.after.reader) > treasures_due(deed.before.reader)
    stands = deed.after.winning or not deed.before.winning
    return deed.action if deed.after.lead < deed.before.lead and not (richer and stands) else None


def fled_though_winnable(deed: Deed) -> AnyAction | None:
    """A fight was given up although two cards of the fighter would have won it."""
    if not isinstance(deed.action, Flee):
        return None
    cards = _cards(deed.before, deed.seat)

    def won(then: Position) -> bool:
        return then.winning and _cards(then, deed.seat) >= cards - CARDS_MOST

    return reached(deed.cat, deed.data, deed.seat, won, CARDS_MOST, up=True)


def _cards(position: Position, seat: int) -> int:
    owner = position.state.seats[seat]
    return len(owner.hand) + len(owner.table)


def blow_too_small(deed: Deed) -> AnyAction | None:
    """At match point a rival's play left the fight won although another one would have turned it."""
    if not _is_blow(deed) or not deed.after.match_point:
        return None
    return reached(deed.cat, deed.data, deed.seat, lambda then: not then.match_point, 1, up=False)


def blow_too_large(deed: Deed) -> AnyAction | None:
    """At match point a rival's card turned the fight although a much smaller one would have done."""
    if not _is_blow(deed) or deed.after.match_point or deed.after.fight is None or deed.after.winning:
        return None
    least = deed.after.lead + TOO_LARGE
    return reached(
        deed.cat, deed.data, deed.seat,
        lambda then: then.fight is not None and not then.winning and then.lead >= least, 1, up=False,
    )  # fmt: skip


def _is_blow(deed: Deed) -> bool:
    """Return whether somebody else plays against heroes who are about to win the game."""
    if not isinstance(deed.action, Play | Use) or not foreseen(deed.events):
        return False
    fight = deed.before.fight
    return fight is not None and deed.seat not in (fight.seat, fight.helper) and deed.before.match_point


def could_stop(cat: Catalog, data: bytes, seat: int) -> AnyAction | None:
    """Return the first of at most two plays by which a seat that passes at match point could have stopped the winner;
    None if it could not."""
    position = Position(cat, decode(data))
    fight = position.fight
    if fight is None or seat in (fight.seat, fight.helper) or not position.match_point:
        return None
    return reached(cat, data, seat, lambda then: not then.match_point, CARDS_MOST, up=False)


def help_changes_nothing(deed: Deed) -> int:
    """Return the seat to blame if help was agreed on that does not decide a fight: the fighter, who was winning alone,
    or the helper, who is too weak; -1 if the help decides the fight. A weak helper may still win it by cards."""
    came = next((event for event in deed.events if isinstance(event, HelperCame) and not event.compelled), None)
    fight = deed.before.fight
    if came is None or fight is None or deed.before.winning != deed.after.winning:
        return -1
    return fight.seat if deed.before.winning else came.seat


def offer_would_win(cat: Catalog, data: bytes, seat: int) -> bool:
    """Return whether a losing fighter has an offer of help that would win the fight."""
    position = Position(cat, decode(data))
    fight = position.fight
    if fight is None or fight.seat != seat or fight.helper >= 0 or position.winning:
        return False
    offers = [offer for offer in position.state.offers if offer.kind == "help" and offer.to in (seat, -1)]
    outcomes = [tried(cat, data, seat, Accept(offer.no)) for offer in offers if offer.frm != seat]
    return any(outcome is not None and outcome[0].winning for outcome in outcomes)


# --------------------------------------------------------------------------------- what stops a rival near victory
def rival_near(position: Position, seat: int) -> bool:
    """Return whether somebody else has at most two levels to go."""
    seats, needed = position.state.seats, position.state.options.win_level - NEAR
    return any(other.level >= needed and not other.dead for no, other in enumerate(seats) if no != seat)


def stopper_given_up(deed: Deed) -> AnyAction | None:
    """A card that could stop a rival near victory was discarded, given away, sold or paid, though another card that is
    neither such a card nor a level could have gone instead."""
    if not isinstance(deed.action, Answer | Discard | Sell | Use) or not rival_near(deed.before, deed.seat):
        return None
    stop, owner = deed.stop, deed.before.state.seats[deed.seat]
    mine = {*owner.hand, *(placed.card for placed in owner.table)}
    chosen = _given_up(deed.action) & mine
    if not any(defn_of(card) in stop for card in chosen):
        return None
    others = _could_give(deed) & mine
    spared = any(defn_of(card) not in stop and deed.before.kind(card) != "level" for card in others - chosen)
    return deed.action if spared else None


def _given_up(action: AnyAction) -> set[int]:
    if isinstance(action, Answer):
        return set(action.picks)
    if isinstance(action, Sell):
        return set(action.cards)
    return set(action.pay) if isinstance(action, Use) else {getattr(action, "card", 0)}


def _could_give(deed: Deed) -> set[int]:
    if not isinstance(deed.action, Answer):
        hand = deed.before.state.seats[deed.seat].hand
        return set(hand) if isinstance(deed.action, Use) else set()
    asks = deed.before.state.stack[-1].asks
    ask = next((one for one in asks if one.id == deed.action.ask), None)
    gone = {event.card for event in deed.events if isinstance(event, Moved) and event.at == deed.seat}
    return set(ask.options) if ask is not None and gone >= set(deed.action.picks) else set()


def stopper_spent(deed: Deed) -> bool:
    """A card that could stop a rival near victory was played into somebody else's fight that was not about to end the
    game, and left it won. (The counter waits, because more cards may turn the fight.)"""
    fight = deed.before.fight
    if not isinstance(deed.action, Play) or fight is None or deed.seat in (fight.seat, fight.helper):
        return False
    if defn_of(deed.action.card) not in deed.stop or not rival_near(deed.before, deed.seat):
        return False
    return deed.before.winning and not deed.before.match_point and deed.after.winning


KINDS: dict[str, Callable[[Deed], AnyAction | None]] = {
    "level card unplayed at the end of a turn": level_card_unplayed,
    "Item worth 2 or more idle at the end of a turn": item_idle,
    "raised only rivals": raised_only_rivals,
    "sold 3 strength in use for a level": sold_in_use,
    "fled though winnable": fled_though_winnable,
    "useless Cheat!": cheat_useless,
    "empty curse": curse_empty,
    "own goal": own_goal,
    "spent for nothing": spent_for_nothing,
    "blow too small at match point": blow_too_small,
    "blow too large at match point": blow_too_large,
    "gave up what stops a rival near victory": stopper_given_up,
}
"""Kinds that one deed shows, by name. blunders.py counts those that only the rest of a fight or of the game shows."""
