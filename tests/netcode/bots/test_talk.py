"""The talk of bots and their thinking time depend only on public facts; they talk rarely, and never say the same words
twice in a game."""

import random
from statistics import median
from typing import Any

import pytest

from cards import BUILT_IN
from core.state import events as ev
from core.state.events import seen_by
from core.state.model import Bargain, decode, defn_of, encode
from core.state.views import View
from core.view import view
from netcode.bots.bluffing import holds
from netcode.bots.character import leanings_of
from netcode.bots.lines import DEEDS, EVENTS, HEAVY, WHO, general_form, lines_of, read
from netcode.bots.personalities import Personality, personalities
from netcode.bots.talk import CHANCES, Remark, Talker, lines_for
from netcode.bots.thinking import LEAST_S, MOST_S, thinking_s
from netcode.table.bot_talk import BotTalk
from tests.bench.talk import batches
from tests.core.invariants import other_world
from tests.netcode.bots.bot_views import CATALOG, VALUES, ViewBuilder, ask

NAMES = ("Ada", "Bea", "Cyril", "Dot")
EVEN = (0.5,) * 7
"""Temper, thrift, show and company."""
CHATTERBOX = Personality("some", "Some", "talks", 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, *EVEN)
LINES = lines_for(BUILT_IN)


def talker(me: int, seed: str = "t 1", personality: Personality = CHATTERBOX) -> Talker:
    return Talker(personality, me, CATALOG, LINES, seed)


# ---------------------------------------------------------------------------------------------------------- the lines
@pytest.mark.parametrize("kind", [kind for kind in EVENTS if kind not in DEEDS])
def test_there_are_many_lines_for_each_occasion(kind: str) -> None:
    assert len(LINES.shared[kind]) >= 12
    for one in BUILT_IN:
        assert len(lines_for([one]).shared[kind]) > len(lines_for([]).shared[kind]) >= 8, f"{one} has its own voice"


def test_every_occasion_has_a_chance_the_weightiest_first() -> None:
    assert tuple(CHANCES) == EVENTS


@pytest.mark.parametrize("name", personalities())
def test_every_personality_has_four_lines_of_its_own_for_each_heavy_moment(name: str) -> None:
    counts = {kind: len(lines) for kind, lines in lines_of(f"voice-{name}.toml").items() if kind not in DEEDS}
    assert counts == dict.fromkeys(HEAVY, 4)


@pytest.mark.parametrize("kind", DEEDS)
def test_lines_that_return_a_deed_say_what_it_was(kind: str) -> None:
    voices = [lines_for([], name).own.get(kind, ()) for name in personalities()]
    assert sorted(len(lines) for lines in voices)[-2:] == [4, 4] and len(LINES.shared[kind]) >= 8
    for line in [*LINES.shared[kind], *(line for lines in voices for line in lines)]:
        assert WHO in line or "{monster}" in line
        assert "{turn}" in line and ("{card}" if kind == "revenge" else "{monster}") in line
        assert len(line.format(who="m" * 20, card="m" * 30, monster="m" * 30, turn=99)) <= 140


def test_no_line_is_there_twice_and_none_is_long() -> None:
    own = [lines_for([], name).own for name in personalities()]
    every = [*LINES.every(), *(line for voice in own for lines in voice.values() for line in lines)]
    assert len(set(every)) == len(every) >= 13 * 8 + 8 * 40
    short = [line for line in every if "{turn}" not in line]
    assert all(len(line.replace(WHO, "m" * 20)) <= 120 for line in short)
    assert all(line.isprintable() for line in every)


@pytest.mark.parametrize(
    ("text", "words"),
    [('rain = ["It rains."]', "talk-x.toml: there is no occasion 'rain'"), ('door = "Knock"', "door must be a list"),
     ('door = [""]', "door must be a list of lines")],
)  # fmt: skip
def test_a_mistake_in_a_file_of_lines_is_named(text: str, words: str) -> None:
    with pytest.raises(ValueError, match="talk-x") as problem:
        read(text, "talk-x.toml")
    assert words in str(problem.value)


# ------------------------------------------------------------------------------------------------------ when they talk
GLAMPIRE = ViewBuilder().card("Glampire")
CURSE = ViewBuilder().card("Two Trapdoors")
WEAPON = ViewBuilder().card("Pickle Spear")
THROWN = [ev.Moved(CURSE, CURSE, "hand", 2, "limbo", -1, "played", 2, on_seat=0)]
GONE = ev.Moved(CURSE, CURSE, "limbo", -1, "discards", -1, "discarded")


