"""A game that its player has played from the deal to its end counts as whole, whatever happened to the host, the line
and the screen meanwhile: the host sends the missed events."""

from pathlib import Path

import pytest
import zmq
from msgspec.structs import replace

from netcode.host.sender import Sender
from netcode.protocol import limits, wire
from netcode.recording.recorder import Finished
from netcode.recording.story import Story
from netcode.table.session import Out
from tests.netcode.offline_table import JOIN, OfflineTable, Player
from tests.netcode.recorded_games import PACKS, Listener, SeededTable, play_on, recorder, take_part, told
from tests.netcode.restored_table import journal_rows, restored_table

HALF = 120
"""Actions of the first half of a game: they make many more events than a whole delta has."""


class Desk(SeededTable):
    """A table some of whose connections take no messages, because they do not read."""

    def __init__(self, number: int = 1) -> None:
        self.full: set[bytes] = set()
        self._sender = Sender(self, lambda session: None)  # type: ignore[arg-type]
        super().__init__(number)

    def send(self, messages: list[tuple[bytes, bytes]]) -> list[zmq.ZMQError | None]:
        """As Receiver.send."""
        return [zmq.ZMQError(zmq.EAGAIN) if address in self.full else None for address, _ in messages]

    def sent(self, out: list[Out]) -> None:
        """See OfflineTable; messages that could not be sent are not delivered."""
        for one in out:
            self._sender.send(one)
        out[:] = [one for one in out if one.address not in self.full]


def half_a_game(acts: int = HALF) -> tuple[Desk, list[Player]]:
    """A table of three in the middle of its game."""
    offline = Desk()
    players = offline.sit("Kim", "Roger", "Ross")
    take_part(offline, players)
    play_on(offline, players, 3, acts)
    assert offline.table.stage == "playing"
    return offline, players


def numbers(player: Player) -> list[int]:
    """Return the numbers of the events sent to a player, each as often as it was sent."""
    return [item.no for update in player.received(wire.Update) for item in update.events]


def comes_back(offline: OfflineTable, player: Player, token: bytes) -> None:
    """Let a player come back over a new connection, and report the events they have heard."""
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", token, player.name, game=1, heard=max(numbers(player)))
    session = offline.table.hello(hello, player.name, player.address, offline.stamp)
    assert session is not None
    player.session = session
    offline.deliver()


def restart(offline: OfflineTable, folder: Path) -> None:
    """Restart the host; the players come back."""
    folder.mkdir()
    offline.table = restored_table(offline, journal_rows(offline, folder))
    for player in offline.players:
        comes_back(offline, player, player.received(wire.Welcome)[-1].token)


def story_of_all(player: Player) -> Story:
    """Return the story of a client that has missed nothing."""
    story = told(player)
    assert story.whole and story.winners == player.view.winners
    return replace(story, mattered=[])  # what mattered differs from seat to seat


def alike(one: Story, other: Story) -> bool:
    """Return whether two stories agree on public events, however these were sent. (The act that turned a fight follows
    from its sums, which an absent player has not seen.)"""
    told = [[(seat.levels, seat.kills, seat.deaths, seat.rolls) for seat in story.seats] for story in (one, other)]
    return told[0] == told[1] and one.faces == other.faces and one.winners == other.winners


def all_heard(player: Player) -> bool:
    """Return whether a player was told every event."""
    return sorted(set(numbers(player))) == list(range(1, max(numbers(player)) + 1))


# ------------------------------------------------------------------------------------------------------ restarted hosts
def test_a_game_played_through_two_restarts_of_its_host_is_whole(tmp_path: Path) -> None:
    offline, players = half_a_game()
    for number in range(2):
        restart(offline, tmp_path / str(number))
        play_on(offline, players, number, HALF)
    restart(offline, tmp_path / "last")
    play_on(offline, players, 5)
    for player in players:
        assert all_heard(player)
    assert story_of_all(players[0]) == story_of_all(players[1])


