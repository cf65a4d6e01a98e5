"""Looking on at a table that shows things later: everything all may know, nothing before its time, nothing besides."""

import random

import pytest

from core.state.actions import Claim, Flee, Pass
from core.state.events import seen_by
from netcode.bots.picks import at_random
from netcode.client.client import Client
from netcode.protocol import wire
from netcode.table.delayed_spectators import MOMENTS, DelayedSpectators
from netcode.table.rules_adapter import view_bytes
from tests.netcode.offline_table import STRONG, WATCH, OfflineTable, Player, at_the_fight
from tests.netcode.running_host import running_host, seated

DELAY = 30_000


def looking_on(offline: OfflineTable, name: str = "Eve") -> Player:
    eve = offline.hello(name, WATCH, "watch")
    assert isinstance(eve, Player)
    return eve


class Seen(list[wire.Down]):
    """The inbox of somebody who looks on: what they were told, and when first (ms)."""

    def __init__(self, offline: OfflineTable) -> None:
        super().__init__()
        self.offline = offline
        self.views: dict[bytes, int] = {}
        self.events: list[tuple[str, int]] = []
        self.infos: dict[str, int] = {}
        self.talk: dict[str, int] = {}

    def append(self, message: wire.Down) -> None:
        super().append(message)
        match message:
            case wire.Update():
                if message.view is not None:
                    assert message.view.you is None
                    self.views.setdefault(view_bytes(message.view), self.offline.now)
                assert all(seen_by(told.event, -1) == told.event for told in message.events), "hidden from all"
                if not message.whole:
                    self.events += [(repr(told.event), self.offline.now) for told in message.events]
            case wire.Info():
                self.infos.setdefault(repr([(seat.name, seat.state) for seat in message.info.seats]), self.offline.now)
            case wire.Talk():
                self.talk.setdefault(message.text, self.offline.now)


@pytest.mark.parametrize("seed", range(4))
def test_everything_is_seen_and_nothing_earlier_than_agreed(seed: int) -> None:
    """Two tables alike: one shows things at once, the other later; all that is seen there was seen here before."""
    rng = random.Random(seed)
    soon, late = OfflineTable(None, pace="book"), OfflineTable(None, pace="book", watch_delay=DELAY)
    now, then = Seen(soon), Seen(late)
    people = []
    for offline, seen in ((soon, now), (late, then)):
        looking_on(offline).inbox = seen
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


def test_who_comes_in_the_middle_sees_the_table_as_it_was() -> None:
    offline = OfflineTable(pace="relaxed", watch_delay=DELAY)
    kim, roger, _ = at_the_fight(offline)
    eve = looking_on(offline)
    welcome, update = eve.received(wire.Welcome)[0], eve.update
    assert isinstance(welcome, wire.Welcome)
    assert (welcome.info.stage, [seat.name for seat in welcome.info.seats]) == ("lobby", ["", "", ""])
    assert welcome.info.watch_delay == 30 and update.view is None and update.events == []
    offline.wait(DELAY + 100)
    assert eve.view.fight is not None
    kim.act(Flee())
    assert kim.view.window is not None and eve.view.window is None
    late = looking_on(offline, "Late")
    assert late.view.fight is not None and late.view.window is None
    offline.wait(DELAY)
    assert eve.view.window is not None and late.view.window is not None
    roger.act(Pass(eve.view.window.id))


def test_the_clocks_that_are_shown_are_those_of_then() -> None:
    offline = OfflineTable(pace="standard", watch_delay=DELAY)
    kim, *_ = at_the_fight(offline)
    eve = looking_on(offline)
    offline.wait(DELAY + 100)
    kim.act(Flee())
    offline.wait(6_000)
    assert offline.table.match is not None and offline.table.match.timers().window == 2_000
    eve.send(wire.Ping(eve.session.s, 7))
    assert eve.timers.window == -1
    offline.wait(DELAY - 4_000)
    eve.send(wire.Ping(eve.session.s, 8))
    assert eve.view.window is not None and eve.timers.window == pytest.approx(6_000, abs=200)


def test_a_game_is_shown_to_its_end_before_the_table_of_bots_closes() -> None:
    offline = OfflineTable(STRONG, pace="book", watch_delay=DELAY)
    kim, roger, ross = at_the_fight(offline)
    eve = looking_on(offline)
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
    assert not offline.table.closed, "a minute to look at what is shown later"
    offline.wait(DELAY)
    assert offline.table.closed and eve.received(wire.Bye)


def test_what_waits_to_be_shown_is_bounded() -> None:
    delayed = DelayedSpectators(DELAY)
    info = wire.TableInfo("t", [])
    for number in range(20_000):
        delayed.say(wire.Talk(0, "Kim", f"line {number}"))
        delayed.keep(number * 2, info, None, wire.Timers(), number)
        delayed.advance(number * 2)
    assert len(delayed._waiting) <= MOMENTS + 1
    assert all(len(moment.said) <= 50 for moment in delayed._waiting)


async def test_a_host_shows_things_later_through_real_sockets() -> None:
    async with running_host(watch_delay=2, pace="relaxed") as host:
        eve = Client(host.watch, "Eve", role="watch", keep=False)
        await eve.join()
        assert eve.info is not None and eve.info.watch_delay == 2
        async with seated(host, "Kim", "Roger", "Ross") as clients:
            clients[0].say("hello")
            begun = eve._loop.time()
            assert eve.view is None
            await eve.wait_for(lambda one: one.view is not None)
            assert eve._loop.time() - begun > 1.0
            assert eve.view is not None and eve.view.you is None
        await eve.close()
