"""All messages of the wire, by direction."""

from typing import Any, get_args

from netcode.protocol import wire

UP: tuple[Any, ...] = get_args(wire.Up)
DOWN: tuple[Any, ...] = get_args(wire.Down)


def name_of(message: Any) -> str:
    """Return the name of a message on the wire, or of a struct that is part of one."""
    return str(message.__struct_config__.tag or message.__name__)
