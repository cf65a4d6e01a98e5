"""Counters on cards in play: they grow, they pay, they count, and they go with the card's place at the table."""

import random

import msgspec
import pytest

from core import engine
from core.authoring.lint import check_pack
from core.moves.legal import legal
from core.state import actions as a
from core.state.events import Counted, seen_by
from core.state.model import Options, card_id
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.player import Observation
from tests.blends import values_of
from tests.core.kitchen import CARDS, CATALOG, files, outcome, played

GROWS = """
[[scenario]]
name = "Sourdough grows with each kill, up to three"
turn = "Molly"
doors = ["Small Puddle"]
steps = [
  { expect = { counters = { Molly = { Sourdough = 2 }, Nick = { Sourdough = 3 } } } },
  { expect = { strength = { Molly = 4, Nick = 5 } } },
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { heroes = 4, hero_terms = { Sourdough = 3 } } },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { log = "Molly's Sourdough has 3 counters now" } },
  { expect = { counters = { Molly = { Sourdough = 3 }, Nick = { Sourdough = 3 } } } },
]
[scenario.seats.Molly]
table = ["Sourdough"]
counters = { Sourdough = 2 }
[scenario.seats.Nick]
table = ["Sourdough"]
counters = { Sourdough = 3 }
"""

PAYS = """
[[scenario]]
name = "Two counters pay for two slices"
turn = "Molly"
doors = ["Large Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all", expect = { heroes = 4 } },
  { by = "Molly", do = "use", card = "Sourdough", expect = { heroes = 8, counters = { Molly = {} } } },
  { by = "Molly", do = "use", card = "Sourdough", refused = "used" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { counters = { Molly = { Sourdough = 1 } } } },
]
[scenario.seats.Molly]
table = ["Sourdough"]
counters = { Sourdough = 2 }
[scenario.seats.Nick]
"""

FULL = """
[[scenario]]
name = "A full Sourdough stays as it is, and one counter is not enough for two slices"
turn = "Molly"
doors = ["Small Puddle"]
steps = [
  { by = "Molly", do = "kick" },
  { pass = "all" },
  { by = "Molly", do = "use", card = "Sourdough#2", refused = "condition" },
  { by = "Molly", do = "claim" },
  { pass = "all", expect = { counters = { Molly = { Sourdough = 5 } } } },
]
[scenario.seats.Molly]
table = ["Sourdough", "Sourdough"]
counters = { "Sourdough" = 3, "Sourdough#2" = 1 }
[scenario.seats.Nick]
"""

JAR = """
[[scenario]]
name = "A Jar fills at the start of the turn, up to four, and is emptied"
turn = "Molly"
treasures = ["Mop", "Mop", "Mop", "Mop"]
steps = [
  { expect = { counters = { Molly = { Jar = 4 } }, run = { Molly = 2 } } },
  { by = "Molly", do = "use", card = "Jar", expect = { hand = { Molly = ["Mop", "Mop", "Mop", "Mop"] } } },
  { expect = { counters = { Molly = {} }, run = { Molly = 0 }, log = "" } },
]
[scenario.seats.Molly]
table = ["Jar"]
counters = { Jar = COUNT }
[scenario.seats.Nick]
"""

APPRENTICE = """
[[scenario]]
name = "An Apprentice comes with two counters"
turn = "Molly"
steps = [
  { by = "Nick", do = "play", card = "Apprentice", expect = { counters = { Nick = { Apprentice = 2 } } } },
  { expect = { strength = { Nick = 3 } } },
]
[scenario.seats.Molly]
[scenario.seats.Nick]
hand = ["Apprentice"]
"""

WEARS_OUT = """
[[scenario]]
name = "An Apprentice loses one at the start of the turn, and has never less than none"
turn = "Molly"
steps = [
  { expect = { counters = { Molly = LEFT }, strength = { Molly = STRENGTH } } },
]
[scenario.seats.Molly]
table = ["Apprentice"]
COUNTERS
[scenario.seats.Nick]
"""

MOVES = """
[[scenario]]
name = "Counters stay on a card that is turned sideways, and go when it changes hands"
turn = "Molly"
steps = [
  { by = "Molly", do = "unequip", card = "Sourdough", expect = { strength = { Molly = 1 } } },
  { expect = { counters = { Molly = { Sourdough = 3 } } } },
  { by = "Molly", do = "equip", card = "Sourdough", expect = { strength = { Molly = 5 } } },
  { by = "Molly", do = "give", cards = ["Sourdough"], to = "Nick" },
  { by = "Nick", do = "accept", expect = { counters = { Molly = {}, Nick = {} }, carried = { Nick = ["Sourdough"] } } },
  { by = "Nick", do = "equip", card = "Sourdough", expect = { strength = { Nick = 2 } } },
]
[scenario.seats.Molly]
table = ["Sourdough"]
counters = { Sourdough = 3 }
[scenario.seats.Nick]
"""


@pytest.mark.proves("cards.counters")
def test_a_card_grows_up_to_its_limit_and_pays_with_its_counters() -> None:
    assert [outcome(text) for text in (GROWS, PAYS, FULL)] == ["fine"] * 3
    assert [outcome(JAR.replace("COUNT", str(count))) for count in (3, 4)] == ["fine"] * 2


