"""The owner's pauses across restarts of the host: time used in a turn stays used."""

from pathlib import Path

import pytest

from netcode.protocol import limits, wire
from tests.netcode.offline_table import FIGHT, OfflineTable, Player, at_the_fight
from tests.netcode.restored_table import journal_rows, restored_table


def ask(player: Player, what: str) -> list[str]:
    """Make a request; return why it is refused."""
    before = len(player.received(wire.Error))
    player.send(wire.Admin(player.session.s, what))  # type: ignore[arg-type]
    return [error.text for error in player.received(wire.Error)[before:]]


def restarted(offline: OfflineTable, folder: Path, *players: Player) -> list[Player]:
    """Restart the host; these players come back."""
    tokens = [player.received(wire.Welcome)[-1].token for player in players]
    offline.table = restored_table(offline, journal_rows(offline, folder))
    found = [offline.hello(one.name, token, address=b"2" + one.address) for one, token in zip(players, tokens)]
    return [player for player in found if isinstance(player, Player)]


def test_a_pause_that_anybody_may_end_is_not_the_owners_again_after_a_restart(tmp_path: Path) -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ = at_the_fight(offline)
    assert ask(kim, "pause") == []
    offline.wait(limits.PAUSE_MS + 1000)
    kim, roger = restarted(offline, tmp_path, kim, roger)
    assert offline.table.stage == "paused" and roger.timers.pause == 0
    assert ask(roger, "resume") == [] and offline.table.stage == "playing"
    assert ask(kim, "pause") == ["this turn has had its 5 minutes of pause: pause again in the next one"]


def test_a_pause_goes_on_after_a_restart_with_what_was_left_of_it_to_the_minute(tmp_path: Path) -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, roger, _ = at_the_fight(offline)
    assert ask(kim, "pause") == []
    before = len(offline.rows)
    offline.wait(200_000)
    kept = [row for row in offline.rows[before:] if getattr(row, "name", "") == "pause"]
    assert len(kept) == 3, "once a minute"
    kim, roger = restarted(offline, tmp_path, kim, roger)
    assert 119_000 <= roger.timers.pause <= 120_000
    offline.wait(120_000)
    assert ask(roger, "resume") == []


@pytest.mark.parametrize("ms", [200_000, limits.PAUSE_MS])
def test_what_was_used_of_a_pause_that_is_over_stays_used_after_a_restart(ms: int, tmp_path: Path) -> None:
    offline = OfflineTable(FIGHT, pace="book")
    kim, *_ = at_the_fight(offline)
    assert ask(kim, "pause") == []
    offline.wait(ms)
    assert ask(kim, "resume") == []
    (kim,) = restarted(offline, tmp_path, kim)
    assert bool(ask(kim, "pause")) == (ms == limits.PAUSE_MS)
    assert kim.timers.pause == (-1 if ms == limits.PAUSE_MS else limits.PAUSE_MS - ms)
