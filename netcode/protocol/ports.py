"""The port of a host, unless it says otherwise."""

DEFAULT_PORT = 7788
