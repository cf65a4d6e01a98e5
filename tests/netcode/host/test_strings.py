"""The words of a host for people when it starts."""

from netcode.host.config import HostConfig
from netcode.host.main import _keeping_lines


def test_the_port_is_named_if_the_next_start_would_choose_another() -> None:
    """The strings name one port, so after a start at another port nobody would find the restored table."""
    *_, chosen = _keeping_lines(HostConfig(port=0, data="games"), 40123)
    assert chosen.endswith("restored when you start it again with --port 40123.")
    *_, given = _keeping_lines(HostConfig(port=4242, data="games"), 4242)
    assert given.endswith("restored when you start it again.")
