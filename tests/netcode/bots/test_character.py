"""Personalities: the rules for their file, the effect of each trait, and the memory of a bot for others' deeds."""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from core.state import events as ev
from core.state.actions import (
    Accept,
    Action,
    Answer,
    Counter,
    Decline,
    Discard,
    EndTurn,
    Flee,
    Give,
    Kick,
    Legal,
    Offer,
    Pick,
    Play,
    Terms,
    Trouble,
)
from core.state.model import Bargain, Bonus
from core.state.views import View
from netcode.bots.brain import Brain
from netcode.bots.character import PLAIN, leanings_of, style_of
from netcode.bots.factory import check_player, make_player
from netcode.bots.personalities import TRAITS, personalities, personality_of, read
from netcode.bots.player import Observation
from netcode.bots.tuning import TUNING
from netcode.simulation.game import SimulatedGame
from tests.netcode.bots.bot_views import CATALOG, NUMBERS, VALUES, ViewBuilder, act, ask, bot, somebody


# ---------------------------------------------------------------------------------------------------------- the file
def test_there_are_eight_with_names_of_their_own() -> None:
    found = personalities()
    assert len(found) == 8 and len({one.name for one in found.values()}) == 8
    assert all(one.words and len(one.words) < 70 and 0 < len(one.name) <= 12 for one in found.values())
    for trait in TRAITS:
        values = [getattr(one, trait) for one in found.values()]
        assert max(values) - min(values) >= 0.7, f"they differ in {trait}"


GOOD: dict[str, Any] = {"name": '"Ada"', "words": '"counts"'} | dict.fromkeys(TRAITS, "0.5")


def text(**changed: str | None) -> str:
    fields = GOOD | changed
    return "[ada]\n" + "\n".join(f"{key} = {value}" for key, value in fields.items() if value is not None)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        (text(greed=None), "personalities.toml: [ada] has no 'greed'"),
        (text(risk="1.5"), "personalities.toml: [ada] risk must be a number from 0 to 1, not 1.5"),
        (text(talk='"much"'), "personalities.toml: [ada] talk must be a number from 0 to 1, not 'much'"),
        (text(bluff="true"), "personalities.toml: [ada] bluff must be a number from 0 to 1, not True"),
        (text(name='""'), "personalities.toml: [ada] name must be a text, not ''"),
        (text(wit="1"), "personalities.toml: [ada] 'wit' is unknown: a personality has name, words, greed, "),
        ("ada = 1", "personalities.toml: 'ada' stands outside a table"),
        (text() + text().replace("[ada]", "\n[bea]"), "two personalities are called 'Ada'"),
        ("[ada", "not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_place(written: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"toml|TOML") as problem:
        read(written)
    assert words in str(problem.value)


# --------------------------------------------------------------------------------------------------- how they are named
def test_a_specification_names_one_after_its_level() -> None:
    made = make_player("normal/bertha", CATALOG, random.Random(1), VALUES)
    assert isinstance(made, Brain) and made.personality == personalities()["bertha"] and made.wants_events
    assert personality_of("normal/bertha") == personalities()["bertha"]
    assert personality_of("normal") is personality_of("normal/nobody") is personality_of("Bot/, by Kim") is None
    with pytest.raises(ValueError, match="unknown personality 'nobody': choose from gilda, bertha"):
        check_player("normal/nobody")
    with pytest.raises(ValueError, match="unknown level 'fair'"):
        check_player("fair/bea")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("normal/", "normal/: name a personality after the / (gilda, bertha, "),
        ("random/gilda", "random/gilda: 'random' has no style that a personality could change"),
        ("random/", "random/: name a personality after the /"),
    ],
)
def test_a_specification_that_names_half_or_in_vain_is_refused(spec: str, words: str) -> None:
    for refuse in (check_player, lambda one: make_player(one, CATALOG, random.Random(1), VALUES)):
        with pytest.raises(ValueError, match="personality") as refused:
            refuse(spec)
        assert words in str(refused.value) and "\n" not in str(refused.value)


def played(bots: list[str]) -> list[str]:
    done: list[str] = []
    game = SimulatedGame(CATALOG, bots, 5, values=VALUES, watch=lambda _, seat, action, __: done.append(f"{action}"))
    assert game.play(400) == "ended" and not game.refused
    return done


