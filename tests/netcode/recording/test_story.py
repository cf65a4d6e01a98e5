"""The story of a game: true to what happened, the same for everybody who saw it, kept with the recording."""

from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from core.state import events as ev
from core.state.actions import Accept, Claim, Flee, Offer, Pass, Play, Roll, Terms
from core.state.model import Bargain, card_id
from netcode.protocol import wire
from netcode.recording.chronicle import Chronicle
from netcode.recording.narrator import Moment, Narrator, Sums
from netcode.recording.recorder import Finished
from netcode.recording.recording import read_header, read_recording, write_recording
from netcode.recording.review import LEAST, SHOWN
from netcode.recording.story import STORY_BYTES, Stab, Story, TurningPoint, pack, unpack
from tests.netcode.offline_table import FIGHT, OfflineTable, Player, at_the_fight, card, rules
from tests.netcode.recorded_games import Listener, SeededTable, play_on, recorded, recorder, take_part, told
from tui.screens.replay_timeline import Timeline

NAMES = ("Kim", "Roger", "Ross")
SEEDS = (0, 2, 3)
"""Deals with a death, with a fight for the game that was stopped, and with dice for everybody."""


@cache
def whole_game(number: int) -> tuple[Player, ...]:
    """Return three players and a spectator with all messages of a whole game."""
    offline = SeededTable(number)
    players = offline.sit(*NAMES)
    take_part(offline, players)
    spectator = offline.spectator()
    play_on(offline, players, number)
    return (*players, spectator)


def events_of(player: Player) -> list[ev.AnyEvent]:
    """Return every event a player was told, once."""
    numbered = {item.no: item.event for update in player.received(wire.Update) for item in update.events}
    return [numbered[no] for no in sorted(numbered)]


# ------------------------------------------------------------------------------------------------------- whole games
@pytest.mark.long(3)
@pytest.mark.parametrize("number", SEEDS)
def test_a_story_counts_what_happened(number: int) -> None:
    kim = whole_game(number)[0]
    story, events = told(kim), events_of(kim)
    rolled = [event for event in events if isinstance(event, ev.Rolled) and event.sides == 6]
    assert story.faces == [sum(event.die == face for event in rolled) for face in range(1, 7)]
    assert story.whole and story.winners == kim.view.winners and story.goal == 10
    assert (story.turns, story.why) == (kim.view.turn_no, "level")
    for seat, seen in enumerate(story.seats):
        assert seen.level == kim.view.seats[seat].level
        assert seen.rolls == sum(event.seat == seat for event in rolled)
        assert len(seen.deaths) == sum(isinstance(event, ev.Died) and event.seat == seat for event in events)
        assert seen.away <= seen.runs
    killed = sum(isinstance(event, ev.MonsterLeft) and event.how == "killed" for event in events)
    assert sum(seat.kills for seat in story.seats) == killed > 5
    sales = [event for event in events if isinstance(event, ev.LevelChanged) and event.why == "the sale"]
    assert sum(seat.bought for seat in story.seats) == sum(event.by for event in sales) > 0


@pytest.mark.parametrize("number", SEEDS)
def test_a_curve_has_the_level_at_the_end_of_each_turn(number: int) -> None:
    kim = whole_game(number)[0]
    story = told(kim)
    at_end: dict[int, list[int]] = {}
    levels, turn = [1] * 3, 0
    for event in events_of(kim):
        if isinstance(event, ev.TurnBegan):
            turn = event.no
        if isinstance(event, ev.LevelChanged):
            levels[event.seat] = event.level
        at_end[turn] = list(levels)
    for seat, seen in enumerate(story.seats):
        curve = dict(seen.levels)
        level = 1
        for turn in range(story.turns + 1):
            level = curve.get(turn, level)
            assert level == at_end[turn][seat], (seat, turn)


@pytest.mark.long(3)
@pytest.mark.parametrize("number", SEEDS)
def test_players_and_spectators_tell_the_same_story_but_for_what_mattered_to_them(number: int) -> None:
    kim, *others = whole_game(number)
    assert all(replace(told(other), mattered=[]) == replace(told(kim), mattered=[]) for other in others)


