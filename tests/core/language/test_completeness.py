"""Every word of the card language has all its parts: a failure names the part that is missing and the file to edit."""

import ast
import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import fields

from cards import BUILT_IN
from core.authoring.lint_cards import FILTERS
from core.effects.control import VERBS
from core.engine import new_game
from core.language import dependencies, drawbacks
from core.language import schema as v
from core.language.compiler import PARTS
from core.language.tree import child_texts, pieces_within
from core.operations.players import change_level
from core.queries import conditions
from core.queries.conditions import Ctx, amount, select
from core.state.model import Fight, Monster, Options, Placed
from core.state.reader import Reader
from core.text import card_effects, card_mods
from core.text.card_phrases import Phrases
from netcode.bots import effect_values, points
from netcode.bots.reading import Reading
from tests.card_mutation import _KEPT, mutants
from tests.core import dice_pack
from tests.core.kitchen import CATALOG
from tests.scenarios import catalog_for

ROOT = Path(__file__).parents[3]
MANUAL = (ROOT / "docs" / "packs.md").read_text()
OPS: tuple[type[v.Op], ...] = get_args(v.Op)
MODS: tuple[type[Struct], ...] = get_args(v.Mod)
CONDITIONS = [field.name for field in fields(v.If)]
AMOUNTS = [field.name for field in fields(v.Amount)]


def tag(kind: type[Struct]) -> str:
    """The word for a verb or a modifier in TOML."""
    word = kind.__struct_config__.tag
    assert isinstance(word, str)
    return word


def without(part: Iterable[object], whole: Iterable[type[Struct]]) -> list[str]:
    """The words whose struct is missing in a part."""
    return [tag(kind) for kind in whole if kind not in set(part)]


def complete(missing: list[str], remedy: str) -> None:
    """Fail with everything that is missing, in full, and what to do."""
    assert not missing, f"{', '.join(missing)}: {remedy}"


# -------------------------------------------------------------------------------------------------- verbs, modifiers
def test_each_verb_has_a_handler() -> None:
    complete(without(VERBS, OPS), "no handler: add a row to a table of a file in core/effects")


def test_each_verb_is_good_bad_or_neither_for_those_it_strikes() -> None:
    neither = {
        v.SetLevel, v.Swap, v.PassHands, v.ChooseSeat, v.Die, v.SwapMonster, v.Expel, v.Counter, v.SwapIdentity,
        v.CloseSeal, v.SwapSex, v.Sacrifice, v.UndoPlayed,
    }  # fmt: skip
    missing = without({*drawbacks._TOLLS, *neither}, OPS)
    complete(missing, "no toll: add a row to _TOLLS in core/language/drawbacks.py, or add it to `neither` here")


ONLY_TAKES_LEVELS = {v.Kill}
"""Verbs that change Levels, but never give any: a player who is spared death loses some."""


def test_each_verb_that_gives_levels_says_so() -> None:
    silent = [
        f"{tag(kind)} changes Levels ({' -> '.join(way)})" for kind in OPS
        if (way := way_to_levels(VERBS.get(kind))) and not kind.gives_levels and kind not in ONLY_TAKES_LEVELS
    ]  # fmt: skip
    remedy = 'state gives_levels = (LevelGain(who="who", by="by"),) in its struct in core/language/schema.py'
    complete(silent, f"{remedy}; if it only takes Levels, add it to ONLY_TAKES_LEVELS here")
    for kind in OPS:
        for gain in kind.gives_levels:
            named = {name for name in (gain.who, gain.key, gain.may_win) if name}
            unknown = named - {field.name for field in fields(kind)}
            assert not unknown, f"{tag(kind)} has no field {unknown}: mend its gives_levels in core/language/schema.py"


def way_to_levels(handler: Callable[..., Any] | None) -> list[str]:
    """Return the functions through which a handler calls change_level, itself first; none if it does not."""
    seen: set[Any] = set()

    def way(at: Any) -> list[str]:
        if at is change_level:
            return [at.__name__]
        seen.add(at)
        for name in names_in(at.__code__):
            called = inspect.unwrap(at.__globals__.get(name))
            ours = inspect.isfunction(called) and called.__module__.startswith(("core.effects", "core.operations"))
            if ours and called not in seen and (rest := way(called)):
                return [at.__name__, *rest]
        return []

    return way(inspect.unwrap(handler)) if handler is not None else []


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names that some code reads; the code of functions within it counts too."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def test_each_verb_and_modifier_has_its_english() -> None:
    complete(without(card_effects.OPS, OPS), "no English: add a row to OPS in core/text/card_effects.py")
    complete(without(card_mods.MODS, MODS), "no English: add a row to MODS in core/text/card_mods.py")


