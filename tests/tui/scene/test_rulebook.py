"""The rules of a refusal, a card, a moment and the log; the pages in every width, also in ASCII."""

import pytest
from msgspec.structs import replace

from core.authoring import clauses
from core.state.refusals import SENTENCES
from tests.tui import samples, set_samples
from tui.scene import sums
from tui.scene.cells import ASCII, UNICODE, Glyphs, length, plain
from tui.scene.examples import MOST, examples
from tui.scene.rulebook import Example, Topic, asked, page, topics
from tui.scene.scene import LogLine, Refused, Scene


def groups(found: list[Topic]) -> list[str]:
    return list(dict.fromkeys(topic.group for topic in found))


@pytest.mark.parametrize("clause", SENTENCES)
def test_every_refusal_opens_with_its_sentence_and_its_clause_first(clause: str) -> None:
    scene = samples.scene(samples.own_combat())
    first = topics(scene, Refused("Orc: not now", SENTENCES[clause], clause))[0]
    assert first.group == "Why not" and first.said[0] == SENTENCES[clause] and first.name == "Orc: not now"
    if clause in clauses.load():
        assert first.clauses == (clause,)
        assert clauses.load()[clause].text.split()[0] in " ".join(map(plain, page(first, (), 70, UNICODE)))
    else:
        assert first.further, "no clause forbids it: the subject says what stands behind it"


def test_the_card_comes_before_the_moment_and_all_subjects_last() -> None:
    scene = samples.scene(samples.own_combat())
    found = topics(scene, Refused("x", "y", "later"), scene.hand()[0])
    assert groups(found) == [
        "Why not", "The card", "The card is about", "In this moment", "What counts in this fight", "All subjects",
    ]  # fmt: skip
    assert found[1].name == scene.title(scene.hand()[0]) and found[1].card


@pytest.mark.parametrize("name", [*samples.SITUATIONS])
def test_every_moment_has_something_of_its_own(name: str) -> None:
    found = topics(samples.scene(samples.SITUATIONS[name]()))
    assert found[0].group != "All subjects" or name == "watching", name


def test_only_clauses_of_the_sets_in_play_are_shown() -> None:
    box, view = set_samples.SITUATIONS["apo-idle"]()
    scenes = ((samples.scene(samples.idle()), False), (Scene(box.catalog, samples.info(6), view, samples.ME), True))
    for scene, seals in scenes:
        found = topics(scene)
        shown = {clause for topic in found for clause in (*topic.clauses, *topic.further)}
        assert ("seal.open" in shown) == seals
        assert any(topic.name == "Seals" for topic in found) == seals


def test_terms_of_a_fight_lead_to_their_card_or_subject() -> None:
    scene = samples.scene(samples.own_combat())
    assert scene.fight is not None
    for row in (*sums.hero_rows(scene, scene.fight), *sums.foe_rows(scene, scene.fight)):
        first = asked(scene, row.about)[0]
        card = row.about.removeprefix("card:")
        assert first.name == (scene.title(int(card)) if card.isdigit() else "Combat strength")
    assert asked(scene, "no such word") == topics(scene)


def test_lines_of_the_log_lead_to_what_they_are_about() -> None:
    scene = samples.scene(samples.idle())
    lines = tuple(LogLine(f"line {name}", about=name) for name in ("died", "rolled"))
    found = topics(replace(scene, log=lines), log=True)
    assert [topic.name for topic in found[:2]] == ["Dice", "Death, and looting the body"]
    assert found[0].said == ("line rolled.",)


@pytest.mark.long(3)
@pytest.mark.parametrize("width", [20, 46, 80])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_pages_fit_their_width(width: int, glyphs: Glyphs) -> None:
    scene = samples.scene(samples.own_combat())
    for topic in topics(scene, Refused("Orc", "No.", "later"), scene.hand()[0]):
        for found in (None, (), (Example("A tie", ("Kim cannot claim the kill.",)),)):
            lines = page(topic, found, width, glyphs)
            assert all(length(line) <= width for line in lines)
            assert glyphs is UNICODE or all(plain(line).isascii() for line in lines)
            assert (found is None) == any("Looking for examples" in plain(line) for line in lines)


def test_examples_are_scenarios_that_prove_the_clause_or_the_card() -> None:
    scene = samples.scene(samples.idle())
    found = examples(scene.catalog, ("combat.compare",))
    assert 1 <= len(found) <= MOST and all(example.lines for example in found)
    card = scene.definition(scene.hand()[0]).full_id
    assert examples(scene.catalog, (), card)
    assert examples(scene.catalog, ("no.such-clause",)) == ()