@pytest.mark.long(3)
@pytest.mark.parametrize("number", SEEDS)
def test_the_moments_that_mattered_most_are_the_greatest_changes_of_ones_chance(number: int) -> None:
    *players, spectator = whole_game(number)
    for player in (*players, spectator):
        story = told(player)
        seat = player.view.you.seat if player.view.you is not None else -1
        assert 1 <= len(story.mattered) <= SHOWN
        assert [swing.rev for swing in story.mattered] == sorted(swing.rev for swing in story.mattered)
        for swing in story.mattered:
            assert swing.seat == seat or seat < 0
            assert abs(swing.after - swing.before) >= LEAST and swing.kind and 0 < swing.turn <= story.turns
        assert unpack(pack(story), len(NAMES)) == story


def test_who_comes_late_tells_only_what_they_saw() -> None:
    kim = whole_game(3)[0]
    whole = told(kim)
    half = next(at for at, m in enumerate(kim.inbox)
                if isinstance(m, wire.Update) and m.view is not None and m.view.turn_no == 20)  # fmt: skip
    late = told(kim, half)
    assert not late.whole and late.first == 20 and late.turns == whole.turns
    for seat, (seen, all_seen) in enumerate(zip(late.seats, whole.seats)):
        assert seen.levels[0][0] == 19 and seen.level == all_seen.level
        known = [step for step in all_seen.levels if step[0] > 20]
        assert [step for step in seen.levels if step[0] > 20] == known, seat
        assert seen.kills < all_seen.kills


def test_a_gap_is_noticed() -> None:
    kim = whole_game(3)[0]
    chronicle = Chronicle(rules().catalog, 0)
    updates = kim.received(wire.Update)
    for at, update in enumerate(updates):
        if not 100 <= at < 140:
            chronicle.heard(update, at * 1000)
    story = chronicle.story()
    assert story is not None and story.gap and story.seconds == len(updates) - 1


# --------------------------------------------------------------------------------------------------------- one fight
LAST_FIGHT = FIGHT.replace("level = 4", "level = 9").replace('"Glampire"', '"Practice Rat"')
"""Kim fights for the game."""


def pass_all(offline: OfflineTable) -> None:
    """Let everybody pass the open window."""
    for player in offline.players:
        if player.view.window is not None:
            player.act(Pass(player.view.window.id))


def monster(player: Player) -> int:
    """Return the monster that is being fought."""
    assert player.view.fight is not None
    return player.view.fight.monsters[0].id


def lose(offline: OfflineTable, kim: Player) -> None:
    """Let Kim give the fight up and run, until the fight is over."""
    kim.act(Flee())
    for _ in range(40):
        pass_all(offline)
        view = kim.view
        if view.fight is None:
            return
        rows = view.you.legal if view.you is not None else []
        roll = next((row.action for row in rows if isinstance(row.action, Roll)), None)
        if roll is not None:
            kim.act(roll)
        offline.wait(3000)
    raise AssertionError("the fight does not end")


def test_the_act_that_stops_a_fight_for_the_game_is_the_best_stab() -> None:
    offline = OfflineTable(LAST_FIGHT.replace('"Advantaged"', '"Greater"'))
    kim, roger, _ = at_the_fight(offline)
    assert kim.view.fight is not None and kim.view.fight.match_point and kim.view.fight.winning
    before = kim.view.fight.heroes - kim.view.fight.foes
    roger.act(Play(roger.holds("Greater"), target=monster(roger)))
    assert roger.view.fight is not None and not roger.view.fight.winning
    by = before - (roger.view.fight.heroes - roger.view.fight.foes)
    lose(offline, kim)
    for player in offline.players:
        story = told(player)
        assert story.stab == Stab(1, 1, 0, "Greater", by, match_point=True)
        assert (story.seats[1].strikes, story.seats[1].betrayals) == (1, 0)
        assert story.biggest is not None and story.biggest.how in ("fled", "died")
        assert story.turning is None, "nobody has won yet"


