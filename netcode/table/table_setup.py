"""How a table is set up: the choices of its creator, and the configuration with which it runs."""

from typing import Any

from msgspec import Struct

from netcode.bots.levels import DEFAULT_LEVEL
from netcode.protocol import wire
from netcode.protocol.paces import Pace


class TableSetup(Struct, frozen=True, kw_only=True):
    """The choices of a table's creator; the journal keeps them (table_record.py) and the table runs with them.

    bots: how many of the host's own bots sit in the last seats. solo: made for one player, who is ready at once.
    gone_ms: how long an abandoned table waits for its players. idle_ms: how long it waits for the first of them (0: no
    limit). watch_delay: how much later (ms) spectators are shown everything. knock: newcomers are let in one by one.
    machine: the name of the host's machine. at_once: bots act without a pause even if somebody watches, because the
    table is for a program that records its games.
    """

    seats: int
    bots: int = 0
    bot_level: str = DEFAULT_LEVEL
    pace: Pace = "standard"
    speed: wire.Speed = "normal"
    options: tuple[str, ...] = ()
    solo: bool = False
    machine: str = ""
    gone_ms: int = 600_000
    idle_ms: int = 0
    watch_delay: int = 0
    knock: bool = False
    at_once: bool = False


class TableConfig(TableSetup, frozen=True, kw_only=True):
    """The configuration of a running table: its setup, and values derived from its record and its packs.

    table: its id. join, watch, owner: the tokens of its strings. words: its short words, "": none. places: the names
    for which the seats are meant, if a scenario names them. cast_seed: the seed that assigns personalities to the
    host's bots; "": they have none. provable: its deals can be proved (netcode/protocol/deal_seed.py). revealable: its
    finished games can be revealed (netcode/protocol/revealed_game.py).
    """

    table: str
    join: bytes
    watch: bytes
    owner: bytes
    packs: tuple[wire.PackInfo, ...] = ()
    seed_shown: bool = False
    places: tuple[str, ...] = ()
    cast_seed: str = ""
    provable: bool = False
    revealable: bool = True
    words: str = ""

    def __repr__(self) -> str:
        return f"TableConfig(table={self.table!r})"  # no tokens


def setup_fields(setup: object) -> dict[str, Any]:
    """Return the fields of TableSetup from an object that has them all, as keyword arguments."""
    return {name: getattr(setup, name) for name in TableSetup.__struct_fields__}
