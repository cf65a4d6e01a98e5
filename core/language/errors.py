"""What is wrong with a pack: the error of all that reads one."""


class PackError(ValueError):
    """A pack that cannot be played; its message names the file, the place and the mistake."""