def test_they_play_whole_games_and_a_seed_repeats_them() -> None:
    bots = ["normal/elroy", "normal/bertha", "easy/roxy"]
    assert played(bots) == played(bots)


def test_a_bot_with_even_traits_plays_as_its_level_does() -> None:
    style = TUNING.style["normal"]
    assert style_of(somebody(), style) == style and leanings_of(somebody()) == PLAIN


# ------------------------------------------------------------------------------------------------------- what they do
def test_the_greedy_one_wants_more_for_its_help() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 3), strengths=[9, 7, 3, 3])
    table.fights(1, "Glampire", heroes=8, foes=14)
    table.offers = [Bargain(4, 1, 0, "help", 0, 3, False, [], [], [], 1)]
    view = table.see(Accept(4), Decline(4), Offer(1, Terms("help", helper=0)))
    assert act(view, greed=0.0) == Accept(4)
    asked = act(view, greed=1.0)
    assert isinstance(asked, Counter) and asked.terms.treasures > 3


def test_the_greedy_one_pays_less_for_help() -> None:
    table = ViewBuilder(strengths=[3, 9, 3, 3])
    table.fights(0, "Glampire", heroes=6, foes=14)
    table.offers = [Bargain(4, 1, 0, "help", 1, 4, False, [], [], [], 1)]
    view = table.see(Accept(4), Decline(4), Flee(), Offer(1, Terms("help", helper=1)), asks=[ask("fight")])
    assert act(view, greed=0.0) == Accept(4)
    offered = act(view, greed=1.0)
    assert isinstance(offered, Counter) and offered.terms.treasures < 4


def test_who_likes_company_helps_for_less() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 3), strengths=[9, 7, 3, 3])
    table.fights(1, "Glampire", heroes=8, foes=14)
    table.offers = [Bargain(4, 1, 0, "help", 0, 3, False, [], [], [], 1)]
    view = table.see(Accept(4), Decline(4), Offer(1, Terms("help", helper=0)))
    assert act(view, company=1.0) == Accept(4) and isinstance(act(view, company=0.0), Counter)


def test_only_who_likes_barter_offers_a_trade_by_which_both_gain_little() -> None:
    table = ViewBuilder()
    table.has(0, "Warrior")
    table.has(1, "Wizard")
    robe = table.has(0, "Robe of Many Footnotes", up=False)
    helm = table.has(1, "Full Bucket Helm", up=False)
    row = Legal(Offer(1, Terms("trade", wants=(helm,))), Pick("gives", (robe,), 1, 1))
    view = table.see(row, EndTurn(), asks=[ask("end")])
    assert act(view, barter=1.0) == Offer(1, Terms("trade", gives=(robe,), wants=(helm,)))
    assert act(view, barter=0.0) == EndTurn()


def test_the_careful_one_leaves_a_fight_that_it_would_barely_win() -> None:
    table = ViewBuilder(phase="trouble", strengths=[2, 3, 3, 3])
    rat = table.holds("Practice Rat")
    view = table.see(Trouble(rat), EndTurn(), asks=[ask("trouble")])
    assert act(view, risk=0.5) == Trouble(rat)
    assert act(view, risk=0.0) == EndTurn()


def test_the_fearless_one_saves_its_cards_rather_than_its_skin() -> None:
    table = ViewBuilder()
    table.fights(0, "Practice Rat", heroes=3, foes=20, stage="lost")
    helm = table.holds("Full Bucket Helm")
    row = Legal(Answer(1), Pick("picks", (helm,), 0, 1))
    view = table.see(row, asks=[ask("pay roll", helm, lo=0, hi=1)])
    assert act(view, risk=0.0) == Answer(1, (helm,)) and act(view, risk=1.0) == Answer(1)


def test_the_bold_one_looks_for_trouble_that_it_does_not_beat_by_its_strength() -> None:
    table = ViewBuilder(phase="trouble", strengths=[1, 3, 3, 3])
    rat = table.holds("Practice Rat")
    view = table.see(Trouble(rat), EndTurn(), asks=[ask("trouble")])
    assert act(view, risk=0.5) == EndTurn() and act(view, risk=1.0) == Trouble(rat)
    table.strengths[0] = -4
    assert act(table.see(Trouble(rat), EndTurn(), asks=[ask("trouble")]), risk=1.0) == EndTurn()


