"""Menus made of legal actions and asks: steps, sets, bargains, and places that survive a new view."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from core.language.schema import Look
from core.state import actions as a
from core.state.actions import Legal, Pick
from core.state.forecasts import Forecast
from core.state.model import Ask, Bargain, Lasting, deck_card, defn_of
from core.state.views import ThrowView, You
from tests.tui import samples, set_samples
from tui.menus.choices import card_menu, playable, root
from tui.menus.danger import danger_of
from tui.menus.entries import Menu, Picker
from tui.menus.hint import deed
from tui.menus.menu_state import MenuState
from tui.menus.narrowing import action_or_set
from tui.menus.offer_editor import Draft, to_next_seat
from tui.menus.outlooks import of_entry
from tui.menus.prompts import parted, prompt_for
from tui.scene.cells import UNICODE, plain
from tui.scene.scene import Scene
from tui.widgets.cards.face import face_of
from tui.widgets.table.prompt import Row, draw


def labels(menu: Menu) -> list[str]:
    return [entry.label for entry in menu.entries]


def follow(scene: Scene, *wanted: str) -> Any:
    """Follow entries by the beginnings of their labels; return the action, or the menu or set at the end."""
    menus = MenuState()
    for words in wanted:
        here, _ = menus.here(scene)
        entry = next(entry for entry in here.entries if entry.label.startswith(words))
        action = menus.choose(scene, entry)
        if action is not None:
            return action
    return menus.here(scene)[0], menus


def test_the_verb_of_the_moment_comes_first_and_giving_up_last() -> None:
    assert labels(root(samples.scene(samples.your_turn())))[0] == "kick open the door"
    alone = samples.own_combat()
    alone.offers.clear()
    assert labels(root(samples.scene(alone)))[-1] == "give up and run"
    assert labels(root(samples.scene(samples.first_cards())))[0] == "ready, begin"


def test_a_losing_fighter_sees_an_offer_of_help_before_everything_else() -> None:
    offer, *_, last = root(samples.scene(samples.own_combat())).entries
    assert offer.label == "answer Cid: 2 Treasures (Cid picks first).." and last.label == "give up and run"
    assert [entry.label.split(":")[0] for entry in offer.go.entries] == [
        "accept Cid", "other terms..", "decline", "ask for help..",
    ]  # fmt: skip


def test_letters_are_verbs_and_cards_of_the_hand_have_none() -> None:
    on = {entry.label: entry.on for entry in root(samples.scene(samples.your_turn())).entries}
    assert on["kick open the door"] == "table.kick" and on["sell Items for a level.."] == "table.sell"
    assert on["play Orc"] == "" and on["play Turning Keys"] == ""
    on = {entry.label: entry.on for entry in root(samples.scene(samples.interrupt())).entries}
    assert on["pass"] == "prompt.pass" and list(on)[-1] == "pass"


def test_a_card_is_narrowed_to_one_action_step_by_step() -> None:
    view = samples.interrupt()
    scene = samples.scene(view)
    glitter = view.you.hand[0]
    assert follow(scene, "play Prismatic", "monsters") == a.Play(glitter, side="monsters")
    assert follow(scene, "play Bad Hat", "Fox") == a.Play(view.you.hand[1], seat=5)
    now = scene.fight.foes
    raised = f"monsters ({now} {scene.glyphs.arrow} {now + 5})"
    assert follow(scene, "play Prismatic Glitter +5", raised) == a.Play(glitter, side="monsters")
    second = view.fight.monsters[1].id
    assert follow(scene, "play Greater", "Glampire #2") == a.Play(view.you.hand[2], target=second)


def test_every_legal_action_can_be_reached_through_the_menus() -> None:
    for name in ("interrupt", "your-turn", "own-combat", "running", "first-cards", "offered"):
        view = samples.SITUATIONS[name]()
        scene = samples.scene(view)
        reached: set[str | bytes] = set()

        def walk(go, reached=reached):
            if isinstance(go, Menu):
                for entry in go.entries:
                    walk(entry.go)
            elif isinstance(go, Picker):
                made = go.make(tuple(go.pick.among[: go.pick.lo]))
                reached.add(type(made).__name__)
            elif isinstance(go, Draft):
                reached.add("Offer")
            else:
                reached.add(msgspec.json.encode(go))

        walk(root(scene))
        for option in view.you.legal:
            if isinstance(option.action, a.Hold):
                continue
            known = msgspec.json.encode(option.action) in reached or type(option.action).__name__ in reached
            assert known, (name, option.action)


def test_a_sale_shows_its_sum_and_is_refused_below_1000_gold() -> None:
    scene = samples.scene(samples.your_turn())
    (picker, menus) = follow(scene, "sell")
    menus.toggle(picker, 0)
    assert picker.total(menus.picked) == 500 and not picker.ready(menus.picked)
    menus.toggle(picker, 2)
    assert picker.ready(menus.picked)
    assert menus.confirm(picker) is None, "one of them is in use: it asks once more"
    sure, _ = menus.here(scene)
    assert sure.grave and sure.title == "Part with Pickle Spear, which is in use?"
    assert menus.choose(scene, sure.entries[0]) == a.Sell((picker.pick.among[0], picker.pick.among[2]))


def test_every_card_that_is_marked_ok_opens_something() -> None:
    for view in (samples.your_turn(), samples.interrupt(), samples.own_combat()):
        scene = samples.scene(view)
        assert all(card_menu(scene, card).entries for card in playable(scene))
    scene = samples.scene(samples.your_turn())
    sold = follow(scene, "sell")[0].pick.among[0]
    assert [entry.key for entry in card_menu(scene, sold).entries][-1] == "sell"


@pytest.mark.parametrize("width", [80, 200])
def test_a_remark_keeps_the_choices_visible_or_says_how_to_see_them(width: int) -> None:
    scene, menus = samples.scene(samples.your_turn()), MenuState()
    here, _ = menus.here(scene)
    rows = [Row("k", "kick open the door", pinned=True), Row("1", "play Orc")]
    said = replace(prompt_for(scene, menus, here), reason="No. " * 200, said=True)
    shown = "".join(plain(line) for line in draw(scene, said, rows, width, 3))
    assert "ESC what can be done" in shown and "…" in shown and "YOUR TURN" in shown
    shown = "".join(plain(line) for line in draw(scene, replace(said, reason="No."), rows, width, 3))
    assert "k kick open the door" in " ".join(shown.split())


def test_an_asked_set_opens_automatically_and_esc_leaves_it() -> None:
    view = samples.charity()
    scene = samples.scene(view)
    menus = MenuState()
    here, _ = menus.here(scene)
    assert isinstance(here, Picker)
    for at in range(4):
        menus.toggle(here, at)
    assert len(menus.picked) == 3, "no more than three can be picked"
    assert menus.confirm(here) == a.Answer(3, tuple(here.pick.among[:3]))
    assert isinstance(menus.here(scene)[0], Picker)
    menus.back(scene)
    here, _ = menus.here(scene)
    assert isinstance(here, Menu) and labels(here) == ["choose 3.."]


def test_the_label_of_an_option_depends_on_the_kind_of_ask() -> None:
    view = samples.idle()
    hand, helm = view.you.hand, samples.public("Helm of Selective Hearing")
    view.throw = ThrowView(samples.ME, 6, 2, 2, 5, 0)
    cases = {
        "seat": ([2, 4], ["Cid (Level 7, 6 cards)", "Eve (Level 9, 3 cards)"]),
        "lose blind": ([0, 1], ["card 1", "card 2"]),
        "recover": ([samples.no("Orc")], ["Orc (race)"]),
        "shield": ([0, helm], ["let it strike", "discard Helm of Selective Hearing: stop it"]),
        "throw again": ([0, hand[7]], ["leave the 2", "use Orc: roll again, hand"]),
        "throw away": ([deck_card(2, samples.no("Orc"))], ["Orc (race)"]),
        "lose": ([hand[5]], ["Turning Keys (item +1), hand"]),
    }
    for kind, (options, words) in cases.items():
        view.you = You(0, hand, [], [Ask(9, 0, kind, options, 1, 1)], [])
        assert labels(root(samples.scene(view))) == words, kind
    view.you = You(0, hand, [], [Ask(9, 0, "option", [0, 1], 1, 1, samples.no("Orc"), ["roar", "weep"])], [])
    assert labels(root(samples.scene(view))) == ["roar", "weep"]


def test_the_open_menu_stays_open_while_a_new_view_still_has_it() -> None:
    view = samples.interrupt()
    menus = MenuState()
    scene = samples.scene(view)
    here, _ = menus.here(scene)
    menus.choose(scene, next(entry for entry in here.entries if "Bad Hat" in entry.label))
    path = list(menus.path)
    view.rev += 1
    view.you.legal = [option for option in view.you.legal if getattr(option.action, "seat", 0) != 5]
    here, lost = menus.here(samples.scene(view))
    assert (menus.path, lost) == (path, False) and len(here.entries) == 5
    view.you.legal = [Legal(a.Pass(9))]
    here, lost = menus.here(samples.scene(view))
    assert lost and menus.path == [] and [entry.label for entry in here.entries] == ["pass"]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("Banana Peel of Destiny", ["Bo", "Cid", "Dee", "Eve", "Fox", "yourself"]),
        ("Find a Typo in the Rulse", ["yourself", "Bo", "Cid", "Dee", "Eve", "Fox"]),
    ],
)
def test_targets_stand_in_the_order_of_their_use(name: str, order: list[str]) -> None:
    view = samples.interrupt()
    card = samples.held(name)
    view.you.hand.append(card)
    view.you.legal = [Legal(a.Play(card, seat=seat)) for seat in range(6)]
    scene = samples.scene(view)
    (menu,) = [entry.go for entry in card_menu(scene, card).entries if isinstance(entry.go, Menu)]
    assert labels(menu) == order
    asked = danger_of(scene, a.Play(card, seat=samples.ME))
    assert asked == (f"Play {name} on yourself?" if order[-1] == "yourself" else "")


def test_a_level_card_says_which_level_is_reached() -> None:
    view = samples.idle()
    card = samples.held("Find a Typo in the Rulse")
    view.you.hand.append(card)
    view.you.legal = [Legal(a.Play(card, seat=seat)) for seat in (samples.ME, samples.BO)]
    mine, his = view.seats[samples.ME].level, view.seats[samples.BO].level
    scene = samples.scene(view)
    (menu,) = [entry.go for entry in card_menu(scene, card).entries if isinstance(entry.go, Menu)]
    told = {entry.label: of_entry(scene, entry).words[0] for entry in menu.entries}
    assert told == {"yourself": f"you reach Level {mine + 1}", "Bo": f"Bo reaches Level {his + 1}"}
    view.seats[samples.ME].level = view.win_level - 1
    view.you.legal = view.you.legal[:1]
    assert not of_entry(samples.scene(view), card_menu(samples.scene(view), card).entries[0]), "no card wins the game"


def test_a_monster_that_joins_from_the_hand_says_why_it_may() -> None:
    """A row offered a Shark to throw into a fight, and nothing said that Sharks join Sharks."""
    view = samples.own_combat()
    card = samples.held("Glampire")
    assert view.you is not None and view.fight is not None
    view.you.hand, view.you.legal = [card], [Legal(a.Play(card))]
    view.fight.monsters = [replace(view.fight.monsters[0], tags=["undead"])]
    assert labels(card_menu(samples.scene(view), card)) == ["play Glampire (Undead joins Undead)"]


def test_whose_hand_is_looked_at_is_another_one_first() -> None:
    box, view = set_samples.SITUATIONS["apo-idle"]()
    texts = {one.card.name: ability.do for one in box.catalog.cards for ability in one.card.abilities}
    card = box.open(next(name for name, text in texts.items() if text and all(isinstance(op, Look) for op in text)))
    view.you = You(samples.ME, view.you.hand, [], [], [Legal(a.Use(card, 0, seat=seat)) for seat in range(3)])
    scene = Scene(box.catalog, view=view, info=samples.info(len(view.seats)), me=samples.ME)
    (use,) = [entry.go for entry in root(scene).entries if isinstance(entry.go, Menu) and entry.on == "table.use"]
    assert labels(use)[-1] == "yourself" and len(labels(use)) == 3


def test_a_play_of_which_nothing_comes_says_so_before_it_is_chosen() -> None:
    view = samples.interrupt()
    hat = view.you.hand[1]
    view.you.legal = [Legal(a.Play(hat, seat=seat), vain=seat != 2) for seat in range(3)]
    (menu,) = [entry.go for entry in card_menu(samples.scene(view), hat).entries if isinstance(entry.go, Menu)]
    noted = [label.endswith("(nothing comes of it)") for label in labels(menu)]
    assert noted == [False, True, True], "its best target comes first, oneself last"
    view.you.legal = [Legal(a.Play(hat, seat=0), vain=True)]
    only, _ = labels(root(samples.scene(view)))
    assert only.endswith("(nothing comes of it)")
    view.you.legal = [Legal(a.Play(hat, seat=0), unhelped=True)]
    only, _ = labels(root(samples.scene(view)))
    assert only.endswith("(nobody can be made to help)")


def test_a_sale_names_each_item_that_counts_twice() -> None:
    view = samples.your_turn()
    scene = samples.scene(view)
    first, second, *_ = [placed.card for placed in scene.seat(scene.me).table if scene.card(placed.card).kind == "item"]
    pick = a.Pick("cards", (first, second), 2, 2, 1000, (600, 400))
    view.you.legal = [Legal(a.Sell((), first), pick), Legal(a.Sell((), first, (second,)), pick)]
    menu = follow(samples.scene(view), "sell")[0]
    assert labels(menu)[0] == "nothing else" and scene.title(second) in labels(menu)[1]


def test_an_offer_is_written_term_by_term() -> None:
    view = samples.own_combat()
    scene = samples.scene(view)
    menus = MenuState()
    menus.draft = Draft("help", -1, 1, 1)
    for key in ("more", "first", "to"):
        here, _ = menus.here(scene)
        menus.choose(scene, next(entry for entry in here.entries if entry.key == key))
    here, _ = menus.here(scene)
    assert here.title == "To Bo: 2 Treasures (Bo picks first) for help"
    menus.choose(scene, next(entry for entry in here.entries if entry.key == "gives"))
    picker, _ = menus.here(scene)
    assert isinstance(picker, Picker)
    menus.toggle(picker, 0)
    assert menus.confirm(picker) is None
    here, _ = menus.here(scene)
    assert menus.choose(scene, here.entries[-1]) is None, "what is in use is promised after another question"
    here, _ = menus.here(scene)
    assert here.title == "Part with Pickle Spear, which is in use?"
    sent = menus.choose(scene, here.entries[-1])
    spear = samples.items_of(view.seats[0])[0]
    assert sent == a.Offer(1, a.Terms("help", 1, 2, True, (spear,)))


def editor(scene: Scene, draft: Draft) -> list[str]:
    """Return the labels of the offer editor."""
    menus = MenuState()
    menus.draft = draft
    here, _ = menus.here(scene)
    assert isinstance(here, Menu)
    return labels(here)


def test_the_offer_editor_offers_only_what_changes_something() -> None:
    scene = samples.scene(samples.own_combat())
    assert scene.fight.treasures == 3
    few, some, most = (editor(scene, Draft("help", 1, 1, number)) for number in (0, 1, 3))
    assert few[:2] == ["to: Bo", "add a Treasure (0 of 3)"] and few[-1] == "ask for help for nothing"
    assert not any("less" in label or "first to pick" in label for label in few)
    assert some[1:4] == ["add a Treasure (1 of 3)", "take a Treasure off", "first to pick: you"]
    assert most[1] == "take a Treasure off (3 of 3)" and not any("add" in label for label in most)
    assert not any("first to pick" in label for label in most), "the helper gets them all"
    assert some[-1] == "send this offer"
    assert editor(scene, Draft("help", 1, 1, 1, True))[3] == "first to pick: Bo"


def test_a_trade_cannot_be_sent_before_there_is_something_in_it() -> None:
    view = samples.your_turn()
    scene = samples.scene(view)
    assert editor(scene, Draft("trade", 1)) == ["to: Bo", "you give.. (none chosen)", "you want.. (none chosen)"]
    gives = tuple(samples.items_of(view.seats[0])[:1])
    assert editor(scene, Draft("trade", 1, gives=gives))[-1] == "give it away"
    assert editor(scene, Draft("trade", 1, gives=gives, wants=(9,)))[-1] == "send this offer"
    menus = MenuState()
    menus.draft = Draft("trade", 1)
    assert menus.here(scene)[0].title == "What do you give Bo, and what do you want for it?"
    view.seats[1].table.clear()
    assert not any(label.startswith("you want") for label in editor(scene, Draft("trade", 1)))
    menus.choose(scene, next(entry for entry in menus.here(scene)[0].entries if entry.key == "gives"))
    assert menus.here(scene)[0].labels[0].endswith(", equipped"), "the list says where each card lies"


def test_every_choice_of_a_deal_and_of_a_fight_says_what_comes_of_it() -> None:
    view = samples.own_combat()
    view.you.legal[1] = Legal(a.Offer(2, a.Terms("help", 2)))
    helped = Forecast([1, 2], "sums", 0, samples.ME, 2, 18, 12, True, 4, 3, False)
    scene = samples.scene(view, forecasts=(helped,))
    menus = MenuState()
    first, _ = menus.here(scene)
    told = {entry.key.partition(":")[0]: of_entry(scene, entry) for entry in first.entries}
    assert told["flee"].words[0] == "33 % to get away" and told["deal"].sums == "18 : 12"
    view.fight.helper = 2
    flee = next(entry for entry in first.entries if entry.key == "flee")
    assert of_entry(scene, flee).words[0] == "33 % to get away, Cid 33 %", "a helper dies of it too"
    view.fight.helper = -1
    menus.choose(scene, next(entry for entry in first.entries if entry.key == "deal"))
    deal, _ = menus.here(scene)
    told = {entry.key.partition(":")[0]: of_entry(scene, entry) for entry in deal.entries}
    assert [told[key].sums for key in ("accept", "counter", "help")] == ["18 : 12"] * 3
    assert (told["decline"].sums, told["decline"].words) == ("8 : 12", ("you lose",))
    menus.choose(scene, next(entry for entry in deal.entries if entry.key == "help"))
    terms, _ = menus.here(scene)
    assert [bool(of_entry(scene, entry)) for entry in terms.entries] == [False] * (len(terms.entries) - 1) + [True]


def test_running_claiming_passing_and_selling_say_what_they_lead_to() -> None:
    scene = samples.scene(samples.running())
    ways = next(entry for entry in root(scene).entries if entry.key == "run")
    assert of_entry(scene, ways).words[0].endswith("to get away from all")
    assert all(of_entry(scene, way).words[0].endswith("% to get away") for way in ways.go.entries)
    won = samples.own_combat()
    won.fight.winning, won.fight.heroes, won.you.legal = True, 20, [Legal(a.Claim()), Legal(a.Flee())]
    scene = samples.scene(won)
    claim = of_entry(scene, root(scene).entries[0])
    assert claim.sums == "20 : 12" and claim.words[0] == f"level {won.fight.win_level}, 3 Treasures"
    asked = samples.interrupt()
    asked.window.kind, asked.fight.winning, asked.fight.heroes = "claim", True, 60
    scene = samples.scene(asked)
    passing = root(scene).entries[-1]
    assert (of_entry(scene, passing).sums, of_entry(scene, passing).words) == ("60 : 57", ("Bo wins", "■ wins"))
    scene = samples.scene(samples.your_turn())
    sale = next(entry for entry in root(scene).entries if entry.key == "sell")
    assert of_entry(scene, sale).words[0].startswith("up to ") and of_entry(scene, sale).words[0].endswith(" gold")


def test_a_deal_of_only_one_kind_is_not_asked_about_but_one_that_is_taken_back_is() -> None:
    view = samples.view(fight=samples.own_fight())
    view.fight.seat, view.fight.helper, view.offers = samples.ME, -1, []
    view.you.legal = [Legal(a.Offer(-1, a.Terms("help", -1, 1)))]
    entry = next(entry for entry in root(samples.scene(view)).entries if entry.on == "table.deal")
    assert entry.label == "ask for help.." and not isinstance(entry.go, Menu)
    menus = MenuState()
    assert menus.choose(samples.scene(view), entry) is None and menus.draft is not None
    view.offers = [Bargain(9, samples.ME, samples.BO, "help", samples.BO, 1, False, [], [], [], 0)]
    view.you.legal = []
    entry = next(entry for entry in root(samples.scene(view)).entries if entry.on == "table.deal")
    assert isinstance(entry.go, Menu), "one key alone takes no offer back"


def test_a_counter_offer_names_the_offer_it_answers() -> None:
    view = samples.own_combat()
    deal = next(entry.go for entry in root(samples.scene(view)).entries if entry.key == "deal")
    draft = next(entry.go for entry in deal.entries if entry.key == "counter:6")
    assert draft.action() == a.Counter(6, a.Terms("help", 2, 2, True))


@pytest.mark.parametrize(("kind", "expected"), [("gives", a.Give), ("wants", a.Offer)])
def test_a_trade_for_nothing_is_a_gift(kind: str, expected) -> None:
    draft = Draft("trade", 2, gives=(70000,))
    if kind == "wants":
        draft = replace(draft, wants=(80000,))
    assert isinstance(draft.action(), expected)


def test_an_item_that_counts_twice_counts_twice_in_what_a_sale_is_worth() -> None:
    view = samples.your_turn()
    one, other = samples.held("Pickle Spear"), samples.held("Plot Armor")
    among, worth = (one, other), (600, 700)
    assert view.you is not None
    view.you.legal = [
        Legal(a.Sell((), twice), pick=a.Pick("cards", among, 1, 2, 1000, worth)) for twice in (0, one, other)
    ]
    scene = samples.scene(view)
    sale = next(entry for entry in root(scene).entries if entry.key == "sell")
    assert of_entry(scene, sale).words[0] == "up to 2000 gold"
    assert isinstance(sale.go, Menu)
    assert [of_entry(scene, way).words[0] for way in sale.go.entries] == [
        "up to 1300 gold", "up to 1900 gold", "up to 2000 gold",
    ]  # fmt: skip


def test_nobody_in_a_combat_is_offered_a_trade() -> None:
    view = samples.interrupt()
    scene, fighting = samples.scene(view), (view.fight.seat, view.fight.helper)
    draft, asked = Draft("trade", samples.BO), set[int]()
    for _ in range(6):
        draft = to_next_seat(scene, draft)
        asked.add(draft.to)
    assert asked and not asked & {samples.ME, *fighting}


def test_the_question_of_a_card_keeps_its_whole_name_and_an_ability_its_own() -> None:
    assert parted("Disaster! Looters: What do you lose?") == ("What do you lose?", "Disaster! Looters.")
    assert parted("Disaster! Glowing Rain on whom?") == ("Disaster! Glowing Rain on whom?", "")
    ability = "Use Blogger: Spoilers: discard one or two Monsters. Once in a combat."
    assert parted(ability) == ("Use Blogger: Spoilers", "Discard one or two Monsters. Once in a combat.")


def test_a_card_that_ends_a_lasting_curse_says_on_whom_it_lies() -> None:
    box = set_samples.Box(set_samples.W40K, set_samples.MAZES)
    view = samples.interrupt()
    (card,) = box.held("Absolution by Candlelight")
    hat, shoes = box.open("Bad Hat Day"), box.open("Squeaky Shoes")
    doubt = box.open("Sudden Doubt")
    for seat, lying in ((samples.ME, hat), (samples.BO, shoes), (samples.BO, doubt)):
        view.seats[seat].lasting = [
            *view.seats[seat].lasting, Lasting(lying, defn_of(lying), 0, "forever", True)
        ]  # fmt: skip
    view.seats = view.seats[:2]
    view.fight = None
    ways = [a.Play(card, seat=0, target=hat), a.Play(card, seat=1, target=shoes), a.Play(card, seat=1, target=doubt)]
    assert view.you is not None
    view.you = You(samples.ME, [card], [], [], [Legal(way) for way in ways])
    scene = replace(samples.scene(view), catalog=box.catalog)
    (menu,) = [entry.go for entry in root(scene).entries if isinstance(entry.go, Menu)]
    assert menu.title == "Absolution by Candlelight ends what?"
    assert labels(menu) == ["Bad Hat Day on you", "Squeaky Shoes on Bo", "Sudden Doubt on Bo"]
    assert [entry.go for entry in menu.entries] == ways and [entry.seat for entry in menu.entries] == [0, 1, 1]
    assert deed(scene, ways[1]) == "play Absolution by Candlelight to end Squeaky Shoes on Bo"
    view.you.legal = [Legal(ways[2])]
    only, *_ = labels(root(replace(samples.scene(view), catalog=box.catalog)))
    assert only == "play Absolution by Candlelight to end Sudden Doubt on Bo"
    sponge = box.held("Sponge of Forgiveness")[0]
    view.you = You(samples.ME, [sponge], [], [], [Legal(a.Play(sponge, seat=1))])
    only, *_ = labels(root(replace(samples.scene(view), catalog=box.catalog)))
    assert only == "play Sponge of Forgiveness on Bo"


def test_an_item_that_counts_twice_says_so_and_counts_so() -> None:
    """Formerly, the question named only what the first Item lacks, 200 gold, and the list its price counted once."""
    view = samples.your_turn()
    axe, keys = samples.held("Axe Collector"), samples.held("Turning Keys")
    assert view.you is not None
    view.you.hand, view.you.asks = [axe, keys], []
    pick = Pick("cards", (axe, keys), 1, 2, 200, (800, 500))
    view.you.legal = [Legal(a.Sell((), axe), pick)]
    scene = samples.scene(view)
    found = action_or_set(scene, "Sell", view.you.legal[0])
    assert isinstance(found, Picker)
    assert "for 1000 gold or more" in found.title
    assert found.labels[0] == "Axe Collector 800 gold, counts twice, hand" and "twice" not in found.labels[1]
    assert found.total([axe]) == 1600 and found.ready([axe]) and not found.ready([keys])


@pytest.mark.parametrize(
    ("uses", "words"),
    [
        ([("Thief", 0), ("Thief", 1)], "use Thief: Backstab or Steal.."),
        ([("Thief", 0), ("Cleric", 0)], "use Thief or Cleric.."),
        ([("Thief", 0), ("Thief", 1), ("Cleric", 0), ("Wizard", 0)], "use Thief, 2 more.."),
    ],
)
def test_the_row_of_several_abilities_names_them(uses: list[tuple[str, int]], words: str) -> None:
    """It said `use an ability.. (3)`, and whose only its menu told."""
    view = samples.your_turn()
    legal = [Legal(a.Use(samples.public(name), ability=number)) for name, number in uses]
    view.you = You(samples.ME, [], [], [], legal)
    (entry,) = [entry for entry in root(samples.scene(view)).entries if entry.key == "use"]
    assert entry.label == words


def test_the_row_of_a_card_says_what_it_adds_now() -> None:
    """Its row said `+3`, and sums that were 5 more."""
    box = set_samples.Box(set_samples.W40K)
    (card,) = box.held("Overcharged Cell")
    fight = replace(samples.own_fight(), seat=samples.ME, helper=-1, heroes=8, foes=12)
    view = box.view(samples.six_seats(), [card], turn=samples.ME, fight=fight)
    sides = [Legal(a.Play(card, side=side)) for side in ("heroes", "monsters")]
    view.you = You(samples.ME, [card], [], [], sides)
    told = [Forecast([0], "sums", 0, samples.ME, -1, 13, 12, True), Forecast([1], "sums", 0, samples.ME, -1, 8, 17)]
    for forecasts, label in ((told, "play Overcharged Cell +5.."), ([], "play Overcharged Cell +3..")):
        scene = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE, forecasts=tuple(forecasts))
        assert next(entry.label for entry in root(scene).entries if entry.card == card) == label
        assert face_of(scene, card, "1").number == label.removesuffix("..").split()[-1], "its face says the same"


def test_what_a_card_adds_now_is_that_of_the_sums_beside_it() -> None:
    """A card that counts what is in the fight said `+2` beside sums that were 3 more, in its row and on its face."""
    box = set_samples.Box(set_samples.W40K)
    card, drill = box.held("Touched by the Warp", "Drill Abbot")
    fight = replace(samples.own_fight(), seat=samples.BO, helper=-1, heroes=10, foes=1, winning=True)
    view = box.view(samples.six_seats(), [card, drill], turn=samples.BO, fight=fight)
    foe = fight.monsters[0].id
    plays = [Legal(a.Play(card, target=foe)), Legal(a.Play(card, target=drill, brought=drill))]
    view.you = You(samples.ME, [card, drill], [], [], plays)
    told = (Forecast([0], "sums", 0, samples.BO, -1, 10, 4, True),
            Forecast([1], "sums", 0, samples.BO, -1, 10, 8, True))  # fmt: skip
    scene = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE, forecasts=told)
    assert "play Touched by the Warp +3.." in [entry.label for entry in root(scene).entries]
    assert face_of(scene, card, "2").number == "+3"
    (cell,) = box.held("Overcharged Cell")
    sides = [Legal(a.Play(cell, side=side)) for side in ("heroes", "monsters")]
    view.you = You(samples.ME, [cell], [], [], sides)
    told = (Forecast([0], "sums", 0, samples.BO, -1, 13, 1, True), Forecast([1], "sums", 0, samples.BO, -1, 10, 11))
    scene = Scene(box.catalog, samples.info(), view, samples.ME, UNICODE, forecasts=told)
    assert "play Overcharged Cell +10.." in [entry.label for entry in root(scene).entries], "the first side"
