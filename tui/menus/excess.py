"""The cards that the end of the turn takes from the hand, in words. Pure."""

from core.knowledge.public_facts import hand_limit_of
from core.queries.capacity import lowest_others
from core.text.grammar import listed
from tui.scene.cells import count
from tui.scene.scene import Scene


def kept(scene: Scene, seat: int) -> int:
    """Return how many cards a seat may keep at the end of its turn, -1 if an older recording does not say it."""
    you = scene.you
    return you.keeps if you is not None and seat == you.seat else hand_limit_of(scene.catalog, scene.view, seat)


def excess(scene: Scene, seat: int) -> int:
    """Return how many cards a seat's hand loses at the end of its turn."""
    limit, you = kept(scene, seat), scene.you
    held = len(you.hand) if you is not None and seat == you.seat else scene.seat(seat).hand
    return max(0, held - limit) if limit >= 0 else 0


def going_words(scene: Scene, seat: int, brief: bool = False) -> str:
    """Return how many cards of a seat go, and to whom: `2 cards go to Bo or Cid`, `2 go to Bo or Cid` if it is to be
    brief; empty if none do."""
    over = excess(scene, seat)
    if not over:
        return ""
    takers = lowest_others(scene.view.seats, seat)
    cards = str(over) if brief else count(over, "card")
    if not takers:
        return f"{cards} {'is' if over == 1 else 'are'} discarded"
    names = listed([scene.who(taker) for taker in takers], "and" if over >= len(takers) else "or")
    return f"{cards} {'goes' if over == 1 else 'go'} to {names}"


def charity_words(scene: Scene, seat: int) -> str:
    """Return what a seat gives away, to whom, and why: `the limit is 5, 2 cards go to Bo or Cid (lowest Level)`; empty
    if it gives nothing."""
    going = going_words(scene, seat)
    why = "lowest Level" if lowest_others(scene.view.seats, seat) else "nobody has a lower Level"
    return f"the limit is {kept(scene, seat)}, {going} ({why})" if going else ""
