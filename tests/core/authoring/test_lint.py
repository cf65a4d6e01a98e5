"""`kickdoor cards check`: every mistake of a pack, each with its place and a hint."""

import tomllib
from random import Random
from typing import Any

import msgspec
import pytest

from cards import BUILT_IN, pack_files
from core.authoring.decode import MISTAKES_LIMIT, decode
from core.authoring.lint import PROBLEMS_LIMIT, Problem, check_pack, schema
from core.authoring.template import new_pack
from core.language import schema as v
from core.language.catalog import load
from core.language.manifest import PackHead
from core.scenario.runner import run_texts


def mistakes(file: str, old: str, new: str) -> list[Problem]:
    """Return what the check finds in a new pack with one thing changed."""
    files = new_pack("My Set")
    assert old.encode() in files[file]
    return check_pack({**files, file: files[file].replace(old.encode(), new.encode(), 1)})


@pytest.mark.parametrize("set_id", BUILT_IN)
def test_built_in_packs_pass(set_id: str) -> None:
    assert [str(problem) for problem in check_pack(pack_files(set_id))] == []


def test_a_new_pack_passes_its_check_loads_and_passes_its_scenario() -> None:
    files = new_pack("My Own Set")
    assert check_pack(files) == []
    catalog = load([{name: data for name, data in files.items() if "/" not in name}])
    assert {definition.set_id for definition in catalog.cards} == {"my-own-set"}
    report = run_texts(lambda sets: catalog, {"first": files["scenarios/first.toml"]})
    assert (report.scenarios, report.failures) == (1, ())


@pytest.mark.parametrize("name", ["", "!!", 'a"b', "a\nb", "a\\b"])
def test_an_unusable_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="makes no id"):
        new_pack(name)


