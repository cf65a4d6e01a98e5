"""The text of `kickdoor cards show`: the effects of a card in English."""

import pytest

from cards import BUILT_IN
from core.language import schema as v
from core.text.card_text import choice_of_seat, describe
from tests.scenarios import catalog_for


def test_every_card_of_every_set_is_described() -> None:
    catalog = catalog_for(BUILT_IN)
    heads = {head.id: head for head in catalog.packs}
    for definition in catalog.cards:
        card = definition.card
        lines = describe(card, heads[definition.set_id])
        says = bool(card.mods or card.abilities or card.play or card.bad or card.killed or card.enter or card.bonus)
        assert lines or not says, definition.full_id
        assert all(line.strip() and "None" not in line and "{" not in line for line in lines)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Claim the Credit for Teamwork", "The chosen player loses one level."),
        ("Mummy's Boy", "You take one random card from the chosen player's hand into hand."),
        ("Thief", ""), ("Practice Rat", ""),
    ],
)  # fmt: skip
def test_what_befalls_a_player_who_is_chosen_is_one_sentence(name: str, words: str) -> None:
    catalog = catalog_for(("munchkins-and-mazes",))
    assert choice_of_seat(catalog.named(name).card, catalog.packs[0]) == words


def described(name: str) -> list[str]:
    catalog = catalog_for(("munchkins-and-mazes",))
    return describe(catalog.named(name).card, catalog.packs[0])


def test_descriptions_say_what_the_effects_do() -> None:
    assert described("Practice Rat") == [
        "Level 1 monster: 1 level, 1 Treasure",
        "Bad Stuff:",
        "  the victim discards one card from hand (their choice)",
        "  if there is none:",
        "    the victim loses one level",
    ]
    assert described("Cleric")[2:] == [
        "As fighter or helper, once per combat, by discarding 1 to 3 cards, "
        "only if the monster (or one in the combat) is tagged Undead:",
        "  add 3 x the number of cards paid to your strength for this combat",
    ]
    assert described("Plot Armor") == [
        "Armor, 600 Gold Pieces, +2",
        "+2 to combat strength, if it is its owner's turn",
    ]
    assert described("Reanimated") == [
        "On a monster in any combat: +3 strength, an extra Treasure, it becomes Undead; "
        "or with a monster from your hand, which joins a combat with an Undead monster"
    ]


