"""All numbers by which bots weigh the game are in data/tuning.toml, and each of them is used."""

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from msgspec import Struct

from netcode.bots import tuning
from netcode.bots.levels import LEVELS
from netcode.bots.tuning import TUNING

MODULES = sorted(Path(tuning.__file__).parent.glob("*.py"))
NEUTRAL = (0.0, 1.0)
"""Neutral numbers: the start of a sum or a product, the impossible and the certain."""
OTHER_FILES = ("evaluation.py", "rollout.py", "search.py")
"""Modules with data files of their own."""


def syntax(module: Path) -> list[ast.AST]:
    """Return all nodes of a module."""
    return list(ast.walk(ast.parse(module.read_text("utf-8"))))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_no_number_of_bots_stands_in_the_code(module: Path) -> None:
    constants = [node for node in syntax(module) if isinstance(node, ast.Constant) and isinstance(node.value, float)]
    found = [(node.lineno, node.value) for node in constants if node.value not in NEUTRAL]
    assert module.name in OTHER_FILES or not found, f"{module.name}: put these into data/tuning.toml: {found}"


def test_every_number_of_the_file_is_used() -> None:
    used = {name for module in MODULES for name in numbers_used(syntax(module))}
    wanted = {
        (group, field)
        for group in TUNING.__struct_fields__
        for field in getattr(getattr(TUNING, group), "__struct_fields__", ("",))
    }
    wanted |= {("style", field) for field in TUNING.style["normal"].__struct_fields__}
    assert wanted - used == set()


def numbers_used(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield (group, field) for each number that a module names: `TUNING.gear.swap`, `_GEAR.swap` where `_GEAR` is the
    group, `style.fear`; (group, "") for each group."""
    groups = dict(named_groups(nodes))
    for node in nodes:
        if not isinstance(node, ast.Attribute):
            continue
        value = node.value
        if isinstance(value, ast.Name) and value.id == "TUNING":
            yield node.attr, ""
        elif isinstance(value, ast.Name) and value.id in groups:
            yield groups[value.id], node.attr
        elif getattr(value, "id", "") == "style" or getattr(value, "attr", "") == "style":
            yield "style", node.attr
        elif isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id == "TUNING":
            yield value.attr, node.attr


def named_groups(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield (name, group) for each assignment of a group to a name."""
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        for name, group in zip(target.elts, value.elts) if several else ((target, value),):  # type: ignore[attr-defined]
            if isinstance(group, ast.Attribute) and getattr(group.value, "id", "") == "TUNING":
                yield name.id, group.attr


def test_every_level_that_thinks_has_its_numbers() -> None:
    assert {level.style for level in LEVELS.values()} - {None} == set(TUNING.style)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("carried = 0.3", "", "carried"),
        ("carried = 0.3", 'carried = "much"', "gear.carried"),
        ("carried = 0.3", "carried = 0.3\ncarrots = 1.0", "carrots"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_the_place(old: str, new: str, named: str) -> None:
    text = files("netcode.bots").joinpath("data", tuning.FILE).read_text("utf-8")
    assert isinstance(tuning.read(text), Struct)
    with pytest.raises(ValueError, match=named) as refused:
        tuning.read(text.replace(old, new, 1))
    assert str(refused.value).startswith("tuning.toml: ") and "\n" not in str(refused.value)
