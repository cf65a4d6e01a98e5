"""News lie over the log or the seats: the stage with the acts, head, track, hand, prompt and keys stay in sight at
every size."""

import pytest
from textual.screen import Screen

from core.state import events as ev
from core.state.views import View
from netcode.client.state_machine import ConnectionChanged
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import TablePilot, table
from tui.app.notes import NOTES
from tui.screens.moment import MomentScreen

SIZES = [(60, 20), (72, 24), (80, 23), (80, 24), (100, 30), (120, 40), (160, 45), (200, 60)]
NEWS = "Cid plays Greater on the Bearbug, and that is a rather long line of news to read."
KEPT = ("head", "track", "stage", "hand", "foot", "last")


async def tell(pilot: TablePilot, number: int, news: str = NEWS) -> None:
    """Show toasts."""
    for at in range(number):
        pilot.app.notify(f"{at + 1}. {news}", markup=False)
    await pilot.settle()
    await pilot.settle()


def kept(screen: Screen[object], lines: list[str]) -> list[str]:
    """Return the rows of the regions that are never covered."""
    regions = [widget.region for name in KEPT if (widget := screen.query_one(f"#{name}")).display]
    return [row[region.x : region.right] for region in regions for row in lines[region.y : region.bottom]]


@pytest.mark.long(4)
@pytest.mark.parametrize("size", SIZES)
async def test_news_cover_no_key_no_question_and_no_level(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        before = kept(pilot.screen, pilot.lines())
        await tell(pilot, 3)
        assert "3. Cid" in pilot.text()
        assert kept(pilot.screen, pilot.lines()) == before


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_news_without_room_end_in_a_mark_and_name_the_key_that_shows_them(size: tuple[int, int]) -> None:
    story = f"{NEWS} " * 9
    async with table(samples.own_combat(), size) as pilot:
        pilot.client.tell(wire.Talk(1, "Bo", f"{story}It ends here."))
        await pilot.settle()
        if size[0] < 120:  # elsewhere the log tells it
            assert "… r all" in pilot.text()
        await tell(pilot, 1, story)
        told = " ".join(pilot.text().split())
        assert "1. Cid plays" in told and "…" in told.partition("1. Cid plays")[2]


@pytest.mark.parametrize("size", [(80, 24), (120, 30)])
async def test_tall_news_stay_off_a_hand_that_has_moved_up(size: tuple[int, int]) -> None:
    """A long remark moves the hand up. It comes before the news, or while they are shown."""
    remark = "This is a remark with more words than a row of the prompt can hold. " * 3
    async with table(samples.own_combat(), size) as pilot:
        for first, then in ((remark, ""), ("", remark)):
            pilot.app.clear_notifications()
            pilot.model.say(first)
            await pilot.settle()
            await tell(pilot, 2, f"{NEWS} " * 5)
            pilot.model.say(then)
            await pilot.settle()
            seen = pilot.lines()
            pilot.app.clear_notifications()
            await pilot.settle()
            assert "2. Cid" in "\n".join(seen)
            assert kept(pilot.screen, seen) == kept(pilot.screen, pilot.lines())


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [size for size in SIZES if size[0] < 120])
async def test_where_there_is_no_log_only_the_newest_is_shown(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        seats = 26 if size[0] >= 80 else 0  # news lie over the seats, beside the stage
        before = [line[seats:] for line in pilot.lines() if "8 : 12" in line or "YOU LOSE BY 4" in line]
        await tell(pilot, 3)
        text = pilot.text()
        assert "3. Cid" in text and "1. Cid" not in text and "2. Cid" not in text
        assert before and all(line in text for line in before), "the sums stay in sight"


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_news_leave_the_foot_free_where_something_lies_over_the_table(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        await pilot.keys("v")
        assert pilot.app.screen is not pilot.screen
        before = pilot.lines()
        await tell(pilot, 1)
        after = pilot.lines()
        foot = pilot.screen.query_one("#foot").region.y
        assert "1. Cid" in pilot.text() and after[foot:] == before[foot:]


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_news_cover_no_line_of_what_has_happened(size: tuple[int, int]) -> None:
    """News are not shown over this list, since it has all of them; only a warning, which answers a key of the player,
    is."""
    async with table(samples.own_combat(), size) as pilot:
        await tell(pilot, 3)
        await pilot.keys("r")
        page = pilot.app.screen.query_one("#history-lines").region
        before = [row[page.x : page.right] for row in pilot.lines()[page.y : page.bottom]]
        await tell(pilot, 2)
        assert [row[page.x : page.right] for row in pilot.lines()[page.y : page.bottom]] == before
        assert "Cid plays Greater on the Bearbug, and" not in pilot.text()
        pilot.app.notify("No key here.", severity="warning")
        await pilot.settle()
        assert "No key here." in pilot.text()


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_news_cover_no_list_of_choices(size: tuple[int, int]) -> None:
    async with table(samples.charity(), size) as pilot:
        await pilot.keys("1")
        assert pilot.screen.has_class("listing")
        choices = pilot.screen.query_one("#choices").region
        before = [row[choices.x : choices.right] for row in pilot.lines()[choices.y : choices.bottom]]
        await tell(pilot, 1)
        after = [row[choices.x : choices.right] for row in pilot.lines()[choices.y : choices.bottom]]
        assert "1. Cid" in pilot.text() and after == before


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(120, 40), (160, 45), (200, 60)])
async def test_where_there_is_a_log_they_cover_nothing_of_the_stage(size: tuple[int, int]) -> None:
    async with table(samples.own_combat(), size) as pilot:
        edge = pilot.screen.query_one("#history").region.x
        before = [row[:edge] for row in pilot.lines()]
        await tell(pilot, 3)
        assert [row[:edge] for row in pilot.lines()] == before
        assert "l all" in pilot.text(), "the way to the whole log stays in sight"


