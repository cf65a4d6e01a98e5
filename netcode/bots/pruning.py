"""Prune moves before a search that hurt the seat's own interest by the rules. If such a move does well in a few
imagined games, that is luck."""

from collections.abc import Sequence

from core.state.actions import Action, Answer, Play, Use
from core.state.model import DEFN_MASK
from netcode.bots.trials import GameStanding, Trials


def harmless_moves(
    trials: Trials, seat: int, actions: Sequence[Action | None], guards: frozenset[int] = frozenset()
) -> list[int]:
    """Return the indices of the actions that do their seat no harm, as far as can be known. guards: definitions of
    cards that are saved for a rival who is near victory."""
    now = trials.now()
    if now is None:
        return list(range(len(actions)))
    return [
        no
        for no, action in enumerate(actions)
        if not isinstance(action, Play | Use)
        or not _harms(now, trials.after(action), seat, isinstance(action, Play) and action.card & DEFN_MASK in guards)
    ]


def gives_up(action: Action | None, choice: Action | None, mine: Sequence[int], guards: frozenset[int]) -> bool:
    """Return whether an answer gives up a card of mine that is saved for a rival near victory, and `choice` does
    not."""
    if not isinstance(action, Answer):
        return False
    spared = choice.picks if isinstance(choice, Answer) else ()
    return any(card & DEFN_MASK in guards and card in mine and card not in spared for card in action.picks)


def _harms(now: GameStanding, then: GameStanding | None, seat: int, guard: bool) -> bool:
    """Return whether a card or an ability only raises Levels of others, makes the seat's own fight harder without a
    gain, puts a won fight at risk, wins somebody else's fight, or is too weak to turn it. guard: it spends a card
    that is saved for a rival near victory."""
    if then is None:
        return now.mine and now.winning
    if now.fights != then.fights:
        return False
    risen = [level > before for level, before in zip(then.levels, now.levels)]
    if risen[seat]:
        return False
    won = then.winning and not now.winning
    if any(risen):
        return not (now.mine and won)
    if now.mine:
        richer = then.treasures > now.treasures and (then.winning or not now.winning)
        return then.lead < now.lead and not richer
    weak = then.lead < now.lead and then.winning and (guard or then.levels == now.levels)
    return won or weak or then.match_point
