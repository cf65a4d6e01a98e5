"""Expectations of scenarios: what was expected beside what is found on the table, by key."""

from collections.abc import Callable
from typing import Any

from core.language.catalog import Catalog
from core.language.definition import Def
from core.scenario.cast import Cast
from core.scenario.schema import Expect
from core.state.asks import OF_SEATS
from core.state.events import AnyEvent
from core.state.model import Ask, State, defn_of
from core.text.log import log_line
from core.view import FightView, View, view

_NO_FIGHT = "no fight"


class Scene:
    """The table after a step, as expectations read it; views are made only when one is wanted."""

    def __init__(self, cast: Cast, state: State, events: list[AnyEvent]) -> None:
        self.cast, self.state, self.events = cast, state, events
        self._views: dict[int, View] = {}

    @property
    def catalog(self) -> Catalog:
        return self.cast.catalog

    def view(self, seat: int = -1) -> View:
        """What this seat (or a spectator) sees now."""
        if seat not in self._views:
            self._views[seat] = view(self.catalog, self.state, seat)
        return self._views[seat]

    def asks(self, seat: int) -> list[Ask]:
        you = self.view(seat).you
        return you.asks if you else []

    def names(self, cards: list[int]) -> list[str]:
        return sorted(self.cast.card_name(card) for card in cards)

    def top(self, defn: int) -> str:
        return self.cast.defn_name(defn) if defn >= 0 else ""


# --------------------------------------------------------------------------------------------------- one key at a time
def _by_seat(read: Callable[[Scene, int], Any]) -> Callable[[Scene, Any], Any]:
    """A reader of one seat made into one of the seats that are named."""

    def found(scene: Scene, wanted: dict[str, Any]) -> dict[str, Any]:
        return {name: read(scene, scene.cast.seat(name)) for name in wanted}

    return found


def _of_fight(read: Callable[[FightView], Any]) -> Callable[[Scene, Any], Any]:
    def found(scene: Scene, wanted: Any) -> Any:
        fight = scene.view().fight
        return _NO_FIGHT if fight is None else read(fight)

    return found


def _terms(side: str) -> Callable[[Scene, Any], Any]:
    """Terms of a side by card name or label; equal ones are added up."""

    def found(scene: Scene, wanted: dict[str, int]) -> Any:
        fight = scene.view().fight
        if fight is None:
            return _NO_FIGHT
        sums: dict[str, int] = {}
        for term in fight.hero_terms if side == "heroes" else fight.foe_terms:
            labels = {term.label, scene.cast.card_name(term.card)} if term.card else {term.label}
            for label in sorted(labels):
                sums[label] = sums.get(label, 0) + term.by
        return {name: sums.get(name, "none") for name in wanted}

    return found


