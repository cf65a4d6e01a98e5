"""The checkpoint: consequences that the rules demand at once, worked off one at a time, active seat first.

Verbs only record them (or leave the state dirty); nothing here runs while card text is at work.
"""

from core.events import Chose, Flipped, HelperCame, HelperLeft, Settled, Won
from core.fates import change_level
from core.game import Game, choose, living, placed, to_discard, to_table
from core.limits import big_items, can_carry, capacity, double_for, filled, place_of, sellable, worn, worth
from core.model import Backout, Excess, Looting, Program, Run
from core.query import identities, in_combat, laying_out
from core.strength import helper_wins, kill_levels


def checkpoint(g: Game) -> bool:
    """Work off what is due; True if something was begun (or the game is over). Nothing while first cards are laid out:
    a remedy would show them, and would have to give to somebody who is not ready (setup.order)."""
    s = g.state
    if laying_out(g):
        return False
    if not (s.dirty or s.pending or (s.fight is not None and s.fight.compelled)):
        return False
    if any(isinstance(frame, Program | Excess | Backout) for frame in s.stack):
        return False
    if s.dirty:
        if _winners(g) or _first_excess(g):
            return True
        s.dirty = False
    return _compelled(g) or _bodies(g)


def _winners(g: Game) -> bool:
    """The winning level ends the game at once; both win if one combat took both there (win.level-10, win.together)."""
    s = g.state
    won = [seat for seat, player in enumerate(s.seats) if player.level >= s.options.win_level and not player.dead]
    if not won:
        return False
    shared = [int(entry[1]) for entry in s.pending if entry[0] == "shared" and int(entry[1]) not in won]
    g.emit(Won(sorted(won + shared), "shared" if shared else "level"))
    return True


def _bodies(g: Game) -> bool:
    """Bodies are looted when the event that killed is over, in the order of the deaths (death.loot-when)."""
    s = g.state
    if any(isinstance(frame, Run | Looting) for frame in s.stack):
        return False
    for what, seat in s.pending:
        if what == "loot":
            g.emit(Settled(str(what), int(seat)))
            s.stack.append(Looting(step="order", seat=int(seat)))
            return True
    return False


def _compelled(g: Game) -> bool:
    """A fight that has become one for the win, of its fighter, lets the compelled helper go (help.compelled)."""
    fight = g.state.fight
    if fight is None or not fight.compelled or fight.helper < 0 or fight.stage != "fight":
        return False
    if g.state.seats[fight.seat].level + kill_levels(g) < g.state.options.win_level:
        return False
    g.state.stack.append(Backout(step="ask", seat=fight.helper))
    return True


def run_backout(g: Game, f: Backout) -> bool:
    """Stay or go; who stays does so of free will from then on (help.match-point)."""
    fight = g.state.fight
    if fight is None or fight.helper != f.seat or not fight.compelled:
        g.state.stack.pop()
        return False
    picks = choose(g, f, f.seat, "back out", [0, 1], 1, 1, -1, ["back out", "stay and help"])
    if picks is None:
        return True
    g.state.stack.pop()
    if picks[0] == 0:
        g.emit(HelperLeft(f.seat, "backs out"))
    else:
        g.emit(HelperCame(f.seat, False, fight.deal))
        g.emit(Chose(f.seat, -1, "stays and helps" + (" to win as well" if helper_wins(g) else "")))
    return False


# ---------------------------------------------------------------------------------------------- too many of something
def _first_excess(g: Game) -> bool:
    for seat in living(g):
        what = excess_of(g, seat)
        if what:
            g.state.stack.append(Excess(step="keep", seat=seat, what=what))
            return True
    return False


def excess_of(g: Game, seat: int) -> str:
    """What a seat has too much of: a lone card that allows two, identities of a kind, a slot, hands, Big Items."""
    table = g.state.seats[seat].table
    kinds: list[str] = []
    slots: list[str] = []
    big = 0
    for entry in table:
        definition = g.of(entry.card)
        if definition.kind == "identity" and definition.card.identity not in kinds:
            kinds.append(definition.card.identity or "")
        elif definition.kind == "double" and not identities(g, seat, definition.card.serves or ""):
            return f"lone {definition.card.serves}"
        elif definition.kind == "item":
            big += definition.card.big
            place = place_of(definition)
            if entry.up and place != "none" and place not in slots:
                slots.append(place)
    for kind in kinds:
        if len(identities(g, seat, kind)) > capacity(g, seat, kind):
            return f"identity {kind}"
    for place in slots:
        if filled(g, seat, place) > capacity(g, seat, place):
            return f"slot {place}"
    return "big" if big > 1 and len(big_items(g, seat)) > capacity(g, seat, "big") else ""


def run_excess(g: Game, f: Excess) -> bool:
    """Put it right, the owner choosing; True while the owner chooses."""
    if g.state.seats[f.seat].dead or (f.step == "keep" and excess_of(g, f.seat) != f.what):
        g.state.stack.pop()
        return False
    what, _, kind = f.what.partition(" ")
    return _REMEDY[what](g, f, kind)