@pytest.mark.long(0)
def test_a_saved_game_that_went_on_without_its_player_is_given_to_them(tmp_path: Path) -> None:
    """The player's program ends. Before the player comes back, the others play on, and the host is restarted twice."""
    offline, players = half_a_game()
    kim, *others = players
    ends: list[Finished] = []
    first = Listener(kim)
    record = recorder(first, tmp_path / "replays", [], ends)
    first.catch_up()
    record.stop()
    token, before = kim.received(wire.Welcome)[-1].token, max(numbers(kim))
    offline.players.remove(kim)
    for number in range(2):
        restart(offline, tmp_path / str(number))
        play_on(offline, others, number, 100)
    assert max(numbers(others[0])) > before + 3 * limits.WHOLE_EVENTS
    back = Listener(kim)
    back._heard = len(kim.inbox)
    recorder(back, tmp_path / "replays", [], ends)
    offline.players.insert(0, kim)
    comes_back(offline, kim, token)
    play_on(offline, players, 11)
    back.catch_up()
    (end,) = ends
    assert end.story is not None and end.story.whole and not end.header.late
    assert all_heard(kim) and alike(end.story, story_of_all(others[0]))


def test_a_recorder_that_begins_after_the_first_update_has_missed_nothing(tmp_path: Path) -> None:
    offline, players = half_a_game()
    kim = players[0]
    first = next(update for update in kim.received(wire.Update) if update.view is not None and update.events)
    listener, ends = Listener(kim), list[Finished]()
    listener.before, listener._heard = first, kim.inbox.index(first) + 1
    listener.info = offline.table.info()
    recorder(listener, tmp_path / "replays", [], ends)
    play_on(offline, players, 5)
    listener.catch_up()
    (end,) = ends
    assert end.story is not None and end.story.whole and not end.header.late


# ------------------------------------------------------------------------------------------------------- slow screens
@pytest.mark.long(0)
def test_a_screen_that_does_not_read_for_a_while_gets_all_that_it_missed() -> None:
    offline, players = half_a_game()
    kim, *others = players
    before = max(numbers(kim))
    offline.full.add(kim.address)
    play_on(offline, others, 4, 70)
    assert offline.table.stage == "playing"
    assert max(numbers(kim)) == before < max(numbers(others[0])) - 3 * limits.WHOLE_EVENTS
    offline.full.clear()
    play_on(offline, players, 5)
    assert all_heard(kim) and alike(story_of_all(kim), story_of_all(others[0]))
    assert all(len(update.events) <= limits.WHOLE_EVENTS for update in kim.received(wire.Update) if update.whole)


def test_a_lost_connection_gives_all_that_happened_meanwhile_and_a_sync_does() -> None:
    offline, players = half_a_game()
    kim, *others = players
    token = kim.received(wire.Welcome)[-1].token
    offline.players.remove(kim)
    kim.session.address = None
    play_on(offline, others, 4, 100)
    offline.players.insert(0, kim)
    comes_back(offline, kim, token)
    offline.players.remove(kim)  # its messages are lost on the way
    play_on(offline, others, 4, 100)
    offline.players.insert(0, kim)
    kim.send(wire.Sync(kim.session.s, max(numbers(kim))))
    play_on(offline, players, 5)
    assert all_heard(kim) and alike(story_of_all(kim), story_of_all(others[0]))


def test_whoever_takes_a_seat_is_told_no_more_than_the_newest_of_what_happened_to_it() -> None:
    offline, players = half_a_game()
    ross = players[2]
    ross.send(wire.Leave(ross.session.s))
    offline.players.remove(ross)
    hello = wire.Hello(wire.WIRE, wire.WIRE, "t", JOIN, "Ann", game=1)
    session = offline.table.hello(hello, "Ann", b"Ann", offline.stamp)
    assert session is not None and session.seat == ross.seat
    ann = Player(offline, "Ann", session, b"Ann")
    offline.players.append(ann)
    offline.deliver()
    assert len(numbers(ann)) == limits.WHOLE_EVENTS
    (end,) = {update.view.turn_no for update in ann.received(wire.Update) if update.view is not None}
    assert told(ann).first == end


# --------------------------------------------------------------------------------------------------------------- undo
def test_going_back_over_more_events_than_a_delta_has_leaves_a_game_whole() -> None:
    offline = OfflineTable(None, bots=2, pace="book", packs=PACKS)
    (kim,) = offline.sit("Kim")
    kim.set(waits="never", speed="fast")
    players = [kim, *offline.seat_own_bots()]
    play_on(offline, players, 3, HALF)
    seen = max(numbers(kim))
    while kim.view.turn_no > 1:
        kim.send(wire.Back(kim.session.s))
        offline.wait(300)
    comes_back(offline, kim, kim.received(wire.Welcome)[-1].token)
    play_on(offline, players, 4, HALF)
    story = told(kim)
    assert story.undone and not story.gap and all_heard(kim)
    assert max(numbers(kim)) > seen + 2 * limits.WHOLE_EVENTS
