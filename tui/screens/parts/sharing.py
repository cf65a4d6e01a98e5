"""Charity: the player chooses on one screen who gets which card, and this part answers the further questions of the
rules."""

from core.state import actions as a
from core.state.model import Ask
from tui.screens.parts.model import TableModel

LARGER, SHARE = "larger share", "share for"
"""The kinds of these questions; the second one ends with a seat."""


class Sharing:
    """Answers what follows from what the player has shared out."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._answered = 0
        """The question that was answered last. If the answer is refused, the player is asked."""

    def answer(self) -> bool:
        """Answer a question that the plan of the player already answers; return whether there was one."""
        model = self._model
        view, plan = model.session.client.view, model.menus.plan
        asks = view.you.asks if view is not None and view.you is not None else []
        if not plan or not asks:
            return False
        picks = planned(asks[0], plan)
        if picks is None or asks[0].id == self._answered:
            if asks[0].kind != "charity":  # the view may still show the question that made the plan
                model.menus.plan = {}
            return False
        self._answered = asks[0].id
        model.session.act(a.Answer(asks[0].id, picks))
        return True


def planned(ask: Ask, plan: dict[int, int]) -> tuple[int, ...] | None:
    """Return what a plan answers to a question of charity, None if it has no answer. plan: who gets which card."""
    if ask.kind == LARGER:
        counts = {seat: list(plan.values()).count(seat) for seat in ask.options}
        picks = tuple(seat for seat in ask.options if counts[seat] == max(counts.values()))
    elif ask.kind.startswith(SHARE):
        seat = int(ask.kind.removeprefix(SHARE))
        picks = tuple(card for card in ask.options if plan.get(card) == seat)
    else:
        return None
    return picks if ask.lo <= len(picks) <= ask.hi else None
