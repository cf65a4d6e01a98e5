"""The words of a story."""

import pytest
from msgspec.structs import replace

from netcode.recording.story import FightTold
from tests.tui import story_samples
from tui.scene.story_text import Told, facts, listed


def test_equal_names_are_counted_without_a_plural() -> None:
    assert listed(["Rules Lawyer", "Rules Lawyer"]) == "2 × Rules Lawyer"
    assert listed(["Bearbug", "Glampire", "Bearbug"]) == "2 × Bearbug and Glampire"


@pytest.mark.parametrize(("how", "said"), [
    ("killed", "won"), ("removed", "won"), ("fled", "lost"), ("died", "died"), ("ended", "a card broke it off"),
    ("", "not fought out"),
])  # fmt: skip
def test_a_fight_says_what_became_of_it(how: str, said: str) -> None:
    story = replace(story_samples.sample_story(), biggest=FightTold(22, 2, 31, 28, ["Glampire"], how))
    biggest = next(fact for fact in facts(Told(story, story_samples.NAMES)) if fact.title == "Biggest fight")
    assert biggest.text == f"31:28 against Glampire, {said}, turn 22"
