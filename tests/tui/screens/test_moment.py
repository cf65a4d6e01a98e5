"""A moment over the table: alone it stays until a key; with people it passes and never covers a question."""

import msgspec
import pytest

from core.state import actions as a
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import Ask
from core.state.views import View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.app.app import KickdoorApp
from tui.config.settings import Settings
from tui.screens.card import CardScreen
from tui.screens.moment import MomentScreen
from tui.screens.rules import RulesScreen
from tui.screens.table import TableScreen
from tui.widgets.pane import Pane

LEVEL = ev.LevelChanged(samples.ME, 1, 4, "the sale")


def door() -> ev.Turned:
    """A monster behind the door of this player."""
    return ev.Turned(samples.ME, samples.public("Bearbug"))


async def hear(pilot: TablePilot, *events: AnyEvent, view: View | None = None) -> None:
    """Let the host send these events."""
    client = pilot.client
    client.heard = getattr(client, "heard", 0)
    told = [wire.NumberedEvent(client.heard + at, event) for at, event in enumerate(events, 1)]
    client.heard += len(events)
    client.tell(wire.Update(1, client.heard, view or client.view, told, client.timers))
    await pilot.settle()


async def test_alone_it_stays_until_space_and_then_the_bots_go_on() -> None:
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, MomentScreen)
        text = pilot.text()
        assert "A LEVEL GAINED" in text and "SPACE go on" in text
        assert not pilot.screen.asked.prompt.question and not pilot.screen.asked.rows, "nothing is asked beneath it"
        pilot.app.screen.dead_until += 60
        pilot.app.simulate_key("space")  # at once: it was meant for the table
        await pilot.settle()
        assert isinstance(pilot.app.screen, MomentScreen) and "just appeared: press again" in pilot.text()
        await pilot.keys_of_a_moment("space")
        assert isinstance(pilot.app.screen, TableScreen)
        assert pilot.client.sets == [{"skip": True}] and pilot.client.acts == []


async def test_a_key_that_answers_what_lies_beneath_closes_it_and_does_nothing_else() -> None:
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        for key in ("1", "c", "z", "left", "e"):
            await hear(pilot, LEVEL)
            assert isinstance(pilot.app.screen, MomentScreen)
            await pilot.keys_of_a_moment(key)
            assert isinstance(pilot.app.screen, TableScreen), key
        assert pilot.client.acts == [] and not pilot.model.menus.nested


async def test_the_key_that_leaves_the_table_leads_out_of_it_and_asks() -> None:
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, MomentScreen)
        await pilot.keys_of_a_moment("ctrl+q")
        assert isinstance(pilot.app.screen, TableScreen) and "LEAVE THE TABLE?" in pilot.text()


async def test_several_come_one_after_the_other_and_space_skips_once_all_are_read() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        await hear(pilot, LEVEL)
        await hear(pilot, door())
        assert "A LEVEL GAINED" in pilot.text() and "1 more" in pilot.text()
        await pilot.keys_of_a_moment("space")
        assert "THE DOOR OPENS" in pilot.text() and pilot.client.sets == []
        await pilot.keys_of_a_moment("enter")
        assert isinstance(pilot.app.screen, TableScreen) and pilot.client.sets == [{"skip": True}]


async def test_what_only_the_log_tells_is_not_announced_and_space_goes_on_past_it() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        await hear(pilot, LEVEL)
        await hear(pilot, ev.LevelChanged(samples.ME + 1, 1, 4, "the sale"))
        assert "A LEVEL GAINED" in pilot.text() and "1 more" not in pilot.text()
        await pilot.keys_of_a_moment("space")
        assert isinstance(pilot.app.screen, TableScreen) and pilot.client.sets == [{"skip": True}]


async def test_v_reads_the_whole_card() -> None:
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        await hear(pilot, door())
        assert "v the whole card" in pilot.text()
        await pilot.keys_of_a_moment("v")
        assert isinstance(pilot.app.screen, CardScreen)


async def test_with_never_nothing_covers_the_table() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        pilot.app.settings.waits = "never"
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, TableScreen)
        assert "You gain 1 level" in pilot.text()  # a toast


async def test_at_a_table_of_people_it_makes_room_for_a_question_and_never_covers_one() -> None:
    async with table(samples.view()) as pilot:
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, MomentScreen) and "closes by itself" in pilot.text()
        await hear(pilot, view=samples.own_combat())
        assert isinstance(pilot.app.screen, TableScreen)
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, TableScreen)


