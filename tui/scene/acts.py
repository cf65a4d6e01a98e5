"""What players do to the fight that is on: who played which card, and what became of the sums. Pure.

A player reads here why a sum is what it is, whoever changed it. An act stays until the fight is over.
"""

from collections import deque
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import FightView, View
from core.text.foes import foes_of
from core.text.log import log_line
from tui.scene.doers import asked_for, asking, bot_words, by_card, compels, doer

KEPT = 24
"""At most this many acts of one fight are kept; the oldest are dropped first."""


class Act(Struct, frozen=True):
    """Something that was done in a fight. seat: who did it, -1: nobody; said: it in one sentence, as the log has it;
    card: the definition of its card, -1 without one; before, after: the sums of the heroes and of the monsters."""

    seat: int
    said: str
    card: int
    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def helps_heroes(self) -> int:
        """Return how much nearer to winning the act brings the heroes; below 0: how much farther away."""
        return (self.after[0] - self.before[0]) - (self.after[1] - self.before[1])


def act_words(act: Act) -> str:
    """Return how an act changed the sums, worded to follow its sentence in the log; "" if they stay the same."""
    if act.before == act.after:
        return ""
    (heroes, foes), (were, stood) = act.after, act.before
    return f"That makes it {heroes} to {foes}, from {were} to {stood}."


class Acts:
    """Keeps the acts of the fight that is on, as the seat was told of them."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._fight = 0
        """The number of the fight whose acts are kept."""
        self._acts: deque[Act] = deque(maxlen=KEPT)
        self._before: View | None = None

    @property
    def now(self) -> tuple[Act, ...]:
        """Return the acts of the fight that is on, the oldest first."""
        return tuple(self._acts)

    def clear(self) -> None:
        """Forget everything: another game, or the table has gone back."""
        self._acts.clear()
        self._before = None

    def hear(
        self, events: Sequence[AnyEvent], view: View, names: Sequence[str], me: int, bot: bool = False
    ) -> None:  # fmt: skip
        """Take in what has happened since the last time. view: the table now. me: the reader's seat, -1: a
        spectator. bot: whether a bot plays for them."""
        before, self._before = self._before, view
        fight = view.fight
        back = any(isinstance(event, ev.SteppedBack) for event in events)
        if fight is None or fight.no != self._fight or back:
            self._acts.clear()
        if fight is None or back:
            return
        self._fight = fight.no
        old = before.fight if before is not None else None
        if old is None or old.no != fight.no:
            return
        self._note(events, before, old, fight, names, me, bot)

    def _note(
        self, events: Sequence[AnyEvent], before: View | None, old: FightView, new: FightView,
        names: Sequence[str], me: int, bot: bool,
    ) -> None:  # fmt: skip
        """Note what these events of one fight came to. If sums change without a play, and the last play has changed
        nothing so far, they are its effect: its text was carried out only now."""
        foes = foes_of(before)
        told: list[tuple[AnyEvent, str]] = []
        for event in events:
            line = log_line(event, self._catalog, names, me, foes)
            cause = asking(before) if compels(event) else asked_for(event, before)
            line = by_card(line, cause, self._catalog) if line else line
            line = bot_words(event, line) if line and bot and doer(event) == me else line
            told += [(event, line)] if line else []
            foes.follow(event)
        was, now = (old.heroes, old.foes), (new.heroes, new.foes)
        plays = [one for one in told if is_play(one[0])] or [one for one in told if isinstance(one[0], _SIDES)][:1]
        if not plays and was == now:
            return
        last = self._acts[-1] if self._acts else None
        if not plays and last is not None and last.before == last.after == was:
            self._acts[-1] = replace(last, after=now)
            return
        found = plays or told[:1]
        self._acts.extend(Act(doer(event), line, _card_of(event), was, was) for event, line in found)
        if found:
            self._acts[-1] = replace(self._acts[-1], after=now)


_SIDES = (ev.HelperCame, ev.HelperLeft, ev.FighterChanged)
"""Changes of who fights: each is an act of its own, unless it follows from a play."""


def is_play(event: AnyEvent) -> bool:
    """Return whether a player plays a card or uses an ability, which is no consequence of anything."""
    if isinstance(event, ev.Moved):
        return event.why == "played" and event.seat >= 0
    return isinstance(event, ev.UsedAbility | ev.RolledAgain)


def _card_of(event: AnyEvent) -> int:
    """Return the definition of the card of an event, -1 without one."""
    card = max(getattr(event, "card", 0), getattr(event, "new", 0))
    return defn_of(card) if card else -1
