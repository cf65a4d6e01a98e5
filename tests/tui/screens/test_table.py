"""The table under keys: every intent reaches the host, nothing is sent by accident, nothing else is redrawn."""

import asyncio

import pytest

from core.state import actions as a
from core.state.actions import Legal, Refusal
from core.state.model import Ask
from core.state.refusals import SENTENCES
from core.state.views import Deciding, WindowView, You
from netcode.protocol import wire
from tests.patience import PATIENCE_S
from tests.thorough import share
from tests.tui import samples
from tests.tui.app_pilot import HOUR_S, TablePilot, table
from tui.config.keymap import TABLE
from tui.scene.remarks import REMARKS, remark_keys
from tui.screens.parts.auto_pass import AUTO_PASS_S
from tui.screens.waiting_room import WaitingRoomScreen
from tui.widgets.cards.face import draw, face_of
from tui.widgets.pane import Pane
from tui.widgets.table.hand import hand_list


async def test_digits_play_a_card_on_a_side() -> None:
    view = samples.interrupt()
    async with table(view) as pilot:
        await pilot.keys("3", "2")
        assert pilot.client.acts == [a.Play(view.you.hand[0], side="monsters", seen=40)]


async def test_space_passes_and_does_nothing_in_a_menu() -> None:
    async with table(samples.interrupt()) as pilot:
        await pilot.keys("3", "space", "escape", "space")
        assert pilot.client.acts == [a.Pass(9)]


async def test_space_never_ends_a_turn_or_claims_a_kill() -> None:
    for name in ("your-turn", "own-combat", "running", "charity", "first-cards"):
        async with table(samples.SITUATIONS[name]()) as pilot:
            await pilot.keys("space")
            assert pilot.client.acts == [], name


async def test_a_key_meant_for_the_previous_prompt_is_ignored() -> None:
    async with table(samples.idle(), key_pause=HOUR_S) as pilot:
        view = samples.looting()
        view.rev = 41
        pilot.client.tell(wire.Update(1, 41, view))
        await pilot.settle()
        pilot.app.simulate_key("1")
        await pilot.settle()
        assert pilot.client.acts == [], "the digit came within the dead time"
        await pilot.keys("1")
        assert pilot.client.acts == [a.Answer(4, (view.seats[3].body[0],))]


async def test_hold_and_autopass_go_to_the_host() -> None:
    async with table(samples.interrupt()) as pilot:
        await pilot.keys("z", "Z")
        assert pilot.client.acts == [a.Hold(9)] and pilot.client.sets == [{"auto": True}]


@pytest.mark.parametrize("key", ["enter", "1"])
async def test_enter_and_its_digit_use_the_selected_card(key: str) -> None:
    view = samples.your_turn()
    async with table(view) as pilot:
        await pilot.keys(key)
        assert pilot.client.acts == [a.Play(view.you.hand[7], seen=40)]


async def test_a_card_that_can_do_several_things_opens_its_menu() -> None:
    view = samples.your_turn()
    orc = view.you.hand[7]
    view.you.legal += [Legal(a.Discard(orc))]
    async with table(view) as pilot:
        await pilot.keys("1")
        assert "▌ ORC" in pilot.text() and "1 play Orc" in pilot.text() and "2 discard Orc" in pilot.text()
        await pilot.keys("2")
        assert pilot.client.acts == [a.Discard(orc)]


@pytest.mark.long(3)
@pytest.mark.parametrize("key", ["enter", "1", "w"])
@pytest.mark.parametrize("situation", ["idle", "interrupt"])
async def test_a_card_that_cannot_be_played_says_why(key: str, situation: str) -> None:
    view = samples.SITUATIONS[situation]()
    async with table(view) as pilot:
        pilot.client.refusal = Refusal("when.own-turn-identity", "Identities are played in your own turn.")
        await pilot.keys(key)
        await pilot.settle()
        assert pilot.client.asked == [a.Play(view.you.hand[7])] and pilot.client.acts == []
        words = " ".join(pilot.text().replace("▌", " ").split())
        assert "Identities are played in your own turn." in words
        if key != "w":
            assert "(i: the rule)" in words
            await pilot.keys("i")
            await pilot.settle()
        assert "when.own-turn-identity" in pilot.text(), "its clause opens"


