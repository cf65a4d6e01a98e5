"""Disadvantages of an identity: which conditions of the built-in sets are disadvantages, and every form of them.

A Super Munchkin or Half-Breed with a single identity is free of each, and with two identities of none
(self.super-single, self.super-double)."""

import pytest

from cards import BUILT_IN
from core.authoring.drawbacks import drawbacks
from core.authoring.lint import check_pack
from core.language import schema as v
from core.language.selectors import Amount, Cards, If
from tests.blends import catalog_of
from tests.core.changed_cards import scenario_passes, with_cards
from tests.core.kitchen import files

FOUND = {
    "munchkins-and-mazes:full-bucket-helm": "unless",
    "munchkins-and-mazes:stilts-of-the-moral-high-ground": "unless",
    "munchkins-and-mazes:lawn-gnome": "mods[0].if",
    "munchkins-and-mazes:grammar-grue": "mods[0].if",
    "munchkins-and-mazes:ghost-writer": "bad[0].if",
    "munchkins-and-mazes:bearbug": "mods[0].if",
    "munchkins-and-mazes:mummys-boy": "mods[0].if",
    "axe-cop:turn-in-your-badge": "play[0].if",
    "axe-cop:the-floor-is-lava": "play[0].then[0].if",
    "axe-cop:afraid-of-the-dark": "play[0].mods[0].if",
    "axe-cop:robot-dentist": "mods[0].if",
    "axe-cop:evil-twin-of-you": "mods[0].by.count",
    "axe-cop:lava-shark": "mods[1].if",
    "axe-cop:evil-tooth-fairy": "mods[1].if",
    "axe-cop:chainsaw-cop": "mods[0].if",
    "apocalypse:bat-with-opinions": "unless",
    "apocalypse:expired-yogurt": "mods[0].if",
    "apocalypse:leaked-passwords": "mods[0].if",
    "apocalypse:liver-casserole": "mods[0].if bad[0].if",
    "apocalypse:undead-influencer": "mods[0].if",
    "apocalypse:beer-shortage": "foes[0].by.having",
    "apocalypse:peanut-butter-shortage": "foes[0].by.having",
    "apocalypse:the-wifi-goes-out": "foes[0].by.having",
    "apocalypse:peer-review": "foes[0].by.having",
    "warhammer-40k:court-martial": "play[0].if",
    "warhammer-40k:blood-feud": "play[0].meets",
    "warhammer-40k:gauss-sickle": "won[0].meets",
    "warhammer-40k:carapace-of-regret": "unless",
    "warhammer-40k:levy-of-the-six-hosts": "play[1].then[0].if",
    "warhammer-40k:nurgling": "mods[0].if",
    "warhammer-40k:drill-abbot": "mods[0].if",
    "warhammer-40k:plague-chef": "mods[0].if",
    "warhammer-40k:pink-horror-of-tzeentch": "mods[0].if",
    "warhammer-40k:abbess-of-the-candle-stair": "mods[0].if",
    "warhammer-40k:bioform-in-the-pantry": "mods[0].if",
    "warhammer-40k:champion-who-counts-skulls": "mods[0].by.having",
    "warhammer-40k:bloated-guest-at-the-feast": "mods[0].if escaped[0].if",
    "warhammer-40k:monarch-under-the-dust": "mods[0].if",
    "warhammer-40k:green-stampede-on-three-wheels": "mods[0].if",
}
"""The disadvantages in the built-in sets: cards, and the keys of their conditions. If you change a card, this shows the
effect on a Super Munchkin."""


def test_the_disadvantages_of_the_built_in_sets() -> None:
    found = {d.full_id: " ".join(drawbacks(d.card)) for d in catalog_of(BUILT_IN).cards}
    assert {name: keys for name, keys in found.items() if keys} == FOUND


# ------------------------------------------------------------------------------------------------------- in every form
THIEF, VICTIM = If(has="thief"), If(who="victim", has="thief")
SINGLE, PLAIN, DOUBLE = ["Super Munchkin", "Thief"], ["Thief"], ["Super Munchkin", "Thief", "Cleric"]
KICK = '{ by = "Kim", do = "kick" }, { pass = "all" }, '
CURSE = '{ by = "Roger", do = "play", card = "Level Drain Pipe", on = "Kim"'


def passes(steps: str, table: list[str], **fields: object) -> None:
    """Check the steps of a scenario. Kim has these identities and meets a Practice Rat; Roger holds a Level Drain Pipe.
    fields: changes of the card that the steps name: the Level Drain Pipe, or else the Practice Rat."""
    kind = "level_drain_pipe" if "Drain" in steps else "practice_rat"
    scenario_passes(
        f"""
doors = ["Practice Rat"]
open = true
steps = [{steps}]
[scenario.seats.Kim]
level = 5
hand = ["Elf", "Orc"]
table = {[*table, "Pickle Spear"]}
[scenario.seats.Roger]
hand = ["Level Drain Pipe"]
[scenario.seats.Ross]
""",
        with_cards(**{kind: fields}),
    )


