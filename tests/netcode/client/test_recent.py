"""The events that a client keeps are bounded in number and size."""

from core.state import events as ev
from netcode.client.recent import Recent
from netcode.protocol import wire
from netcode.protocol.codec import packed


def told(number: int, cards: int) -> wire.NumberedEvent:
    return wire.NumberedEvent(number, ev.Shown(0, 1, [2**40] * cards))


def test_the_oldest_are_forgotten_when_there_are_many() -> None:
    kept = Recent[wire.NumberedEvent](10, 10_000)
    kept.extend(told(number, 1) for number in range(25))
    assert [item.no for item in kept] == list(range(15, 25))


def test_long_ones_take_no_more_room_than_many_short_ones() -> None:
    kept = Recent[wire.NumberedEvent](1000, 50_000)
    for number in range(100):
        kept.extend([told(number, 1000)])
        assert sum(len(packed(item)) for item in kept) <= 50_000
    assert [item.no for item in kept] == list(range(95, 100))
    kept.clear()
    kept.extend([told(1, 1)])
    assert [item.no for item in kept] == [1]


def test_one_that_is_too_long_alone_is_not_kept() -> None:
    kept = Recent[wire.NumberedEvent](10, 100)
    kept.extend([told(1, 1), told(2, 1000)])
    assert not kept
