"""An SSH connection of the door, with the limits that the library does not have. No other module uses private names of
the library.

The library says which key a client offers, but not whose signature was right. It reads as fast as the client sends, and
stores without limit what the client does not read. It keeps every variable that a client sends. So:

- `validate_public_key` tells the keeper of a key only when its signature is right: an offered key proves nothing.
- What one connection sends is read at a bounded rate, and not at all while it does not read our answers.
- Requests before somebody is let in are counted.
- Each variable is checked.
"""

import asyncio
from typing import Any, Protocol

import asyncssh

from netcode.door import wishes
from netcode.door.gate import SIGNATURES, signature_algorithm
from netcode.token_bucket import TokenBucket

READ = (64 * 1024, 1 << 20)
"""The rate at which one connection is read (bytes per second) and the largest burst: a paste of a megabyte arrives at
once."""
UNREAD_BYTES, UNREAD_MOST = 256 * 1024, 1 << 20
"""Unread bytes for a client at which the door stops reading it, and at which it ends the connection."""
LOOK_S = 0.1
REFUSALS = 40
"""How many refusals a connection may get before it is let in."""
_KEX = (
    "mlkem768x25519-sha256", "sntrup761x25519-sha512", "sntrup761x25519-sha512@openssh.com", "curve25519-sha256",
    "curve25519-sha256@libssh.org", "ecdh-sha2-nistp256", "ecdh-sha2-nistp384", "ecdh-sha2-nistp521",
)  # fmt: skip
_CIPHERS = (
    "chacha20-poly1305@openssh.com", "aes256-gcm@openssh.com", "aes128-gcm@openssh.com", "aes256-ctr", "aes128-ctr",
)  # fmt: skip
_MACS = (
    "hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com", "hmac-sha2-256", "hmac-sha2-512",
)  # fmt: skip
LOGIN_S, BEGIN_S = 120, 15.0
"""How long a stranger has to come in (people type the words), and to begin authentication (s)."""
KEEPALIVE_S, KEEPALIVES = 15, 3
"""How often a silent client is asked whether it is there, and how many unanswered questions end it."""
VERSION = b"SSH-2.0-kickdoor\r\n"
MSG_DISCONNECT, DISC_TOO_MANY_CONNECTIONS = 1, 12
WINDOW_BYTES = 64 * 1024
"""What a client may type or paste ahead."""


def refusal(sentence: str) -> bytes:
    """Return the bytes that send a client away before any key exchange (RFC 4253, sections 4.2, 6 and 11.1). The client
    shows the sentence."""
    words = sentence.encode()
    payload = b"".join((
        bytes([MSG_DISCONNECT]), DISC_TOO_MANY_CONNECTIONS.to_bytes(4), len(words).to_bytes(4), words, bytes(4)
    ))  # fmt: skip
    padding = 4 + -(9 + len(payload)) % 8
    return VERSION + (1 + len(payload) + padding).to_bytes(4) + bytes([padding]) + payload + bytes(padding)


class Keeper(Protocol):
    """Who decides about a connection: `listener.py`."""

    def signed(self, public_data: bytes) -> bool:
        """Note a right signature with this key. Returns whether it is enough."""

    def gone(self) -> None:
        """Note that the connection has ended."""


def options(key: asyncssh.SSHKey) -> asyncssh.SSHServerConnectionOptions:
    """Return the options of every connection. key: the door's."""
    from asyncssh.kex import get_kex_algs  # only what this build of the library supports

    has = {name.decode() for name in get_kex_algs()}
    return asyncssh.SSHServerConnectionOptions(
        server_host_keys=[key], server_version="kickdoor", kex_algs=[one for one in _KEX if one in has],
        encryption_algs=list(_CIPHERS), mac_algs=list(_MACS), compression_algs=["none"],
        signature_algs=list(SIGNATURES), host_based_auth=False, public_key_auth=True, kbdint_auth=True,
        password_auth=False, authorized_client_keys=None, x509_trusted_certs=None, gss_host=None, gss_kex=False,
        gss_auth=False, allow_pty=True, line_editor=False, rdns_lookup=False, x11_forwarding=False,
        agent_forwarding=False, allow_scp=False, encoding=None, login_timeout=LOGIN_S,
        keepalive_interval=KEEPALIVE_S, keepalive_count_max=KEEPALIVES, window=WINDOW_BYTES,
    )  # fmt: skip


