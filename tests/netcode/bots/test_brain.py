"""Bots choose sensibly, do nothing where nothing is legal, and decide the same from the same seed."""

import random

import pytest

from core.language import schema as v
from core.state.actions import (
    Action,
    Answer,
    Legal,
    Pass,
    Pick,
    Play,
)
from core.state.model import deck_card
from netcode.bots.brain import Brain
from netcode.bots.effect_values import read
from netcode.bots.levels import LEVEL_NAMES, TABLE_LEVELS
from netcode.bots.player import Observation
from netcode.bots.reading import Reading
from tests.netcode.bots.bot_views import CATALOG, NUMBERS, VALUES, ViewBuilder, ask, brain, decided


@pytest.mark.parametrize("level", TABLE_LEVELS)
def test_it_loses_the_least_useful_card(level: str) -> None:
    table = ViewBuilder()
    dwarf, spear = table.has(0, "Dwarf"), table.has(0, "Pickle Spear")
    mail = table.has(0, "Cardboard Mail", up=False)
    question = ask("lose", dwarf, spear, mail, card=NUMBERS["Creaking Bridge"])
    assert decided(table.see(Legal(Answer(1), Pick("picks", (dwarf, spear, mail), 1, 1)), asks=[question]), level) == (
        Answer(1, (mail,))
    )


def test_it_takes_the_best_treasure() -> None:
    table = ViewBuilder()
    rat, sword = table.card("Lukewarm Coffee of the Third Watch"), table.card("Pickle Spear")
    row = Legal(Answer(1), Pick("picks", (rat, sword), 1, 1))
    assert decided(table.see(row, asks=[ask("share", rat, sword)])) == Answer(1, (sword,))


@pytest.mark.parametrize("kind", ["under", "throw away"])
def test_it_moves_harmful_cards_away_from_its_own_next_draw(kind: str) -> None:
    table = ViewBuilder(levels=(2, 3, 3, 3))
    fish, mean, elf = (deck_card(at, NUMBERS[name]) for at, name in enumerate(("Practice Rat", "Glampire", "Elf")))
    most = 3 if kind == "under" else 1
    row = Legal(Answer(1), Pick("picks", (fish, mean, elf), 0, most))
    view = table.see(row, asks=[ask(kind, fish, mean, elf, lo=0, hi=most)])
    assert decided(view) == Answer(1, (mean,))


def test_it_passes_hands_if_its_neighbour_has_more_cards() -> None:
    table = ViewBuilder(hands=(1, 2, 2, 7))
    effects = read((v.PassHands(),))
    table.holds("Elf")
    view = table.see()
    assert view.you is not None
    assert Reading(view, view.you, VALUES).passing_points(effects) > 10.0
    assert Reading(view, view.you, VALUES).passing_points(read((v.PassHands(to="right"),))) < 4.0


def test_it_chooses_the_leader_as_victim() -> None:
    table = ViewBuilder(levels=(3, 4, 8, 2))
    row = Legal(Answer(1), Pick("picks", (1, 2, 3), 1, 1))
    question = ask("seat", 1, 2, 3, card=NUMBERS["Narrow Passage"])
    assert decided(table.see(row, asks=[question])) == Answer(1, (2,))


@pytest.mark.parametrize("level", LEVEL_NAMES)
def test_picks_stay_within_their_limits(level: str) -> None:
    table = ViewBuilder()
    hand = tuple(table.holds(name) for name in ("Greater", "Glampire", "Bearbug", "Elf", "Thief", "Orc"))
    for lo, hi in ((1, 1), (2, 2), (0, 3), (3, 6)):
        row = Legal(Answer(1), Pick("picks", hand, lo, hi))
        act = decided(table.see(row, asks=[ask("charity", *hand, lo=lo, hi=hi)]), level)
        assert isinstance(act, Answer)
        assert lo <= len(act.picks) <= hi and len(set(act.picks)) == len(act.picks) and set(act.picks) <= set(hand)


def test_it_does_nothing_if_nothing_is_legal() -> None:
    table = ViewBuilder()
    for level in LEVEL_NAMES:
        assert decided(table.see(), level) is None


def test_an_unknown_level_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=f"unknown level 'genius': choose from {', '.join(LEVEL_NAMES)}"):
        Brain(CATALOG, "genius", random.Random(1))


def test_the_same_seed_decides_the_same_and_another_differs() -> None:
    table = ViewBuilder()
    hand = [table.holds(name) for name in ("Greater", "Glampire", "Bearbug", "Elf")]
    view = table.see(*[Play(card) for card in hand], Pass(3))

    def decisions(seed: int) -> list[Action | None]:
        bot = brain("random", seed)
        return [bot.decide(Observation(view)) for _ in range(8)]

    assert decisions(5) == decisions(5) != decisions(6)
