"""The words of a host for people when it starts."""

from netcode.host.config import HostConfig
from netcode.host.main import _keeping_lines


def test_the_port_is_named_where_the_next_start_would_take_another() -> None:
    """The strings lead to one port: at another, nobody finds the restored table."""
    *_, chosen = _keeping_lines(HostConfig(port=0, data="games"), 40123)
    assert chosen.endswith("restored when you start it again with --port 40123.")
    *_, given = _keeping_lines(HostConfig(port=4242, data="games"), 4242)
    assert given.endswith("restored when you start it again.")
