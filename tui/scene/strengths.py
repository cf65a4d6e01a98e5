"""What the strength of each seat is made of outside a fight, in words. Pure."""

from collections.abc import Sequence

from core.knowledge.public_facts import strengths
from core.state.views import SeatView, Term
from tui.scene.arrival import uncounted
from tui.scene.gear import both_hands, in_words, with_bonus
from tui.scene.scene import Scene
from tui.scene.sums import more_words, term_of_level


def strength_words(scene: Scene) -> list[str]:
    """Return for each seat the terms of its strength: `Level 3 and gear: Boots +1, +2 from Orc`."""
    terms = strengths(scene.catalog, scene.view)
    return [_sum_of(scene, seat, own) for seat, own in zip(scene.view.seats, terms, strict=True)]


def _sum_of(scene: Scene, seat: SeatView, terms: Sequence[Term]) -> str:
    """Return the terms of a strength in words: the Level, the gear with its bonuses, and by name each card that adds
    more than its bonus or takes something away."""
    by_card = {term.card: term.by for term in terms if term.card}
    there = with_bonus(scene, seat.seat)
    printed = {piece.card: scene.card(piece.card).bonus + both_hands(scene, seat.seat, piece) for piece in there}
    gear = [in_words(scene, seat.seat, piece) for piece in there if by_card.get(piece.card)]
    level = f"Level {seat.level}{'' if any(map(term_of_level, terms)) else ' (not counted)'}"
    text = f"{level}{' and gear: ' if gear else ' without gear'}{', '.join(gear)}"
    for term in terms:
        more = term.by - (seat.level if term_of_level(term) else printed.get(term.card, 0))
        further = "more " if printed.get(term.card) else ""
        why = more_words(scene, term, printed.get(term.card)).partition(" ")[2]
        text += f", {more:+d} {further}from {term.label}{f' {why}' if why else ''}" if more else ""
    rest = seat.strength - sum(term.by for term in terms)
    text += f", {rest:+d} from other cards" if rest and not seat.dead else ""
    idle = [in_words(scene, seat.seat, piece) for piece in there if not by_card.get(piece.card)]
    idle += uncounted(scene, seat.seat)
    return text + (f"; not counted: {', '.join(idle)}" if idle else "")
