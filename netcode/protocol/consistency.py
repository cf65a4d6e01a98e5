"""Check that the messages of a host or a recording fit its table: seats exist, its packs have the cards, nothing occurs
twice.

While decoding, the types bound each field by itself (core/state/numbers.py). This module checks fields against each
other. Which fields hold seats and cards is read from their types, once for each type, so new fields are checked
automatically. Unchanged parts of a view are not checked again.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import zip_longest
from operator import attrgetter
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from msgspec import MsgspecError, Struct

from core.state.actions import Use
from core.state.model import DEFN_MASK, Lasting, Program, decode
from core.state.numbers import SEATS_MOST, number_in
from core.state.veiled import STAND_INS, Veiled
from core.state.views import FightView, ThrowView, View, You
from netcode.protocol import wire
from netcode.protocol.codec import WireError

if TYPE_CHECKING:  # a client of a lobby does not need the card language
    from core.language.definition import Def

MANY = 4096
"""How many definitions the numbers of cards can name; until the packs are read, all of them are assumed to exist."""
PlaceCheck = Callable[[Any, Sequence["Def"]], None]
Check = Callable[[Any, "Consistency"], None]
"""Raises WireError if a value does not fit the table."""


class Consistency:
    """The known facts of one table; checks that messages fit them and raises WireError for those that do not.

    definitions: those of the cards in its packs; empty if not known yet. me: the seat that gets these messages, -1: a
    spectator.
    seats: how many the table has; SEATS_MOST if not known yet.
    """

    def __init__(self, definitions: Sequence["Def"] = (), me: int = -1, seats: int = SEATS_MOST) -> None:
        self.definitions, self.me, self.seats = definitions, me, seats
        self.cards = len(definitions) or MANY
        """How many definitions there are."""
        self._packs: list[str] = []
        """The hashes of the packs in play."""
        self._view: View | None = None
        """The last checked view with the same seats and cards."""

    def know_cards(self, definitions: Sequence["Def"]) -> None:
        """Note that the packs are read now. Raise WireError if the last view names a card that the packs do not
        have."""
        view, self._view = self._view, None
        self.definitions, self.cards = definitions, len(definitions)
        if view is not None:
            self.check_view(view)

    def check(self, message: wire.Told) -> None:
        """Check a message of the host, or of a recording."""
        match message:
            case wire.Welcome():
                self._know_table(message.info, message.seat)
            case wire.Info():
                self._know_table(message.info, self.me)
            case wire.Delta():
                if message.events and not message.no:
                    raise _cannot_be("Delta.no")
                return  # its contents are checked as an update
            case wire.Update():
                self.check_update(message)
                return
            case wire.Tables():
                _different("TableRow.table", [row.table for row in message.rows or ()])
            case wire.Knocks():
                _different("KnockInfo.number", [knock.number for knock in message.knocks])
            case wire.Entered():
                _different("Entered.sets", message.sets)
            case wire.PackPart() | wire.GamePart():
                if not message.data or message.offset + len(message.data) > message.size:
                    raise _cannot_be(f"{type(message).__name__}.size")
        check = _checks(type(message))
        if check is not None:
            check(message, self)

    def check_update(self, update: wire.Update) -> None:
        """Check the result of a delta: its view, its veiled state, its events, and that its forecasts refer to
        options."""
        if update.view is not None:
            self.check_view(update.view)
        for item in update.events:
            check = _checks(type(item.event))
            if check is not None:
                check(item.event, self)
        rows = len(update.view.you.legal) if update.view is not None and update.view.you is not None else 0
        for forecast in update.forecasts:
            if any(not 0 <= row < rows for row in forecast.rows):
                raise _cannot_be("Forecast.rows")
            _check(forecast, self)
        if update.undo is not None:
            _check(update.undo, self)
        if update.veiled is not None:
            self._check_veiled(update.veiled)

    def check_view(self, view: View) -> None:
        """Check the parts of a view that differ from the previous one."""
        before, self._view = self._view, None
        if before is None or view.seats != before.seats:
            there = len(view.seats) if self.seats == SEATS_MOST else self.seats
            if not there or [one.seat for one in view.seats] != list(range(there)):
                raise _cannot_be("View.seats")
        for name, check in _fields(View):
            value, old = getattr(view, name), getattr(before, name, None)
            if value != old:
                if isinstance(value, list) and isinstance(old, list):
                    value = [one for one, other in zip_longest(value, old) if one != other and one]
                check(value, self)
        if view.fight is not None and (before is None or view.fight != before.fight):
            _check_fight(view.fight, self.definitions)
        if view.you is not None and (before is None or view.you != before.you):
            self._check_you(view.you)
        self._view = view

    def _check_you(self, you: You) -> None:
        if you.seat != self.me:
            raise _cannot_be("You.seat")
        _different("You.hand", you.hand)
        for ask in you.asks:
            if not 0 <= ask.lo <= ask.hi or ask.seat != you.seat:
                raise _cannot_be("Ask.lo")
            if ask.texts and len(ask.texts) < len(ask.options):
                raise _cannot_be("Ask.texts")
        for legal in you.legal:
            pick = legal.pick
            if pick is not None and not 0 <= pick.lo <= pick.hi:
                raise _cannot_be("Pick.lo")
            if pick is not None and pick.worth and len(pick.worth) != len(pick.among):
                raise _cannot_be("Pick.worth")
            if pick is not None:
                filled = "terms" if pick.field in ("gives", "wants") else pick.field
                if not hasattr(legal.action, filled):
                    raise _cannot_be("Pick.field")

    def _check_veiled(self, veiled: Veiled) -> None:
        """Check a veiled state as a whole: its game has this table's seats and only existing cards."""
        try:
            state = decode(veiled.data)
        except (MsgspecError, ValueError, RecursionError):
            raise _cannot_be("Veiled.data") from None
        if veiled.seat != self.me or len(state.seats) != self.seats or len(veiled.doors) != self.seats:
            raise _cannot_be("Veiled.seat")
        hidden = Consistency(self.definitions, self.me, self.seats)
        hidden.cards += STAND_INS
        _check(veiled, hidden)
        _check(state, hidden)

    def _know_table(self, info: wire.TableInfo, me: int) -> None:
        seats = len(info.seats)
        if self.seats not in (SEATS_MOST, seats):
            raise _cannot_be("TableInfo.seats")
        if not -1 <= me < seats:
            raise _cannot_be("Welcome.seat")
        packs = [pack.hash for pack in info.packs]
        if not packs or self._packs not in ([], packs):
            raise _cannot_be("TableInfo.packs")
        _different("PackInfo.set_id", [pack.set_id for pack in info.packs])
        self.seats, self.me, self._packs = seats, me, packs


