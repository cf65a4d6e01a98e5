"""The mutation test: if any part of a card is changed, a scenario of that card fails."""

import pytest

from cards import BUILT_IN
from core.language import schema as v
from core.scenario.runner import load
from tests.card_mutation import judge, mutants, proving
from tests.mutation import jobs_for, judge_card, scenarios_of
from tests.scenarios import catalog_for


@pytest.mark.long(4)
@pytest.mark.parametrize("set_id", BUILT_IN)
def test_every_part_of_every_card_is_proved(set_id: str) -> None:
    """One card in thirty-six is changed here, and all of them by `python -m tests.mutation`, which the gate runs."""
    verdicts = [judge_card(job) for job in jobs_for((set_id,))[::36]]
    cards = [definition.full_id for definition in catalog_for((set_id,)).cards]
    unproved = [card for card in cards if not proving(scenarios_of(set_id), card)]
    survivors = [f"{verdict.card}: {what}" for verdict in verdicts for what in verdict.survivors]
    failures = [f"{verdict.card}: {failure}" for verdict in verdicts for failure in verdict.failures]
    file = f"cards/{set_id}/scenarios/*.toml"
    assert not unproved, f'write a scenario with proves = ["{unproved[0]}"] in {file} for each of {", ".join(unproved)}'
    assert not failures, "scenarios fail before anything is changed:\n" + "\n".join(failures)
    assert not survivors, f"no scenario in {file} notices these changes of cards:\n" + "\n".join(survivors)
    assert sum(verdict.mutants for verdict in verdicts) > 6 * len(verdicts)


def test_every_part_of_a_card_is_mutated() -> None:
    card = v.Card(
        id="x",
        name="X",
        kind="monster",
        level=3,
        treasures=2,
        mods=(v.Strength(by=4, if_=v.If(has="elf")),),
        bad=(
            v.Discard(cards=v.Cards(zone="hand", count=2), else_=(v.Level(by=-1, who="left"),)),
            v.Branch(if_=v.If(level_at_least=5), then=(v.Kill(),)),
        ),
    )
    assert [mutant.what for mutant in mutants(card)] == [
        "level = 3 -> 2",
        "level = 3 -> 4",
        "treasures = 2 -> 0",
        "treasures = 2 -> 3",
        "levels = 1 -> 2",
        "mods[0] (strength) taken out",
        "mods[0].if taken away",
        "mods[0].if.has = elf -> nothing",
        "mods[0].by = 4 -> 0",
        "mods[0].by = 4 -> 5",
        "bad[0] (discard) taken out",
        "bad[0].cards.zone = hand -> items",
        "bad[0].cards.count = 2 -> 1",
        "bad[0].cards.count = 2 -> 3",
        "bad[0].else[0] (level) taken out",
        "bad[0].else[0].by = -1 -> 1",
        "bad[0].else[0].by = -1 -> -2",
        "bad[0].else[0].who = left -> right",
        "bad[1] (when) taken out",
        "bad[1].if taken away",
        "bad[1].if.level_at_least = 5 -> nothing",
        "bad[1].if.level_at_least = 5 -> 6",
        "bad[1].then[0] (kill) taken out",
    ]


def test_a_card_that_discards_itself_is_one_card() -> None:
    card = v.Card(id="x", name="X", kind="special", play=(v.Discard(cards=v.Cards(of="you", this=True)),))
    assert not [mutant.what for mutant in mutants(card) if ".count" in mutant.what]
    assert all(mutant.card != card for mutant in mutants(card))


def test_parts_that_only_other_books_have_are_mutated_too() -> None:
    identity = v.Card(
        id="x", name="X", kind="identity", identity="power", rank=2,
        mods=(v.TwoHanded(), v.SealDraw(), v.SpareDeath(), v.LootFight()),
        abilities=(v.Ability(text="x", when="any", cost=v.Cost(kind="item"), do=(v.CloseSeal(),)),),
    )  # fmt: skip
    seal = v.Card(id="x", name="X", kind="seal", foes=(v.Strength(by=2),), play=(v.OpenSeal(), v.SwapSex(who="all")))
    ally = v.Card(id="x", name="X", kind="ally", bonus=3, free=True)
    item = v.Card(id="x", name="X", kind="item", value=0, bonus=1, slot="vehicle", for_ally=True)
    upgrade = v.Card(id="x", name="X", kind="upgrade", value=0, bonus=1)
    found = [mutant.what for card in (identity, seal, ally, item, upgrade) for mutant in mutants(card)]
    assert [what for what in found if "bonus" not in what] == [
        "identity = power -> nothing",
        "rank = 2 -> nothing",
        "rank = 2 -> 3",
        "mods[0] (two_handed) taken out",
        "mods[0].by = 3 -> 4",
        "mods[1] (seal_draw) taken out",
        "mods[1].deck = door -> treasure",
        "mods[1].count = 1 -> 2",
        "mods[2] (spare_death) taken out",
        "mods[2].levels = 1 -> 2",
        "mods[3] (loot_fight) taken out",
        "abilities[0] taken out",
        "abilities[0].when = any -> prepare",
        "abilities[0].cost taken away",
        "abilities[0].cost.least = 1 -> 2",
        "abilities[0].cost.most = 1 -> 2",
        "abilities[0].cost.kind = item -> nothing",
        "abilities[0].do[0] (close_seal) taken out",
        "foes[0] (strength) taken out",
        "foes[0].by = 2 -> 0",
        "foes[0].by = 2 -> 3",
        "play[0] (open_seal) taken out",
        "play[1] (swap_sex) taken out",
        "play[1].who = all -> you",
        "free = True -> False",
        "value = 0 -> nothing",
        "value = 0 -> 100",
        "slot = vehicle -> nothing",
        "for_ally = True -> False",
        "value = 0 -> 100",
    ]


def test_how_many_of_the_card_itself_is_not_mutated() -> None:
    gone = v.Discard(cards=v.Cards(of="you", zone="items", this=True))
    item = v.Card(id="x", name="X", kind="item", value=100, won=(gone,))
    found = [mutant.what for mutant in mutants(item)]
    assert "won[0].cards.this = True -> nothing" in found
    assert not any(".count" in what for what in found)


PLAY = """
[[scenario]]
name = "Played, but nothing is expected"
proves = ["munchkins-and-mazes:prismatic-glitter"]
doors = ["Glampire"]
steps = [
  { by = "Kim", do = "kick" },
  { pass = "all" },
  { by = "Kim", do = "play", card = "Prismatic Glitter", side = "heroes" },
]
[scenario.seats.Kim]
hand = ["Prismatic Glitter"]
"""


def test_a_scenario_that_expects_nothing_leaves_survivors() -> None:
    catalog = catalog_for(("munchkins-and-mazes",))
    glitter = catalog.named("Prismatic Glitter")
    blind = proving(load(PLAY.encode(), "blind"), glitter.full_id)
    looking = load(PLAY.replace('side = "heroes" }', 'side = "heroes", expect = { heroes = 6 } }').encode(), "looking")
    assert any("play[0] (bonus) taken out" in what for what in judge(catalog, glitter.no, blind).survivors)
    assert not any("play[0]" in what for what in judge(catalog, glitter.no, looking).survivors)
    assert judge(catalog, glitter.no, []).survivors
