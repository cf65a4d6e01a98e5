"""The result of an option in words: verdicts for each kind of player, words that fit, reasons why not."""

from typing import Any

import pytest
from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.model import defn_of
from core.state.views import FightView, You
from tests.tui import samples, set_samples
from tui.menus import outlooks
from tui.menus.choices import root
from tui.menus.entries import Entry, Menu
from tui.scene import outlook as f
from tui.scene.cells import ASCII, UNICODE
from tui.scene.scene import Scene

BO, CID, ME = samples.BO, 2, samples.ME


SHARED = ["shared-victory"]
CARD = samples.public("Prismatic Glitter")


def sums(rows: list[int], heroes: int, foes: int, **more: Any) -> Forecast:
    """A known outcome of Bo's fight; the heroes win if they have more."""
    fields = {"fighter": BO, "wins": heroes > foes, "level": 6} | more
    return Forecast(rows, "sums", heroes=heroes, foes=foes, **fields)


def fight(heroes: int, foes: int, **more: Any) -> FightView:
    """Bo's fight, alone, with these sums."""
    fields = {"seat": BO, "helper": -1, "heroes": heroes, "foes": foes, "winning": heroes > foes, "win_level": 6}
    return replace(samples.own_fight(), **(fields | more))


def scene(now: FightView | None, forecasts: list[Forecast], legal: list[Legal], **more: Any) -> Scene:
    table = samples.view(fight=now, turn=BO)
    table.you = You(ME, table.you.hand, [], [], legal)
    return samples.scene(table, forecasts=tuple(forecasts), **more)


def outlook(now: FightView, then: Forecast, **more: Any) -> f.Outlook:
    """The outlook of the only thing that Ada can do."""
    table = scene(now, [then], [Legal(a.Play(CARD))], **more)
    return f.of_action(table, a.Play(CARD))


def test_at_match_point_whoever_would_not_win_wants_the_fighter_to_lose() -> None:
    now = fight(18, 17, match_point=True)
    loses = outlook(now, sums([0], 18, 22))
    assert loses.fitted(20, UNICODE) == "✓ 18:22 Bo loses" and loses.style == "hero" and loses.sums == "18 : 22"
    helps = outlook(now, sums([0], 24, 17, match_point=True))
    assert helps.verdict == "bad" and helps.fitted(30, UNICODE) == "✗ 24:17 Bo wins the game"
    assert helps.fitted(20, UNICODE) == "✗ 24:17 Bo wins" and helps.fitted(9, UNICODE) == "✗ 24:17"
    joined = outlook(now, sums([0], 25, 17, match_point=True, helper=ME, level=10))
    assert joined.verdict == "bad", "the own help would win him the game"
    shared = outlook(now, sums([0], 25, 17, match_point=True, helper=ME, level=10), info=samples.info(options=SHARED))
    assert shared.verdict == "good"
    short = outlook(now, sums([0], 18, 16, match_point=True))
    assert short.verdict == "bad", "it helps Bo, though Bo wins already"
    weaker = outlook(fight(20, 17, match_point=True), sums([0], 18, 17, match_point=True))
    assert weaker.verdict == "" and weaker.words[0] == "Bo wins the game"


def test_what_takes_a_level_from_somebody_at_match_point_stops_them_though_they_still_win_the_fight() -> None:
    now = fight(14, 6, match_point=True, win_level=10)
    less = outlook(now, sums([0], 13, 6, level=9))
    assert less.verdict == "good" and less.words[0] == "Bo wins the fight, not the game"
    assert less.fitted(14, UNICODE) == "✓ 13:6 no game"
    still = outlook(now, sums([0], 13, 6, match_point=True, level=10))
    assert still.verdict == "" and still.words[0] == "Bo wins the game"


def test_a_card_that_makes_it_match_point_is_bad_for_the_others() -> None:
    assert outlook(fight(20, 10), sums([0], 20, 12, match_point=True)).verdict == ""
    assert outlook(fight(20, 10), sums([0], 24, 10, match_point=True)).verdict == "bad"


