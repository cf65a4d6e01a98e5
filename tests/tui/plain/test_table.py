"""The table as lines, with a fake client."""

import asyncio

import msgspec
import pytest

from core.state import actions as a
from core.state.actions import Legal, Refusal
from core.state.forecasts import Forecast
from core.state.model import Ask, Bargain
from core.state.views import View, You
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.plain.plain_desk import ASKED, choices, plain
from tui.config.settings import Settings
from tui.lessons.adviser import Adviser
from tui.menus.entries import Entry, Menu
from tui.plain.questions import listed

GOES_ON = "An empty line goes on."


# ------------------------------------------------------------------------------------------------------------ asking
async def test_a_question_has_numbered_choices_and_one_number_answers_it() -> None:
    async with plain(samples.own_combat()) as pilot:
        await pilot.until("Answer 1 to ")
        asked = f"{ASKED}You are losing. Cid makes an offer. 8 to 12: find +5"
        assert any(line.startswith(asked) for line in pilot.lines)
        found = choices("\n".join(pilot.lines))
        at = next(at for at, words in enumerate(found, 1) if words.startswith("give up and run: 33 %"))
        await pilot.type(str(at))
        assert pilot.client.acts == [a.Flee()]


async def test_a_verb_answers_as_its_number_does() -> None:
    async with plain(samples.your_turn()) as pilot:
        await pilot.type("KICK")
        assert pilot.client.acts == [a.Kick()]
    for typed in ("лшсл", "κιψκ", "ｋｉｃｋ"):
        async with plain(samples.your_turn()) as pilot:
            await pilot.type(typed)
            assert pilot.client.acts == [a.Kick()], f"{typed}: the same keys of another layout"
    async with plain(samples.idle()) as pilot:
        assert "Nothing is asked of you now" in await pilot.type("kick")


async def test_what_cannot_be_understood_is_answered_with_what_can_be_said() -> None:
    async with plain(samples.own_combat()) as pilot:
        for said, answer in (
            ("xyzzy", "Not understood: xyzzy. Answer 1 to "), ("99", "There is no 99: the numbers go from 1 to "),
            ("kick", "There is no choice kick now. Answer 1 to "), ("1 2", "Choose one number here."),
            ("0", "There is no 0"), ("none", "Not understood: none."),
            ("say", "Say what? For example: say good luck."), ("speed", "Say speed and one of slow, normal, fast."),
            ("waits", "Say waits and one of "), ("read", "Read what?"), ("read zzzz", "Read what?"),
            ("why zz", "Why what?"), ("seat nobody", "Which player? Say seat and one of Ada, Bo"),
            ("приветы", "Not understood: приветы."), ("９９", "There is no 99"),
            ("back", "There is nothing to go back from"), ("hold", "The table cannot be held now."),
            ("story", "How it went is told when the game is over"), ("x" * 300, f"Not understood: {'x' * 40}."),
        ):  # fmt: skip
            assert answer in await pilot.type(said), said
        assert pilot.client.acts == []


async def test_what_asks_once_more_is_done_after_yes_only() -> None:
    view = samples.own_combat()
    async with plain(view) as pilot:
        text = await pilot.type("quit", "3")
        assert "Give your seat up for good?" in text and text.endswith("Answer yes or no.")
        text = await pilot.type("no")
        assert "3. give the seat up to a bot" in text, "one step back"
        text = await pilot.type("3", "yes")
        assert pilot.table.how == "gone"
    assert pilot.how == "gone"


async def test_back_leads_out_of_a_menu_and_what_changed_meanwhile_is_told() -> None:
    view = samples.interrupt()
    async with plain(view) as pilot:
        cards = choices(await pilot.type("now"))
        first = next(at for at, words in enumerate(cards, 1) if words.startswith("play Prismatic Glitter"))
        assert "or back." in await pilot.type(str(first))
        assert f"{ASKED}" in await pilot.type("back")
    async with plain(view) as pilot:
        await pilot.type(str(first))
        pilot.show(samples.idle())
        await pilot.until("That is no longer possible")


# ------------------------------------------------------------------------------------------------------- sets, deals
async def test_a_set_is_answered_with_all_numbers_in_one_line() -> None:
    async with plain(samples.charity()) as pilot:
        await pilot.until("Answer with all numbers in one line, for example 1 2 3.")
        assert "That is 2: choose 3." in await pilot.type("1, 2")
        assert "There is no 12: the numbers go from 1 to 8." in await pilot.type("1 2 12")
        assert "Not understood: none." not in await pilot.type("none") and pilot.client.acts == []
        await pilot.type("2 4 6")
        action = pilot.client.acts[0]
        assert isinstance(action, a.Answer) and len(action.picks) == 3


