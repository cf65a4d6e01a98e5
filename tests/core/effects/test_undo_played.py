"""Cards that undo what another player has just played into a fight (combat.undo-last)."""

import random

import pytest

from core.authoring.lint import check_pack
from core.state.actions import Play, Use
from core.state.model import defn_of
from netcode.bots.brain import Brain
from netcode.bots.player import Observation
from tests.blends import values_of
from tests.core.kitchen import CARDS, CATALOG, files, outcome, played
from tests.tui import samples
from tui.menus.choices import root
from tui.scene.scene import Scene

FIGHT = """
[[scenario]]
name = "It"
turn = "Molly"
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { heroes = 4, foes = 5, monsters = ["Large Puddle"], due = { levels = 1, treasures = 2 } } },
  STEPS
]
[scenario.seats.Molly]
level = 4
hand = ["Rubber", "Cheer", "Bucket of Sand"]
[scenario.seats.Nick]
hand = ["Bucket of Sand", "Fluff", "Stray", "Small Puddle", "Twin", "Soap", "Soap", "Gamble", "Rubber", "Stage Fright"]
[scenario.seats.Olga]
hand = ["Bucket of Sand", "Plumber"]
table = ["Editor"]
"""
GONE = "heroes = 4, foes = 5, due = { levels = 1, treasures = 2 }, monsters = [\"Large Puddle\"]"
RUB = f'{{ by = "Molly", do = "play", card = "Rubber", target = "CARD", expect = {{ {GONE} }} }}'


def fight(*steps: str) -> str:
    """Return "fine", or why these steps in Molly's fight fail."""
    return outcome(FIGHT.replace("STEPS", ",\n  ".join(steps)))


def rubbed(card: str, *steps: str) -> str:
    """Return "fine" if Molly's Rubber undoes this card of Nick's after these steps, otherwise the reason."""
    return fight(*steps, RUB.replace("CARD", card))


NICK = '{ by = "Nick", do = "play", card = "CARD", REST }'


def nick(card: str, rest: str) -> str:
    return NICK.replace("CARD", card).replace("REST", rest)


SAND = nick("Bucket of Sand", 'side = "monsters", expect = { foes = 8 }')
FLUFF = nick("Fluff", 'target = "Large Puddle", expect = { foes = 8, due = { treasures = 3 } }')
STRAY = nick("Stray", 'with = "Small Puddle", expect = { foes = 6, monsters = ["Large Puddle", "Small Puddle"] }')
TWIN = nick("Twin", 'target = "Large Puddle", expect = { foes = 12, monsters = ["Large Puddle", "Large Puddle"] }')


@pytest.mark.proves("combat.undo-last")
def test_what_a_card_did_to_the_fight_is_gone() -> None:
    assert rubbed("Bucket of Sand", SAND) == "fine"
    assert rubbed("Fluff", FLUFF) == "fine"
    assert rubbed("Stray", STRAY) == "fine"
    assert rubbed("Twin", TWIN) == "fine"
    top = '{ expect = { treasure_top = "Bucket of Sand", log = "Molly undoes Bucket of Sand" } }'
    assert fight(SAND, RUB.replace("CARD", "Bucket of Sand"), top) == "fine"
    assert fight(STRAY, RUB.replace("CARD", "Stray"), '{ expect = { log = "Small Puddle leaves again" } }') == "fine"


def test_what_was_there_before_stays() -> None:
    """The second of two equal cards is undone, and a monster that joins by the tag of an enhancer goes with it."""
    olga = '{ by = "Olga", do = "play", card = "Bucket of Sand", side = "monsters" }'
    rub = '{ by = "Molly", do = "play", card = "Rubber", target = "Bucket of Sand", expect = { foes = 8 } }'
    assert fight(SAND, olga, rub) == "fine"
    soap = nick("Soap", 'target = "Large Puddle", expect = { foes = 6 }')
    joins = nick("Soap", 'with = "Small Puddle", expect = { foes = 8, monsters = ["Large Puddle", "Small Puddle"] }')
    gone = '{ by = "Molly", do = "play", card = "Rubber", target = "Soap", expect = { foes = 6 } }'
    assert fight(soap, joins, gone, '{ expect = { door_top = "Soap", monsters = ["Large Puddle"] } }') == "fine"


def test_anybody_may_undo_for_either_side_also_with_an_ability() -> None:
    molly = '{ by = "Molly", do = "play", card = "CARD", expect = { heroes = TOTAL } }'
    use = '{ by = "Olga", do = "use", card = "Editor", target = "CARD", expect = { heroes = 4 } }'
    cheer = molly.replace("CARD", "Cheer").replace("TOTAL", "6")
    assert fight(cheer, use.replace("CARD", "Cheer")) == "fine"
    sand = '{ by = "Molly", do = "play", card = "Bucket of Sand", side = "heroes", expect = { heroes = 7 } }'
    assert fight(sand, use.replace("CARD", "Bucket of Sand")) == "fine"
    again = use.replace("CARD", "Cheer").replace("expect = { heroes = 4 }", 'refused = "used"')
    assert fight(sand, use.replace("CARD", "Bucket of Sand"), cheer, again) == "fine"


