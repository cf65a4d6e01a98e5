"""The entries of a table's log."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state import events as ev
from core.state.actions import Refusal
from core.state.model import Lasting
from core.state.views import Deciding, View
from netcode.client.connection import ClientError
from netcode.client.state_machine import ConnectionChanged
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.fake_client import FakeClient
from tui.scene.cells import UNICODE
from tui.scene.own_clock import TEXT
from tui.scene.since import sentence
from tui.scene.table_session import TableSession
from tui.widgets.table.log import since_last_turn


def test_a_choice_that_nobody_was_asked_for_is_not_in_the_log() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    card = samples.no("Festive Gift Wrap")
    asked = replace(samples.view(), deciding=[Deciding(samples.BO, "option", card)])
    told: tuple[tuple[View, ev.AnyEvent], ...] = (
        (asked, ev.TurnBegan(samples.BO, 8)),
        (samples.view(), ev.Chose(samples.BO, card, "really chosen")),
        (samples.view(), ev.Chose(samples.BO, card, "the only way")),
        (samples.view(), ev.Chose(samples.BO, -1, "stays and helps")),
    )
    for no, (view, event) in enumerate(told, 1):
        client.tell(wire.Update(0, no, view, [wire.NumberedEvent(no, event)]))
    lines = " ".join(line.text for line in session.log)
    assert "really chosen" in lines and "stays and helps" in lines and "the only way" not in lines


def test_more_acts_than_the_host_has_answered_are_a_remark_and_no_lines_of_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)

    def busy(action: a.Action) -> int:
        raise ClientError("busy", "your last actions have not been answered yet: wait a moment")

    monkeypatch.setattr(client, "act", busy)
    before = len(session.log)
    for _ in range(5):  # keys pasted at once
        session.act(a.Pass(-1))
    assert session.remark == "Your last actions have not been answered yet: wait a moment."
    assert len(session.log) == before


def test_an_undo_of_long_ago_is_no_news_to_whoever_comes_back() -> None:
    client = FakeClient(None)
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    view = replace(samples.view(), turn_no=9, turn=samples.ME)
    past: list[ev.AnyEvent] = [
        ev.TurnBegan(samples.ME, 7), ev.SteppedBack(samples.ME, samples.ME, "kick"), ev.TurnBegan(samples.BO, 8),
        ev.TurnBegan(samples.ME, 9),
    ]  # fmt: skip
    told = [wire.NumberedEvent(no, event) for no, event in enumerate(past, 1)]
    client.tell(wire.Update(0, 1, view, told, whole=True))
    assert [line.text for line in session.log if line.kind == "turn"] == ["Turn 7: Ada", "Turn 8: Bo", "Turn 9: Ada"]
    assert session.remark == ""
    client.tell(wire.Update(0, 2, view, [wire.NumberedEvent(5, past[1])]))
    assert "You are back in turn 9, yours." in session.remark


def test_somebody_else_who_knocks_under_the_number_of_the_one_before_is_news() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    client.tell(wire.Knocks([wire.KnockInfo(1, "Ann", "1111 1111")]))
    session.ring = False
    client.tell(wire.Knocks([wire.KnockInfo(1, "Ann", "1111 1111")]))
    assert not session.ring, "that is still Ann"
    client.tell(wire.Knocks([wire.KnockInfo(1, "Eve", "2222 2222")]))  # an older host was restarted meanwhile
    assert session.ring and [line.text for line in session.log if "Eve" in line.text]


@pytest.mark.parametrize("game", [1, 2])
def test_a_longer_next_game_is_in_the_log_from_its_beginning(game: int) -> None:
    client = FakeClient(None)
    assert client.info is not None
    client.info = replace(client.info, game=1)
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    view = replace(samples.view(), turn_no=3, turn=samples.ME)
    turns = [ev.TurnBegan(samples.ME, 1), ev.TurnBegan(samples.BO, 2), ev.TurnBegan(samples.ME, 3)]
    told = [wire.NumberedEvent(no, event) for no, event in enumerate(turns, 1)]
    client.tell(wire.Update(0, 1, view, told[:2], whole=True))
    client.info = replace(client.info, game=game)  # the client was away meanwhile
    client.tell(wire.Update(0, 1, view, told, whole=True))
    logged = [line.text for line in session.log if line.kind == "turn"]
    again = ["Turn 1: Ada", "Turn 2: Bo"] if game == 2 else []
    assert logged == ["Turn 1: Ada", "Turn 2: Bo", *again, "Turn 3: Ada"]


def test_the_recap_tells_nothing_of_the_game_before() -> None:
    client = FakeClient(None)
    assert client.info is not None
    client.info = replace(client.info, game=1)
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    view = replace(samples.view(), turn_no=2, turn=samples.BO)
    old: list[ev.AnyEvent] = [
        ev.TurnBegan(samples.ME, 1), ev.Kicked(samples.ME), ev.TurnBegan(samples.BO, 2),
        ev.LevelChanged(2, 1, 8, "of old"),
    ]  # fmt: skip
    client.tell(wire.Update(0, 1, view, _numbered(old), whole=True))
    assert len(since_last_turn(session.scene())) == 2
    client.info = replace(client.info, game=2)
    new: list[ev.AnyEvent] = [ev.TurnBegan(samples.BO, 1), ev.LevelChanged(2, 1, 2, "of now"), ev.TurnBegan(2, 2)]
    client.tell(wire.Update(0, 2, view, _numbered(new), whole=True))  # the player was away meanwhile
    scene = session.scene()
    assert [line.text for line in scene.since] == ["Cid is at Level 2 now (+1: of now)"]
    assert [line.text for line in since_last_turn(scene)][::2] == ["Turn 1: Bo", "Turn 2: Cid"]


def _bots_turn(card: int) -> list[ev.AnyEvent]:
    """Return the player's own deed, then the turn that a bot has played for them, and the next one."""
    return [
        ev.TurnBegan(samples.ME, 1), ev.Kicked(samples.ME), ev.TurnBegan(samples.BO, 2), ev.LevelChanged(2, 1, 5, "a"),
        ev.TurnBegan(samples.ME, 3),
        ev.Moved(card, card, "hand", samples.ME, "table", samples.ME, "played", samples.ME),
        ev.TurnBegan(2, 4), ev.LevelChanged(2, 1, 6, "b"),
    ]  # fmt: skip


