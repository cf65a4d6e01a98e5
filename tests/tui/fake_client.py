"""Fake clients without a host: they record what is sent, and deliver the messages of a test."""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from core.state.actions import Action, Refusal
from core.state.forecasts import Forecast
from core.state.veiled import Veiled
from core.state.views import View
from netcode.client.client import Message, Stage
from netcode.client.lobby_client import LobbyClient
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join
from tests.tui import samples


class FakeClient:
    """A tui.scene.table_client.TableClient that records everything sent in lists."""

    def __init__(self, view: View | None, info: wire.TableInfo | None = None, seat: int = samples.ME) -> None:
        self.seat, self.view = seat, view
        self.forecasts: list[Forecast] = []
        self.info: wire.TableInfo | None = info or samples.info(len(view.seats) if view else 6)
        self.events: deque[wire.NumberedEvent] = deque()
        self.veiled: Veiled | None = None
        self.auto, self.rtt_ms, self.reason = False, 3, ""
        self.undo: wire.UndoInfo | None = wire.UndoInfo(samples.BO, "equip")
        self.stage: Stage = "synced"
        self.timers = wire.Timers()
        self.acts: list[Action] = []
        self.asked: list[Action] = []
        self.said: list[str] = []
        self.sets: list[dict[str, object]] = []
        self.requests: list[tuple[str, int, str]] = []
        self.details: list[tuple[int, int]] = []
        """The number and the pause (s) of each request."""
        self.knocks: list[wire.KnockInfo] = []
        self.strings: tuple[str, ...] = ()
        self.words, self.words_rest = "", False
        self.votes: list[tuple[int, bool]] = []
        self.refusal: Refusal | None = None
        self.gone = ""
        self.left_off = -1
        self._subscribers: list[Callable[[Message], None]] = []

    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def tell(self, message: Message) -> None:
        """Deliver a message as if the host had sent it."""
        if isinstance(message, wire.Update):
            self.view, self.forecasts = message.view, message.forecasts
            self.undo = message.undo
        if isinstance(message, wire.Info):
            self.info = message.info
        if isinstance(message, wire.Knocks):
            self.knocks = message.knocks
        if isinstance(message, wire.Strings):
            self.strings = tuple(str(replace(TABLE, token=token)) for token in (message.join, message.watch))
            self.words, self.words_rest = message.words, message.words_rest
        for callback in list(self._subscribers):
            callback(message)

    def clocks(self) -> wire.Timers:
        return self.timers

    def act(self, action: Action) -> int:
        self.acts.append(action)
        return len(self.acts)

    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None:
        self.asked.append(action)
        await asyncio.sleep(0)
        return self.refusal

    def ask_for_code(self) -> bool:
        self.requests.append(("code", -1, ""))
        return True

    async def knowledge(self) -> Veiled | None:
        await asyncio.sleep(0)
        return self.veiled

    def say(self, text: str) -> bool:
        if self.stage != "synced":
            return False
        self.said.append(text)
        return True

    def set(self, **preferences: object) -> None:
        self.sets.append({name: value for name, value in preferences.items() if value is not None})

    def admin(
        self, what: str, seat: int = -1, value: str = "", *, number: int = 0, pause_s: int = limits.KICK_PAUSE_S
    ) -> None:
        self.requests.append((what, seat, value))
        self.details.append((number, pause_s))

    def back(self, vote: int = 0, yes: bool = True) -> None:
        self.votes.append((vote, yes))

    async def leave(self) -> None:
        self.gone = "left"

    async def close(self) -> None:
        self.gone = "closed"


TABLE = Join("10.0.0.7", 7788, "PUB", b"k" * 32, b"t" * 16)
"""Where a fake client is: the table of its strings."""

LOBBY_ROWS = [
    wire.TableRow("3fa2c1", ["munchkins-and-mazes", "axe-cop"], 6, 2, 2, 2, "lobby", "standard", "Friday night",
                  "Annabel", 0, ["listen", "win-level=20"]),
    wire.TableRow("9b0c77", ["apocalypse"], 4, 4, 0, 0, "playing", "quick", "", "Kim", 3),
    wire.TableRow("d41aa0", ["warhammer-40k"], 3, 0, 0, 3, "lobby", "book", "Für Anfänger – nur Mut!"),
]  # fmt: skip


LOBBY = Join("10.0.0.1", 7788, "lobby", b"k" * 32, b"t" * 16)


class FakeLobby(LobbyClient):
    """A lobby client without a host: a test sets the data of the host."""

    def __init__(self, rows: list[wire.TableRow] | None = None, room: int = 17) -> None:
        super().__init__(LOBBY, "Kim", keep=False)
        self.rows = list(LOBBY_ROWS if rows is None else rows)
        self.room, self.machine, self.sets = room, "cellar", ["munchkins-and-mazes", "axe-cop"]
        self.stage = "synced"

    def tell(self) -> None:
        """Notify the listener of a change."""
        for callback in list(self._subscribers):
            callback()
