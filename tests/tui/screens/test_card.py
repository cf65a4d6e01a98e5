"""The large card over the table: which cards it shows, where they lie, that the game goes on beneath it."""

from core.state.events import Moved
from core.state.views import Deciding
from netcode.protocol import wire
from tests.tui import samples, set_samples
from tests.tui.app_pilot import TablePilot, screen_lines, table
from tui.scene.cells import UNICODE, plain
from tui.screens.card import CardScreen
from tui.screens.moment import MomentScreen
from tui.widgets.cards.page import Shown, card_page, cards_to_read, most_scroll


def shown(pilot: TablePilot) -> str:
    """Return the text on the screen."""
    return "\n".join(screen_lines(pilot.app))


def test_every_card_in_sight_can_be_read_with_where_it_lies() -> None:
    view = samples.crowded()
    scene = samples.scene(view)
    found = {scene.title(one.card): one.where for one in reversed(cards_to_read(scene))}
    assert [one.card for one in cards_to_read(scene)][: len(scene.hand())] == scene.hand(), "in their order"
    assert found["Orc"] == "in your hand" and found["Grammar Grue"] in ("in Bo's fight", "in your hand")
    assert found["Life Partner"] == "in Bo's fight, played by Eve"
    assert found["Pickle Spear"] == "equipped, yours" and found["Elf"] == "in front of you"
    assert found["Plot Armor"] in ("equipped, Bo's", "on top of the Treasure discards")
    assert found["Squeaky Shoes"] == "lasts on Fox" and "Bad Hat Day" in found
    assert len({one.card for one in cards_to_read(scene)}) == len(cards_to_read(scene))


def test_open_seals_and_bodies_can_be_read() -> None:
    box, view = set_samples.SITUATIONS["apo-idle"]()
    scene = samples.Scene(box.catalog, samples.info(), view, samples.ME)
    words = [one.where for one in cards_to_read(scene)]
    assert "an open Seal, in force" in words
    looted = samples.scene(samples.looting())
    assert "left behind by Dee" in [one.where for one in cards_to_read(looted)]


def test_the_page_has_the_whole_text_and_the_bad_stuff_apart() -> None:
    scene = samples.scene(samples.crowded())
    grue = next(one for one in cards_to_read(scene) if scene.title(one.card) == "Glampire")
    lines = [plain(line) for line in card_page(scene, grue, "3 of 9", 84, 22)]
    text = " ".join(" ".join(lines).replace("│", " ").split())
    own, _, bad = scene.card(grue.card).text.partition("Bad Stuff: ")
    assert "3 of 9" in text and "Bad Stuff" in text and "4 Treasures" in text and "level" in text
    for word in (*own.split(), *bad.split()):
        assert word in text


def test_what_a_long_number_counts_never_touches_the_text() -> None:
    scene = samples.scene(samples.idle())
    coin = Shown(samples.public("Coin with Two Tails"), "")
    lines = [plain(line) for line in card_page(scene, coin, "", 80, 20)]
    assert any(line.split()[1:2] == ["gold"] for line in lines) and not any("goldW" in line for line in lines)
    assert all(line[3 + 16 : 3 + 16 + 3] == "   " for line in lines[2:-2])


def test_what_a_long_number_counts_stands_below_it_and_never_touches_the_text() -> None:
    scene = samples.scene(samples.idle())
    lines = [plain(line) for line in card_page(scene, Shown(samples.public("Coin with Two Tails"), ""), "", 80, 22)]
    assert any(line[3:19].strip() == "gold" for line in lines)
    assert all(line[19:22] == "   " for line in lines[2:-2])


def test_a_text_that_does_not_fit_can_be_moved() -> None:
    scene = samples.scene(samples.idle())
    card = Shown(scene.hand()[0], "in your hand")
    assert most_scroll(scene, card, 84, 22) == 0 and most_scroll(scene, card, 60, 14) > 0
    first = [plain(line) for line in card_page(scene, card, "", 60, 14)]
    moved = [plain(line) for line in card_page(scene, card, "", 60, 14, 99)]
    assert first != moved and "↑↓ more" in first[-2] and "In your hand." in "".join(moved)


def test_no_card_may_be_cut_without_a_mark() -> None:
    scene = samples.scene(samples.crowded())
    for one in cards_to_read(scene):
        for size in ((60, 14), (80, 18), (84, 22), (120, 28)):
            lines = card_page(scene, one, "1 of 2", *size)
            assert len(lines) == size[1] and {sum(len(text) for text, _ in line) for line in lines} == {size[0]}
            assert ("↑↓" in plain(lines[-2])) == bool(most_scroll(scene, one, *size))
    assert scene.glyphs is UNICODE


