"""Wire frames: any bytes become a message of the wire or a WireError, quickly and in little memory."""

import time
import unicodedata

import msgpack
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.state.actions import Refusal
from netcode.protocol import codec, limits, wire
from netcode.protocol.codec import WireError, clean, pack, unpack_down, unpack_up
from tests.netcode.protocol.sample_messages import DOWN_MESSAGES, UP_MESSAGES, S
from tests.thorough import examples


@given(UP_MESSAGES)
def test_messages_of_a_client_survive_packing(message: wire.Up) -> None:
    assert unpack_up(pack(message)) == message


@given(DOWN_MESSAGES)
def test_messages_of_a_host_survive_packing(message: wire.Down) -> None:
    assert unpack_down(pack(message)) == message


def test_a_timer_tick_is_small() -> None:
    everything = wire.Timers(8000, 8000, 15_000, dict.fromkeys(range(6), 90000), 900)
    assert len(pack(wire.Ticked(everything))) < 250


@pytest.mark.long
@settings(max_examples=examples(300, 10), deadline=None)
@given(st.binary(max_size=400))
def test_noise_is_a_wire_error_and_nothing_else(noise: bytes) -> None:
    for unpack in (unpack_up, unpack_down):
        try:
            unpack(noise)
        except WireError as error:
            assert error.code in ("bad_frame", "bad_schema")


@pytest.mark.long
@settings(max_examples=examples(300, 10), deadline=None)
@given(UP_MESSAGES, st.data())
def test_a_damaged_frame_is_a_message_or_a_wire_error(message: wire.Up, data: st.DataObject) -> None:
    frame = bytearray(pack(message))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    try:
        assert isinstance(unpack_up(bytes(frame)), wire.Up)
    except WireError as error:
        assert error.code in ("bad_frame", "bad_schema")


KINDS = ("hello", "act", "set", "say", "why", "admin", "sync", "nonsense")
FIELDS = ("s", "n", "q", "action", "text", "ready", "name", "lo", "hi", "table", "token")
plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=20) | st.binary(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


@pytest.mark.long
@settings(max_examples=examples(200, 10), deadline=None)
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(FIELDS), plain))
def test_wrong_types_are_refused(kind: str, fields: dict[str, object]) -> None:
    try:
        unpack_up(msgpack.packb({"k": kind, **fields}))
    except WireError as error:
        assert error.code in ("bad_frame", "bad_schema")


@pytest.mark.parametrize("bomb", [
    b"\x91" * 4000,
    b"\xdd\xff\xff\xff\xff" + b"\xc0" * 100,
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    (b"\xdc\xea\x60" * 1300)[:4096],
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xc1",
    b"",
])  # fmt: skip
def test_msgpack_bombs_are_refused_quickly(bomb: bytes) -> None:
    took = []
    for _ in range(5):  # garbage collection may run during one of them
        began = time.process_time()
        with pytest.raises(WireError):
            unpack_up(bomb)
        took.append(time.process_time() - began)
    assert min(took) < 0.05


@pytest.mark.parametrize("fields", [
    {"k": "ping", "s": S, "nonce": 1.0},
    {"k": "ping", "s": S, "nonce": True},
    {"k": "ping", "s": S, "nonce": float("nan")},
    {"k": "ping", "s": S, "nonce": -1},
    {"k": "ping", "s": S, "nonce": 1, "more": 1},
    {"k": "ping", "s": "s" * 16, "nonce": 1},
    {"k": "ping", "s": b"s" * 33, "nonce": 1},
    {"k": "ack", "n": 1, "status": "applied"},
    {"k": "say", "s": S, "text": ""},
    {"k": "say", "s": S, "text": "x" * 301},
    {"k": "act", "s": S, "n": 1, "action": {"do": "close", "window": 1}},
    {"k": "act", "s": S, "n": 1, "action": {"do": "default", "seat": 0, "ask": 1}},
    {"k": "act", "s": S, "n": 1, "action": {"do": "sell", "cards": list(range(65))}},
    {"k": "admin", "s": S, "what": "shutdown"},
    {"k": "set", "s": S, "speed": "warp"},
])  # fmt: skip
def test_what_is_not_in_the_protocol_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(WireError):
        unpack_up(msgpack.packb(fields))


def test_a_frame_too_long_is_neither_read_nor_sent() -> None:
    with pytest.raises(WireError):
        unpack_up(msgpack.packb({"k": "say", "s": S, "text": "x", "more": b"x" * limits.UP_BYTES}))
    with pytest.raises(WireError):
        pack(wire.PackPart("x", 0, 70_000, bytes(limits.DOWN_BYTES)))


def test_a_name_is_cleaned_on_arrival() -> None:
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", b"t", "\x1b[31mK\u202eim\x07")
    message = unpack_up(pack(hello))
    assert isinstance(message, wire.Hello)
    assert message.name == "(31mKim"
    only_dirt = unpack_up(pack(msgspec.structs.replace(hello, name="\u200b\u200b")))
    assert isinstance(only_dirt, wire.Hello) and only_dirt.name == ""


def test_a_hostile_host_cannot_write_to_the_terminal_either() -> None:
    seats = [wire.SeatInfo("\x1b]0;owned\x07Bo", "here")]
    for message in (
        wire.Info(wire.TableInfo("t\x9b31m", seats)),
        wire.Talk(0, "\x1b[2J", "\x1b[2J[bold]x"),
        wire.Refused(1, Refusal("bad", "\x1b[2J")),
        wire.Bye("closing", "\x1b[2J"),
        wire.Error("internal", "\x1b[2J"),
    ):
        texts = repr(unpack_down(pack(message)))
        assert "\\x" not in texts.replace("\\x9b", "X") or "\\x1b" not in texts
        assert "[bold]" not in texts


@given(st.text(max_size=200), st.integers(1, 60))
def test_clean_text_is_one_harmless_line(text: str, limit: int) -> None:
    cleaned = clean(text, limit)
    assert len(cleaned) <= limit
    assert all(unicodedata.category(char)[0] != "C" for char in cleaned)
    assert not set("[]\n\r\t\u2028\u2029") & set(cleaned)
    assert clean(cleaned, limit) == cleaned


def test_stacked_accents_are_cut() -> None:
    assert clean("a" + "\u0316" * 50, 60).count("\u0316") <= 2


def test_the_limits_are_those_of_the_wire() -> None:
    assert (limits.UP_BYTES, limits.DOWN_BYTES) == (4096, 65536)
    assert codec.WireError("bad_frame", "x").text == "x"
