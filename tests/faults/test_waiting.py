"""An action that waits while the host is killed is still carried out afterwards, once."""

from contextlib import AsyncExitStack
from pathlib import Path

from core.state.actions import Answer, Play
from core.state.model import defn_of
from netcode.client.client import Client
from netcode.protocol import wire
from netcode.protocol.credentials import parse_join
from tests.netcode.offline_table import CURSED, card
from tests.netcode.running_host import running_host, seated, shown, you
from tests.patience import PATIENCE_S


def held(client: Client, name: str) -> int:
    """Return a card of this name in a client's hand."""
    assert client.view is not None and client.view.you is not None
    return next(held for held in client.view.you.hand if defn_of(held) == card(name))


async def test_an_action_that_waits_for_a_card_to_be_read_survives_a_killed_host(tmp_path: Path) -> None:
    (tmp_path / "cursed.toml").write_text(CURSED)
    data, answers = str(tmp_path / "data"), list[wire.Ack]()
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(
            running_host(data=data, pace="relaxed", scenario=str(tmp_path / "cursed.toml"))
        )
        kim, roger, ross = await stack.enter_async_context(seated(host, "Kim", "Roger", "Ross"))
        ross.subscribe(lambda message: answers.append(message) if isinstance(message, wire.Ack) else None)
        await roger.do(Play(held(roger, "Hole in the Pocket"), seat=kim.seat))
        await kim.wait_for(lambda one: bool(one.view.you.asks))
        level = shown(ross).seats[ross.seat].level
        n = ross.act(Play(held(ross, "Find a Typo in the Rulse"), seat=ross.seat))
        await ross.wait_for(lambda one: answers == [wire.Ack(n, "queued")])
        host.process.kill()
        host.process.communicate()
        await stack.enter_async_context(running_host(data=data, port=parse_join(host.join).port))
        await ross.wait_for(lambda one: answers == [wire.Ack(n, "queued")] * 2, PATIENCE_S)
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome.epoch == 2, PATIENCE_S)
        ask = you(kim).asks[0]
        assert isinstance(await kim.do(Answer(ask.id, (ask.options[0],))), wire.Ack)
        await ross.wait_for(lambda one: answers[-1] == wire.Ack(n, "applied"))
        assert shown(ross).seats[ross.seat].level == level + 1
