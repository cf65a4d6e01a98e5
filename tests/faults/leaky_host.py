"""A host that fails on demand, with errors whose texts contain all secrets: `python -m tests.faults.leaky_host host
--json ...` is `kickdoor host` in this process, and SIGUSR2 arms the next of PLACES.
"""

import signal
from collections.abc import Callable
from typing import Any

from core.undo import Marks
from netcode.host import faults
from netcode.host.lobby import Lobby
from netcode.host.registry import Registry
from netcode.host.server import Server
from netcode.host.table_runner import TableRunner
from netcode.journal import Journal
from netcode.table.rules_game import RulesGame
from netcode.table.table import Table
from tui.cli.main import main

PLACES: tuple[tuple[type, str], ...] = (
    (Marks, "note"), (RulesGame, "views"), (Table, "tick"), (Table, "hello"), (Table, "message"),
    (Lobby, "message"), (Registry, "restored"), (TableRunner, "_committed"), (Server, "_work"), (Server, "_read"),
    (Journal, "_put"),
)  # fmt: skip
"""The places where it fails, in this order: from the rules to the sockets and the disk (which ends the host)."""
RESTORING = (Registry, "restored")
TICK = PLACES.index((Table, "tick"))


class Leak(Exception):
    """An error whose text contains all secrets."""


class Leaks:
    """Makes one place fail when it is armed. secrets: the contents of the error's text."""

    def __init__(self) -> None:
        self.at = -1
        self.armed: set[int] = set()
        self.secrets: list[str] = []

    def arm(self, *_: object) -> None:
        """Let the next place fail once. A table is restored only if something else fails first."""
        self.at += 1
        self.armed = {self.at, *([TICK] if PLACES[self.at] == RESTORING else [])}

    def wrap(self, owner: type, name: str, index: int) -> None:
        """Let this function fail when it is its turn."""
        true: Callable[..., Any] = getattr(owner, name)

        def failing(this: Any, *args: Any, **more: Any) -> Any:
            if isinstance(this, RulesGame):
                state = this.save()
                hands = [list(seat.hand) for seat in this.state.seats]
                self.secrets = [state.hex(), repr(state), repr(hands), *_names(this)]
            if index in self.armed:
                self.armed.discard(index)
                secrets = [*self.secrets, repr(args), repr(vars(this)) if hasattr(this, "__dict__") else ""]
                try:
                    raise KeyError(" ".join(secrets))
                except KeyError as problem:
                    raise Leak(" ".join(secrets)) from problem
            return true(this, *args, **more)

        failing.__code__ = failing.__code__.replace(co_name=f"failing {owner.__name__}.{name}")
        setattr(owner, name, failing)


def _names(game: RulesGame) -> list[str]:
    cards = game._catalog.cards
    return [cards[card & 4095].name for seat in game.state.seats for card in seat.hand]


def run() -> None:
    """Run the command line with leaks."""
    faults.FIRST_PAUSE_S = 0.01
    leaks = Leaks()
    for index, (owner, name) in enumerate(PLACES):
        leaks.wrap(owner, name, index)
    signal.signal(signal.SIGUSR2, leaks.arm)
    main()


if __name__ == "__main__":
    run()
