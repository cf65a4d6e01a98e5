"""A host that answers every message with the frames it was given: for clients that must bear anything."""

import threading
from collections.abc import Sequence
from types import TracebackType

import zmq
from zmq.utils import z85

from netcode.protocol.credentials import Join, KeyPair


class LyingHost:
    """A ROUTER on loopback with encryption, in a thread. frames: what it answers, all at once."""

    def __init__(self, frames: Sequence[bytes]) -> None:
        self._frames = frames
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._sock = self._context.socket(zmq.ROUTER)
        public, secret = zmq.curve_keypair()
        self._sock.curve_server, self._sock.curve_secretkey, self._sock.curve_publickey = True, secret, public
        port = self._sock.bind_to_random_port("tcp://127.0.0.1")
        self.pair = KeyPair(z85.decode(public), z85.decode(secret))
        self.join = str(Join("127.0.0.1", port, "table", self.pair.public, bytes(16)))
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._answer, daemon=True)

    def _answer(self) -> None:
        while not self._end.is_set():
            if self._sock.poll(50):
                who, *_ = self._sock.recv_multipart()
                for frame in self._frames:
                    self._sock.send_multipart([who, frame])

    def __enter__(self) -> "LyingHost":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join(10)
        self._context.destroy(linger=0)