async def test_charity_to_several_says_who_they_are_and_asks_step_by_step() -> None:
    view = samples.charity()
    for seat, level in zip(view.seats, (5, 1, 1, 3, 4, 6), strict=True):
        seat.level = level
    async with plain(view) as pilot:
        await pilot.until("They are shared among Bo and Cid, as evenly as possible: who gets which is asked next.")
        await pilot.type("2 4 6")
        for no, (kind, options, asked) in enumerate((
            ("larger share", [1, 2], "Who gets the extra card?"),
            ("share for 1", sorted(samples.charity().you.hand)[:3], "Which cards go to Bo? Choose 2."),
        )):  # fmt: skip
            view = samples.charity()
            view.rev += 1 + no
            many = 2 if kind.startswith("share") else 1
            view.you.asks = [Ask(4 + no, samples.ME, kind, options, many, many)]
            pilot.show(view)
            await pilot.until(asked)
            await pilot.type("1 2"[: 2 * many - 1])
        given = [one for one in pilot.client.acts if isinstance(one, a.Answer)]
        assert [len(one.picks) for one in given] == [3, 1, 2]


async def test_a_payment_says_what_it_is_worth_and_where_each_card_lies() -> None:
    async with plain(samples.your_turn()) as pilot:
        text = await pilot.type("sell")
        assert "worth 1000 gold or more" in text and ", equipped" in text and " gold" in text
        assert "1000 are needed" in await pilot.type("1")
        rows = choices(text)
        everything = " ".join(str(number) for number in range(1, len(rows) + 1))
        text = await pilot.type(everything)
        assert "Answer yes or no." in text and pilot.client.acts == [], "it would take off what is equipped"
        await pilot.type("yes")
        assert isinstance(pilot.client.acts[0], a.Sell)


async def test_an_example_of_a_set_is_an_answer() -> None:
    view = samples.charity()
    assert view.you is not None
    view.you.asks = [Ask(3, samples.ME, "charity", sorted(view.you.hand), 5, 5)]
    async with plain(view) as pilot:
        await pilot.until("for example 1 2 3 4 5.")
        await pilot.type("1 2 3 4 5")
        assert len(pilot.client.acts) == 1


def test_what_a_verb_does_has_no_second_number() -> None:
    end = Entry("end", "end your turn", a.EndTurn(), on="table.end")
    twin, other = Entry("card:1", "end it", a.EndTurn(), 1), Entry("card:2", "play it", a.Kick(), 2)
    scene = samples.scene(samples.idle())
    assert listed(scene, Menu("", (end, twin, other))).entries == (end, other)
    assert listed(scene, Menu("", (twin, end), asked=1)).entries == (twin, end), "what is asked keeps its number"


def test_what_asks_once_more_comes_after_all_else_but_passing() -> None:
    scene = samples.scene(samples.idle())
    grave = Entry("up", "give up", a.EndTurn(), on="table.run", danger="Sure?")
    end, passing = Entry("end", "end", a.EndTurn(), on="table.end"), Entry("pass", "pass", a.Pass(1), on="prompt.pass")
    assert listed(scene, Menu("", (grave, passing, end))).entries == (end, grave, passing)


def at(text: str, words: str) -> str:
    """Return the number of the first choice that begins with these words."""
    return str(next(at for at, choice in enumerate(choices(text), 1) if choice.startswith(words)))


async def test_an_offer_is_written_line_by_line_and_sent() -> None:
    async with plain(samples.own_combat()) as pilot:
        text = await pilot.type("deal")
        assert choices(text)[0].startswith("accept Cid: 2 Treasures") and at(text, "decline")
        text = await pilot.type(at(text, "ask for help"))
        assert "To the table: 1 Treasure" in text
        text = await pilot.type(at(text, "add a Treasure"))
        assert "To the table: 2 Treasures" in text
        await pilot.type(at(text, "your Items"))
        text = await pilot.type("1")
        assert "2 Treasures (you pick first) + Pickle Spear for help" in text
        text = await pilot.type(at(text, "send this offer"))
        if text.endswith("Answer yes or no."):
            await pilot.type("yes")
        offer = pilot.client.acts[0]
        assert isinstance(offer, a.Offer) and offer.to == -1
        assert (offer.terms.treasures, len(offer.terms.gives)) == (2, 1)


