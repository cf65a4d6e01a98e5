"""Advice of `kickdoor cards check`: where a printed text and its effects differ, or repeat each other."""

import time

import pytest

from core.authoring.advice import ADVICE_LIMIT, advise_pack
from core.authoring.lint import check_pack
from core.authoring.lint_files import Problem
from core.authoring.template import new_pack
from core.authoring.untrusted import parse_untrusted_pack
from tests.core.random_packs import random_pack, with_counts

MONSTER = '\n[[card]]\nid = "x"\nname = "X"\nkind = "monster"\nlevel = 2\ntreasures = 1\n'
CURSE = '\n[[card]]\nid = "x"\nname = "X"\nkind = "curse"\n'
SPEAR = '\n[[card]]\nid = "x"\nname = "X"\nkind = "item"\nslot = "2-hands"\nvalue = 300\nbonus = 2\n'
HAND = 'cards = { zone = "hand" }'
LOSS = f'bad = [{{ do = "discard", {HAND} }}]'
LEVEL = "bad = [{ do = 'level', by = -1 }]"


def advice(card: str) -> list[Problem]:
    """Return the advice on a new pack with one more card."""
    files = new_pack("My Set")
    files["pack.toml"] = files["pack.toml"].replace(b"door = 26", b"door = 27")
    if 'kind = "item"' in card:
        files["pack.toml"] = files["pack.toml"].replace(b"door = 27", b"door = 26").replace(b"re = 24", b"re = 25")
    files["more.toml"] = card.replace(",\n ", ",").encode()
    assert [str(problem) for problem in check_pack(files)] == []
    return advise_pack(files)


def test_a_new_pack_has_no_advice() -> None:
    assert advise_pack(new_pack("My Set")) == []


def test_a_pack_too_small_for_four_players_is_for_mixing() -> None:
    """Four players are dealt 16 cards of each deck: a pack with 15 gets a piece of advice, one with 16 does not."""
    files = with_counts({name: data for name, data in new_pack("My Set").items() if name != "items.toml"})
    (found,) = advise_pack(files)
    assert str(found).startswith("advice: pack.toml:")
    assert "counts.treasure: 4 players are dealt 16 Treasures, and this pack has 0" in str(found)
    assert "(mix it with a larger set: --set munchkins-and-mazes --set FOLDER)" in str(found)
    head = new_pack("My Set")["pack.toml"]
    enough, fewer = (head.replace(b"door = 26", b"door = %d" % count) for count in (16, 15))
    assert advise_pack({"pack.toml": enough}) == []
    assert [one.key for one in advise_pack({"pack.toml": fewer})] == ["counts.door"]


@pytest.mark.parametrize(
    ("card", "key", "says"),
    [
        (f'{MONSTER}text = "Bad Stuff: discard a card."\n{LOSS}', "bad", "nothing of that kind"),
        (f"""{MONSTER}text = "Bad Stuff: if it is Slimy, lose a level."
bad = [{{ do = "when", if = {{ tag = "slimy" }}, then = [{{ do = "level", by = -1 }}] }}]""", "bad", "nothing of that"),
        (f'{MONSTER}text = "You may run. Bad Stuff: lose a level."\n{LEVEL}', "text", "'You may'"),
        (f"""{CURSE}text = "Lose a level."
play = [{{ do = "option", of = [{{ text = "a", do = [{{ do = "level", by = -1 }}] }}, {{ text = "b" }}] }}]""",
         "play[0]", "is a choice"),
        (f'{MONSTER}text = "Bad Stuff: lose two levels."\n{LEVEL}', "text", "says 2"),
        (f'{MONSTER}text = "Roll +3. Bad Stuff: lose a level."\n{LEVEL}', "text", "says 3"),
        (f'{MONSTER}text = "Not from Level 4. Bad Stuff: lose a level."\n{LEVEL}', "text", "says 4"),
        (f'{MONSTER}text = "Five or more. Bad Stuff: lose a level."\n{LEVEL}', "text", "says 5"),
        (f'{MONSTER}text = "Bad Stuff: lose levels."\nbad = [{{ do = "level", by = -3 }}]', "bad[0].by", "is 3"),
        (f"""{MONSTER}text = "+2 against the low. Bad Stuff: lose a level."
mods = [{{ mod = "strength", by = 2, if = {{ level_at_most = 6 }} }}]
{LEVEL}""", "mods[0].if.level_at_most", "is 6"),
        (f"""{CURSE}text = "Roll the die: on 15 or more lose a level."
play = [{{ do = "die", save = "d", sides = 20 }},
  {{ do = "level", by = -1, if = {{ saved = "d", at_least = 15 }} }}]""", "play[0].sides", "is 20"),
        (f"""{MONSTER}text = "+3 against Plumbers, -2 to Run Away. Bad Stuff: lose a level."
mods = [{{ mod = "strength", by = 2, if = {{ has = "plumber" }} }}, {{ mod = "flee", by = -2 }}]
{LEVEL}""", "text", "says 3"),
        (f"""{CURSE}text = "You slip. Lose a level, please."
play = [{{ do = "level", by = -1 }}]""", "", "the same as Stage Fright"),
        (f'{MONSTER}text = "Wet feet. Bad Stuff: lose a level."\n{LEVEL}', "text", "'Wet feet', and so does Small"),
    ],
)  # fmt: skip
def test_each_kind_of_advice_has_its_card_and_key(card: str, key: str, says: str) -> None:
    (found,) = advice(card)
    assert (found.card, found.key, found.advice) == ("x", key, True)
    assert says in str(found) and str(found).startswith("advice: more.toml:")