def test_in_a_fight_that_decides_nothing_a_bystander_is_told_but_not_advised() -> None:
    found = outlook(fight(10, 12), sums([0], 15, 12))
    assert found.fitted(12, UNICODE) == "15:12 ■ wins", "of several players, he could be anybody"
    assert (found.verdict, found.fitted(20, UNICODE), found.style) == ("", "15:12 Bo wins", "dim")
    assert outlook(fight(10, 12), sums([0], 11, 12)).words == ("helps Bo", "helps ■")
    assert outlook(fight(15, 12), sums([0], 13, 12)).words == ("Bo still wins", "■ still wins", "Bo wins", "■ wins")
    assert outlook(fight(15, 12), sums([0], 11, 12)).words == ("Bo loses", "■ loses")


def test_the_fighter_and_the_helper_want_to_win() -> None:
    mine = {"seat": ME, "win_level": 4}
    wins = outlook(fight(8, 12, **mine), sums([0], 13, 12, fighter=ME, level=4, treasures=2))
    assert (wins.verdict, wins.fitted(30, UNICODE)) == ("good", "✓ 13:12 you win")
    assert wins.more == "level 4, 2 Treasures"
    assert outlook(fight(13, 12, **mine), sums([0], 10, 12, fighter=ME)).verdict == "bad"
    still = outlook(fight(8, 12, **mine), sums([0], 10, 12, fighter=ME))
    assert (still.verdict, still.words[0]) == ("", "you still lose")
    assert outlook(fight(8, 12), sums([0], 14, 12, helper=ME)).verdict == "good"
    assert outlook(fight(8, 12), sums([0], 10, 14, helper=ME)).verdict == "bad"


def test_what_leaves_the_fight_as_it_is_says_so_and_comes_after_what_does_not() -> None:
    now = fight(10, 12, win_level=6, treasures=3, match_point=False)
    same = sums([0], 10, 12, treasures=3)
    found = outlook(now, same)
    assert (found.sums, found.fitted(20, UNICODE), found.fitted(9, UNICODE)) == ("", "fight stays as is", "no change")
    legal = [Legal(a.Play(CARD, seat=seat)) for seat in (ME, BO)]
    table = scene(now, [same, sums([1], 6, 12)], legal)
    assert f.of_card(table, CARD).fitted(20, UNICODE) == "6:12 Bo loses"


def test_a_tie_counts_for_whom_it_wins() -> None:
    then = sums([0], 12, 12, wins=True, fighter=ME)
    assert outlook(fight(11, 12, seat=ME), then).verdict == "good"


def test_the_signs_are_plain_in_ascii() -> None:
    found = outlook(fight(18, 17, match_point=True), sums([0], 18, 22))
    assert found.fitted(20, ASCII) == "ok 18:22 Bo loses" and found.sign(ASCII) == "ok "


def test_what_is_not_known_says_so_without_sums() -> None:
    for fate, words in (("chance", "luck"), ("choice", "chooses"), ("hidden", "hidden"), ("over", "ends")):
        found = outlook(fight(10, 12), Forecast([0], fate))
        assert found and not found.sums and not found.verdict and words in found.fitted(30, UNICODE)
        assert len(found.fitted(9, UNICODE)) <= 9


def test_a_die_that_decides_says_on_which_numbers_and_luck_after_known_sums_says_these() -> None:
    now = fight(10, 12, seat=ME)
    wins = [((4, 5, 6), "you win on 4 or more (50 %)"), ((6,), "you win on a 6 (17 %)"),
            ((), "you lose with any number"), ((1, 2), "you win on 2 or less (33 %)"),
            ((1, 6), "you win on 1 or 6 (33 %)")]  # fmt: skip
    for numbers, words in wins:
        die = Forecast([0], "chance", 0, ME, sides=6, wins_on=numbers)
        assert outlook(now, die).fitted(40, UNICODE) == words
    assert outlook(now, Forecast([0], "chance", 0, ME, sides=6, wins_on=(4, 5, 6))).fitted(11, UNICODE) == "win 50 %"
    theirs = outlook(fight(10, 12), Forecast([0], "chance", 0, BO, sides=6, wins_on=(4, 5, 6)))
    assert (theirs.words[0], theirs.words[-2]) == ("Bo wins on 4 or more (50 %)", "50 % ■ wins")
    one = outlook(fight(10, 12), Forecast([0], "chance", 0, BO, sides=6, wins_on=(1,)))
    assert one.fitted(14, UNICODE) == "17 % Bo wins" and one.fitted(11, UNICODE) == "17 % ■ wins", "of which die?"
    assert not any("on a 1" in words and "%" not in words for words in one.words)
    twenty = outlook(fight(10, 12), Forecast([0], "chance", 0, BO, sides=20, wins_on=(1,)))
    assert twenty.words[0] == "Bo wins on a 1 of a d20 (5 %)" and twenty.fitted(16, UNICODE) == "d20: 5 % Bo wins"
    high = outlook(fight(10, 12), Forecast([0], "chance", 0, BO, sides=20, wins_on=tuple(range(11, 21))))
    assert high.words[0] == "Bo wins on 11 or more of a d20 (50 %)"
    drawn = outlook(now, Forecast([0], "chance", 0, ME, -1, 10, 16))
    assert drawn.fitted(30, UNICODE) == "10:16 then luck decides" and not drawn.verdict