@pytest.mark.parametrize(
    ("file", "old", "new", "card", "key", "says"),
    [
        ("monsters.toml", "level = 1\n", "", "small-puddle", "level", "needs level"),
        ("monsters.toml", "level = 1\n", "level = 31\n", "small-puddle", "level", "1 to 20"),
        ("monsters.toml", "treasures = 1\n", "", "small-puddle", "treasures", "at least one Treasure"),
        ("monsters.toml", "treasures = 1\n", "tresures = 1\n", "small-puddle", "tresures", "did you mean 'treasures'?"),
        ("monsters.toml", "treasures = 1\n", 'treasures = "1"\n', "small-puddle", "treasures", "found the text"),
        ("monsters.toml", "level = 1\n", "level = 1\nslot = 'feet'\n", "small-puddle", "slot", "means nothing"),
        ("monsters.toml", 'mod = "strength"', 'mod = "strenght"', "large-puddle", "mods[0].mod", "mean 'strength'?"),
        ("monsters.toml", "by = 3", "bye = 3", "large-puddle", "mods[0].bye", "did you mean 'by'?"),
        ("monsters.toml", 'has = "plumber"', 'above = "you"', "large-puddle", "mods[0].if.above",
         "(did you mean 'saved'? The keys here are all, alone, any, "),
        ("monsters.toml", 'has = "plumber"', 'has = "plumer"', "large-puddle", "mods[0].if.has", "plumer"),
        ("monsters.toml", 'zone = "equipped"', 'zone = "equiped"', "small-puddle", "bad[0].cards.zone", "'equipped'?"),
        ("monsters.toml", 'tags = ["slimy"]', 'tags = ["slimey"]', "small-puddle", "tags", "no tag is called"),
        ("monsters.toml", "by = 3", 'by = { tagged = "sly" }', "large-puddle", "mods[0].by.tagged", "no tag is called"),
        ("monsters.toml", 'id = "large-puddle"', 'id = "small-puddle"', "small-puddle", "id", "already"),
        ("monsters.toml", 'name = "Large Puddle"', 'name = "Small Puddle"', "large-puddle", "name", "already"),
        ("monsters.toml", "Wet feet", "Wet \u6c34 feet", "small-puddle", "text", "two columns wide"),
        ("monsters.toml", "by = -2", 'by = -2, who = "me"', "large-puddle", "bad[0].who", "me is the seat of an each"),
        ("monsters.toml", "by = -2", 'by = { saved = "x" }', "large-puddle", "bad[0].by.saved", "not been saved"),
        ("monsters.toml", "copies = 9", "copies = 8", "", "counts.door", "26 door cards, but there are 25"),
        ("monsters.toml", "[[card]]", "[card]]", "", "", "not TOML"),
        ("doors.toml", 'mod = "flee", by = 1', 'mod = "pay_roll", by = 0', "plumber", "mods[0].by", "1 to 99"),
        ("doors.toml", 'mod = "flee", by = 1', 'mod = "pay_roll", most = -1', "plumber", "mods[0].most", "1 to 99"),
        ("doors.toml", 'identity = "class"\n', "", "plumber", "identity", "needs identity"),
        ("doors.toml", 'identity = "class"\n', 'identity = "race"\n', "plumber", "identity", "one of class"),
        ("doors.toml", "play =", "bad =", "stage-fright", "play", "needs play"),
        ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "spares" }', "plumber", "mods[0]", "cards of players"),
        ("doors.toml", '{ do = "level", by = -1 }', '{ do = "compel" }', "stage-fright", "play[0].who", "choose_seat"),
        ("doors.toml", '{ do = "level", by = -1 }', '{ do = "lift" }', "stage-fright", "play[0]", 'target = "curse"'),
        ("doors.toml", "text = \"Lose a level.\"\n", "", "stage-fright", "text", "is empty"),
        ("items.toml", "value = 500\n", "", "mop", "value", "No Value is value = 0"),
        ("items.toml", "bonus = 3\n", "", "mop", "bonus", "does nothing"),
        ("items.toml", 'target = "side"\n', "", "bucket-of-sand", "play[0]", 'target = "side"'),
        ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "roll_is", value = 1 }', "plumber", "mods[0]", "until"),
        ("doors.toml", '{ do = "level", by = -1 }',
         '{ do = "linger", until = "turn", mods = [{ mod = "roll_is", value = 1 }] }',
         "stage-fright", "play[0].mods[0]", "until that roll"),
        ("pack.toml", "door = 26", "doors = 26", "", "counts.doors", "did you mean 'door'?"),
        ("pack.toml", "vocabulary = 1", "vocabulary = 2", "", "vocabulary", "2"),
        ("pack.toml", "limit = 1", "ranked = true", "plumber", "rank", "is missing"),
        ("pack.toml", 'book = "maze"', 'book = "mase"', "", "book", "did you mean 'maze'?"),
        ("pack.toml", 'class = "no', 'clas = "no', "", "words.no_identity", "no kind of identity 'clas'"),
        ("pack.toml", "[words.no", '[portraits]\npalettes = [["00ff00"]]\n[words.no', "", "portraits.palettes[0]",
         "a length of 1, not of 5"),
        ("pack.toml", "[words.no", '[portraits]\npalettes = [["0", "000000", "000000", "000000", "000000"]]\n[words.no',
         "", "portraits.palettes[0][0]", "not allowed here"),
        ("pack.toml", "[words.no", '[words.phases]\nkik = "K"\n[words.no', "", "words.phases", "no phase 'kik'"),
        ("pack.toml", "[[tags]]", '[[tags]]\nid = "slimy"\nname = "S"\n[[tags]]', "", "tags", "is used twice"),
        ("doors.toml", "copies = 6\n", "copies = 6\nrank = 2\n", "plumber", "rank", "class has no Ranks"),
        ("doors.toml", '{ do = "level", by = -1 }', '{ do = "sacrifice" }', "stage-fright", "play[0]", "every Ally"),
        ("doors.toml", 'kind = "curse"', 'kind = "seal"', "", "counts.seal", "says 0 seal cards, but there are 5"),
        ("items.toml", "value = 300", 'value = 300\ndeck = "seal"', "rubber-boots", "deck", "does not belong there"),
        ("items.toml", "value = 300", "free = true\nvalue = 300", "rubber-boots", "free", "means nothing"),
        ("items.toml", "one_shot =", "for_ally = true\none_shot =", "bucket-of-sand", "for_ally", "not carried"),
        ("items.toml", 'kind = "item"', 'kind = "upgrade"', "rubber-boots", "slot", "means nothing"),
        ("items.toml", '"strength", by = 1', '"reward", levels = 1', "rubber-boots", "mods[0].levels", "of players"),
        ("items.toml", 'kind = "item"', 'kind = "ally"', "rubber-boots", "value", "means nothing"),
        ("monsters.toml", 'has = "plumber"', 'sex = "male"', "large-puddle", "mods[0].if", "nobody has a sex"),
        ("monsters.toml", 'mod = "strength"', 'mod = "two_handed"', "large-puddle", "mods[0]", "cards of monsters"),
        ("monsters.toml", '"strength", by = 3', '"ignore", what="feet", tag="a"', "large-puddle", "mods[0].tag", "for"),
        ("doors.toml", '{ do = "level", by = -1 }', '{ do = "discard", cards = { zone = "hand", big = true } }',
         "stage-fright", "play[0].cards.big", "reveal what is in a hand"),
        ("scenarios/first.toml", "doors =", "door =", "A bucket of sand turns the fight", "door", "mean 'doors'?"),
    ],
)  # fmt: skip
def test_a_mistake_is_found_where_it_is(file: str, old: str, new: str, card: str, key: str, says: str) -> None:
    found = mistakes(file, old, new)
    places = [problem for problem in found if (problem.card, problem.key) == (card, key)]
    assert any(says in str(problem) for problem in places), [str(problem) for problem in found]