@pytest.mark.parametrize(
    "card",
    [
        f'{MONSTER}text = "Bad Stuff: discard a card, if you have any."\n{LOSS}',
        f'{MONSTER}text = "Bad Stuff: discard a card; otherwise nothing."\n{LOSS}',
        f'{MONSTER}text = "Bad Stuff: discard a card and lose a level."\n{LOSS[:-1]}, {{ do = "level", by = -1 }}]',
        f"""{MONSTER}text = "Bad Stuff: discard a card; with none, lose a level."
{LOSS[:-3]}, else = [{{ do = "level", by = -1 }}] }}]""",
        f"""{MONSTER}text = "Bad Stuff: if it is Slimy, lose a level, otherwise a card and two levels."
bad = [{{ do = "when", if = {{ tag = "slimy" }}, then = [{{ do = "level", by = -1 }}],
  else = [{{ do = "discard", {HAND} }}, {{ do = "level", by = -2 }}] }}]""",
        f'{MONSTER}text = "You may not run. Nobody may help. Bad Stuff: lose a level."\n{LEVEL}',
        f'{CURSE}text = "You may ask nobody. Lose two levels."\nplay = [{{ do = "level", by = -2 }}]',
        f"""{MONSTER}text = "Bad Stuff: lose a level, and a card; with none, three levels."
{LEVEL[:-1]}, {{ do = "discard", {HAND}, else = [{{ do = "level", by = -2 }}] }}]""",
        f"""{CURSE}text = "Choose: lose two levels, or a card."
play = [{{ do = "option", of = [{{ text = "a", do = [{{ do = "level", by = -2 }}] }}, {{ text = "b" }}] }}]""",
        f"""{MONSTER}text = "The three of us have 40 teeth. Bad Stuff: lose a level."\n{LEVEL}""",
        f"""{SPEAR}text = "+2, and +5 for a Plumber. Two hands for it."
mods = [{{ mod = "strength", by = 3, if = {{ has = "plumber" }} }}]""",
        f"""{CURSE}text = "Roll: on 1 or 2 lose two levels."
play = [{{ do = "die", save = "d" }},
  {{ do = "when", if = {{ saved = "d", at_least = 3 }}, else = [{{ do = "level", by = -2 }}] }}]""",
        f'{SPEAR}text = "It drips."',
        f"""{CURSE}text = "Roll a d20: on a natural 1 lose a level."
play = [{{ do = "die", save = "d", sides = 20 }},
  {{ do = "level", by = -1, if = {{ saved = "d", at_most = 1 }} }}]""",
    ],
)
def test_what_a_reader_would_not_object_to_is_left_alone(card: str) -> None:
    assert advice(card) == []


@pytest.mark.long(3)
@pytest.mark.parametrize("seed", range(6))
def test_any_pack_without_mistakes_can_be_advised_on(seed: int) -> None:
    files = random_pack(seed)
    assert check_pack(files) == []
    found = advise_pack(files)
    assert len(found) <= ADVICE_LIMIT and all(problem.advice and problem.card for problem in found)


def test_advice_on_a_large_pack_of_long_texts_ends_soon() -> None:
    text = ("+1 two or more big " * 30)[:400].strip()
    card = '[[card]]\nid = "c%s"\nname = "C%s"\nkind = "curse"\ntext = "%s"\nplay = [{ do = "level", by = -%s }]\n'
    rows = "".join(card % (no, no, f"{no} {text}"[:400].strip(), no % 90 + 3) for no in range(2000))
    began = time.process_time()
    assert len(advise_pack({"pack.toml": new_pack("My Set")["pack.toml"], "cards.toml": rows.encode()})) == ADVICE_LIMIT
    assert time.process_time() - began < 10


def test_nobody_refuses_a_pack_for_advice() -> None:
    files = new_pack("My Set")
    files["monsters.toml"] = files["monsters.toml"].replace(b"Lose two levels", b"Lose four levels")
    assert len(advise_pack(files)) == 2
    assert parse_untrusted_pack({name: data for name, data in files.items() if "/" not in name}).head.id == "my-set"
