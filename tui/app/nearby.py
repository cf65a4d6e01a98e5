"""Hosts on the local network: the list, and the way from one of them to a table."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import partial

from netcode.client.discovery import DiscoveryError, Search
from netcode.client.found_host import FoundHost
from netcode.protocol import limits
from tui.app.by_words import string_from
from tui.app.first_words import CONNECTING
from tui.app.menu_rows import nearby_rows
from tui.app.navigation import NavigationApp, leads_to_lobby
from tui.app.offered_tables import OfferedTable
from tui.app.start_host import TableAddress, TableError
from tui.scene.table_session import sentence
from tui.screens.forms import FormScreen
from tui.screens.nearby import NearbyScreen, Told
from tui.widgets.entry.form import Values

SEARCH_S = 600
"""How long the list follows the network (s)."""


async def show_nearby(app: NavigationApp, tables: Sequence[OfferedTable] = ()) -> str:
    """`kickdoor join`, with `--lan` or without: show tables where the player has a seat, and the hosts of this network;
    go to the one that the player chooses, and return the line to show afterwards. Raise TableError if its table cannot
    be reached."""
    own = [(one.title, one.hint) for one in tables]
    chosen = await app.push_screen_wait(NearbyScreen(app.glyphs, partial(search, app), own))
    if chosen is None:
        return ""
    return await (app.go_to(tables[chosen]) if isinstance(chosen, int) else enter(app, chosen))


async def enter(app: NavigationApp, host: FoundHost) -> str:
    """Ask for the string of a host that was found, and go to its table; return the line to show afterwards. Raise
    TableError if that fails."""
    note, values = "", Values()
    while True:
        rows = nearby_rows(app.settings, values.get("string", ""))
        answer = await app.push_screen_wait(FormScreen(f"Join {host.machine or host.place}", rows, app.glyphs, note))
        if answer is None:
            return ""
        values = answer[1]
        app.settings.name = values["name"] or app.settings.name
        try:
            async with app.waiting(CONNECTING):
                string = await asyncio.to_thread(string_from, host, values["string"])
        except TableError as problem:
            note = f" {sentence(str(problem))}"
            continue
        if leads_to_lobby(string):
            return await app.visit_lobby(string)
        return await app.visit(partial(TableAddress, string), CONNECTING)


def search(app: NavigationApp, told: Told) -> Callable[[], None]:
    """Search the network in a thread, so that its packets delay no key. Return what ends the search.

    told(hosts, problem): called in the thread of the app whenever another host is found, or no host can be."""
    loop, ended = asyncio.get_running_loop(), threading.Event()

    def tell(hosts: list[FoundHost], problem: str) -> None:
        if not ended.is_set():
            told(hosts, problem)

    def run() -> None:
        try:
            asyncio.run(_follow(lambda hosts: loop.call_soon_threadsafe(tell, hosts, ""), ended))
        except DiscoveryError as problem:
            loop.call_soon_threadsafe(tell, [], f"{problem}.")
        except RuntimeError:
            if not loop.is_closed():
                raise

    threading.Thread(target=run, name="searches the network", daemon=True).start()
    return ended.set


async def _follow(told: Callable[[list[FoundHost]], object], ended: threading.Event) -> None:
    """Tell the hosts whenever there are others, until the search has ended."""
    until, shown = asyncio.get_running_loop().time() + SEARCH_S, list[FoundHost]()
    async with Search() as network:
        while not ended.is_set() and asyncio.get_running_loop().time() < until:
            hosts = network.hosts
            if hosts != shown:
                shown = hosts
                told(hosts)
            await asyncio.sleep(limits.CLIENT_TICK_S)
