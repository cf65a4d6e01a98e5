"""Data of a host or a recording is bounded, and fits its table, before anything uses it.

Every field of every type that comes down has a bound of its own. A value beyond it, or one that contradicts other data,
is a WireError: never another error, and never an accepted message.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import inspect
from msgspec.structs import replace

import cards
from core.knowledge.veil import veil
from core.language.catalog import load
from core.scenario.cast import Cast, lay_out
from core.scenario.runner import load as load_scenarios
from core.scenario.steps import ScenarioGame
from core.state.events import seen_by
from core.state.forecasts import Forecast
from core.state.model import Excess, State, decode, encode
from core.state.veiled import UNTOLD, Veiled
from core.state.views import View
from core.view import view
from netcode.protocol import codec, wire
from netcode.protocol.codec import WireError
from netcode.protocol.consistency import Consistency
from netcode.protocol.deltas import Folder, Own
from netcode.protocol.revealed_game import RevealedGame
from netcode.recording.recording import Header
from netcode.recording.story import Story
from tests.blends import BLENDS, catalog_of
from tests.core.random_table import RandomTable
from tests.netcode.protocol.evil_messages import evil_frames, packed, whole_messages
from tests.netcode.protocol.table_messages import (
    CARDS,
    PACKS,
    UNKNOWN,
    catalog,
    changed,
    delta,
    honest_view,
    welcome,
)
from tests.netcode.protocol.wire_messages import DOWN
from tests.thorough import examples

COME_DOWN: list[Any] = [*DOWN, wire.Update, View, Own, State, Veiled, Forecast, Header, Story, RevealedGame]
"""Every type that a host or a file fills; all others are inside them."""


# ----------------------------------------------------------------------------------------------- every field is bounded
def unbounded(kind: inspect.Type, where: str, done: set[type]) -> Iterator[str]:
    """Yield the fields in a type that have no bound, as `Type.field`."""
    match kind:
        case inspect.Metadata(extra={"number": "pile"}):  # its definitions are checked by Consistency
            yield from [where] if getattr(kind.type, "max_length", None) is None else []
        case inspect.Metadata():
            yield from unbounded(kind.type, where, done)
        case inspect.IntType():
            least = kind.ge if kind.ge is not None else kind.gt
            most = kind.le if kind.le is not None else kind.lt
            yield from [where] if least is None or most is None else []
        case inspect.StrType() | inspect.BytesType():
            yield from [where] if kind.max_length is None else []
        case inspect.ListType() | inspect.VarTupleType():
            yield from [where] if kind.max_length is None else []
            yield from unbounded(kind.item_type, where, done)
        case inspect.DictType():
            yield from [where] if kind.max_length is None else []
            yield from unbounded(kind.key_type, f"{where} (keys)", done)
            yield from unbounded(kind.value_type, where, done)
        case inspect.TupleType():
            for item in kind.item_types:
                yield from unbounded(item, where, done)
        case inspect.UnionType():
            for member in kind.types:
                yield from unbounded(member, where, done)
        case inspect.StructType() if kind.cls not in done:
            done.add(kind.cls)
            for field in kind.fields:
                yield from unbounded(field.type, f"{kind.cls.__name__}.{field.name}", done)
        case inspect.StructType() | inspect.BoolType() | inspect.NoneType() | inspect.LiteralType():
            return
        case _:
            yield where


@pytest.mark.parametrize("kind", COME_DOWN, ids=lambda kind: kind.__name__)
def test_every_field_of_what_comes_down_has_a_bound(kind: Any) -> None:
    found = list(unbounded(inspect.type_info(kind), kind.__name__, set()))
    assert not found, f"no bound for {', '.join(found)}: use a type of core/state/numbers.py, or a Meta of your own"


def test_a_field_without_a_bound_is_found_by_its_name() -> None:
    class Inner(msgspec.Struct):
        count: int

    class Outer(msgspec.Struct):
        inner: list[Inner | None]

    assert list(unbounded(inspect.type_info(Outer), "", set())) == ["Outer.inner", "Inner.count"]


# ----------------------------------------------------------------------------------------------------- what was seen
def heard(*messages: wire.Down | dict[str, Any]) -> list[wire.Told]:
    """Return the results of these messages at a client of seat 0 that knows the cards. Raises WireError."""
    told: list[wire.Told] = []
    fits, folder = Consistency(), Folder()
    for message in messages:
        found: wire.Told = codec.unpack_down(packed(message) if isinstance(message, dict) else codec.pack(message))
        fits.check(found)
        if isinstance(found, wire.Delta):
            found = folder.fold(found, 1, wire.Timers())
            fits.check(found)
        fits.know_cards(catalog().cards)
        told.append(found)
    return told


def test_an_honest_welcome_and_view_are_taken() -> None:
    told = heard(welcome(), delta(honest_view()))
    assert isinstance(told[1], wire.Update) and told[1].view is not None


@pytest.mark.parametrize(("where", "value"), [
    ("seats.0.2", 50_000_000), ("seats.0.2", 2**60), ("seats.0.2", -1), ("seats.0.1", 2**60), ("seats", []),
    ("seats.1.0", 0), ("seats.1.0", 7), ("turn", 3), ("you.1", [UNKNOWN]), ("door_top", CARDS), ("limbo", [UNKNOWN]),
    ("winners", [3]), ("win_level", 0), ("doors", 2**60), ("you.0", 1), ("you.1", [70000, 70000]), ("top", "x" * 5000),
])  # fmt: skip
def test_a_view_that_cannot_be_is_refused(where: str, value: Any) -> None:
    with pytest.raises(WireError) as refused:
        heard(welcome(), delta(changed(where, value)))
    assert refused.value.place


@pytest.mark.parametrize("messages", [
    [welcome(seats=[])], [welcome(packs=[])], [welcome(3)], [welcome(packs=[*PACKS, *PACKS])],
    [welcome(), wire.Info(wire.TableInfo("t", [wire.SeatInfo()] * 4, packs=PACKS))],
    [welcome(), wire.Info(wire.TableInfo("t", [wire.SeatInfo()] * 3, packs=[wire.PackInfo("x", "1" * 32)]))],
    [welcome(), wire.Talk(3, "Kim", "hi")], [welcome(), wire.Ticked(wire.Timers(prompts={3: 9}))],
    [welcome(), wire.Voted(5, True)], [welcome(owner=3)], [welcome(agreed=[3])],
    [wire.Tables(1, [wire.TableRow("a", ["x"], 4), wire.TableRow("a", ["y"], 4)])],
    [wire.Tables(1, [wire.TableRow("a", [], 4)])], [wire.Tables(1, [wire.TableRow("a", ["x"], 2**60)])],
    [wire.Way("a/b#c", b"t" * 16)], [wire.Way("a", b"t")], [wire.Strings(b"t", b"t" * 16)],
    [wire.PackPart("x", 5, 3, b"abc")], [wire.PackPart("x", 0, 2**40, b"abc")], [wire.PackPart("x", 0, 3, b"")],
])  # fmt: skip
def test_a_message_that_cannot_be_is_refused(messages: list[wire.Down]) -> None:
    with pytest.raises(WireError):
        heard(*messages)


def test_cards_are_checked_as_soon_as_the_packs_are_read() -> None:
    fits = Consistency(me=0, seats=3)
    seen = msgspec.convert(changed("limbo", [UNKNOWN]), View)
    fits.check_view(seen)
    with pytest.raises(WireError, match=r"View\.limbo"):
        fits.know_cards(catalog().cards)


# ----------------------------------------------------------------------------------------------- every field, each way
def test_every_evil_message_is_taken_or_refused_with_nothing_of_its_own() -> None:
    taken = refused = 0
    for message in whole_messages().values():
        for name, frame in evil_frames(message):
            try:
                found: wire.Told = codec.unpack_down(frame)
                fits = Consistency(me=0, seats=1)
                fits.check(found)
                if isinstance(found, wire.Delta):
                    fits.check(Folder().fold(found, 1, wire.Timers()))
                taken += 1
            except WireError as problem:
                refused += 1
                assert re.fullmatch(r"[A-Za-z0-9_.,\[\] ]*", problem.place) and "no-such" not in problem.place, name
    assert refused > 4000 and taken > 500


HONEST = st.sampled_from([(message["k"], message) for message in whole_messages().values()])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=20) | st.binary(max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.integers(-3, 20) | st.text(max_size=6), inner),
    max_leaves=30,
)


@pytest.mark.long
@settings(max_examples=examples(300, 10), deadline=None)
@given(HONEST, st.data())
def test_any_value_in_any_field_is_taken_or_refused(honest: tuple[str, dict[str, Any]], data: st.DataObject) -> None:
    _, message = honest
    fields = st.dictionaries(st.sampled_from(sorted(set(message) - {"k"})), VALUES, min_size=1, max_size=3)
    frame = packed({**message, **data.draw(fields)})
    try:
        found: wire.Told = codec.unpack_down(frame)
        fits = Consistency(me=0, seats=3)
        fits.check(found)
        if isinstance(found, wire.Delta):
            fits.check(Folder().fold(found, 1, wire.Timers()))
    except WireError as problem:
        assert problem.code in ("bad_frame", "bad_schema")


# ------------------------------------------------------------------------------------------------------ what is honest
@pytest.mark.long(4)
@pytest.mark.parametrize("sets", BLENDS, ids="+".join)
@pytest.mark.parametrize("seats", [3, 6])
def test_whole_games_of_all_sets_fit(sets: tuple[str, ...], seats: int) -> None:
    there = load([cards.pack_files(one) for one in sets])
    table = RandomTable(there, seats, 7)
    fits = {seat: Consistency(there.cards, seat, seats) for seat in range(-1, seats)}
    for number in range(400):
        if table.state.winners:
            break
        events = table.act()
        for seat in (-1, number % seats):
            told = [event for event in (seen_by(event, seat) for event in events) if event is not None]
            numbered = [wire.NumberedEvent(no, event) for no, event in enumerate(told, 1)]
            update = wire.Update(1, 1, view(there, table.state, seat), numbered)
            if number % 5 == 0 <= seat:
                update.veiled = veil(there, table.state, seat)
            fits[seat].check(codec.unpack_told(codec.packed(update)))


@pytest.mark.parametrize("double", ["Life Partner", "Photocopier"])
def test_a_second_monster_under_the_id_of_the_card_that_brought_it_fits(double: str) -> None:
    """The bonus of its own is printed on its monster, while the card that brought it has none."""
    text = f"""