async def test_alone_but_with_a_clock_a_question_is_not_covered() -> None:
    async with table(samples.own_combat(), info=samples.info(1)) as pilot:
        pilot.client.timers = wire.Timers(window=5000, window_full=9000)
        await hear(pilot, LEVEL)
        assert isinstance(pilot.app.screen, TableScreen)


async def test_nothing_is_passed_by_itself_under_a_moment() -> None:
    view = samples.own_combat()
    async with table(view, info=samples.info(solo=True)) as pilot:
        await hear(pilot, LEVEL)
        assert not pilot.screen.parts.auto_pass.passing
        assert not [act for act in pilot.client.acts if isinstance(act, a.Pass)]


async def test_it_fits_when_the_window_changes() -> None:
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        await hear(pilot, door())
        for size in ((80, 24), (60, 20), (200, 60)):
            await pilot.textual.resize_terminal(*size)
            await pilot.settle()
            assert "THE DOOR OPENS" in pilot.text() and "SPACE go on" in pilot.text()


async def test_no_timer_runs_once_the_motion_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(MomentScreen, "clock", staticmethod(lambda: now[0]))
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        await hear(pilot, door())
        screen = pilot.app.screen
        assert isinstance(screen, MomentScreen) and screen._frames is not None
        now[0] += 0.2
        screen.look()
        parting = pilot.text()
        now[0] += 0.5
        screen.look()
        await pilot.settle()
        assert screen._frames is None and pilot.text() != parting