@pytest.mark.parametrize("anew", [False, True])
def test_whoever_comes_back_is_told_what_a_bot_has_played_for_them(anew: bool) -> None:
    client = FakeClient(None)
    card = samples.public("Greater")
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    told = _numbered(_bots_turn(card))
    view = replace(samples.view(), turn_no=4, turn=2)
    client.tell(wire.Update(0, 1, view, told[:2]))
    session.act(a.Pass(-1))
    client.tell(wire.Update(0, 2, view, told[2:4]))
    client.left_off = 4
    if anew:
        client.events.extend(told)
        session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    else:
        client.tell(wire.Update(0, 1, view, told, whole=True))
    scene = session.scene()
    assert {line.text for line in scene.since} == {
        "Cid is at Level 6 now (+2: a, b)", "A bot for you plays Greater",
    }  # fmt: skip
    recap = {line.text for line in since_last_turn(scene)}
    assert {"Turn 2: Bo", "Turn 3: Ada", "A bot for you plays Greater"} <= recap and "Turn 1: Ada" not in recap
    session.act(a.Pass(-1))
    assert session.scene().since == ()


def test_what_a_bot_plays_for_a_player_who_only_watches_is_not_said_to_be_theirs() -> None:
    client = FakeClient(samples.view(), samples.away())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    card = samples.public("Greater")
    client.tell(wire.Update(0, 1, samples.view(), _numbered(_bots_turn(card))))
    assert "A bot for you plays Greater" in [line.text for line in session.scene().since]
    assert "A bot for you opens the door" not in [line.text for line in session.scene().since], "the prompt tells that"
    lost = ev.Moved(card, card, "table", samples.ME, "discard", -1, "lost", samples.ME)
    client.tell(wire.Update(0, 2, samples.view(), [wire.NumberedEvent(9, lost)]))
    assert session.log[-1].text.startswith("You lose "), "that has become of them, whoever plays"
    client.tell(wire.Info(samples.info()))
    client.tell(wire.Update(0, 2, samples.view(), [wire.NumberedEvent(10, ev.Kicked(samples.ME))]))
    assert session.log[-1].text.startswith("You ")


