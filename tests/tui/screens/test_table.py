"""The table under keys: every intent reaches the host, nothing is sent by accident, nothing else is redrawn."""

import asyncio

import pytest

from core.state import actions as a
from core.state.actions import Legal, Refusal
from core.view import WindowView, You
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.app_pilot import table
from tui.config.keymap import TABLE
from tui.render.pane import Pane


async def test_digits_play_a_card_on_a_side():
    view = samples.interrupt()
    async with table(view) as stage:
        await stage.keys("1", "1", "2")
        assert stage.client.acts == [a.Play(view.you.hand[0], side="monsters", seen=40)]


async def test_space_passes_and_does_nothing_in_a_menu():
    async with table(samples.interrupt()) as stage:
        await stage.keys("1", "space", "escape", "space")
        assert stage.client.acts == [a.Pass(9)]


async def test_space_never_ends_a_turn_nor_claims():
    for name in ("your-turn", "own-combat", "running", "charity", "first-cards"):
        async with table(samples.SITUATIONS[name]()) as stage:
            await stage.keys("space")
            assert stage.client.acts == [], name


async def test_a_key_meant_for_the_prompt_before_is_ignored(monkeypatch):
    monkeypatch.setattr("tui.screens.table.DEAD_S", 3600.0)  # longer than a busy machine takes to press the key
    view = samples.your_turn()
    async with table(view) as stage:
        stage.client.tell(wire.Update(1, 2, samples.own_combat()))
        await stage.settle()
        stage.app.simulate_key("1")
        await stage.settle()
        assert stage.client.acts == [], "the digit came within the dead time"
        stage.screen.dead_until -= 3600.0
        stage.app.simulate_key("1")
        await stage.settle()
        assert stage.client.acts == [a.Accept(6)]


async def test_hold_and_autopass_go_to_the_host():
    async with table(samples.interrupt()) as stage:
        await stage.keys("z", "Z")
        assert stage.client.acts == [a.Hold(9)] and stage.client.sets == [{"auto": True}]


async def test_enter_opens_the_list_of_the_selected_card():
    view = samples.your_turn()
    async with table(view) as stage:
        await stage.keys("enter")
        assert "Orc:" in stage.text() and "[1] play Orc" in stage.text()
        await stage.keys("1")
        assert stage.client.acts == [a.Play(view.you.hand[7], seen=40)]


async def test_enter_on_a_card_that_cannot_be_played_says_why():
    view = samples.idle()
    async with table(view) as stage:
        stage.client.refusal = Refusal("when.own-turn-identity", "Identities are played in your own turn.")
        await stage.keys("enter")
        await stage.settle()
        assert stage.client.asked == [a.Play(view.you.hand[7])] and stage.client.acts == []
        assert "Identities are played in your own turn." in stage.text()
        assert "(when.own-turn-identity)" in stage.text()


async def test_a_refused_action_tells_who_was_faster_and_the_card_stays():
    async with table(samples.interrupt()) as stage:
        stage.client.tell(wire.Refused(1, Refusal("changed", "The fight has changed."), by=2, ms=84))
        await stage.settle()
        assert "Cid was 84 ms faster" in stage.text()


async def test_the_cursor_stays_on_its_card_when_others_come_and_go():
    view = samples.idle()
    async with table(view) as stage:
        await stage.keys("down", "down", "down")
        chosen = stage.screen.now.selected()
        view = samples.idle()
        view.you.hand = [samples.held("Elf"), *stage.client.view.you.hand]
        stage.client.tell(wire.Update(1, 2, view))
        await stage.settle()
        assert stage.screen.now.selected() == chosen and stage.screen.cursor != 3


async def test_end_turn_asks_first():
    view = samples.your_turn()
    view.you.legal = [Legal(a.EndTurn())]
    async with table(view) as stage:
        await stage.keys("e")
        assert stage.client.acts == [] and "End your turn?" in stage.text()
        await stage.keys("1")
        assert stage.client.acts == [a.EndTurn()]