[[scenario]]
name = "two of one name"
proves = ["combat.clone"]
doors = ["Bearbug"]
dice = [2]
open = true
steps = [
  {{ by = "Ann", do = "kick" }},
  {{ pass = "all" }},
  {{ by = "Bo", do = "play", card = "{double}", target = "Bearbug", expect = {{ foes = 20 }} }},
]
[scenario.seats.Ann]
table = ["Orc"]
[scenario.seats.Bo]
hand = ["{double}"]
"""
    there = catalog_of(("munchkins-and-mazes", "apocalypse"))
    (scenario,) = load_scenarios(text.encode(), "it.toml")
    cast = Cast(there, scenario)
    game = ScenarioGame(cast, lay_out(cast))
    for step in scenario.steps:
        assert game.do(step) is None, game.reason
    seen = view(there, game.state, 0)
    assert seen.fight is not None
    own = [term for term in seen.fight.foe_terms if term.mod >= 0]
    assert len(own) == 2
    Consistency(there.cards, 0, 3).check_view(seen)
    for at, term in enumerate(seen.fight.foe_terms):
        seen.fight.foe_terms[at] = replace(term, mod=9)
        with pytest.raises(WireError, match=r"Term\.mod"):
            Consistency(there.cards, 0, 3).check_view(seen)
        seen.fight.foe_terms[at] = term


def test_a_veiled_game_may_hold_answers_and_cards_that_a_seat_was_not_told() -> None:
    """A bot left an honest host because of them."""
    table = RandomTable(catalog_of(BLENDS[0]), 3, 1)
    table.state.stack.append(Excess(seat=1, what="big", cards=UNTOLD * 2, sale=UNTOLD, answers={-2: UNTOLD, 1: UNTOLD}))
    assert decode(encode(table.state)).stack[-1] == table.state.stack[-1]
