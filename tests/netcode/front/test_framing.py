"""The framing of a front: whole frames come out unchanged, whatever the chunks, and nothing else comes out."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netcode.front.framing import HEARTBEAT, MESSAGE, Framing, Violation
from netcode.protocol import codec, limits, wire
from tests.faults.raw_zmtp import ATTACKS, greeting
from tests.netcode.front.zmtp_stream import GREETING, HANDSHAKE, HEARTBEAT_FRAME, HELLO_FRAME, INITIATE_FRAME, message
from tests.thorough import examples

LONGEST = 1024
sizes = st.lists(st.integers(MESSAGE, LONGEST), max_size=12)
cuts = st.lists(st.integers(1, 400), min_size=1, max_size=40)


def chunks(stream: bytes, sizes: list[int]) -> list[bytes]:
    """Cut a stream into chunks of these sizes, in turn and again."""
    found, at, turn = [], 0, 0
    while at < len(stream):
        found.append(stream[at : at + sizes[turn % len(sizes)]])
        at += len(found[-1])
        turn += 1
    return found


@given(sizes, cuts)
def test_frames_come_out_whole_and_in_order_whatever_the_chunks(sizes: list[int], cuts: list[int]) -> None:
    frames = [HELLO_FRAME, INITIATE_FRAME, *map(message, sizes)]
    framing, out = Framing(LONGEST), []
    for chunk in chunks(GREETING + b"".join(frames), cuts):
        out += framing.feed(chunk)
        assert framing.held <= LONGEST + 9, "it holds more than the rest of one frame"
    assert b"".join(frame.data for frame in out if frame.stage == "greeting") == GREETING
    assert [frame.data for frame in out if frame.stage != "greeting"] == frames
    assert framing.held == 0


def test_each_byte_of_a_greeting_after_its_signature_is_passed_on_at_once() -> None:
    """Peers wait for each other there."""
    framing = Framing(LONGEST)
    framing.feed(GREETING[:10])
    for at in range(10, len(GREETING)):
        assert [frame.data for frame in framing.feed(GREETING[at : at + 1])] == [GREETING[at : at + 1]]


beginnings = st.sampled_from([b"", GREETING[:10], GREETING, GREETING + HELLO_FRAME, HANDSHAKE])


@given(st.binary(max_size=3000), cuts, beginnings)
@pytest.mark.long
@settings(max_examples=examples(300))
def test_of_any_bytes_only_whole_frames_come_out(noise: bytes, cuts: list[int], before: bytes) -> None:
    framing, passed = Framing(LONGEST), b""
    stream = before + noise
    try:
        for chunk in chunks(stream, cuts):
            passed += b"".join(frame.data for frame in framing.feed(chunk))
            assert framing.held <= LONGEST + 9
    except Violation:
        pass
    assert stream.startswith(passed), "it passes on what was not sent"
    at = 64
    while at < len(passed):
        long = passed[at] & 2
        size = int.from_bytes(passed[at + 1 : at + 9]) if long else passed[at + 1]
        at += (9 if long else 2) + size
    assert len(passed) <= 64 or at == len(passed), "half a frame came out"


@given(st.integers(0, len(HANDSHAKE) - 1), st.integers(1, 255))
def test_a_damaged_byte_of_the_handshake_never_makes_it_longer(place: int, change: int) -> None:
    damaged = bytearray(HANDSHAKE)
    damaged[place] ^= change
    framing = Framing(LONGEST)
    try:
        out = framing.feed(bytes(damaged))
    except Violation:
        return
    assert sum(len(frame.data) for frame in out) + framing.held <= len(HANDSHAKE)


@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in ("an invalid HELLO", "a greeting cut off")])
def test_what_strangers_send_is_a_violation(name: str) -> None:
    framing = Framing(LONGEST)
    with pytest.raises(Violation):
        for part in ATTACKS[name]:
            framing.feed(part)


def test_a_frame_that_announces_too_much_is_refused_by_its_head() -> None:
    framing = Framing(LONGEST)
    framing.feed(HANDSHAKE)
    with pytest.raises(Violation, match="size"):
        framing.feed(b"\x02" + (LONGEST + 1).to_bytes(8, "big"))


def test_a_server_and_other_mechanisms_are_refused() -> None:
    for wrong in (greeting(server=True), greeting(b"NULL"), greeting(b"PLAIN")):
        with pytest.raises(Violation, match="greeting"):
            Framing(LONGEST).feed(wrong)


def test_heartbeats_are_told_from_messages_by_their_length() -> None:
    framing = Framing(LONGEST)
    framing.feed(HANDSHAKE)
    heartbeat, longest, shortest = framing.feed(HEARTBEAT_FRAME + message(HEARTBEAT) + message(HEARTBEAT + 1))
    assert heartbeat.heartbeat and longest.heartbeat and not shortest.heartbeat


def test_every_message_of_ours_is_longer_than_a_heartbeat() -> None:
    session = bytes(16)
    shortest: list[wire.Up] = [
        wire.Ping(session, 0), wire.Sync(session), wire.Leave(session), wire.Set(session), wire.Say(session, "a"),
        wire.ListTables(session), wire.Hello(wire.WIRE, wire.WIRE, "", b"", "A"),
    ]  # fmt: skip
    for sample in shortest:
        assert len(codec.pack(sample)) + MESSAGE > HEARTBEAT, f"{type(sample).__name__} looks like a heartbeat"


def test_the_longest_hello_of_a_newcomer_fits() -> None:
    hello = wire.Hello(
        1, 1, "t" * limits.TABLE_CHARS, bytes(limits.TOKEN_BYTES), "ä" * limits.NAME_CHARS, "player",
        "v" * limits.VERSION_CHARS, "l" * limits.LEVEL_CHARS,
    )  # fmt: skip
    assert len(codec.pack(hello)) + MESSAGE < limits.NEWCOMER_FRAME_BYTES
    assert len(HANDSHAKE) + limits.NEWCOMER_FRAME_BYTES < limits.DOOR_BYTES < limits.NEWCOMER_BYTES.burst
