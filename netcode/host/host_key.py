"""The host's key pair: in a file of its data folder, and a copy in its journal, in case the file is damaged."""

import logging
from pathlib import Path

from netcode.journal import JournalError, JournalHome, SharedHome
from netcode.protocol.credentials import SERVER_KEY, KeyPair, server_pair, write_private

LOG = logging.getLogger("kickdoor.host_key")
_FACT = "key"
_CLUB = "public key"
_COPY = "the hosts of a club share one key: copy server.key from another of its hosts"


def host_pair(folder: Path, journal: JournalHome) -> KeyPair:
    """Return the key pair of the host with this data folder. A missing or damaged file is written again from the
    journal, so that the join strings stay valid. If file and journal have different keys, the file's is used.

    Raises OSError, JournalError, ValueError if the file is damaged and the journal has no copy."""
    kept, path = journal.fact(_FACT), folder / SERVER_KEY
    if kept is not None and not _is_sound(folder):
        LOG.warning("%s is missing or damaged: it is written again from the journal", path)
        write_private(path, kept.hex())
    pair = server_pair(folder)
    if kept != pair.public + pair.secret:
        journal.set_fact(_FACT, pair.public + pair.secret)
    return pair


def club_pair(folder: Path, club: SharedHome) -> KeyPair:
    """Return the key pair that all hosts of this club share; make it in this folder if the club has none. It is never
    in the database. Raises OSError, JournalError if the folder has another key than the club, or none, ValueError."""
    if not (folder / SERVER_KEY).exists() and club.fact(_CLUB) is not None:
        raise JournalError(f"{folder / SERVER_KEY} is missing: {_COPY}")
    pair = server_pair(folder)
    check_key(folder, club, pair)
    return pair


def check_key(folder: Path, club: SharedHome, pair: KeyPair) -> None:
    """Raise JournalError if this is not the key pair of this club. If the club has none yet, it is from now on."""
    if club.claim(_CLUB, pair.public) != pair.public:
        raise JournalError(f"{folder / SERVER_KEY} is not the key of this club: {_COPY}")


def _is_sound(folder: Path) -> bool:
    try:
        return (folder / SERVER_KEY).exists() and bool(server_pair(folder))
    except ValueError:
        return False
