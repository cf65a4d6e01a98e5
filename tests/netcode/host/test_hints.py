"""Hints at a table of people, over a real host: the screens of all allow them only when all have agreed."""

from core.language import catalog as catalogs
from netcode.client.client import Client
from netcode.protocol.pack_files import built_in_pack
from tests.netcode.running_host import running_host, seated
from tui.menus.hint import undecided
from tui.scene.table_session import TableSession


async def told(players: list[Client], agreed: int) -> None:
    """Wait until every client knows that this many agree."""
    for player in players:
        await player.wait_for(lambda one: len(one.info.hints) == agreed)


async def test_all_screens_allow_hints_when_all_have_agreed_and_none_after_one_has_changed_their_mind() -> None:
    catalog = catalogs.load([built_in_pack("munchkins-and-mazes")])
    async with running_host() as host, seated(host, "Kim", "Roger", "Ross") as players:
        sessions = [TableSession(player, catalog) for player in players]
        assert [undecided(session.scene()) for session in sessions] == [[0, 1, 2]] * 3
        for count, player in enumerate(players, 1):
            player.set(hints=True)
            await told(players, count)
        assert [undecided(session.scene()) for session in sessions] == [[]] * 3
        players[1].set(hints=False)
        await told(players, 2)
        assert [undecided(session.scene()) for session in sessions] == [[players[1].seat]] * 3
        assert "There are no more hints here until all agree again." in [line.text for line in sessions[0].log]