@pytest.mark.parametrize(
    ("set_id", "name", "words"),
    [
        (set_samples.MAZES, "Disadvantaged", ("2 dice decide", "2 dice")),
        (set_samples.MAZES, "Critical Hitman", ("a die decides", "a die")),
        (set_samples.APO, "Disaster! Power Cut", ("a die decides", "a die")),
    ],
)
def test_luck_says_what_is_rolled_or_drawn(set_id: str, name: str, words: tuple[str, str]) -> None:
    """A card said `luck`, of which nobody knew what it meant."""
    box = set_samples.Box(set_id)
    (card,) = box.held(name)
    action = a.Trouble(card) if box.catalog.cards[defn_of(card)].kind == "monster" else a.Play(card)
    view = box.view(samples.six_seats(), [card], turn=ME, fight=None if name == "Critical Hitman" else fight(8, 12))
    view.you = You(ME, [card], [], [], [Legal(action)])
    shown = [
        Scene(box.catalog, samples.info(), view, ME, UNICODE, forecasts=(one,))
        for one in (Forecast([0], "chance"), Forecast([0], "chance", 0, ME, -1, 10, 16))
    ]
    alone, after = (f.of_card(one, card) for one in shown)
    assert (alone.fitted(20, UNICODE), alone.fitted(8, UNICODE)) == words
    brief = after.fitted(14, UNICODE), after.fitted(26, UNICODE)
    assert brief == (f"10:16 {words[1]}", f"10:16 then {words[0]}")


def test_where_there_is_room_a_die_says_what_it_decides() -> None:
    """It said `a die decides`, and what it decides stood nowhere beside it."""
    box = set_samples.Box(set_samples.MAZES)
    (card,) = box.held("Class Dismissed")
    view = box.view(samples.six_seats(), [card], turn=ME, fight=fight(8, 12))
    view.you = You(ME, [card], [], [], [Legal(a.Play(card, seat=2))])
    shown = Scene(box.catalog, samples.info(), view, ME, UNICODE, forecasts=(Forecast([0], "chance"),))
    loses = "a die: on 14 or less lose a Class"
    words = f.of_card(shown, card).words
    assert words[:3] == (f"{loses}, of your choice if you have two", f"{loses}…", "a die decides")


def test_a_card_that_opens_a_seal_says_so_in_place_of_luck() -> None:
    """Formerly, the card only spoke of luck. The luck was which Seal opens, and it did not mention Seals."""
    box, view = set_samples.apo_fight()
    assert view.you is not None and view.fight is not None
    (card,) = box.held("Sealed With a Hiss")
    view.you.hand.append(card)
    view.you.legal = [Legal(a.Play(card, target=view.fight.monsters[0].id))]
    told = [Forecast([0], "chance", 0, ME, -1, 12, 24), Forecast([0], "chance")]
    scenes = [Scene(box.catalog, samples.info(), view, ME, forecasts=(one,)) for one in told]
    found = [f.of_legals(one, view.you.legal) for one in scenes]
    assert [one.fitted(30, UNICODE) for one in found] == ["12:24 then a Seal opens", "a Seal opens"]


def test_a_monster_that_may_open_a_seal_says_so_before_it_is_fought() -> None:
    """"2 : 2 then luck" stood there of a monster that only asks whether a Seal opens."""
    box, view = set_samples.apo_fight()
    assert view.you is not None
    (card,) = box.held("Cultist With a Clipboard")
    view.fight, view.turn = None, ME
    view.you.hand.append(card)
    view.you.legal = [Legal(a.Trouble(card))]
    told = (Forecast([0], "chance", 0, ME, -1, 2, 2), Forecast([0], "sums", 0, ME, -1, 2, 2))
    found = f.of_card(Scene(box.catalog, samples.info(), view, ME, forecasts=told), card)
    assert found.fitted(40, UNICODE) == "2:2 then a Seal opens, if you choose"


