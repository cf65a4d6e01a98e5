"""Whatever an evil host can say and a client takes can be drawn: without an error, and at a bounded cost."""

import tracemalloc
from typing import Any

import msgspec
import pytest
from msgspec.msgpack import Decoder, decode, encode

from core.state.views import View
from netcode.protocol import codec, wire
from netcode.protocol.codec import WireError
from netcode.protocol.consistency import Consistency
from netcode.protocol.wire import NumberedEvent
from tests.netcode.protocol.evil_messages import evil_values, packed, whole
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tests.tui.region_lines import regions
from tui.scene.table_session import TableSession

VIEWS = Decoder(View)
MEMORY = 30_000_000
"""Bytes that drawing a view may take at most; an honest one takes half a million."""


def fits() -> Consistency:
    """Return what fits the table of the samples."""
    return Consistency(samples.catalog().cards, samples.ME, 6)


def taken(view: View) -> list[tuple[str, View]]:
    """Return for each field of a view the evil values that a client takes, two of each field at most."""
    found: list[tuple[str, View]] = []
    fields: dict[str, int] = {}
    for name, value in evil_values(decode(encode(view)), View):
        field = name.split(":")[0]
        try:
            evil = VIEWS.decode(packed(value))
            fits().check_view(evil)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, WireError):
            continue
        fields[field] = fields.get(field, 0) + 1
        if fields[field] <= 2:
            found.append((name, evil))
    return found


@pytest.mark.parametrize("sample", [samples.own_combat, samples.your_turn, samples.interrupt])
def test_every_view_that_a_client_takes_can_be_drawn(sample: Any) -> None:
    drawn = taken(sample())
    assert len(drawn) > 60
    tracemalloc.start()
    try:
        for name, view in drawn:
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            for region, lines in regions(samples.scene(view), 100, 30):
                assert all(isinstance(line, tuple) for line in lines), f"{name}, {region}"
            assert tracemalloc.get_traced_memory()[1] - before < MEMORY, name
    finally:
        tracemalloc.stop()


def test_every_message_that_a_client_takes_can_be_heard() -> None:
    """Events, forecasts and the table itself: the log, the moments and the scene are made of them."""
    view = samples.your_turn()
    honest = decode(encode(wire.Update(1, 1, view)), strict=False)
    honest["events"] = [{"no": no, "event": event} for no, event in enumerate(whole(wire.Delta)["events"], 1)]
    messages = [*evil_values(honest, wire.Update), *evil_values(decode(encode(wire.Info(samples.info()))), wire.Info)]
    heard = 0
    for name, value in messages:
        try:
            message = codec.unpack_told(packed({"k": "update" if "seq" in value else "info", **value}))
            fits().check(message)
        except WireError:
            continue
        heard += 1
        client = FakeClient(view)
        session = TableSession(client, samples.catalog())
        try:
            client.tell(message)
            session.scene()
        except Exception as problem:
            raise AssertionError(name) from problem
    assert heard > 300 and NumberedEvent
