"""The host's bots at a table: who they are, and that their talk is bounded and can be muted."""

from netcode.bots.lines import WHO, lines_of
from netcode.bots.personalities import cast, personalities, personality_of
from netcode.protocol import wire
from netcode.table.bot_talk import BotTalk
from netcode.table.seats import BOT_NAMES
from tests.netcode.offline_table import FIGHT, OfflineTable, Player, at_the_fight


def says(player: Player, text: str) -> None:
    player.send(wire.Say(player.session.s, text))


def table(bots: int = 2, seed: str = "7") -> tuple[OfflineTable, Player, list[Player]]:
    """Return a game of Kim, who owns the table, with bots of the host."""
    offline = OfflineTable(FIGHT, bots=bots, seats=3, cast_seed=seed)
    own = offline.seat_own_bots()
    [kim] = offline.sit("Kim")
    return offline, kim, own


def test_each_bot_of_a_table_is_somebody_else_and_a_seed_repeats_them() -> None:
    for seats in (3, 6):
        seen = []
        for _ in range(2):
            offline = OfflineTable(FIGHT, seats=seats, bots=seats - 1, cast_seed="7")
            infos = [seat for seat in offline.table.info().seats if seat.state == "bot"]
            found = [personality_of(seat.bot) for seat in infos]
            assert [one.name if one else "" for one in found] == [seat.name for seat in infos]
            assert len(set(found)) == len(found) == seats - 1
            assert {wanted.level for wanted in offline.table.seating.wanted} == {seat.bot for seat in infos}
            seen.append(found)
        assert seen[0] == seen[1]
    assert len({cast(str(seed)) for seed in range(9)}) > 5 and sorted(cast("7")) == sorted(personalities())


def test_bots_of_a_fixed_setup_have_no_personality() -> None:
    offline = OfflineTable(FIGHT, bots=2)
    assert [(seat.name, seat.bot) for seat in offline.table.info().seats[1:]] == [
        (BOT_NAMES[1], "normal"), (BOT_NAMES[2], "normal"),
    ]  # fmt: skip


def test_bots_say_one_line_a_turn_together_and_no_words_twice() -> None:
    _, kim, (one, two) = table()
    for bot, text in ((one, "Knock first."), (one, "Again."), (two, "Me too.")):
        says(bot, text)
    says(kim, "People talk")
    says(kim, "as they like.")
    assert [talk.text for talk in kim.received(wire.Talk)] == ["Knock first.", "People talk", "as they like."]
    assert not one.received(wire.Error), "it is not told"


def test_a_turn_later_bots_may_speak_again_but_not_in_the_same_words() -> None:
    talk = BotTalk()
    assert talk.allows("One", (1, 1, False)) and not talk.allows("Two", (1, 1, False))
    assert not talk.allows("One", (1, 2, False)) and talk.allows("Two", (1, 2, False))
    assert talk.allows("Three", (1, 2, True)), "the end of the game is a moment of its own"
    assert talk.allows("One", (2, 1, False)), "in another game"


def test_in_one_turn_only_something_weightier_is_said_after_another_line() -> None:
    talk, turn, names = BotTalk(), (1, 1, False), ("Kim", "Bea")
    door, betrayed = lines_of("talk.toml")["door"][0], lines_of("talk.toml")["betrayed"][0].replace(WHO, "Kim")
    victory = lines_of("voice-gilda.toml")["victory"][0]
    assert talk.allows(door, turn, names) and not talk.allows("A line of a guest", turn, names)
    assert talk.allows(betrayed, turn, names) and talk.allows(victory, turn, names)
    assert not talk.allows(lines_of("talk.toml")["betrayed"][1].replace(WHO, "Bea"), turn, names)


def test_a_bot_may_answer_a_person_although_a_bot_has_spoken() -> None:
    _, kim, (one, two) = table()
    says(one, "Knock first.")
    says(kim, "Hello, bot.")
    for text in ("Evening.", "And another thing."):
        says(two, text)
    assert [talk.text for talk in kim.received(wire.Talk)] == ["Knock first.", "Hello, bot.", "Evening."]


def test_the_owner_mutes_a_bot_of_the_host() -> None:
    offline, kim, (one, two) = table()
    kim.send(wire.Admin(kim.session.s, "mute", one.seat))
    assert [seat.muted for seat in offline.table.info().seats].index(True) == one.seat
    says(one, "Hello?")
    says(two, "Hello.")
    assert [talk.text for talk in kim.received(wire.Talk)] == ["Hello."]
    kim.send(wire.Admin(kim.session.s, "unmute", one.seat))
    assert not any(seat.muted for seat in offline.table.info().seats)


def test_a_mute_of_a_bot_is_not_for_the_next_bot_on_its_seat() -> None:
    offline = OfflineTable(None, bots=1)
    (kim,) = offline.sit("Kim")
    mute = wire.Admin(kim.session.s, "mute", seat=2)
    kim.send(mute)
    assert offline.table.info().seats[2].muted
    kim.send(wire.Admin(kim.session.s, "kick", seat=2))
    kim.send(wire.Admin(kim.session.s, "bot", seat=2))
    assert not offline.table.info().seats[2].muted
    offline.wait(1000)
    kim.send(mute)
    offline.table.seating.want_missing_bots()
    assert offline.table.info().seats[2].muted, "it is the same bot, started again"


def test_the_owner_mutes_a_bot_that_plays_on_for_somebody_who_left() -> None:
    offline = OfflineTable()
    kim, roger, _ross = at_the_fight(offline)
    roger.send(wire.Leave(roger.session.s))
    (bot,) = offline.seat_own_bots()
    says(bot, "Hah!")
    kim.send(wire.Admin(kim.session.s, "mute", seat=bot.seat))
    assert not kim.received(wire.Error) and offline.table.info().seats[bot.seat].muted
    says(bot, "Hah again!")
    assert bot.received(wire.Error)[-1].text.startswith("the table's owner has muted you")
    assert [talk.text for talk in kim.received(wire.Talk)] == ["Hah!"]
    ann = offline.hello("Ann")
    assert isinstance(ann, Player) and ann.seat == bot.seat and not offline.table.info().seats[ann.seat].muted
    ann.send(wire.Leave(ann.session.s))
    assert not offline.table.info().seats[ann.seat].muted, "the bot that plays on for Ann is another one"