def test_a_boost_of_the_run_says_the_odds_before_and_after() -> None:
    now = replace(samples.own_fight(), seat=ME, helper=-1)
    same = Forecast([0], "sums", 0, ME, -1, now.heroes, now.foes, now.winning, now.win_level, now.treasures,
                    now.match_point, 50)  # fmt: skip
    found = outlook(now, same)
    assert found.words[0] == "50 % to get away, not 33 %" and found.fitted(18, UNICODE) == "run 50 %, not 33 %"
    stronger = outlook(now, replace(same, heroes=now.heroes + 1))
    assert stronger.sums and stronger.more.endswith("run 50 %, not 33 %")
    assert outlook(now, replace(same, away=33)).words == f.NOTHING_CHANGES


def test_a_fight_without_a_monster_is_not_ended_by_what_is_played() -> None:
    found = outlook(fight(10, 0, monsters=[]), Forecast([0], "over"))
    assert found.words == f.NOTHING_CHANGES and "ends" not in found.fitted(30, UNICODE)


def test_the_best_of_several_targets_or_prices_is_shown() -> None:
    use = Legal(a.Use(80_000), Pick("pay", (1, 2, 3), 1, 3))
    sides = [Legal(a.Play(CARD, side="heroes")), Legal(a.Play(CARD, side="monsters"))]
    found = [sums([0], 21, 17), sums([1], 18, 20), *(sums([2], 18 - pays, 17, pays=pays) for pays in (1, 2, 3))]
    table = scene(fight(18, 17, match_point=True), found, [*sides, use])
    assert [f.of_card(table, CARD).fitted(width, UNICODE) for width in (60, 40, 30, 20, 15, 8)] == [
        "✓ 18:20 Bo loses; for the heroes 21 : 17 helps Bo", "✓ 18:20 Bo loses or 21 : 17 helps Bo",
        "✓ 18:20 Bo loses or 21 : 17", "✓ 18:20 or 21:17", "✓ 18:20 ■ loses", "✓ 18:20",
    ], "both sides of the fight"  # fmt: skip
    paid = f.of_card(table, 80_000)
    assert (paid.sums, paid.more) == ("17 : 17", "pay 1 card")
    assert f.of_action(table, a.Use(80_000, pay=(1, 2))).sums == "16 : 17"
    assert f.of_action(table, sides[0].action).verdict == "bad"
    assert f.of_legals(table, sides).verdict == "good"


def test_what_the_player_chooses_on_the_way_is_named_as_such() -> None:
    found = [sums([0], 18, 14), sums([0], 18, 20)]
    table = scene(fight(18, 17, match_point=True), found, [Legal(a.Play(CARD))])
    best = f.of_card(table, CARD)
    assert (best.fitted(20, UNICODE), best.more) == ("✓ 18:20 Bo loses", "as you choose")


def test_a_card_for_either_side_of_a_rivals_fight_tells_first_what_changes_who_wins() -> None:
    """Formerly, its row said what helps the rival, and cut off that the other side would beat him."""
    legal = [Legal(a.Play(CARD, side=side)) for side in ("heroes", "monsters")]
    both = [sums([0], 18, 5), sums([1], 8, 15)]
    assert f.of_card(scene(fight(8, 5), both, legal), CARD).sums == "8 : 15"
    assert f.of_card(scene(fight(8, 15), [sums([0], 18, 15), sums([1], 8, 25)], legal), CARD).sums == "18 : 15"
    assert f.of_card(scene(fight(18, 5), [sums([0], 23, 5), sums([1], 18, 10)], legal), CARD).sums == "23 : 5"


