"""The error that everything raises that reads a pack."""


class PackError(ValueError):
    """A pack that cannot be played; its message names the file, the place and the mistake."""
