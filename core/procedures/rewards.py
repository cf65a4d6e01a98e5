"""After a combat: the winners' cards act, promises for help are paid, then Treasure is drawn and shared.

The steps, in order (`_STEPS`, at the end of the file):

    won: after a kill, texts of the winners' cards run (combat.won-texts)
    handover: promised Items change hands (help.bribe-handover)
    promises: promised cards are played on the helper (help.bribe-hand)
    draw: the Treasure is drawn, face up if there was a helper (help.treasure)
    share: it is shared as agreed (help.treasure-picks)
"""

from collections.abc import Callable

from core.procedures.texts import run_next
from core.queries.capacity import can_carry
from core.queries.modifiers import barred
from core.state.actions import Play
from core.state.game import Game, choose, draw, lay_out, to_discard, to_hand, to_open, to_table
from core.state.model import Program, Rewards, Zone
from core.state.reader import placed
from core.state.refusals import Clause

PlayClause = Callable[[Game, int, Play], Clause | None]
"""`core.moves.play.play_clause`: the clause that forbids a play, None if it is allowed. Procedures may not import
moves, so the engine passes it in."""


def run_rewards(g: Game, f: Rewards, play_clause: PlayClause) -> bool:
    """Run one step of the rewards; return True while somebody picks."""
    return _STEPS[f.step](g, f, play_clause)


def _won(g: Game, f: Rewards, _: PlayClause) -> bool:
    """Run the texts of the winners' cards one by one (combat.won-texts)."""
    if not run_next(g, "won", f.won, (f.seat, f.helper)):
        f.step = "handover"
    return False


def _handover(g: Game, f: Rewards, _: PlayClause) -> bool:
    """Items promised for help change hands before anybody can trade them away. The fighter does not owe what they have
    lost, or anything while a card bars one of the two from trading (help.bribe-handover, item.barred)."""
    f.step = "promises"
    bargain = f.bargain
    if bargain is None or f.helper < 0 or g.state.seats[f.helper].dead or g.state.seats[f.seat].dead:
        return False
    for card in bargain.gives:
        may_have = can_carry(g, f.helper, [card], []) and not barred(g, f.seat, f.helper)
        if placed(g, f.seat, card) is not None and may_have:
            to_table(g, card, Zone("table", f.seat), f.helper, "promised", up=False)
    f.cards = list(bargain.cards)
    return False


def _promises(g: Game, f: Rewards, play_clause: PlayClause) -> bool:
    """Promised cards are played on the helper if that is still allowed (help.bribe-hand)."""
    while f.cards:
        card = f.cards.pop(0)
        definition = g.of(card)
        if play_clause(g, f.seat, Play(card, f.helper if definition.target == "seat" else -1)):
            continue
        new = to_open(g, card, Zone("hand", f.seat), "limbo", f.seat, "played")
        g.state.stack.append(
            Program(
                step="shield" if definition.kind == "curse" else "", defn=definition.no, part=definition.part("play"),
                card=new, you=f.seat, victim=f.helper, rest="discard",
            )
        )  # fmt: skip
        return False
    f.step = "draw"
    return False


def _draw(g: Game, f: Rewards, _: PlayClause) -> bool:
    """Draw the Treasure: face up if there was a helper, face down if not (help.treasure)."""
    if f.helper < 0:
        draw(g, f.seat, "treasure", f.treasures)
        g.state.stack.pop()
        return False
    f.pool = lay_out(g, f.treasures)
    f.step = "share"
    return False


def _share(g: Game, f: Rewards, _: PlayClause) -> bool:
    """The player who picks first takes their entire share, the other gets the rest (help.treasure-picks); the dead get
    nothing."""
    alive = [seat for seat in (f.seat, f.helper) if not g.state.seats[seat].dead]
    owed = min(f.bargain.treasures, len(f.pool)) if f.bargain is not None and f.helper in alive else 0
    if f.seat not in alive:
        _discard_rest(g, f, owed)
    if f.bargain is not None and f.bargain.helper_first:
        first, share = f.helper, owed
    else:
        first, share = f.seat, len(f.pool) - owed
    picks = choose(g, f, first, "share", f.pool, lo=share, hi=share) if first in alive else []
    if picks is None:
        return True
    other = f.seat if first == f.helper else f.helper
    for card in list(f.pool):
        _give(g, card, first if card in picks else other)
    f.pool = []
    g.state.stack.pop()
    return False


def _discard_rest(g: Game, f: Rewards, owed: int) -> None:
    """Discard the share of a fighter who has died: everything except what was promised."""
    while len(f.pool) > owed:
        to_discard(g, f.pool.pop(), Zone("limbo"), "nobody takes it")


def _give(g: Game, card: int, seat: int) -> None:
    if g.state.seats[seat].dead:
        to_discard(g, card, Zone("limbo"), "nobody takes it")
    else:
        to_hand(g, card, Zone("limbo"), seat, "shared")


_STEPS = {"won": _won, "handover": _handover, "promises": _promises, "draw": _draw, "share": _share}
