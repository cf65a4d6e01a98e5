"""What a menu is made of: entries, and where they lead. Pure."""

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from core.state.actions import Action, Pick
from netcode.protocol.limits import KICK_PAUSE_S
from tui.menus.offer_editor import Draft


class Entry(Struct, frozen=True):
    """One entry of a menu: its words and where it leads.

    key: tells it from the others, in every view. card, seat: what it concerns (0, -1: none). on: the id of the binding
    that takes it (see tui/config/keymap.py); empty: a digit does. danger: the question to ask before it is done,
    besides those of danger.py. sure: whether this is the answer to such a question. editing: whether it changes an
    offer that is being written.
    """

    key: str
    label: str
    go: "Go"
    card: int = 0
    seat: int = -1
    on: str = ""
    danger: str = ""
    sure: bool = False
    editing: bool = False


class Menu(Struct, frozen=True):
    """Entries under a question. auto: the key of an entry that opens by itself when the menu is new."""

    title: str
    entries: tuple[Entry, ...]
    auto: str = ""
    asked: int = 0
    """How many of the first entries answer an ask."""
    grave: bool = False
    """Whether this menu asks once more before something dangerous."""


class Picker(Struct, frozen=True):
    """A set that the player picks: lo to hi members of `pick.among`, with their sum if `pick.worth` is given.

    make: makes an action or the next step from the chosen ones. start: those chosen at first.
    """

    title: str
    pick: Pick
    labels: tuple[str, ...]
    make: Callable[[tuple[int, ...]], "Go"]
    verb: str = "take these"
    start: tuple[int, ...] = ()
    danger: Callable[[tuple[int, ...]], str] = lambda chosen: ""
    """Returns the question to ask before these are handed in; empty: none."""
    holders: tuple[int, ...] = ()
    """The players among whom the chosen ones are shared, as evenly as possible; none: the set is not shared."""

    def total(self, chosen: Iterable[int]) -> int:
        """Return the total worth of the chosen ones, in Gold Pieces."""
        worth = dict(zip(self.pick.among, self.pick.worth, strict=False))
        return sum(worth.get(ident, 0) for ident in chosen)

    @property
    def takes_all(self) -> bool:
        """Whether all members may be chosen at once, where there are several."""
        return self.pick.hi >= len(self.pick.among) > 1

    def ready(self, chosen: Sequence[int]) -> bool:
        """Return whether the chosen ones are enough and not too many."""
        pick = self.pick
        return pick.lo <= len(chosen) <= pick.hi and self.total(chosen) >= pick.sum_at_least


class Command(Struct, frozen=True):
    """A menu entry for the screen or the host, not an action of the game."""


class Leave(Command, frozen=True):
    """Leave the table. give_up: also give the seat up."""

    give_up: bool = False

    @property
    def how(self) -> str:
        """How the stay at the table ends: gone if the seat is given up, else left."""
        return "gone" if self.give_up else "left"


class OwnerRequest(Command, frozen=True):
    """A request of the table's owner; the fields are those of netcode.protocol.wire.Admin."""

    what: str
    seat: int = -1
    value: str = ""
    number: int = 0
    pause_s: int = KICK_PAUSE_S


class ShowStrings(Command, frozen=True):
    """Show the strings that lead others to the table."""


class ShowCode(Command, frozen=True):
    """Show a code with which this player goes on at another machine."""


class MuteTalk(Command, frozen=True):
    """Do not show the talk of a seat (-1: of the spectators), or show it again; at this screen only."""

    seat: int


class UndoVote(Command, frozen=True):
    """A request to undo the last action (vote 0), or an answer to such a vote."""

    vote: int
    yes: bool


Go = Action | Menu | Picker | Draft | Command
"""Where an entry leads: an action to send, another menu, a set to pick, an offer to write, or a command."""
