"""A table where one person plays with bots: its first moments, and undos there."""

import random
from typing import Any

from core.state.actions import Claim, Kick
from core.state.events import SteppedBack
from core.state.views import View
from netcode.bots.brain import Brain
from netcode.protocol import wire
from tests.blends import values_of
from tests.netcode.offline_table import FIGHT, OfflineTable, Player, passed, rules
from tests.netcode.recorded_games import decided

HOUR = 3_600_000
BOTS_TURN = FIGHT.replace("steps = []", 'turn = "Roger"\nsteps = []')
"""It is Roger's turn, before the door."""


def alone(game: str | None = FIGHT, **more: Any) -> tuple[OfflineTable, Player, list[Player]]:
    """Return a table where Kim plays with two bots, which act when the test says so."""
    offline = OfflineTable(game, bots=2, **{"pace": "book", **more})
    (kim,) = offline.sit("Kim")
    return offline, kim, offline.seat_own_bots()


def fighting(game: str = FIGHT, **more: Any) -> tuple[OfflineTable, Player, list[Player]]:
    """Let Kim meet the monster of the scenario."""
    offline, kim, bots = alone(game, **more)
    kim.act(Kick())
    passed(kim, bots)
    offline.wait(2000)
    assert kim.view.fight is not None
    return offline, kim, bots


def back(player: Player) -> str:
    """Take back the last choice; return the reason of a refusal."""
    player.inbox = [message for message in player.inbox if not isinstance(message, wire.Error)]
    player.send(wire.Back(player.session.s))
    player.offline.wait(300)
    found = player.received(wire.Error)
    return found[-1].text if found else ""


def stepped(player: Player) -> SteppedBack:
    """Return the newest SteppedBack that this player was told."""
    return next(
        one.event for update in reversed(player.received(wire.Update)) for one in reversed(update.events)
        if isinstance(one.event, SteppedBack)
    )  # fmt: skip


def position(view: View) -> object:
    """Return the content of a view, without the numbers that only rise."""
    names = "turn", "turn_no", "phase", "top", "seats", "doors", "treasures", "winners"
    return [getattr(view, name) for name in names]


def hand(view: View) -> list[int]:
    assert view.you is not None
    return view.you.hand


def over_at(offline: OfflineTable, kim: Player, bots: list[Player]) -> None:
    kim.act(Claim())
    passed(kim, bots)
    assert offline.table.stage == "over" and kim.view.winners == [0]


def play_with_undo(offline: OfflineTable, kim: Player, bots: list[Player], seed: int, acts: int) -> int:
    """Let Brains play for everybody, and Kim take something back now and then. Return how often."""
    rng, undone = random.Random(seed), 0
    catalog, everybody = rules().catalog, (kim, *bots)
    values = values_of(catalog)
    brains = {one.seat: Brain(catalog, "normal", random.Random(f"{seed} {one.seat}"), values) for one in everybody}
    while offline.table.match is not None and offline.table.match.seq < acts and offline.table.stage == "playing":
        acted = False
        for player in (kim, *bots):
            if player is kim and rng.random() < 0.08:
                undone += back(kim) == ""
            view = player.view
            if view.you is None or not (view.you.legal or view.you.asks):
                continue
            action = decided(brains[player.seat], view)
            if action is not None and offline.table.stage == "playing":
                acted = isinstance(player.act(action), wire.Ack) or acted
        kim.set(skip=True)
        kim.session.buckets.clear()
        offline.wait(1000 if acted else 5000)
    return undone