def _check_fight(fight: FightView, definitions: Sequence["Def"]) -> None:
    if fight.seat < 0:
        raise _cannot_be("FightView.seat")
    _different("MonsterView.id", [monster.id for monster in fight.monsters])
    own = {monster.id: monster.defn for monster in fight.monsters}  # a second one has the id of its card
    for term in (*fight.hero_terms, *fight.foe_terms):
        defn = own.get(term.card, term.card & DEFN_MASK)
        if term.mod >= 0 and defn < len(definitions) and term.mod >= len(definitions[defn].strength):
            raise _cannot_be("Term.mod")


def _different(name: str, values: Sequence[object]) -> None:
    """Raise WireError if two of these are equal."""
    if len(set(values)) != len(values):
        raise _cannot_be(name)


def _cannot_be(place: str) -> WireError:
    return WireError("bad_schema", f"{place} cannot be at this table", place)


# ------------------------------------------------------------------------------------------------ checks for each type
def _check(value: Struct, table: Consistency) -> None:
    check = _checks(type(value))
    if check is not None:
        check(value, table)


@cache
def _checks(struct: type) -> Check | None:
    """Return the check of a struct; None if it can hold no seat and no card."""
    fields = _fields(struct)
    if not fields:
        return None
    hints = _hints(struct)
    seats = [name for name, _ in fields if number_in(hints[name]) == "seat"]
    cards = [name for name, _ in fields if number_in(hints[name]) == "card"]
    others = [(attrgetter(name), check) for name, check in fields if name not in (*seats, *cards)]
    all_seats, all_cards, checks = _all(seats), _all(cards), dict(fields)
    places = _PLACES.get(struct)

    def check(value: Any, table: Consistency) -> None:
        if seats and max(all_seats(value)) >= table.seats:
            for name in seats:
                checks[name](getattr(value, name), table)
        most = table.cards
        for card in all_cards(value):
            if card & DEFN_MASK >= most and card >= 0:
                for name in cards:
                    checks[name](getattr(value, name), table)
        for get, inner in others:
            part = get(value)
            if part:
                inner(part, table)
        if places is not None and table.definitions:
            places(value, table.definitions)

    return check


@cache
def _fields(struct: type) -> tuple[tuple[str, Check], ...]:
    """Return the fields of a struct that can hold a seat or a card, each with its check."""
    checks = [(name, _of_type(hint, f"{struct.__name__}.{name}")) for name, hint in _hints(struct).items()]
    return tuple([(name, check) for name, check in checks if check is not None])


