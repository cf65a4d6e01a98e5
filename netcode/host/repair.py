"""`kickdoor host --repair`: copies what is left of a damaged journal, and says how to start it."""

import json
import shlex
import shutil
from pathlib import Path

from netcode.host.config import HostConfig
from netcode.host.saved_games import INFO, is_saved_game
from netcode.journal import JournalError
from netcode.journal.repair import repair
from netcode.protocol.credentials import SERVER_KEY
from netcode.protocol.ports import DEFAULT_PORT
from netcode.reporting import complain, say


def run_repair(config: HostConfig, folder: Path) -> int:
    """Repair the journal in this folder, and print what is left and how to start it (with config.json as one JSON
    line). Returns the exit code: 0, 1 if nothing is left, 2 if the folder cannot be repaired."""
    folder = folder.absolute()
    try:
        repaired = repair(folder)
        for name in (SERVER_KEY, INFO):  # so that strings and menu find the copy
            if repaired.folder is not None and (folder / name).is_file():
                shutil.copy2(folder / name, repaired.folder / name)
    except JournalError as problem:
        complain(f"kickdoor host: {problem}")
        return 2
    except OSError as problem:
        complain(f"kickdoor host: {problem.filename or folder}: {problem.strerror}")
        return 2
    lines = repaired.lines
    if repaired.folder is not None:
        lines = [*lines, f"{folder} stays as it is; the copy is in {repaired.folder}.", *_way(config, repaired.folder)]
    say(json.dumps({"folder": str(repaired.folder or ""), "lines": lines}) if config.json else "\n".join(lines))
    return 0 if repaired.folder is not None or repaired.sound else 1


def _way(config: HostConfig, folder: Path) -> list[str]:
    """Return lines that say how to resume this copy."""
    if is_saved_game(folder):
        return ["Resume it from the menu, or with:", "  kickdoor play --resume"]
    port = [] if config.port in (0, DEFAULT_PORT) else ["--port", str(config.port)]
    return ["Start it with:", "  " + shlex.join(["kickdoor", "host", "--data", str(folder), *port])]
