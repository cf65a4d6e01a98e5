"""The error that all code raises that reads packs."""


class PackError(ValueError):
    """A pack that cannot be played; its message names the file, the place and the mistake."""
