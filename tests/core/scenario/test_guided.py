"""Lessons and puzzles: those of the packs are true to their own descriptions, and files that are not are refused."""

import pytest
from msgspec.structs import replace

import cards
from core import engine
from core.scenario import guide_check
from core.scenario.guide import Guide
from core.scenario.runner import run, run_texts
from core.scenario.schema import Scenario, ScenarioError, load
from core.state import actions as a
from core.state.model import State
from tests.core.scenario.small_puzzle import PUZZLE
from tests.scenarios import catalog_for


def of_packs(folder: str) -> list[Scenario]:
    """Return every scenario in this folder of the built-in packs, with its sets."""
    return [
        replace(scenario, sets=scenario.sets or (pack,))
        for pack in cards.BUILT_IN for name, data in cards.scenario_files(pack, folder).items()
        for scenario in load(data, f"{pack}/{folder}/{name}")
    ]  # fmt: skip


LESSONS, PUZZLES = of_packs("lessons"), of_packs("puzzles")


@pytest.mark.parametrize("scenario", [*LESSONS, *PUZZLES], ids=lambda scenario: scenario.name)
def test_everything_it_says_about_itself_is_so(scenario: Scenario) -> None:
    """Every way, mistake and solution is played; no puzzle is solved by one act or by none."""
    failure = run(catalog_for(scenario.sets), scenario)
    assert failure is None, f"\n{failure}"


def test_the_first_game_teaches_every_verb_in_five_scenes() -> None:
    acts = {step.do for lesson in LESSONS for task in lesson.lesson.tasks for way in task.ways for step in way}
    assert len(LESSONS) == 5
    assert {"kick", "play", "claim", "offer", "flee", "roll", "sell"} <= acts
    assert any(done.event == "died" for lesson in LESSONS for task in lesson.lesson.tasks for done in task.done)


def test_there_are_six_puzzles_with_one_for_each_set() -> None:
    assert len(PUZZLES) == 6 and {scenario.sets[0] for scenario in PUZZLES} == set(cards.BUILT_IN)
    assert len({scenario.name for scenario in PUZZLES}) == 6


# ---------------------------------------------------------------------------------------------- a lesson being played
def lesson(name: str = "Behind the door") -> Guide:
    scenario = next(one for one in LESSONS if one.name == name)
    return Guide(catalog_for(scenario.sets), scenario)


def puzzle(name: str = "Stop the Level 9") -> Guide:
    scenario = next(one for one in PUZZLES if one.name == name)
    return Guide(catalog_for(scenario.sets), scenario)


def card(guide: Guide, name: str) -> int:
    return guide.game.cast.find(name, guide.game.state.seats[0].hand, "in hand")


def test_what_was_done_is_told_and_the_next_thing_asked() -> None:
    guide = lesson()
    assert guide.word.kind == "task" and "Pickle Spear" in guide.word.text
    assert guide.act(a.Play(card(guide, "Pickle Spear"))) is None
    assert guide.word.kind == "why"
    guide.go_on()
    assert (guide.word.kind, guide.at) == ("task", 1)


def test_a_mistake_is_taken_back_whole() -> None:
    guide = lesson()
    before = guide.game.view()
    guide.act(a.Kick())
    assert guide.word.kind == "mistake"
    assert guide.act(a.Play(card(guide, "Pickle Spear"))) is not None, "first read what went wrong"
    guide.go_on()
    after = guide.game.view()
    assert guide.word.kind == "task" and after.you.hand == before.you.hand and after.window is None
    assert [ask.kind for ask in after.you.asks] == ["kick"]


def test_an_act_while_the_coach_still_explains_goes_on_at_once() -> None:
    guide = lesson()
    guide.act(a.Play(card(guide, "Pickle Spear")))
    assert guide.act(a.Kick()) is None
    assert guide.at == 1 and guide.word.kind == "why" and guide.game.view().fight is not None


