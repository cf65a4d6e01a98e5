"""What clients without a host have in common: those of lessons and puzzles, and of recordings."""

from collections import deque

from core.state.forecasts import Forecast
from core.state.views import View
from netcode.client.connection import Stage
from netcode.protocol import wire
from netcode.protocol.limits import KICK_PAUSE_S


class HostlessClient:
    """The attributes of a client without a host, and the requests that only a host could fulfil; see
    tui.scene.table_client.TableClient."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.view: View | None = None
        self.forecasts: list[Forecast] = []
        self.info: wire.TableInfo | None = None
        self.events: deque[wire.NumberedEvent] = deque()
        self.auto, self.rtt_ms, self.reason = False, -1, ""
        self.stage: Stage = "synced"
        self.knocks: list[wire.KnockInfo] = []
        self.strings: tuple[str, ...] = ()
        self.words, self.words_rest = "", False
        self.left_off = -1

    def ask_for_code(self) -> bool:
        """Return False: there is no host that could give one."""
        return False

    def set(
        self, *, ready: bool | None = None, auto: bool | None = None, speed: wire.Speed | None = None,
        skip: bool | None = None, withdraw: bool | None = None, open: bool | None = None,
        waits: wire.Waits | None = None, hints: bool | None = None,
    ) -> None:  # fmt: skip
        """Do nothing: there is no pace, no rematch, and nobody waits."""

    def admin(
        self, what: str, seat: int = -1, value: str = "", *, number: int = 0, pause_s: int = KICK_PAUSE_S
    ) -> None:
        """Do nothing: nobody comes or goes."""

    async def leave(self) -> None:
        """End it."""
        await self.close()

    async def close(self) -> None:
        """End it."""
        self.stage = "closed"
