"""How long a remark stands in the prompt in place of the question's reason."""

import asyncio
from collections.abc import Sequence

from msgspec.structs import replace

from tui.menus.entries import Menu
from tui.menus.prompts import Prompt
from tui.scene.scene import LogLine
from tui.screens.parts.model import TableModel

TOLD_CELLS = 90
"""Cells beside the question for what has happened; a key shows what has no room there."""
READ_S = 2.0
"""The least time (s) that a remark stays, whatever is asked meanwhile."""


def missed_words(missed: Sequence[LogLine], key: str) -> str:
    """Return what has happened as sentences, as many as there is room for; the rest is counted. key: shows it."""
    words = ""
    for at, line in enumerate(missed):
        sums = f" ({line.amount})" if line.act and line.amount else ""
        longer = f"{words} {line.text}{sums}.".strip()
        if len(longer) > TOLD_CELLS:
            return f"{words} ({key}: {len(missed) - at} more)".strip()
        words = longer
    return words


class Remarks:
    """The remarks of a table: until the next key, or until something else is asked."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._spent = -1
        """The last remark that a key has taken away."""
        self._since: tuple[int, tuple[str, int, str, int], float] = (-1, ("", 0, "", 0), 0.0)
        """Which remark is shown, beside which question, procedure and state of a fight, and since when."""
        self._unsaying: asyncio.TimerHandle | None = None

    @property
    def prompt(self) -> Prompt:
        """The prompt: the question, with a remark in place of its reason until the next key."""
        model = self._model
        session, now = model.session, model.now
        remark = session.remark if session.remarks != self._spent else ""
        if remark and session.refused is not None:
            remark = f"{remark} ({model.names['table.rules']}: the rule)"
        if not remark and session.waiting_act:
            back = model.names["prompt.back"]
            remark = f"Your card waits until the one before is resolved ({back} withdraws it)."
        if not remark or now.info.vote is not None or now.away:
            return model.current
        asks_again = isinstance(model.here, Menu) and model.here.grave
        kept = model.current.reason if asks_again else ""  # why it is asked once more
        return replace(model.current, reason=f"{kept} {remark}".strip(), said=True)

    @property
    def telling(self) -> Prompt:
        """The prompt, with what has happened while the stage is out of sight before all else."""
        model, prompt = self._model, self.prompt
        if not model.missed:
            return prompt
        told = missed_words(model.missed, model.names["table.recap"])
        return replace(prompt, reason=f"{told} {prompt.reason}" if prompt.said else told, said=True)

    def spend(self) -> None:
        """Take a remark away, since a key was pressed. The action of this key may still ask about it (the rule of a
        refusal); that of the next key may not."""
        session = self._model.session
        if session.remarks == self._spent:
            session.remark = ""
        stood, self._spent = bool(session.remark), session.remarks
        if stood:
            self._model.redraw()

    def keep(self, now: float) -> None:
        """Take a remark away once something else is asked or goes on, and there was time to read it. A hint goes at
        once, since it would be read as an answer to the new question, and so does a refusal that is no longer true."""
        model = self._model
        view, session = model.now.view, model.session
        fight = view.fight
        going_on = view.top if view.top == "setup" or not model.current.urgent else ""
        about = model.current.ident, view.turn_no, going_on, fight.changed_at if fight is not None else 0
        number, before, since = self._since
        self.stop()
        if number != session.remarks:
            self._since = session.remarks, about, now
        elif session.remark and about != before:
            left = since + READ_S - now
            if left <= 0 or session.remark == model.hinted or self._possible_now():
                session.remark = ""
            else:
                self._unsaying = asyncio.get_running_loop().call_later(left, model.redraw)

    def _possible_now(self) -> bool:
        """Return whether the remark refuses a verb that is possible now."""
        verb, refusal = self._model.denied
        entries = self._model.keyed.verbs.entries
        return bool(verb) and refusal == self._model.session.remark and any(entry.on == verb for entry in entries)

    def stop(self) -> None:
        """Stop the clock."""
        if self._unsaying is not None:
            self._unsaying.cancel()
            self._unsaying = None
