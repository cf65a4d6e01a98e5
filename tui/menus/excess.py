"""The cards that the end of the turn takes from the hand, in words. Pure."""

from core.queries.capacity import lowest_others
from core.text.grammar import listed
from tui.scene.cells import count
from tui.scene.scene import Scene


def excess(scene: Scene) -> int:
    """Return how many cards the player's hand loses at the end of the turn."""
    you = scene.you
    return max(0, len(you.hand) - you.keeps) if you is not None and you.keeps >= 0 else 0


def going_words(scene: Scene) -> str:
    """Return how many cards go, and to whom: `2 cards go to Bo or Cid`; empty if none do."""
    over = excess(scene)
    if not over:
        return ""
    takers = lowest_others(scene.view.seats, scene.me)
    if not takers:
        return f"{count(over, 'card')} {'is' if over == 1 else 'are'} discarded"
    names = listed([scene.name(seat) for seat in takers], "and" if over >= len(takers) else "or")
    return f"{count(over, 'card')} {'goes' if over == 1 else 'go'} to {names}"
