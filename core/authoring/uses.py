"""Find everything that names a card: scenarios, Python tests and screen goldens.

The caller reads the files; this module searches their contents.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from core.language.catalog import Catalog
from core.language.definition import Def
from core.scenario.cast import split_nth
from core.scenario.schema import Scenario, load


class ScenarioUse(Struct, frozen=True):
    """A scenario that names a card. line: of its [[scenario]]; proves: whether it claims to prove the card."""

    file: str
    line: int
    title: str
    proves: bool


class CodeUse(Struct, frozen=True):
    """A function or class of a Python file that names a card. test: its name; "" for code outside of both."""

    file: str
    line: int
    test: str


class Uses(Struct, frozen=True):
    """What names one card. tests, goldens: None if there was nothing to search."""

    card: str
    name: str
    scenarios: tuple[ScenarioUse, ...]
    tests: tuple[CodeUse, ...] | None
    goldens: tuple[str, ...] | None


class Library(Struct, frozen=True):
    """The files to search, by the name under which they are listed.

    scenarios: for each file its bytes, and the set that its scenarios play with if they name none. parsed: the
    scenarios of files that a child process has parsed already. tests, goldens: None where there is no source tree.
    """

    scenarios: Mapping[str, tuple[str, bytes]]
    parsed: Mapping[str, tuple[Scenario, ...]] = {}
    tests: Mapping[str, bytes] | None = None
    goldens: Mapping[str, bytes] | None = None


def uses(catalog: Catalog, card: Def, library: Library) -> Uses:
    """Return everything in these files that names a card. Raises ScenarioError if a scenario file cannot be read."""
    finder = _Finder(catalog, card)
    goldens = (library.goldens or {}).items()
    return Uses(
        card.full_id,
        card.name,
        tuple(
            found for file, (own, data) in library.scenarios.items()
            for found in finder.scenarios(file, own, data, library.parsed.get(file))
        ),
        None if library.tests is None else
        tuple(found for file, data in library.tests.items() for found in finder.functions(file, data)),
        None if library.goldens is None else
        tuple(file for file, data in goldens if finder.may_be_in(data) and finder.named_in(data.decode())),
    )  # fmt: skip


class _Finder:
    """Looks for the names of one card: printed name, full id, slug."""

    def __init__(self, catalog: Catalog, card: Def) -> None:
        self.card = card
        slug = card.card.id
        longer = {other.name for other in catalog.cards if card.name in other.name and other.name != card.name}
        words = sorted((re.escape(name) for name in longer), key=len, reverse=True)
        self._longer = re.compile("|".join(words)) if words else None
        slugs = {slug, slug.replace("-", "_")}
        self._words = [word.encode() for word in (card.name, *sorted(slugs))]
        quoted = "|".join(rf"""["']{one}["']|\b{one}(?==)""" for one in sorted(slugs))
        names = rf"(?<!\w){re.escape(card.name)}(?!\w)|(?<![\w-]){re.escape(card.full_id)}(?![\w-])"
        self._name = re.compile(names)
        self._code = re.compile(f"{names}|{quoted}")

    def may_be_in(self, data: bytes) -> bool:
        """Return whether a file has the letters of the name or the slug: a look that saves most searches, which are
        slow."""
        return any(word in data for word in self._words)

    def named_in(self, text: str) -> bool:
        """Return whether a text names the card, and not only another card whose longer name contains this one."""
        return self._search(self._name, text)

    def _search(self, pattern: re.Pattern[str], text: str) -> bool:
        if not pattern.search(text):
            return False
        return self._longer is None or pattern.search(self._longer.sub("", text)) is not None

    # ------------------------------------------------------------------------------------------------------ scenarios
    def scenarios(
        self, file: str, own: str, data: bytes, parsed: tuple[Scenario, ...] | None
    ) -> Iterator[ScenarioUse]:
        """Yield the scenarios of a file that name the card. A name means the card only among the sets it plays with."""
        if not self.may_be_in(data):
            return
        headers = [number for number, line in enumerate(data.decode().splitlines(), 1) if _HEADER.match(line)]
        for at, scenario in enumerate(load(data, file) if parsed is None else parsed):
            proves = self.card.full_id in scenario.proves
            if proves or self._plays(scenario, own):
                yield ScenarioUse(file, headers[at] if at < len(headers) else 0, scenario.name, proves)

    def _plays(self, scenario: Scenario, own: str) -> bool:
        if self.card.set_id not in (scenario.sets or (own,)):
            return False
        row = msgspec.to_builtins(scenario)
        logs = [step["expect"]["log"] for step in row["steps"] if "log" in step.get("expect", {})]
        return any(self._is_name(word) for word in _words(row)) or any(self.named_in(text) for text in logs)

    def _is_name(self, word: str) -> bool:
        names = (split_nth(part.strip())[0] for part in word.split(" > "))
        return any(name in (self.card.name, self.card.full_id) for name in names)

    # ---------------------------------------------------------------------------------------------------------- tests
    def functions(self, file: str, data: bytes) -> Iterator[CodeUse]:
        """Yield the functions and classes of a Python file that name the card."""
        if not self.may_be_in(data) or not self._search(self._code, text := data.decode()):
            return
        tree, lines = ast.parse(text), text.splitlines()
        covered: set[int] = set()
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
                span = range(first, (node.end_lineno or first) + 1)
                covered.update(span)
                if self._search(self._code, "\n".join(lines[span.start - 1 : span.stop - 1])):
                    yield CodeUse(file, node.lineno, node.name)
        outside = [line if number not in covered else "" for number, line in enumerate(lines, 1)]
        named = next((number for number, line in enumerate(outside, 1) if self._search(self._code, line)), 0)
        if named:
            yield CodeUse(file, named, "")


_HEADER = re.compile(r"\s*\[\[\s*scenario\s*\]\]")


def _words(value: Any) -> Iterator[str]:
    """Yield every text in a scenario except its title and its explanation; keys of tables are included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key not in ("name", "text"):
                yield from _words(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _words(inner)


def cards_named(catalog: Catalog, name: str) -> Iterable[Def]:
    """Return the cards with this printed name, slug or full id; capitals do not matter."""
    wanted = name.casefold()
    return [card for card in catalog.cards if wanted in (card.name.casefold(), card.card.id, card.full_id)]
