"""Whether the port in the form of a hosted table is free, and which one is."""

from netcode.host.front_process import listen
from netcode.protocol.ports import DEFAULT_PORT
from tui.app.start_host import EntryError, bind_of

PORTS, TRIED_PORTS = 65536, 50
"""How many ports there are, and how many are looked at for a free one."""


def check_port(values: dict[str, str]) -> None:
    """Raise EntryError if the port in this form is taken, with the next one that is free."""
    given = values["port"] or str(DEFAULT_PORT)
    if not given.isdecimal() or int(given) >= PORTS:
        raise EntryError(f"{given} is no port: 0 to {PORTS - 1}.", "port", str(DEFAULT_PORT))
    address, port = bind_of(values), int(given)
    if port == 0 or _is_free(address, port):
        return
    free = next((at for at in range(port + 1, min(port + TRIED_PORTS, PORTS)) if _is_free(address, at)), 0)
    word = f"{free} is free, and stands in the form now" if free else "0 in the form takes any free one"
    raise EntryError(f"Port {port} is in use here, perhaps by a table of yours: {word}.", "port", str(free))


def _is_free(address: str, port: int) -> bool:
    try:
        listen(address, port).close()
    except OSError:
        return False
    return True