def test_an_act_can_be_taken_back_alone() -> None:
    guide = puzzle()
    before = guide.game.view()
    assert not guide.take_back()
    guide.act(a.Play(card(guide, "Crowd-Pleasing"), target=before.fight.monsters[0].id))
    assert len(guide.game.view().you.hand) == 2
    assert guide.take_back() and len(guide.game.view().you.hand) == 3
    assert guide.game.view(1).you is not None and len(guide.game.state.seats[1].hand) == 1, "Roger has his card back"


def test_a_failed_puzzle_begins_again() -> None:
    guide = puzzle()
    guide.act(a.Pass(guide.game.view().window.id))
    assert guide.word.kind == "failed" and "Roger has won" in guide.word.text
    guide.go_on()
    assert guide.word.kind == "task" and guide.game.view().winners == [] and guide.game.view().window is not None


def test_a_solution_is_shown_step_by_step_and_solves_nothing() -> None:
    guide = puzzle()
    guide.show_solution()
    said = []
    while guide.word.kind == "shown":
        said.append(guide.word.text)
        guide.go_on()
    assert len(said) == 3 and "Lukewarm Coffee" in said[0]
    assert guide.word.kind == "task" and len(guide.game.view().you.hand) == 3


def test_card_text_that_never_ends_is_refused_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = puzzle()
    before = guide.game.view()

    def runaway(catalog: object, state: State, seat: int, action: object) -> None:
        state.seats[0].hand.clear()
        raise engine.Runaway("no end")

    monkeypatch.setattr(engine, "submit", runaway)
    refusal = guide.act(a.Pass(before.window.id))
    assert refusal is not None and refusal.clause == "internal" and "no end" in refusal.text
    assert guide.game.view().you.hand == before.you.hand and guide.word.kind == "task"


def test_nothing_of_the_others_is_in_the_view_of_the_one_who_plays() -> None:
    view = puzzle().game.view()
    assert view.you.seat == 0 and view.seats[1].hand == 1 and not hasattr(view.seats[1], "cards")


# ----------------------------------------------------------------------------------------------------- broken files
def outcome(text: str) -> str:
    """Return "fine", or why the one scenario of this text fails."""
    report = run_texts(catalog_for, {"it.toml": text.encode()})
    return str(report.failures[0]) if report.failures else "fine"


def test_a_small_puzzle_passes() -> None:
    assert outcome(PUZZLE) == "fine"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('how = "killed"', 'how = "fled"', "the solution"),
        ('hand = ["Prismatic', 'table = ["Threehander"]\nhand = ["Prismatic', "a puzzle that takes more than one act"),
        ('event = "fight-ended"', 'event = "fight-end"', "did you mean 'fight-ended'?"),
        ('solved = [{ event = "fight-ended", how = "killed" }]', "solved = [{}]", "waits for nothing"),
        ('event = "fight-ended", how', "how", "waits for nothing"),
        ('late = "The turn is over."\n', "", "missing required field `late`"),
        ('{ by = "You", do = "claim" }', '{ by = "You", do = "clam" }', "there is no action 'clam'"),
        ("goal =", "gaol =", "gaol"),
    ],
)
def test_a_puzzle_that_does_not_hold_is_refused_with_its_place(old: str, new: str, says: str) -> None:
    assert old in PUZZLE
    assert says in outcome(PUZZLE.replace(old, new, 1))


def test_reactions_belong_to_lessons_and_puzzles() -> None:
    text = PUZZLE.partition("[scenario.puzzle]")[0] + """
[[scenario.reactions]]
when = { do = "claim" }
steps = [{ by = "You", do = "claim" }]
"""
    assert "only a lesson or a puzzle has them" in outcome(text)


def test_a_table_that_cannot_be_laid_out_is_a_scenario_error() -> None:
    scenario = replace(PUZZLES[0], doors=("No Such Card",))
    with pytest.raises(ScenarioError, match="No Such Card"):
        list(guide_check.problems(catalog_for(scenario.sets), scenario))
