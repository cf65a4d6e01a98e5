"""Compare what a scenario expects, key by key, with what the views of the table show."""

from collections.abc import Callable, Sequence
from typing import Any

from core.language.catalog import Catalog
from core.language.definition import Def
from core.scenario.cast import Cast
from core.scenario.parts import Expect
from core.state.asks import OF_SEATS
from core.state.events import AnyEvent
from core.state.model import DEFN_MASK, Ask, Monster, State, defn_of
from core.state.views import FightView, View
from core.text.foes import Foes
from core.text.log import log_line
from core.view import view

_NO_FIGHT = "no fight"


class Snapshot:
    """The table after a step. Views are made only when they are needed. foes: the monsters in the combat before it."""

    def __init__(self, cast: Cast, state: State, events: list[AnyEvent], foes: Sequence[Monster] = ()) -> None:
        self.cast, self.state, self.events, self.foes = cast, state, events, foes
        self._views: dict[int, View] = {}

    @property
    def catalog(self) -> Catalog:
        return self.cast.catalog

    def view(self, seat: int = -1) -> View:
        """Return what this seat (-1: a spectator) sees."""
        if seat not in self._views:
            self._views[seat] = view(self.catalog, self.state, seat)
        return self._views[seat]

    def asks(self, seat: int) -> list[Ask]:
        """Return what this seat is asked."""
        you = self.view(seat).you
        return you.asks if you else []

    def names(self, cards: list[int]) -> list[str]:
        """Return the printed names of these cards, sorted."""
        return sorted(self.cast.card_name(card) for card in cards)

    def top(self, defn: int) -> str:
        """Return the printed name of the top card of a pile; "" if the pile is empty (-1)."""
        return self.cast.defn_name(defn) if defn >= 0 else ""


# --------------------------------------------------------------------------------------------------- one key at a time
def _by_seat(read: Callable[[Snapshot, int], Any]) -> Callable[[Snapshot, Any], Any]:
    """Return a function that applies `read` to each seat that the scenario names."""

    def found(snapshot: Snapshot, wanted: dict[str, Any]) -> dict[str, Any]:
        return {name: read(snapshot, snapshot.cast.seat(name)) for name in wanted}

    return found


def _of_fight(read: Callable[[FightView], Any]) -> Callable[[Snapshot, Any], Any]:
    def found(snapshot: Snapshot, wanted: Any) -> Any:
        fight = snapshot.view().fight
        return _NO_FIGHT if fight is None else read(fight)

    return found


def _terms(side: str) -> Callable[[Snapshot, Any], Any]:
    """Return a function that reads the terms of a side by card name or label, with terms of the same name added
    together."""

    def found(snapshot: Snapshot, wanted: dict[str, int]) -> Any:
        fight = snapshot.view().fight
        if fight is None:
            return _NO_FIGHT
        sums: dict[str, int] = {}
        for term in fight.hero_terms if side == "heroes" else fight.foe_terms:
            labels = {term.label, snapshot.cast.card_name(term.card)} if term.card else {term.label}
            for label in sorted(labels):
                sums[label] = sums.get(label, 0) + term.by
        return {name: sums.get(name, "none") for name in wanted}

    return found