@pytest.mark.proves("self.super-spared")
@pytest.mark.parametrize(
    ("mod", "free", "struck"),
    [
        (v.Strength(by=4, if_=THIEF), "foes = 1", "foes = 5"),
        (v.Strength(by=Amount(having=THIEF, times=3)), "foes = 1", "foes = 4"),
        (v.Strength(by=2, if_=If(cards=Cards(zone="play", identity="class"))), "foes = 1", "foes = 3"),
        (v.Strength(by=-3, if_=If(none=(THIEF,))), "foes = -2", "foes = 1"),
        (v.Strength(by=-3, if_=THIEF), "foes = -2", "foes = -2"),
        (v.Strength(by=Amount(having=THIEF, times=-3)), "foes = -2", "foes = -2"),
        (v.Ignore(what="bonuses", if_=THIEF), "heroes = 9", "heroes = 5"),
        (v.Reward(treasures=2, levels=1, if_=THIEF), "due = { levels = 2 }", "due = { levels = 2 }"),
        (v.Reward(levels=-1, if_=THIEF), "due = { levels = 1 }", "due = { levels = 0 }"),
    ],
    ids=["stronger", "counts players", "asks for a kind", "weaker unless", "weaker", "counts for", "ignores", "pays",
         "pays less"],
)  # fmt: skip
def test_a_monster(mod: v.Mod, free: str, struck: str) -> None:
    for table, seen in ((SINGLE, free), (PLAIN, struck), (DOUBLE, struck)):
        passes(f"{KICK}{{ expect = {{ {seen} }} }}", table, mods=(mod,))


@pytest.mark.proves("self.super-spared")
def test_a_monster_that_counts_identities_counts_both_of_two_and_none_of_one() -> None:
    mod = v.Strength(by=Amount(count=Cards(of="fighter", zone="identities"), times=2))
    for table, foes in ((SINGLE, 1), (PLAIN, 3), (DOUBLE, 5)):
        passes(f"{KICK}{{ expect = {{ foes = {foes} }} }}", table, mods=(mod,))


@pytest.mark.proves("self.super-spared")
def test_a_monster_that_bars_helpers() -> None:
    offer = '{ by = "Kim", do = "offer", to = "Ross"'
    ban = v.Forbid(what="help", if_=THIEF)
    passes(f"{KICK}{offer} }}", SINGLE, mods=(ban,))
    for table in (PLAIN, DOUBLE):
        passes(f'{KICK}{offer}, refused = "help.ask" }}', table, mods=(ban,))


WORSE = v.Branch(if_=THIEF, then=(v.Level(by=-2),), else_=(v.Level(by=-1),))
BETTER = v.Branch(if_=THIEF, then=(v.Level(by=-1),), else_=(v.Level(by=-2),))
EACH = v.Each(who="all", then=(v.Level(by=-1, who="me", if_=If(who="me", has="thief")),))
COUNTED = Amount(having=If(who="me", has="thief"), times=-2)
LASTS = v.Linger(until="turn", mods=(v.Strength(by=-3, if_=THIEF),))
TAKEN = v.Take(cards=Cards(of="chosen", zone="items"))
ROBBED = v.ChooseSeat(among="others", by="you", meets=If(who="me", has="thief"))


@pytest.mark.proves("self.super-spared")
@pytest.mark.parametrize(
    ("text", "free", "struck"),
    [
        ((v.Level(by=-2, if_=THIEF),), "levels = { Kim = 5 }", "levels = { Kim = 3 }"),
        ((v.Level(by=COUNTED),), "levels = { Kim = 5 }", "levels = { Kim = 3 }"),
        ((v.Level(by=-2, if_=If(none=(THIEF,))),), "levels = { Kim = 5 }", "levels = { Kim = 5 }"),
        ((v.Level(by=-2, if_=If(none=(If(has="human"),))),), "levels = { Kim = 5 }", "levels = { Kim = 5 }"),
        ((WORSE,), "levels = { Kim = 4 }", "levels = { Kim = 3 }"),
        ((BETTER,), "levels = { Kim = 4 }", "levels = { Kim = 4 }"),
        ((EACH,), "levels = { Kim = 5 }", "levels = { Kim = 4 }"),
        ((v.Level(by=1, if_=THIEF),), "levels = { Kim = 6 }", "levels = { Kim = 6 }"),
        ((v.Discard(cards=Cards(zone="hand", pick="all"), if_=THIEF),), "hand = { Kim = 2 }", "hand = { Kim = 0 }"),
        ((LASTS,), "strength = { Kim = 9 }", "strength = { Kim = 6 }"),
        ((ROBBED, TAKEN), "carried = { Roger = [] }", 'carried = { Roger = ["Pickle Spear"] }'),
        ((ROBBED, v.Draw(who="chosen")), "hand = { Kim = 3 }", "hand = { Kim = 3 }"),
        ((v.Level(by=-2, if_=If(has="thief", drawback=False)),), "levels = { Kim = 3 }", "levels = { Kim = 3 }"),
        ((v.SetLevel(to=2, if_=If(has="thief", drawback=True)),), "levels = { Kim = 5 }", "levels = { Kim = 2 }"),
    ],
    ids=["if", "counts", "unless", "unless none", "worse", "better", "each", "good", "hand", "lingers", "robs", "gives",
         "no drawback", "drawback"],
)  # fmt: skip
def test_a_curse(text: tuple[v.Op, ...], free: str, struck: str) -> None:
    for table, seen in ((SINGLE, free), (PLAIN, struck), (DOUBLE, struck)):
        passes(f"{CURSE}, expect = {{ {seen} }} }}", table, play=text)