async def test_an_offer_of_help_is_answered_and_countered_in_place():
    async with table(samples.own_combat()) as stage:
        await stage.keys("h")
        assert "[1] accept" in stage.text() and "help for 2 Treasures" in stage.text()
        await stage.keys("2", "2", "enter")
        assert stage.client.acts == [a.Counter(6, a.Terms("help", 2, 1, True))]


async def test_a_trade_is_put_together_and_sent():
    view = samples.your_turn()
    async with table(view) as stage:
        await stage.keys("x", "2", "1", "enter", "3", "1", "enter", "enter")
        mine, theirs = samples.items_of(view.seats[0])[0], samples.items_of(view.seats[1])[0]
        assert stage.client.acts == [a.Offer(1, a.Terms("trade", gives=(mine,), wants=(theirs,)))]


async def test_charity_is_picked_with_digits_and_handed_in_with_enter():
    view = samples.charity()
    async with table(view) as stage:
        await stage.keys("1", "2", "enter")
        assert stage.client.acts == [] and "not yet: choose 3" in stage.text()
        await stage.keys("4", "enter")
        ask = view.you.asks[0]
        assert stage.client.acts == [a.Answer(3, tuple(ask.options[at] for at in (0, 1, 3)))]


async def test_reading_in_a_choice_spends_nothing():
    view = samples.looting()
    async with table(view) as stage:
        await stage.keys("v")
        assert "Read which one?" in stage.text()
        await stage.keys("2")
        assert "Hireling" in stage.lines()[2]
        await stage.keys("v", "v")
        assert "Orc" in stage.lines()[2]
        assert stage.client.acts == []


async def test_a_choice_too_long_for_the_prompt_is_laid_out_in_the_hands_place():
    view = samples.looting()
    async with table(view) as stage:
        assert "[4] Wombat Boots" in stage.text() and "[1-9] choose" in stage.text()
        await stage.keys("4")
        assert stage.client.acts == [a.Answer(4, (view.seats[3].body[3],))]


async def test_a_digit_after_v_reads_a_card_of_the_choice():
    async with table(samples.interrupt()) as stage:
        await stage.keys("1", "v")
        assert "Read which one?" in stage.text()
        await stage.keys("1")
        assert "Prismatic Glitter" in stage.lines()[2] and stage.client.acts == []


async def test_details_open_in_place_and_esc_closes_them():
    async with table(samples.crowded()) as stage:
        await stage.keys("w")
        assert "Why 18 against 57" in stage.text() and "HEROES    18" in stage.text()
        await stage.keys("o")
        assert "B Bo: Warrior" in stage.text()
        await stage.keys("right")
        assert "C Cid: Dwarf" in stage.text()
        await stage.keys("r")
        assert "Since your last turn" in stage.text()
        await stage.keys("escape")
        assert "Table" in stage.lines()[2] and "play a card" in stage.text()


async def test_the_log_takes_the_room_it_needs_but_the_prompt_stays():
    async with table(samples.crowded()) as stage:
        await stage.keys("l")
        assert "turn 7: B Bo" in stage.text() and "Anything to play?" in stage.text()
        await stage.keys("escape")
        assert "HEROES" in stage.text()


async def test_talk_takes_letters_and_escape_gives_them_back():
    async with table(samples.idle()) as stage:
        await stage.keys("t", "h", "i", "enter", "w")
        assert stage.client.said == ["hi"] and "Why these strengths" in stage.text()
        await stage.keys("t", "x", "escape", "escape")
        assert stage.client.said == ["hi"] and stage.client.acts == []


async def test_leaving_asks_and_ends_with_a_word():
    async with table(samples.idle()) as stage:
        await stage.keys("ctrl+q")
        assert "Your seat is kept" in stage.text()
        ended = asyncio.get_running_loop().create_future()
        stage.screen.dismiss = lambda result=None: ended.set_result(result)  # type: ignore[method-assign]
        await stage.keys("1")
        assert ended.result() == "left"


