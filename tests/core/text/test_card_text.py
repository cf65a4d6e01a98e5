"""What `kickdoor cards show` says: the effects of a card in English, as good rules text."""

from typing import get_args

import pytest

from cards import BUILT_IN
from core.language import schema as v
from core.text.card_effects import MODS, OPS
from core.text.card_text import describe
from tests.scenarios import catalog_for


def test_every_word_of_the_language_is_described() -> None:
    assert set(OPS) == set(get_args(v.Op))
    assert set(MODS) == set(get_args(v.Mod))


def test_every_card_of_every_set_is_described() -> None:
    catalog = catalog_for(BUILT_IN)
    heads = {head.id: head for head in catalog.packs}
    for definition in catalog.cards:
        card = definition.card
        lines = describe(card, heads[definition.set_id])
        says = bool(card.mods or card.abilities or card.play or card.bad or card.killed or card.enter or card.bonus)
        assert lines or not says, definition.full_id
        assert all(line.strip() and "None" not in line and "{" not in line for line in lines)


def described(name: str) -> list[str]:
    catalog = catalog_for(("munchkins-and-mazes",))
    return describe(catalog.named(name).card, catalog.packs[0])


def test_descriptions_say_what_the_effects_do() -> None:
    assert described("Practice Rat") == [
        "Level 1 monster: 1 level, 1 Treasure",
        "Bad Stuff:",
        "  discard one card from the victim's hand, chosen by the victim",
        "  if there is none:",
        "    the victim loses one level",
    ]
    assert described("Cleric")[2:] == [
        "As fighter or helper, once in a combat, by discarding 1 to 3 cards, "
        "only if the monster (or one in the combat) is tagged Undead:",
        "  plus 3 x the number of cards paid to its owner's strength for this combat",
    ]
    assert described("Plot Armor") == [
        "Armor, 600 Gold Pieces, +2",
        "+2 to combat strength, if it is its owner's turn",
    ]
    assert described("Reanimated") == [
        "On a monster in anybody's combat: +3 strength, +1 Treasure, it becomes Undead; "
        "or with a monster from one's own hand, which joins a combat with an Undead monster"
    ]


OTHER_BOOKS = {
    "upgrade": (
        v.Card(id="x", name="X", kind="upgrade", bonus=2, value=200, mods=(v.Strength(by=1, if_=v.If(sex="female")),)),
        [
            "Item Enhancer, 200 Gold Pieces, +2 to combat strength of who has the Item equipped",
            "+1 to combat strength, if its owner is female",
        ],
    ),
    "ally": (
        v.Card(id="x", name="X", kind="ally", bonus=4, free=True, mods=(v.Capacity(what="ally", by=1),)),
        [
            "Ally, not counted against the limit, +4 to its owner's combat strength",
            "May be played at any time",
            "Room for 1 more Ally",
            "While one has to run away:",
            "  this Ally is lost with all it carries; its owner escapes from every monster without a roll, and as main "
            "fighter says whether the helper does too",
        ],
    ),
    "power": (
        v.Card(id="moon", name="Moon", kind="identity", identity="power", rank=2, mods=(v.SpareDeath(levels=2),)),
        ["Power: Moon, Rank 2", "Loses 2 levels instead of dying"],
    ),
    "vehicle": (
        v.Card(id="x", name="X", kind="item", value=400, slot="vehicle", big=True, mods=(v.Flee(by=2),)),
        ["Big Vehicle, 400 Gold Pieces", "+2 to rolls to run away"],
    ),
    "item for Allies": (
        v.Card(id="x", name="X", kind="item", value=0, bonus=2, tags=("fire",), for_ally=True),
        ["Item, Fire, No Value, +2, an Ally may carry it"],
    ),
    "seal": (
        v.Card(
            id="x", name="X", kind="seal",
            mods=(v.Flee(by=-1, if_=v.If(has="kid")),),
            foes=(v.Strength(by=v.Amount(having=v.If(has="kid"), times=3)),),
            play=(v.Level(by=-1), v.OpenSeal(who="left"), v.CloseSeal(), v.SwapSex(who="all")),
        ),
        [
            "While it is on top, for every player:",
            "  -1 to rolls to run away, if that player is a Kid",
            "While it is on top, for every monster:",
            "  plus 3 x the number of players who count as Kid to its strength",
            "When it is opened (the victim is who opened it):",
            "  the victim loses one level",
            "  the player to the victim's left opens a Seal",
            "  the Seal on top is closed, if one is open",
            "  every player changes sex",
        ],
    ),
    "what counts down, and whom a condition is about": (
        v.Card(
            id="x", name="X", kind="monster", level=3, treasures=2,
            mods=(v.Strength(by=v.Amount(base=-4, seals=True, times=-1, least=0)), v.Forbid(what="escape"),
                  v.Spares(if_=v.If(level_at_most=2))),
            bad=(
                v.Level(by=v.Amount(margin=True, times=-1, least=-3)),
                v.Each(who="others", then=(v.Level(by=-1, if_=v.If(cards=v.Cards(kind="ally", zone="play"))),)),
                v.Die(save="luck"),
                v.Kill(if_=v.If(who="others", none=(v.If(saved="luck", at_least=3),))),
            ),
        ),
        [
            "Level 3 monster: 1 level, 2 Treasures",
            "Plus (4 minus the number of open Seals, at least 0) to its strength",
            "Nobody escapes from it by rolling",
            "It does not pursue, if the runner is Level 2 or lower",
            "Bad Stuff:",
            "  the victim loses as many levels as the margin of the fight, at most 3",
            "  for every other player, one after another:",
            "    if that player has an Ally in play: the victim loses one level",
            "  you roll a die: the luck roll",
            "  if the luck roll is 2 or less: the victim dies",
        ],
    ),
    "what classes do": (
        v.Card(
            id="militia", name="Militia", kind="identity", identity="class",
            mods=(v.TwoHanded(), v.SealDraw(count=2), v.LootFight()),
            abilities=(v.Ability(text="x", when="any", cost=v.Cost(kind="item"), do=(v.CloseSeal(),)),),
        ),
        [
            "Class: Militia",
            "A 1-Hand Item may be used with both hands for +3",
            "Draws 2 Door cards, face down, whenever a Seal is opened",
            "May fight a monster drawn while looting the room, and under faster play loot a Door instead of a Treasure",
            "At any time, by discarding 1 Item:",
            "  the Seal on top is closed, if one is open",
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER_BOOKS)
def test_the_other_books_are_described(name: str) -> None:
    card, lines = OTHER_BOOKS[name]
    assert describe(card) == lines