def test_each_verb_and_modifier_has_its_value_for_bots() -> None:
    complete(without(effect_values.OPS, OPS), "no value: add a row to OPS in netcode/bots/effect_values.py")
    complete(without(points.MODS, MODS), "no value: add a row to MODS in netcode/bots/points.py")


FOR_OTHERS = {
    ("set_level", "who"), ("draw", "face_up"), ("compel", "who"), ("hand_over", "to"), ("kill", "who"),
    ("swap_sex", "who"), ("helper_levels", "by"), ("shield", "spent"), ("extra_cards", "at"), ("extra_cards", "by"),
    ("two_handed", "by"), ("seal_draw", "count"),
}  # fmt: skip
"""Verbs and modifiers with keys that only packs of others, and random ones, use so far. Add none."""


def test_each_verb_and_modifier_and_each_of_its_keys_is_used_by_a_card() -> None:
    """The cards are those of the built-in packs, which scenarios prove, and those of the packs of tests. No card names
    `sacrifice`: it is the ability of every Ally."""
    used: dict[type, set[str]] = defaultdict(set)
    for catalog in (catalog_for(tuple(BUILT_IN)), CATALOG, dice_pack.CATALOG):
        for definition in catalog.cards:
            for piece in pieces_within(definition.card):
                used[type(piece)] |= {name for name, usual in defaults(type(piece)) if getattr(piece, name) != usual}
    idle = [tag(kind) for kind in (*OPS, *MODS) if kind not in used and kind is not v.Sacrifice]
    for kind in (*OPS, *MODS):
        keys = {field.encode_name for field in fields(kind) if field.name not in ("if_", "drawback", *used[kind])}
        idle += [f"{tag(kind)}: {key}" for key in sorted(keys) if (tag(kind), key) not in FOR_OTHERS]
    complete(idle, "no card uses it: add one to tests/core/scenario/kitchen (exchange.toml), and a scenario for it")


@cache
def defaults(kind: type[Struct]) -> list[tuple[str, object]]:
    """The fields of a struct and their defaults."""
    return [(field.name, field.default) for field in fields(kind)]


RULES = ("effects", "engine.py", "execute.py", "moves", "operations", "procedures", "queries", "state")
"""The places in core that may ask for modifiers."""


def test_each_modifier_is_asked_for_by_a_rule() -> None:
    asked: set[str] = set()
    for place in RULES:
        path = ROOT / "core" / place
        for file in path.rglob("*.py") if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Name | ast.Attribute):
                    asked.add(node.id if isinstance(node, ast.Name) else node.attr)
    missing = [tag(kind) for kind in MODS if kind.__name__ not in asked]
    complete(missing, "no rule asks for it: see mods_of and monster_mods in core/queries/modifiers.py")


def test_tables_list_nothing_that_is_not_in_the_union() -> None:
    tables: list[tuple[Iterable[type], tuple[type, ...]]] = [
        (VERBS, OPS), (card_effects.OPS, OPS), (effect_values.OPS, OPS),
        (card_mods.MODS, MODS), (points.MODS, MODS),
    ]  # fmt: skip
    for table, union in tables:
        complete([kind.__name__ for kind in table if kind not in union], "add it to Op or Mod in schema.py")


def test_each_text_of_a_card_has_a_number() -> None:
    texts = child_texts(v.Card(id="x", name="X", kind="item"))
    assert sorted(PARTS) == sorted(texts), "PARTS in core/language/compiler.py lists them, new ones last"


def test_dependencies_name_existing_fields() -> None:
    for table in (dependencies._OWN, dependencies._NEAR):
        for kind, names in table.items():
            unknown = set(names) - {field.name for field in fields(kind)}
            assert unknown == set(), f"edit core/language/dependencies.py, {kind.__name__}"


# --------------------------------------------------------------------------------------------------------- the manual
def section(heading: str) -> str:
    """The text under a heading of docs/packs.md."""
    _, _, rest = MANUAL.partition(f"\n## {heading}\n")
    assert rest, f"docs/packs.md has no heading {heading!r}"
    return rest.partition("\n## ")[0]