def offer(frm: int, to: int) -> ev.Offered:
    return ev.Offered(Bargain(7, frm, to, "trade", -1, 0, False, [], [], [], 0))


SMALL = ViewBuilder().card("Bearbug")
MINE, OTHERS = ev.FightBegan(0, SMALL, "found"), ev.FightBegan(1, SMALL, "found")


def big_fight() -> View:
    table = ViewBuilder(levels=(3, 9, 3, 3))
    table.fights(1, "Bearbug", heroes=15, foes=8)
    return table.see(table.opens("claim", 1))


@pytest.mark.parametrize(
    ("kind", "events", "who"),
    [
        ("door", [OTHERS], "Bea"),
        ("door_own", [MINE], ""),
        ("door_big", [ev.FightBegan(1, GLAMPIRE, "found")], "Bea"),
        ("curse", [*THROWN, ev.LevelChanged(0, -1, 2, "cursed"), GONE], "Cyril"),
        ("curse", [ev.Turned(0, CURSE), ev.Moved(WEAPON, WEAPON, "table", 0, "discards", -1, "lost"), GONE], ""),
        ("curse_void", [*THROWN, GONE], "Cyril"),
        ("robbed", [ev.Moved(WEAPON, WEAPON, "table", 0, "table", 2, "taken", 2)], "Cyril"),
        ("looted", [ev.Moved(WEAPON, WEAPON, "body", 0, "hand", 2, "looted")], "Cyril"),
        ("caught", [ev.Fled(0, GLAMPIRE, defn_of(GLAMPIRE), False)], ""),
        ("escaped", [ev.Fled(0, GLAMPIRE, defn_of(GLAMPIRE), True)], ""),
        ("haggle", [offer(2, 0)], "Cyril"),
        ("refused", [offer(0, 2), ev.OfferClosed(7, "declined", 2)], "Cyril"),
        ("seal", [ev.SealOpened(2, 1, 1)], "Cyril"),
        ("help", [OTHERS, ev.HelperCame(0, False)], "Bea"),
        ("thanks", [MINE, ev.HelperCame(2, False), ev.StageSet(0, "won")], "Cyril"),
        ("betrayed", [MINE, ev.MonsterCame(3, 9, 1, 9, "joins")], "Dot"),
        ("betrayed", [MINE, ev.HelperCame(2, False), ev.HelperLeft(2, "backs out")], "Cyril"),
        ("lost", [MINE, ev.StageSet(0, "lost")], ""),
        ("won", [MINE, ev.StageSet(0, "won")], ""),
        ("near", [ev.LevelChanged(1, 1, 9, "killed")], "Bea"),
        ("mine", [ev.LevelChanged(0, 1, 9, "killed")], ""),
        ("death", [ev.Died(0)], ""),
        ("victory", [ev.Won([0], "level")], ""),
        ("defeat", [ev.Won([2], "level")], "Cyril"),
        ("bluff", [ev.WindowOpened("claim", 9, 1)], "Bea"),
    ],
)
def test_they_speak_of_what_has_happened_and_to_whom(kind: str, events: list[Any], who: str) -> None:
    seen = big_fight() if kind == "bluff" else ViewBuilder().see()
    said = set()
    for seed in range(120):
        remark = talker(0, f"t {seed}").remark(events, seen, NAMES)
        if remark is not None:
            said.add(remark.text)
    known = {line.replace(WHO, who) for line in LINES.shared[kind]}
    other = {line.replace(WHO, name) for kind in ("door", "door_own") for line in LINES.shared[kind] for name in NAMES}
    assert said & known and said <= known | other and WHO not in "".join(said)


@pytest.mark.parametrize(
    "events",
    [
        [ev.LevelChanged(1, -1, 9, "lost")], [ev.LevelChanged(1, 1, 5, "killed")], [ev.WindowOpened("claim", 9, 1)],
        [ev.Moved(CURSE, CURSE, "hand", 2, "limbo", -1, "played", 2, on_seat=1)], [ev.Drew(0, "door", 1, [7])],
        [ev.Died(1)], [ev.FightBegan(1, GLAMPIRE, "trouble")], [ev.FightBegan(0, GLAMPIRE, "loot")],
    ],
)  # fmt: skip
def test_they_are_silent_about_all_else(events: list[Any]) -> None:
    assert not any(talker(0, f"t {seed}").remark(events, ViewBuilder().see(), NAMES) for seed in range(40))