@pytest.mark.parametrize(
    ("motion", "ssh", "slow", "moves"),
    [("local", False, False, True), ("local", True, False, False), ("always", True, False, True),
     ("never", False, False, False), ("always", False, True, False)],
)  # fmt: skip
async def test_motion_is_one_switch(
    motion: str, ssh: bool, slow: bool, moves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_CONNECTION", "1") if ssh else monkeypatch.delenv("SSH_CONNECTION", raising=False)
    app = KickdoorApp(Settings(motion=motion, bell=False))
    app.link.slow = slow
    assert app.moves == moves


async def test_nothing_moves_while_another_moment_waits() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        await hear(pilot, door(), LEVEL, ev.Died(samples.ME))
        screen = pilot.app.screen
        assert isinstance(screen, MomentScreen) and screen._frames is None


async def test_the_bell_rings_for_match_point(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[bool] = []
    monkeypatch.setattr(KickdoorApp, "bell", lambda app: rung.append(True))
    fight = msgspec.structs.replace(samples.three_monsters(), match_point=True)
    async with table(samples.view(fight=samples.three_monsters()), info=samples.info(solo=True)) as pilot:
        await hear(pilot)
        before = len(rung)
        await hear(pilot, view=samples.view(fight=fight))
        assert "MATCH POINT" in pilot.text() and len(rung) > before


async def test_a_table_that_closes_takes_what_lies_over_it_along() -> None:
    async with table(samples.view(), info=samples.info(solo=True)) as pilot:
        await hear(pilot, LEVEL)
        below = pilot.app.screen_stack[0]
        pilot.client.stage = "closed"
        pilot.screen.session.changed()
        await pilot.settle()
        assert pilot.app.screen is below


async def test_a_key_opens_the_rules_of_what_has_happened() -> None:
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        await hear(pilot, door())
        assert "i rules" in pilot.text()
        await pilot.keys_of_a_moment("i")
        screen = pilot.app.screen
        assert isinstance(screen, RulesScreen) and screen.topic is not None
        assert screen.topic.group == "What happened" and "The card" in {topic.group for topic in screen.topics}
        assert "Bearbug" in {topic.name for topic in screen.topics}
        await pilot.keys("escape")
        assert isinstance(pilot.app.screen, TableScreen) and pilot.client.acts == []


@pytest.mark.parametrize("kind", [MomentScreen, CardScreen])
async def test_a_box_over_the_table_is_drawn_before_it_is_painted(kind: type, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is painted until the box has its place and its lines."""
    async with table(samples.view(), (120, 40), info=samples.info(solo=True)) as pilot:
        released: list[bool] = []
        release = KickdoorApp.release

        def watch(app: KickdoorApp) -> None:
            pane = app.screen.query_one("#moment-page, #card-page", Pane)
            released.append(bool(pane.lines) and pane.size.height > 5)
            release(app)

        monkeypatch.setattr(KickdoorApp, "release", watch)
        if kind is MomentScreen:
            await hear(pilot, LEVEL)
        else:
            await pilot.keys("v")
        await pilot.settle()
        assert isinstance(pilot.app.screen, kind) and released and all(released)


async def test_nothing_beneath_a_die_tells_what_comes_next_until_it_has_been_read() -> None:
    roll = ev.Rolled(samples.ME, 4, "run away", [("Elf", 1)], 5, samples.public("Glampire"))
    away = ev.Fled(samples.ME, roll.monster, samples.no("Glampire"), True)
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        pilot.app.settings.motion = "never"
        await hear(pilot, roll, away, view=samples.your_turn())
        assert isinstance(pilot.app.screen, MomentScreen) and "AWAY" in pilot.text()
        await pilot.textual.resize_terminal(120, 40)
        await pilot.settle()
        assert not pilot.screen.asked.prompt.question and pilot.screen.scene.fight is not None
        await pilot.keys_of_a_moment("space")
        assert pilot.screen.asked.prompt.question == "Your turn." and pilot.screen.scene.fight is None


async def test_a_die_is_read_before_the_question_that_follows_from_it_and_its_outcome_after_the_answer() -> None:
    fight = samples.own_fight()
    roll = ev.Rolled(samples.ME, 2, "run away", [("Elf", 1)], 5, fight.monsters[0].id)
    asks = samples.view(fight=msgspec.structs.replace(fight, stage="lost"), top="program")
    asks.you.asks = [Ask(9, samples.ME, "pay", [0, 1], 1, 1)]
    async with table(samples.own_combat(), info=samples.info(solo=True)) as pilot:
        pilot.app.settings.motion = "never"
        await hear(pilot, roll, view=asks)
        text = pilot.text()
        assert isinstance(pilot.app.screen, MomentScreen)
        assert "Elf" in text and "needed" in text and "TOO LITTLE" in text and "Bearbug" in text
        await pilot.keys_of_a_moment("space")
        await hear(pilot, view=asks)
        assert isinstance(pilot.app.screen, TableScreen), "what others do meanwhile does not show it again"
        caught = ev.Fled(samples.ME, roll.monster, fight.monsters[0].defn, False)
        await hear(pilot, caught, view=samples.your_turn())
        assert "CAUGHT" in pilot.text() and "Elf" in pilot.text() and "nobody can roll" not in pilot.text()


async def test_cards_that_came_in_are_marked_until_the_next_key() -> None:
    async with table(samples.your_turn(), info=samples.info(solo=True)) as pilot:
        assert not pilot.model.now.fresh and ", new" not in pilot.text()
        view = samples.your_turn()
        view.you.hand = [*pilot.client.view.you.hand[:-1], samples.held("Pickle Spear")]
        await hear(pilot, view=view)
        assert pilot.model.now.fresh == {view.you.hand[-1]} and ", new" in pilot.text()
        await pilot.textual.resize_terminal(200, 60)
        await pilot.settle()
        assert " new " in pilot.text()
        await pilot.keys("left")
        assert not pilot.model.now.fresh and " new " not in pilot.text()


async def test_a_level_that_has_changed_is_marked_until_the_next_key() -> None:
    view = samples.idle()
    async with table(view) as pilot:
        view = samples.idle()
        view.rev += 1
        view.seats[samples.BO].level += 2
        view.seats[samples.ME].level -= 1
        pilot.client.tell(wire.Update(0, view.rev, view, []))
        await pilot.settle()
        track = pilot.lines()[2]
        assert "●-1" in track and "■+2" in track and "ox" not in track.replace("▼ Fox", ""), track
        await pilot.keys("left")
        assert "-1" not in pilot.lines()[2] and "+2" not in pilot.lines()[2]


async def test_a_new_game_marks_no_level_of_the_game_before() -> None:
    view = samples.idle()
    view.seats[samples.BO].level = 9
    async with table(view, info=samples.info(game=1)) as pilot:
        pilot.client.tell(wire.Update(0, view.rev, view, [wire.NumberedEvent(70, ev.TurnBegan(samples.BO, 9))]))
        await pilot.keys("left")
        pilot.client.tell(wire.Info(samples.info(game=2)))  # the host says so before the first view
        view = samples.first_cards()
        for seat in view.seats:
            seat.level = 1
        pilot.client.tell(wire.Update(0, 1, view, [wire.NumberedEvent(1, ev.LaidOut(samples.BO, []))]))
        await pilot.settle()
        track = pilot.lines()[2]
        assert not pilot.model.now.climbed and "-8" not in track and not pilot.screen.timing.moving, track
