"""Screens are composed of widgets and plain objects: none inherits from another screen of ours, or from a mixin."""

import ast
import re
from pathlib import Path

TUI = Path(__file__).resolve().parents[2] / "tui"
TOOLKIT = {"Screen", "ModalScreen"}
CLASS = re.compile(r"^[ \t]*(class \w+\(.*?\)):[ \t]*(#.*)?$", re.MULTILINE | re.DOTALL)
"""The first line of a class with bases: to parse the whole program takes a second."""


def base_name(node: ast.expr) -> str:
    """Return the name of a base class, without its module and the types in its brackets."""
    if isinstance(node, ast.Subscript):
        return base_name(node.value)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def classes() -> dict[str, tuple[str, list[str]]]:
    """Return where each class of the screens' room is, and the names of its bases."""
    return {
        node.name: (path.relative_to(TUI.parent).as_posix(), [base_name(base) for base in node.bases])
        for path in sorted(TUI.rglob("*.py"))
        for found in CLASS.finditer(path.read_text("utf-8"))
        for node in ast.parse(f"{found[1]}: pass").body
        if isinstance(node, ast.ClassDef)
    }


def is_screen(name: str, found: dict[str, tuple[str, list[str]]]) -> bool:
    """Return whether a class is a screen of the toolkit, or inherits from one."""
    return name in TOOLKIT or any(is_screen(base, found) for base in found.get(name, ("", []))[1] if base != name)


def test_every_screen_has_one_base_and_that_is_the_toolkits() -> None:
    found = classes()
    screens = [name for name in found if is_screen(name, found)]
    assert len(screens) > 20
    wrong = [f"{where}: {name}({', '.join(bases)})" for name in screens for where, bases in [found[name]]
             if len(bases) != 1 or bases[0] not in TOOLKIT]  # fmt: skip
    what = "compose these of widgets and plain objects (tui/widgets, tui/screens/parts):"
    assert not wrong, "\n".join([what, *wrong])
