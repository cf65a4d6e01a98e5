"""Find every mistake in a card pack, each with its file, line, card, key and a hint.

catalog.load stops at the first mistake; the lint finds all in one run. The decoder is in decode.py, the checks of one
card are in lint_cards.py and lint_effects.py.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from typing import Any, get_args

import msgspec

from core.authoring.clauses import load as load_clauses
from core.authoring.decode import Decoded, decode
from core.authoring.lint_cards import Names, card_problems, missing_problems
from core.authoring.lint_effects import text_problems
from core.authoring.lint_files import Problem, Row, Source, read_source
from core.language import schema as v
from core.language.definition import deck_of
from core.language.manifest import CardFile, PackHead
from core.language.pack_limits import CARDS_LIMIT, FILE_LIMIT, FILES_LIMIT, PACK_LIMIT
from core.scenario.schema import FOLDERS, Scenario, in_words, mistakes_of

__all__ = ["Problem", "check_pack", "schema"]

PROBLEMS_LIMIT = 1000
"""A report ends after this many mistakes of a pack."""
HEAD = "pack.toml"
SCENARIOS = tuple(f"{folder}/" for folder in FOLDERS)
_ROLES = {
    "do": 'every op says what it does: { do = "level", ... }',
    "mod": 'every modifier says which it is: { mod = "strength", ... }',
    "id": 'a short name of small letters, figures and hyphens: id = "pickle-spear"',
    "name": "the printed name",
    "kind": "one of " + ", ".join(get_args(v.Kind)),
    "steps": "a list of steps: docs/scenarios.md",
    "seats": "one to six seats: [scenario.seats.Kim]",
}


@dataclass
class _Found:
    """A card of a pack, its place in the file, and the keys that could not be read."""

    source: Source
    row: Row
    card: v.Card
    read: Decoded[v.Card]


def check_pack(files: dict[str, bytes], at: Callable[[str], object] = str) -> list[Problem]:
    """Return every mistake of a pack, by file and line; catalog.load accepts a pack without mistakes.

    files: the TOML files of the pack by name, those of the scenarios with their folder (`scenarios/first.toml`). at:
    called with the name of each file before it is read.
    """
    problems = list(_sizes(files))
    small = {name: data for name, data in sorted(files.items()) if len(data) <= FILE_LIMIT}
    scenarios = [name for name in small if name.startswith(SCENARIOS)]
    for name in scenarios:
        at(name)
        problems += islice(_scenarios(read_source(name, small[name], "scenario")), PROBLEMS_LIMIT)
        if len(problems) >= PROBLEMS_LIMIT:
            return _sorted(problems)
    head, head_source, whole = None, Source(HEAD, ""), True
    if HEAD not in files:
        problems.append(Problem(HEAD, "", "", "is missing", "kickdoor cards new DIR writes one"))
    elif HEAD in small:
        at(HEAD)
        head_source = read_source(HEAD, small[HEAD])
        problems += head_source.problems
        head = _head(head_source, problems)
    found: list[_Found] = []
    for name in small:
        if name != HEAD and name not in scenarios:
            at(name)
            source = read_source(name, small[name], "card")
            problems += source.problems
            if source.whole and not source.rows:
                problems.append(Problem(name, "", "", "holds no [[card]]", "remove the file"))
            found += _cards(source, problems)
            whole = whole and source.whole
    problems += islice(_whole_pack(head, found, whole), PROBLEMS_LIMIT)
    if head is not None and _countable(head, found, whole):
        problems += [head_source.problem(Row(1, {}), "", *wrong) for wrong in _counts(head, found)]
    return _sorted(problems)


def _sorted(problems: list[Problem]) -> list[Problem]:
    found = sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line))
    if len(found) <= PROBLEMS_LIMIT:
        return found
    more = Problem("", "", "", f"more than {PROBLEMS_LIMIT} mistakes", "correct these first")
    return [*found[:PROBLEMS_LIMIT], more]


def _sizes(files: dict[str, bytes]) -> Iterable[Problem]:
    handed_out = [data for name, data in files.items() if not name.startswith(SCENARIOS)]
    if len(handed_out) > FILES_LIMIT:
        yield Problem("", "", "", f"{len(handed_out)} files: a pack has at most {FILES_LIMIT}, scenarios not counted")
    if sum(map(len, handed_out)) > PACK_LIMIT:
        yield Problem("", "", "", f"larger than {PACK_LIMIT // 1024} KB together, scenarios not counted")
    for name, data in sorted(files.items()):
        if len(data) > FILE_LIMIT:
            yield Problem(name, "", "", f"larger than {FILE_LIMIT // 1024} KB", "split it: every TOML file is read")
        if not name.endswith(".toml"):
            yield Problem(name, "", "", "is not a TOML file", "a pack is pack.toml and files of [[card]] tables")


# ------------------------------------------------------------------------------------------------------------ decoding
def _head(source: Source, problems: list[Problem]) -> Decoded[PackHead] | None:
    """Read pack.toml and add its mistakes to `problems`; return None if there is nothing to read."""
    if not source.rows:
        return None
    row = source.rows[0]
    read = decode(row.table, PackHead, _ROLES)
    problems += [source.problem(row, "", *mistake) for mistake in read.mistakes]
    if read.value is not None:
        for key, message, hint in _head_names(read.value):
            if not read.lost_at(key, *(("identities",) if key == "words.no_identity" else ())):
                problems.append(source.problem(row, "", key, message, hint))
    return read


def _cards(source: Source, problems: list[Problem]) -> Iterator[_Found]:
    """Yield the cards of a file as far as they can be read, and add their mistakes to `problems`."""
    for number, row in enumerate(source.rows, 1):
        if len(problems) >= PROBLEMS_LIMIT:
            source.whole = False
            return
        read = decode(row.table, v.Card, _ROLES)
        given = row.table.get("id", row.table.get("name", "")) if isinstance(row.table, dict) else ""
        name = str(given) or f"card {number}"
        problems += [source.problem(row, name, *mistake) for mistake in read.mistakes]
        if read.value is None:
            source.whole = False
        else:
            yield _Found(source, row, read.value, read)


def _scenarios(source: Source) -> Iterator[Problem]:
    """Yield every mistake of a scenario file that can be found without playing it."""
    yield from source.problems
    if not source.rows and source.whole:
        yield Problem(source.name, "", "", "holds no [[scenario]]", "docs/scenarios.md has the format")
    for number, row in enumerate(source.rows, 1):
        read = decode(row.table, Scenario, _ROLES)
        name = str(row.table.get("name", f"scenario {number}")) if isinstance(row.table, dict) else ""
        for key, message, hint in read.mistakes:
            yield _scenario_problem(source, row, name, key, message, hint)
        for key, message in mistakes_of(read.value) if read.value is not None else ():
            if not read.lost_at(key):
                yield _scenario_problem(source, row, name, key, message)


def _scenario_problem(source: Source, row: Row, name: str, key: str, message: str, hint: str = "") -> Problem:
    found = source.problem(row, name, key, message, hint or "docs/scenarios.md has the format")
    return msgspec.structs.replace(found, key=in_words(key))


# ------------------------------------------------------------------------------------------------- the pack as a whole
def _whole_pack(head: Decoded[PackHead] | None, found: list[_Found], whole: bool) -> Iterator[Problem]:
    """Yield every mistake of the cards of a pack, alone, together and against pack.toml. whole: every file could be
    read."""
    yield from _doubles(found)
    if len(found) > CARDS_LIMIT:
        yield Problem("", "", "", f"{len(found)} different cards: a table can hold {CARDS_LIMIT}")
    named = whole and not any(one.read.lost_at("kind", "id", "name_key") for one in found)
    names = Names.of(head, [one.card for one in found], named)
    for one in found:
        checks = [*card_problems(one.card, names, one.read), *text_problems(one.card, one.read)]
        if not one.read.lost:
            checks += missing_problems(one.card)
        for key, message, hint in checks:
            if not one.read.lost_at(key):
                yield one.source.problem(one.row, one.card.id, key, message, hint)


def _doubles(found: list[_Found]) -> Iterable[Problem]:
    for what in ("id", "name"):
        first: dict[str, str] = {}
        for one in found:
            if one.read.lost_at(what):
                continue
            value = getattr(one.card, what)
            if value in first:
                hint = "copies = 2 gives two of one card" if what == "id" else "printed names tell cards apart"
                message = f"{value!r} is already a card of {first[value]}"
                yield Problem(one.source.name, one.card.id, what, message, hint, one.row.line)
            first.setdefault(value, one.source.name)


_PHASES = ("kick", "trouble", "loot", "charity")


def _head_names(head: PackHead) -> Iterator[tuple[str, str, str]]:
    """Yield names in pack.toml that mean nothing (no such book, phase or kind of identity), and ids used twice."""
    books = sorted({book for clause in load_clauses().values() for book in clause.sets} - {"all"})
    if head.book not in books:
        near = get_close_matches(head.book, books, n=1, cutoff=0.6)
        hint = f"did you mean {near[0]!r}?" if near else f"one of {', '.join(books)}"
        yield "book", f"no rule book is called {head.book!r}", hint
    kinds = [kind.id for kind in head.identities]
    for key, given, known in (("no_identity", head.words.no_identity, kinds), ("phases", head.words.phases, _PHASES)):
        for word in given:
            if word not in known:
                what = "phase" if key == "phases" else "kind of identity"
                yield f"words.{key}", f"there is no {what} {word!r}", f"one of {', '.join(known) or 'none'}"
    for key, ids in (("identities", kinds), ("tags", [tag.id for tag in head.tags])):
        for ident in sorted({ident for ident in ids if ids.count(ident) > 1}):
            yield key, f"{ident!r} is used twice", ""


def _countable(head: Decoded[PackHead], found: list[_Found], whole: bool) -> bool:
    """Return whether every key that gives a number of cards could be read."""
    return whole and not head.lost_at("counts") and not any(one.read.lost_at("kind", "deck", "copies") for one in found)


def _counts(head: Decoded[PackHead], found: list[_Found]) -> Iterator[tuple[str, str, str]]:
    """Yield where the numbers of cards in pack.toml differ from the cards, copies included."""
    decks: Counter[str] = Counter()
    for one in found:
        decks[one.card.deck or deck_of(one.card.kind)] += one.card.copies
    for deck in ("door", "treasure", "seal"):
        stated = getattr(head.value.counts, deck) if head.value is not None else 0
        if decks[deck] != stated:
            message = f"says {stated} {deck} cards, but there are {decks[deck]}"
            yield f"counts.{deck}", message, "copies count, and a card's kind says its deck"


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a pack for editors: cards at the top, pack.toml and the files of cards under $defs."""
    (head, cards), definitions = msgspec.json.schema_components([PackHead, CardFile], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kickdoor card pack",
        "anyOf": [cards, head],
        "$defs": definitions,
    }
