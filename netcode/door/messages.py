"""What the listener and the process that forks guests' clients tell each other.

Each message is one datagram (SOCK_SEQPACKET) over a pair of local sockets, packed with msgpack. Descriptors travel with
`Start`: first the guest's end of the terminal (or of three pipes, if there is none), last a socket. Over this one the
client sends its listening socket, to which it connects when it calls its host (see `Start.join`).
"""

import msgspec

MESSAGE_BYTES = 16 * 1024
"""The longest message."""


class Start(msgspec.Struct, frozen=True, tag="start"):
    """Fork a client.

    session: names it from now on. identity: the guest's, 32 hexadecimal digits. folder: the only folder it may write
    to; it exists. join: a string of the host at 127.0.0.1, namespaces.PORT: the client's own network namespace has only
    127.0.0.0/8. The client hands out its listening socket before it gives up every right. environment: TERM, the locale
    and colours, nothing else. terminal: whether the first descriptor is a terminal; else there are three pipes. what:
    `join`, `watch`, `lobby` or `help`. door: how the guest comes here (`ssh -p 2222 192.168.1.20`). code: the return
    code of a guest without a key. alone: the client is in that namespace; the client's process sets it."""

    session: int
    identity: str
    name: str
    folder: str
    join: str
    environment: dict[str, str]
    terminal: bool = True
    what: str = "join"
    door: str = ""
    code: str = ""
    alone: bool = False


class Signal(msgspec.Struct, frozen=True, tag="signal"):
    """Send a signal to the client of a session, if it lives."""

    session: int
    number: int


class Started(msgspec.Struct, frozen=True, tag="started"):
    """The client of a session runs. pid: its process."""

    session: int
    pid: int


class Ended(msgspec.Struct, frozen=True, tag="ended"):
    """The client of a session has ended. status: as `os.waitstatus_to_exitcode` gives it. reason: why it was never
    started, one sentence, else nothing."""

    session: int
    status: int
    reason: str = ""


ToForker = Start | Signal
FromForker = Started | Ended