def test_the_boldest_opens_the_door_before_it_does_anything_else() -> None:
    table = ViewBuilder()
    helm = table.holds("Full Bucket Helm")
    view = table.see(Play(helm), Kick(), asks=[ask("kick")])
    assert act(view, risk=0.9) == Play(helm) and act(view, risk=1.0) == Kick()
    later = table.see(Play(helm), EndTurn(), asks=[ask("end")])
    assert act(later, risk=1.0) == Play(helm)


def test_the_spiteful_one_spoils_a_fight_that_others_let_pass() -> None:
    table = ViewBuilder(levels=(3, 4, 3, 3))
    fight = table.fights(1, "Bearbug", heroes=10, foes=8)
    passing = table.opens("claim", 1)
    spoils = Play(table.holds("Greater"), target=fight.monsters[0].id)
    view = table.see(spoils, passing)
    assert act(view, spite=0.5) == passing and act(view, spite=1.0) == spoils


def cursing(table: ViewBuilder) -> tuple[int, View]:
    """Give the bot a surplus curse that suits each of three rivals equally."""
    curse = table.holds("Two Trapdoors")
    for name in ("Practice Rat", "Glampire", "Bearbug", "Elf", "Dwarf"):
        table.holds(name)
    return curse, table.see(*[Play(curse, seat=seat) for seat in range(4)], EndTurn(), asks=[ask("end")])


def test_the_resentful_one_curses_who_has_cursed_it_though_another_is_ahead() -> None:
    table = ViewBuilder(levels=(3, 4, 3, 3), phase="end")
    theirs = table.card("Two Trapdoors")
    cursed: list[ev.AnyEvent] = [ev.Moved(theirs, theirs, "hand", 3, "limbo", -1, "played", 3, on_seat=0)] * 2
    curse, view = cursing(table)
    assert act(view, cursed, grudge=0.0) == Play(curse, seat=1)
    assert act(view, cursed, grudge=1.0) == act(view, cursed[:1], grudge=1.0) == Play(curse, seat=3)


def test_a_grudge_does_not_hide_who_is_about_to_win() -> None:
    table = ViewBuilder(levels=(3, 9, 3, 3), phase="end")
    theirs = table.card("Two Trapdoors")
    cursed: list[ev.AnyEvent] = [ev.Moved(theirs, theirs, "hand", 3, "limbo", -1, "played", 3, on_seat=0)] * 9
    curse, view = cursing(table)
    assert act(view, cursed, grudge=1.0) == Play(curse, seat=1)


def test_the_hot_tempered_one_curses_before_charity_would_take_the_curse() -> None:
    table = ViewBuilder(levels=(3, 7, 3, 3), phase="end")
    curse = table.holds("Two Trapdoors")
    view = table.see(*[Play(curse, seat=seat) for seat in range(4)], EndTurn(), asks=[ask("end")])
    assert act(view, temper=0.5) == EndTurn() and act(view, temper=1.0) == Play(curse, seat=1)


def test_the_gentle_one_throws_no_curse_that_does_little_harm() -> None:
    table = ViewBuilder(levels=(3, 4, 3, 3), phase="end")
    curse, view = cursing(table)
    assert act(view, temper=0.5) == Play(curse, seat=1) and act(view, temper=0.0) == EndTurn()
    curse, view = cursing(ViewBuilder(levels=(3, 9, 3, 3), phase="end"))
    assert act(view, temper=0.0) == Play(curse, seat=1)


def test_who_likes_show_lays_out_what_it_cannot_use() -> None:
    table = ViewBuilder(phase="end")
    table.has(0, "Full Bucket Helm")
    spare = table.holds("Full Bucket Helm")
    view = table.see(Play(spare), EndTurn(), asks=[ask("end")])
    assert act(view, show=0.5) == EndTurn() and act(view, show=1.0) == Play(spare)


