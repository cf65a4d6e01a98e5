"""What the client of a table's owner knows of strings and knocks, also after it was away or offline."""

from pathlib import Path

from tests.netcode.in_process_host import in_process_host


async def test_an_owner_has_the_strings_again_after_a_bot_sat_in(tmp_path: Path) -> None:
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
