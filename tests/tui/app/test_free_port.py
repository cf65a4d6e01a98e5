"""The port in the form of a hosted table: a taken one is named, and the next free one offered in its place."""

import socket

import pytest

from tui.app.free_port import check_port
from tui.app.menu_rows import host_rows
from tui.app.start_host import EntryError
from tui.config.settings import Settings


def form(port: int | str) -> dict[str, str]:
    """Return the values of a form with this port."""
    rows = {row.name: row.value for row in host_rows(Settings(), ("munchkins-and-mazes",))}
    return rows | {"port": str(port), "reach": "this machine only"}


def test_a_taken_port_is_named_with_the_next_free_one() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(EntryError, match=f"Port {port} is in use here") as error:
            check_port(form(port))
    assert error.value.field == "port" and int(error.value.instead) != port
    check_port(form(error.value.instead))
    check_port(form(0))


@pytest.mark.parametrize("port", ["70000", "many", "-1"])
def test_what_is_no_port_is_refused_in_the_form(port: str) -> None:
    with pytest.raises(EntryError, match="is no port: 0 to 65535") as error:
        check_port(form(port))
    assert error.value.field == "port"
