"""Text and choices of a player survive a lost connection: the real client in the real app, behind the proxy."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from textual.widgets import Input

from core.state.actions import Flee, Kick, Pass
from netcode.client.client import Client
from netcode.protocol import wire
from tests.e2e.hosts_and_players import RACE
from tests.e2e.tmux_terminal import entry_of
from tests.faults.chaos_proxy import Proxy, proxy_to
from tests.faults.journal_ledger import catalog
from tests.netcode.running_host import running_host, shown
from tests.patience import PATIENCE_S
from tests.tui.app_pilot import screen_lines
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen


class Seat:
    """Ann's screen, and the two other players."""

    def __init__(self, screen: TableScreen, proxy: Proxy, client: Client, others: list[Client]) -> None:
        self.screen, self.proxy, self.client, self.others = screen, proxy, client, others

    async def keys(self, *names: str) -> None:
        """Press these keys."""
        for name in names:
            self.screen.model.keyed.revive()
            self.screen.app.simulate_key(name)
            await asyncio.sleep(0.05)

    def text(self) -> str:
        """Return the text of the whole screen."""
        return "\n".join(screen_lines(self.screen.app))

    async def shows(self, words: str) -> None:
        """Wait until the screen shows this."""
        await self.waits_for(lambda: words in self.text(), words)

    async def is_gone(self, words: str) -> None:
        """Wait until the screen does not show this."""
        await self.waits_for(lambda: words not in self.text(), f"no {words}")

    async def waits_for(self, what: Callable[[], bool], words: str) -> None:
        """Wait until this holds; words: what it is."""
        for _ in range(1000):
            if what():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"expected {words!r}:\n{self.text()}")

    def cut(self) -> None:
        """Cut the network, and wait until the screen says so."""
        self.proxy.change(cut_after=1)
        self.proxy.cut()

    async def press_for(self, words: str) -> None:
        """Press the digit of the choice with these words."""
        await self.shows(words)
        found = entry_of(words).search(self.text())
        assert found is not None, words
        await self.keys(found[1])


@asynccontextmanager
async def in_the_fight() -> AsyncIterator[Seat]:
    """Kim has given up a fight, so a window is open; Ann sits at a real screen."""
    async with running_host(pace="relaxed", scenario=RACE) as host, AsyncExitStack() as stack:
        proxy, join = await stack.enter_async_context(proxy_to(host.join))
        clients = [host.client("Kim"), host.client("Roger"), Client(join, "Ann", keep=False)]
        for client in clients:
            stack.push_async_callback(client.close)
            await client.join()
            client.set(ready=True)
        kim, _, ann = clients
        await kim.wait_for(lambda one: one.view is not None)
        await kim.do(Kick())
        for client in clients[1:]:
            await client.wait_for(lambda one: one.view is not None and one.view.window is not None)
            await client.do(Pass(shown(client).window.id))
        await kim.wait_for(lambda one: one.view.fight is not None)
        await kim.do(Flee())
        app = KickdoorApp(Settings(bell=False))
        await stack.enter_async_context(app.run_test(size=(80, 24), notifications=True))
        session = TableSession(ann, catalog(), app.glyphs)
        screen = TableScreen(session)
        await app.push_screen(screen)
        yield Seat(screen, proxy, ann, clients[:2])


async def test_text_being_typed_stays_and_is_sent_when_the_connection_is_back() -> None:
    async with in_the_fight() as ann:
        heard: list[str] = []
        ann.others[0].subscribe(lambda m: heard.append(m.text) if isinstance(m, wire.Talk) else None)
        await ann.keys("t", "h", "e")
        ann.cut()
        await ann.shows("NO CONNECTION")
        await ann.keys("l", "l", "o")
        line = ann.screen.query_one("#talk-line", Input)
        await ann.keys("enter")
        await ann.shows("Not sent: no connection")
        assert line.value == "hello" and ann.screen.has_class("talking")
        ann.proxy.change()
        await ann.client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        await ann.shows("The connection is back")
        assert line.value == "hello" and line.has_focus
        await ann.keys("enter")
        await ann.others[0].wait_for(lambda one: heard == ["hello"])
        await ann.is_gone("Not sent")
        assert line.value == ""


@pytest.mark.long(0)
async def test_a_half_made_choice_survives_a_lost_connection() -> None:
    async with in_the_fight() as ann:
        await ann.press_for("play Fireball")
        await ann.shows("heroes")
        path = list(ann.screen.model.menus.path)
        assert path
        ann.cut()
        await ann.shows("no connection: trying again")
        ann.proxy.change()
        await ann.client.wait_for(lambda one: one.stage == "synced", PATIENCE_S)
        await ann.is_gone("no connection: trying again")
        assert ann.screen.model.menus.path == path
        strength = shown(ann.others[0]).fight.heroes
        await ann.press_for("heroes")
        await ann.others[0].wait_for(lambda one: one.view.fight.heroes != strength)


@pytest.mark.long(0)
async def test_an_action_chosen_without_a_connection_is_done_when_it_is_back() -> None:
    async with in_the_fight() as ann:
        await ann.press_for("play Fireball")
        await ann.shows("heroes")
        strength = shown(ann.others[0]).fight.heroes
        ann.proxy.change(deaf=frozenset({"up", "down"}))  # nobody has noticed yet
        await ann.press_for("heroes")
        await ann.waits_for(lambda: ann.client.busy, "an action that waits")
        ann.proxy.cut()
        ann.proxy.change()
        await ann.others[0].wait_for(lambda one: one.view.fight.heroes != strength, PATIENCE_S)
        await ann.client.wait_for(lambda one: not one.busy)


@pytest.mark.long(0)
async def test_the_others_see_who_is_offline() -> None:
    async with in_the_fight() as ann:
        roger = ann.others[1]
        await roger.close()  # without a `leave`
        await ann.shows("offline")
