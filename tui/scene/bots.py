"""Bots in words: what is shown with a seat about the program that plays it. Pure."""

from netcode.bots.levels import DEFAULT_LEVEL, TABLE_LEVELS
from netcode.bots.personalities import level_of, personality_of
from netcode.protocol.wire import SeatInfo


def kind(seat: SeatInfo) -> str:
    """Return how well a bot plays, or what it is called: `normal`."""
    return level_of(seat.bot) or DEFAULT_LEVEL


def talks(seat: SeatInfo) -> bool:
    """Return whether a bot plays a seat that may say something: one with a personality, or somebody's own."""
    return seat.state == "bot" and (bool(character(seat)) or kind(seat) not in TABLE_LEVELS)


def character(seat: SeatInfo) -> str:
    """Return who the bot of a seat is, worded to follow its name; "" for a person, and for a bot without a
    personality."""
    personality = personality_of(seat.bot) if seat.state == "bot" else None
    return personality.words if personality is not None else ""


def described(seat: SeatInfo) -> str:
    """Return the words about its bot in a seat's details; "" for a person, and for a bot without a character."""
    if seat.state == "bot" and kind(seat) not in TABLE_LEVELS:
        return f"bot: {seat.bot}"
    who = character(seat)
    return f"{seat.name}, a bot that plays {kind(seat)}: {who}" if who else ""