def test_the_window_after_a_claim_is_a_time_to_undo() -> None:
    sand = '{ by = "Molly", do = "play", card = "Bucket of Sand", side = "heroes" }'
    claim = '{ by = "Molly", do = "claim", expect = { window = "claim" } }'
    rub = nick("Rubber", 'target = "Bucket of Sand", expect = { heroes = 4, window = "", asks = { Molly = "fight" } }')
    assert fight(sand, claim, rub) == "fine"


REFUSED = '{ by = "Molly", do = "play", card = "Rubber", target = "CARD", refused = "combat.undo-last" }'


@pytest.mark.proves("combat.undo-last")
def test_nobody_undoes_their_own_card_or_one_after_which_something_happened() -> None:
    own = nick("Rubber", 'target = "Bucket of Sand", refused = "combat.undo-last"')
    assert fight(SAND, own) == "fine"
    olga = '{ by = "Olga", do = "play", card = "Bucket of Sand", side = "heroes" }'
    assert fight(FLUFF, olga, REFUSED.replace("CARD", "Fluff")) == "fine"
    curse = nick("Stage Fright", 'on = "Olga"')
    assert fight(FLUFF, curse, REFUSED.replace("CARD", "Fluff")) == "fine"
    use = '{ by = "Olga", do = "use", card = "Editor", target = "Fluff", expect = { foes = 8 } }'
    fluff = nick("Fluff", 'target = "Large Puddle", expect = { foes = 11 }')
    assert fight(SAND, fluff, use, REFUSED.replace("CARD", "Bucket of Sand")) == "fine"


@pytest.mark.proves("combat.undo-last")
def test_a_card_that_does_more_cannot_be_undone() -> None:
    gamble = nick("Gamble", 'side = "monsters", expect = { foes = 9 }')
    text = FIGHT.replace('turn = "Molly"', 'turn = "Molly"\ndice = [4]')
    assert outcome(text.replace("STEPS", f"{gamble}, {REFUSED.replace('CARD', 'Gamble')}")) == "fine"
    curse = nick("Stage Fright", 'on = "Molly"')
    assert fight(curse, REFUSED.replace("CARD", "Stage Fright")) == "fine"
    assert fight(REFUSED.replace("CARD", "Large Puddle")) == "fine"


@pytest.mark.proves("combat.undo-last")
def test_an_undo_cannot_be_undone() -> None:
    undone = nick("Rubber", 'target = "Rubber", refused = "combat.undo-last"')
    assert fight(SAND, RUB.replace("CARD", "Bucket of Sand"), undone) == "fine"


# --------------------------------------------------------------------------------------------------------------- bots
def decided(seat: int, *steps: str) -> object:
    """Return the action of a bot on this seat after these steps in Molly's fight."""
    game = played(FIGHT.replace("STEPS", ",\n  ".join(steps)))
    return Brain(CATALOG, "normal", random.Random(1), values_of(CATALOG)).decide(Observation(game.snapshot.view(seat)))


def test_the_menu_says_which_card_would_be_undone() -> None:
    """The key of its entries differs when they would undo another card."""
    keys = []
    for card in (SAND, FLUFF):
        view = played(FIGHT.replace("STEPS", card)).snapshot.view(2)
        scene = Scene(CATALOG, view=view, info=samples.info(3), me=2)
        (entry,) = [entry for entry in root(scene).entries if entry.label.startswith("use Editor")]
        name = "Bucket of Sand" if card is SAND else "Fluff"
        assert entry.label.endswith(f"that another player has just played into it. on {name}")
        keys.append(entry.key)
    assert len(set(keys)) == 2


def test_a_bot_undoes_what_loses_its_fight_and_what_wins_one_for_a_leader() -> None:
    cheer = '{ by = "Molly", do = "play", card = "Cheer" }'
    sand = '{ by = "Molly", do = "play", card = "Bucket of Sand", side = "heroes" }'
    action = decided(0, cheer, sand, TWIN)
    assert isinstance(action, Play)
    assert CATALOG.cards[defn_of(action.card)].name == "Rubber"
    action = decided(2, sand, '{ by = "Molly", do = "claim" }')
    assert isinstance(action, Use)


# ---------------------------------------------------------------------------------------------------------- the check
@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("when", 'target = "played"\ntext', 'target = "played"\nwhen = "any"\ntext'),
        ("target", 'play = [{ do = "undo_played" }]', 'play = [{ do = "level" }]'),
        ("play[0]", 'one_shot = true\ntarget = "played"', 'one_shot = true\ntarget = "monster"'),
        ("abilities[0].when", 'when = "combat"\ntarget = "played"', 'when = "own-turn"\ntarget = "played"'),
        ("abilities[0].target", 'do = [{ do = "undo_played" }]', 'do = [{ do = "level" }]'),
    ],
)  # fmt: skip
def test_undoing_that_makes_no_sense_is_found(key: str, old: str, new: str) -> None:
    pack = files()
    (file,) = [name for name in CARDS if pack[name].count(old.encode()) == 1]
    found = check_pack({**pack, file: pack[file].replace(old.encode(), new.encode())})
    assert [problem.key for problem in found] == [key]
