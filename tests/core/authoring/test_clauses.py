"""The rules catalogue: every clause of the built-in books is proved, and only existing clauses are cited."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import core
from cards import BUILT_IN, pack_files
from core.authoring.clauses import load, proven
from core.language.catalog import read_head
from core.state.refusals import PSEUDO
from tests.scenarios import packaged_proofs

HERE = Path(__file__).resolve().parents[2]
BOOKS = sorted({read_head(pack_files(set_id)).book for set_id in BUILT_IN})
"""The books of the built-in sets."""


def _marked() -> dict[str, list[str]]:
    """Return the clauses that Python tests claim to prove by their marks, with these tests."""
    found: dict[str, list[str]] = {}
    for path in sorted(HERE.rglob("test_*.py")):
        text = path.read_bytes()
        for node in ast.walk(ast.parse(text)) if b"mark.proves" in text else ():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for clause in _marks(node):
                    name = f"tests/{path.relative_to(HERE).as_posix()}::{node.name}"
                    found.setdefault(clause, []).append(name)
    return found


def _marks(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.proves"):
            yield from (str(arg.value) for arg in mark.args if isinstance(arg, ast.Constant))


def test_every_clause_of_the_built_in_books_is_proved() -> None:
    unproved = [
        clause.id for clause in proven(packaged_proofs())
        if any(load()[clause.id].holds_in(book) for book in BOOKS) and not clause.scenarios and not clause.tests
    ]  # fmt: skip
    remedy = "write a scenario with proves = [...] in cards/*/scenarios, or a test marked @pytest.mark.proves(...)"
    assert not unproved, f"nothing proves {', '.join(unproved)}: {remedy}"


def test_the_catalogue_names_exactly_the_marked_tests() -> None:
    listed = {clause.id: sorted(clause.tests) for clause in load().values() if clause.tests}
    marked = {clause: sorted(tests) for clause, tests in _marked().items()}
    wrong = [
        f"{clause}: tests = {marked.get(clause, [])}, not {listed.get(clause, [])}"
        for clause in sorted({*listed, *marked}) if listed.get(clause) != marked.get(clause)
    ]  # fmt: skip
    assert not wrong, "core/authoring/rules.toml does not name the marked tests:\n" + "\n".join(wrong)


def test_scenarios_prove_existing_clauses() -> None:
    named = {proved for _, proves in packaged_proofs() for proved in proves}
    unknown = sorted(proved for proved in named if ":" not in proved and proved not in load())
    assert not unknown, f"scenarios prove {', '.join(unknown)}: core/authoring/rules.toml has no such clause"


def test_refusals_cite_existing_clauses() -> None:
    """Every text in core that looks like the id of a clause is one; refusals cite them."""
    sections = {clause.partition(".")[0] for clause in load()}
    wrong = [
        f"{path.name}:{node.lineno}: {node.value}"
        for path in sorted(Path(core.__file__).parent.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _looks_like_one(node.value, sections)
        and node.value not in load()
    ]  # fmt: skip
    assert not wrong, "core/authoring/rules.toml has no such clause:\n" + "\n".join(wrong)


def _looks_like_one(text: str, sections: set[str]) -> bool:
    section, dot, rest = text.partition(".")
    return bool(dot) and section in sections and rest.replace("-", "").isalnum()


def test_the_page_of_rulings_names_every_ruling_and_only_known_clauses() -> None:
    named = set(re.findall(r"`([a-z]+\.[a-z0-9-]+)`", (HERE.parent / "docs/rulings.md").read_text("utf-8")))
    rulings = {clause.id for clause in load().values() if clause.kind == "ruling"}
    missing, unknown = sorted(rulings - named), sorted(named - set(load()))
    assert not missing, f"docs/rulings.md lacks {', '.join(missing)}: say what was decided and why, with the id in ``"
    assert not unknown, f"docs/rulings.md names {', '.join(unknown)}: core/authoring/rules.toml has no such clause"


def test_reasons_without_a_clause_are_not_in_the_catalogue() -> None:
    assert not set(PSEUDO) & set(load())


def test_the_catalogue_comes_with_the_package() -> None:
    clauses = proven([("a.toml: x", ("win.level-10", "set:card"))])
    assert len(clauses) >= 207
    assert {clause.id: clause.scenarios for clause in clauses}["win.level-10"] == ("a.toml: x",)
    assert load()["win.level-10"].holds_in("apo")
    assert load()["curse.names"].holds_in("maze")
    assert not load()["win.seventh-seal"].holds_in("maze")