def _lone(g: Game, f: Excess, kind: str) -> bool:
    """With the last identity the card that allows two goes too (self.super-lost)."""
    to_discard(g, double_for(g, f.seat, kind), "table", f.seat, "lost", f.seat)
    return False


def _identity(g: Game, f: Excess, kind: str) -> bool:
    """One of the two goes, at choice (self.super-lost)."""
    there = [entry.card for entry in identities(g, f.seat, kind)]
    over = len(there) - capacity(g, f.seat, kind)
    picks = choose(g, f, f.seat, "give up", there, over, over)
    if picks is None:
        return True
    for card in picks:
        to_discard(g, card, "table", f.seat, "lost", f.seat)
    return False


def _slot(g: Game, f: Excess, place: str) -> bool:
    """What no longer fits is turned sideways, one after the other (item.slots-excess)."""
    there = [entry.card for entry, definition in worn(g, f.seat) if place_of(definition) == place]
    if capacity(g, f.seat, place) == 0:
        picks: list[int] | None = there
    else:
        picks = choose(g, f, f.seat, "turn sideways", there, 1, 1)
    if picks is None:
        return True
    for card in picks:
        g.emit(Flipped(f.seat, card, False))
    return False


def _big(g: Game, f: Excess, kind: str) -> bool:
    return _BIG_STEPS[f.step](g, f)


def _big_keep(g: Game, f: Excess) -> bool:
    """Which Big Items stay is the owner's choice (item.big-excess-choice)."""
    there = big_items(g, f.seat)
    room = capacity(g, f.seat, "big")
    picks = choose(g, f, f.seat, "keep big", there, room, room) if room else []
    if picks is None:
        return True
    f.cards = [card for card in there if card not in picks]
    f.step = "way"
    return False


def _big_way(g: Game, f: Excess) -> bool:
    """Sold in the own turn, outside combat, with 1,000 Gold Pieces to sell; otherwise given away (item.big-excess)."""
    f.cards = [card for card in f.cards if placed(g, f.seat, card) is not None]
    if not f.cards:
        f.step = "keep"
        return False
    options = _saleable(g, f.seat)
    picks: list[int] | None = [1]
    if options and g.state.turn.seat == f.seat and not in_combat(g, f.seat):
        picks = choose(g, f, f.seat, "sell or give", [0, 1], 1, 1, -1, ["sell for a level", "give away"])
    if picks is None:
        return True
    f.step = "sell" if picks[0] == 0 else "give"
    return False


def _saleable(g: Game, seat: int) -> list[int]:
    """Items for a sale of at least 1,000 Gold Pieces that gives a level, or none (item.sell-not-10)."""
    cards = sellable(g, seat)
    enough = sum(worth(g.of(card)) for card in cards) >= 1000
    return cards if enough and g.state.seats[seat].level < g.state.options.win_level - 1 else []


def _big_sell(g: Game, f: Excess) -> bool:
    """The excess goes first, then the dearest Items the owner adds until the price is reached."""
    options = [card for card in _saleable(g, f.seat) if card != f.cards[0]]
    have = worth(g.of(f.cards[0]))
    if have + sum(worth(g.of(card)) for card in options) < 1000:
        f.step = "give"
        return False
    picks: list[int] | None = []
    if have < 1000:
        picks = choose(g, f, f.seat, "add to sale", options, 1, len(options))
    if picks is None:
        return True
    total = have + sum(worth(g.of(card)) for card in picks)
    if total < 1000:
        f.answers = {}
        f.step = "give"
        return False
    sell(g, f.seat, [f.cards[0], *picks], total)
    f.step = "way"
    return False


def sell(g: Game, seat: int, cards: list[int], total: int) -> None:
    """Items are discarded for levels, without change (item.sell, item.sell-near-10)."""
    for card in cards:
        zone = "hand" if card in g.state.seats[seat].hand else "table"
        to_discard(g, card, zone, seat, "sold", seat)
    change_level(g, seat, total // 1000, "the sale")


def _big_give(g: Game, f: Excess) -> bool:
    """To the lowest who can carry it; what nobody can carry is discarded."""
    card = f.cards[0]
    takers = [
        seat for seat in range(len(g.state.seats))
        if seat != f.seat and not g.state.seats[seat].dead and can_carry(g, seat, [card], [])
    ]  # fmt: skip
    low = min((g.state.seats[seat].level for seat in takers), default=0)
    takers = [seat for seat in takers if g.state.seats[seat].level == low]
    picks = choose(g, f, f.seat, "give to", takers, 1, 1, g.of(card).no)
    if picks is None:
        return True
    if picks:
        to_table(g, card, "table", f.seat, picks[0], "given", up=False)
    else:
        to_discard(g, card, "table", f.seat, "lost", f.seat)
    f.step = "way"
    return False


_REMEDY = {"lone": _lone, "identity": _identity, "slot": _slot, "big": _big}
_BIG_STEPS = {"keep": _big_keep, "way": _big_way, "sell": _big_sell, "give": _big_give}
