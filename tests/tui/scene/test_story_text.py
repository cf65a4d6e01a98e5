"""The words of a story."""

from tui.scene.story_text import listed


def test_equal_names_are_counted_without_a_plural() -> None:
    assert listed(["Rules Lawyer", "Rules Lawyer"]) == "2 × Rules Lawyer"
    assert listed(["Bearbug", "Glampire", "Bearbug"]) == "2 × Bearbug and Glampire"
