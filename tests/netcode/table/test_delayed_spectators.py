"""Spectators of a table with a delay: they see everything public, nothing too early, and nothing else."""

import random

import pytest

from core.state.actions import Claim, Flee, Pass
from core.state.events import seen_by
from netcode.bots.picks import at_random
from netcode.client.client import Client
from netcode.protocol import limits, wire
from netcode.table.delayed_spectators import DelayedSpectators
from netcode.table.rules_adapter import view_bytes
from tests.netcode.offline_table import STRONG, OfflineTable, at_the_fight
from tests.netcode.running_host import running_host, seated

DELAY = 30_000


class Seen(list[wire.Told]):
    """The inbox of a spectator: messages, and when each was first received (ms)."""

    def __init__(self, offline: OfflineTable) -> None:
        super().__init__()
        self.offline = offline
        self.views: dict[bytes, int] = {}
        self.events: list[tuple[str, int]] = []
        self.infos: dict[str, int] = {}
        self.talk: dict[str, int] = {}

    def append(self, message: wire.Told) -> None:
        super().append(message)
        match message:
            case wire.Update():
                if message.view is not None:
                    assert message.view.you is None
                    self.views.setdefault(view_bytes(message.view), self.offline.now)
                assert all(seen_by(told.event, -1) == told.event for told in message.events), "a hidden event"
                if not message.whole:
                    self.events += [(repr(told.event), self.offline.now) for told in message.events]
            case wire.Info():
                self.infos.setdefault(repr([(seat.name, seat.state) for seat in message.info.seats]), self.offline.now)
            case wire.Talk():
                self.talk.setdefault(message.text, self.offline.now)


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(4))
def test_delayed_spectators_see_everything_and_nothing_too_early(seed: int) -> None:
    """Two equal tables, one of them delayed: everything seen at the delayed one was seen at the other before."""
    rng = random.Random(seed)
    soon, late = OfflineTable(None, pace="book"), OfflineTable(None, pace="book", watch_delay=DELAY)
    now, then = Seen(soon), Seen(late)
    people = []
    for offline, seen in ((soon, now), (late, then)):
        offline.spectator("Eve").inbox = seen
        people.append((offline, offline.sit("Kim", "Roger", "Ross")))
    for turn in range(120):
        seat = rng.randrange(3)
        you = people[0][1][seat].view.you
        action = at_random(rng.choice(you.legal), rng) if you is not None and you.legal else None
        wait = rng.choice((0, 40, 700, 5000))
        for offline, players in people:
            if turn % 10 == 0:
                players[seat].send(wire.Say(players[seat].session.s, f"line {turn}"))
            if action is not None:
                players[seat].act(action)
            offline.wait(wait)
    for offline, _ in people:
        offline.wait(5000)  # an open window closes at both tables
    late.wait(DELAY + 1000)
    assert len(then.views) > 20 and len(then.events) > 20 and len(then.talk) == 12
    for view, at in then.views.items():
        assert view in now.views and at >= now.views[view] + DELAY
    assert [event for event, _ in then.events] == [event for event, _ in now.events]
    assert all(at >= first + DELAY for (_, at), (_, first) in zip(then.events, now.events))
    for text, at in then.talk.items():
        assert now.talk[text] + DELAY <= at <= now.talk[text] + DELAY + 1000
    for info, at in then.infos.items():
        assert "Kim" not in info or at >= now.infos[info] + DELAY


def test_a_late_spectator_sees_the_table_as_it_was() -> None:
    offline = OfflineTable(pace="relaxed", watch_delay=DELAY)
    kim, roger, _ = at_the_fight(offline)
    eve = offline.spectator("Eve")
    welcome, update = eve.received(wire.Welcome)[0], eve.update
    assert isinstance(welcome, wire.Welcome)
    assert (welcome.info.stage, [seat.name for seat in welcome.info.seats]) == ("lobby", ["", "", ""])
    assert welcome.info.watch_delay == 30 and update.view is None and update.events == []
    offline.wait(DELAY + 100)
    assert eve.view.fight is not None
    kim.act(Flee())
    assert kim.view.window is not None and eve.view.window is None
    late = offline.spectator("Late")
    assert late.view.fight is not None and late.view.window is None
    offline.wait(DELAY)
    assert eve.view.window is not None and late.view.window is not None
    roger.act(Pass(eve.view.window.id))


def test_delayed_clocks_are_those_of_the_moment_shown() -> None:
    offline = OfflineTable(pace="standard", watch_delay=DELAY)
    kim, *_ = at_the_fight(offline)
    eve = offline.spectator("Eve")
    offline.wait(DELAY + 100)
    kim.act(Flee())
    offline.wait(6_000)
    assert offline.table.match is not None and offline.table.match.timers().window == 2_000
    eve.send(wire.Ping(eve.session.s, 7))
    assert eve.timers.window == -1
    offline.wait(DELAY - 4_000)
    eve.send(wire.Ping(eve.session.s, 8))
    assert eve.view.window is not None and eve.timers.window == pytest.approx(6_000, abs=200)


def test_a_match_is_shown_to_its_end_before_a_table_of_bots_closes() -> None:
    offline = OfflineTable(STRONG, pace="book", watch_delay=DELAY)
    kim, roger, ross = at_the_fight(offline)
    eve = offline.spectator("Eve")
    kim.act(Claim())
    for player in (roger, ross):
        assert kim.view.window is not None
        player.act(Pass(kim.view.window.id))
    assert offline.table.stage == "over"
    for player in (kim, roger, ross):
        player.send(wire.Leave(player.session.s))
    offline.wait(DELAY - 1000)
    assert not offline.table.closed and all(info.info.stage != "over" for info in eve.received(wire.Info))
    offline.wait(2000)
    assert eve.view.winners == [0]
    assert eve.received(wire.Info)[-1].info.stage == "over"
    offline.wait(40_000)
    assert not offline.table.closed, "spectators have a minute more"
    offline.wait(DELAY)
    assert offline.table.closed and eve.received(wire.Bye)


def test_the_queue_of_moments_is_bounded() -> None:
    delayed = DelayedSpectators(DELAY)
    info = wire.TableInfo("t", [])
    for number in range(20_000):
        delayed.say(wire.Talk(0, "Kim", f"line {number}"))
        delayed.keep(number * 2, info, None, wire.Timers(), number)
        delayed.advance(number * 2)
    assert len(delayed._waiting) <= limits.DELAYED_MOMENTS + 1
    assert all(len(moment.said) <= 50 for moment in delayed._waiting)


async def test_a_real_host_delays_its_spectators() -> None:
    async with running_host(watch_delay=2, pace="relaxed") as host:
        eve = Client(host.watch, "Eve", role="watch", keep=False)
        await eve.join()
        assert eve.info is not None and eve.info.watch_delay == 2
        before = eve._loop.time()
        async with seated(host, "Kim", "Roger", "Ross") as clients:
            clients[0].say("hello")
            await eve.wait_for(lambda one: one.view is not None)
            assert eve._loop.time() - before > 1.9, "the game began later than that, and is seen two seconds later"
            assert eve.view is not None and eve.view.you is None
        await eve.close()
