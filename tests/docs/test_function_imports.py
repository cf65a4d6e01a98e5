"""Imports stand at the top of a module; one inside a function has its reason beside it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "cards", "netcode", "tui")
REASON = re.compile(r"#\s*(noqa: F401\s*)?[^\W_](?!oqa)")
INDENTED = re.compile(r"^[ \t]+(import|from)\b|[:;] *(import|from)\b", re.MULTILINE)
"""Stands in every file with an import that is not at the margin: to parse the whole program takes seconds."""
LISTED = {"tui/cli/main.py": "each command imports what it runs"}
"""Modules whose functions all import for the same reason."""


def inside_functions(tree: ast.AST, inside: bool = False) -> Iterator[list[ast.stmt]]:
    """Yield the imports inside functions, in groups of consecutive ones."""
    for field in ("body", "orelse", "finalbody", "handlers"):
        block: list[ast.stmt] = []
        for node in getattr(tree, field, []):
            if isinstance(node, ast.Import | ast.ImportFrom) and inside:
                block.append(node)
                continue
            if block:
                yield block
                block = []
            yield from inside_functions(node, inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        if block:
            yield block


def test_an_import_inside_a_function_has_its_reason_beside_it() -> None:
    bare = []
    for path in [ROOT / "kickdoor.py", *sorted(found for folder in FOLDERS for found in (ROOT / folder).rglob("*.py"))]:
        name, text = path.relative_to(ROOT).as_posix(), path.read_text("utf-8")
        if name in LISTED or not INDENTED.search(text):
            continue
        lines = text.splitlines()
        for block in inside_functions(ast.parse(text)):
            first, last = block[0].lineno, block[-1].end_lineno or block[-1].lineno
            near = [lines[first - 2], *lines[first - 1 : last]]
            if not any(REASON.search(line) for line in near):
                bare.append(f"{name}:{first}: {lines[first - 1].strip()}")
    assert bare == [], "say why beside it, or move it to the top of the module"
