"""A rate: its burst, its limit in the long run, and the time to wait for more."""

import pytest

from netcode.token_bucket import TokenBucket, of_ms


def test_it_gives_what_may_be_used_at_once_and_nothing_more() -> None:
    bucket = TokenBucket((1, 3))
    assert [bucket.take(0) for _ in range(3)] == [0, 0, 0] and bucket.take(0) > 0
    assert bucket.take(1000, 3) == 0 and bucket.take(1000) > 0, "however long nothing was used, it holds no more"


def test_what_does_not_fit_uses_nothing() -> None:
    bucket = TokenBucket((1, 3))
    assert bucket.take(0, 4) > 0 and bucket.is_full(0) and bucket.take(0, 3) == 0 and not bucket.is_full(0)


@pytest.mark.parametrize("amount", [1, 2])
def test_the_time_to_wait_is_long_enough_and_not_longer(amount: int) -> None:
    bucket = of_ms((3, 2))
    assert bucket.take(0, 2) == 0
    wait = bucket.take(0, amount)
    assert bucket.take(wait - 1, amount) == 1 and bucket.take(wait, amount) == 0 and bucket.take(wait, amount) > 0


def test_a_bucket_that_is_never_refilled_says_so_by_a_long_wait() -> None:
    bucket = TokenBucket((0, 1))
    assert bucket.take(0) == 0 and bucket.take(1e6) > 1e6
