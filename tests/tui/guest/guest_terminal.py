"""A guest's client in an emulated terminal: forked, as the door forks it, from a process that has loaded it."""

import json
from pathlib import Path
from typing import Any

import msgspec

from netcode.door.messages import Start
from tests.tui.pty_terminal import Terminal

DOOR = "ssh -p 2222 192.0.2.7"
FORKER = """
import json, os, sys
from pathlib import Path
from netcode.door.messages import Start
from netcode.processes.streams import guard_streams
from tui.guest import process

start, modules = Start(**json.loads(sys.argv[1])), Path(sys.argv[2])
guard_streams()
process.preload()
loaded = set(sys.modules)
child = os.fork()
if child == 0:
    os.environ.clear()
    os.environ.update(start.environment | {"HOME": start.folder})
    code = process.run(start)
    modules.write_text(" ".join(sorted(set(sys.modules) - loaded)))
    sys.stdout.flush()
    os._exit(code)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


class GuestTerminal(Terminal):
    """The client of one guest in a terminal of its own."""

    def __init__(self, home: Path, join: str, *, size: tuple[int, int] = (80, 24), **start: Any) -> None:
        """home: a folder for this guest. join: the string of its host. start: other fields of `Start`."""
        self.folder, self._modules = home / "guest", home / "modules"
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
        given: dict[str, Any] = {"name": "Ann", "environment": environment, "door": DOOR, **start}
        begun = Start(session=1, identity="ab" * 16, folder=str(self.folder), join=join, **given)
        plain = json.dumps({key: value for key, value in msgspec.to_builtins(begun).items() if key != "type"})
        code = f"import sys\nsys.argv[1:] = [{plain!r}, {str(self._modules)!r}]\n{FORKER}"
        forker = home / "forker"
        forker.mkdir(exist_ok=True)
        super().__init__(size=size, home=forker, code=code, KICKDOOR_DATA=str(forker / "data"))

    @property
    def new_modules(self) -> list[str]:
        """The modules that the client has loaded after the fork; it has ended."""
        return self._modules.read_text().split()