SHORT = v.Card(
    id="x", name="X", kind="item", value=100,
    abilities=(
        v.Ability(
            text="x", when="own-turn", cost=v.Cost(), per="turn",
            do=(
                v.ChooseSeat(meets=v.If(own_turn=False, none=(v.If(has="elf"),)), else_=(v.Level(),)),
                v.Take(cards=v.Cards(of="chosen", zone="hand", pick="random", by="you"), into="hand"),
                v.Take(cards=v.Cards(of="chosen", pick="dearest", by="you", count=2)),
                v.Discard(cards=v.Cards(of="you", this=True)),
                v.Discard(cards=v.Cards(of="you", this=False, pick="best", big=True), else_=(v.Kill(who="you"),)),
                v.Discard(cards=v.Cards(of="others", zone="play", by="you"), if_=v.If(cards=v.Cards(this=False))),
                v.RemoveMonster(treasures="no"),
            ),
        ),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("who", "hand"),
    [
        ("you", "your hand"), ("chosen", "the chosen player's hand"),
        ("left", "the hand of the player to the victim's left"),
        ("turn", "the hand of the player whose turn it is"), ("highest", "the hand of whoever has the highest Level"),
    ],
)  # fmt: skip
def test_the_hand_of_somebody_with_a_long_name_comes_first(who: v.Who, hand: str) -> None:
    card = v.Card(id="x", name="X", kind="curse", play=(v.Look(at=who, who="others"),))
    assert describe(card)[-1].endswith(f"at {hand}")


def test_a_sentence_does_not_name_its_subject_twice() -> None:
    assert describe(SHORT)[1:] == [
        "In your own turn, outside combat, once per turn, by discarding 1 card:",
        "  you choose another player whose turn it is not and who is not an Elf",
        "  if there is nobody:",
        "    the victim gains one level",
        "  you take one random card from the chosen player's hand into hand",
        "  you take the 2 most valuable Items that the chosen player has in play and put them into play",
        "  discard this card",
        "  you discard the other Big Item in play with the highest bonus",
        "  if there is none:",
        "    you die",
        "  if the victim has another Item in play: discard one card that every other player has in play "
        "(chosen by you)",
        "  the chosen monster leaves the combat without being killed: no Treasure is won",
    ]


OTHER_BOOKS = {
    "upgrade": (
        v.Card(id="x", name="X", kind="upgrade", bonus=2, value=200, mods=(v.Strength(by=1, if_=v.If(sex="female")),)),
        [
            "Item Enhancer, 200 Gold Pieces, +2 to the combat strength of whoever has the Item equipped",
            "+1 to combat strength, if its owner is female",
        ],
    ),
    "ally": (
        v.Card(id="x", name="X", kind="ally", bonus=4, free=True, mods=(v.Capacity(what="ally", by=1),)),
        [
            "Ally, not counted against the limit, +4 to its owner's combat strength",
            "May be played at any time",
            "Room for an extra Ally",
            "While you must run away:",
            "  sacrifice this Ally and all it carries: you escape from every monster without a roll; "
            "if you are the main fighter, you decide whether the helper escapes too",
        ],
    ),
    "counters": (
        v.Card(
            id="x", name="X", kind="item", value=300,
            mods=(v.Strength(by=v.Amount(counters=True)), v.Flee(by=1, if_=v.If(counters_at_least=3))),
            won=(v.Counter(most=3), v.Counter(by=v.Amount(seals=True))),
            turn_start=(v.Counter(by=-1, if_=v.If(counters_at_least=1)), v.Counter(by=-99)),
        ),
        [
            "Item, 300 Gold Pieces",
            "Add the number of counters on this card to combat strength",
            "+1 to rolls to run away, if this card has 3 counters or more",
            "At the start of its owner's turn:",
            "  if this card has a counter: take 1 counter off this card",
            "  take every counter off this card",
            "After a fight that its owner has won with a kill, before Treasure is drawn:",
            "  put 1 counter on this card (3 at most)",
            "  put as many counters on this card as the number of open Seals (5 at most)",
        ],
    ),
    "undo": (
        v.Card(id="x", name="X", kind="item", one_shot=True, value=100, target="played", play=(v.UndoPlayed(),)),
        [
            "One-shot, 100 Gold Pieces",
            "May be played in any combat, on the card that another player has just played into the combat",
            "Played:",
            "  the card just played is undone: it is discarded, and its bonuses and the monster it brought are gone",
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
            "  add 3 x the number of players who count as Kid to its strength",
            "When it is opened (the victim is whoever opened it):",
            "  the victim loses one level",
            "  the player to the victim's left opens a Seal",
            "  the Seal on top is closed, if one is open",
            "  every player changes sex",
        ],
    ),
    "what counts down, and the subject of a condition": (
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
            "Add 4 minus the number of open Seals (at least 0) to its strength",
            "Nobody escapes from it by rolling",
            "It does not pursue, if the runner is Level 2 or lower",
            "Bad Stuff:",
            "  the victim loses as many levels as the margin of the fight (at most 3)",
            "  for every other player, in turn:",
            "    if that player has an Ally in play: the victim loses one level",
            "  you roll a die (the luck roll)",
            "  if the luck roll is 2 or less: the victim dies",
        ],
    ),
    "dice and turns": (
        v.Card(
            id="x", name="X", kind="hireling",
            mods=(
                v.ThrowAgain(of="run", per="turn"), v.ThrowAgain(whose="any", spent=True),
                v.ThrowAgain(of="text", per="combat", most=2),
            ),
            play=(
                v.Die(save="spin", sides=20),
                v.Level(who="you", if_=v.If(saved="spin", at_most=1)),
                v.Level(who="you", if_=v.If(saved="spin", at_least=20)),
                v.Level(who="you", if_=v.If(saved="spin", at_least=2, at_most=5)),
                v.Level(who="you", if_=v.If(none=(v.If(saved="spin", at_most=5),))),
                v.ExtraTurn(),
            ),
        ),
        [
            "It can carry one of your Items, which then takes up no slot, no hands and no Big Item limit",
            "May be played at any time",
            "May have its owner's die to run away rolled again, once in a turn; the new number counts",
            "May have anybody's die rolled again, by discarding this card; the new number counts",
            "May have its owner's die of a card text rolled again, twice in a combat; the new number counts",
            "Played:",
            "  you roll a die with 20 sides (the spin roll)",
            "  if the spin roll is 1: you gain one level",
            "  if the spin roll is 20: you gain one level",
            "  if the spin roll is from 2 to 5: you gain one level",
            "  if the spin roll is 6 or more: you gain one level",
            "  you have an extra turn after this one",
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
def test_cards_of_the_other_books_are_described(name: str) -> None:
    card, lines = OTHER_BOOKS[name]
    assert describe(card) == lines