def _hand(snapshot: Snapshot, wanted: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cards in wanted.items():
        seat = snapshot.cast.seat(name)
        you = snapshot.view(seat).you
        hand = you.hand if you else []
        found[name] = len(hand) if isinstance(cards, int) else snapshot.names(hand)
    return found


def _in_play(up: bool) -> Callable[[Snapshot, int], list[str]]:
    def found(snapshot: Snapshot, seat: int) -> list[str]:
        table = snapshot.view().seats[seat].table
        mine = [entry.card for entry in table if entry.up == up and not _is_identity(snapshot, entry.card)]
        return snapshot.names(mine)

    return found


def _is_identity(snapshot: Snapshot, card: int) -> bool:
    return snapshot.catalog.cards[defn_of(card)].kind in ("identity", "double")


def _identities(snapshot: Snapshot, seat: int) -> list[str]:
    table = snapshot.view().seats[seat].table
    return snapshot.names([entry.card for entry in table if _is_identity(snapshot, entry.card)])


def _of_kind(fits: Callable[[Def], bool]) -> Callable[[Snapshot, int], list[str]]:
    """Return a function that reads the cards of one kind that a seat has in play, equipped or carried."""

    def found(snapshot: Snapshot, seat: int) -> list[str]:
        table = snapshot.view().seats[seat].table
        return snapshot.names([entry.card for entry in table if fits(snapshot.catalog.cards[defn_of(entry.card)])])

    return found


def _attached(snapshot: Snapshot, seat: int) -> list[str]:
    """Return what is attached to something or carried by it, as "upper > lower"."""
    name = snapshot.cast.card_name
    return sorted(f"{name(entry.card)} > {name(entry.on)}" for entry in snapshot.view().seats[seat].table if entry.on)


def _counters(snapshot: Snapshot, seat: int) -> dict[str, int]:
    """Return the counters on each card that has some; those on copies of a card are added up."""
    found: dict[str, int] = {}
    for entry in snapshot.view().seats[seat].table:
        if entry.counters:
            name = snapshot.cast.card_name(entry.card)
            found[name] = found.get(name, 0) + entry.counters
    return found


def _curses(snapshot: Snapshot, seat: int) -> list[str]:
    cards = dict.fromkeys(lasting.card for lasting in snapshot.view().seats[seat].lasting if lasting.card)
    return snapshot.names(list(cards))


def _monsters(snapshot: Snapshot, wanted: Any) -> list[str]:
    fight = snapshot.view().fight
    return sorted(snapshot.cast.defn_name(monster.defn) for monster in fight.monsters) if fight else []


def _helper(snapshot: Snapshot, wanted: Any) -> str:
    fight = snapshot.view().fight
    return snapshot.cast.names[fight.helper] if fight and fight.helper >= 0 else ""


def _asks(snapshot: Snapshot, wanted: Any) -> dict[str, str]:
    asked = [(name, ask.kind) for seat, name in enumerate(snapshot.cast.names) for ask in snapshot.asks(seat)]
    return dict(asked)


def _options(snapshot: Snapshot, wanted: dict[str, tuple[str | int, ...]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, options in wanted.items():
        asks = snapshot.asks(snapshot.cast.seat(name))
        named = option_names(snapshot, asks[0]) if asks else []
        numbers = all(isinstance(option, int) for option in options)
        found[name] = sorted(asks[0].options if numbers and asks else named, key=str)
    return found


def option_names(snapshot: Snapshot, ask: Ask) -> list[str]:
    """Return the name of each option of an ask: its text, a seat, a card or a plain number."""
    return [_option_name(snapshot, ask, at, option) for at, option in enumerate(ask.options)]


def _option_name(snapshot: Snapshot, ask: Ask, at: int, option: int) -> str:
    if ask.texts:
        return ask.texts[at]
    if option > DEFN_MASK:
        fight = snapshot.state.fight
        copies = [monster.defn for monster in fight.monsters if monster.id == option] if fight else []
        return snapshot.cast.defn_name(copies[0]) if copies else snapshot.cast.card_name(option)
    if ask.kind == "recover":
        return snapshot.cast.defn_name(option)
    if ask.kind in ("shield", "loot fight", "throw again"):
        return "no"
    if ask.kind in OF_SEATS and 0 <= option < len(snapshot.cast.names):
        return snapshot.cast.names[option]
    return str(option)


def _window(snapshot: Snapshot, wanted: Any) -> str:
    window = snapshot.view().window
    return window.kind if window else ""


def _due(snapshot: Snapshot, wanted: dict[str, int]) -> Any:
    fight = snapshot.view().fight
    return _NO_FIGHT if fight is None else {key: getattr(fight, key) for key in wanted}


def _log(snapshot: Snapshot, wanted: str) -> str:
    lines: list[str] = []
    foes = Foes(snapshot.foes)
    for event in snapshot.events:
        for seat in range(-1, len(snapshot.cast.names)):
            text = log_line(event, snapshot.catalog, snapshot.cast.names, seat, foes)
            if text is not None and text not in lines:
                lines.append(text)
        foes.follow(event)
    if any(wanted.casefold() in text.casefold() for text in lines):
        return wanted
    return " / ".join(lines) or "nothing"


def _seats(pick: Callable[[Snapshot], list[int]]) -> Callable[[Snapshot, Any], list[str]]:
    return lambda snapshot, wanted: sorted(snapshot.cast.names[seat] for seat in pick(snapshot))


_FOUND: dict[str, Callable[[Snapshot, Any], Any]] = {
    "levels": _by_seat(lambda snapshot, seat: snapshot.view().seats[seat].level),
    "heroes": _of_fight(lambda fight: fight.heroes),
    "foes": _of_fight(lambda fight: fight.foes),
    "hero_terms": _terms("heroes"),
    "foe_terms": _terms("foes"),
    "hand": _hand,
    "equipped": _by_seat(_in_play(True)),
    "carried": _by_seat(_in_play(False)),
    "identities": _by_seat(_identities),
    "curses": _by_seat(_curses),
    "monsters": _monsters,
    "helper": _helper,
    "asks": _asks,
    "options": _options,
    "window": _window,
    "match_point": lambda snapshot, wanted: bool((fight := snapshot.view().fight) and fight.match_point),
    "winning": lambda snapshot, wanted: bool((fight := snapshot.view().fight) and fight.winning),
    "run": _by_seat(lambda snapshot, seat: snapshot.view().seats[seat].run),
    "due": _due,
    "winners": _seats(lambda snapshot: snapshot.view().winners),
    "dead": _seats(lambda snapshot: [seat.seat for seat in snapshot.view().seats if seat.dead]),
    "turn": lambda snapshot, wanted: snapshot.cast.names[snapshot.view().turn],
    "phase": lambda snapshot, wanted: snapshot.view().phase,
    "door_top": lambda snapshot, wanted: snapshot.top(snapshot.view().door_top),
    "treasure_top": lambda snapshot, wanted: snapshot.top(snapshot.view().treasure_top),
    "doors": lambda snapshot, wanted: snapshot.view().doors,
    "treasures": lambda snapshot, wanted: snapshot.view().treasures,
    "strength": _by_seat(lambda snapshot, seat: snapshot.view().seats[seat].strength),
    "log": _log,
    "offers": lambda snapshot, wanted: len(snapshot.view().offers),
    "allies": _by_seat(_of_kind(lambda definition: definition.kind == "ally")),
    "vehicles": _by_seat(_of_kind(lambda definition: definition.slot == "vehicle")),
    "attached": _by_seat(_attached),
    "counters": _by_seat(_counters),
    "sex": _by_seat(lambda snapshot, seat: snapshot.view().seats[seat].sex),
    "seals": lambda snapshot, wanted: snapshot.view().seals,
    "seals_open": lambda snapshot, wanted: [snapshot.cast.defn_name(defn) for defn in snapshot.view().seals_open],
}


_IN_ORDER = ("seals_open",)
"""Keys of lists whose order counts."""


def differences(snapshot: Snapshot, expect: Expect) -> list[tuple[str, str, str]]:
    """Return (key, expected, found) for each difference from what is expected."""
    wrong: list[tuple[str, str, str]] = []
    for key in expect.__struct_fields__:
        wanted = getattr(expect, key)
        if wanted is None:
            continue
        wanted = list(wanted) if key in _IN_ORDER else _plain(wanted)
        found = _FOUND[key](snapshot, wanted)
        if found != wanted:
            wrong.append((key, str(wanted), str(found)))
    return wrong


def _plain(wanted: Any) -> Any:
    """Return the value with its lists sorted, so that lists with the same members are equal."""
    if isinstance(wanted, tuple):
        return sorted(wanted, key=str)
    if isinstance(wanted, dict):
        return {key: _plain(value) for key, value in wanted.items()}
    return wanted
