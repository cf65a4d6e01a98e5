"""Preferences that are set while a client is offline wait for the connection, if they still apply then."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from netcode.client.client import Client
from netcode.host.registry import TableEntry
from netcode.protocol import limits, wire
from tests.netcode.in_process_host import in_process_host
from tests.netcode.offline_table import OfflineTable, at_the_fight


@asynccontextmanager
async def kim_offline(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Client, TableEntry, list[wire.Set]]]:
    """Cut the connection of a client at a table of three. Yield it, its table, and the preferences sent afterwards."""
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim, *_ = await inside.seated(entry, "Kim", "Roger", "Ross")
        await asyncio.sleep(limits.PREFERENCES_S * 1.2)  # those before have been sent
        sent, send = list[wire.Set](), kim._send

        def record(message: wire.Up) -> bool:
            taken = send(message)
            if taken and isinstance(message, wire.Set):
                sent.append(message)
            return taken

        monkeypatch.setattr(kim, "_send", record)
        kim.drop()
        yield kim, entry, sent


def meant(sent: list[wire.Set]) -> list[dict[str, object]]:
    """Return what each message sets."""
    fields = [name for name in wire.Set.__struct_fields__ if name != "s"]
    return [{name: value for name in fields if (value := getattr(one, name)) is not None} for one in sent]


async def test_what_is_set_without_a_connection_is_sent_once_it_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with kim_offline(monkeypatch) as (kim, _, sent):
        kim.set(speed="slow", hints=False, auto=True)
        kim.set(hints=True)
        assert not sent
        await kim.wait_for(lambda one: one.info.speed == "slow" and one.info.hints == [one.seat])
        assert meant(sent) == [{"speed": "slow", "hints": True, "auto": True}]


async def test_a_key_pressed_without_a_connection_is_not_sent_later(monkeypatch: pytest.MonkeyPatch) -> None:
    async with kim_offline(monkeypatch) as (kim, _, sent):
        welcome = kim.welcome
        kim.set()
        kim.set(skip=True, withdraw=True)
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome is not welcome)
        await asyncio.sleep(limits.PREFERENCES_S * 1.2)
        kim.set(speed="slow")
        await kim.wait_for(lambda one: one.info.speed == "slow")
        assert meant(sent) == [{"speed": "slow"}]


async def test_what_was_meant_for_a_game_before_is_not_sent_in_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    async with kim_offline(monkeypatch) as (kim, entry, sent):
        kim.set(open=True, ready=True, speed="slow")
        entry.table.lifecycle.games += 1
        await kim.wait_for(lambda one: one.info.speed == "slow")
        assert meant(sent) == [{"speed": "slow"}]


async def test_passes_for_a_fight_that_is_over_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    async with kim_offline(monkeypatch) as (kim, _, sent):
        kim.view = at_the_fight(OfflineTable())[0].view
        kim.set(auto=True)
        kim.set(speed="slow")
        await kim.wait_for(lambda one: one.info.speed == "slow")
        assert meant(sent) == [{"speed": "slow"}]


async def test_somebody_is_ready_who_said_so_without_a_connection() -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim = inside.client(inside.string(entry.id, entry.record.join), "Kim")
        await kim.join()
        kim.drop()
        kim.set(ready=True)
        await kim.wait_for(lambda one: one.info.seats[one.seat].ready)