async def test_one_human_with_nothing_but_a_pass_passes_by_itself():
    view = samples.interrupt()
    view.you = You(0, view.you.hand, [], [], [Legal(a.Pass(9)), Legal(a.Hold(9))])
    info = samples.info(solo=True)
    async with table(samples.idle(), info=info) as stage:
        stage.client.tell(wire.Update(1, 2, view))
        await stage.settle()
        assert "passing automatically" in stage.text() and stage.client.acts == []
        await asyncio.sleep(1.3)
        assert stage.client.acts == [a.Pass(9)]


@pytest.mark.parametrize("several", [True, False])
async def test_with_other_humans_or_with_something_to_play_nobody_passes_for_you(several):
    view = samples.interrupt()
    if several:
        view.you = You(0, view.you.hand, [], [], [Legal(a.Pass(9))])
    info = samples.info() if several else samples.info(solo=True)
    async with table(samples.idle(), info=info) as stage:
        stage.client.tell(wire.Update(1, 2, view))
        await asyncio.sleep(1.4)
        assert stage.client.acts == []


async def test_a_tick_redraws_one_row_only():
    view = samples.interrupt()
    async with table(view) as stage:
        stage.client.timers = wire.Timers(window=1600, window_full=2600)
        combat = stage.screen.query_one("#combat", Pane)
        drawn = []
        combat.refresh = lambda *regions, **_: drawn.append(regions)  # type: ignore[method-assign]
        combat.redraw()
        stage.client.timers = wire.Timers(window=1500, window_full=2600)
        combat.redraw()
        assert [[region.height for region in regions] for regions in drawn] == [[1], [1]]
        assert "1.5s" in "".join(text for text, _ in combat.lines[0])


async def test_nothing_is_redrawn_when_nothing_changed():
    view = samples.interrupt()
    async with table(view) as stage:
        drawn = []
        for pane in stage.screen.query(Pane):
            pane.refresh = lambda *regions, ident=pane.id, **_: drawn.append(ident)  # type: ignore[method-assign]
        stage.client.tell(wire.Update(1, 2, view))
        await stage.settle()
        assert drawn == []


async def test_a_lost_connection_is_said_in_the_prompt():
    async with table(samples.idle()) as stage:
        stage.client.stage, stage.client.reason = "offline", "the connection to 10.0.0.7:7788 was lost"
        stage.client.tell(wire.Ticked(wire.Timers()))
        await stage.settle()
        assert "No connection: the connection to 10.0.0.7:7788 was lost" in stage.text()


async def test_too_small_a_window_says_what_is_needed():
    async with table(samples.idle(), (60, 20)) as stage:
        assert "needs 80 by 24" in stage.text() and "Table" not in stage.text()


async def test_every_key_of_the_table_does_something_and_breaks_nothing():
    for name in samples.SITUATIONS:
        async with table(samples.SITUATIONS[name](), seat=-1 if name == "watching" else 0) as stage:
            for key in TABLE:
                if key.id in ("table.talk", "app.palette", "app.quit"):
                    continue
                await stage.keys(key.keys)
            assert stage.app._exception is None, name


async def test_a_new_key_map_moves_a_key():
    async with table(samples.crowded()) as stage:
        stage.app.set_keymap({"table.why": "f2"})
        await stage.keys("w")
        assert "Why" not in stage.text()
        await stage.keys("f2")
        assert "Why 18 against 57" in stage.text()


async def test_a_click_is_the_key_it_stands_on():
    view = samples.your_turn()
    async with table(view) as stage:
        row = next(y for y, line in enumerate(stage.lines()) if "[1] kick open" in line)
        stage.screen.dead_until = 0.0
        await stage.pilot.click(offset=(5, row))
        await stage.settle()
        assert stage.client.acts == [a.Kick()]


async def test_a_hold_is_answered_with_space():
    view = samples.interrupt()
    view.window = WindowView(9, "claim", 1, 0, False, 1)
    async with table(view) as stage:
        await stage.keys("space")
        assert stage.client.acts == [a.Pass(9)]
