"""Exit codes of a host process; its supervisor decides by them whether to start it again."""

ENDED = 0
"""It was told to stop, or its last table was closed."""
JOURNAL_FAILED = 1
"""The journal cannot be written any more, or is damaged: a restart would fail in the same way."""
NOT_STARTED = 2
"""It could not start; it has said why in one sentence."""
CRASHED = 70
"""An internal error ended it, or a table was lost to one (EX_SOFTWARE of sysexits.h)."""
BUSY = 75
"""Its port or its journal is in use, perhaps only for a moment (EX_TEMPFAIL of sysexits.h)."""