class Line(asyncssh.SSHServerConnection):
    """One connection. keeper: set before it is connected."""

    keeper: Keeper

    def __init__(self, loop: asyncio.AbstractEventLoop, chosen: asyncssh.SSHServerConnectionOptions) -> None:
        super().__init__(loop, chosen)
        self._read = TokenBucket(READ, loop.time())
        self._refused = 0
        self._line: asyncio.Transport | None = None

    # ------------------------------------------------------------------------------------------------ who is there
    async def validate_public_key(self, username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        """Return whether a key may sign (without msg), or whether its right signature is enough to come in."""
        if not msg:
            return await super().validate_public_key(username, key_data, msg, signature)
        if signature_algorithm(signature) not in SIGNATURES:
            return False
        if not await super().validate_public_key(username, key_data, msg, signature):
            return False
        return self.keeper.signed(key_data)

    def send_userauth_failure(self, partial_success: bool) -> None:
        """Refuse a request, unless there were too many."""
        self._refused += 1
        if self._refused > REFUSALS:
            self.disconnect(asyncssh.DISC_NO_MORE_AUTH_METHODS_AVAILABLE, "too many attempts")
        else:
            super().send_userauth_failure(partial_success)

    # ------------------------------------------------------------------------------------------------- what it sends
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        assert isinstance(transport, asyncio.Transport), "a socket's"
        self._line = transport
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        """Take what the client has sent; read on when it may send more."""
        super().data_received(data, datatype)
        now = self._loop.time()
        if wait := self._read.take(now, len(data)):
            self._pause(float(wait))
        elif self.unsent() > UNREAD_BYTES:
            self._pause(LOOK_S)

    def unsent(self) -> int:
        """Return how many bytes wait for the client."""
        return self._line.get_write_buffer_size() if self._line is not None and not self._line.is_closing() else 0

    def _pause(self, wait_s: float) -> None:
        if self._line is None or self._line.is_closing():
            return
        if self.unsent() > UNREAD_MOST:
            self.abort()
            return
        self._line.pause_reading()
        self._loop.call_later(wait_s, self._read_on)

    def _read_on(self) -> None:
        if self._line is None or self._line.is_closing():
            return
        if self.unsent() > UNREAD_BYTES:
            self._loop.call_later(LOOK_S, self._read_on)
        else:
            self._line.resume_reading()

    def connection_lost(self, exc: Exception | None = None) -> None:
        """End."""
        super().connection_lost(exc)
        self.keeper.gone()

    def channel(self) -> "LineChannel":
        """Return the channel of a new session."""
        return LineChannel(self, self._loop, True, False, False, 0, 0, None, "strict", WINDOW_BYTES, 32 * 1024)


class LineChannel(asyncssh.SSHServerChannel[bytes]):
    """The channel of a session, which keeps only the variables that a guest may set."""

    def __init__(self, line: Line, *arguments: Any) -> None:
        super().__init__(line, *arguments)
        self._line = line
        self.variables: dict[str, str] = {}

    def unsent(self) -> int:
        """Return how many bytes wait for the client, in its whole connection."""
        return self._line.unsent()

    def _process_env_request(self, packet: Any) -> bool:
        """Take a variable, or refuse it."""
        name, value = packet.get_string(), packet.get_string()
        packet.check_end()
        found = wishes.variable(name, value)
        if found is None or len(self.variables) >= wishes.VARIABLES:
            return False
        self.variables[found[0]] = found[1]
        return True