def test_who_shows_nothing_keeps_its_level_cards_until_the_end_is_near() -> None:
    def plays(level: int, **traits: float) -> bool:
        table = ViewBuilder(levels=(level, 3, 3, 3), phase="end")
        card = table.holds("Claim the Credit for Teamwork")
        return act(table.see(Play(card), EndTurn(), asks=[ask("end")]), (), **traits) == Play(card)

    assert plays(3, show=0.5) and not plays(3, show=0.0) and plays(6, show=0.0)


def test_the_whimsical_one_exchanges_its_class_for_one_that_is_hardly_better() -> None:
    table = ViewBuilder()
    old = table.has(0, "Cleric")
    for name in ("Warrior", "Wizard", "Thief"):
        table.holds(name)
    view = table.see(Discard(old), Kick(), asks=[ask("kick")])
    assert act(view, whim=0.0) == Kick() and act(view, whim=1.0) == Discard(old)


def test_the_friend_gives_what_it_cannot_use_to_who_has_helped_it() -> None:
    table = ViewBuilder(phase="end")
    table.has(0, "Full Bucket Helm")
    spare = table.has(0, "Full Bucket Helm", up=False)
    gifts = [Legal(Give((), to), Pick("cards", (spare,), 1, 1)) for to in (1, 2)]
    view = table.see(*gifts, EndTurn(), asks=[ask("end")])
    helped: list[ev.AnyEvent] = [MINE, ev.HelperCame(2, False), ev.FightEnded(0, "killed")]
    assert act(view, helped, loyalty=1.0) == Give((spare,), 2)
    assert act(view, loyalty=1.0) == act(view, helped, loyalty=0.0) == EndTurn()


@pytest.mark.parametrize("trait", TRAITS)
def test_every_trait_changes_a_choice(trait: str) -> None:
    style = TUNING.style["normal"]
    low, high = (somebody(**{trait: end}) for end in (0.0, 1.0))
    told = Path(__file__).parents[3].joinpath("docs", "bots.md").read_text("utf-8")
    assert f"| `{trait}` |" in told, f"docs/bots.md does not say what {trait} changes"
    changes = style_of(low, style) != style_of(high, style) or leanings_of(low) != leanings_of(high)
    assert changes or trait == "talk", f"character.py gives {trait} no effect"


def test_the_loyal_one_spares_its_helper() -> None:
    table = ViewBuilder(levels=(3, 4, 4, 3), strengths=[3, 4, 4, 3], phase="end")
    card = table.card("Glampire")
    helped: list[ev.AnyEvent] = [ev.FightBegan(0, card, "found"), ev.HelperCame(1, False), ev.FightEnded(0, "killed")]
    curse, view = cursing(table)
    assert act(view, helped, loyalty=0.0) == Play(curse, seat=1)
    assert act(view, helped, loyalty=1.0) == Play(curse, seat=2)


def test_who_likes_company_spares_all_others_while_one_is_far_ahead_but_not_whoever_breaks_that() -> None:
    def throws(levels: tuple[int, ...], events: Sequence[ev.AnyEvent] = (), later: Sequence[ev.AnyEvent] = (),
               **traits: float) -> Action | None:  # fmt: skip
        curse, _ = cursing(table := ViewBuilder(levels=levels, phase="end"))
        one = bot(events, **traits)
        view = table.see(*[Play(curse, seat=seat) for seat in (1, 2)], EndTurn(), asks=[ask("end")])
        if later:
            one.decide(Observation(ViewBuilder(levels=levels).see(EndTurn(), asks=[ask("end")])))
            one.observe(later)
        return one.decide(Observation(view))

    theirs = ViewBuilder().card("Two Trapdoors")
    cursed: list[ev.AnyEvent] = [ev.Moved(theirs, theirs, "hand", 2, "limbo", -1, "played", 2, on_seat=0)]
    ahead, close = (3, 7, 7, 9), (3, 7, 7, 8)
    for levels, company in ((ahead, 0.5), (close, 1.0)):
        assert isinstance(throws(levels, company=company), Play)
    assert throws(ahead, company=1.0) == EndTurn() == throws(ahead, cursed, company=1.0), "what was before is no breach"
    broken = throws(ahead, later=cursed, company=1.0)
    assert isinstance(broken, Play) and broken.seat == 2


