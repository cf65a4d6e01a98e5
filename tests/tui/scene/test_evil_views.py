"""Every evil message that a client takes can be drawn without an error and at a bounded cost."""

from typing import get_args

import msgspec
import pytest
from msgspec.msgpack import Decoder, decode, encode

from core.state.events import AnyEvent
from core.state.views import View
from netcode.protocol import codec, wire
from netcode.protocol.codec import WireError
from netcode.protocol.consistency import Consistency
from tests.netcode.protocol.evil_messages import evil_values, packed, whole
from tests.netcode.protocol.table_messages import PACKS
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tests.tui.region_lines import regions
from tui.scene.table_session import TableSession
from tui.widgets.table import head, seats

VIEWS = Decoder(View)
MOST = 100_000
"""The most characters of one region; some regions are lists with several pages."""


def fits() -> Consistency:
    """Return the checks for the table of the samples."""
    return Consistency(samples.catalog().cards, samples.ME, 6)


def taken(view: View) -> list[tuple[str, View]]:
    """Return for each field of a view the first evil value that a client takes: the longest or largest one if the
    client takes that."""
    found: list[tuple[str, View]] = []
    done: set[str] = set()
    for name, value in evil_values(decode(encode(view)), View):
        field = name.split(":")[0]
        if field in done:
            continue
        try:
            evil = VIEWS.decode(packed(value))
            fits().check_view(evil)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, WireError):
            continue
        done.add(field)
        found.append((name, evil))
    return found


@pytest.mark.long(0)
def test_every_view_that_a_client_takes_can_be_drawn() -> None:
    drawn = taken(samples.own_combat())
    assert len(drawn) > 60
    for name, view in drawn:
        try:
            for _, lines in regions(samples.scene(view), 59, 24):
                assert sum(len(text) for line in lines for text, *_ in line) < MOST
        except Exception as problem:
            raise AssertionError(name) from problem


def test_every_event_that_a_client_takes_can_be_told() -> None:
    """The log, its lines in parts, the moments and the scene are made from events."""
    view, told = samples.your_turn(), 0
    for kind in get_args(AnyEvent):
        for name, value in evil_values(whole(kind), kind):
            try:
                event: AnyEvent = Decoder(kind).decode(packed(value))
                update = wire.Update(1, 1, view, [wire.NumberedEvent(1, event)])
                fits().check(update)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, WireError):
                continue
            told += 1
            if told % 3 == 0:  # each kind of value reaches each kind of field often enough
                _hear(name, update, view)
    assert told > 600


def test_every_table_that_a_client_takes_can_be_shown() -> None:
    view = samples.your_turn()
    for name, value in evil_values(decode(encode(wire.Info(samples.info(6, packs=PACKS)))), wire.Info):
        try:
            message = codec.unpack_down(packed({"k": "info", **value}))
            fits().check(message)
        except WireError:
            continue
        _hear(name, message, view)


def _hear(name: str, message: wire.Told, view: View) -> None:
    client = FakeClient(view)
    session = TableSession(client, samples.catalog())
    try:
        client.tell(message)
        if isinstance(message, wire.Info):
            shown = session.scene()
            assert head.draw(shown, 80, 1) and seats.draw(shown, 80, 24)
    except Exception as problem:
        raise AssertionError(name) from problem
