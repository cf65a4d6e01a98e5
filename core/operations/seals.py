"""Open and close Seals; the seventh ends the game at once."""

from core.language.schema import SealDraw
from core.queries.modifiers import mods_of
from core.queries.strength import seat_terms
from core.state.events import Fizzled, SealClosed, SealOpened, Won
from core.state.game import Game, draw
from core.state.model import Program, clone
from core.state.reader import Reader, living

LAST = 7
"""The Seal that ends the game (win.seventh-seal)."""
ONE_COMBAT = ("combat", "next-combat")
"""Durations of effects that end with a combat."""


def open_seal(g: Game, seat: int) -> None:
    """Open the top Seal for a seat (seal.open): first players whose cards say so draw, then its text runs."""
    s = g.state
    if not s.seals or s.winners:
        g.emit(Fizzled(seat, -1, "there is no Seal to open"))
        return
    defn = s.seals[-1]
    g.emit(SealOpened(seat, defn, len(s.seals_open) + 1))
    if len(s.seals_open) >= LAST:
        g.emit(Won(_best(g), "the seventh Seal"))
        return
    for watcher in living(g):
        for mod, _, _ in mods_of(g, watcher, SealDraw):
            draw(g, watcher, mod.deck, mod.count)
    part = g.cat.cards[defn].part("play")
    if part >= 0:
        s.stack.append(Program(defn=defn, part=part, you=seat, victim=seat))


def close_seal(g: Game, why: str, climber: int = -1) -> None:
    """Put the top open Seal face down under the Seal deck (seal.close); nothing happens while none is open.

    climber: the seat whose three levels closed it, which is possible once a turn for each seat; -1 for none.
    """
    s = g.state
    if not s.seals_open:
        g.emit(Fizzled(-1, -1, "no Seal is open"))
        return
    g.emit(SealClosed(s.seals_open[-1], len(s.seals_open) - 1, why, climber))


def card_bonus(g: Reader, seat: int) -> int:
    """Return what a player's cards would add in a fight against no particular monster (win.seventh-seal-count).

    The current combat is ignored, and so are effects that last for a combat.
    """
    state = clone(g.state)
    state.fight = None
    player = state.seats[seat]
    player.lasting = [lasting for lasting in player.lasting if lasting.until not in ONE_COMBAT]
    return sum(term.by for term in seat_terms(Reader(g.cat, state), seat) if term.label != "Level")


def _best(g: Reader) -> list[int]:
    """Return the seats with the highest bonus from cards; among these the highest Level; if tied, all of them."""
    ranking = {seat: (card_bonus(g, seat), g.state.seats[seat].level) for seat in sorted(living(g))}
    best = max(ranking.values())
    return [seat for seat, worth in ranking.items() if worth == best]
