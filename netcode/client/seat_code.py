"""Ask a host for the code with which a player takes their seat to another machine (`kickdoor seat`)."""

import asyncio

from netcode import VERSION
from netcode.client.connection import ClientError, Connection
from netcode.client.saved_seats import KnownSeat, pair_and_token
from netcode.protocol import limits, wire
from netcode.protocol.credentials import Join

OLDER = "this host is older than this kickdoor and knows no such codes: update it"
TIMEOUT_S = 10.0


def code_request(join: Join, token: bytes, name: str) -> wire.Hello:
    """Return the hello that asks for the code of the seat which this token resumes."""
    return wire.Hello(wire.OLDEST, wire.WIRE, join.table, token, name, "code", VERSION)


def spaced(code: str) -> str:
    """Return a code as people read it: `K7QM-4TXP`."""
    return f"{code[: len(code) // 2]}-{code[len(code) // 2 :]}"


def code_bytes(text: str) -> bytes:
    """Return what somebody has typed as the token that it stands for. Raises ValueError if it cannot be a code."""
    code = "".join(sign for sign in text.upper() if sign.isalnum())
    if len(code) != limits.SEAT_CODE_CHARS or not code.isascii():
        raise ValueError(f"a code has {limits.SEAT_CODE_CHARS} letters and digits, as in K7QM-4TXP")
    return code.encode()


class _Asking(Connection):
    """A connection with the key of a seat that asks for its code; the connection that plays is not disturbed."""

    trusted = False

    def __init__(self, seat: KnownSeat) -> None:
        pair, self._token = pair_and_token(seat)
        super().__init__(seat.join, seat.name, keep=False, pair=pair)
        self.answer: wire.SeatCode | None = None

    def _stage_changed(self) -> None:
        self._tell()

    def _hello(self) -> None:
        self._hello_at = self._loop.time()
        self._send(code_request(self.target, self._token, self.name))

    def _take(self, message: wire.Down) -> None:
        if isinstance(message, wire.SeatCode):
            self.answer = message
            self._set_stage("synced", "")
        elif isinstance(message, wire.Elsewhere):
            self._redirect(message)
        elif isinstance(message, wire.Error):
            text = OLDER if message.code in ("bad_schema", "bad_frame") else message.text
            self._set_stage("closed", text, message.code)
        elif isinstance(message, wire.Bye):
            self._set_stage("closed", message.text, message.reason)

    def _is_let_in(self) -> bool:
        return self.answer is not None

    def _heartbeat_s(self) -> float:
        return limits.HEARTBEAT_MS / 1000

    def _keep_in_touch(self, now: float) -> None:
        """Do nothing: the connection ends at once."""

    def _host_is_silent(self, now: float) -> None:
        """Do nothing, as above."""

    async def ask(self) -> wire.SeatCode:
        """Return the answer. Raises ClientError."""
        await self._enter(TIMEOUT_S, "does not answer")
        await self.close()
        assert self.answer is not None, "the stage says that it is there"
        return self.answer


def ask_for_code(seat: KnownSeat) -> wire.SeatCode:
    """Return a code for a seat that this user has. Raises ClientError."""

    async def ask() -> wire.SeatCode:
        return await _Asking(seat).ask()

    try:
        return asyncio.run(ask())
    except OSError as problem:
        raise ClientError("join", f"the file of this seat cannot be read: {problem}") from None