def test_a_stab_against_a_fight_that_is_won_after_all_is_none() -> None:
    offline = OfflineTable(FIGHT.replace("level = 4", "level = 8").replace('"Glampire"', '"Practice Rat"'))
    kim, roger, _ = at_the_fight(offline)
    roger.act(Play(roger.holds("Advantaged"), target=monster(roger)))
    kim.act(Play(kim.holds("Prismatic Glitter"), side="heroes"))
    kim.act(Claim())
    pass_all(offline)
    offline.wait(3000)
    story = told(kim)
    assert story.seats[0].kills == 1 and story.seats[1].strikes == 1
    assert story.stab is None


HELP = Terms("help", helper=1)


def test_what_was_taken_back_did_not_happen() -> None:
    offline = OfflineTable(FIGHT)
    kim, roger, ross = at_the_fight(offline)
    kim.act(Offer(1, HELP))
    roger.act(Accept(roger.view.offers[0].no))
    assert told(kim).seats[1].helped == 1
    kim.send(wire.Back(kim.session.s))
    for player in (roger, ross):
        vote = offline.table.info().vote
        assert vote is not None
        player.send(wire.Back(player.session.s, vote.number, True))
    assert kim.view.fight is not None and kim.view.fight.helper == -1
    for player in offline.players:
        assert told(player).seats[1].helped == 0 and told(player).undone == 1


def card_of(name: str, serial: int = 9) -> int:
    """Return a card of this name on the table."""
    return card_id(serial, 0, card(name))


def narrated(*moments: tuple[ev.AnyEvent, ...]) -> Story:
    """Return the story of these moments at a table of three, all at Level 1."""
    narrator = Narrator(rules().catalog, -1)
    for events in ((ev.TurnBegan(0, 1), ev.FightBegan(0, card_of("Glampire"), "kicked")), *moments):
        narrator.tell(Moment(1, 10, (1, 1, 1), None, False, events))
    return narrator.story()


def test_a_promised_card_that_is_spent_is_a_broken_promise() -> None:
    spear = card_of("Pickle Spear")
    helps = ev.HelperCame(1, False, Bargain(1, 0, 1, "help", 1, 0, False, [spear], [], [], 1))
    spent = ev.Moved(spear, spear, "table", 0, "treasure", -1, "spent", 0)
    promised = ev.Moved(spear, spear, "table", 0, "table", 1, "promised", 1)
    ended = ev.FightEnded(0, "killed")
    assert narrated((helps,), (spent,), (ended,)).seats[0].broken == 1
    assert narrated((helps,), (ended, promised)).seats[0].broken == 0
    assert narrated((spent,), (ended,)).seats[0].broken == 0, "it was not promised"


def test_who_strikes_somebody_they_fought_beside_betrays_them() -> None:
    curse = card_of("Hole in the Pocket")

    def cursed(by: int, on: int) -> ev.Moved:
        return ev.Moved(curse, curse, "hand", by, "limbo", by, "played", by, on_seat=on)

    story = narrated((ev.HelperCame(1, False), ev.FightEnded(0, "killed")), (cursed(1, 0),), (cursed(2, 0),))
    assert [(seat.strikes, seat.betrayals) for seat in story.seats] == [(0, 0), (1, 1), (1, 0)]
    assert story.seats[0].cursed == 2
    compelled = narrated((ev.HelperCame(1, True), ev.FightEnded(0, "killed")), (cursed(1, 0),), (cursed(1, 1),))
    assert [(seat.strikes, seat.betrayals) for seat in compelled.seats] == [(0, 0), (1, 0), (0, 0)]


@pytest.mark.parametrize(
    "curves, point",
    [
        ([[2, 5, 9], [3, 4, 7], [1, 1, 1]], (2, 0)),
        ([[2, 5, 10], [3, 6, 7], [1, 1, 1]], (3, 0)),
        ([[2, 2, 2], [1, 1, 1], [1, 1, 1]], (1, 0)),
        ([[2, 2, 2], [2, 2, 2], [1, 1, 1]], None),
    ],
)
def test_the_turning_point_is_where_the_winner_took_the_lead_for_good(
    curves: list[list[int]], point: tuple[int, int] | None
) -> None:
    narrator = Narrator(rules().catalog, -1)
    narrator.tell(Moment(0, 10, (1, 1, 1), None, False, ()))
    for turn, levels in enumerate(zip(*curves), 1):
        narrator.tell(Moment(turn, 10, levels, None, False, (ev.TurnBegan(0, turn),)))
    narrator.tell(Moment(3, 10, levels, None, False, (ev.Won([0], "level"),)))
    found = narrator.story().turning
    assert found == (None if point is None else TurningPoint(point[0], "lead", point[1]))