def test_treasures_to_share_take_no_effect() -> None:
    view = samples.view(pool=[samples.public("Plot Armor")], top="rewards")
    view.limbo = list(view.pool)
    found = {shown.card: shown.where for shown in cards_to_read(samples.scene(view))}
    assert found[view.pool[0]] == "on the table, not yet taken"


async def test_v_shows_the_selected_card_and_arrows_the_others() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        await pilot.keys("right", "v")
        assert isinstance(pilot.app.screen, CardScreen)
        assert "Lukewarm Coffee of the Third Watch" in shown(pilot) and "2 of" in shown(pilot)
        await pilot.keys("right")
        assert "3 of" in shown(pilot)
        await pilot.keys("left", "left", "left")
        number = len(cards_to_read(pilot.model.now))
        assert f" {number} of {number} " in shown(pilot)
        await pilot.keys("escape")
        assert not isinstance(pilot.app.screen, CardScreen) and pilot.model.cursor == 1


async def test_v_shows_the_card_that_is_being_read_unless_the_player_has_moved_in_the_hand() -> None:
    view = samples.idle()
    view.limbo = [samples.public("Butterfingers")]
    async with table(view, (120, 40)) as pilot:
        await pilot.keys("v")
        assert isinstance(pilot.app.screen, CardScreen) and "Butterfingers" in shown(pilot)
        assert pilot.app.screen.card == view.limbo[0]
        await pilot.keys("escape", "right", "v")
        assert isinstance(pilot.app.screen, CardScreen) and pilot.app.screen.card == pilot.model.now.selected()


async def test_v_shows_the_card_that_asks_somebody_else() -> None:
    """The view gives only the definition of the card that asks. The card itself is in effect, or in front of a
    player."""
    for name, lies in (("Second Opinion", True), ("Thief", False)):
        view = samples.idle()
        view.deciding = [Deciding(samples.BO, "choose", samples.no(name))]
        view.limbo = [samples.public(name)] if lies else []
        async with table(view, (120, 40)) as pilot:
            await pilot.keys("v")
            assert isinstance(pilot.app.screen, CardScreen) and name in shown(pilot)


async def test_v_shows_the_card_for_which_the_bots_wait() -> None:
    view = samples.idle()
    curse = [samples.lasting("Bad Hat Day")]
    view.seats[samples.ME].lasting = curse
    card = curse[0].card
    played = Moved(card, card, "hand", samples.BO, "limbo", -1, "played", samples.BO, on_seat=samples.ME)
    async with table(view, (120, 40), info=samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        pilot.client.tell(wire.Update(1, 2, view, [wire.NumberedEvent(1, played)], pilot.client.timers))
        await pilot.settle()
        assert isinstance(pilot.app.screen, MomentScreen)
        pilot.app.screen.dead_until = 0.0
        await pilot.keys("space")
        await pilot.keys("v")
        assert isinstance(pilot.app.screen, CardScreen) and "Bad Hat Day" in shown(pilot)


async def test_the_question_stays_in_sight_and_the_game_goes_on_beneath() -> None:
    for size in ((60, 20), (80, 24), (120, 40), (200, 60)):
        async with table(samples.idle(), size) as pilot:
            await pilot.keys("v")
            view = samples.your_turn()
            view.you.hand = list(pilot.client.view.you.hand)
            pilot.client.tell(wire.Update(1, 2, view))
            await pilot.settle()
            assert isinstance(pilot.app.screen, CardScreen) and "our turn" in shown(pilot), size


async def test_a_card_that_has_gone_gives_way_to_another() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        await pilot.keys("v")
        view = samples.idle()
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        assert isinstance(pilot.app.screen, CardScreen) and "CARD" in shown(pilot)


async def test_the_last_card_goes_while_its_rules_are_read() -> None:
    async with table(samples.watching(), seat=-1) as pilot:
        await pilot.keys("v", "i")
        assert len(pilot.app.screen_stack) == 4, "the rules over the card"
        view = samples.first_cards()
        view.you, view.door_top, view.treasure_top = None, -1, -1
        pilot.client.tell(wire.Update(0, 0, view, []))
        await pilot.settle()
        assert pilot.app.screen is pilot.screen, pilot.app.screen_stack


async def test_a_click_on_a_card_reads_it() -> None:
    async with table(samples.idle(), (120, 40)) as pilot:
        row = next(y for y, line in enumerate(pilot.lines()) if "│ Orc  race" in line)
        await pilot.textual.click(offset=(pilot.lines()[row].index("│ Orc  race") + 3, row))
        await pilot.settle()
        assert isinstance(pilot.app.screen, CardScreen)
