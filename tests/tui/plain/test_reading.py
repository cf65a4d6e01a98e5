"""Reading the table as lines, talking, spectating, and the commands after a game."""

import msgspec
import pytest

from netcode.client.state_machine import ConnectionChanged
from netcode.protocol import wire
from netcode.recording.recorder import Finished
from tests.tui import samples
from tests.tui.plain.plain_desk import ASKED, choices, plain
from tests.tui.story_samples import header, sample_story
from tui.plain.lines import Printer, spoken
from tui.scene.remarks import REMARKS, remark_keys


async def test_everything_on_the_table_can_be_read() -> None:
    async with plain(samples.crowded()) as pilot:
        hand = await pilot.type("hand")
        assert "Your hand, 8 cards." in hand and "\na. " in hand and "\nh. " in hand
        table = await pilot.type("table")
        assert all(f"{name}: Level " in table for name in samples.NAMES[1:]) and "You: Level 3" in table
        assert "Bo fights against Glampire #1 (strength 24" in table and "Offer: Cid to Bo" in table
        assert "Curse: " in table or "curse: " in table
        assert "Glampire" in await pilot.type("read glampire")
        assert "Which one? " in await pilot.type("read the")
        assert "Played " in await pilot.type("read a")
        assert "Fox: Level 5" in await pilot.type("seat fox")
        assert "You: Level 3" in await pilot.type("seat me")
        why = await pilot.type("why")
        assert "Heroes 18: Level" in why.replace("heroes", "Heroes") or "Heroes " in why
        assert await pilot.type("seals") == "The sets in play have no Seals."


async def test_the_log_and_the_recap_are_told_again() -> None:
    async with plain(samples.idle()) as pilot:
        pilot.session.log[:] = list(samples.LOG)
        pilot.session.changed()
        await pilot.until("Fox says: dont help him")
        text = await pilot.type("log 2")
        assert text.splitlines() == ["Greater: +10 to Glampire.",
                                     "Eve plays Life Partner on Glampire. That is not nice of Eve at all."]  # fmt: skip
        assert (await pilot.type("recap")).startswith("Turn 7: Bo."), "what came after the own turn, as on the screen"
        assert await pilot.type("log 0") == ""


async def test_talk_goes_to_the_table_and_no_talk_is_lost_in_silence() -> None:
    async with plain(samples.idle()) as pilot:
        await pilot.type("say I would help, Bo")
        assert pilot.client.said == ["I would help, Bo"]
        assert remark_keys() in await pilot.type("say")
        await pilot.type("say 3", "say 30")
        assert pilot.client.said[1:] == [REMARKS[2], "30"]
        pilot.client.stage = "offline"
        assert "Not sent: there is no connection." in await pilot.type("say hello")
        pilot.client.tell(wire.Talk(5, "Fox", "well \x1b[31mplayed"))
        await pilot.until("Fox says: well")


async def test_a_lost_connection_is_told_and_nothing_is_taken() -> None:
    async with plain(samples.your_turn()) as pilot:
        await pilot.until(ASKED)
        pilot.client.stage, pilot.client.reason = "offline", "the host does not answer"
        pilot.client.tell(ConnectionChanged("offline", "the host does not answer"))
        await pilot.until("Connection lost: the host does not answer")
        pilot.client.stage = "closed"
        pilot.client.tell(ConnectionChanged("closed", "the host has ended"))
        assert await pilot.ended() == "closed"


async def test_a_spectator_hears_everything_and_is_asked_nothing() -> None:
    async with plain(samples.watching(), seat=-1) as pilot:
        table = await pilot.type("table")
        assert "Bo fights with Cid against" in table
        for said, answer in (("hand", "You are a spectator"), ("undo", "Only players can ask to undo"),
                             ("owner", "Only the owner"), ("hint", "Hints are for players")):  # fmt: skip
            assert answer in await pilot.type(said), said
        assert not any(line.startswith(ASKED) for line in pilot.lines)
        await pilot.end_input()
        pilot.show(samples.watching())
        assert pilot.table.how == "", "a spectator goes on watching"


async def test_after_a_game_its_story_is_told_and_another_one_can_be_played() -> None:
    async with plain(samples.over()) as pilot:
        story = sample_story()
        info = pilot.client.info
        assert info is not None
        told = msgspec.structs.replace(header(samples.ME, story), game=info.game)
        pilot.session.finished = Finished("k", told, info, story)
        pilot.session.changed()
        await pilot.until("Eve: ")
        await pilot.until("This is kept with the recording")
        await pilot.until(f"{ASKED}The game is over")
        assert choices("\n".join(pilot.lines))[-2:] == ["play again", "leave"]
        assert "You are ready for another game." in await pilot.type("ready")
        assert pilot.client.sets == [{"ready": True}]
        await pilot.type("leave", "1")
        assert await pilot.ended() == "left"


async def test_the_end_of_the_input_leaves_and_keeps_the_seat() -> None:
    async with plain(samples.your_turn()) as pilot:
        await pilot.end_input()
        assert await pilot.ended() == "left"


def test_long_lines_break_between_words_at_a_terminal_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Your first cards. Lay out class, race and Items; all begin together."
    printer = Printer(spoken(ascii_only=True))
    printer(text)
    assert capsys.readouterr().out == f"{text}\n", "a program reads one line"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    printer(text)
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines) == text and len(lines) > 1 and max(map(len, lines)) < 40