def test_what_a_bot_plays_into_a_fight_for_a_player_who_only_watches_has_its_sums() -> None:
    before = samples.crowded()
    client = FakeClient(before, samples.away())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    client.tell(wire.Update(0, 1, before, [wire.NumberedEvent(1, ev.TurnBegan(samples.BO, 7))]))
    after = samples.crowded()
    assert before.fight is not None and after.fight is not None
    after.fight.foes += 5
    card = samples.public("Greater")
    played = ev.Moved(card, card, "hand", samples.ME, "fight", -1, "played", samples.ME)
    client.tell(wire.Update(1, 2, after, [wire.NumberedEvent(2, played)]))
    (act,), line = session.scene().acts, session.log[-1]
    assert act.said == line.text == "A bot for you plays Greater"
    assert line.amount == f"{after.fight.heroes}:{after.fight.foes}"


def _numbered(events: Sequence[ev.AnyEvent]) -> list[wire.NumberedEvent]:
    return [wire.NumberedEvent(no, event) for no, event in enumerate(events, 1)]


def test_a_scene_tells_what_others_did_to_the_fight_and_since_the_players_last_act() -> None:
    before = samples.crowded()
    client = FakeClient(before)
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    assert before.fight is not None and client.seat == samples.ME
    client.tell(wire.Update(0, 1, before, [wire.NumberedEvent(1, ev.TurnBegan(samples.BO, 7))]))
    after = samples.crowded()
    assert after.fight is not None
    after.fight.foes += 5
    card = samples.public("Greater")
    told: list[ev.AnyEvent] = [
        ev.Moved(card, card, "hand", 2, "fight", -1, "played", 2), ev.LevelChanged(2, 1, 8, "fair play"),
    ]  # fmt: skip
    client.view = after
    client.tell(wire.Update(1, 2, after, [wire.NumberedEvent(no, event) for no, event in enumerate(told, 2)]))
    scene = session.scene()
    (act,) = scene.acts
    assert (act.seat, act.said, act.after[1] - act.before[1]) == (2, "Cid plays Greater", 5)
    assert [line.text for line in scene.since] == ["Cid is at Level 8 now (+1: fair play)", "Cid plays Greater"]
    session.act(a.Pass(-1), by_itself=True)
    assert session.scene().since == scene.since, "nobody has read anything"
    session.act(a.Pass(-1))
    assert session.scene().since == () and session.scene().acts == scene.acts


def test_a_remark_is_gone_after_a_pause_or_a_lost_connection() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    refused = wire.Refused(1, Refusal("changed", "Too late.", 1, 5))
    for stage in ("paused", "playing"):
        client.tell(refused)
        assert session.refused is not None and "Too late." in session.remark
        assert client.info is not None
        client.tell(wire.Info(replace(client.info, stage=stage)))
        assert session.remark == "" and session.refused is None
    client.tell(refused)
    client.tell(ConnectionChanged("offline", "the connection was lost"))
    client.tell(ConnectionChanged("offline", "nobody answers"))
    assert [line.text for line in session.log[-2:]] == [
        "Connection lost: the connection was lost", "Still no connection: nobody answers",
    ]  # fmt: skip
    client.tell(ConnectionChanged("synced", ""))
    assert session.remark == "" and session.refused is None


def test_one_is_told_that_the_host_has_chosen_when_ones_time_was_up() -> None:
    """Formerly, the host opened the door and looted the room for a player, and nothing said that the player had not
    done it."""
    now = [0.0]
    client = FakeClient(samples.your_turn())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: now[0])

    def update(left_ms: int, after_s: float) -> None:
        now[0] += after_s
        client.timers = wire.Timers(prompts={samples.ME: left_ms} if left_ms >= 0 else {})
        session.remark = ""
        client.tell(wire.Update(0, 41, samples.your_turn()))

    update(30_000, 0)
    update(24_900, 5)
    assert session.remark == "", "the same question"
    update(30_000, 24.8)
    assert session.remark == TEXT and session.log[-1].text == TEXT
    update(-1, 10)
    assert session.remark == "", "it was answered by somebody else's act"
    update(2_000, 0)
    session.act(a.Pass(-1))
    update(30_000, 1.9)
    assert session.remark == "", "the player has answered in time"


