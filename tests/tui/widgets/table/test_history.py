"""The log and the talk: grouped by turn, amounts in a column, lines about the reader marked; the whole log and the
recap."""

from collections.abc import Callable

import pytest
from rich.cells import cell_len

from core.state import actions as a
from core.state import events as ev
from core.state.model import Lasting
from core.text.log import log_line
from tests.tui import bot_games, samples
from tests.tui.app_pilot import TablePilot, table
from tui.scene.cells import ASCII, UNICODE, Glyphs, plain
from tui.scene.log_entry import entry
from tui.scene.scene import LogLine, Scene
from tui.screens.history import HistoryScreen
from tui.widgets.table import history, log

SIZES = ((28, 12), (28, 21), (30, 40), (42, 32), (42, 8))


def lines(scene: Scene, width: int, height: int) -> list[str]:
    """Return the history as text, of exactly this size."""
    found = [plain(line) for line in history.draw(scene, width, height)]
    assert len(found) == height and {cell_len(line) for line in found} == {width}
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
def test_the_newest_line_is_there_at_every_size(size: tuple[int, int], glyphs: Glyphs) -> None:
    shown = "\n".join(lines(samples.scene(samples.idle(), glyphs), *size))
    assert "Life Partner" in shown and glyphs.ascii <= shown.isascii() and "…" not in shown


def test_lines_stand_below_their_turn_with_amounts_on_the_right() -> None:
    shown = lines(samples.scene(samples.idle()), 42, 32)
    assert "Turn 6 · You" in shown[1] and "Turn 7 · Bo" in shown[4]
    assert shown[3].startswith("│ ● You equip Pickle Spear") and shown[3].endswith("+4 │")
    assert shown[5].startswith("│ ■ Bo fights Glampire") and shown[5].endswith("14 │") and "Level 14" not in shown[5]


def test_narrow_lines_have_the_shape_and_the_verb() -> None:
    shown = lines(samples.scene(samples.idle()), 28, 21)
    assert any(line.startswith("│ ● equip Pickle Spear") for line in shown)
    assert any(line.startswith("│ ■ fights Glampire") for line in shown)


def test_what_touches_you_is_marked_and_later_lines_hang() -> None:
    shown = lines(samples.scene(samples.idle()), 28, 21)
    at = next(at for at, line in enumerate(shown) if line.startswith("│▌★ plays Bad Hat Day"))
    assert shown[at + 1].startswith("│▌    you")


def test_talk_is_below_with_shapes_and_names() -> None:
    shown = lines(samples.scene(samples.idle()), 28, 21)
    at = next(at for at, line in enumerate(shown) if "Talk" in line)
    assert shown[at + 1].startswith("│ ▼ Fox dont help him") and "t speak" in shown[at + 2]
    assert not any("dont help" in line for line in shown[:at])


def test_a_turn_that_began_above_has_its_heading_on_top() -> None:
    turn = LogLine("Turn 3: Bo", "turn", "", 1, "Bo")
    entries = [turn, *(LogLine(f"Bo plays card {at}", "event", f"3.{at}", 1, "Bo") for at in range(40))]
    shown = lines(samples.scene(samples.idle(), log=tuple(entries)), 28, 21)
    assert "Turn 3 · Bo" in shown[1] and any("card 39" in line for line in shown)


def test_the_whole_log_ends_with_the_newest_line() -> None:
    scene = samples.scene(samples.idle())
    ordered = [plain(line) for line in log.in_order(scene, scene.log, 60)]
    assert "Turn 6" in ordered[0] and "Bad Hat Day" in ordered[1]


def test_wide_names_and_control_characters_keep_the_columns() -> None:
    said = LogLine("名前: [b]hi\x1b[2J", "talk", "", 1, "名前:")
    entries = (said, LogLine("名前 draws 2 cards", "event", "1.1", 1, "名前"))
    shown = lines(samples.scene(samples.idle(), log=entries), 28, 21)
    assert any("■ 名前 [b]hi[2J" in line for line in shown)


