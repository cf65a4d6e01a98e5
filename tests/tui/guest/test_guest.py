"""What a guest of the door sees: real forks on a real terminal, beside a real host."""

import asyncio
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from netcode.client.saved_seats import way_back
from netcode.door.messages import Start
from netcode.protocol.credentials import claim_seat, data_folder, keeping_in, new_token, parse_join
from tests.netcode.running_host import running_host
from tests.tui.guest.guest_terminal import DOOR, GuestTerminal
from tui.config.surroundings import here
from tui.guest.page import page
from tui.guest.process import BROKEN, run, seated_as, surroundings

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the door needs a system that forks")
CODE = "amber-kettle-19"


def numbered(terminal: GuestTerminal, words: str) -> str:
    """Return the number of a choice that has been told."""
    found = re.findall(rf"(\d+)\. {words}", terminal.until(f". {words}"))
    return str(found[-1])


async def in_thread(do: Callable[[], None]) -> None:
    """Follow a terminal while the loop of the test runs on."""
    await asyncio.to_thread(do)


def test_the_page_fits_a_terminal() -> None:
    lines = page(DOOR).splitlines()
    assert len(lines) <= 24 and all(DOOR in line for line in lines[2:7])


@pytest.mark.parametrize(("kind", "ascii_only"), [("xterm-256color", False), ("linux", True)])
def test_the_terminal_is_the_guests(kind: str, ascii_only: bool, tmp_path: Path) -> None:
    start = Start(1, "ab" * 16, "Ann", str(tmp_path), "", {"TERM": kind, "KICKDOOR_NAME": "Eve"}, door=DOOR)
    found = surroundings(start)
    assert found.terminal == kind and found.lacks_characters == ascii_only and found.remote
    assert found.settings_file == tmp_path / "settings.toml" and not found.wishes


async def test_a_guest_sits_down_leaves_and_is_back(tmp_path: Path) -> None:
    async with running_host() as host:

        def first() -> None:
            terminal = GuestTerminal(tmp_path, host.join, code=CODE)
            try:
                shown = terminal.until("READY?")
                assert "● Ann (you)" in shown and DOOR in shown and CODE in shown and "copy command" in shown
                terminal.press("c")
                terminal.until("Copied, if your terminal allows it.")
                terminal.press("d")
                terminal.until("show the strings")
                terminal.press("q")
                terminal.until("copy command")
                terminal.press("\x10")
                terminal.until("Look up: rules")
                terminal.press("Settings\r")
                shown = terminal.until("Desktop notice")
                assert "Your name" not in shown and "Bots at a new table" not in shown
                terminal.press("\x13")
                terminal.until("Settings are saved.")
                terminal.press("\x11")
                assert terminal.wait(30) == 0
                said = terminal.bytes.rpartition(b"\x1b[?1049l")[2].decode()
                assert f"To return: {DOOR}" in said and CODE in said
                assert b"kickdoor://" not in terminal.bytes and b"kickdoor join" not in terminal.bytes
                assert terminal.new_modules == [], "load them before the fork: tui/guest/loaded.py"
                assert str(tmp_path).encode() not in terminal.bytes, "it names a path of the server"
            finally:
                terminal.close()
            kept = {path.relative_to(terminal.folder).parts[0] for path in terminal.folder.rglob("*") if path.is_file()}
            assert kept == {"seats", "settings.toml"}, "a guest who has not played keeps nothing else"
            assert not (tmp_path / "forker" / "data" / "seats").exists()

        def again() -> None:
            terminal = GuestTerminal(tmp_path, host.join, name="Ben")
            try:
                assert "● Ann (you)" in terminal.until("READY?"), "the seat is of the folder"
            finally:
                terminal.close()

        await in_thread(first)
        await in_thread(again)


async def test_a_guest_without_a_terminal_plays_by_lines_and_a_spectator_watches(tmp_path: Path) -> None:
    async with running_host(bots=2) as host:

        def watch() -> None:
            terminal = GuestTerminal(tmp_path / "eve", host.watch, name="Eve", what="watch")
            try:
                terminal.until("You are a spectator")
                terminal.press("\x11")
                assert terminal.wait(30) == 0
                assert f"To spectate again: {DOOR} -t watch".encode() in terminal.bytes
                assert b"kickdoor://" not in terminal.bytes
            finally:
                terminal.close()

        def play() -> None:
            environment = {"TERM": "dumb", "LANG": "C.UTF-8"}
            terminal = GuestTerminal(tmp_path / "ann", host.join, environment=environment, code=CODE, size=(100, 60))
            try:
                terminal.until("Are you ready to play?")
                assert CODE in terminal.text()
                terminal.press(f"{numbered(terminal, 'who comes in')}\n")
                terminal.until("show the strings")
                terminal.press(f"{numbered(terminal, 'show the strings')}\n")
                terminal.until(DOOR)
                terminal.press("quit\n")
                terminal.until("Leave the table?")
                terminal.press("1\n")
                terminal.until("To return")
                assert b"\x1b" not in terminal.bytes and b"kickdoor://" not in terminal.bytes
                assert f"To return: {DOOR}" in terminal.text()
            finally:
                terminal.close()

        await in_thread(play)
        await in_thread(watch)


