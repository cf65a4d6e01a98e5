"""The table as lines, with a fake client."""

from netcode.protocol import wire
from tests.tui import samples
from tests.tui.plain.plain_desk import plain

GOES_ON = "An empty line goes on."


async def test_a_second_wait_is_told_too_though_the_first_one_was_never_seen_to_end() -> None:
    async with plain(samples.idle(), samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        pilot.show(samples.idle())
        await pilot.until(GOES_ON)
        await pilot.type("")
        assert pilot.client.sets[0] == {"skip": True}
        pilot.show(samples.idle())  # the bots went on at once, and wait again
        await pilot.until(GOES_ON, times=2)