async def test_a_verb_that_nobody_asks_for_says_whom_the_table_waits_for() -> None:
    view = samples.view(turn=samples.BO, deciding=[Deciding(samples.BO, "kick", -1)])
    async with table(view) as pilot:
        pilot.client.refusal = Refusal("stale", SENTENCES["stale"])
        await pilot.keys("k")
        await pilot.settle()
        text = " ".join(pilot.text().replace("▌", " ").split())
        assert "WAITING FOR BO TO KICK OPEN THE DOOR The door cannot be opened now." in text
        assert "Too late" not in text
        mine = samples.your_turn()
        pilot.client.tell(wire.Update(0, mine.rev, mine, []))
        await pilot.settle()
        assert "kick open the door" in pilot.text(), "now it is possible"
        assert "cannot be opened" not in pilot.text(), "so nothing says that it is not"


async def test_a_refusal_says_who_was_faster_and_the_card_stays() -> None:
    async with table(samples.interrupt()) as pilot:
        pilot.client.tell(wire.Refused(1, Refusal("changed", "The fight has changed."), by=2, ms=84))
        await pilot.settle()
        assert "Cid was 84 ms faster" in pilot.text()
        pilot.client.tell(wire.Refused(2, Refusal("changed", "The fight has changed."), by=2, ms=0))
        await pilot.settle()
        assert "Cid was faster, by less than a millisecond" in " ".join(pilot.text().split())
        pilot.client.tell(wire.Refused(3, Refusal("stale", "It is over."), ms=41))
        await pilot.settle()
        assert "41 ms too late: the time was over. It is over." in " ".join(pilot.text().split())


async def test_the_cursor_stays_on_its_card_when_others_come_and_go() -> None:
    view = samples.idle()
    async with table(view) as pilot:
        await pilot.keys("down", "down", "down")
        chosen = pilot.model.now.selected()
        view = samples.idle()
        gone, *others = pilot.model.now.hand()
        view.you.hand = [new := samples.held("Elf"), *others]
        digits = {card: key for card, key in pilot.model.now.keys.items() if card != gone}
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        assert pilot.model.now.selected() == chosen and pilot.model.cursor != 3
        assert pilot.model.now.keys == digits | {new: "9"}, "every card keeps its digit"


async def test_a_key_that_does_nothing_says_so() -> None:
    async with table(samples.one_item_in_hand("Pickle Spear")) as pilot:
        for key, said in (("q", "q is no key here; ? lists them."), ("9", "9 stands for nothing here."),
                          ("space", "SPACE does nothing here")):  # fmt: skip
            await pilot.keys(key)
            assert said in pilot.text(), pilot.text()
        await pilot.keys("left")
        assert "does nothing here" not in pilot.text()
        assert pilot.client.acts == []


async def test_one_key_ends_the_turn_whatever_is_left_and_the_prompt_says_what() -> None:
    view = samples.your_turn()
    curse = next(card for card in view.you.hand if samples.scene(view).card(card).kind == "curse")
    view.you.asks = [Ask(1, samples.ME, "end", [], 1, 1)]
    race, nothing = view.you.hand[7], "Play what you like, then end it"
    for left, said in (
        ([Legal(a.Play(race))], "You can play a card"), ([], nothing),
        ([Legal(a.Play(curse))], nothing), ([Legal(a.Play(race), vain=True)], nothing),
    ):  # fmt: skip
        view.you.legal = [Legal(a.EndTurn()), *left]
        async with table(view) as pilot:
            assert said in pilot.text()
            await pilot.keys("space", "e")
            assert pilot.client.acts == [a.EndTurn()]


async def test_one_key_answers_or_counters_an_offer_of_help() -> None:
    async with table(samples.own_combat()) as pilot:
        await pilot.keys("x")
        assert "1  accept Cid: 2 Treasures" in pilot.text() and "Cid to you: help for 2 Treasures" in pilot.text()
        await pilot.keys("2", "minus", "enter")
        assert pilot.client.acts == [a.Counter(6, a.Terms("help", 2, 1, True))]


async def test_plus_and_minus_change_how_many_treasures_are_offered_and_an_offer_begins_with_whom_one_named() -> None:
    view = samples.own_combat()
    view.offers = []
    view.you.legal = [Legal(a.Flee()), *(Legal(a.Offer(to, a.Terms("help", to, 1))) for to in (-1, 1, 2))]
    async with table(view) as pilot:
        await pilot.keys("x", "plus", "plus", "plus")
        assert "There are no more Treasures to offer." in pilot.text() and pilot.model.menus.draft.treasures == 3
        await pilot.keys("minus")
        assert pilot.model.menus.draft.treasures == 2 and "+ add a Treasure (2 of 3)" in pilot.text()
        await pilot.keys("minus", "minus", "minus")
        assert "No Treasure is offered." in pilot.text() and pilot.client.acts == []
        await pilot.keys("1", "1", "plus", "enter")
        assert pilot.client.acts == [a.Offer(2, a.Terms("help", 2, 1))]
        await pilot.keys("x")
        assert pilot.model.menus.draft.to == 2, "the one who was named last"
        await pilot.keys("escape", "w", "plus")
        assert pilot.model.large, "elsewhere the key gives room to what is being read"