def test_a_fight_that_the_end_of_the_game_cuts_off_counts_too() -> None:
    """Formerly, when the last Seal opened while the fighter still ran, the story named another fight as the biggest."""
    narrator = Narrator(rules().catalog, -1)
    sums = Sums(1, 0, 1, 33, 34, False, False, True, (card_of("Glampire") & 4095,))
    began = (ev.TurnBegan(0, 1), ev.FightBegan(0, card_of("Glampire"), "kicked"))
    narrator.tell(Moment(1, 10, (1, 1, 1), sums, False, began))
    assert narrator.story().biggest is None, "it goes on"
    narrator.tell(Moment(1, 10, (1, 1, 1), None, False, (ev.Won([2], "the seventh Seal"),)))
    found = narrator.story().biggest
    assert found is not None and (found.heroes, found.foes, found.how) == (33, 34, "")


def test_the_turning_point_is_the_last_fight_for_the_game_that_somebody_else_lost() -> None:
    (kim, *_) = whole_game(5)
    assert told(kim).turning == TurningPoint(13, "stopped", 2, 0, "Fistful of Angry Dice")
    assert kim.view.winners == [0]


# --------------------------------------------------------------------------------------------------- with the recording
def test_a_recording_has_its_story_in_the_header(tmp_path: Path) -> None:
    for player in whole_game(2):
        path = recorded(player, tmp_path)
        header = read_header(path)
        story = unpack(header.story, len(header.players))
        assert story == told(player)


def test_the_story_of_an_old_recording_is_told_when_it_is_opened(tmp_path: Path) -> None:
    kim = whole_game(2)[0]
    path = recorded(kim, tmp_path)
    recording = read_recording(path)
    kept = unpack(recording.header.story, 3)
    recording.header.story = b""
    write_recording(path, recording)
    old = read_recording(path)
    assert unpack(old.header.story, 3) is None
    assert Timeline(old, old.catalog()).story == kept != None  # noqa: E711


@pytest.mark.parametrize("what", ["empty", "noise", "long", "seats", "name", "faces", "curve", "turning"])
def test_a_story_that_does_not_fit_is_no_story(what: str) -> None:
    story = told(whole_game(2)[0])
    other = msgspec.msgpack.decode(msgspec.msgpack.encode(story))
    if what == "name":
        other["stab"]["card"] = "x" * 81
    if what == "faces":
        other["faces"] = [1, 2]
    if what == "curve":
        other["seats"][0]["levels"] = [[3, 1], [2, 2]]
    if what == "turning":
        other["turning"] = {"turn": 3, "kind": "lead", "seat": 7}
    data = {"empty": b"", "noise": b"\x93\x01", "long": b"x" * (STORY_BYTES + 1)}.get(what)
    assert unpack(msgspec.msgpack.encode(other) if data is None else data, 4 if what == "seats" else 3) is None


def test_a_recorder_tells_of_the_end_even_if_the_disk_fails(tmp_path: Path) -> None:
    (tmp_path / "replays").write_text("a file where the folder should be")
    kim = whole_game(2)[0]
    ends: list[Finished] = []
    listener = Listener(kim)
    found = recorder(listener, tmp_path / "replays", [], ends)
    listener.catch_up()
    assert "this game is not recorded" in found.problem
    assert [end.story for end in ends] == [told(kim)]
    assert ends[0].header.winners == kim.view.winners


def test_players_of_one_game_have_the_same_key(tmp_path: Path) -> None:
    ends: list[Finished] = []
    for player in whole_game(2):
        listener = Listener(player)
        recorder(listener, tmp_path, [], ends)
        listener.catch_up()
    assert len(ends) == 4 and len({end.key for end in ends}) == 1
