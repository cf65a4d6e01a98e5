"""Restores all tables of a journal as a host does, and prints one JSON line: the digest of each table's state by its
id, and the messages of the host under "said". For a process with other rules: `python -m
tests.netcode.journal.restored_tables FOLDER`."""

import json
import sys
from hashlib import blake2b
from pathlib import Path

from netcode.host.registry import Registry
from netcode.journal import Journal


def restored(folder: Path) -> dict[str, str]:
    """Return the digest of each restored table's state, by the table's id; and under "said" all messages of the
    host."""
    journal = Journal(folder)
    registry = Registry(journal, 100)
    said = registry.resume()
    found = {}
    for name, entry in registry.tables.items():
        assert entry.table.match is not None
        found[name] = blake2b(entry.table.match.game.save(), digest_size=16).hexdigest()
        said += [f"table {name}: {entry.table.notice}"] if getattr(entry.table, "notice", "") else []
    journal.close()
    return {**found, "said": "\n".join(said)}


if __name__ == "__main__":
    print(json.dumps(restored(Path(sys.argv[1]))))