async def test_a_trade_is_composed_and_sent() -> None:
    view = samples.your_turn()
    async with table(view) as pilot:
        await pilot.keys("x", "2", "1", "enter", "3", "1", "enter", "enter")
        assert "PART WITH PICKLE SPEAR, WHICH IS IN USE?" in pilot.text() and pilot.client.acts == []
        await pilot.keys("enter")
        mine, theirs = samples.items_of(view.seats[0])[0], samples.items_of(view.seats[1])[0]
        assert pilot.client.acts == [a.Offer(1, a.Terms("trade", gives=(mine,), wants=(theirs,)))]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)])
async def test_a_card_of_the_hand_is_dim_while_its_key_does_nothing(size: tuple[int, int]) -> None:
    view, before = samples.your_turn(), samples.your_turn()
    before.you.hand, before.you.legal = list(view.you.hand), before.you.legal[:1]
    async with table(before, size, key_pause=HOUR_S) as pilot:
        screen = pilot.screen
        screen.model.keyed.revive()
        screen.redraw()
        assert not screen.model.now.dead_keys
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        now = asyncio.get_running_loop().time()
        changed = {card for card, key in screen.model.now.keys.items() if screen.model.keyed.dead(key, now)}
        assert changed and changed == screen.model.now.dead_keys and changed < set(screen.model.now.hand())
        scene = screen.model.now
        for chosen in (False, True):
            for card in scene.hand():
                face = face_of(scene, card, scene.keys[card], chosen)
                edge = draw(face, 20, 9, scene.glyphs)[0]
                style = next(style for text, style in edge if face.key in text)
                assert (style.split("|")[0] == "dim") == (card in changed), scene.title(card)
        listed = hand_list(scene, 60, 8, lambda card: scene.keys[card])
        dim = {line[1][0].strip() for line in listed if line[1][1].startswith("dim")}
        assert dim == {scene.keys[card] for card in changed}


async def test_details_open_in_place_and_esc_closes_them() -> None:
    async with table(samples.crowded()) as pilot:
        await pilot.keys("w")
        assert "Why 18 against 57" in pilot.text() and "Threehander          " in pilot.text()
        await pilot.keys("o")
        assert "■ Bo: Warrior" in pilot.text()
        await pilot.keys("right")
        assert "◆ Cid: Dwarf" in pilot.text()
        await pilot.keys("r")
        assert "Since your last turn" in pilot.text()
        await pilot.keys("escape", "escape")
        assert "Table" in pilot.lines()[3] and "play Prismatic Glitter" in pilot.text()


async def test_the_full_log_leaves_the_prompt_visible() -> None:
    async with table(samples.crowded()) as pilot:
        await pilot.keys("l")
        assert "Turn 7 · Bo" in pilot.text() and "Anything to play?" in pilot.text()
        await pilot.keys("escape")
        assert "BO LOSES BY 39" in pilot.text()


async def test_the_talk_line_takes_letters_until_escape() -> None:
    async with table(samples.idle()) as pilot:
        await pilot.keys("t", "h", "i", "enter", "w")
        assert pilot.client.said == ["hi"] and "Why these strengths" in pilot.text()
        await pilot.keys("t", "x", "escape", "escape")
        assert pilot.client.said == ["hi"] and pilot.client.acts == []


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_a_digit_says_a_remark_and_after_a_space_it_is_text(size: tuple[int, int]) -> None:
    async with table(samples.idle(), size=size) as pilot:
        await pilot.keys("t")
        assert remark_keys() in pilot.text(), "every remark is in sight"
        await pilot.keys("2")
        assert pilot.client.said == [REMARKS[1]] and "talking" not in pilot.screen.classes
        await pilot.keys("t", "9", "enter", "t", " ", "2", "enter")
        assert pilot.client.said == [REMARKS[1], "9", "2"] and pilot.client.acts == []


async def test_leaving_asks_first_and_returns_how_the_player_left() -> None:
    async with table(samples.idle()) as pilot:
        await pilot.keys("ctrl+q")
        assert "LEAVE THE TABLE?  Your seat is kept." in pilot.text()
        ended = asyncio.get_running_loop().create_future()
        pilot.screen.dismiss = lambda result=None: ended.set_result(result)
        await pilot.keys("1")
        assert ended.result() == "left"


