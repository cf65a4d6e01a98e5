"""The filter `this`: it selects the card whose text is running, or every card except that one."""

import pytest

from core.authoring.lint import check_pack
from tests.core.kitchen import files, outcome

LIT = """
[[scenario]]
name = "One of two Firecrackers"
turn = "Molly"
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { heroes = 3, foes = 5, equipped = { Molly = ["Firecracker", "Firecracker"] } } },
  { by = "Molly", do = "use", card = "Firecracker#2", expect = { heroes = 8, equipped = { Molly = ["Firecracker"] } } },
  { by = "Molly", do = "use", card = "Firecracker", expect = { heroes = 12, equipped = { Molly = [] } } },
]
[scenario.seats.Molly]
table = ["Firecracker", "Firecracker"]
[scenario.seats.Nick]
table = ["Firecracker"]
"""

BIN = """
[[scenario]]
name = "A Bin on arrival and at the start of the turn"
turn = "Molly"
steps = [
  { by = "Nick", do = "play", card = "Bin", expect = { options = { Nick = ["Mop", "Bin"] } } },
  { by = "Nick", do = "answer", pick = ["Mop"], expect = { carried = { Nick = [] } } },
]
[scenario.seats.Molly]
[scenario.seats.Nick]
hand = ["Bin"]
table = ["Bin"]
carried = ["Mop"]
"""

DAWN = """
[[scenario]]
name = "One Bin is thrown away at the start of the turn, nothing else"
turn = "Nick"
steps = [
  { expect = { strength = { Nick = 4 }, equipped = { Nick = ["Mop"] } } },
  { by = "Nick", do = "play", card = "Spare Bin", expect = { equipped = { Nick = [] } } },
]
[scenario.seats.Nick]
hand = ["Spare Bin"]
table = ["Mop", "Bin"]
[scenario.seats.Molly]
table = ["Bin"]
"""


def test_only_the_card_that_was_used_is_lost() -> None:
    assert outcome(LIT) == "fine"


def test_a_card_that_comes_into_play_is_distinguished_from_its_copies() -> None:
    assert outcome(BIN) == "fine"


def test_a_text_at_the_start_of_the_turn_means_its_own_card() -> None:
    assert outcome(DAWN) == "fine"


@pytest.mark.parametrize(
    ("place", "old", "new"),
    [
        ("mods[0].if.cards.this", 'mods = [{ mod = "flee", by = 2 }]',
         'mods = [{ mod = "flee", by = 2, if = { cards = { this = false } } }]'),
        ("abilities[0].if.cards.this", 'when = "own-combat"\ndo = [',
         'when = "own-combat"\nif = { cards = { this = false } }\ndo = ['),
        ("play[0].cards.this", 'play = [{ do = "discard", cards = { of = "you", zone = "play" } }]',
         'play = [{ do = "discard", cards = { of = "you", zone = "hand", this = false } }]'),
    ],
)  # fmt: skip
def test_this_is_refused_where_no_text_of_a_card_in_play_runs(place: str, old: str, new: str) -> None:
    pack = files()
    assert old.encode() in pack["others.toml"]
    found = check_pack({**pack, "others.toml": pack["others.toml"].replace(old.encode(), new.encode())})
    assert [problem.key for problem in found] == [place]