@pytest.mark.parametrize("size", [(80, 24), (120, 12)])
async def test_news_are_toasts_wherever_the_log_is_out_of_sight(size: tuple[int, int]) -> None:
    """In a wide window with few rows the whole middle of the table is hidden, and the log with it."""
    async with table(samples.own_combat(), size) as pilot:
        pilot.client.tell(ConnectionChanged("offline", "the host does not answer"))
        await pilot.settle()
        assert "host does not answer" in pilot.text()


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (120, 12)])
async def test_a_flood_of_talk_hides_no_other_note(size: tuple[int, int]) -> None:
    """It hides neither a note that comes after it nor one that is shown when it begins."""
    async with table(samples.own_combat(), size) as pilot:
        await flood(pilot)
        pilot.client.tell(ConnectionChanged("offline", "the host does not answer"))
        await pilot.settle()
        assert "host does not answer" in pilot.text()
        pilot.app.clear_notifications()
        pilot.app.notify("The picture is saved.", markup=False)
        await flood(pilot)
        assert "The picture is saved." in pilot.text()


async def flood(pilot: TablePilot) -> None:
    """Let a player say much at once."""
    for at in range(8):
        pilot.client.tell(wire.Talk(1, "Bo", f"Word {at}."))
        await pilot.settle()


async def test_talk_waits_for_another_note_where_one_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async with table(samples.own_combat(), (80, 24)) as pilot:
        monkeypatch.setattr(type(pilot.app), "NOTIFICATION_TIMEOUT", 0.4)
        pilot.app.notify("The picture is saved.", markup=False)
        pilot.client.tell(wire.Talk(1, "Bo", "Well saved."))
        await pilot.settle()
        assert "The picture is saved." in pilot.text() and "Well saved." not in pilot.text()
        for _ in range(600):
            if "Well saved." in pilot.text():
                break
            await pilot.textual.pause(0.02)
        assert "Well saved." in pilot.text() and "The picture is saved." not in pilot.text()


async def test_talk_is_told_once_although_a_line_of_the_log_gets_its_sums_later() -> None:
    def combat(heroes: int) -> View:
        found = samples.own_combat()
        assert found.fight is not None
        found.rev, found.fight.heroes = found.rev + heroes, heroes
        return found

    card = samples.public("Prismatic Glitter")
    played = ev.Moved(card, card, "hand", samples.BO, "limbo", -1, "played", samples.BO)
    async with table(combat(8), (80, 24)) as pilot:
        pilot.client.tell(wire.Update(0, 1, combat(8), []))
        pilot.client.tell(wire.Talk(1, "Bo", "Old words."))
        await pilot.settle()
        assert "Old words." in pilot.text()
        pilot.app.clear_notifications()
        pilot.client.tell(wire.Update(0, 2, combat(8), [wire.NumberedEvent(7, played)]))
        await pilot.settle()
        pilot.client.tell(wire.Update(0, 3, combat(13), []))
        await pilot.settle()
        assert "8:12 → 13:12" in pilot.text() and "Old words." not in pilot.text()


async def gain_a_level(pilot: TablePilot) -> None:
    """Let the player see a moment."""
    level = ev.LevelChanged(samples.ME, 1, 4, "the kill")
    pilot.client.tell(wire.Update(0, 2, samples.view(), [wire.NumberedEvent(1, level)]))
    await pilot.settle()
    assert "A LEVEL GAINED" in pilot.text()


async def test_what_is_said_during_a_moment_is_shown_after_it() -> None:
    async with table(samples.view(), (80, 24), info=samples.info(solo=True)) as pilot:
        pilot.client.tell(wire.Talk(1, "Bo", "Well done."))
        await gain_a_level(pilot)
        assert "Well done." not in pilot.text()
        assert isinstance(pilot.app.screen, MomentScreen)
        pilot.app.screen.dead_until = 0.0
        await pilot.keys("space")
        assert "Well done." in pilot.text()


async def test_only_a_key_that_has_failed_is_told_over_a_moment() -> None:
    async with table(samples.view(), (80, 24), info=samples.info(solo=True)) as pilot:
        await gain_a_level(pilot)
        await tell(pilot, 1)
        assert "1. Cid" not in pilot.text()
        pilot.app.notify("No key here.", severity="warning")
        await pilot.settle()
        assert "No key here." in pilot.text()


async def test_the_newest_note_is_shown_however_many_came_before_it() -> None:
    """Formerly, four older notes left no room for a die that was rolled against the player, and nothing else told of
    it."""
    async with table(samples.view(), (80, 24), info=samples.info()) as pilot:
        for number in range(6):
            pilot.app.notify(f"Number {number}.")
            await pilot.settle()
        assert "Number 5." in pilot.text() and "Number 1." not in pilot.text()
        assert len(pilot.app.screen.query("Toast")) <= NOTES
