"""Random games in which fights often end in unusual ways, and a check that nobody wins by a kill in them without a
window first."""

from core.language import schema as v
from core.language.definition import Def
from core.language.tree import effects_within
from core.moves.legal import check
from core.state.actions import Close, Pass
from core.state.events import AnyEvent, FightBegan, LevelChanged, WindowClosed
from core.state.model import Window, card_id, defn_of
from tests.core.random_table import RandomTable

_UNUSUAL = (v.RemoveMonster, v.HandOver, v.AddMonster, v.Kill)
"""Effects that end a fight, or a player's part in it, by other means than strength."""
_KILL = ("the kill", "helping")
"""Reasons of levels that a fight pays."""


def unusual(definition: Def) -> bool:
    """Return whether a card makes a fight end in an unusual way, or affects who gains by it."""
    ops = effects_within(definition.card)
    helps = any(isinstance(mod, v.HelperLevels) for mod in definition.card.mods)
    return definition.kind == "wandering" or helps or any(isinstance(op, _UNUSUAL) for op in ops)


def fill_hands(table: RandomTable) -> None:
    """Put unusual cards from the decks into the hands dealt, in place of others of the same deck."""
    state, cards = table.state, table.catalog.cards
    for deck, pile in (("door", state.door), ("treasure", state.treasure)):
        rich = [at for at, defn in enumerate(pile) if unusual(cards[defn])]
        table.rng.shuffle(rich)
        for no, seat in enumerate(state.seats):
            for place, card in enumerate(seat.hand):
                if rich and cards[defn_of(card)].deck == deck and not unusual(cards[defn_of(card)]):
                    at = rich.pop()
                    seat.hand[place] = card_id(card >> 16, no + 1, pile[at])
                    seat.fresh = [seat.hand[place] if fresh == card else fresh for fresh in seat.fresh]
                    pile[at] = defn_of(card)


class LastMoments:
    """Follows a game. `wins`: 1 if it ended by a level that a fight paid, else 0."""

    def __init__(self, table: RandomTable) -> None:
        self.table = table
        self.wins = 0
        self._offered = False

    def act(self) -> list[AnyEvent]:
        """Take one action. Raise AssertionError if it ends the game by a level for a kill although that fight had no
        window that closes only when everybody has passed."""
        table = self.table
        top = table.state.stack[-1]
        unclosable = isinstance(top, Window) and self._only_passing_closes(top)
        events = table.act()
        passed = isinstance(table.log[-1].action, Pass)
        for event in events:
            if isinstance(event, FightBegan):
                self._offered = False
            elif isinstance(event, WindowClosed) and event.kind not in ("kick", "withdrawn"):
                self._offered = unclosable and passed
        if table.state.winners and self._by_kill(events):
            self.wins += 1
            assert self._offered, f"{table.state.winners} win by a kill, and nobody could speak up before: {events}"
        return events

    def _only_passing_closes(self, window: Window) -> bool:
        """Return whether the clock must never close this window, not even after a hold."""
        holder, window.holder = window.holder, -1
        refused = check(self.table.catalog, self.table.state, -1, Close(window.id))
        window.holder = holder
        return refused is not None and refused.clause == "combat.last-moment"

    def _by_kill(self, events: list[AnyEvent]) -> bool:
        goal = self.table.options.win_level
        return any(isinstance(event, LevelChanged) and event.level == goal and event.why in _KILL for event in events)
