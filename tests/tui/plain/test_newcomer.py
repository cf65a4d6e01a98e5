"""Information that a player by lines needs: who plays, the text of a card, the cost of a choice."""

from typing import Literal

from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal, Pick, Refusal
from core.state.events import AnyEvent, Turned
from core.state.views import View
from netcode.protocol import wire
from tests.tui import samples
from tests.tui.plain.plain_desk import PlainPilot, choices, plain
from tui.menus.entries import Picker
from tui.plain.questions import _how_to_pick, _set_words, foreseen, problem_with
from tui.plain.words import fight_lines
from tui.scene.outlook import Outlook


def update(pilot: PlainPilot, view: View, *events: AnyEvent) -> None:
    """Let the host send events with a view."""
    numbered = [wire.NumberedEvent(at, event) for at, event in enumerate(events, 1)]
    pilot.client.events.extend(numbered)
    pilot.client.tell(wire.Update(1, 0, replace(view), numbered, pilot.client.timers))


async def test_a_game_that_begins_says_who_plays_and_what_wins() -> None:
    async with plain(samples.first_cards()) as pilot:
        assert pilot.lines[0].startswith("A game of ") and "Bo" in pilot.lines[0]
        assert pilot.lines[0].endswith("Level 10 wins it.")
    async with plain(samples.your_turn()) as pilot:
        assert not any(line.startswith("A game of ") for line in pilot.lines), "it has long begun"


async def test_a_card_of_the_hand_is_played_by_its_letter_or_name() -> None:
    view = samples.own_combat()
    assert view.you is not None
    card = next(option.action.card for option in view.you.legal if isinstance(option.action, a.Play))
    view.you.legal = [Legal(a.Play(card, side="heroes"))]
    for said in ("letter", "name"):
        async with plain(view) as pilot:
            hand = (await pilot.type("hand")).splitlines()[1:]
            row = next(line for line in hand if "Prismatic Glitter" in line)
            await pilot.type(f"play {row[0]}" if said == "letter" else "play prismatic")
            assert [(type(act), act.card) for act in pilot.client.acts] == [(a.Play, card)], said
    async with plain(view) as pilot:
        assert "Not understood: play nothing of mine" in await pilot.type("play nothing of mine")


async def test_a_card_that_cannot_be_played_now_says_the_reason_of_the_host() -> None:
    view = samples.your_turn()
    assert view.you is not None
    view.you.legal = []
    async with plain(view) as pilot:
        pilot.client.refusal = Refusal("7.1", "You are an Elf already: discard it first.")
        for letter in "abcdefgh":
            await pilot.type(f"why {letter}")
        told = [line for line in pilot.lines if line.endswith("You are an Elf already: discard it first.")]
        vague = [line for line in pilot.lines if line.endswith(": not now.")]
        assert told and not vague


async def test_a_door_that_is_opened_reads_its_card() -> None:
    view = samples.own_combat()
    fight = view.fight
    assert fight is not None
    async with plain(samples.your_turn()) as pilot:
        update(pilot, view, Turned(samples.ME, fight.monsters[0].id))
        await pilot.until("Level ")
        name = samples.scene(view).printed(fight.monsters[0].defn).name
        assert any(line.startswith(f"{name}. Level ") and "Bad Stuff" in line for line in pilot.lines), pilot.lines


async def test_who_leaves_and_comes_back_is_told() -> None:
    async with plain(samples.your_turn()) as pilot:
        info = pilot.client.info
        assert info is not None
        for state, words in (("lost", "has lost the connection."), ("away", "is away: a bot plays."),
                             ("here", "is here again.")):  # fmt: skip
            seats = [replace(seat, state=state) if at == samples.BO else seat for at, seat in enumerate(info.seats)]
            pilot.show(samples.your_turn(), replace(info, seats=seats))
            await pilot.until(f"Bo {words}")


async def test_running_says_what_being_caught_costs() -> None:
    async with plain(samples.running()) as pilot:
        ways = choices(await pilot.type("run"))
        assert len(ways) > 1 and all(words.startswith("run from ") and "; caught: " in words for words in ways)


async def test_what_asks_once_more_has_the_last_number() -> None:
    async with plain(samples.first_cards()) as pilot:
        found = choices(await pilot.type("now"))
        assert found[-1] == "ready, begin (asks first: There is something in your hand to play)"


def test_the_odds_of_never_are_a_sentence() -> None:
    view = samples.own_combat()
    assert view.fight is not None
    me = view.seats[samples.ME]
    view.seats[samples.ME] = replace(me, run=-6)
    assert any("you never get away. Caught: " in line for line in fight_lines(samples.scene(view)))


def test_a_won_game_is_said_once() -> None:
    told = Outlook("19 : 18", ("he wins the game", "he wins"), more="pay 1 card, wins the game")
    assert foreseen(told) == "19 to 18, he wins the game, pay 1 card"
    assert foreseen(replace(told, words=("helps him",))).endswith("wins the game")


def picker(field: Literal["pay", "cards"], lo: int, hi: int, least: int = 0) -> Picker:
    cards = (1001, 1002, 1003)
    pick = Pick(field, cards, lo, hi, worth=(500, 300, 200) if least else (), sum_at_least=least)
    return Picker("Use Remote on Bo:", pick, ("one", "two", "three"), lambda chosen: a.Kick())


def test_a_set_of_one_is_a_number_and_an_example_is_enough() -> None:
    assert _how_to_pick(picker("pay", 1, 1), back=True) == "Answer 1 to 3, or back."
    assert _set_words(picker("pay", 1, 1)) == "Use Remote on Bo. What do you pay? Choose 1."
    sale = picker("cards", 1, 3, 1000)
    assert "for example 1 2 3" in _how_to_pick(sale, back=False), "less is not worth a Level"
    assert "Gold beyond whole Levels is lost." in _set_words(sale)
    assert problem_with(sale, (1, 2, 3)) == ""
