"""What is not worth a try, however well it goes in a few imagined games: what the rules say is against one's own
interest. Where it seems to gain something, that is the luck of these games."""

from collections.abc import Sequence

from core.state.actions import Action, Play, Use
from netcode.bots.trials import Standing, Trials


def harmless(trials: Trials, seat: int, actions: Sequence[Action | None]) -> list[int]:
    """Return the places of those of these actions of a seat that do it no harm, as far as that can be known."""
    now = trials.now()
    return [
        no
        for no, action in enumerate(actions)
        if now is None or not isinstance(action, Play | Use) or not _harms(now, trials.after(action), seat)
    ]


def _harms(now: Standing, then: Standing | None, seat: int) -> bool:
    """Return whether a card or an ability only raised Levels of others, made its hero's fight harder with nothing
    gained, or won somebody else's fight."""
    if then is None or now.fights != then.fights:
        return False
    risen = [level > before for level, before in zip(then.levels, now.levels)]
    if risen[seat]:
        return False
    won = then.winning and not now.winning
    if any(risen):
        return not (now.mine and won)
    if not now.mine:
        return won
    richer = then.treasures > now.treasures and (then.winning or not now.winning)
    return then.lead < now.lead and not richer