def _hand(scene: Scene, wanted: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, cards in wanted.items():
        seat = scene.cast.seat(name)
        you = scene.view(seat).you
        hand = you.hand if you else []
        found[name] = len(hand) if isinstance(cards, int) else scene.names(hand)
    return found


def _in_play(up: bool) -> Callable[[Scene, int], list[str]]:
    def found(scene: Scene, seat: int) -> list[str]:
        table = scene.view().seats[seat].table
        mine = [entry.card for entry in table if entry.up == up and not _is_identity(scene, entry.card)]
        return scene.names(mine)

    return found


def _is_identity(scene: Scene, card: int) -> bool:
    return scene.catalog.cards[defn_of(card)].kind in ("identity", "double")


def _identities(scene: Scene, seat: int) -> list[str]:
    table = scene.view().seats[seat].table
    return scene.names([entry.card for entry in table if _is_identity(scene, entry.card)])


def _of_kind(fits: Callable[[Def], bool]) -> Callable[[Scene, int], list[str]]:
    """Names of the cards in play of a seat that are of one kind, upright or sideways."""

    def found(scene: Scene, seat: int) -> list[str]:
        table = scene.view().seats[seat].table
        return scene.names([entry.card for entry in table if fits(scene.catalog.cards[defn_of(entry.card)])])

    return found


def _attached(scene: Scene, seat: int) -> list[str]:
    """What is attached to or carried by something, as "upper > lower"."""
    name = scene.cast.card_name
    return sorted(f"{name(entry.card)} > {name(entry.on)}" for entry in scene.view().seats[seat].table if entry.on)


def _curses(scene: Scene, seat: int) -> list[str]:
    cards = dict.fromkeys(lasting.card for lasting in scene.view().seats[seat].lasting if lasting.card)
    return scene.names(list(cards))


def _monsters(scene: Scene, wanted: Any) -> list[str]:
    fight = scene.view().fight
    return sorted(scene.cast.defn_name(monster.defn) for monster in fight.monsters) if fight else []


def _helper(scene: Scene, wanted: Any) -> str:
    fight = scene.view().fight
    return scene.cast.names[fight.helper] if fight and fight.helper >= 0 else ""


def _asks(scene: Scene, wanted: Any) -> dict[str, str]:
    asked = [(name, ask.kind) for seat, name in enumerate(scene.cast.names) for ask in scene.asks(seat)]
    return dict(asked)


def _options(scene: Scene, wanted: dict[str, tuple[str | int, ...]]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name, options in wanted.items():
        asks = scene.asks(scene.cast.seat(name))
        named = option_names(scene, asks[0]) if asks else []
        numbers = all(isinstance(option, int) for option in options)
        found[name] = sorted(asks[0].options if numbers and asks else named, key=str)
    return found


def option_names(scene: Scene, ask: Ask) -> list[str]:
    """What each option of an ask is called: its text, a seat, a card or a plain number."""
    return [_option_name(scene, ask, at, option) for at, option in enumerate(ask.options)]


def _option_name(scene: Scene, ask: Ask, at: int, option: int) -> str:
    if ask.texts:
        return ask.texts[at]
    if option > 4095:
        fight = scene.state.fight
        copies = [monster.defn for monster in fight.monsters if monster.id == option] if fight else []
        return scene.cast.defn_name(copies[0]) if copies else scene.cast.card_name(option)
    if ask.kind == "recover":
        return scene.cast.defn_name(option)
    if ask.kind in ("shield", "loot fight"):
        return "no"
    if ask.kind in OF_SEATS and 0 <= option < len(scene.cast.names):
        return scene.cast.names[option]
    return str(option)


def _window(scene: Scene, wanted: Any) -> str:
    window = scene.view().window
    return window.kind if window else ""


def _due(scene: Scene, wanted: dict[str, int]) -> Any:
    fight = scene.view().fight
    return _NO_FIGHT if fight is None else {key: getattr(fight, key) for key in wanted}


def _log(scene: Scene, wanted: str) -> str:
    lines: list[str] = []
    for event in scene.events:
        for seat in range(-1, len(scene.cast.names)):
            told = log_line(event, scene.catalog, scene.cast.names, seat)
            if told is not None and told not in lines:
                lines.append(told)
    if any(wanted.casefold() in told.casefold() for told in lines):
        return wanted
    return " / ".join(lines) or "nothing"


def _seats(pick: Callable[[Scene], list[int]]) -> Callable[[Scene, Any], list[str]]:
    return lambda scene, wanted: sorted(scene.cast.names[seat] for seat in pick(scene))


_FOUND: dict[str, Callable[[Scene, Any], Any]] = {
    "levels": _by_seat(lambda scene, seat: scene.view().seats[seat].level),
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
    "match_point": lambda scene, wanted: bool((fight := scene.view().fight) and fight.match_point),
    "winning": lambda scene, wanted: bool((fight := scene.view().fight) and fight.winning),
    "run": _by_seat(lambda scene, seat: scene.view().seats[seat].run),
    "due": _due,
    "winners": _seats(lambda scene: scene.view().winners),
    "dead": _seats(lambda scene: [seat.seat for seat in scene.view().seats if seat.dead]),
    "turn": lambda scene, wanted: scene.cast.names[scene.view().turn],
    "phase": lambda scene, wanted: scene.view().phase,
    "door_top": lambda scene, wanted: scene.top(scene.view().door_top),
    "treasure_top": lambda scene, wanted: scene.top(scene.view().treasure_top),
    "doors": lambda scene, wanted: scene.view().doors,
    "treasures": lambda scene, wanted: scene.view().treasures,
    "strength": _by_seat(lambda scene, seat: scene.view().seats[seat].strength),
    "log": _log,
    "offers": lambda scene, wanted: len(scene.view().offers),
    "allies": _by_seat(_of_kind(lambda definition: definition.kind == "ally")),
    "vehicles": _by_seat(_of_kind(lambda definition: definition.slot == "vehicle")),
    "attached": _by_seat(_attached),
    "sex": _by_seat(lambda scene, seat: scene.view().seats[seat].sex),
    "seals": lambda scene, wanted: scene.view().seals,
    "seals_open": lambda scene, wanted: [scene.cast.defn_name(defn) for defn in scene.view().seals_open],
}


_IN_ORDER = ("seals_open",)
"""Lists whose order counts."""


def differences(scene: Scene, expect: Expect) -> list[tuple[str, str, str]]:
    """(key, expected, found) for everything that is not as expected."""
    wrong: list[tuple[str, str, str]] = []
    for key in expect.__struct_fields__:
        wanted = getattr(expect, key)
        if wanted is None:
            continue
        wanted = list(wanted) if key in _IN_ORDER else _plain(wanted)
        found = _FOUND[key](scene, wanted)
        if found != wanted:
            wrong.append((key, str(wanted), str(found)))
    return wrong


def _plain(wanted: Any) -> Any:
    """Lists in any order are equal."""
    if isinstance(wanted, tuple):
        return sorted(wanted, key=str)
    if isinstance(wanted, dict):
        return {key: _plain(value) for key, value in wanted.items()}
    return wanted