def test_an_offer_of_help_is_judged_by_its_helper_whatever_is_promised() -> None:
    legal = [Legal(a.Offer(CID, a.Terms("help", CID, 0))), Legal(a.Offer(CID, a.Terms("help", CID, 1)))]
    found = [sums([0, 1], 26, 12, fighter=ME, helper=CID, level=4)]
    table = scene(fight(8, 12, seat=ME), found, legal)
    written = a.Offer(CID, a.Terms("help", CID, 3, gives=(90_000,)))
    assert f.of_action(table, written).fitted(30, UNICODE) == "✓ 26:12 with Cid +18: you win"
    assert f.of_action(table, written).fitted(26, UNICODE) == "✓ 26:12 Cid +18: you win"
    assert f.of_action(table, written).fitted(21, UNICODE) == "✓ 26:12 with Cid +18"
    assert f.of_action(table, written).fitted(16, UNICODE) == "✓ 26:12 Cid +18"
    assert f.of_action(table, written).more == "level 4"
    weaker = sums([2], 20, 12, fighter=ME, helper=BO, level=4)
    legal.append(Legal(a.Offer(BO, a.Terms("help", BO, 0))))
    table = scene(fight(8, 12, seat=ME), [weaker, *found], legal)
    everybody = f.of_action(table, a.Offer(-1, a.Terms("help", -1, 1)))
    assert (everybody.sums, everybody.words[-1], everybody.more) == ("26 : 12", "Cid +18", "level 4")
    mine = outlook(fight(8, 12), sums([0], 14, 12, helper=ME))
    assert mine.words[0] == "with you +6: Bo wins", "the table shows another strength"
    assert mine.words[1:] == ("you +6: Bo wins", "with you +6", "you +6")
    strong = samples.view().seats[ME].strength
    as_shown = outlook(fight(8, 12), sums([0], 8 + strong, 12, helper=ME))
    assert as_shown.words == ("with you: Bo wins", "with you")
    assert f.of_action(table, a.Offer(CID, a.Terms("trade", gives=(1,), wants=(2,)))) == f.NOTHING


def test_an_entry_of_a_menu_says_what_the_best_choice_behind_it_leads_to() -> None:
    now = fight(18, 17, match_point=True)
    card = samples.view().you.hand[0]
    legal = [Legal(a.Play(card, side=side)) for side in ("heroes", "monsters")]
    table = scene(now, [sums([0], 23, 17), sums([1], 18, 22)], legal)
    table.view.you.hand.append(card)
    (entry,) = [entry for entry in root(table).entries if entry.card == card]
    assert outlooks.of_entry(table, entry).fitted(20, UNICODE) == "✓ 18:22 or 23:17", "of both sides of the fight"
    assert not outlooks.of_entry(replace_forecasts(table), entry)


def test_an_entry_for_several_abilities_names_the_one_whose_sums_it_shows() -> None:
    elf, cleric = samples.public("Orc"), samples.public("Cleric")
    legal = [Legal(a.Use(elf)), Legal(a.Use(cleric))]
    now = fight(18, 17, match_point=True)
    table = scene(now, [sums([0], 21, 17), sums([1], 18, 22)], legal)
    (entry,) = [entry for entry in root(table).entries if entry.key == "use"]
    found = outlooks.of_entry(table, entry)
    assert entry.label == "use Orc or Cleric.." and (found.sums, found.verdict) == ("", "good")
    assert found.fitted(30, UNICODE) == "✓ Cleric: 18 : 22 Bo loses" and found.fitted(12, UNICODE) == ""
    twice = [Legal(a.Use(elf, ability=0)), Legal(a.Use(elf, ability=1))]
    menu = Menu("Use which ability?", tuple(
        Entry(str(at), f"use Orc: {name}: more", row.action, elf) for at, (name, row) in enumerate(zip("AB", twice))
    ))  # fmt: skip
    table = scene(now, [sums([0], 21, 17), sums([1], 18, 22)], twice)
    assert outlooks.of_entry(table, Entry("use", "use", menu)).words[0] == "B: 18 : 22 Bo loses"


def test_a_change_of_gear_names_the_card_that_changes_the_fight() -> None:
    """The row said `discard a card.. 7 : 1 you win`, and not which card."""
    orc, cleric = samples.public("Orc"), samples.public("Cleric")
    now = fight(7, 5, seat=ME, win_level=4, treasures=0)
    same = sums([0], 7, 5, fighter=ME, level=4, match_point=now.match_point)
    legal = [Legal(a.Discard(orc)), Legal(a.Discard(cleric))]
    table = scene(now, [same, sums([1], 7, 1, fighter=ME, level=4)], legal)
    (entry,) = [entry for entry in root(table).entries if entry.key == "gear"]
    assert outlooks.of_entry(table, entry).words[0] == "Cleric: 7 : 1 you win"
    table = scene(now, [replace(same, rows=[0, 1])], legal)
    assert outlooks.of_entry(table, entry).words == f.NOTHING_CHANGES