async def test_a_solo_player_who_can_only_pass_passes_automatically() -> None:
    view = samples.interrupt()
    view.you = You(0, view.you.hand, [], [], [Legal(a.Pass(9)), Legal(a.Hold(9))])
    info = samples.info(solo=True)
    async with table(samples.idle(), info=info) as pilot:
        loop = asyncio.get_running_loop()
        told = loop.time()
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        assert "You have nothing to play here." in pilot.text()
        async with asyncio.timeout(PATIENCE_S):
            while not pilot.client.acts:
                await asyncio.sleep(0.02)
        assert pilot.client.acts == [a.Pass(9)] and loop.time() - told >= AUTO_PASS_S, "it can be read before"


@pytest.mark.parametrize("several", [True, False])
async def test_nothing_passes_automatically_with_other_people_or_something_to_play(
    several: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tui.screens.parts.auto_pass.AUTO_PASS_S", 0.01)
    view = samples.interrupt()
    if several:
        view.you = You(0, view.you.hand, [], [], [Legal(a.Pass(9))])
    info = samples.info() if several else samples.info(solo=True)
    async with table(samples.idle(), info=info) as pilot:
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        await asyncio.sleep(0.1)
        assert pilot.client.acts == []


async def test_a_clock_tick_redraws_only_one_row() -> None:
    view = samples.interrupt()
    async with table(view) as pilot:
        pilot.client.timers = wire.Timers(window=1600, window_full=2600)
        pilot.screen.redraw()
        await pilot.settle()
        combat = pilot.screen.query_one("#stage-last", Pane)
        drawn = []
        combat.refresh = lambda *regions, **_: drawn.append(regions)
        for left in (1500, 1400):
            pilot.client.timers = wire.Timers(window=left, window_full=2600)
            combat.redraw()
        assert [[region.height for region in regions] for regions in drawn] == [[1], [1]]
        assert "1.4 s" in "".join(text for line in combat.lines for text, _ in line)


async def test_nothing_is_redrawn_when_nothing_changed() -> None:
    view = samples.interrupt()
    async with table(view) as pilot:
        pilot.model.keyed.revive()
        pilot.screen.redraw()
        drawn = []
        for pane in pilot.screen.query(Pane):
            pane.refresh = lambda *regions, ident=pane.id, **_: drawn.append(ident)
        pilot.client.tell(wire.Update(1, 2, view))
        await pilot.settle()
        assert drawn == []


async def test_the_prompt_reports_a_lost_connection() -> None:
    async with table(samples.idle()) as pilot:
        pilot.client.stage, pilot.client.reason = "offline", "the connection to 10.0.0.7:7788 was lost"
        pilot.client.tell(wire.Ticked(wire.Timers()))
        await pilot.settle()
        assert "NO CONNECTION  The connection to 10.0.0.7:7788 was lost" in pilot.text()


async def test_a_window_that_is_too_small_says_what_size_is_needed() -> None:
    async with table(samples.idle(), (59, 20)) as pilot:
        assert "needs 60 by 20" in pilot.text() and "Level" not in pilot.text()


@pytest.mark.long(12)
@pytest.mark.painted
@pytest.mark.parametrize("name", samples.SITUATIONS)
async def test_every_key_of_the_table_works_without_an_error(name: str) -> None:
    """In a turn (tests/thorough.py) each situation tries half of the keys."""
    async with table(samples.SITUATIONS[name](), seat=-1 if name == "watching" else 0) as pilot:
        for key in share(TABLE, 2, list(samples.SITUATIONS).index(name)):
            if key.id in ("table.talk", "app.palette", "app.quit"):
                continue
            await pilot.keys(key.keys)
        assert pilot.app._exception is None


async def test_a_key_map_changes_the_key_of_an_action() -> None:
    async with table(samples.crowded()) as pilot:
        pilot.app.set_keymap({"table.why": "f2"})
        await pilot.keys("w")
        assert "Why" not in pilot.text()
        await pilot.keys("f2")
        assert "Why 18 against 57" in pilot.text()


async def test_a_click_presses_the_key_under_it() -> None:
    view = samples.your_turn()
    async with table(view) as pilot:
        row = next(y for y, line in enumerate(pilot.lines()) if "k kick open" in line)
        pilot.model.keyed.revive()
        await pilot.textual.click(offset=(5, row))
        await pilot.settle()
        assert pilot.client.acts == [a.Kick()]


async def test_a_screen_that_goes_late_does_not_unsubscribe_the_next_one() -> None:
    async with table(samples.idle()) as pilot:
        WaitingRoomScreen(pilot.screen.session).on_unmount()
        pilot.client.tell(wire.Update(1, 41, samples.your_turn()))
        await pilot.settle()
        assert "k kick open the door" in pilot.text()


async def test_space_ends_a_hold() -> None:
    view = samples.interrupt()
    view.window = WindowView(9, "claim", 1, 0, False, 1)
    async with table(view) as pilot:
        await pilot.keys("z")
        assert not pilot.client.acts and "You hold the table already" in pilot.text()
        await pilot.keys("space")
        assert pilot.client.acts == [a.Pass(9)]


async def test_arrows_go_from_seat_to_seat_while_a_list_is_open() -> None:
    async with table(samples.charity(), (120, 40)) as pilot:
        assert pilot.screen.parts.choices.listing
        await pilot.keys("o", "right")
        assert pilot.model.reading.kind == "seat" and pilot.model.reading.arg == (samples.ME + 2) % 6
        await pilot.keys("left")
        assert pilot.model.reading.arg == (samples.ME + 1) % 6 and not pilot.client.acts


async def test_a_screen_that_ends_late_does_not_silence_the_one_that_followed_it() -> None:
    """The waiting room is removed after the table has opened."""
    async with table(samples.idle()) as pilot:
        waiting = pilot.screen.session.listen(lambda: None)
        waiting()
        waiting()
        pilot.client.tell(wire.Update(1, 2, samples.your_turn()))
        await pilot.settle()
        assert "KICK OPEN" in pilot.text().upper() and pilot.model.now.view.rev == pilot.client.view.rev
        assert "YOUR TURN" in pilot.text()


@pytest.mark.long(4)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)])
async def test_the_mouse_opens_a_seat_takes_a_choice_and_uses_a_card(size: tuple[int, int]) -> None:
    async def click(pilot: TablePilot, words: str) -> None:
        pilot.model.keyed.revive()
        row, line = next((at, line) for at, line in enumerate(pilot.lines()) if at > 2 and words in line)
        await pilot.textual.click(offset=(line.index(words) + 1, row))
        await pilot.settle()

    async with table(samples.own_combat(), size) as pilot:
        await click(pilot, "Fox")
        assert pilot.model.reading.kind == "seat" and pilot.model.reading.arg == 5
    async with table(samples.own_combat(), size) as pilot:
        await click(pilot, "give up and run")
        assert pilot.client.acts == [a.Flee()]
    async with table(samples.own_combat(), size) as pilot:
        await click(pilot, "Prismatic")
        assert pilot.model.now.title(pilot.model.selected) == "Prismatic Glitter" and not pilot.model.menus.nested
        await click(pilot, "Prismatic")
        assert pilot.model.menus.nested and pilot.client.acts == []


