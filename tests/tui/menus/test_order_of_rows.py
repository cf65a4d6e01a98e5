"""The order of choices: by what each changes for the reader now, as far as the reader's seat knows."""

from msgspec.structs import replace

from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.views import FightView
from tests.tui import samples
from tui.menus import outlooks
from tui.menus.choices import root
from tui.menus.entries import Entry
from tui.menus.menu_state import MenuState, draft_menu
from tui.menus.narrowing import IN_VAIN
from tui.menus.offer_editor import Draft
from tui.scene import outlook as f
from tui.scene.cells import UNICODE
from tui.scene.scene import Scene
from tui.screens.parts.choices import sold_with_others
from tui.widgets.table.prompt import MORE, Row, laid, pages

BO, ME = samples.BO, samples.ME
GLITTER, CLUB = samples.public("Prismatic Glitter"), samples.public("Pickle Spear")


def fight(heroes: int, foes: int, **more: object) -> FightView:
    """Return the reader's own fight, alone, with these sums."""
    fields = {"seat": ME, "helper": -1, "heroes": heroes, "foes": foes, "winning": heroes > foes, "win_level": 6,
              "match_point": False}  # fmt: skip
    return replace(samples.own_fight(), **(fields | more))


def scene(now: FightView | None, forecasts: list[Forecast], legal: list[Legal]) -> Scene:
    """Return a moment of the reader's turn with these options."""
    table = samples.view(fight=now, turn=ME)
    you = table.you
    assert you is not None
    table.you = replace(you, asks=[], legal=legal)
    return samples.scene(table, forecasts=tuple(forecasts))


def known(row: int, heroes: int, foes: int) -> Forecast:
    """Return a known outcome of the reader's fight."""
    return Forecast([row], "sums", 0, ME, -1, heroes, foes, heroes > foes, 6)


def gains(now: FightView, then: Forecast) -> f.Outlook:
    return f.of_action(scene(now, [then], [Legal(a.Play(GLITTER))]), a.Play(GLITTER))


def test_what_decides_comes_first_then_gains_the_unknown_what_changes_nothing_and_harm() -> None:
    now = fight(8, 12)
    turns, nearer = gains(now, known(0, 14, 12)), gains(now, known(0, 10, 12))
    luck, choice = gains(now, Forecast([0], "chance")), gains(now, Forecast([0], "choice"))
    ends = gains(now, Forecast([0], "over"))
    same = gains(now, known(0, 8, 12))
    dice, hopeless = (gains(now, Forecast([0], "chance", 0, ME, sides=6, wins_on=on)) for on in ((5, 6), ()))
    worse = gains(now, known(0, 8, 16))
    order = sorted((worse, same, luck, nearer, turns), key=f.rank, reverse=True)
    assert [order.index(one) for one in (turns, nearer, luck, same, worse)] == list(range(5))
    assert f.rank(choice) == f.rank(luck) < f.rank(ends), "it is lost otherwise"
    assert f.rank(hopeless) < f.rank(luck) < f.rank(dice) < f.rank(turns)


def test_in_a_fight_that_is_won_what_ends_it_or_leaves_it_to_the_dice_is_harm() -> None:
    now = fight(14, 12)
    more, ends = gains(now, known(0, 20, 12)), gains(now, Forecast([0], "over"))
    dice = gains(now, Forecast([0], "chance", 0, ME, sides=6, wins_on=(4, 5, 6)))
    assert f.rank(ends) < f.rank(gains(now, Forecast([0], "choice"))) and f.rank(dice) < f.rank(more)
    claim = outlooks.of_entry(scene(now, [], [Legal(a.Claim())]), Entry("claim", "claim the kill", a.Claim()))
    assert f.rank(more) < f.rank(claim), "the fight is won without it"


def test_a_card_that_wins_comes_before_asking_somebody_who_may_say_no() -> None:
    legal = [Legal(a.Play(GLITTER)), Legal(a.Offer(BO, a.Terms("help", BO, 1)))]
    helped = Forecast([1], "sums", 0, ME, BO, 40, 12, True, 6)
    table = scene(fight(8, 12), [known(0, 13, 12), helped], legal)
    alone, together = (f.of_action(table, row.action) for row in legal)
    assert f.rank(together) < f.rank(alone) and f.rank(together) > f.rank(gains(fight(8, 12), known(0, 10, 12)))


def test_a_fight_looked_for_that_is_lost_says_so_in_any_room() -> None:
    rows = [Legal(a.Trouble(samples.public(name))) for name in ("Bearbug", "Glampire")]
    lost = [replace(known(at, 3, 12), wins=False) for at in range(len(rows))]
    table = scene(None, lost, rows)
    entry = next(entry for entry in root(table).entries if entry.key == "trouble")
    words = outlooks.of_entry(table, entry)
    assert words.verdict == "bad" and min(map(len, words.words)) <= 8 and "lose" in min(words.words, key=len)
    assert words.fitted(12, UNICODE) not in ("", "✗")


def test_outside_fights_what_cards_and_abilities_do_comes_before_gear_and_deals() -> None:
    you = samples.your_turn().you
    assert you is not None
    table = samples.scene(replace(samples.your_turn(), you=replace(you, legal=[*you.legal, Legal(a.Play(GLITTER))])))
    keys = [entry.on or "card" for entry in root(table).entries]
    places = [keys.index(key) for key in ("table.kick", "card", "table.sell", "table.gear") if key in keys]
    assert places == sorted(places) and len(places) == 4, keys