def test_a_card_may_come_with_counters_and_lose_them() -> None:
    assert outcome(APPRENTICE) == "fine"
    empty = WEARS_OUT.replace("LEFT", "{}").replace("STRENGTH", "1")
    assert outcome(empty.replace("COUNTERS", "counters = { Apprentice = 1 }")) == "fine"
    assert outcome(empty.replace("COUNTERS", "")) == "fine"
    worn = WEARS_OUT.replace("LEFT", "{ Apprentice = 1 }").replace("STRENGTH", "2")
    assert outcome(worn.replace("COUNTERS", "counters = { Apprentice = 2 }")) == "fine"


ALIKE = """
[[scenario]]
name = "What a bot makes of counters"
turn = "Molly"
treasures = ["Mop"]
doors = ["Large Puddle"]
steps = [
  STEPS
]
[scenario.seats.Molly]
level = 2
table = ["Sourdough", "Jar"]
counters = { Sourdough = GROWN, Jar = FULL }
[scenario.seats.Nick]
"""
DOOR = '{ by = "Molly", do = "kick" }, { pass = "all" }'


def decided(steps: str, grown: int, full: int) -> object:
    """Return the action of Molly's bot after these steps, with these numbers of counters on Sourdough and Jar."""
    text = ALIKE.replace("STEPS", steps).replace("GROWN", str(grown)).replace("FULL", str(full))
    bot = Brain(CATALOG, "normal", random.Random(1), values_of(CATALOG))
    return bot.decide(Observation(played(text).snapshot.view(0)))


def test_a_bot_knows_what_the_counters_are_worth() -> None:
    """It empties the Jar, cuts the Sourdough if that wins its fight, and not if it wins anyway."""
    assert isinstance(decided("{ expect = {} }", 1, 3), a.Use)
    assert isinstance(decided("{ expect = {} }", 1, 1), a.Use)
    assert isinstance(decided(DOOR, 2, 1), a.Use)
    assert isinstance(decided(DOOR, 3, 1), a.Claim)


@pytest.mark.proves("cards.counters")
def test_counters_go_when_a_card_changes_hands_and_stay_when_it_is_turned_sideways() -> None:
    assert outcome(MOVES) == "fine"


def test_a_first_card_gets_its_counters_once_all_are_ready() -> None:
    """The Apprentice is laid out unseen; its text runs, for everybody to see, when all are ready."""
    state, _ = engine.new_game(CATALOG, 3, Options(), b"counters")
    card = card_id(50, 1, CATALOG.named("Apprentice").no)
    state.seats[0].hand, state.seats[0].fresh, state.seats[0].serial = [card], [card], 60
    pack = msgspec.msgpack.Encoder().encode
    before = [pack(view(CATALOG, state, seat)) for seat in (1, 2, -1)]
    assert a.Play(card) in [row.action for row in legal(CATALOG, state, 0)]
    events = engine.submit(CATALOG, state, 0, a.Play(card))
    assert isinstance(events, list)
    assert not any(isinstance(event, Counted) for event in events)
    assert [seen_by(event, seat) for event in events for seat in (1, 2, -1)] == [None] * 3 * len(events)
    assert [pack(view(CATALOG, state, seat)) for seat in (1, 2, -1)] == before
    for seat in range(3):
        (sex,) = [ask for ask in state.stack[-1].asks if ask.seat == seat]
        engine.submit(CATALOG, state, seat, a.Answer(sex.id, (0,)))
        told = engine.submit(CATALOG, state, seat, a.Done())
    assert isinstance(told, list)
    assert any(isinstance(event, Counted) and event.counters == 2 and seen_by(event, -1) for event in told)
    assert [entry.counters for entry in view(CATALOG, state, 1).seats[0].table] == [2 - (state.turn.seat == 0)]


# ---------------------------------------------------------------------------------------------------------- the check
APART = 'turn_start = [{ do = "counter", by = -1 }]'
FORK = 'id = "fork"\nname = "Fork"\nkind = "item"\nbonus = 1\n'


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("play[0]", f'mods = [{{ mod = "strength", by = {{ counters = true }} }}]\n{APART}', APART),
        ("mods[0].by", FORK, FORK + 'text = "x"\nmods = [{ mod = "strength", by = { counters = true } }]\n'),
        ("play[0]", 'play = [{ do = "close_seal" }]', 'play = [{ do = "counter" }]'),
        ("if.counters_at_least", 'text = "Throw away a card in play."',
         'text = "Throw away a card in play."\nif = { counters_at_least = 1 }'),
        ("foes[0].by.counters", 'foes = [{ mod = "strength", by = 2 }]',
         'foes = [{ mod = "strength", by = { counters = true } }]'),
        ("turn_start[0].by", 'turn_start = [{ do = "counter", most = 4 }]',
         'turn_start = [{ do = "counter", by = 0 }]'),
        ("turn_start[0].most", 'turn_start = [{ do = "counter", most = 4 }]',
         'turn_start = [{ do = "counter", by = -1, most = 4 }]'),
        ("won", 'play = [{ do = "remove_monster" }]', 'play = [{ do = "remove_monster" }]\nwon = [{ do = "level" }]'),
    ],
)  # fmt: skip
def test_counters_that_make_no_sense_are_found(key: str, old: str, new: str) -> None:
    pack = files()
    (file,) = [name for name in CARDS if pack[name].count(old.encode()) == 1]
    found = check_pack({**pack, file: pack[file].replace(old.encode(), new.encode())})
    assert key in [problem.key for problem in found]