async def test_a_trade_that_is_offered_is_declined_or_accepted_after_a_second_question() -> None:
    for word, sent in (("accept", a.Accept(8)), ("decline", a.Decline(8))):
        async with plain(samples.offered()) as pilot:
            text = await pilot.type("deal")
            assert "Accept?" in text
            at = next(at for at, words in enumerate(choices(text), 1) if words.startswith(word))
            text = await pilot.type(str(at))
            if word == "accept":
                assert text.endswith("Answer yes or no.") and pilot.client.acts == [], "it gives something away"
                await pilot.type("yes")
            assert pilot.client.acts == [sent]


# --------------------------------------------------------------------------------------------------- foresight, hint
async def test_a_choice_says_what_it_would_lead_to() -> None:
    view = samples.own_combat()
    assert view.you is not None
    at = next(at for at, option in enumerate(view.you.legal) if isinstance(option.action, a.Play))
    would = Forecast([at], "sums", fighter=samples.ME, heroes=13, foes=12, wins=True, level=4)
    async with plain(view, forecasts=[would]) as pilot:
        found = choices(await pilot.type("now"))
        assert any(words.startswith("play Prismatic Glitter +5 (heroes): 13 to 12, ") for words in found)
        letter = next(line[0] for line in (await pilot.type("hand")).splitlines() if "Prismatic Glitter" in line)
        assert "Prismatic Glitter: 13 to 12, " in await pilot.type(f"why {letter}")


async def test_why_an_item_would_only_be_carried_is_told() -> None:
    async with plain(samples.one_item_in_hand("Reforged Sword")) as pilot:
        assert "Reforged Sword: carried, not equipped. Your hands are full." in await pilot.type("why a")


async def test_a_hint_is_for_games_alone_with_bots_or_if_all_agree() -> None:
    async with plain(samples.your_turn()) as pilot:
        assert "All people here must agree." in await pilot.type("hint")
        await pilot.type("1")
        assert pilot.client.sets == [{"hints": True}] and pilot.client.acts == []
    async with plain(samples.your_turn(), samples.info(solo=True)) as pilot:
        await pilot.type("hint")
        await pilot.until("A good player would")
        assert pilot.client.acts == [], "it is advice"


async def test_asked_again_a_hint_to_wait_says_what_to_do_without_waiting() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    view.offers = [Bargain(7, samples.ME, samples.ME + 1, "help", samples.ME + 1, 2, False, [], [], [], view.fight.no)]
    async with plain(view, samples.info(solo=True)) as pilot:
        await pilot.type("hint")
        await pilot.until("A good player would wait. Bo has not answered your offer yet.")
        await pilot.type("hint")
        await pilot.until("A good player would play ")


async def test_a_rule_is_read_of_a_refusal_a_card_a_subject_and_this_moment() -> None:
    async with plain(samples.own_combat()) as pilot:
        pilot.client.tell(wire.Refused(1, Refusal("item.big-one", "You can carry only one Big Item.")))
        await pilot.type("rule")
        await pilot.until("one Big Item cannot be dropped to make room for another")
        await pilot.until("Example: ")
        await pilot.type("rule a")
        await pilot.until("Example: ", 2)
        await pilot.type("rule charity")
        await pilot.until("Charity.")
        assert "The subjects are: Combat strength, Monsters, " in await pilot.type("rule of thumb")
        assert pilot.client.acts == []


# ------------------------------------------------------------------------------------------------- votes, pause, away
async def test_a_vote_comes_first_and_is_answered_with_yes_or_no() -> None:
    async with plain(samples.interrupt(), samples.voting()) as pilot:
        await pilot.until("Bo asks to take this back: Bo claims the kill")
        assert "There is no 3" in await pilot.type("3") and pilot.client.votes == []
        await pilot.type("no")
        assert pilot.client.votes == [(3, False)]
        pilot.show(samples.interrupt(), samples.info())
        await pilot.until(f"{ASKED}Anything to play?")