def test_an_item_that_stops_counting_is_told_and_so_is_one_that_counts_again() -> None:
    """No event tells of it: a Race is lost, and the Item stays where it lies."""
    def lying(up: bool, race: bool) -> View:
        view = samples.view()
        view.seats[samples.ME].table = [*([elf] if race else []), replace(bow, up=up)]
        view.seats[samples.BO].table = [replace(shield, up=up)]
        return view

    elf, bow = samples.placed("Elf", "Bow of Standing Well Back")
    (shield,) = samples.placed("Meat Shield")
    client = FakeClient(lying(True, True))
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    lost = ev.Moved(elf.card, elf.card, "table", samples.ME, "door", -1, "lost", samples.BO)
    client.tell(wire.Update(0, 7, lying(False, False), [wire.NumberedEvent(7, lost)]))
    mine, theirs = session.log[-2:]
    assert (mine.text, mine.amount, mine.yours) == (
        "Your Bow of Standing Well Back no longer counts: only if you are an Elf", "-3", True,
    )
    assert theirs.text == "Bo's Meat Shield no longer counts: only if Bo is a Halfling" and not theirs.yours
    assert any(line.text == mine.text for line in session.scene().since)
    client.tell(wire.Update(0, 8, lying(True, True), [wire.NumberedEvent(8, ev.LevelChanged(samples.BO, 1, 6, "a"))]))
    assert [line.text for line in session.log[-2:]] == [
        "Your Bow of Standing Well Back counts again", "Bo's Meat Shield counts again",
    ]
    flipped = [wire.NumberedEvent(9, ev.Flipped(samples.ME, bow.card, False))]
    quiet = lying(True, True)
    quiet.seats[samples.ME].table[1] = replace(bow, up=False)
    client.tell(wire.Update(0, 9, quiet, flipped))
    assert session.log[-1].text == "You put Bow of Standing Well Back away"


def test_a_card_that_takes_something_is_not_said_to_find_nothing() -> None:
    """Each part of its text that finds nothing is an event of its own."""
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    kraken, spear = samples.no("Safe-Kraken"), samples.public("Pickle Spear")
    nothing = [ev.Fizzled(seat, kraken, ev.NOTHING_TO_LOSE) for seat in (samples.ME, samples.ME, samples.BO)]
    lost = ev.Moved(spear, spear, "table", samples.BO, "treasure", -1, "lost", samples.BO)
    events: list[ev.AnyEvent] = [*nothing, lost]
    told = [wire.NumberedEvent(no, event) for no, event in enumerate(events, 3)]
    client.tell(wire.Update(0, 7, samples.view(), told))
    words = ["You have nothing that Safe-Kraken takes", "Bo loses Pickle Spear"]
    assert [line.text for line in session.log[-2:]] == words
    assert sum("nothing that" in line.text for line in session.log) == 1