@pytest.mark.parametrize(
    ("deed", "answer", "words"),
    [
        (THROWN, [ev.Moved(CURSE, CURSE, "hand", 0, "limbo", -1, "played", 0, on_seat=2)], ("Two Trapdoors", "Cyril")),
        ([ev.FightBegan(0, GLAMPIRE, "found"), ev.MonsterCame(2, 9, defn_of(GLAMPIRE), 9, "joins")],
         [ev.FightBegan(2, GLAMPIRE, "found"), ev.MonsterCame(0, 9, 1, 9, "joins")], ("Glampire", "Cyril")),
        ([ev.FightBegan(0, GLAMPIRE, "found"), ev.HelperCame(2, False)],
         [ev.FightBegan(2, GLAMPIRE, "found"), ev.HelperCame(0, False)], ("Glampire", "Cyril")),
    ],
)  # fmt: skip
def test_they_say_why_with_the_card_or_monster_and_the_turn(
    deed: list[Any], answer: list[Any], words: tuple[str, ...]
) -> None:
    said = set()
    for seed in range(30):
        one, then = talker(0, f"t {seed}"), ViewBuilder()
        then.turn_no = 17
        one.remark(deed, then.see(), NAMES)
        then.turn_no = 23
        said.add((remark := one.remark(answer, then.see(), NAMES)) and remark.text)
    told = [text for text in said if text and "17" in text]
    assert told and all(word in text for word in words for text in told)
    lines = [*LINES.shared["revenge"], *LINES.shared["repaid"]]
    assert all(any(form in lines for form in general_form(text, NAMES)) for text in told), "heard lines are counted"


def told(one: Talker, levels: tuple[int, ...], turn: int, *events: Any) -> Remark | None:
    table = ViewBuilder(levels=levels)
    table.turn_no = turn
    return one.remark(events or [ev.TurnBegan(0, turn)], table.see(), NAMES)


def test_who_likes_company_tells_whom_it_is_against_until_that_is_over() -> None:
    sociable = Personality("some", "Some", "talks", 0.5, 0.5, 0.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 1.0, *EVEN[:3])
    behind, ahead = (3, 5, 4, 4), (3, 8, 4, 4)
    for mine, leads in ((talker(0), ahead), (talker(1, "t 1", sociable), ahead), (talker(0, "t 1", sociable), behind)):
        assert not any(told(mine, leads, turn) for turn in range(40)), "even, ahead itself, or nobody far ahead"
    one, said = talker(0, "t 1", sociable), []
    for turn in range(30):
        remark = told(one, ahead, turn)
        if remark is not None:
            said.append(remark)
            one.heard(remark.text, NAMES, 0)
    assert [remark.kind for remark in said] == ["alliance"] and "Bea" in said[0].text
    assert said[0].text.replace("Bea", WHO) in LINES.shared["alliance"]
    over = [told(one, behind, turn) for turn in range(40, 60)]
    assert over[0] is not None and over[0].kind == "alliance_over" and "Bea" in over[0].text
    assert not any(over[1:])


def test_who_does_not_talk_is_silent_and_a_bluffer_only_bluffs() -> None:
    silent = Personality("some", "Some", "", 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, *EVEN)
    events = [ev.Won([0], "level")]
    assert not any(talker(0, f"t {seed}", silent).remark(events, ViewBuilder().see(), NAMES) for seed in range(40))


def test_what_another_has_said_is_not_repeated() -> None:
    events, seen = [ev.Won([0], "level")], ViewBuilder().see()
    first = talker(0).remark(events, seen, NAMES)
    assert isinstance(first, Remark)
    later = talker(0)
    later.heard(first.text, NAMES)
    second = later.remark(events, seen, NAMES)
    assert isinstance(second, Remark) and second.text != first.text


def test_what_was_heard_least_comes_first_and_own_lines_before_others() -> None:
    events, seen = [ev.Won([0], "level")], ViewBuilder().see()
    gilda = personalities()["gilda"]
    lines = lines_for(BUILT_IN, "gilda")
    fresh = [*lines.own["victory"], *lines.shared["victory"]]
    heard: dict[str, int] = {}
    order: list[str] = []
    while len(order) < len(fresh):
        for seed in range(60):
            remark = Talker(gilda, 0, CATALOG, lines, f"t {len(order)} {seed}", heard).remark(events, seen, NAMES)
            if remark is not None:
                heard[remark.text] = heard.get(remark.text, 0) + 1
                order.append(remark.text)
                break
    assert set(order[:4]) == set(lines.own["victory"]) and set(order) == set(fresh)