# -------------------------------------------------------------------------------------------------------- from events
def of(event: ev.AnyEvent, me: int = samples.ME) -> LogLine:
    text = log_line(event, samples.catalog(), samples.NAMES, me) or ""
    return entry(event, text, "1.1", samples.catalog(), list(samples.NAMES), me)


def test_a_level_gained_has_its_amount_and_touches_who_gains_it() -> None:
    gained = of(ev.LevelChanged(samples.ME, 1, 4, "kill"))
    assert (gained.amount, gained.style, gained.who, gained.seat, gained.yours) == ("+1", "hero", "You", 0, True)
    lost = of(ev.LevelChanged(1, -2, 3, "bad stuff"))
    assert (lost.amount, lost.style, lost.who, lost.yours) == ("-2", "foe", "Bo", False)


def test_a_monster_has_its_level_as_amount_and_not_twice() -> None:
    met = of(ev.FightBegan(1, samples.public("Glampire"), "found"))
    assert met.amount == "14" and met.said == " (Level 14)" and met.said in met.text


def test_a_curse_on_the_reader_touches_and_on_others_does_not() -> None:
    lasting = Lasting(0, samples.no("Nerfed"), 0, "forever", True)
    assert of(ev.LastingBegan(samples.ME, lasting)).yours and not of(ev.LastingBegan(1, lasting)).yours
    assert not of(ev.LastingBegan(samples.ME, lasting), -1).yours, "nothing touches a spectator"


def test_what_a_seat_is_given_touches_it_and_what_it_does_itself_does_not() -> None:
    card = samples.public("Pickle Spear")
    given = ev.Moved(card, card, "table", 1, "table", samples.ME, "given", 1)
    assert of(given).yours and of(given).seat == 1
    mine = ev.Moved(card, card, "hand", samples.ME, "table", samples.ME, "put on", samples.ME)
    assert not of(mine).yours and of(mine).amount == "+4"


def test_every_event_of_a_game_has_a_line_that_fits() -> None:
    catalog = samples.catalog()
    names, scene = [f"Player {seat}" for seat in range(4)], samples.scene(samples.idle())
    for _, events in bot_games.moments(5):
        for event in events:
            for me in (-1, 0):
                text = log_line(event, catalog, names, me)
                if text is not None:
                    found = entry(event, text, "1.1", catalog, names, me)
                    assert found.said in text and text.startswith(found.who) and -1 <= found.seat < 4
                    for width in (25, 60):
                        made = log.lines_of(scene, found, width)
                        assert all(cell_len(plain(line)) <= width for line in made), (width, text)


# ---------------------------------------------------------------------------------------------------------- the screen
async def comes(pilot: TablePilot, seen: Callable[[str], bool]) -> bool:
    """Wait for the toolkit to scroll; return whether the screen came to show it."""
    for _ in range(50):
        if seen(pilot.text()):
            return True
        await pilot.textual.pause(0.02)
    return False


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_whole_log_and_the_recap_open_over_the_table_and_scroll(size: tuple[int, int]) -> None:
    names = [samples.NAMES[no % 3] for no in range(90)]
    turns = [LogLine(f"Turn {no}: {name}", "turn", "", no % 3, name) for no, name in enumerate(names)]
    async with table(samples.idle(), size, log=turns) as pilot:
        pilot.app.animation_level = "none"
        await pilot.keys("l")
        assert isinstance(pilot.app.screen, HistoryScreen)
        assert await comes(pilot, lambda text: "Turn 89 · Cid" in text)
        assert "the newest last" in pilot.text() and "Turn 5 ·" not in pilot.text()
        pilot.screen.session.say("Turn 90: Bo", "turn", seat=1, who="Bo")
        assert await comes(pilot, lambda text: "Turn 90 · Bo" in text), "it follows the game"
        await pilot.keys("home")
        assert await comes(pilot, lambda text: "Turn 0 ·" in text)
        await pilot.keys("end")
        assert await comes(pilot, lambda text: "Turn 90" in text)
        await pilot.keys("pageup")
        assert await comes(pilot, lambda text: "Turn 90" not in text)
        await pilot.keys("r")
        assert "Since your last turn" in pilot.text()
        await pilot.keys("r")
        assert not isinstance(pilot.app.screen, HistoryScreen)
        await pilot.keys("r", "escape")
        assert not isinstance(pilot.app.screen, HistoryScreen)