# --------------------------------------------------------------------------------------------------- what it remembers
CARD = 7 * 4096


def moved(
    name: str, why: str, at: int, to_seat: int = -1, frm: str = "hand", to: str = "door", on_seat: int = -1
) -> ev.Moved:
    card = ViewBuilder().card(name)
    return ev.Moved(card, card, frm, at, to, to_seat, why, at, on_seat=on_seat)


MINE = ev.FightBegan(0, ViewBuilder().card("Glampire"), "found")
OTHERS = ev.FightBegan(1, ViewBuilder().card("Glampire"), "found")
PROMISE = Bargain(4, 1, 0, "help", 0, 0, False, [ViewBuilder().card("Pickle Spear")], [], [], 1)
I_HELP = [OTHERS, ev.HelperCame(0, False, PROMISE)]


def strength(side: Any, by: int, seat: int) -> ev.Strengthened:
    return ev.Strengthened(Bonus(side, by, NUMBERS["Greater"], seat))


@pytest.mark.parametrize(
    ("events", "hurt", "helped"),
    [
        ([moved("Two Trapdoors", "played", 2, to="limbo", on_seat=0)], {2: 1.0}, {}),
        ([moved("Two Trapdoors", "played", 2, to="limbo", on_seat=1)], {}, {}),
        ([MINE, strength("monsters", 10, 2)], {2: 1.0}, {}),
        ([MINE, strength("heroes", 5, 2)], {}, {2: 1.0}),
        ([OTHERS, strength("monsters", 10, 2)], {}, {}),
        ([MINE, ev.FightEnded(0, "killed"), OTHERS, strength("monsters", 10, 2)], {}, {}),
        ([MINE, strength("heroes", 5, 0)], {}, {}),
        ([MINE, ev.MonsterCame(3, 99, NUMBERS["Bearbug"], 99, "joins")], {3: 1.0}, {}),
        ([MINE, ev.MonsterCame(0, 99, NUMBERS["Bearbug"], 99, "found")], {}, {}),
        ([MINE, ev.HelperCame(2, False)], {}, {2: 1.0}),
        ([MINE, ev.HelperCame(2, True)], {}, {}),
        ([MINE, ev.HelperCame(2, False), ev.HelperLeft(2, "backs out")], {2: 1.0}, {2: 1.0}),
        ([ev.Moved(CARD, CARD, "hand", 0, "hand", 2, "taken", 2)], {2: 1.0}, {}),
        ([MINE, ev.Moved(CARD, CARD, "table", 0, "hand", 2, "taken", 2)], {}, {}),
        ([ev.Moved(CARD, CARD, "table", 2, "table", 0, "given", 2)], {}, {2: 0.5}),
        ([*I_HELP, moved("Pickle Spear", "sold", 1, frm="table")], {1: 1.5}, {}),
        ([*I_HELP, moved("Pickle Spear", "promised", 1, 0, "table", "table")], {}, {}),
        ([*I_HELP, ev.TurnBegan(2, 6), moved("Pickle Spear", "sold", 1, frm="table")], {}, {}),
    ],
)  # fmt: skip
def test_it_remembers_who_has_hurt_and_who_has_helped_it(
    events: list[ev.AnyEvent], hurt: dict[int, float], helped: dict[int, float]
) -> None:
    one = bot(events, grudge=1.0)
    one.decide(Observation(ViewBuilder().see(EndTurn())))
    reputation = one.memory.reputation
    assert reputation is not None and (dict(reputation.hurt), dict(reputation.helped)) == (hurt, helped)


def test_a_grudge_grows_with_each_deed_and_has_an_end() -> None:
    curse = moved("Two Trapdoors", "played", 2, to="limbo", on_seat=0)
    weights = []
    for times in (0, 1, 2, 20):
        one = bot([curse] * times, grudge=1.0)
        one.decide(Observation(ViewBuilder().see(EndTurn())))
        assert one.memory.reputation is not None
        weights.append(one.memory.reputation.regard(somebody(grudge=1.0)).get(2, 1.0))
    assert weights == sorted(set(weights)) and weights[0] == 1.0 and weights[-1] < 1.6