def replace_forecasts(table: Scene) -> Scene:
    """The same moment at a host that sends no forecasts."""
    return samples.scene(table.view)


def test_a_card_for_the_roll_does_not_say_that_the_fight_stays_as_it_is() -> None:
    now = samples.three_monsters()
    peel = samples.held("Banana Peel of Destiny")
    same = Forecast([0], "sums", 0, now.seat, now.helper, now.heroes, now.foes, now.winning, now.win_level,
                    now.treasures, now.match_point)  # fmt: skip
    play = a.Play(peel, seat=samples.BO)
    assert f.of_action(scene(now, [same], [Legal(play)]), play).words[0] == "changes a roll to run"


def test_without_forecasts_there_is_nothing_to_say_of_what_can_be_played() -> None:
    table = scene(fight(10, 12), [], [Legal(a.Play(CARD))])
    assert not f.of_action(table, a.Play(CARD)) and not f.of_card(table, CARD)
    assert f.of_card(table, CARD).fitted(20, UNICODE) == ""
    spectator = samples.scene(replace(samples.view(), you=None), me=-1)
    assert not f.of_card(spectator, CARD)


def test_a_card_says_that_somebody_chooses_if_they_are_in_the_fight() -> None:
    """Formerly, the card in hand said `no change`, while the prompt's row and the hint proposed to play it on the
    fighter."""
    now, drain = fight(12, 8), samples.held("Level Drain Pipe")
    same = replace(sums([1], 12, 8), level=now.win_level, treasures=now.treasures)
    for seat, words in ((BO, "Bo chooses what comes of it"), (CID, "the fight stays as it is")):
        plays = [Legal(a.Play(drain, seat=seat)), Legal(a.Play(drain, seat=5))]
        table = scene(now, [Forecast([0], "choice"), same], plays)
        go = Menu("Whom?", tuple(Entry(str(at), "", go=play.action) for at, play in enumerate(plays)))
        assert f.of_card(table, drain).words[0] == outlooks.of_entry(table, Entry("2", "", go=go)).words[0] == words


@pytest.mark.parametrize(
    ("set_id", "name", "seat", "who"),
    [
        (set_samples.MAZES, "Lost and Found Box", -1, "you choose"),
        (set_samples.MAZES, "Life Partner", -1, "you choose"),
        (set_samples.AXE, "Your Sister Needs It", ME, "Bo chooses"),
        (set_samples.AXE, "Your Sister Needs It", BO, "Cid chooses"),
    ],
)
def test_a_card_names_whoever_chooses_what_comes_of_it(set_id: str, name: str, seat: int, who: str) -> None:
    """A card from whose discards the reader chooses said "somebody", and one that lets the neighbour choose "you"."""
    box = set_samples.Box(set_id)
    (card,) = box.held(name)
    partner = box.catalog.cards[defn_of(card)].card.partner
    play = a.Play(card, seat=seat, target=box.open("Sphinx Between Riddles") if partner else 0)
    view = box.view(samples.six_seats(), [card], turn=ME, fight=fight(8, 12, seat=ME, helper=BO))
    view.you = You(ME, [card], [], [], [Legal(play)])
    shown = Scene(box.catalog, samples.info(), view, ME, UNICODE, forecasts=(Forecast([0], "choice"),))
    told = f.of_action(shown, play)
    assert told.words[:2] == (f"{who} what comes of it", who)
    assert told.fitted(10, UNICODE) == {"you choose": who, "Bo chooses": who, "Cid chooses": "◆ chooses"}[who]


