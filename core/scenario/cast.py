"""Find the seats and cards that a scenario names, and lay out its first table."""

from collections import Counter
from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from core import engine
from core.language.catalog import Catalog
from core.scenario.parts import SeatSetup
from core.scenario.schema import Scenario, ScenarioError
from core.state.events import AnyEvent, TurnBegan
from core.state.model import FORMAT, Lasting, Options, Placed, Seat, State, Turn, card_id, defn_of
from core.state.rng import NO_MORE_DICE, shuffled

BYSTANDERS = ("Bystander", "Bystander 2")
"""Names of the seats that fill a table up to three."""
_VICTIM = ("victim", "you")
"""The who-words of a lasting effect that falls on the victim of its card."""


class NotFound(Exception):
    """Something that a scenario names is not there: a seat, a card, a window, an ask."""


class Cast:
    """The seats and cards of one scenario, by name."""

    def __init__(self, catalog: Catalog, scenario: Scenario) -> None:
        self.catalog, self.scenario = catalog, scenario
        self.names = [*scenario.seats, *BYSTANDERS[: max(0, 3 - len(scenario.seats))]]

    def seat(self, name: str) -> int:
        """Return the number of the seat with this name. Raises NotFound."""
        if name not in self.names:
            raise NotFound(f"there is no seat {name!r}; the seats are {', '.join(self.names)}")
        return self.names.index(name)

    def defn(self, name: str) -> int:
        """Return the definition with this printed name or set:slug. Raises NotFound."""
        found = self.catalog.by_name.get(name)
        if not found:
            raise NotFound(f"no card is called {name!r}")
        if len(found) > 1:
            ids = ", ".join(defn.full_id for defn in found)
            raise NotFound(f"{len(found)} cards are called {name!r}: write {ids}")
        return found[0].no

    def card_name(self, card: int) -> str:
        """Return the printed name of a card in sight."""
        return self.defn_name(defn_of(card))

    def defn_name(self, defn: int) -> str:
        """Return the printed name of a definition."""
        return self.catalog.cards[defn].card.name

    def find(self, name: str, cards: Iterable[int], where: str) -> int:
        """Return the card of this name ("Name#2": the second copy) among cards in sight. Raises NotFound."""
        return self.find_pair(name, ((card, defn_of(card)) for card in cards), where)

    def find_pair(self, name: str, cards: Iterable[tuple[int, int]], where: str) -> int:
        """Do as `find`, among pairs of (id, definition): a copy of a monster has the id of the card that made it."""
        plain, nth = split_nth(name)
        defn = self.defn(plain)
        found = list(dict.fromkeys(card for card, number in cards if number == defn))
        if len(found) < nth:
            raise NotFound(f"there is no {name} {where}")
        return found[nth - 1]


def split_nth(name: str) -> tuple[str, int]:
    """Split a name into the card's name and the number of the copy: "Potion#2" gives ("Potion", 2), "Potion" 1."""
    plain, mark, nth = name.rpartition("#")
    return (plain, int(nth)) if mark and nth.isascii() and nth.isdigit() and int(nth) > 0 else (name, 1)


# ------------------------------------------------------------------------------------------------ laying out the table
def lay_out(cast: Cast) -> State:
    """Return the state that the scenario describes, its turn begun. Only dice that the scenario names can be rolled.

    Raises ScenarioError, and DiceRanOut if the beginning of the turn rolls a die that is not named.
    """
    return _begin(cast, cast.scenario.name.encode()[:64], [*cast.scenario.dice, NO_MORE_DICE])[0]


def begin(cast: Cast, seed: bytes) -> tuple[State, list[AnyEvent]]:
    """Return the state that the scenario describes, and the events of the beginning of its turn.

    seed: 1 to 64 bytes, for the rest of the decks and for the dice after those that the scenario names. Raises
    ScenarioError.
    """
    return _begin(cast, seed, list(cast.scenario.dice))


def _begin(cast: Cast, seed: bytes, dice: list[int]) -> tuple[State, list[AnyEvent]]:
    scenario = cast.scenario
    try:
        state = _bare_state(cast, seed, dice)
        _decks(cast, state)
        for number, setup in enumerate(scenario.seats.values()):
            _sit(cast, state, number, setup)
        turn = cast.seat(scenario.turn) if scenario.turn is not None else 0
    except NotFound as lost:
        raise ScenarioError(scenario.where, scenario.name, str(lost)) from lost
    state.turn = Turn(turn, 1)
    return state, [TurnBegan(turn, 1), *engine.start_turn(cast.catalog, state, turn)]


def _bare_state(cast: Cast, seed: bytes, dice: list[int]) -> State:
    sex = "male" if cast.catalog.sexes else ""
    options = Options(**msgspec.structs.asdict(cast.scenario.options))
    return State(
        format=FORMAT, seed=seed, draws=0, options=options,
        seats=[Seat(sex=sex) for _ in cast.names], door=[], door_out=[], treasure=[], treasure_out=[],
        turn=Turn(0, 1), fight=None, stack=[], offers=[], limbo=[], pending=[], winners=[], serial=1,
        dice=dice,
    )  # fmt: skip