def rows(heading: str) -> dict[str, str]:
    """The rows of the table under a heading, by their first word in code font."""
    found = {}
    for line in section(heading).splitlines():
        if line.startswith("| `"):
            found[re.findall(r"`([^`]+)`", line)[0]] = line
    return found


def undocumented(table: dict[str, str], kinds: Iterable[type]) -> Iterator[str]:
    for kind in kinds:
        row = table.get(tag(kind))
        if row is None:
            yield f"{tag(kind)}: no row"
            continue
        for field in fields(kind):
            if field.name not in ("if_", "drawback") and not re.search(rf"\b{field.encode_name}\b", row):
                yield f"{tag(kind)}: its key {field.encode_name} is not in its row"


def test_each_verb_and_modifier_is_in_the_manual() -> None:
    complete(list(undocumented(rows("What a card does: ops"), OPS)), "edit docs/packs.md, What a card does")
    complete(list(undocumented(rows("What holds while in play: `mods`"), MODS)), "edit docs/packs.md, What holds")


@pytest.mark.parametrize(
    ("heading", "names"),
    [("If", CONDITIONS), ("Which cards", [field.name for field in fields(v.Cards)]), ("How much", AMOUNTS)],
)
def test_each_condition_selector_and_amount_is_in_the_manual(heading: str, names: list[str]) -> None:
    text = section(heading)
    missing = [name for name in names if not re.search(rf"[`{{ ,]{name}[` ,=}}]", text)]
    complete(missing, f"edit docs/packs.md, {heading}")


# ------------------------------------------------------------------------------------- conditions, selectors, amounts
STRUCTURE = ("who", "at_least", "at_most", "all", "any", "none", "drawback")
"""Fields of a condition that are not tests themselves."""


def test_each_condition_is_tested() -> None:
    tests = {*conditions._TABLE_TESTS, *conditions._SEAT_TESTS, *STRUCTURE}
    missing = [name for name in CONDITIONS if name not in tests]
    complete(missing, "no test: add a row to _TABLE_TESTS or _SEAT_TESTS in core/queries/conditions.py")


def changes(say: Callable[[Any], object], plain: msgspec.Struct, names: Iterable[str], **given: Any) -> list[str]:
    """The fields that make no difference to the words for a piece."""
    kind = type(plain)
    out = []
    for name in names:
        value = given.get(name, sample(kind, name))
        if say(msgspec.structs.replace(plain, **{name: value})) == say(plain):
            out.append(name)
    return out


MET = {"sex", "fighting", "own_turn", "leads", "winning", "monsters_at_least", "seals_at_least"}
"""Conditions that bots count as met without a look."""


def test_bots_examine_each_condition_or_count_it_as_met() -> None:
    examined = set(names_in(Reading.likelihood.__code__))
    missing = [name for name in CONDITIONS if name not in {*examined, *STRUCTURE, *MET}]
    complete(missing, "bots count it as met: examine it in Reading.likelihood, netcode/bots/reading.py, or add it here")
    complete(sorted(MET & examined), "bots examine it: take it out of MET")


def test_each_condition_has_its_english() -> None:
    cards = v.Cards(zone="play")
    plain = v.If(has="elf", cards=cards, saved="y")
    silent = changes(Phrases().condition, plain, CONDITIONS, cards=v.Cards(zone="hand"), has="x")
    complete(silent, "no English: see _of_seat and _of_table in core/text/card_phrases.py")


def test_each_selector_has_its_english() -> None:
    names = [field.name for field in fields(v.Cards)]
    silent = changes(Phrases().cards, v.Cards(of="you"), names, of="victim", by="helper")
    complete(silent, "no English: see Phrases.cards in core/text/card_phrases.py")


def test_each_filter_of_a_selector_selects() -> None:
    """Each selects some cards of the built-in set and not all of them; `this` goes by the card, see test_this.py."""
    catalog = catalog_for(("munchkins-and-mazes",))
    state, _ = new_game(catalog, 3, Options(), b"x")
    state.seats[0].table = [Placed(definition.no) for definition in catalog.cards]
    reader = Reader(catalog, state)
    given: dict[str, Any] = {"slot": "feet", "kind": "curse", "identity": "race", "tag": "undead", "worth": 500}
    idle = []
    for name in FILTERS:
        if name != "this":
            cards = v.Cards(zone="play", **{name: given.get(name, True)})
            chosen = select(reader, cards, Ctx(), of=[0])
            if not 0 < len(chosen) < len(catalog.cards):
                idle.append(name)
    complete(idle, "it selects nothing: see _is_kind in core/queries/conditions.py")