def test_an_offer_to_the_player_stands_on_the_first_page() -> None:
    offer = Row("x", "answer Hush: 1 Treasure for your help in this fight..", f.Outlook("30 : 12", ("with you",)),
                rank=-1)  # fmt: skip
    card = Row("3", "play Prismatic Glitter +5..", f.Outlook("18 : 17", ("you win",), "good"), rank=0, spare=True)
    run = Row("f", "give up and run", f.Outlook(words=("33 % to get away",)), pinned=True)
    others = [Row(str(at), f"play a card that does something with a long name {at}..", rank=2) for at in range(4, 8)]
    for lines in (2, 3):
        first = pages([card, offer, *others, run], lines, 78)[0]
        assert offer in first and (lines == 2 or card in first), lines
        assert len(laid([*first, MORE], lines, 78)) <= lines


def test_an_open_set_of_prices_is_ranked_by_the_cheapest_that_decides() -> None:
    use = Legal(a.Use(CLUB, pay=()), Pick("pay", (1, 2, 3), 1, 3))
    found = [replace(known(0, 12 + pays, 12), pays=pays) for pays in (1, 2, 3)]
    assert f.of_action(scene(fight(8, 12), found, [use]), use.action).more.startswith("pay 1 card")


def test_a_card_for_several_players_says_that_somebody_chooses_only_if_they_do_whoever_it_strikes() -> None:
    """Formerly, a Curse said "somebody chooses" because one of its possible targets could choose something."""
    now = fight(8, 12)
    rows = [Legal(a.Play(GLITTER, seat=seat)) for seat in (BO, 2)]
    same, choice = known(0, 8, 12), Forecast([1], "choice")
    same = replace(same, level=now.win_level, treasures=now.treasures, match_point=now.match_point)
    table = scene(now, [same, choice], rows)
    assert f.of_card(table, GLITTER).words == f.NOTHING_CHANGES
    assert f.of_action(table, rows[1].action).words[0] == "Cid chooses what comes of it"
    both = scene(now, [Forecast([0, 1], "choice")], rows)
    assert f.of_card(both, GLITTER).words[1] == "Bo chooses"


def test_helping_somebody_to_win_the_game_is_never_told_as_the_helpers_gain() -> None:
    """Formerly, the row said only `you get 1 Treasure`, and the form did not mention the victory either."""
    bo = fight(8, 12, seat=BO, win_level=10, match_point=True)
    offer = a.Offer(BO, a.Terms("help", ME, 1))
    helped = Forecast([0], "sums", 0, BO, ME, 20, 12, True, 10, 3, True)
    table = scene(bo, [helped], [Legal(offer)])
    told = f.of_action(table, offer)
    assert told.verdict == "bad" and all("win" in words for words in told.words), told.words
    draft = Draft("help", BO, ME, 1)
    assert "Bo would win the game by it" in draft_menu(table, draft).title
    usual = replace(helped, level=6, match_point=False)
    calm = scene(replace(bo, match_point=False, win_level=6), [usual], [Legal(offer)])
    assert "would win" not in draft_menu(calm, draft).title


def test_a_new_offer_opens_at_whom_a_hint_or_its_own_row_has_named() -> None:
    """Formerly, the row said `with Cid`, but the form opened with the last player, or with the whole table."""
    legal = [Legal(a.Offer(seat, a.Terms("help", seat, 1))) for seat in (BO, 2)]
    found = [Forecast([0], "sums", 0, ME, BO, 20, 12, True, 6), Forecast([1], "sums", 0, ME, 2, 30, 12, True, 6)]
    table = scene(fight(8, 12), found, legal)
    entry = next(entry for entry in root(table).entries if entry.on == "table.deal")
    assert "with Cid" in outlooks.of_entry(table, entry).words[0]
    menus = MenuState(partner=BO)
    menus.choose(table, entry)
    assert menus.draft is not None and menus.draft.to == 2
    menus = MenuState(hinted=BO)
    menus.choose(table, entry)
    assert menus.draft is not None and menus.draft.to == BO


def test_what_is_played_in_vain_is_of_no_gain() -> None:
    rows = [Legal(a.Play(GLITTER, seat=seat), vain=True) for seat in (BO, 2)]
    table = scene(None, [], rows)
    entry = next(entry for entry in root(table).entries if entry.card == GLITTER) if root(table).entries else None
    made = outlooks.of_entry(table, entry or Entry("card", f"play it.. {IN_VAIN}", rows[0].action))
    assert f.rank(made)[0] == f.SAME


def test_a_card_that_can_only_be_sold_has_no_row_of_its_own() -> None:
    """Formerly, its row stood above the row that sells everything, with the same price."""
    keys = [entry.key for entry in root(samples.scene(samples.your_turn())).entries]
    sold = [key for key in keys if sold_with_others(key)]
    assert "sell" in keys and len(sold) < len(keys) and all(key.startswith("card:") for key in sold)


def test_in_a_fight_of_others_what_changes_who_wins_comes_first() -> None:
    """A card that only helped a rival had the row, and one that made the rival lose had none."""
    for heroes, foes, turning in ((12, 9, (12, 13)), (9, 12, (14, 12))):
        now = fight(heroes, foes, seat=BO)
        outcomes = ((heroes + 1, foes), turning, (heroes, foes + 1))
        more, turns, less = (
            gains(now, Forecast([0], "sums", 0, BO, -1, ours, theirs, ours > theirs, 6)) for ours, theirs in outcomes
        )
        assert f.rank(turns) > f.rank(more) == f.rank(less) and not turns.verdict