def test_a_mistake_has_its_line() -> None:
    (problem,) = mistakes("monsters.toml", 'has = "plumber"', 'has = "plumer"')
    files = new_pack("My Set")
    line = files["monsters.toml"].decode().splitlines()[problem.line - 1]
    assert line.startswith("mods = ")
    assert str(problem).startswith(f"monsters.toml:{problem.line}, large-puddle, mods[0].if.has: ")
    (broken,) = mistakes("items.toml", "value = 300", "value = ")
    assert broken.line == 8


def test_every_mistake_of_a_pack_is_in_one_report() -> None:
    """Unknown keys, wrong types, unknown words and undefined names, in one card and in several, in every file."""
    files = new_pack("My Set")
    changes = {
        "pack.toml": [('name = "Class"', 'nam = "C"'), ("limit = 1", 'limit = "1"'), ("joins = false", "joints = 0")],
        "monsters.toml": [
            ("level = 1\n", "levle = 31\n"),
            ('zone = "equipped"', 'zone = "equiped"'),
            ('tags = ["slimy"]\ntext = "Bad', 'tags = ["slimey"]\ntext = "Bad'),
            ("by = 3", 'by = "three"'),
            ('has = "plumber"', 'has = "plumer"'),
            ("by = -2", 'by = -2, whom = "you", who = "nobody"'),
        ],
        "items.toml": [("bonus = 1\n", "bonus = 1\nrank = 2\n"), ("{ tag =", "{ tags ="), ("by = 3", "by = 300")],
        "doors.toml": [('{ do = "level", by = -1 }', '{ do = "dance" }, { do = "level", by = 0.5 }')],
        "scenarios/first.toml": [('turn = "Kim"', 'turn = "Tim"'), ("foes = 1", "fos = 1"), ("pass =", "pas =")],
    }
    for name, pairs in changes.items():
        for old, new in pairs:
            assert old.encode() in files[name], old
            files[name] = files[name].replace(old.encode(), new.encode(), 1)
    places = {(problem.file, problem.card, problem.key) for problem in check_pack(files)}
    assert places == {
        ("pack.toml", "", "identities[0].nam"),
        ("pack.toml", "", "identities[0].limit"),
        ("pack.toml", "", "tags[0].joints"),
        ("monsters.toml", "small-puddle", "levle"),
        ("monsters.toml", "small-puddle", "bad[0].cards.zone"),
        ("monsters.toml", "small-puddle", "tags"),
        ("monsters.toml", "large-puddle", "mods[0].by"),
        ("monsters.toml", "large-puddle", "mods[0].if.has"),
        ("monsters.toml", "large-puddle", "bad[0].whom"),
        ("monsters.toml", "large-puddle", "bad[0].who"),
        ("items.toml", "rubber-boots", "rank"),
        ("items.toml", "rubber-boots", "mods[0].if.tags"),
        ("items.toml", "bucket-of-sand", "play[0].by"),
        ("doors.toml", "stage-fright", "play[0].do"),
        ("doors.toml", "stage-fright", "play[1].by"),
        ("scenarios/first.toml", "A bucket of sand turns the fight", "turn"),
        ("scenarios/first.toml", "A bucket of sand turns the fight", "step 2, pas"),
        ("scenarios/first.toml", "A bucket of sand turns the fight", "step 2, expect.fos"),
    }


def test_cards_after_one_that_is_not_toml_are_checked_too() -> None:
    files = new_pack("My Set")
    files["items.toml"] = files["items.toml"].replace(b"value = 300", b"value = ").replace(b"500", b"5000")
    found = [(problem.line, problem.card, problem.key) for problem in check_pack(files)]
    assert found == [(8, "", ""), (19, "mop", "value")]