@cache
def _hints(struct: Any) -> dict[str, Any]:
    """Return the types of the fields of a struct, with their annotations."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: hints[name] for name in struct.__struct_fields__}


def _all(names: list[str]) -> Callable[[Any], tuple[int, ...]]:
    """Return a function that reads these fields of a struct."""
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda value: (getattr(value, names[0]),)) if names else (lambda value: ())


def _of_type(hint: Any, name: str) -> Check | None:
    """Return the check of values of this type; None if they can hold no seat and no card."""
    number = number_in(hint)
    if number in _NUMBERS:
        return _NUMBERS[number](name)
    if isinstance(hint, type) and issubclass(hint, Struct):
        return _checks(hint)
    inside, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return _of_type(inside[0], name)
    if origin in (Union, UnionType):
        return _of_union(inside, name)
    if origin is list or (origin is tuple and inside[-1] is Ellipsis):
        return _of_list(inside[0], name)
    if origin is tuple:
        return _of_tuple([_of_type(item, name) for item in inside])
    if origin is dict:
        return _of_map(*(_of_type(item, name) for item in inside))
    return None


def _of_union(members: tuple[Any, ...], name: str) -> Check | None:
    """Return the check of a union: of structs, or of something and None."""
    structs = [member for member in members if isinstance(member, type) and issubclass(member, Struct)]
    if len(structs) > 1:
        return _check_any if any(map(_checks, structs)) else None
    inner = next(filter(None, (_of_type(member, name) for member in members)), None)
    if inner is None:
        return None

    def check(value: Any, table: Consistency) -> None:
        if value is not None:
            inner(value, table)

    return check


def _check_any(value: Struct | None, table: Consistency) -> None:
    if value is not None:
        _check(value, table)


def _of_list(item: Any, name: str) -> Check | None:
    number = number_in(item)
    if number in _LISTS:
        return _LISTS[number](name)
    inner = _of_type(item, name)
    if inner is None:
        return None

    def check(values: Any, table: Consistency) -> None:
        for value in values:
            inner(value, table)

    return check


def _of_tuple(checks: list[Check | None]) -> Check | None:
    def check(values: Any, table: Consistency) -> None:
        for value, inner in zip(values, checks):
            if inner is not None:
                inner(value, table)

    return check if any(checks) else None


def _of_map(of_key: Check | None, of_value: Check | None) -> Check | None:
    def check(values: Any, table: Consistency) -> None:
        for key, value in values.items():
            if of_key is not None:
                of_key(key, table)
            if of_value is not None:
                of_value(value, table)

    return check if of_key or of_value else None


def _seat(name: str) -> Check:
    def check(seat: int, table: Consistency) -> None:
        if seat >= table.seats:
            raise _cannot_be(name)

    return check


def _card(name: str) -> Check:
    def check(card: int, table: Consistency) -> None:
        if card >= 0 and card & DEFN_MASK >= table.cards:
            raise _cannot_be(name)

    return check


def _option(name: str) -> Check:
    def check(option: int, table: Consistency) -> None:
        if option > DEFN_MASK and option & DEFN_MASK >= table.cards:
            raise _cannot_be(name)

    return check


def _seats(name: str) -> Check:
    def check(seats: Sequence[int], table: Consistency) -> None:
        if max(seats, default=-1) >= table.seats:
            raise _cannot_be(name)

    return check


def _cards(name: str) -> Check:
    def check(cards: Sequence[int], table: Consistency) -> None:
        for card in cards:
            if card & DEFN_MASK >= table.cards and card >= 0:
                raise _cannot_be(name)

    return check


def _options(name: str) -> Check:
    def check(options: Sequence[int], table: Consistency) -> None:
        for option in options:
            if option & DEFN_MASK >= table.cards and option > DEFN_MASK:
                raise _cannot_be(name)

    return check


def _pile(name: str) -> Check:
    def check(pile: Sequence[int], table: Consistency) -> None:
        if pile and (max(pile) >= table.cards or min(pile) < 0):
            raise _cannot_be(name)

    return check


def _in_definition(card: str, place: str, most: Callable[["Def"], int]) -> "PlaceCheck":
    """Return the check that an index exists on its card. most: how many entries a definition has."""

    def check(value: Any, definitions: Sequence["Def"]) -> None:
        at, defn = getattr(value, place), getattr(value, card) & DEFN_MASK
        if at >= 0 and defn < len(definitions) and at >= most(definitions[defn]):
            raise _cannot_be(f"{type(value).__name__}.{place}")

    return check


_PLACES: dict[type, PlaceCheck] = {
    Lasting: _in_definition("defn", "code", lambda definition: len(definition.lingers)),
    ThrowView: _in_definition("defn", "part", lambda definition: len(definition.parts)),
    Program: _in_definition("defn", "part", lambda definition: len(definition.parts)),
    Use: _in_definition("card", "ability", lambda definition: len(definition.powers)),
}
"""Numbers that are indices of a list of their card's definition."""
_NUMBERS: dict[str, Callable[[str], Check]] = {"seat": _seat, "card": _card, "option": _option, "pile": _pile}
"""The check of one number, by what it means (core/state/numbers.py)."""
_LISTS: dict[str, Callable[[str], Check]] = {"seat": _seats, "card": _cards, "option": _options}
"""The check of a list of such numbers."""
