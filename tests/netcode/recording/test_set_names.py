"""Sets by name where only their ids are known."""

from netcode.recording.set_names import set_name, set_names


def test_a_built_in_set_has_its_title_and_any_other_its_id() -> None:
    assert set_name("warhammer-40k") == "Warhammer 40,000"
    assert set_name("my-own-pack") == "my-own-pack"
    assert set_names(["munchkins-and-mazes", "axe-cop"]) == "Munchkins & Mazes + Axe Cop"