def test_a_misspelt_word_is_read_as_the_word_that_was_meant() -> None:
    """One mistake is one line: nothing else is wrong because of it."""
    for file, old, new in (
        ("items.toml", 'target = "side"', 'target = "sied"'),
        ("items.toml", 'target = "side"', 'traget = "side"'),
        ("doors.toml", 'kind = "curse"', 'kind = "curs"'),
        ("doors.toml", 'name_key = "plumber"', 'name_kee = "plumber"'),
        ("doors.toml", "play = ", "pley = "),
        ("pack.toml", 'id = "slimy"', 'id = "Slimy!"'),
        ("pack.toml", "[[identities]]", "[[identites]]"),
    ):
        found = mistakes(file, old, new)
        assert len(found) == 1, [str(problem) for problem in found]


JUNK = ["?", "", 0, -1, 10**12, 0.5, True, [], [1], {}, {"do": "?"}, {"mod": 1}, [{"x": {}}], "choose", "9" * 500]


def test_the_check_finds_a_mistake_exactly_if_the_loader_refuses_the_card() -> None:
    """Spoil built-in cards at random: the check finds a mistake if and only if the loader refuses the card."""
    random = Random(7)
    rows = [
        row
        for set_id in BUILT_IN
        for name, data in pack_files(set_id).items()
        if name != "pack.toml"
        for row in tomllib.loads(data.decode())["card"]
    ]
    for _ in range(3000):
        row = msgspec.json.decode(msgspec.json.encode(random.choice(rows)))
        spoil(row, random)
        read = decode(row, v.Card)
        try:
            card = msgspec.convert(row, v.Card)
        except msgspec.ValidationError as error:
            assert read.mistakes, (row, error)
        else:
            assert (read.value, read.mistakes, read.lost) == (card, (), frozenset()), row


def spoil(node: Any, random: Random) -> None:
    """Change one thing, anywhere in a table or a list."""
    places: list[Any] = list(node) if isinstance(node, dict) else list(range(len(node)))
    if not places:
        return
    at = random.choice(places)
    inner = node[at]
    if isinstance(inner, dict | list) and random.random() < 0.75:
        spoil(inner, random)
    elif isinstance(node, dict) and random.random() < 0.3:
        node[str(at)[:-1]] = node.pop(str(at))
    else:
        node[at] = random.choice(JUNK)


def nested(depth: int) -> str:
    inner = '{ do = "level", by = -1 }'
    for _ in range(depth):
        inner = f'{{ do = "when", if = {{ own_turn = true }}, then = [{inner}] }}'
    return inner


def test_texts_have_limits() -> None:
    level = '{ do = "level", by = -1 }'
    within = mistakes("doors.toml", level, nested(4))
    deep = mistakes("doors.toml", level, nested(8))
    long = mistakes("doors.toml", level, ", ".join([level] * 70))
    twice = f'{{ do = "each", who = "all", then = [{{ do = "each", who = "all", then = [{level}] }}] }}'
    each = mistakes("doors.toml", level, twice)
    assert within == []
    assert "nested more than" in deep[0].message
    assert "at most 60" in long[0].message
    assert "an each inside an each" in each[0].message


def test_files_have_limits_and_pack_toml_is_needed() -> None:
    files = new_pack("My Set")
    assert any("larger than 512 KB" in p.message for p in check_pack({**files, "big.toml": b"#" * 600_000}))
    assert any("not a TOML file" in p.message for p in check_pack({**files, "notes.md": b"x"}))
    assert any("not UTF-8" in p.message for p in check_pack({**files, "odd.toml": b"\xff"}))
    assert any("holds no [[card]]" in p.message for p in check_pack({**files, "empty.toml": b"# nothing yet"}))
    assert any("files" in p.message for p in check_pack({f"{n}.toml": b"" for n in range(70)}))
    del files["pack.toml"]
    assert [p.message for p in check_pack(files)] == ["is missing"]


def test_a_pack_that_fails_the_check_does_not_load() -> None:
    files = {name: data for name, data in new_pack("My Set").items() if "/" not in name}
    broken = {**files, "items.toml": files["items.toml"].replace(b"kind", b"kinds", 1)}
    assert check_pack(broken)
    with pytest.raises(ValueError, match=r"items\.toml"):
        load([broken])


COUNTS = (
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "pay_roll", by = %d }', "mods[0].by"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "pay_roll", most = %d }', "mods[0].most"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "helper_levels", by = %d }', "mods[0].by"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "extra_cards", by = %d }', "mods[0].by"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "two_handed", by = %d }', "mods[0].by"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "seal_draw", count = %d }', "mods[0].count"),
    ("doors.toml", '{ mod = "flee", by = 1 }', '{ mod = "spare_death", levels = %d }', "mods[0].levels"),
    ("doors.toml", '{ do = "level", by = -1 }', '{ do = "draw", count = %d }', "play[0].count"),
    ("doors.toml", '{ do = "level", by = -1 }', '{ do = "discard", cards = { count = %d } }', "play[0].cards.count"),
)  # fmt: skip


