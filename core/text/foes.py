"""Track the monsters of a fight event by event, to tell which of several equal ones a line means."""

from collections.abc import Iterable
from typing import NamedTuple

from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import Monster
from core.state.views import MonsterView, View


class Foe(NamedTuple):
    """A monster in the combat: its id, its definition, and its group."""

    id: int
    defn: int
    group: int


class Foes:
    """The monsters in the combat when an event happens, as everybody saw them then. won: all of them are killed now."""

    def __init__(self, there: Iterable[Monster | MonsterView] = ()) -> None:
        self._there = [Foe(one.id, one.defn, one.group) for one in there]
        self.won = False

    def follow(self, event: AnyEvent) -> None:
        """Take in an event."""
        if isinstance(event, ev.FightBegan | ev.FightEnded):
            self._there, self.won = [], False
        elif isinstance(event, ev.MonsterCame):
            if self.found(event.id) is None:
                self._there.append(Foe(event.id, event.defn, event.id if event.how == ev.COPIED else event.group))
        elif isinstance(event, ev.MonsterLeft):
            self._there = [one for one in self._there if one.id != event.id]
        elif isinstance(event, ev.StageSet):
            self.won = event.stage == "won"

    def found(self, monster: int) -> Foe | None:
        """Return the monster with this id; None if it is not there."""
        return next((one for one in self._there if one.id == monster), None)

    def group(self, group: int) -> list[Foe]:
        """Return the monsters of a group."""
        return [one for one in self._there if one.group == group]

    def number(self, foe: Foe) -> int:
        """Return which of several monsters of the same definition this is, from 1; 0 if it is the only one."""
        same = [one.id for one in self._there if one.defn == foe.defn]
        return same.index(foe.id) + 1 if len(same) > 1 else 0


def foes_of(view: View | None) -> Foes:
    """Return the monsters in the combat that a view shows; none without one."""
    return Foes(view.fight.monsters if view is not None and view.fight is not None else ())
