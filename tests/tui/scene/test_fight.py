"""Who wins a fight, by how much and what turns it; what the die must show, in few characters."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from core.state.views import Flight, MonsterView
from tests.tui import samples
from tui.scene.fight import (
    Verdict,
    away_words,
    brief_chance,
    margin_words,
    run_causes,
    run_sentence,
    usual_odds,
    verdict_of,
)
from tui.scene.scene import Scene


@pytest.mark.parametrize(
    ("heroes", "wins_ties", "winning", "found", "words"),
    [
        (14, False, True, Verdict(True, 4, 4), ("ahead", "by 4")),
        (14, True, True, Verdict(True, 4, 5), ("ahead", "by 4")),
        (10, True, True, Verdict(True, 0, 1), ("a tie", "and wins it")),
        (10, False, False, Verdict(False, 0, 1), ("a tie", "that loses")),
        (7, False, False, Verdict(False, 3, 4), ("behind", "by 3")),
        (7, True, False, Verdict(False, 3, 3), ("behind", "by 3")),
    ],
)
def test_the_other_side_has_to_add_what_turns_the_fight(
    heroes: int, wins_ties: bool, winning: bool, found: Verdict, words: tuple[str, str]
) -> None:
    fight = replace(samples.own_fight(), heroes=heroes, foes=10, wins_ties=wins_ties, winning=winning)
    assert verdict_of(fight) == found and margin_words(fight) == words


@pytest.mark.parametrize(
    ("needed", "words"),
    [(1, "always"), (2, "on 2+ (83 %)"), (5, "on 5+ (33 %)"), (6, "on a 6 (17 %)"), (7, "never")],
)
def test_what_the_die_must_show_has_its_chance_where_luck_decides(needed: int, words: str) -> None:
    assert brief_chance(needed) == words


# -------------------------------------------------------------------------------------------- why a run is hard or easy
def running(name: str, own: Sequence[str], run: int = 0, need: int = 0) -> tuple[Scene, MonsterView]:
    """Return a scene in which the player runs from this monster. own: what the player has in play; run: the monster's
    own modifier; need: what the die must show, if the host says so."""
    view = samples.running()
    monster = samples.monster(name, 1, 9, run=run)
    flights = [Flight(samples.ME, monster.id, need, need)] if need else []
    view.fight = replace(samples.own_fight(), stage="lost", monsters=[monster], flights=flights)
    seat = view.seats[samples.ME]
    seat.table = samples.placed(*own)
    seat.run = sum(term.by for term in samples.scene(view).run_bonuses[samples.ME])
    return samples.scene(view), monster


def test_a_run_that_is_never_possible_says_what_makes_it_so() -> None:
    """Formerly, the stage said only `to run: never`."""
    scene, monster = running("Grammar Grue", ("Threehander",), run=-1)
    assert usual_odds(scene, samples.ME) == ["not possible with Threehander -2", "not possible"]
    assert run_sentence(scene, samples.ME) == "No number on the die gets you away: Threehander -2, Grammar Grue -1."
    assert away_words(scene, samples.ME, monster) == [
        "never (Threehander -2, Grammar Grue -1)", "never (Threehander -2, Grue -1)", "never (Threehander -2, 1 more)",
        "never",
    ]  # fmt: skip


def test_what_changes_a_run_is_named_the_most_important_first() -> None:
    scene, monster = running("Mandrake Toddler", ("Halfling",), run=2)
    assert run_causes(scene, samples.ME, monster)[0] == "Mandrake Toddler +2, Halfling -1"
    assert run_sentence(scene, samples.ME) == "You get away on 4 or more (50 %): Mandrake Toddler +2, Halfling -1."
    assert usual_odds(scene, samples.ME)[0] == "on a 6 (17 %) with Halfling -1"
    plain, _ = running("Bearbug", ())
    assert usual_odds(plain, samples.ME) == ["on 5 or 6 (33 %)"]


def test_where_no_roll_is_needed_or_helps_the_monster_says_why() -> None:
    scene, monster = running("Zombie Apologist", ("Threehander",), need=1)
    assert run_causes(scene, samples.ME, monster) == ("it does not pursue",)
    for need in (1, 6):  # by a card of which the view does not tell
        unknown, monster = running("Bearbug", (), need=need)
        assert run_causes(unknown, samples.ME, monster) == (), "what is not known is not named"