def test_a_die_of_a_text_is_told_with_what_came_of_it() -> None:
    """A die stood first in the news, and what it had done was behind the key that shows more."""
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    spear = samples.public("Pickle Spear")
    lost = ev.Moved(spear, spear, "table", 2, "treasure", -1, "lost", 2)
    events: list[ev.AnyEvent] = [ev.Rolled(samples.BO, 5, "Thief"), lost, ev.Drew(samples.BO, "door", 1, [])]
    told = [wire.NumberedEvent(no, event) for no, event in enumerate(events, 3)]
    client.tell(wire.Update(0, 7, samples.view(), told))
    assert [sentence(line) for line in session.scene().since][:2] == [
        "Bo rolls 5 (Thief): Cid loses Pickle Spear.", "Bo draws 1 Door card.",
    ]  # fmt: skip
    assert session.log[-3].text == "Bo rolls 5 (Thief)", "the log tells both below each other"
    lasting = ev.LastingBegan(samples.BO, Lasting(0, samples.no("Thief"), 0, "turn", armed=True))
    dice: list[ev.AnyEvent] = [ev.Rolled(samples.BO, 2, "Thief"), lasting]
    again = [wire.NumberedEvent(no, one) for no, one in enumerate(dice, 20)]
    client.tell(wire.Update(0, 8, samples.view(), again))
    assert sentence(session.log[-2]).startswith("Bo rolls 2 (Thief): affects Bo")
    killed = ev.MonsterLeft(samples.held("Bearbug"), samples.no("Bearbug"), "killed", 1, 1)
    died: list[ev.AnyEvent] = [ev.Rolled(samples.BO, 4, "Bearbug"), killed, ev.LevelChanged(2, 1, 3, "Bearbug")]
    client.tell(wire.Update(0, 8, samples.view(), [wire.NumberedEvent(no, one) for no, one in enumerate(died, 24)]))
    assert all(not line.then for line in session.log[-3:]), "nobody is killed by the die"
    gained: list[ev.AnyEvent] = [ev.Rolled(samples.BO, 4, "Thief"), ev.LevelChanged(2, 1, 3, "Thief")]
    client.tell(wire.Update(0, 8, samples.view(), [wire.NumberedEvent(no, one) for no, one in enumerate(gained, 30)]))
    assert sentence(session.log[-2]) == "Bo rolls 4 (Thief): Cid gains 1 level: Level 3.", "its card is named once"
    ran: list[ev.AnyEvent] = [ev.Rolled(samples.BO, 5, "run away", [], 5, samples.no("Glampire"))]
    ran.append(ev.Drew(samples.BO, "door", 1, []))
    client.tell(wire.Update(0, 8, samples.view(), [wire.NumberedEvent(no, one) for no, one in enumerate(ran, 6)]))
    assert all(not line.then for line in session.log[-2:]), "its number says what comes of it"


def test_the_treasures_of_a_kill_are_told_with_it_and_not_with_a_die_of_a_winners_card() -> None:
    """"Cyd rolls 2 (Axe a Fireman Lent You): Cyd draws 3 Treasures", although the fight had brought them."""
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    bear = samples.held("Bearbug")
    won: list[ev.AnyEvent] = [
        ev.StageSet(samples.BO, "won", 3), ev.MonsterLeft(bear, samples.no("Bearbug"), "killed", 3, 1),
        ev.FightEnded(samples.BO, "killed"), ev.Rolled(samples.BO, 6, "Thief"),
    ]  # fmt: skip
    paid: list[ev.AnyEvent] = [ev.Drew(samples.BO, "treasure", 3, []), ev.PhaseBegan(samples.BO, "end")]

    def told(first: int, *events: ev.AnyEvent) -> list[str]:
        numbered = [wire.NumberedEvent(no, event) for no, event in enumerate(events, first)]
        client.tell(wire.Update(0, first, samples.view(), numbered))
        return [sentence(line) for line in session.scene().since if line.just]

    kill, die = "Bo wins the fight by 3: draws 3 Treasures.", "Bo rolls 6 (Thief)"
    assert told(3, *won, *paid) == [kill, f"{die}."]
    more = told(20, *won, ev.Drew(samples.BO, "treasure", 1, []), *paid)
    assert more == [kill, f"{die}: draws 1 Treasure."], "what the die has brought stands with the die"


def test_a_window_that_opens_again_is_told_once_and_is_nobodys_where_a_monster_is_gone() -> None:
    client = FakeClient(samples.view())
    session = TableSession(client, samples.catalog(), UNICODE, lambda: 0.0)
    events: list[ev.AnyEvent] = [
        ev.WindowOpened("removed", 3, samples.BO), ev.LevelChanged(2, -1, 3, "a"),
        ev.WindowOpened("removed", 4, samples.BO), ev.WindowOpened("claim", 5, samples.BO),
        ev.WindowClosed(5, "withdrawn"), ev.WindowOpened("claim", 6, samples.BO),
    ]  # fmt: skip
    told = [wire.NumberedEvent(no, event) for no, event in enumerate(events, 3)]
    client.tell(wire.Update(0, 7, samples.view(), told))
    asked = [(line.text, line.seat) for line in session.log if line.text.endswith("does anybody respond?")]
    claims = ("Bo claims the kill: does anybody respond?", samples.BO)
    assert asked == [("The last monster is gone: does anybody respond?", -1), claims, claims]
