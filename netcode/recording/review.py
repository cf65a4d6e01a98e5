"""The moments of a game that mattered most: those with the greatest change of the viewer's chance to win, by the
viewer's knowledge.

The chances are those of the bots' evaluator (netcode/bots/evaluation.py). It judges a table at rest, so positions are
compared when no fight, ask or card text is open. The most important event between two positions names what happened.
"""

from collections.abc import Iterable

from msgspec import Struct

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from netcode.bots.standing import Standing
from netcode.recording.narrator import Moment, Sums
from netcode.recording.story import NAMES_MOST, FightTold, Swing

SHOWN = 3
LEAST = 3
"""The least change of a chance, in percentage points, that is worth telling."""


class Position(Struct, frozen=True):
    """The facts that a view showed of a table at rest."""

    rev: int
    goal: int
    seats: tuple[Standing, ...]


def position(view: View) -> Position | None:
    """Return what this view shows of a table at rest; None if something is going on."""
    if view.top != "turn" or view.fight is not None:
        return None
    you = view.you
    seats = []
    for seat in view.seats:
        hand = [defn_of(card) for card in you.hand] if you is not None and you.seat == seat.seat else []
        table = [defn_of(placed.card) for placed in seat.table]
        unseen = max(0, seat.hand - len(hand))
        seats.append(Standing(seat.level, seat.strength, seat.run, hand, table, len(seat.lasting), seat.dead, unseen))
    return Position(view.rev, view.win_level, tuple(seats))


class Reviewer:
    """Finds the swings of one game. seat: the viewer; for a spectator (-1) each swing is about the seat for which it
    mattered most."""

    def __init__(self, catalog: Catalog, seat: int) -> None:
        from netcode.bots.card_values import CardValues  # loads the rules: no screen needs them before
        from netcode.bots.evaluation import Evaluator  # the same

        self._catalog, self._me = catalog, seat
        self._evaluator = Evaluator(catalog, CardValues(catalog))

    def swings(self, moments: Iterable[tuple[Moment, Position | None]]) -> list[Swing]:
        """Return the greatest swings in the order of the game. Raise LookupError if something does not fit the cards.

        The last one ends the game and is left out, because it obviously mattered."""
        found: list[Swing] = []
        before: list[float] = []
        events: list[AnyEvent] = []
        sums: Sums | None = None
        turn = 0
        for moment, here in moments:
            if moment.fight is not None and moment.fight.open:
                sums = moment.fight
            events += moment.events
            if here is None:
                continue
            chances = self._evaluator.outlook(here.seats, here.goal)
            if before and not any(isinstance(event, ev.Won) for event in events):
                swing = self._swing(before, chances)
                if swing is not None and self._named(swing, turn, events, sums):
                    swing.rev = here.rev
                    found.append(swing)
            before, events, sums, turn = chances, [], None, moment.turn
        found.sort(key=lambda swing: -abs(swing.after - swing.before))
        return sorted(found[:SHOWN], key=lambda swing: swing.rev)

    def _swing(self, before: list[float], after: list[float]) -> Swing | None:
        """Return what changed between two positions, None if it is little."""
        changes = [round(100 * now) - round(100 * was) for was, now in zip(before, after, strict=True)]
        seat = self._me if self._me >= 0 else max(range(len(changes)), key=lambda no: abs(changes[no]))
        if abs(changes[seat]) < LEAST:
            return None
        return Swing(0, 0, seat, round(100 * before[seat]), round(100 * after[seat]))

    def _named(self, swing: Swing, turn: int, events: list[AnyEvent], sums: Sums | None) -> bool:
        """Fill in the event and the turn of a swing: a fight, a death, a curse, a Level, or the last card that was
        played or spent. turn: the turn in which the events begin. Return whether anything happened."""
        cards = self._catalog.cards
        for event in events:
            was = swing.kind, swing.by, swing.card
            if isinstance(event, ev.TurnBegan):
                turn = event.no
            elif isinstance(event, ev.FightEnded) and sums is not None:
                names = [cards[defn].name for defn in sums.monsters][:NAMES_MOST]
                swing.kind, swing.by = "fight", sums.seat
                swing.fight = FightTold(turn, sums.seat, sums.heroes, sums.foes, names, event.how, sums.helper)
            elif isinstance(event, ev.Died) and swing.kind != "fight":
                swing.kind, swing.by = "died", event.seat
            elif _curse_on(self._catalog, event) >= 0 and swing.kind not in ("fight", "died"):
                assert isinstance(event, ev.Moved | ev.Turned)
                defn = defn_of(event.new if isinstance(event, ev.Moved) else event.card)
                swing.kind, swing.by, swing.card = "curse", _curse_on(self._catalog, event), cards[defn].name
            elif isinstance(event, ev.LevelChanged) and swing.kind in ("", "card"):
                swing.kind, swing.by, swing.level, swing.card = "level", event.seat, event.level, ""
            elif isinstance(event, ev.Moved) and event.seat >= 0 and event.new and swing.kind in ("", "card"):
                swing.kind, swing.by, swing.card = "card", event.seat, cards[defn_of(event.new)].name
            if was != (swing.kind, swing.by, swing.card):
                swing.turn = turn
        return bool(swing.kind)


def _curse_on(catalog: Catalog, event: AnyEvent) -> int:
    """Return the seat that is struck by a curse in this event, -1 if none is."""
    if isinstance(event, ev.Moved):
        played = event.why == "played" and event.new and catalog.cards[defn_of(event.new)].kind == "curse"
        return event.on_seat if played else -1
    turned = isinstance(event, ev.Turned) and catalog.cards[defn_of(event.card)].kind == "curse"
    return event.seat if isinstance(event, ev.Turned) and turned else -1
