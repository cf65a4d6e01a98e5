"""The list of hosts on the local network: it grows while the player chooses, and leads to a table with a string."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from netcode.client.found_host import FoundHost
from netcode.processes.start import child_command, child_env
from netcode.protocol.announcement import fingerprint
from netcode.protocol.credentials import parse_join
from netcode.short_words.word_list import renewed
from tests.netcode.in_process_host import in_process_host
from tests.netcode.namespaces import machines, needs_namespaces
from tests.netcode.running_host import start_process
from tests.patience import PATIENCE_S
from tests.tui.app_pilot import screen_lines, shown
from tests.tui.goldens import STRING
from tui.app import launch, nearby
from tui.app.by_words import string_of
from tui.app.navigation import NavigationApp
from tui.app.start_host import TableError, string_at
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.nearby import NearbyScreen, Told

ATTIC = FoundHost(("10.0.0.1",), 7788, "0123456789", "3fa2c1", "the attic")
CELLAR = FoundHost(("fe80::2%eth0",), 7788, "9876543210", "9b0c77", "the cellar")


class FakeSearch:
    """A search that finds what the test says."""

    def __init__(self) -> None:
        self.told: Told = lambda hosts, problem: None
        self.ended = False

    def __call__(self, told: Told) -> Callable[[], None]:
        self.told = told
        return self.end

    def end(self) -> None:
        self.ended = True


async def test_hosts_appear_as_they_are_found_and_none_moves_under_the_cursor() -> None:
    search = FakeSearch()
    async with shown(NearbyScreen(UNICODE, search)) as (press, results):
        assert "They need --announce" in await press("enter") and results == []
        search.told([CELLAR], "")
        assert "1 host" in await press()
        search.told([ATTIC, CELLAR], "")
        text = await press()
        assert "2 hosts" in text and "[fe80::2%eth0]:7788" in text and "Anybody can claim" in text
        assert text.index("the cellar") < text.index("the attic")
        await press("enter")
        assert results == [CELLAR] and search.ended


async def test_tables_with_a_seat_stand_above_the_hosts_and_lead_back() -> None:
    search = FakeSearch()
    own = [("back to Ben's table, seat Cyd, turn 14", "10.0.0.9:7788, left 5 minutes ago"), ("back to your table", "")]
    async with shown(NearbyScreen(UNICODE, search, own)) as (press, results):
        search.told([ATTIC], "")
        text = await press()
        assert text.index("back to Ben's table, seat Cyd, turn 14") < text.index("the attic")
        await press("down", "enter")
        assert results == [1]
    async with shown(NearbyScreen(UNICODE, search, own)) as (press, results):
        search.told([ATTIC], "")
        await press("down", "down", "enter")
        assert results == [ATTIC]


async def test_a_machine_that_cannot_search_says_why() -> None:
    search = FakeSearch()
    async with shown(NearbyScreen(UNICODE, search)) as (press, results):
        search.told([], "this machine is on no network.")
        assert "this machine is on no network." in await press()
        await press("escape")
        assert results == [None] and search.ended


def test_a_string_is_taken_to_the_address_of_its_host_and_to_no_other() -> None:
    key = fingerprint(parse_join(STRING).key)
    found = FoundHost(("fe80::2%eth0", "10.0.0.2"), 4242, key)
    moved = parse_join(string_at(found, STRING))
    assert (moved.host, moved.port, moved.token) == ("fe80::2%eth0", 4242, parse_join(STRING).token)
    with pytest.raises(TableError, match="of another host"):
        string_at(ATTIC, STRING)
    with pytest.raises(TableError, match="starts with kickdoor://"):
        string_at(found, "otter")


async def wait_for(textual: Pilot[str], app: NavigationApp, words: str) -> None:
    """Wait until the screen shows these words."""
    text = ""
    for _ in range(400):
        text = "\n".join(screen_lines(app))
        if words in text:
            return
        await textual.pause(0.05)
    raise AssertionError(f"never seen: {words}\n{text}")


async def test_a_player_chooses_a_host_and_sits_down_with_a_string(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        join = parse_join(inside.string(entry.id, entry.table.seating.admission.join))
        found = FoundHost((join.host,), join.port, fingerprint(join.key), entry.id, "the attic")
        told = FakeSearch()
        monkeypatch.setattr(nearby, "search", lambda app, screen: told(screen))
        app = NavigationApp(Settings(name="Ann", bell=False), ("nearby", "", {}), menu=launch._FLOWS["nearby"])
        async with app.run_test(size=(80, 24)) as pilot:
            await wait_for(pilot, app, "They need --announce")
            told.told([found], "")
            await wait_for(pilot, app, "the attic")
            app.simulate_key("enter")
            await wait_for(pilot, app, "Join the attic")
            moved = str(replace(join, port=1))
            for text, seen in ((STRING, "This string is of"), (moved, "Press y when you are ready")):
                field = app.screen.query_one("#field-string", Input)
                field.value = text
                app.simulate_key("ctrl+s")
                await wait_for(pilot, app, seen)


@needs_namespaces
@pytest.mark.long(0)
def test_words_alone_lead_to_the_host_that_announces_itself_and_a_wrong_one_is_a_single_try(tmp_path: Path) -> None:
    """The host has an address of each family on the one network; five wrong tries would let its words rest."""
    environment = {**child_env(), "KICKDOOR_DATA": str(tmp_path)}
    with machines(2) as (ben, kim):
        ben.address("lan0", "10.9.0.1/24", "fd09::1/64")
        kim.address("lan0", "10.9.0.2/24", "fd09::2/64")
        host = start_process(within=ben.within, announce=True, bind="::", front=True, bots=2, name="the attic")
        try:
            assert host.stdout is not None
            words = json.loads(host.stdout.readline())["words"]
            for _ in range(4):
                with pytest.raises(TableError, match="these are not the words of a table at"):
                    kim.do(string_of, renewed(words))
            done = subprocess.run(
                [*kim.within, *child_command("tui"), "join", words, "--plain", "--name", "Ann"], input="quit\n",
                env=environment, capture_output=True, text=True, timeout=PATIENCE_S,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "") and "Say help" in done.stdout
        finally:
            host.kill()
            host.communicate()


@needs_namespaces
@pytest.mark.long(0)
def test_by_lines_a_host_is_chosen_by_its_number(tmp_path: Path) -> None:
    environment = {**child_env(), "KICKDOOR_DATA": str(tmp_path)}
    command = [*child_command("tui"), "join", "--lan", "--plain", "--name", "Ann"]
    with machines(2) as (ben, kim):
        ben.address("lan0", "10.9.0.1/24")
        kim.address("lan0", "10.9.0.2/24")
        host = start_process(within=ben.within, announce=True, bind="0.0.0.0", name="the attic")
        try:
            assert host.stdout is not None
            join = json.loads(host.stdout.readline())["join"].replace("10.9.0.1", "10.9.0.99")
            done = subprocess.run(
                [*kim.within, *command], input=f"1\n{join}\nquit\n", env=environment, capture_output=True, text=True,
                timeout=PATIENCE_S,
            )  # fmt: skip
            assert (done.returncode, done.stderr) == (0, "")
            assert "1. 10.9.0.1:" in done.stdout and "the attic" in done.stdout and "Say help" in done.stdout
            lone = subprocess.run([*kim.within, *command], input="7\n", env=environment, capture_output=True, text=True)
            assert (lone.returncode, lone.stderr) == (1, "kickdoor join: 7 is no number from 1 to 1\n")
        finally:
            host.kill()
            host.communicate()
