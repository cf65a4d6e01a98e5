"""Answers ZeroMQ which CURVE keys may connect to the host."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Any

import zmq
from zmq.auth.base import Authenticator

from netcode.protocol.sockets import DOMAIN, SocketReader

LOG = logging.getLogger("kickdoor.key_authenticator")


class KeyAuthenticator(Authenticator):
    """Answers ZeroMQ whether a client key may connect (ZAP, RFC 27). admit(key in Z85, network address) decides; if it
    raises, this key is refused and the next one is judged as usual."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], admit: Callable[[str, str], bool]) -> None:
        super().__init__(context)
        self._admit = admit
        self._address = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self.configure_curve_callback(domain=DOMAIN.decode(), credentials_provider=self)
        self.start()
        self._drain = SocketReader(self.zap_socket, self._take, budget=1)

    def callback(self, domain: str, key: bytes) -> bool:
        """Return whether this client key may connect. Called by pyzmq with the key in Z85."""
        return domain.encode() == DOMAIN and self._admit(key.decode("ascii"), self._address)

    def close(self) -> None:
        """Stop answering: from now on nobody gets in."""
        self._drain.close()
        for task in self._tasks:
            task.cancel()
        self.stop()

    def _take(self, sock: Any) -> None:
        message = sock.recv_multipart(zmq.NOBLOCK)
        task = asyncio.ensure_future(self._judge(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _judge(self, message: list[bytes]) -> None:
        self._address = message[3].decode(errors="replace") if len(message) > 3 else ""
        try:
            await self.handle_zap_message(message)
        except Exception:
            LOG.exception("a key could not be judged and was refused")
            with contextlib.suppress(zmq.ZMQError):
                self._send_zap_reply(message[1] if len(message) > 1 else b"", b"500", b"internal error")
        self._drain.again()