async def test_a_request_to_undo_asks_the_table_and_can_be_withdrawn() -> None:
    async with plain(samples.interrupt()) as pilot:
        assert "All players must agree" in await pilot.type("undo")
        await pilot.type("1")
        assert pilot.client.votes == [(0, True)]
    async with plain(samples.interrupt(), samples.voting(by=samples.ME, waiting=[1, 2])) as pilot:
        assert "Waiting for Bo, Cid" in await pilot.type("now")
        await pilot.type("1")
        assert pilot.client.votes == [(3, False)]
    async with plain(samples.interrupt(), samples.info(solo=True)) as pilot:
        await pilot.type("undo")
        assert pilot.client.votes == [(0, True)], "alone it is done at once"


async def test_a_paused_table_says_who_can_resume_it() -> None:
    async with plain(samples.your_turn(), samples.info(stage="paused", owner=samples.BO)) as pilot:
        await pilot.until("The table is paused. Bo can resume it.")


async def test_a_paused_table_says_how_it_goes_on() -> None:
    async with plain(samples.your_turn(), samples.info(stage="paused")) as pilot:
        await pilot.until("The table is paused. Say owner to resume it")
        text = await pilot.type("owner")
        assert choices(text)[0] == "resume the game"
        await pilot.type("1")
        assert pilot.client.requests == [("resume", -1, "")]


async def test_an_empty_line_takes_the_seat_back_from_a_bot() -> None:
    async with plain(samples.own_combat(), samples.away()) as pilot:
        await pilot.until("A bot plays for you. Answer with an empty line")
        await pilot.type("1")
        assert pilot.client.acts == []
        await pilot.type("")
        assert pilot.client.sets == [{}]
        pilot.show(samples.own_combat(), samples.info())
        await pilot.until(f"{ASKED}You are losing.")


async def test_somebody_who_may_not_is_told_so() -> None:
    for word, answer in (("owner", "Only the owner"), ("door", "Only the owner of the table decides")):
        async with plain(samples.idle(), samples.info(owner=2)) as pilot:
            assert answer in await pilot.type(word)


async def test_the_owner_lets_somebody_in_and_mutes() -> None:
    async with plain(samples.idle()) as pilot:
        pilot.client.tell(wire.Knocks([wire.KnockInfo(4, "Sam", "3f2a 91bc")]))
        text = await pilot.type("door")
        at = next(at for at, words in enumerate(choices(text), 1) if words.startswith("let in Sam"))
        await pilot.type(str(at))
        assert pilot.client.requests == [("admit", -1, "")] and pilot.client.details[0][0] == 4
        text = await pilot.type("mute")
        assert "Bo" in text
        await pilot.type("1")
        assert pilot.session.muted


# --------------------------------------------------------------------------------------------- refused, stale, waiting
async def test_what_the_host_refuses_is_told_and_asked_again() -> None:
    async with plain(samples.your_turn()) as pilot:
        await pilot.type("kick")
        assert "Not taken: your last answer is still on its way." in await pilot.type("1")
        pilot.client.tell(wire.Refused(1, Refusal("TURN", "it is not your turn")))
        await pilot.until("Not taken: it is not your turn.")
        await pilot.until(ASKED, times=2)
        text = await pilot.type("kick")
        assert "the host has just refused that" in text and ASKED in text
        assert pilot.client.acts == [a.Kick()], "it would refuse it again"
        await pilot.type("sell", "back")
        pilot.show(samples.your_turn())
        await pilot.until(ASKED, times=6)
        await asyncio.sleep(Settings().key_pause)
        await pilot.type("kick")
        assert pilot.client.acts == [a.Kick(), a.Kick()]


async def test_an_answer_that_was_written_for_another_question_is_not_taken() -> None:
    async with plain(samples.own_combat()) as pilot:
        await pilot.until("Answer 1 to ")
        pilot.show(samples.charity())
        await pilot.until("Answer with all numbers")
        text = await pilot.type("1 2 3")
        assert "Not taken: the question has changed since." in text and ASKED in text
        assert pilot.client.acts == []
    async with plain(samples.own_combat()) as pilot:
        await pilot.until("Answer 1 to ")
        assert "Not taken" in await pilot.type_of_before("1", 60)
        assert pilot.client.acts == []
        await pilot.type("deal")
        assert pilot.client.acts == []


async def test_a_card_that_waits_is_withdrawn_with_back() -> None:
    async with plain(samples.your_turn()) as pilot:
        await pilot.type("kick")
        pilot.client.tell(wire.Ack(1, "queued"))
        await pilot.until("It waits until the card is resolved; back withdraws it.")
        await pilot.type("back")
        assert pilot.client.sets == [{"withdraw": True}]