def test_each_amount_counts_has_its_english_and_its_value_for_bots() -> None:
    state, _ = new_game(CATALOG, 3, Options(), b"x")
    tagged = next(definition for definition in CATALOG.cards if definition.card.tags)
    state.fight = Fight(1, 0, [Monster(4096, tagged.no, 4096)], margin=2)
    state.seals_open = [0]
    state.seats[0].table = [Placed(1 << 16, counters=2)]
    reader = Reader(CATALOG, state)
    ctx = Ctx(you=0, victim=0, saved={"x": 4}, card=1 << 16)
    plain = v.Amount(base=1)
    given = {
        "count": v.Cards(zone="hand"), "level_of": "you", "saved": "x", "having": v.If(level_at_least=1), "most": -3,
        "tagged": tagged.card.tags[0],
    }  # fmt: skip
    uncounted = changes(lambda value: amount(reader, value, ctx), plain, AMOUNTS, **given)
    complete(uncounted, "it counts nothing: see amount in core/queries/conditions.py")
    silent = changes(Phrases().amount, plain, AMOUNTS, **given)
    complete(silent, "no English: see Phrases.amount in core/text/card_phrases.py")
    worthless = changes(points.number, plain, AMOUNTS, **given)
    complete(worthless, "no value: add a row to AMOUNTS in netcode/bots/points.py")


# --------------------------------------------------------------------------------------------------- the mutation test
def sample(kind: type, name: str) -> Any:
    """A value of a field that is not its default."""
    default = next(field.default for field in fields(kind) if field.name == name)
    return _sample(get_type_hints(kind)[name], default)


def _sample(hint: Any, default: Any) -> Any:
    for part in get_args(hint) if get_origin(hint) not in (tuple, Literal) and get_args(hint) else (hint,):
        if get_origin(part) is Literal:
            return next((word for word in get_args(part) if word != default), default)
        if get_origin(part) is tuple:
            return (_SAMPLES[get_args(part)[0]],)
        if part is not type(None):
            return not default if part is bool else _SAMPLES[part]
    raise AssertionError(f"no sample of {hint}")


_SAMPLES: dict[Any, Any] = {
    int: 3, str: "x", v.Cards: v.Cards(zone="hand"), v.Amount: v.Amount(monsters=True), v.If: v.If(own_turn=True),
    v.Op: v.Kill(), v.Mod: v.WinsTies(), v.Choice: v.Choice(text="x", do=(v.Kill(),)),
}  # fmt: skip


@pytest.mark.parametrize("kind", [*OPS, *MODS, v.If, v.Cards, v.Amount, v.Choice], ids=lambda kind: kind.__name__)
def test_the_mutation_test_blanks_each_part(kind: type) -> None:
    given = {field.name: sample(kind, field.name) for field in fields(kind)}
    given |= {"by": "helper"} if kind is v.Cards else {}
    card = card_with(kind(**given))
    if kind is v.Counter:  # its limit only matters where it can be reached
        card = msgspec.structs.replace(card, play=(), won=card.play)
    blanked = {mutant.what for mutant in mutants(card)}
    free = [field for field in fields(kind) if field.name not in _KEPT and given[field.name] != field.default]
    keys = [field.encode_name for field in free]
    missing = [key for key in keys if not any(re.search(rf"\b{key}\b( |\.|\[0\])", what) for what in blanked)]
    complete(missing, "never blanked: see _blank and _SPECIAL in tests/card_mutation.py")
    for mutant in mutants(card):
        assert mutant.card != card, mutant.what


def card_with(piece: Any) -> v.Card:
    """A card that says this and nothing else."""
    only: tuple[Any, ...] = (piece,)
    if isinstance(piece, v.OpBase):
        return v.Card(id="x", name="X", kind="curse", play=only)
    if isinstance(piece, v.ModBase):
        return v.Card(id="x", name="X", kind="item", mods=only)
    inside: dict[type, v.Op] = {
        v.If: v.Kill(if_=piece) if isinstance(piece, v.If) else v.Kill(),
        v.Cards: v.Discard(cards=piece) if isinstance(piece, v.Cards) else v.Kill(),
        v.Amount: v.Level(by=piece) if isinstance(piece, v.Amount) else v.Kill(),
        v.Choice: v.Option(of=(piece,)) if isinstance(piece, v.Choice) else v.Kill(),
    }
    return card_with(inside[type(piece)])
