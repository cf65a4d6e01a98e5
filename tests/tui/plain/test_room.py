"""The waiting room as lines, with a fake client."""

from netcode.protocol import wire
from netcode.protocol.wire import SeatInfo, TableInfo
from tests.tui import samples
from tests.tui.goldens import STRING
from tests.tui.plain.plain_desk import plain
from tui.plain.room import PlainRoom


def lobby(owner: int = samples.ME) -> TableInfo:
    """Return a waiting room: Ada is not ready, Bo is, a seat is free, Dee is a bot."""
    info = samples.info(4, stage="lobby", owner=owner)
    info.seats[samples.ME].ready = False
    info.seats[2] = SeatInfo()
    return info


async def test_it_tells_who_sits_where_and_asks_whether_one_is_ready() -> None:
    async with plain(None, lobby(), talk=PlainRoom) as pilot:
        await pilot.until("You are asked: Are you ready to play?")
        assert "You: owner, not ready yet." in pilot.lines and "Bo: ready." in pilot.lines
        assert "Seat 3: free." in pilot.lines and any(line.startswith("Dee: bot") for line in pilot.lines)
        await pilot.type("ready")
        assert pilot.client.sets == [{"ready": True}]


async def test_what_changes_is_told_once() -> None:
    async with plain(None, lobby(), talk=PlainRoom) as pilot:
        await pilot.until("Seat 3: free.")
        info = lobby()
        info.seats[2] = SeatInfo("Cid", "here")
        pilot.client.tell(wire.Info(info))
        await pilot.until("Cid: not ready yet.")
        assert sum(line == "Bo: ready." for line in pilot.lines) == 1


async def test_the_owner_begins_invites_and_decides_about_seats() -> None:
    async with plain(None, lobby(), talk=PlainRoom) as pilot:
        pilot.session.invitation = (STRING,)
        text = await pilot.type("now")
        rows = [line.partition(". ")[2] for line in text.splitlines()]
        text = await pilot.type(str(rows.index("begin, bots take free seats")))
        assert "Begin with a bot on seat 3?" in text and not pilot.client.requests
        await pilot.type("1")
        assert pilot.client.requests[-1] == ("start", -1, "")
        text = await pilot.type("now")
        text = await pilot.type(str(rows.index("free seat 3")))
        assert "put a bot in" in text and text.endswith("or back.")
        await pilot.type("1")
        assert pilot.client.requests[-1] == ("bot", 2, "")
        text = await pilot.type(str(rows.index("who comes in")))
        at = next(line.partition(".")[0] for line in text.splitlines() if "string" in line and "show" in line)
        assert f"kickdoor join '{STRING}'" in await pilot.type(at)
        pilot.client.words = "otter-lamp-42"
        text = await pilot.type("now")
        rows = [line.partition(". ")[2] for line in text.splitlines()]
        text = await pilot.type(str(rows.index("who comes in")))
        at = next(line.partition(".")[0] for line in text.splitlines() if "new short words" in line)
        await pilot.type(at)
        assert pilot.client.requests[-1] == ("renew", -1, "words")


async def test_others_are_not_asked_what_is_the_owner_s() -> None:
    async with plain(None, lobby(owner=1), talk=PlainRoom) as pilot:
        text = await pilot.type("now")
        assert "1. ready" in text and "begin" not in text
        assert "There is no 2: the only choice is 1." in await pilot.type("2")


async def test_leaving_asks_and_back_goes_back() -> None:
    async with plain(None, lobby(), talk=PlainRoom) as pilot:
        assert "Leave the table?" in await pilot.type("quit")
        assert "Are you ready" in await pilot.type("back")
        assert "There is nothing to go back from." in await pilot.type("back")
        await pilot.type("leave", "1")
        assert await pilot.ended() == "left"


async def test_the_game_begins() -> None:
    async with plain(None, lobby(), talk=PlainRoom) as pilot:
        await pilot.until("Are you ready")
        pilot.show(samples.first_cards(), samples.info(6))
        assert await pilot.ended() == "table"


async def test_a_spectator_and_talk() -> None:
    async with plain(None, lobby(), seat=-1, talk=PlainRoom) as pilot:
        assert "You are a spectator." in await pilot.type("now")
        await pilot.type("say hello")
        assert pilot.client.said == ["hello"]
        assert "Bo: ready." in await pilot.type("table")
        assert "Say help" in await pilot.type("xyzzy") or "Nothing is asked" in pilot.lines[-1]
