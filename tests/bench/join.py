"""What it takes to sit down: steps, characters and seconds until the first card, for hosts and guests, by string, by
words, by the network and on return: `python -m tests.bench join`.

It does what people do: it runs a command in a shell, in a terminal of 80 by 24, and presses keys when the program asks
for them. All others at the table are bots, so nobody else is waited for. A step is a command, a text in a field, or a
key; ENTER after a command belongs to the command. The seconds are those of the programs: a key is pressed as soon as it
is asked for. It runs in namespaces (as root), from which nothing reaches a real network.
"""

import re
import shlex
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from tests.bench.figures import line
from tests.bench.processes import end, family
from tests.faults.restarted_host import RestartedHost
from tests.netcode.namespaces import Machine, machines
from tests.tui.pty_terminal import Terminal

ROUNDS = 5
FIRST_CARDS = "FIRST CARDS"
AWAY = "NO CONNECTION"
READY = "Press y when you are ready"
HOST = ("host", "--seats", "3", "--bots", "2", "--bind", "0.0.0.0")
LONGEST_S = 30.0
LINE = re.compile(r"kickdoor join (\S+:\d+ [a-z]+-[a-z]+-\d+)")
"""The line of short words that a host prints; a person copies it as it stands."""


class Person:
    """A person at one machine who sits down, and what it took. home: the folder of their HOME."""

    def __init__(self, machine: Machine, home: Path) -> None:
        self.machine, self.home = machine, home
        self.commands = self.texts = self.keys = self.typed = self.pasted = 0
        self._began = time.monotonic()
        self._terminals: list[Terminal] = []
        home.mkdir(exist_ok=True)

    def runs(self, *arguments: str, pasted: str = "") -> Terminal:
        """Run a command in a new terminal, after the others. pasted: the part of it that was pasted, not typed."""
        command = shlex.join(("kickdoor", *arguments))
        self.commands += 1
        self.typed += len(command) - len(pasted)
        self.pasted += len(pasted)
        return self._open(*arguments)

    def _open(self, *arguments: str) -> Terminal:
        opened = Terminal(
            *arguments, home=self.home, within=self.machine.within, KICKDOOR_DATA=str(self.home / "data"),
            PYTHONDONTWRITEBYTECODE="",  # empty: write byte-code
        )  # fmt: skip
        self._terminals.append(opened)
        return opened

    def presses(self, screen: Terminal, key: str, asked: str, then: str) -> None:
        """Press a key once the screen asks for it, until it shows what comes then."""
        screen.until(asked, LONGEST_S)
        self.keys += 1
        screen.press_until(key, then, LONGEST_S)

    def enters(self, screen: Terminal, text: str, then: str, *, pasted: bool) -> None:
        """Enter a text into the field that is open, and send the form, which is one more key."""
        self.texts += 1
        self.keys += 1
        if pasted:
            self.pasted += len(text)
            screen.press(f"\x1b[200~{text}\x1b[201~")
        else:
            self.typed += len(text)
            screen.press(text)
        screen.until(text[:12], LONGEST_S)
        screen.press("\x13")
        screen.until(then, LONGEST_S)

    def has_cards(self, screen: Terminal) -> float:
        """Return the seconds since the first command once the screen shows the first cards."""
        screen.until(FIRST_CARDS, LONGEST_S)
        return time.monotonic() - self._began

    def forgets_the_clock(self) -> None:
        """Begin to count now."""
        self.commands = self.texts = self.keys = self.typed = self.pasted = 0
        self._began = time.monotonic()

    def dies(self) -> None:
        """Kill the terminals with what they have started, as a closed window does."""
        for one in self._terminals:
            started_by_it = family(one.pid)[1:]
            one.close()
            end(started_by_it)
        self._terminals.clear()


Way = Callable[[Person, RestartedHost], float]


def main(arguments: Sequence[str] = ()) -> int:
    """Print a figure for each way; return the exit code."""
    with machines(2) as (ben, kim), tempfile.TemporaryDirectory() as folder:
        ben.address("lan0", "10.9.0.1/24")
        kim.address("lan0", "10.9.0.2/24")
        _measure("host: from the menu", partial(_alone, ben, _host_from_menu), Path(folder))
        _measure("host: by commands", partial(_alone, ben, _host_by_commands), Path(folder))
        for name, way in GUESTS.items():
            _measure(f"guest: {name}", partial(_guest, ben, kim, way), Path(folder))
    return 0


