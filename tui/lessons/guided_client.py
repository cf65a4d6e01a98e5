"""The table of a lesson or a puzzle as the screens see it: a client without a host, in this process.

It is to `core.scenario.guide.Guide` what netcode.client.Client is to a host.
"""

import asyncio
from collections import deque
from collections.abc import Callable

from core.knowledge.forecast import Forecaster
from core.knowledge.veil import veil
from core.moves.legal import check
from core.scenario.guide import Guide
from core.scenario.guided_game import ME
from core.state.actions import Action, Refusal
from core.state.events import AnyEvent, seen_by
from core.state.forecasts import Forecast
from core.state.veiled import Veiled
from netcode.client.state_machine import Message
from netcode.protocol import wire
from tui.scene.hostless_client import HostlessClient

EVENTS_KEPT = 1000


class GuidedClient(HostlessClient):
    """The client of the person who plays; see tui.scene.table_client.TableClient. name: theirs."""

    def __init__(self, guide: Guide, name: str) -> None:
        super().__init__(ME)
        self.guide = guide
        self.view = guide.game.view()
        self._forecaster = Forecaster(guide.game.catalog)
        self.forecasts = self._forecasts()
        self.info = _table(guide, name)
        self.events = deque(maxlen=EVENTS_KEPT)
        self.rtt_ms = 0
        self._subscribers: list[Callable[[Message], None]] = []
        self._number = self._seq = self._sent = 0
        self.events.extend(self._numbered())

    @property
    def undo(self) -> wire.UndoInfo | None:
        """The last act, if it can be taken back."""
        return wire.UndoInfo(ME) if self.guide.takes_back else None

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """Call this back with every message; return a function that ends the subscription."""
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def _tell(self, message: Message) -> None:
        for callback in list(self._subscribers):
            callback(message)

    # --------------------------------------------------------------------------------------------------------- acting
    def act(self, action: Action) -> int:
        """Submit an action; its answer and what follows come soon, as from a host."""
        self._sent += 1
        asyncio.get_running_loop().call_soon(self._carry_out, self._sent, action)
        return self._sent

    def _carry_out(self, number: int, action: Action) -> None:
        refusal = self.guide.act(action)
        if refusal is not None:
            self._tell(wire.Refused(number, refusal))
        self.refresh()

    def go_on(self) -> None:
        """Go on; see Guide.go_on."""
        self.guide.go_on()
        self.refresh()

    def again(self) -> None:
        """Begin again; see Guide.again."""
        self.guide.again()
        self.refresh()

    def show_solution(self) -> None:
        """Show the next step of the solution, the first if none is shown."""
        self.guide.show_solution()
        self.refresh()

    def back(self, vote: int = 0, yes: bool = True) -> None:
        """Take the last act back."""
        self.take_back()

    def take_back(self) -> bool:
        """Take the last act back, since nobody else has to agree. Return False if there is none."""
        taken = self.guide.take_back()
        if taken:
            self.refresh()
        return taken

    def refresh(self) -> None:
        """Tell the subscribers what has changed."""
        self._seq += 1
        events = self._numbered()
        self.events.extend(events)
        self.view = self.guide.game.view()
        self.forecasts = self._forecasts()
        self._tell(wire.Update(0, self._seq, self.view, events, forecasts=self.forecasts))

    def _forecasts(self) -> list[Forecast]:
        """Return what would come of the options in the view."""
        you = self.view.you if self.view is not None else None
        return self._forecaster.forecasts(self.guide.game.state, ME, you.legal) if you is not None else []

    def _numbered(self) -> list[wire.NumberedEvent]:
        """Return the events that this seat may know, numbered."""
        news, self.guide.game.news = self.guide.game.news, []
        found: list[wire.NumberedEvent] = []
        for event in _visible(news):
            self._number += 1
            found.append(wire.NumberedEvent(self._number, event))
        return found

    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None:
        """Return what forbids an action."""
        return check(self.guide.game.catalog, self.guide.game.state, ME, action)

    async def knowledge(self) -> Veiled | None:
        """Return what the person knows of the game as a state: what they see now."""
        return veil(self.guide.game.catalog, self.guide.game.state, ME)

    # ------------------------------------------------------------------------------------- what needs other people
    def clocks(self) -> wire.Timers:
        """Return no clocks: a lesson waits."""
        return wire.Timers()

    def say(self, text: str) -> bool:
        """Say something, which only this player hears."""
        name = self.info.seats[ME].name if self.info is not None else ""
        self._tell(wire.Talk(ME, name, text))
        return True


def _visible(news: list[AnyEvent]) -> list[AnyEvent]:
    seen = (seen_by(event, ME) for event in news)
    return [event for event in seen if event is not None]


def _table(guide: Guide, name: str) -> wire.TableInfo:
    names = [name or guide.game.cast.names[ME], *guide.game.cast.names[1:]]
    seats = [wire.SeatInfo(one, "here" if at == ME else "bot", True) for at, one in enumerate(names)]
    packs = [wire.PackInfo(pack.id, "") for pack in guide.game.catalog.packs]
    return wire.TableInfo("", seats, "playing", pace="book", packs=packs, solo=True, game=1)
