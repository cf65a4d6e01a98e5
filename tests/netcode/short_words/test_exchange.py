"""The exchange gives the join string to whoever has the same words. It gives nothing for other words, or for a message
that was changed or replayed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netcode.short_words import frames
from netcode.short_words.exchange import ClientSide, ExchangeError, HostSide
from netcode.short_words.messages import Way
from netcode.short_words.word_list import renewed, word_list

WORDS = "otter-lamp-42"
WAY = Way("3fa2c1", bytes(range(32)), b"t" * 16)
WORD = st.sampled_from(word_list())
ways = st.builds(
    Way, st.text("0123456789abcdef", min_size=1, max_size=24), st.binary(min_size=32, max_size=32),
    st.binary(min_size=16, max_size=16),
)  # fmt: skip


@settings(max_examples=15, deadline=None)
@given(ways, WORD, WORD, st.sampled_from(frames.NUMBERS))
def test_the_same_words_lead_to_the_way_of_the_host(way: Way, one: str, two: str, number: int) -> None:
    client = ClientSide(words := f"{one}-{two}-{number}")
    host = HostSide(words, client.call)
    assert (len(client.call), len(host.message)) == (frames.CALL, frames.MESSAGE)
    assert host.is_proved(client.prove(host.message))
    answer = host.answer(way)
    assert len(answer) == frames.PROOF + frames.BOX and client.way(answer) == way
    shown = client.call + host.message + answer
    assert not any(secret in shown for secret in (way.token, words.encode(), way.key))


@given(st.sampled_from(frames.NUMBERS))
def test_a_call_that_is_passed_on_is_read_as_the_client_has_sent_it(number: int) -> None:
    call = frames.make_call(number, b"A" + bytes(32))
    assert frames.as_called(call) == (call, False) and frames.as_called(frames.passed_on(call)) == (call, True)
    assert len(frames.passed_on(call)) == frames.CALL
    for size in range(len(call)):
        assert frames.as_called(call[:size]) == (call[:size], False)


@settings(max_examples=10, deadline=None)
@given(WORD, WORD)
def test_other_words_prove_nothing_and_learn_nothing(one: str, two: str) -> None:
    other = f"{one}-{two}-42"
    client = ClientSide(other if other != WORDS else renewed(WORDS))
    host = HostSide(WORDS, client.call)
    assert not host.is_proved(client.prove(host.message))
    with pytest.raises(ExchangeError):
        client.way(host.answer(WAY))


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_a_changed_byte_anywhere_ends_the_exchange(data: st.DataObject) -> None:
    """The man in the middle changes one byte of one of the five parts."""
    part = data.draw(st.sampled_from(["call", "message", "proof", "answer"]))

    def passed(name: str, what: bytes) -> bytes:
        if name != part:
            return what
        at = data.draw(st.integers(len(frames.MAGIC) if name == "call" else 0, len(what) - 1))
        return what[:at] + bytes([what[at] ^ data.draw(st.integers(1, 255))]) + what[at + 1 :]

    client = ClientSide(WORDS)
    try:
        host = HostSide(WORDS, passed("call", client.call))
        proof = passed("proof", client.prove(passed("message", host.message)))
    except ValueError:  # an impossible number of words, or not a point of the group
        return
    if not host.is_proved(proof):
        return
    assert part == "answer"
    with pytest.raises(ExchangeError):
        client.way(passed("answer", host.answer(WAY)))


def test_nothing_of_an_older_exchange_opens_a_new_one() -> None:
    client = ClientSide(WORDS)
    host = HostSide(WORDS, client.call)
    proof, answer = client.prove(host.message), host.answer(WAY)
    again = HostSide(WORDS, client.call)  # a replay of the call, and then of the proof
    assert again.message != host.message and not again.is_proved(proof)
    other = ClientSide(WORDS)  # a false host replays what the true one has said
    assert not host.is_proved(other.prove(host.message))
    with pytest.raises(ExchangeError):
        other.way(answer)


def test_a_message_that_comes_back_to_its_sender_is_refused() -> None:
    for side in (b"A", b"B", b"S"):
        client = ClientSide(WORDS)
        with pytest.raises(ExchangeError):
            client.prove(side + client.call[-frames.MESSAGE + 1 :])


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32, bytes(31) + b"\x80"])
def test_points_of_small_order_and_no_points_are_refused(point: bytes) -> None:
    with pytest.raises(ExchangeError):
        HostSide(WORDS, frames.make_call(42, b"A" + point))
    with pytest.raises(ExchangeError):
        ClientSide(WORDS).prove(b"B" + point)


def test_the_number_is_bound_into_the_key() -> None:
    client = ClientSide(WORDS)
    moved = frames.make_call(43, client.call[-frames.MESSAGE :])
    host = HostSide(WORDS, moved)
    assert not host.is_proved(client.prove(host.message))