@pytest.mark.parametrize("number", [0, -1, 100])
@pytest.mark.parametrize(("file", "old", "new", "key"), COUNTS)
def test_a_number_that_the_engine_counts_with_is_at_least_one(
    number: int, file: str, old: str, new: str, key: str
) -> None:
    """Such a number may be a divisor or the bound of a loop: 0 crashed and -1 hung whole games."""
    found = mistakes(file, old, new % number)
    assert [problem.key for problem in found] == [key], [str(problem) for problem in found]
    files = {name: data for name, data in new_pack("My Set").items() if "/" not in name}
    with pytest.raises(ValueError, match=r"doors\.toml"):
        load([{**files, file: files[file].replace(old.encode(), (new % number).encode())}])


def test_every_number_of_the_card_language_is_bounded() -> None:
    """Without bounds a figure could be too large for the state's encoding, or zero where the engine divides by it."""
    unbounded = [
        f"{struct.cls.__name__}.{field.name}"
        for root in msgspec.inspect.multi_type_info([v.Card, PackHead])
        for struct in _structs(root, {})
        for field in struct.fields
        for kind in (field.type.types if isinstance(field.type, msgspec.inspect.UnionType) else [field.type])
        if isinstance(kind, msgspec.inspect.IntType) and (kind.ge is None or kind.le is None)
    ]
    assert unbounded == []


def _structs(kind: object, seen: dict[type, msgspec.inspect.StructType]) -> list[msgspec.inspect.StructType]:
    """Every struct type that is reachable from a type, itself included."""
    if isinstance(kind, msgspec.inspect.StructType) and kind.cls not in seen:
        seen[kind.cls] = kind
        for field in kind.fields:
            _structs(field.type, seen)
    for name in ("types", "item_types"):
        for inner in getattr(kind, name, ()):
            _structs(inner, seen)
    for name in ("item_type", "key_type", "value_type"):
        if hasattr(kind, name):
            _structs(getattr(kind, name), seen)
    return list(seen.values())


def test_the_schema_describes_packs() -> None:
    found = schema()
    assert {"Card", "PackHead", "CardFile", "Discard", "Strength"} <= set(found["$defs"])
    assert found["anyOf"] == [{"$ref": "#/$defs/CardFile"}, {"$ref": "#/$defs/PackHead"}]
    assert found["$defs"]["Card"]["additionalProperties"] is False


def test_a_report_has_an_end() -> None:
    """Looking for the word that was meant takes time, so the report on a pack full of mistakes ends early, and says
    so."""
    files = new_pack("My Set")
    many = "".join(f"x{at} = 1\n" for at in range(200))
    problems = check_pack({**files, "wrong.toml": f"[[card]]\n{many}".encode()})
    assert len([p for p in problems if p.file == "wrong.toml"]) == MISTAKES_LIMIT + 1
    assert any(p.message == f"more than {MISTAKES_LIMIT} mistakes" for p in problems)
    cards = "".join(f"[[card]]\nid = 'c{at}'\nname = 'C{at}'\nkind = 'item'\nx = 1\n" for at in range(1200))
    assert check_pack({**files, "wrong.toml": cards.encode()})[-1].message == f"more than {PROBLEMS_LIMIT} mistakes"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("bonus = 3", "mods = [" + '{ mod = "wins_ties" }, ' * 401 + "]", "a line has"),
        ("bonus = 3", "mods = [\n" + '{ mod = "wins_ties" },\n' * 401 + "]", "a card has at most 400"),
        ("bonus = 3", "mods = [{ mod = 'wins_ties', if = " + "{ all = [" * 6 + "]}" * 6 + " }]", "more than 5 deep"),
        ("bonus = 3", "abilities = [{ text = 'x', when = 'any', do = [{ do = 'draw' }] }]", "used without end"),
        ("bonus = 3", "abilities = [{ text = 'x', when = 'any', cost = { least = 0 }, do = [] }]", "used without end"),
    ],
)
def test_what_the_engine_would_read_or_do_without_end_is_a_mistake(old: str, new: str, says: str) -> None:
    assert any(says in problem.message for problem in mistakes("items.toml", old, new))
