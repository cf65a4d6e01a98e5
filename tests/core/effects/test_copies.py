"""Copies of monsters, made by one-shots and abilities of any pack: each is a monster of its own (combat.copy)."""

from tests.core.kitchen import outcome, played

FIGHT = """
[[scenario]]
name = "It"
turn = "Molly"
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { foes = 5, monsters = ["Large Puddle"], due = { levels = 1, treasures = 2 } } },
  STEPS
]
[scenario.seats.Molly]
level = 4
hand = ["Rubber", "Carbon Paper", "Hose"]
[scenario.seats.Nick]
hand = ["Carbon Paper", "Fluff", "Fluff", "Twin", "Bucket of Sand"]
table = ["Hall of Mirrors"]
[scenario.seats.Olga]
table = ["Hall of Mirrors"]
"""
FLUFF = '{ by = "Nick", do = "play", card = "Fluff", target = "Large Puddle", expect = { foes = 8 } }'
PAPER = '{ by = "Nick", do = "play", card = "Carbon Paper", target = "Large Puddle" }'
NICK = '{ by = "Nick", do = "use", card = "Hall of Mirrors", target = "Large Puddle" }'
OLGA = '{ by = "Olga", do = "use", card = "Hall of Mirrors", target = "Large Puddle" }'


def fight(*steps: str) -> str:
    """Return "fine", or the reason why these steps in Molly's fight fail."""
    return outcome(FIGHT.replace("STEPS", ",\n  ".join(steps)))


def test_one_card_makes_several_copies_each_of_them_a_monster() -> None:
    two = '{ expect = { foes = 24, due = { levels = 3, treasures = 9 } } }'
    last = '{ by = "Nick", do = "play", card = "Fluff", target = "Large Puddle#3", expect = { foes = 27 } }'
    gone = '{ by = "Molly", do = "play", card = "Hose", target = "Large Puddle#2", expect = { foes = 19 } }'
    assert fight(FLUFF, PAPER, two, last, gone) == "fine"
    game = played(FIGHT.replace("STEPS", f"{FLUFF}, {PAPER}"))
    assert game.state.fight is not None
    assert len({monster.id for monster in game.state.fight.monsters}) == 3


def test_what_is_thrown_for_a_side_counts_once_beside_a_copy_made_by_an_ability() -> None:
    sand = '{ by = "Nick", do = "play", card = "Bucket of Sand", side = "monsters", expect = { foes = 8 } }'
    made = '{ by = "Olga", do = "use", card = "Hall of Mirrors", target = "Large Puddle", expect = { foes = 13 } }'
    again = '{ by = "Nick", do = "use", card = "Hall of Mirrors", target = "Large Puddle#2", expect = { foes = 18 } }'
    fluff = '{ by = "Nick", do = "play", card = "Fluff", target = "Large Puddle#2", expect = { foes = 21 } }'
    assert fight(sand, made, again, fluff) == "fine"
    game = played(FIGHT.replace("STEPS", f"{NICK}, {OLGA}"))
    assert game.state.fight is not None
    assert len({monster.id for monster in game.state.fight.monsters} - {0}) == 3


def test_a_card_that_made_copies_is_undone_with_all_of_them() -> None:
    gone = '{ by = "Molly", do = "play", card = "Rubber", target = "Carbon Paper", expect = { foes = 8 } }'
    one = '{ expect = { monsters = ["Large Puddle"], foe_terms = { "Fluff" = 3 } } }'
    assert fight(FLUFF, PAPER, gone, one) == "fine"


def test_what_the_card_of_a_twin_adds_comes_along() -> None:
    twin = '{ by = "Nick", do = "play", card = "Twin", target = "Large Puddle", expect = { foes = 12 } }'
    made = '{ by = "Olga", do = "use", card = "Hall of Mirrors", target = "Large Puddle", expect = { foes = 18 } }'
    assert fight(twin, made) == "fine"


def test_a_twin_leaves_with_its_card_and_what_that_added_to_a_copy() -> None:
    twin = '{ by = "Nick", do = "play", card = "Twin", target = "Large Puddle", expect = { foes = 12 } }'
    made = '{ by = "Olga", do = "use", card = "Hall of Mirrors", target = "Large Puddle", expect = { foes = 18 } }'
    gone = '{ by = "Molly", do = "play", card = "Hose", target = "Large Puddle#2", expect = { foes = 10 } }'
    assert fight(twin, made, gone, '{ expect = { door_top = "Twin" } }') == "fine"
