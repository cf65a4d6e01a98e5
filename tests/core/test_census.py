"""The census of the cards: every set meets its goals, and the rules of the census mean something."""

import pytest

from cards import BUILT_IN
from core.language import schema as v
from core.language.selectors import Cards, If
from tests import census, census_rules
from tests.census import Signpost, census_of, plain_as, word_of
from tests.scenarios import catalog_for

MAZES, AXE, APOCALYPSE, WARHAMMER = BUILT_IN
SIGNS = [
    *(sign for systems in census_rules.OWN_SYSTEMS.values() for signs in systems.values() for sign in signs),
    *census_rules.KILLED, *census_rules.CHOICES, *census_rules.THEFTS, *census_rules.DICE, *census_rules.GROWING,
    *(rule.sign for rule in census_rules.PLAIN.values()),
]  # fmt: skip


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", BUILT_IN)
def test_every_set_has_a_life_of_its_own(set_id: str) -> None:
    assert census.short_of(census_of(set_id)) == []


def test_a_figure_that_falls_short_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    too_much = census_rules.Goal(at_least=1000)
    monkeypatch.setitem(census_rules.GOALS, "dice", ("dice of all kinds", too_much))
    (said,) = census.short_of(census_of(AXE))
    assert said.startswith("axe-cop, dice of all kinds: ")


@pytest.mark.parametrize("sign", SIGNS)
def test_each_sign_is_made_of_words_of_the_card_language(sign: str) -> None:
    assert census.misspelt(sign) == []


@pytest.mark.parametrize(
    ("sign", "words"), [("dye", ["dye"]), ("forbid: whut=help", ["whut"]), ("*: in=bad, zohne!=hand", ["zohne"])]
)
def test_a_misspelt_sign_is_noticed(sign: str, words: list[str]) -> None:
    assert census.misspelt(sign) == words


def shows(text: v.Card, sign: str) -> bool:
    catalog = catalog_for((AXE,))
    card = catalog.with_card(0, text).cards[0]
    return Signpost(catalog.packs, catalog.cards).shows(card, (sign,))


def test_a_sign_is_about_one_piece_with_all_its_terms() -> None:
    has_cards = If(cards=Cards(zone="items", big=True), at_least=2)
    card = v.Card(
        id="x", name="X", kind="item", mods=(v.Strength(by=1, if_=If(has="moon")), v.Flee(by=1, if_=has_cards)),
        play=(v.Take(cards=Cards(of="chosen")), v.Level(who="helper")),
    )  # fmt: skip
    for sign in (
        "flee", "if: has=@power", "if: cards, at_least!=1", "if: cards.zone=items|hand, in=mods", "*: who=helper",
        "take: cards.of!=you, to=you", "if: cards.big", "card: one_shot!=true",
        "flee: if_.cards, !if_.has",
    ):  # fmt: skip
        assert shows(card, sign), sign
    for sign in (
        "die", "if: has=@class", "if: cards.zone!=items", "if: cards, in=play", "*: who=fighter",
        "take: cards.of!=chosen", "if: cards.kind", "card: one_shot", "if: has=@power, at_least!=1", "flee: !if_",
    ):  # fmt: skip
        assert not shows(card, sign), sign
    assert word_of(card) == "card" and word_of(card.mods[0]) == "strength"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Tire Iron", "gear"), ("Survival Tool", "gear"), ("Slingshot", "gear"), ("Geiger Counter", ""),
        ("Dehydrated Water", "one-shot"), ("Wandering Monster", ""), ("Fire Ants", "monster"), ("Tiamutt", "monster"),
        ("Feral Intern", ""), ("Zoo Breakout", ""),
    ],
)  # fmt: skip
def test_plain_cards_are_a_number_or_a_bad_stuff_and_nothing_else(name: str, plain: str) -> None:
    catalog = catalog_for((APOCALYPSE,))
    post = Signpost(catalog.packs, catalog.cards)
    (card,) = [card for card in catalog.cards if card.name.endswith(name)]
    assert plain_as(card, post) == plain


@pytest.mark.parametrize("set_id", BUILT_IN)
def test_the_cards_that_a_book_names_are_there(set_id: str) -> None:
    there = {card.card.id for card in catalog_for((set_id,)).cards}
    assert census_rules.BY_THE_BOOK[set_id] <= there


@pytest.mark.long(0)
def test_the_report_lists_the_cards_behind_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert census.main(["--set", WARHAMMER, "--list", "vehicles"]) == 0
    assert "warhammer-40k:heavy-tank-with-a-name" in capsys.readouterr().out
    assert census.main(["--set", MAZES]) == 0
    assert "touch the set's own systems" in capsys.readouterr().out
    assert census.main(["--list", "vans"]) == 2
    assert "no figure 'vans'" in capsys.readouterr().err
    assert census.main(["--set", "nowhere"]) == 2
