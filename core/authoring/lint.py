"""Everything that is wrong with a pack, each mistake with its line, card, key and a hint, for those who write packs.

catalog.load stops at the first mistake; here all are found. Cards are judged in check_cards.py and check_texts.py.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, get_args

import msgspec
from msgspec import Struct

from core.authoring.clauses import load as load_clauses
from core.authoring.lint_cards import Names, card_problems
from core.authoring.lint_effects import text_problems
from core.authoring.template import new_pack
from core.language import schema as v
from core.language.catalog import FILE_LIMIT, UNSEEN, deck_of, unseen
from core.language.manifest import CardFile, Counts, IdentityKind, PackHead, Switches, TagRule, Words
from core.scenario.schema import ScenarioError
from core.scenario.schema import load as load_scenarios

__all__ = ["Problem", "check_pack", "new_pack", "schema"]

HEAD = "pack.toml"
SCENARIOS = "scenarios/"
FILES_LIMIT = 64
CARDS_LIMIT = 2000
PACK_LIMIT = 4 * 1024 * 1024


class Problem(Struct, frozen=True):
    """One mistake: in which file and line (0: none in particular), of which card, at which key; and what to do."""

    file: str
    card: str
    key: str
    message: str
    hint: str = ""
    line: int = 0

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}" if self.line else self.file
        place = ", ".join(part for part in (file, self.card, self.key) if part)
        return f"{place}: {self.message}{f' ({self.hint})' if self.hint else ''}"


def check_pack(files: dict[str, bytes]) -> list[Problem]:
    """Every mistake in a pack (its files by name, scenarios/ with their folder); none: catalog.load takes it."""
    problems = list(_sizes(files))
    for name in sorted(files):
        if name.startswith(SCENARIOS):
            problems += _scenarios(name, files[name])
    files = {name: data for name, data in files.items() if not name.startswith(SCENARIOS)}
    tables = {name: _parse(name, data, problems) for name, data in sorted(files.items()) if len(data) <= FILE_LIMIT}
    head = _head(tables.get(HEAD), files, problems)
    found: list[tuple[str, int, v.Card]] = []
    for name, table in tables.items():
        if name != HEAD and table is not None:
            found += _cards(name, table, files[name].decode(), problems)
    cards = [card for _, _, card in found]
    if head is not None:
        problems += _head_names(head, files[HEAD].decode())
    if head is not None and not problems:
        problems += _counts(head, cards)
    names = Names.of(head, cards, whole=not problems)
    problems += _doubles(found)
    for name, line, card in found:
        text = files[name].decode()
        for key, message, hint in (*card_problems(card, names), *text_problems(card)):
            problems.append(Problem(name, card.id, key, message, hint, _key_line(text, line, key)))
    return problems


def _sizes(files: dict[str, bytes]) -> Iterable[Problem]:
    if len(files) > FILES_LIMIT:
        yield Problem("", "", "", f"{len(files)} files: a pack has at most {FILES_LIMIT}")
    if sum(map(len, files.values())) > PACK_LIMIT:
        yield Problem("", "", "", f"larger than {PACK_LIMIT // 1024} KB together")
    for name, data in sorted(files.items()):
        if len(data) > FILE_LIMIT:
            yield Problem(name, "", "", f"larger than {FILE_LIMIT // 1024} KB", "split it: every TOML file is read")
        if not name.endswith(".toml"):
            yield Problem(name, "", "", "is no TOML file", "a pack is pack.toml and files of [[card]] tables")


# ------------------------------------------------------------------------------------------------------------ decoding
def _parse(name: str, data: bytes, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        table = tomllib.loads(data.decode())
        for sign in sorted({*unseen(table)}):
            problems.append(Problem(name, "", "", UNSEEN % ord(sign), "take it out: texts are plain"))
        return table
    except UnicodeDecodeError as error:
        problems.append(Problem(name, "", "", f"not UTF-8 text: {error}", line=data[: error.start].count(b"\n") + 1))
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"at line (\d+)", str(error))
        line = int(at.group(1)) if at else 0
        problems.append(Problem(name, "", "", f"not TOML: {error}", _toml_hint(str(error)), line))
    except RecursionError:
        problems.append(Problem(name, "", "", "nested too deeply"))
    return None


def _toml_hint(error: str) -> str:
    if "inline" in error.lower() or "Unclosed array" in error or "Invalid initial character" in error:
        return "an inline table { ... } stands on one line, and every [ and { needs its closing one"
    return ""


def _head(table: dict[str, Any] | None, files: dict[str, bytes], problems: list[Problem]) -> PackHead | None:
    if HEAD not in files:
        problems.append(Problem(HEAD, "", "", "is missing", "kickdoor cards new DIR writes one"))
    if table is None:
        return None
    try:
        return msgspec.convert(table, PackHead)
    except msgspec.ValidationError as error:
        key, message, hint = _explain(error, table)
        problems.append(Problem(HEAD, "", key, message, hint, _key_line(files[HEAD].decode(), 1, key)))
        return None


def _cards(name: str, table: dict[str, Any], text: str, problems: list[Problem]) -> list[tuple[str, int, v.Card]]:
    """The cards of a file that can be read, with the lines they begin on; the mistakes of the others."""
    for key in sorted(set(table) - {"card"}):
        problems.append(Problem(name, "", key, f"unknown key {key!r}", "a file of cards has [[card]] tables only"))
    rows = table.get("card", [])
    if not isinstance(rows, list):
        problems.append(Problem(name, "", "card", "is no list of tables", "write [[card]] with two brackets"))
        return []
    lines = [number for number, line in enumerate(text.splitlines(), 1) if re.match(r"\s*\[\[\s*card\s*\]\]", line)]
    found = []
    for at, row in enumerate(rows[:CARDS_LIMIT]):
        line = lines[at] if at < len(lines) else 0
        try:
            found.append((name, line, msgspec.convert(row, v.Card)))
        except (msgspec.ValidationError, RecursionError) as error:
            key, message, hint = _explain(error, row)
            card = str(row.get("id", row.get("name", f"card {at + 1}"))) if isinstance(row, dict) else f"card {at + 1}"
            problems.append(Problem(name, card, key, message, hint, _key_line(text, line, key)))
    if len(rows) > CARDS_LIMIT:
        problems.append(Problem(name, "", "card", f"more than {CARDS_LIMIT} cards in one file"))
    return found


# ---------------------------------------------------------------------------------------------------- saying it better
def _explain(error: Exception, row: Any) -> tuple[str, str, str]:
    """(key, message, hint) of a decoding error, with what was probably meant."""
    text = str(error)
    message, _, path = text.partition(" - at `$")
    key = path.rstrip("`").lstrip(".")
    unknown = re.search(r"unknown field `(.+?)`", message)
    if unknown:
        name = unknown.group(1)
        return (f"{key}.{name}" if key else name), f"unknown key {name!r}", _meant(name, _fields_at(row, key))
    missing = re.search(r"missing required field `(.+?)`", message)
    if missing:
        return key, f"the key {missing.group(1)!r} is missing", _ROLES.get(missing.group(1), "")
    wrong = re.search(r"[Ii]nvalid (?:enum )?value '(.+?)'", message)
    if wrong:
        return key, f"{wrong.group(1)!r} is none of the words that can stand here", _meant(wrong.group(1), _words(key))
    return key, message[:1].lower() + message[1:], ""


_ROLES = {
    "do": "every op says what it does: { do = \"level\", ... }",
    "mod": "every modifier says which it is: { mod = \"strength\", ... }",
    "id": "a short name of small letters, figures and hyphens: id = \"pickle-spear\"",
    "name": "the printed name",
    "kind": "one of " + ", ".join(get_args(v.Kind)),
}


def _meant(word: str, among: Iterable[str]) -> str:
    close = get_close_matches(word, sorted(set(among)), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else f"one of {', '.join(sorted(set(among)))}"


_TAGGED: dict[tuple[str, str], type] = {
    (str(kind.__struct_config__.tag_field), str(kind.__struct_config__.tag)): kind
    for kind in (*get_args(v.Mod), *get_args(v.Op))
}
_BY_KEY: dict[str, type] = {
    "if": v.If, "only": v.If, "unless": v.If, "meets": v.If, "having": v.If, "all": v.If, "any": v.If, "none": v.If,
    "cards": v.Cards, "count": v.Cards, "by": v.Amount, "to": v.Amount, "treasures": v.Amount, "cost": v.Cost,
    "abilities": v.Ability, "of": v.Choice, "counts": Counts, "identities": IdentityKind, "tags": TagRule,
    "switches": Switches, "words": Words,
}  # fmt: skip


def _fields_at(row: Any, key: str) -> list[str]:
    """The keys that could stand at this place of a card or pack head."""
    node, last = row, ""
    for part in re.findall(r"[^.\[\]]+", key):
        if isinstance(node, list):
            node = node[int(part)] if part.isdigit() and int(part) < len(node) else None
        elif isinstance(node, dict):
            node, last = node.get(part), part
    kind: type | None = None
    if isinstance(node, dict):
        kind = next((_TAGGED.get((tag, str(node[tag]))) for tag in ("do", "mod") if tag in node), None)
    kind = kind or _BY_KEY.get(last) or (PackHead if isinstance(row, dict) and "vocabulary" in row else v.Card)
    return [*kind.__struct_encode_fields__]  # type: ignore[attr-defined]


def _words(key: str) -> list[str]:
    """The words that can stand at this key, wherever in the language it is one of several."""
    last = re.findall(r"[^.\[\]]+", key)[-1:]
    if last == ["do"] or last == ["mod"]:
        return [tag for field, tag in _TAGGED if field == last[0]]
    known: dict[str, tuple[str, ...]] = {
        "kind": get_args(v.Kind), "slot": get_args(v.Slot), "wears": get_args(v.Slot), "when": get_args(v.When),
        "target": get_args(v.Target), "until": get_args(v.Until), "deck": ("door", "treasure", "either", "seal"),
        "what": _choices(v.Forbid, "what") + _choices(v.Ignore, "what") + _choices(v.AddMonster, "what"),
        "zone": _choices(v.Cards, "zone"), "side": _choices(v.Bonus, "side"), "per": _choices(v.Ability, "per"),
        "pick": _choices(v.Cards, "pick") + _choices(v.Recover, "pick"), "into": _choices(v.Take, "into"),
        "which": _choices(v.RemoveMonster, "which"), "how": _choices(v.RemoveMonster, "how"), "sex": ("male", "female"),
        "treasures": _choices(v.RemoveMonster, "treasures"), "from": _choices(v.Escape, "from_"),
    }  # fmt: skip
    return list(known.get(last[0] if last else "", get_args(v.Who)))


def _choices(kind: type, name: str) -> tuple[str, ...]:
    return tuple(arg for arg in get_args(kind.__annotations__[name]) if isinstance(arg, str))


def _key_line(text: str, start: int, key: str) -> int:
    """The line of the outermost part of a key within the table that begins on line `start`."""
    outer = re.match(r"[A-Za-z_]+", key)
    if not start or not outer:
        return start
    lines = text.splitlines()
    for number in range(start, len(lines)):
        if re.match(r"\s*\[\[\s*card\s*\]\]", lines[number]):
            break
        if re.match(rf"\s*(\[+[a-z_.]*\b)?{re.escape(outer.group())}\b", lines[number]):
            return number + 1
    return start


# ---------------------------------------------------------------------------------------------------- the pack as whole
def _doubles(found: list[tuple[str, int, v.Card]]) -> Iterable[Problem]:
    for what in ("id", "name"):
        first: dict[str, str] = {}
        for name, line, card in found:
            value = getattr(card, what)
            if value in first:
                hint = "copies = 2 gives two of one card" if what == "id" else "printed names tell cards apart"
                yield Problem(name, card.id, what, f"{value!r} is a card of {first[value]} already", hint, line)
            first.setdefault(value, name)


_PHASES = ("kick", "trouble", "loot", "charity")


def _head_names(head: PackHead, text: str) -> Iterable[Problem]:
    """Names in pack.toml that mean nothing: no such book, phase or kind of identity; and ids that stand there twice."""
    books = sorted({book for clause in load_clauses().values() for book in clause.sets} - {"all"})
    if head.book not in books:
        message, hint = f"no rule book is called {head.book!r}", _meant(head.book, books)
        yield Problem(HEAD, "", "book", message, hint, _key_line(text, 1, "book"))
    kinds = [kind.id for kind in head.identities]
    for key, said, known in (("no_identity", head.words.no_identity, kinds), ("phases", head.words.phases, _PHASES)):
        for word in said:
            if word not in known:
                message = f"there is no {'phase' if key == 'phases' else 'kind of identity'} {word!r}"
                yield Problem(HEAD, "", f"words.{key}", message, f"one of {', '.join(known) or 'none'}")
    for key, ids in (("identities", kinds), ("tags", [tag.id for tag in head.tags])):
        for ident in sorted({ident for ident in ids if ids.count(ident) > 1}):
            yield Problem(HEAD, "", key, f"{ident!r} stands there twice")


def _counts(head: PackHead, cards: list[v.Card]) -> Iterable[Problem]:
    """pack.toml says how many cards there are; counted with copies."""
    decks: Counter[str] = Counter()
    for card in cards:
        decks[card.deck or deck_of(card.kind)] += card.copies
    for deck in ("door", "treasure", "seal"):
        if decks[deck] != getattr(head.counts, deck):
            said = getattr(head.counts, deck)
            message = f"says {said} {deck} cards, but there are {decks[deck]}"
            yield Problem(HEAD, "", f"counts.{deck}", message, "copies count, and a card's kind says its deck")


def _scenarios(name: str, data: bytes) -> Iterable[Problem]:
    try:
        load_scenarios(data, name)
    except ScenarioError as error:
        yield Problem(name, error.name, "", error.text, "docs/scenarios.md has the format")


def schema() -> dict[str, Any]:
    """JSON Schema of a pack for editors: pack.toml and the files of cards under $defs, cards on top."""
    (head, cards), definitions = msgspec.json.schema_components([PackHead, CardFile], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "kickdoor card pack",
        "anyOf": [cards, head],
        "$defs": definitions,
    }
