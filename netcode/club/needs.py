"""Whether the extra `club` is installed. This module can be imported without it."""

from netcode.journal.rows import JournalError

NEEDS = "a club needs the package psycopg: pip install 'kickdoor[club]'"


def need_psycopg() -> None:
    """Raise JournalError with a sentence that says what to install, if psycopg cannot be used here."""
    try:
        import psycopg  # noqa: F401  only a club needs it
    except ImportError:
        raise JournalError(NEEDS) from None