# ---------------------------------------------------------------------------------------------------------- whole games
@pytest.mark.parametrize("seed", range(3))
def test_at_a_table_of_chatterboxes_only_what_weighs_more_follows_in_a_turn_and_no_words_come_twice(seed: int) -> None:
    talkers, table = [talker(me, f"t {seed}") for me in range(4)], BotTalk()
    said: list[tuple[str, tuple[int, int, bool, int]]] = []
    for game, happened in batches(CATALOG, seed):
        public = [event for event in (seen_by(event, -1) for event in happened) if event is not None]
        seen = view(CATALOG, game.state, -1)
        moment = (1, game.state.turn.no, bool(game.state.winners))
        for one in talkers:
            remark = one.remark(public, seen, NAMES)
            if remark is not None and table.allows(remark.text, moment, NAMES):
                said.append((remark.text, (*moment, remark.weight)))
                for other in talkers:
                    other.heard(remark.text, NAMES)
    texts, weights = zip(*said)
    assert len(set(texts)) == len(texts) > 5
    assert list(weights) == sorted(set(weights)), "in a turn each line weighs more than the one before"


def test_at_a_table_of_four_personalities_most_turns_pass_in_silence() -> None:
    lines = turns = 0
    for seed in range(4):
        cast = random.Random(seed).sample(list(personalities().values()), 4)
        talkers, table = [talker(me, f"t {seed}", one) for me, one in enumerate(cast)], BotTalk()
        for game, happened in batches(CATALOG, seed):
            seen = view(CATALOG, game.state, -1)
            for one in talkers:
                remark = one.remark(happened, seen, NAMES)
                moment = (1, game.state.turn.no, bool(game.state.winners))
                lines += remark is not None and table.allows(remark.text, moment, NAMES)
        turns += game.state.turn.no
    assert 0.1 < lines / turns < 0.6, f"{lines} lines in {turns} turns"


# ------------------------------------------------------------------------------------------------------------- secrecy
def test_what_is_said_depends_on_nothing_that_a_spectator_does_not_see() -> None:
    """A seat that gets its own cards gives its talker the same data as one that gets none."""
    compared = 0
    for game, happened in batches(CATALOG, 7):
        public = [event for event in (seen_by(event, -1) for event in happened) if event is not None]
        for seat in range(4):
            told = [event for event in (seen_by(event, seat) for event in happened) if event is not None]
            assert [event for event in (seen_by(event, -1) for event in told) if event is not None] == public
            compared += told != public
        assert view(CATALOG, game.state, -1).you is None
    assert compared > 50


def test_time_and_bluffs_are_the_same_in_two_hidden_worlds() -> None:
    rng, worlds, times, bluffs = random.Random(3), 0, set(), 0
    for game, _ in batches(CATALOG, 11):
        for seat in range(4) if game.decisions % 5 == 0 else ():
            state = decode(encode(game.state))
            # a world that only the next seat could be in: this seat's own hand may differ
            world = other_world(CATALOG, state, (seat + 1) % 4, rng)
            if world is None or game.state.winners:
                continue
            one, two = view(CATALOG, state, seat), view(CATALOG, world, seat)
            worlds += one.you.hand != two.you.hand
            taken = [thinking_s(seen, seat, CHATTERBOX, random.Random(5)) for seen in (one, two)]
            assert taken[0] == taken[1]
            times.add(taken[0])
            held, other = (holds(seen, seat, "some", leanings_of(CHATTERBOX), None, VALUES) for seen in (one, two))
            assert held == other
            bluffs += held
    assert worlds > 100 and len(times) > 10 and bluffs


# ------------------------------------------------------------------------------------------------------------- thinking
def thought(seen: View, personality: Personality | None = None) -> float:
    draws = random.Random(1)
    taken = [thinking_s(seen, 0, personality, draws) for _ in range(200)]
    assert all(LEAST_S <= time <= MOST_S for time in taken) and len(set(taken)) > 100
    return median(taken)


def test_it_thinks_longer_when_more_is_at_stake() -> None:
    small, big = ViewBuilder(levels=(3, 5, 3, 3)), ViewBuilder(levels=(3, 9, 3, 3))
    for table in (small, big):
        table.fights(1, "Bearbug", heroes=15, foes=8)
        table.opens("claim", 1)
    idle, held = ViewBuilder().see(asks=[ask("kick")]), big_fight()
    assert held.window is not None
    held.window.holder = 0
    assert thought(idle) < thought(small.see()) < thought(big.see()) < thought(held)


def test_the_bold_think_faster_than_the_careful() -> None:
    bold, careful = (Personality("some", "Some", "", 0.5, risk, 0.0, 0.0, 0.0, 0.0, *EVEN) for risk in (1.0, 0.0))
    assert thought(big_fight(), bold) < thought(big_fight()) < thought(big_fight(), careful)

