"""Why somebody may not open one more table now, in one line for people. A club counts the tables of all its hosts."""

from netcode.protocol import limits

TOO_MANY_YOURS = f"{limits.TABLES_PER_KEY} tables of yours are open: close or leave one of them first"
TOO_MANY_THERE = f"{limits.TABLES_PER_ADDRESS} tables from your address are open: sit down at one of them"
BUSY_OPENING = "many tables are being opened just now: wait a moment"


def shared_origin(where: str) -> str:
    """Return where somebody comes from, "" if it is the host's own machine: many people may come from there through a
    forwarded port."""
    return "" if where in ("", "127.0.0.1", "::1", "::ffff:127.0.0.1") else where