def _measure(name: str, way: Callable[[Path], tuple[float, Person]], folder: Path) -> None:
    """Sit down in one of the ways several times, and print what it took."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        took, person = way(Path(tempfile.mkdtemp(dir=folder)))
        seconds.append(took)
    line(
        f"{name}, until the first card", median(seconds), "s", "", best=round(min(seconds), 2),
        steps=person.commands + person.texts + person.keys, commands=person.commands, texts=person.texts,
        keys=person.keys, typed=person.typed, pasted=person.pasted,
    )  # fmt: skip


def _alone(machine: Machine, way: Callable[[Person], float], home: Path) -> tuple[float, Person]:
    person = Person(machine, home)
    try:
        return way(person), person
    finally:
        person.dies()


def _guest(ben: Machine, kim: Machine, way: Way, home: Path) -> tuple[float, Person]:
    person = Person(kim, home / "kim")
    host = RestartedHost(home, *HOST[1:], "--announce", "--pace", "relaxed", within=ben.within).start()
    try:
        return way(person, host), person
    finally:
        person.dies()
        host.kill()


# ------------------------------------------------------------------------------------------------------------- the ways
def _host_from_menu(person: Person) -> float:
    menu = person.runs()
    person.presses(menu, "h", "Host a table", "Open the table")
    person.presses(menu, "\x13", "Open the table", READY)
    person.presses(menu, "s", READY, "Begin with bots")
    person.presses(menu, "2", "Begin with bots", FIRST_CARDS)
    return person.has_cards(menu)


def _host_by_commands(person: Person) -> float:
    printed = person.runs(*HOST)
    printed.until("Ctrl-C stops the host", LONGEST_S)
    found = LINE.search(printed.bytes.decode())
    assert found is not None, printed.text()
    return _ready(person, person.runs("join", *found[1].split(), pasted=found[0]))


def _by_string(person: Person, host: RestartedHost) -> float:
    return _ready(person, person.runs("join", host.join, pasted=host.join))


def _by_string_in_menu(person: Person, host: RestartedHost) -> float:
    menu = person.runs()
    person.presses(menu, "j", "Join a table", "Join string")
    person.enters(menu, host.join, READY, pasted=True)
    return _ready(person, menu)


def _by_address_and_words(person: Person, host: RestartedHost) -> float:
    return _ready(person, person.runs("join", f"10.9.0.1:{host.port}", host.words))


def _by_words(person: Person, host: RestartedHost) -> float:
    return _ready(person, person.runs("join", host.words))


def _by_network(person: Person, host: RestartedHost) -> float:
    found = person.runs("join")
    person.presses(found, "\r", "10.9.0.1:", "Join string")
    person.enters(found, host.words, READY, pasted=False)
    return _ready(person, found)


def _ready(person: Person, screen: Terminal) -> float:
    person.presses(screen, "y", READY, FIRST_CARDS)
    return person.has_cards(screen)


def _returns(person: Person, host: RestartedHost) -> float:
    _sat_down(person, host)
    return person.has_cards(person.runs("join"))


def _returns_from_menu(person: Person, host: RestartedHost) -> float:
    _sat_down(person, host)
    menu = person.runs()
    person.presses(menu, "1", "Back to your seat", FIRST_CARDS)
    return person.has_cards(menu)


def _sat_down(person: Person, host: RestartedHost) -> None:
    """Sit down, see the first cards, and lose the terminal."""
    _by_string(person, host)
    person.dies()
    person.forgets_the_clock()


def _waits_for_the_host(person: Person, host: RestartedHost) -> float:
    """Stay at the table while the host is ended by Ctrl-C and started again; the clock begins when it is started."""
    screen = person.runs("join", host.join)
    _ready(person, screen)
    host.end(signal.SIGINT)
    screen.until(AWAY, LONGEST_S)
    person.forgets_the_clock()
    host.start()
    screen.until_gone(AWAY, LONGEST_S)
    return person.has_cards(screen)


GUESTS: dict[str, Way] = {
    "by string": _by_string, "by string in the menu": _by_string_in_menu, "by address and words": _by_address_and_words,
    "by words alone": _by_words, "by the list of the network and words": _by_network,
    "back after a killed terminal": _returns, "back from the menu": _returns_from_menu,
    "back when the host is": _waits_for_the_host,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
