"""The strings and knocks that the client of a table's owner knows, also after it was away or offline."""

import asyncio

import pytest

from netcode.host.registry import TablePlan
from tests.netcode.in_process_host import SETS, in_process_host


async def test_an_owner_has_the_strings_again_after_a_bot_sat_in() -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim, *_ = await inside.seated(entry, "Kim", "Roger", "Ross")
        await kim.wait_for(lambda one: bool(one.strings))
        before = kim.strings
        kim.admin("bot", seat=kim.seat)
        await kim.wait_for(lambda one: one.info.acting)
        assert not kim.strings
        kim.set()
        await kim.wait_for(lambda one: not one.info.acting and bool(one.strings))
        assert kim.strings == before


async def test_a_request_that_no_host_knows_is_refused_before_it_is_sent() -> None:
    async with in_process_host() as inside:
        (entry,) = inside.registry.tables.values()
        kim = inside.client(inside.string(entry.id, entry.record.join), "Kim")
        with pytest.raises(ValueError, match="what"):
            kim.admin("dance")


async def test_an_owner_who_reconnects_sees_nobody_knock_who_has_gone() -> None:
    plan = TablePlan(sets=SETS, seats=3, pace="relaxed", knock=True)
    async with in_process_host(tables=(), plans=[plan]) as inside:
        (entry,) = inside.registry.tables.values()
        kim = inside.client(inside.string(entry.id, entry.record.owner), "Kim")
        await kim.join()
        eve = inside.client(inside.string(entry.id, entry.record.join), "Eve")
        joining = asyncio.ensure_future(eve.join())
        await kim.wait_for(lambda one: bool(one.knocks))
        await eve.close()
        joining.cancel()
        entry.table.seating.admission.knocks.clear()  # as if Eve had gone while Kim was offline
        welcome = kim.welcome
        kim.drop()
        await kim.wait_for(lambda one: one.stage == "synced" and one.welcome is not welcome)
        assert kim.knocks == []