async def test_the_recap_opens_at_what_has_come_since_the_players_last_act() -> None:
    """Formerly, the stage said `r 19 more`, but the recap opened at the first cards of the game."""
    async with table(samples.idle(), (80, 24), log=()) as pilot:
        session = pilot.screen.session
        for no in range(40):
            session.say(f"Bo draws card {no}", "event", seat=1, who="Bo")
        session.act(a.Pass(-1))
        for no in range(40, 70):
            session.say(f"Bo draws card {no}", "event", seat=1, who="Bo")
        pilot.screen.look()
        await pilot.keys("r")
        assert await comes(pilot, lambda text: "since your last move" in text and "card 40" in text)
        assert "card 39" not in pilot.text() and "card 69" not in pilot.text(), "it is read from there on"


async def test_the_open_log_says_what_is_asked_meanwhile() -> None:
    async with table(samples.interrupt(), (80, 24)) as pilot:
        await pilot.keys("l")
        assert "Anything to play?" in pilot.text()
    async with table(samples.idle(), (80, 24)) as pilot:
        await pilot.keys("l")
        assert "ESC goes back to answer" not in pilot.text()


@pytest.mark.long(4)
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
@pytest.mark.parametrize("key", ["l", "r"])
async def test_the_scroll_bar_covers_no_amount(size: tuple[int, int], key: str) -> None:
    entries = [LogLine(f"Bo gains card {at}", "event", f"3.{at}", 1, "Bo", "+27") for at in range(90)]
    async with table(samples.idle(), size, log=entries) as pilot:
        await pilot.keys(key)
        shown = [line for line in pilot.text().splitlines() if "gains card" in line]
        assert len(shown) > 5 and all("+27" in line for line in shown), shown


def test_a_card_handed_over_has_the_sign_of_who_gives_it() -> None:
    scene = samples.scene(samples.idle())
    names = [seat.name for seat in scene.info.seats]
    for why, verb in (("charity", "gives"), ("given", "gives"), ("swapped", "passes"), ("traded", "trades")):
        moved = ev.Moved(0, samples.held("Elf"), "hand", samples.BO, "hand", 4, why, seat=4)
        text = log_line(moved, scene.catalog, names, samples.ME)
        assert text is not None and text.startswith(f"Bo {verb}")
        line = entry(moved, text, "1.1", scene.catalog, names, samples.ME)
        assert (line.seat, line.who) == (samples.BO, "Bo")


@pytest.mark.parametrize(("size", "key"), [((60, 20), "r"), ((80, 24), "l")])
async def test_a_question_and_a_hint_without_room_in_the_prompt_stand_whole_below_the_log(
    size: tuple[int, int], key: str
) -> None:
    hint = f"Hint: {'look for trouble with the Grammar Grue, ' * 11}and win."
    async with table(samples.own_combat(), size) as pilot:
        asked = pilot.model.current.text
        assert asked not in " ".join(pilot.text().split())
        pilot.model.say(hint)
        await pilot.settle()
        assert hint not in " ".join(pilot.text().replace("▌", " ").split())
        await pilot.keys(key)
        told = " ".join(pilot.text().replace("│", " ").split())
        assert f"{hint} {asked} (ESC goes back to answer)" in told
        assert "Cid" in told.partition(hint)[0], "the log keeps rows"