async def test_the_step_after_the_last_card_is_the_first_one() -> None:
    async with table(samples.your_turn()) as pilot:
        cards = pilot.model.now.hand()
        await pilot.keys("shift+tab")
        assert pilot.model.selected == cards[-1]
        await pilot.keys("tab")
        assert pilot.model.selected == cards[0]
        await pilot.keys(*["tab"] * len(cards))
        assert pilot.model.selected == cards[0]


@pytest.mark.long(3)
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_the_page_of_keys_turns_by_pages_and_stops_at_its_ends(size: tuple[int, int]) -> None:
    async with table(samples.idle(), size) as pilot:
        await pilot.keys("question_mark")
        first = {line.strip() for line in pilot.text().splitlines() if line.startswith("  ")}
        assert first
        for _ in range(12):
            await pilot.keys("pagedown")
        end = pilot.text()
        await pilot.keys("pagedown")
        assert pilot.text() == end
        at = pilot.model.reading.scroll
        await pilot.keys("pageup")
        assert (pilot.model.reading.scroll < at) == (at > 0), "it goes back at once"
        step = pilot.screen.query_one("#reader").size.height - 2
        assert at - pilot.model.reading.scroll == min(at, step)


async def test_a_page_of_all_keys_hides_the_hand_and_its_keys() -> None:
    async with table(samples.your_turn()) as pilot:
        assert "TAB card" in pilot.text()
        await pilot.keys("question_mark")
        assert "TAB card" not in pilot.text() and "ENTER use" not in pilot.lines()[-1]
        await pilot.keys("enter")
        assert pilot.client.acts == [] and "Your hand is out of sight: first go back (ESC)." in pilot.text()
        await pilot.keys("escape")
        assert "TAB card" in pilot.text()
