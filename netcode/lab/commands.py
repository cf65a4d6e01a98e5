"""Players that are separate programs: `run:COMMAND` takes a seat at a table by a join string, which replaces `{join}`
or becomes the last word."""

import shlex
import shutil

from netcode.bots.factory import PROGRAM

JOIN = "{join}"


def is_command(spec: str) -> bool:
    """Return whether this specification is a command."""
    return spec.startswith(PROGRAM)


def check_command(spec: str) -> None:
    """Raise ValueError, with one line for people, if this command cannot be run."""
    try:
        words = words_in(spec)
    except ValueError as problem:
        raise ValueError(f"{spec}: {problem}") from None
    if not words or shutil.which(words[0]) is None:
        raise ValueError(f"{spec}: there is no program {words[0] if words else ''!r} to run")


def words_in(spec: str) -> list[str]:
    """Return the words of a command, without a join string. Raises ValueError if its quotes are not closed."""
    return shlex.split(spec.removeprefix(PROGRAM))


def words_of(spec: str, join: str) -> list[str]:
    """Return the words of the command that takes a seat with this join string."""
    words = words_in(spec)
    return [word.replace(JOIN, join) for word in words] if JOIN in spec else [*words, join]
