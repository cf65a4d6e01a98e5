"""The turnstile: a limited number pass, the others wait, and addresses take turns."""

from dataclasses import dataclass, field

from netcode.front.turnstile import Turnstile
from tests.netcode.front.running_front import running_front, until
from tests.netcode.front.zmtp_stream import HANDSHAKE, SHORTEST_MESSAGE


@dataclass
class Waiting:
    """Somebody who waits; passed: the names of all who have passed."""

    name: str
    address: str
    passed: list[str] = field(repr=False)
    over: bool = False

    def let_in(self, now: float) -> None:
        """It is its turn."""
        self.passed.append(self.name)


async def test_as_many_pass_at_once_as_the_rate_allows() -> None:
    passed = list[str]()
    turnstile = Turnstile((0, 3))
    for number in range(5):
        turnstile.add(Waiting(str(number), "one", passed))
    assert passed == ["0", "1", "2"]
    turnstile.close()


async def test_each_address_has_its_turn_and_those_who_have_gone_cost_none() -> None:
    passed = list[str]()
    turnstile = Turnstile((0, 10))
    turnstile._budget._left = 1.0
    crowd = [Waiting(f"crowd {number}", "one", passed) for number in range(5)]
    for one in [*crowd, Waiting("two", "two", passed), Waiting("three", "three", passed)]:
        turnstile.add(one)
    crowd[1].over = True
    turnstile._budget._left = 10.0
    await until(lambda: len(passed) == 6)
    assert passed == ["crowd 0", "crowd 2", "two", "three", "crowd 3", "crowd 4"]
    turnstile.add(Waiting("later", "one", passed))
    assert passed[-1] == "later"
    turnstile.close()


async def test_handshakes_finish_in_turn_and_get_in_line_only_when_the_host_has_answered() -> None:
    """A client that does not know the host's key gets no answer and takes nobody's turn."""
    async with running_front(handshakes=(0, 1)) as running:
        running.host.welcomes = False
        for _ in range(3):
            await running.client("127.0.0.9")
        await until(lambda: len(running.host.connections) == 3)
        running.host.welcomes = True
        (first, one), second = await running.pair(), await running.client()
        first.send(SHORTEST_MESSAGE)
        await until(lambda: one.got == HANDSHAKE + SHORTEST_MESSAGE)
        second.send(SHORTEST_MESSAGE)
        await second.welcomed()
        assert len(running.host.connections[-1].got) < len(HANDSHAKE)
        running.front._turnstile._budget._left = 1.0
        await until(lambda: running.host.connections[-1].got == HANDSHAKE + SHORTEST_MESSAGE)
        assert all(len(two.got) < len(HANDSHAKE) for two in running.host.connections[:3])