def test_a_card_that_cannot_be_played_says_when_it_can() -> None:
    wanted = {
        "Super Munchkin": ("on your turn", None), "Pickle Spear": ("on your turn", None),
        "Greater": ("in a fight", None), "Prismatic Glitter": ("in a fight", None),
        "Grammar Grue": ("on your turn", None),
    }  # fmt: skip
    for name, (words, now) in wanted.items():
        card = samples.held(name)
        table = scene(now, [], [])
        table.view.you.hand.append(card)
        assert f.of_card(table, card).fitted(20, UNICODE) == words, name
    lost = scene(fight(8, 12, stage="lost"), [], [])
    greater = samples.held("Greater")
    lost.view.you.hand.append(greater)
    assert f.of_card(lost, greater).fitted(20, UNICODE) == "too late now"
    own = scene(fight(8, 12, seat=ME), [], [])
    own.view.turn = ME
    card = samples.held("Pickle Spear")
    own.view.you.hand.append(card)
    assert f.of_card(own, card).fitted(20, UNICODE) == "not in combat"


def test_help_for_somebody_who_wins_anyway_says_so_and_not_what_it_would_pay() -> None:
    """It read "you get 1 Treasure" for somebody who won by 9, with a single Treasure to win."""
    offer = a.Offer(BO, a.Terms("help", ME, 1))
    table = scene(fight(10, 1, treasures=1), [sums([0], 14, 1, helper=ME, treasures=1)], [Legal(offer)])
    found = f.of_action(table, offer)
    assert (found.sums, found.share) == ("", ())
    assert found.words == ("Bo wins without you; you get 1 level and 1 Treasure", "Bo wins without you",
                           "■ wins without you", "not needed")  # fmt: skip
    assert f.rank(found) == f.LEFT_ALONE
    losing = scene(fight(1, 10, treasures=1), [sums([0], 14, 10, helper=ME, treasures=1)], [Legal(offer)])
    assert "you get 1 level and 1 Treasure" in f.of_action(losing, offer).words[0]
    asks = a.Offer(BO, a.Terms("help", BO, 1))
    mine = scene(fight(10, 1, seat=ME), [sums([0], 14, 1, fighter=ME, helper=BO)], [Legal(asks)])
    assert f.of_action(mine, asks).sums == "14 : 1", "whoever is asked makes the own win safer"
    then = sums([0], 14, 1, helper=ME, match_point=True, level=10)
    at_stake = scene(fight(10, 1, match_point=True), [then], [Legal(offer)])
    assert f.of_action(at_stake, offer).verdict == "bad", "it would help Bo to the game"
    loses = scene(fight(10, 1), [sums([0], 9, 12, helper=ME)], [Legal(offer)])
    assert f.of_action(loses, offer).verdict == "bad" and f.of_action(loses, offer).sums == "9 : 12"


def test_whoever_chooses_what_comes_of_it_has_their_choices_named() -> None:
    box = set_samples.Box(set_samples.W40K)
    (staff,) = box.up("Staff of Reasonable Force")
    view = box.view(samples.six_seats(), [], turn=BO, fight=fight(8, 12))
    act = a.Use(staff.card, 0, seat=BO)
    view.you = You(ME, [], [], [], [Legal(act)])
    now = Scene(box.catalog, samples.info(), view, ME, UNICODE, forecasts=(Forecast([0], "choice"),))
    found = f.of_action(now, act)
    assert found.words[:2] == ("Bo chooses: have -3 or discard a card", "■ chooses: have -3 or discard a card")
    assert "Bo chooses" in found.words and found.tells == 2


def test_a_die_that_cannot_turn_the_fight_of_others_says_so_and_not_that_nothing_changes() -> None:
    """A card that adds a die read "no change"."""
    die = Forecast([0], "chance", 0, BO, sides=6, wins_on=(1, 2, 3, 4, 5, 6))
    found = outlook(fight(20, 2), die)
    assert found.words[0] == "Bo wins with any number" and found.fitted(14, UNICODE) == "Bo wins"
    assert f.rank(found) == f.LEFT_ALONE


def test_a_tie_is_named_where_there_is_room_for_it() -> None:
    """A row read "4 : 4  Bo loses": why?"""
    lost = outlook(fight(7, 4), sums([0], 4, 4, wins=False))
    assert lost.words == ("Bo loses the tie", "■ loses the tie", "Bo loses", "■ loses")
    won = outlook(fight(7, 9, seat=ME), sums([0], 9, 9, wins=True, fighter=ME))
    assert won.words[0] == "you win the tie" and won.fitted(13, UNICODE) == "✓ 9:9 you win"
    game = outlook(fight(7, 4), sums([0], 4, 4, wins=True, match_point=True))
    assert game.words[0] == "Bo wins the game"