def _decks(cast: Cast, state: State) -> None:
    """Fill decks, discards and Seals with what the scenario names, top first, and put the other cards below it."""
    scenario = cast.scenario
    left = Counter({defn.no: defn.card.copies for defn in cast.catalog.cards})
    for setup in scenario.seats.values():
        left.subtract(cast.defn(name) for name in _cards_of(setup))
    piles = [[cast.defn(name) for name in names] for names in
             (scenario.doors, scenario.treasures, scenario.door_discards, scenario.treasure_discards, scenario.seals)]
    for pile in (*piles, [cast.defn(name) for name in scenario.seals_open]):
        left.subtract(pile)
    _check_decks(cast)
    for defn, count in left.items():
        if count < 0:
            copies = cast.catalog.cards[defn].card.copies
            raise NotFound(f"{cast.defn_name(defn)} is named {copies - count} times, but there are only {copies}")
    state.door, state.treasure, state.door_out, state.treasure_out, state.seals = (pile[::-1] for pile in piles)
    state.seals_open = [cast.defn(name) for name in scenario.seals_open]
    for deck, pile, out in (("door", state.door, state.door_out), ("treasure", state.treasure, state.treasure_out)):
        rest = [d.no for d in cast.catalog.cards if d.deck == deck for _ in range(left[d.no])]
        _put_below(state, rest, pile, out, scenario.rest)
    seals = [d.no for d in cast.catalog.cards if d.deck == "seal" for _ in range(left[d.no])]
    if seals:  # Seals are never discarded (seal.never-discarded)
        state.seals[:0] = shuffled(state, seals)


_PILES = {
    "doors": "door", "door_discards": "door", "treasures": "treasure", "treasure_discards": "treasure",
    "seals": "seal", "seals_open": "seal",
}  # fmt: skip


def _check_decks(cast: Cast) -> None:
    """Raise NotFound if a pile of the scenario names a card of another deck."""
    for pile, deck in _PILES.items():
        for name in getattr(cast.scenario, pile):
            there = cast.catalog.cards[cast.defn(name)].deck
            if there != deck:
                raise NotFound(f"{name} is a {there} card and cannot be in {pile}: name a {deck} card there")


def _put_below(state: State, rest: list[int], pile: list[int], out: list[int], where: str) -> None:
    if where == "deck":
        pile[:0] = shuffled(state, rest)
    elif where == "discards":
        out[:0] = rest


def _cards_of(setup: SeatSetup) -> list[str]:
    """Return every card that a seat begins with, by name, once for each copy."""
    there = [*setup.carried, *(name for name in setup.table if ">" not in name)]
    for upper, lower in _attached(setup):
        plain, nth = split_nth(lower)
        there += [upper] if there.count(plain) >= nth else [upper, plain]
    return [split_nth(card)[0] for card in (*setup.hand, *there, *setup.curses)]


def _attached(setup: SeatSetup) -> list[tuple[str, str]]:
    """Return (upper, lower) for each "upper > lower" of the table; cards that carry something else come first."""
    rows = [name.partition(">")[::2] for name in setup.table if ">" in name]
    pairs = [(upper.strip(), lower.strip()) for upper, lower in rows]
    holders = [lower for _, lower in pairs]
    return sorted(pairs, key=lambda pair: pair[0] not in holders)


def _sit(cast: Cast, state: State, number: int, setup: SeatSetup) -> None:
    seat = state.seats[number]
    seat.level = setup.level
    seat.sex = setup.sex or seat.sex
    for name in setup.hand:
        seat.hand.append(card_id(seat.serial, number + 1, cast.defn(name)))
        seat.serial += 1
    for name in setup.table:
        if ">" not in name:
            _place(cast, state, seat, name, True)
    for name in setup.carried:
        _place(cast, state, seat, name, False)
    for upper, lower in _attached(setup):
        _attach(cast, state, seat, upper, lower)
    for name, count in setup.counters.items():
        card = cast.find(name, [entry.card for entry in seat.table], "in play to put counters on")
        seat.table = [replace(entry, counters=count) if entry.card == card else entry for entry in seat.table]
    for name in setup.curses:
        seat.lasting.extend(_lasting(cast, _mint(cast, state, name)))


def _mint(cast: Cast, state: State, name: str) -> int:
    card = card_id(state.serial, 0, cast.defn(name))
    state.serial += 1
    return card


def _place(cast: Cast, state: State, seat: Seat, name: str, up: bool, on: int = 0) -> int:
    card = _mint(cast, state, name)
    seat.table.append(Placed(card, up, on))
    return card


def _attach(cast: Cast, state: State, seat: Seat, upper: str, lower: str) -> None:
    plain, nth = split_nth(lower)
    defn = cast.defn(plain)
    below = [placed.card for placed in seat.table if defn_of(placed.card) == defn]
    card = below[nth - 1] if len(below) >= nth else _place(cast, state, seat, plain, True)
    _place(cast, state, seat, upper, True, card)


def _lasting(cast: Cast, card: int) -> list[Lasting]:
    """Return the lasting effects that a curse leaves on its victim, one for each such `linger` of its text; effects
    that spread to others lie in front of those. An effect for the next combat or turn is not armed."""
    defn = cast.catalog.cards[defn_of(card)]
    if not any(linger.who in _VICTIM for linger in defn.lingers):
        raise NotFound(f"{defn.name} has no lasting effect, so it cannot lie among the curses")
    return [
        Lasting(card, defn.no, code, linger.until, linger.until not in ("next-combat", "next-turn"))
        for code, linger in enumerate(defn.lingers)
        if linger.who in _VICTIM
    ]
