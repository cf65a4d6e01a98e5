"""What the screens need of a client: netcode.client.Client provides it, tests have a fake."""

from collections import deque
from collections.abc import Callable
from typing import Protocol

from core.state.actions import Action, Refusal
from core.state.forecasts import Forecast
from core.state.veiled import Veiled
from core.state.views import View
from netcode.client.connection import Stage
from netcode.client.state_machine import Message
from netcode.protocol import wire
from netcode.protocol.limits import KICK_PAUSE_S


class TableClient(Protocol):
    """What the screens need of a client."""

    seat: int
    view: View | None
    forecasts: list[Forecast]
    info: wire.TableInfo | None
    events: deque[wire.NumberedEvent]
    auto: bool
    rtt_ms: int
    stage: Stage
    reason: str
    knocks: list[wire.KnockInfo]
    strings: tuple[str, ...]
    words: str
    words_rest: bool
    left_off: int
    """After a long absence, or while a bot plays for this player: the number of the last event that they had heard of
    this game; -1: they were here."""

    @property
    def undo(self) -> wire.UndoInfo | None: ...
    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]: ...
    def clocks(self) -> wire.Timers: ...
    def act(self, action: Action) -> int: ...
    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None: ...
    async def knowledge(self) -> Veiled | None: ...
    def say(self, text: str) -> bool: ...
    def back(self, vote: int = 0, yes: bool = True) -> None: ...
    def set(
        self, *, ready: bool | None = None, auto: bool | None = None, speed: wire.Speed | None = None,
        skip: bool | None = None, withdraw: bool | None = None, open: bool | None = None,
        waits: wire.Waits | None = None, hints: bool | None = None,
    ) -> None: ...  # fmt: skip
    def admin(
        self, what: str, seat: int = -1, value: str = "", *, number: int = 0, pause_s: int = KICK_PAUSE_S
    ) -> None: ...
    def ask_for_code(self) -> bool: ...
    async def leave(self) -> None: ...
    async def close(self) -> None: ...