@pytest.mark.proves("self.super-spared")
@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ((v.Level(by=COUNTED),), "levels = { Kim = 3 }"),
        ((v.Level(by=COUNTED, who="all"),), "levels = { Kim = 3, Ross = 5, Roger = 3 }"),
        ((v.Level(by=Amount(count=Cards(of="all", zone="identities"), times=-1)),), "levels = { Kim = 4 }"),
        ((v.SetLevel(to=Amount(base=4, having=If(who="me", has="thief"), times=-1)),), "levels = { Kim = 1 }"),
        ((v.Discard(cards=Cards(zone="hand", count=Amount(having=If(who="me", has="thief")))),), 'asks = "lose"'),
    ],
    ids=["counts", "strikes all", "counts cards", "sets", "discards"],
)  # fmt: skip
def test_what_an_identity_costs_another_player_is_no_disadvantage_of_it(text: tuple[v.Op, ...], seen: str) -> None:
    """Ross is only a Thief, and has only its advantages."""
    seen = seen.replace('asks = "lose"', 'asks = { Kim = "lose" }')
    scenario_passes(
        f"""
steps = [{CURSE}, expect = {{ {seen} }} }}]
open = true
[scenario.seats.Kim]
level = 5
hand = ["Elf", "Orc"]
[scenario.seats.Roger]
level = 5
hand = ["Level Drain Pipe"]
[scenario.seats.Ross]
level = 5
table = ["Super Munchkin", "Thief"]
""",
        with_cards(level_drain_pipe={"play": text}),
    )


@pytest.mark.proves("self.super-spared")
def test_a_curse_for_thieves_alone_cannot_be_aimed_at_one_who_only_has_what_is_good_about_it() -> None:
    play = (v.Level(by=-1),)
    passes(f'{CURSE}, refused = "condition", legal = false }}', SINGLE, if_=VICTIM, play=play)
    for table in (PLAIN, DOUBLE):
        passes(f"{CURSE}, expect = {{ levels = {{ Kim = 4 }} }} }}", table, if_=VICTIM, play=play)


@pytest.mark.proves("self.super-spared")
def test_a_choice_more_is_a_disadvantage_only_if_somebody_else_has_it() -> None:
    for by, table, asked in (("you", SINGLE, ""), ("you", DOUBLE, "Roger"), ("victim", SINGLE, "Kim")):
        choice = v.Option(
            by=by,  # type: ignore[arg-type]
            of=(v.Choice(text="one", do=(v.Level(by=-1),)), v.Choice(text="two", if_=VICTIM, do=(v.Level(by=-2),))),
        )
        expect = f'asks = {{ {asked} = "option" }}' if asked else "levels = { Kim = 4 }"
        passes(f"{CURSE}, expect = {{ {expect} }} }}", table, play=(choice,))


def test_an_identity_can_be_lost_by_whoever_has_no_disadvantages_of_it() -> None:
    lost = v.Discard(cards=Cards(zone="identities", identity="class"))
    asked = v.Branch(if_=If(cards=Cards(zone="identities")), then=(lost,), else_=(v.Level(by=-1),))
    for text in ((lost,), (asked,)):
        passes(f"{CURSE}, expect = {{ identities = {{ Kim = [] }}, levels = {{ Kim = 5 }} }} }}", SINGLE, play=text)


@pytest.mark.parametrize(
    ("cond", "key", "words"),
    [
        ("level_at_least = 2, drawback = true", "play[0].if.drawback", "asks for no identity"),
        ('none = [{ has = "elf", drawback = true }]', "play[0].if.none[0].drawback", "means nothing here"),
    ],
)
def test_a_mark_where_nothing_is_decided_is_a_mistake(cond: str, key: str, words: str) -> None:
    pack = files()
    pack["doors.toml"] += f"""
[[card]]
id = "marked"
name = "Marked"
kind = "curse"
text = "Marked."
play = [{{ do = "level", by = -1, if = {{ {cond} }} }}]
""".encode()
    assert [problem.key for problem in check_pack(pack) if words in problem.message] == [key]
