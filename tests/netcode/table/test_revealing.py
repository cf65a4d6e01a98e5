"""Revealing all hands after a game: everybody who has played it agrees, and nobody agrees for somebody else."""

from pathlib import Path

from msgspec.structs import replace

from netcode.journal import SavedTable
from netcode.protocol import wire
from netcode.table.reveal_consent import NOT_PLAYED
from tests.netcode.offline_table import OfflineTable, Player
from tests.netcode.recorded_games import play_on, take_part
from tests.netcode.restored_table import journal_rows, restored_table
from tui.scene.ending import consent_words


def a_game_on() -> tuple[OfflineTable, list[Player]]:
    """Return a table of three where the cards have been dealt."""
    offline = OfflineTable(None, provable=True, pace="book")
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    return offline, players


def a_game_over() -> tuple[OfflineTable, list[Player]]:
    """Return a table of three whose game is over."""
    offline, players = a_game_on()
    play_on(offline, players, 5)
    assert offline.table.stage == "over"
    return offline, players


def opened(offline: OfflineTable) -> int:
    return offline.table.info().opened


def seated(offline: OfflineTable, name: str, seat: int) -> Player:
    """Let somebody new sit down; they get this seat, the only free one."""
    player = offline.hello(name)
    assert isinstance(player, Player) and player.seat == seat
    return player


def restart(offline: OfflineTable, saved: SavedTable, *players: Player) -> list[Player]:
    """Restore the table from its journal; these players come back to it."""
    tokens = [player.received(wire.Welcome)[-1].token for player in players]
    offline.table = restored_table(offline, saved)
    found = [offline.hello(one.name, token, address=b"2" + one.address) for one, token in zip(players, tokens)]
    return [player for player in found if isinstance(player, Player)]


def test_whoever_takes_a_seat_after_the_game_agrees_for_nobody() -> None:
    offline, (kim, roger, ross) = a_game_over()
    ross.send(wire.Leave(ross.session.s))
    for player in (kim, roger):
        player.set(open=True)
    eve = seated(offline, "Eve", ross.seat)
    eve.set(open=True)
    assert opened(offline) == 0, "Ross has not agreed"
    assert eve.received(wire.Error)[-1].text == NOT_PLAYED and offline.table.info().agreed == [kim.seat, roger.seat]
    info = offline.table.info()
    assert (info.consents, info.lacking) == (3, 1) and consent_words(info) == "2 of 3", "Eve's consent does not count"


def test_whoever_takes_the_seat_of_somebody_who_has_agreed_has_not_agreed() -> None:
    offline, (kim, roger, ross) = a_game_over()
    ross.set(open=True)
    ross.send(wire.Leave(ross.session.s))
    seated(offline, "Eve", ross.seat)
    assert offline.table.info().agreed == []
    for player in (kim, roger):
        player.set(open=True)
    assert opened(offline) == 1, "all three who have played it have agreed"


def test_whoever_sits_down_in_mid_game_is_asked_as_well() -> None:
    offline, (kim, roger, ross) = a_game_on()
    ross.send(wire.Leave(ross.session.s))
    eve = seated(offline, "Eve", ross.seat)
    play_on(offline, [kim, roger, eve], 5)
    for player in (kim, roger, eve):
        player.set(open=True)
    assert offline.table.info().agreed == [0, 1, 2] and opened(offline) == 0, "Ross has left"


def test_whoever_left_after_the_game_is_still_needed_after_a_restart(tmp_path: Path) -> None:
    offline, (kim, roger, ross) = a_game_over()
    ross.send(wire.Leave(ross.session.s))
    for player in (kim, roger):
        player.set(open=True)
    for player in restart(offline, journal_rows(offline, tmp_path), kim, roger):
        player.set(open=True)
    assert opened(offline) == 0


def test_an_agreement_outlasts_a_restart(tmp_path: Path) -> None:
    offline, (kim, roger, ross) = a_game_over()
    for player in (kim, ross):
        player.set(open=True)
    ross.send(wire.Leave(ross.session.s))
    kim, roger = restart(offline, journal_rows(offline, tmp_path), kim, roger)
    assert offline.table.info().agreed == [kim.seat]
    roger.set(open=True)
    assert opened(offline) == 1


def test_whoever_sat_down_in_mid_game_is_asked_after_a_restart_too(tmp_path: Path) -> None:
    offline, (kim, roger, ross) = a_game_on()
    ross.send(wire.Leave(ross.session.s))
    eve = seated(offline, "Eve", ross.seat)
    play_on(offline, [kim, roger, eve], 5)
    eve.send(wire.Leave(eve.session.s))
    kim, roger = restart(offline, journal_rows(offline, tmp_path), kim, roger)
    for player in (kim, roger):
        player.set(open=True)
    assert opened(offline) == 0 and len(offline.table.dealing.consent._played) == 4


def test_a_seat_given_up_in_an_earlier_game_is_not_asked_after_a_restart(tmp_path: Path) -> None:
    offline, (kim, roger, ross) = a_game_on()
    ross.send(wire.Leave(ross.session.s))
    (bot,) = offline.seat_own_bots()
    play_on(offline, [kim, roger, bot], 5)
    for player in (kim, roger):
        player.set(ready=True)
    take_part(offline, [kim, roger])
    assert offline.table.lifecycle.games == 2 and offline.table.stage == "playing"
    play_on(offline, [kim, roger, bot], 6)
    for player in restart(offline, journal_rows(offline, tmp_path), kim, roger):
        player.set(open=True)
    assert opened(offline) == 2


def test_a_journal_of_an_older_host_asks_all_who_are_there_and_is_never_revealed_without_those_who_left(
    tmp_path: Path,
) -> None:
    offline, players = a_game_over()
    saved = journal_rows(offline, tmp_path)
    older = replace(saved, facts={name: value for name, value in saved.facts.items() if name != "played"})
    kim, roger, ross = restart(offline, older, *players)
    for player in (kim, roger):
        player.set(open=True)
    assert opened(offline) == 0
    ross.set(open=True)
    assert opened(offline) == 1