async def test_a_second_wait_is_told_too_though_the_first_one_was_never_seen_to_end() -> None:
    async with plain(samples.idle(), samples.info(solo=True)) as pilot:
        pilot.client.timers = wire.Timers(waits=True)
        pilot.show(samples.idle())
        await pilot.until(GOES_ON)
        await pilot.type("")
        assert pilot.client.sets[0] == {"skip": True}
        pilot.show(samples.idle())  # the bots went on at once, and wait again
        await pilot.until(GOES_ON, times=2)


async def test_somebody_alone_who_can_do_nothing_passes_and_is_told() -> None:
    view = samples.interrupt()
    assert view.you is not None
    view.you = You(samples.ME, view.you.hand, [], [], [Legal(a.Pass(9))])
    async with plain(view, samples.info(solo=True)) as pilot:
        await pilot.until("You have nothing to play here. You pass.")
        assert pilot.client.acts == [a.Pass(9)]


async def test_somebody_alone_says_in_which_windows_they_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Adviser, "passes", lambda self, *known: True)
    async with plain(samples.idle(), samples.info(solo=True)) as pilot:
        for number, word in enumerate(("asks always", "asks useful", "hold"), 10):
            await pilot.type(word)
            pilot.show(window(number))
            if word == "asks useful":
                await pilot.until("Nothing of yours is worth playing. You pass.")
            else:
                await pilot.until("Anything to play?", times=1 + (word == "hold"))
            pilot.show(samples.idle())
        assert pilot.client.acts == [a.Pass(11)]
        assert "You are asked in the next window." in pilot.lines
        assert "Say asks and one of always, playable, useful." in await pilot.type("asks sometimes")


def window(number: int) -> View:
    """Return the window of this number, in which something can be played."""
    view = samples.interrupt()
    assert view.window is not None
    view.window = msgspec.structs.replace(view.window, id=number)
    return view


# -------------------------------------------------------------------------------------------------------------- clocks
async def test_the_time_is_told_with_a_question_and_once_more_before_it_runs_out() -> None:
    timers = wire.Timers(prompts={samples.ME: 40_000}, banks={samples.ME: 40_000})
    view = samples.your_turn()
    async with plain(view, timers=timers) as pilot:
        await pilot.until("Time: you have 40 s.")
        pilot.client.timers = wire.Timers(prompts={samples.ME: 9_000}, banks={samples.ME: 9_000})
        pilot.show(view)
        await pilot.until("9 seconds are left.")
        assert "Time: you have 9.0 s." in await pilot.type("time")
        await pilot.type("table")
        assert sum("seconds are left" in line for line in pilot.lines) == 1
        pilot.client.timers = wire.Timers(prompts={samples.ME: 89_000}, banks={samples.ME: 569_000})
        assert "Time: you have 1:29 to answer, and 9:29 in this turn in all." in await pilot.type("time")
    short = wire.Timers(prompts={samples.ME: 8_000}, banks={samples.ME: 8_000})
    async with plain(view, timers=short) as pilot:
        await pilot.until("Time: you have 8.0 s.")
        await pilot.type("table")
        assert not any("seconds are left" in line for line in pilot.lines), "it has just been said"


async def test_no_clock_is_told_of_where_none_runs() -> None:
    async with plain(samples.interrupt()) as pilot:
        await pilot.until("Answer 1 to ")
        assert not any(line.startswith("Time") for line in pilot.lines)
        assert await pilot.type("time") == "No clock runs."


async def test_the_table_is_held_and_the_host_passes_on_request() -> None:
    async with plain(samples.interrupt()) as pilot:
        assert "The host passes for you until this fight changes." in await pilot.type("auto")
        await pilot.type("speed fast", "waits never")
        assert pilot.client.sets == [{"auto": True}, {"speed": "fast"}, {"waits": "never"}]
        await pilot.type("hold")
        assert pilot.client.acts == [a.Hold(9)]


async def test_a_finished_game_is_left_without_a_question_and_all_members_of_a_set_have_a_word() -> None:
    view = samples.idle()
    view.winners = [samples.ME]
    async with plain(view) as pilot:
        await pilot.type("leave")
        assert pilot.table.how == "left", "the seat is kept for another game"
    async with plain(samples.your_turn()) as pilot:
        await pilot.type("sell", "all")
        assert "asks" in (text := await pilot.type("")) or "Part with" in text
