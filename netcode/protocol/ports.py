"""The default port of a host."""

DEFAULT_PORT = 7788
