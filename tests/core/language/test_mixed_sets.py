"""Several sets in one game; and rules that no card of a built-in set can show, proved with small packs."""

import msgspec
import pytest

from cards import pack_files
from core.authoring.lint import check_pack
from core.authoring.template import new_pack
from core.engine import new_game
from core.language import schema as v
from core.language.catalog import Catalog
from core.language.catalog import load as load_catalog
from core.scenario.runner import Failure, load, run
from core.state.model import Options

MAZE = pack_files("munchkins-and-mazes")


def pack(name: str, **changes: tuple[str, str]) -> dict[str, bytes]:
    """Return a new pack in which some words are replaced: file name without .toml = (old, new)."""
    files = {file: data for file, data in new_pack(name).items() if "/" not in file}
    for key, (old, new) in changes.items():
        file = f"{key}.toml"
        assert old.encode() in files[file]
        files[file] = files[file].replace(old.encode(), new.encode())
    return files


def played(catalog: Catalog, text: str) -> Failure | None:
    (scenario,) = load(f'[[scenario]]\nname = "it"\n{text}'.encode(), "blend")
    return run(catalog, scenario)


@pytest.mark.proves("blend.any")
def test_sets_are_shuffled_into_one_door_and_one_treasure_deck() -> None:
    plumbers = pack("Plumbers")
    catalog = load_catalog([MAZE, plumbers])
    assert len(catalog.pile("door")) == 95 + 26
    assert len(catalog.pile("treasure")) == 73 + 24
    state, _ = new_game(catalog, 6, Options(), b"x")
    sets = {catalog.cards[defn].set_id for defn in state.door + state.treasure}
    assert sets == {"munchkins-and-mazes", "plumbers"}
    assert catalog.limits["class"] == 1
    assert not played(
        catalog,
        """
steps = [
  { by = "Kim", do = "play", card = "Plumber", refused = "self.class-one" },
  { by = "Kim", do = "discard", card = "Warrior" },
  { by = "Kim", do = "play", card = "Plumber" },
  { expect = { identities = { Kim = ["Elf", "Plumber"] }, run = { Kim = 2 } } },
]
[scenario.seats.Kim]
hand = ["Plumber"]
table = ["Warrior", "Elf"]
""",
    )


@pytest.mark.proves("blend.same-name")
def test_identities_of_the_same_name_count_as_one_for_conditions_and_limits() -> None:
    """The Warrior of another set may use Items for Warriors, and is no second Class; each card has its own effects."""
    named = pack("Others", doors=('name_key = "plumber"', 'name_key = "warrior"'))
    others = {**named, "monsters.toml": named["monsters.toml"].replace(b'"plumber"', b'"warrior"')}
    failure = played(
        load_catalog([MAZE, others]),
        """
doors = ["Large Puddle"]
steps = [
  { expect = { strength = { Kim = 5, Roger = 1 }, run = { Kim = 1, Roger = 0 } } },
  { by = "Kim", do = "play", card = "Warrior", refused = "self.class-one" },
  { by = "Kim", do = "kick" },
  { pass = "all", expect = { heroes = 5, foes = 8 } },
]
[scenario.seats.Kim]
hand = ["Warrior"]
table = ["Plumber", "Somebody's Front Door"]
[scenario.seats.Roger]
table = ["Warrior"]
""",
    )
    assert not failure, failure


@pytest.mark.proves("blend.differences")
def test_where_the_books_differ_the_first_set_named_decides() -> None:
    """Whether a monster that is removed without being killed gives its Treasure is up to the first set."""
    words = "[words.no_identity]"
    generous = pack("Generous", pack=(words, f"[switches]\nnonlethal_treasure = true\n\n{words}"))
    assert load_catalog([generous, MAZE]).switches.nonlethal_treasure
    assert not load_catalog([MAZE, generous]).switches.nonlethal_treasure
    text = """
doors = ["Glampire"]
steps = [
  {{ by = "Kim", do = "kick" }},
  {{ pass = "all" }},
  {{ by = "Kim", do = "play", card = "Show It the Door", target = "Glampire" }},
  {{ expect = {{ monsters = [], hand = {{ Kim = {0} }} }} }},
]
[scenario.seats.Kim]
hand = ["Show It the Door"]
"""
    for packs, treasures in (([MAZE, generous], 0), ([generous, MAZE], 4)):
        catalog = load_catalog(packs)
        notice = catalog.named("Show It the Door")
        plain = msgspec.structs.replace(notice.card, play=(v.RemoveMonster(),))
        failure = played(catalog.with_card(notice.no, plain), text.format(treasures))
        assert not failure, failure


@pytest.mark.proves("curse.names")
def test_a_trap_of_another_set_is_a_curse() -> None:
    traps = pack("Traps", pack=("[words.no_identity]", '[words]\ncurse = "Trap"\n\n[words.no_identity]'))
    failure = played(
        load_catalog([MAZE, traps]),
        """
steps = [
  { by = "Roger", do = "play", card = "Stage Fright", on = "Kim", expect = { asks = { Kim = "shield" } } },
  { by = "Kim", do = "answer", pick = ["Helm of Selective Hearing"] },
  { expect = { levels = { Kim = 3 }, equipped = { Kim = [] } } },
]
open = true
[scenario.seats.Kim]
level = 3
table = ["Helm of Selective Hearing"]
[scenario.seats.Roger]
hand = ["Stage Fright"]
""",
    )
    assert not failure, failure


DEADLY = v.Card(id="level-drain-pipe", name="Level Drain Pipe", kind="curse", play=(v.Kill(),))


def deadly() -> Catalog:
    """The set with a curse that kills; none of its cards kills before a fight is decided."""
    catalog = load_catalog([MAZE])
    return catalog.with_card(catalog.named("Level Drain Pipe").no, DEADLY)


@pytest.mark.proves("death.in-combat")
def test_a_fighter_who_dies_before_the_fight_is_decided_ends_it() -> None:
    failure = played(
        deadly(),
        """
doors = ["Bearbug"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", kind = "help", treasures = 1 },
  { by = "Roger", do = "accept", expect = { helper = "Roger" } },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Kim" },
  { expect = { monsters = [], turn = "Roger", asks = { Roger = "kick" } } },
  { expect = { hand = { Roger = 0 }, levels = { Kim = 9, Roger = 2 } } },
]
[scenario.seats.Kim]
level = 9
[scenario.seats.Roger]
level = 2
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
""",
    )
    assert not failure, failure


@pytest.mark.proves("death.in-combat")
def test_if_the_helper_dies_the_fighter_continues_and_may_ask_another() -> None:
    failure = played(
        deadly(),
        """
doors = ["Bearbug"]
dice = [3, 5]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "offer", to = "Roger", kind = "help", treasures = 1 },
  { by = "Roger", do = "accept" },
  { by = "Ross", do = "play", card = "Level Drain Pipe", on = "Roger" },
  { expect = { helper = "", dead = ["Roger"], monsters = ["Bearbug"], asks = { Kim = "fight" } } },
  { by = "Kim", do = "offer", to = "Ross", kind = "help" },
  { by = "Ross", do = "accept", expect = { helper = "Ross" } },
]
[scenario.seats.Kim]
[scenario.seats.Roger]
[scenario.seats.Ross]
hand = ["Level Drain Pipe"]
""",
    )
    assert not failure, failure


def test_the_small_packs_pass_their_check() -> None:
    assert check_pack(pack("Plumbers")) == []
