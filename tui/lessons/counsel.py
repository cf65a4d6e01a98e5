"""What a good player would do, worked out in a thread: one question at a time, since a thread cannot be stopped."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from core.state.events import AnyEvent
from core.state.veiled import Veiled
from core.state.views import View
from tui.scene.table_session import TableSession

if TYPE_CHECKING:
    from tui.lessons.adviser import Advice, Adviser

Wanted = Callable[["Adviser", list[AnyEvent]], Any]
"""A question to the adviser, with the events of this game that the seat has seen."""


class Counsel:
    """Asks the adviser of one seat. The modules and tables of the bots are loaded with the first question."""

    def __init__(self, session: TableSession) -> None:
        self._session = session
        self._adviser: Adviser | None = None
        self._thinking: asyncio.Task[Any] | None = None

    async def advice(self, view: View, veiled: Veiled | None, patient: bool, within: float) -> "Advice | None":
        """Return what a good player would do in this view (Adviser.advice), None if that takes too long. within:
        seconds."""
        found: Advice | None = await self._ask(lambda one, seen: one.advice(view, veiled, seen, patient), within)
        return found

    async def passes(self, view: View, veiled: Veiled | None, within: float) -> bool:
        """Return whether a good player would only pass (Adviser.passes); False if that takes too long. within:
        seconds."""
        return bool(await self._ask(lambda one, seen: one.passes(view, veiled, seen), within))

    async def _ask(self, wanted: Wanted, within: float) -> Any:
        """Return the answer to a question, None if it takes longer than `within` seconds."""
        loop = asyncio.get_running_loop()
        by = loop.time() + within
        while self._thinking is not None and not self._thinking.done():
            await asyncio.wait({self._thinking}, timeout=by - loop.time())
            if loop.time() >= by:
                return None
        happened = self._session.happened()
        self._thinking = asyncio.ensure_future(asyncio.to_thread(self._answer, wanted, happened))
        done, _ = await asyncio.wait({self._thinking}, timeout=by - loop.time())
        return next(iter(done)).result() if done else None

    def _answer(self, wanted: Wanted, happened: list[AnyEvent]) -> Any:
        if self._adviser is None:
            from tui.lessons.adviser import Adviser  # with the first question

            self._adviser = Adviser(self._session.catalog)
        return wanted(self._adviser, happened)