@pytest.mark.long(0)
async def test_a_guest_of_the_lobby_opens_a_table_of_their_own(tmp_path: Path) -> None:
    async with running_host() as host:

        def visit() -> None:
            terminal = GuestTerminal(tmp_path, host.lobby, what="lobby")
            try:
                terminal.until("more tables can be opened")
                terminal.press("c")
                terminal.until("Open the table")
                terminal.press("\x13")
                assert DOOR in terminal.until("READY?")
                terminal.press("\x11")
                terminal.until("Ann owns it")
                terminal.press("\x1b")
                assert terminal.wait(30) == 0
                assert f"To come again: {DOOR}".encode() in terminal.bytes
                assert b"kickdoor://" not in terminal.bytes
                assert terminal.new_modules == []
            finally:
                terminal.close()

        await in_thread(visit)


@pytest.mark.long(0)
async def test_the_lobby_by_lines_leads_to_tables_and_opens_one(tmp_path: Path) -> None:
    """Where nothing can be drawn: open a table, sit down at it by its name, spectate it by its number."""

    def guest(name: str, lobby: str, what: str) -> GuestTerminal:
        dumb = {"TERM": "dumb", "LANG": "C.UTF-8"}
        return GuestTerminal(tmp_path / name, lobby, what=what, name=name, environment=dumb, size=(100, 60))

    def visit(lobby: str) -> None:
        ann = guest("Ann", lobby, "lobby")
        ann.until("open and a name to open a table")
        ann.press("sit there\n")
        ann.until("sit there is no answer.")
        ann.press("open Friday night\n")
        ann.until("Are you ready to play?")
        ben = guest("Ben", lobby, "table friday NIGHT")
        ben.until("Are you ready to play?")
        cyd = guest("Cyd", lobby, "table No such")
        cyd.until("No table here has the name No such.")
        number = numbered(cyd, "Friday night")
        cyd.press("77\n")
        cyd.until("77 is no answer.")
        cyd.press(f"watch {number}\n")
        cyd.until("Seat 4: free.")
        dan = guest("Dan", lobby, "lobby")
        dan.until("an empty line to leave.")
        dan.press("\n")
        assert dan.wait(30) == 0 and f"To come again: {DOOR}" in dan.text()
        for terminal in (ann, ben, cyd, dan):
            assert b"kickdoor://" not in terminal.bytes and b"\x1b" not in terminal.bytes
            terminal.close()

    async with running_host() as host:
        await in_thread(lambda: visit(host.lobby))


def test_help_is_a_page_and_broken_settings_are_done_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = Start(1, "ab" * 16, "Ann", str(tmp_path), "no string", {"TERM": "dumb"}, what="help", door=DOOR)
    assert run(start) == 0 and capsys.readouterr().out.rstrip() == page(DOOR)
    (tmp_path / "settings.toml").write_text("= nothing\n")
    assert run(msgspec.structs.replace(start, what="join")) == 1
    said = capsys.readouterr().err
    assert BROKEN in said and str(tmp_path) not in said
    assert here().own_machine and data_folder() != tmp_path, "the surroundings end with the guest"


def test_a_seat_is_found_under_another_user_name(tmp_path: Path) -> None:
    join = parse_join(f"kickdoor://127.0.0.1:7788/PUB#{'A' * 43}.{'B' * 22}")
    other = replace(join, table="OTH")
    with keeping_in(tmp_path):
        assert seated_as(str(join)) == ""
        saved = claim_seat(join, "Ann", tmp_path)
        saved.way = way_back(join, "Ann")
        saved.keep(new_token())
        saved.release()
        assert seated_as(str(join)) == "Ann" and seated_as(str(other)) == ""
        assert seated_as(str(replace(join, table="lobby"))) == "Ann"
        saved.forget()
        assert seated_as(str(join)) == ""
