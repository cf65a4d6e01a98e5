"""The index of the rules catalogue: the subjects that a player looks up, with their clauses.

The index is in subjects.toml. Words lead to its subjects: words of a card (its kind, its verbs), of the moment (the
question that is asked), and of past events. A word is `CATEGORY:NAME`; subjects.toml lists the categories.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec
from msgspec import Struct

from core.authoring import clauses
from core.language.definition import Def
from core.language.schema import ModBase, OpBase
from core.language.tree import walk


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """A subject of the index: its heading, its clauses with the most important first, the words that lead to it."""

    id: str
    name: str
    clauses: tuple[str, ...]
    words: tuple[str, ...]


class _Index(Struct, frozen=True, forbid_unknown_fields=True):
    subject: tuple[Subject, ...]


@cache
def load() -> dict[str, Subject]:
    """Return every subject by its id, in the order of the file. Raises ValueError if an id is there twice."""
    data = Path(__file__).with_name("subjects.toml").read_bytes()
    found = msgspec.toml.decode(data, type=_Index).subject
    subjects = {subject.id: subject for subject in found}
    if len(subjects) != len(found):
        raise ValueError("subjects.toml has two subjects with one id")
    return subjects


@cache
def _by_word() -> dict[str, tuple[Subject, ...]]:
    found: dict[str, tuple[Subject, ...]] = {}
    for subject in load().values():
        for word in subject.words:
            found[word] = (*found.get(word, ()), subject)
    return found


def of_words(words: Iterable[str]) -> list[Subject]:
    """Return the subjects to which these words lead, in the order of the words, each once. Unknown words lead to
    none."""
    found = (subject for word in words for subject in _by_word().get(word, ()))
    return list({subject.id: subject for subject in found}.values())


def of_clause(clause: str) -> list[Subject]:
    """Return the subjects that have this clause, the most relevant first."""
    found = [subject for subject in load().values() if clause in subject.clauses]
    return sorted(found, key=lambda subject: subject.clauses.index(clause))


def of_refusal(clause: str) -> list[Subject]:
    """Return where the rules say why something is refused. clause: as in Refusal.clause. A pack may define kinds of
    identity whose clause ("self.guild-one") is not in the catalogue."""
    if clause in clauses.load():
        return of_clause(clause)
    found = of_words((f"refusal:{clause}",))
    return found or of_words(("kind:identity",) if clause.startswith("self.") else ("refusal:bad",))


def words_of(definition: Def) -> Iterator[str]:
    """Yield the words of a card: its kind, then what its text does, then when it is played."""
    card = definition.card
    yield f"kind:{card.kind}"
    traits = {
        "rank": card.rank is not None, "one-shot": card.one_shot, "big": card.big, "bad-stuff": bool(card.bad),
        "restricted": card.only is not None or card.unless is not None, "ability": bool(definition.abilities),
        "no-value": card.kind == "item" and not card.value,
    }  # fmt: skip
    yield from (f"trait:{trait}" for trait, there in traits.items() if there)
    if definition.is_item and definition.slot:
        yield f"slot:{definition.slot}"
    for _, piece in walk(card):
        if isinstance(piece, OpBase):
            yield f"verb:{piece.__struct_config__.tag}"
        elif isinstance(piece, ModBase):
            yield f"mod:{piece.__struct_config__.tag}"
    yield from (f"tag:{tag}" for tag in (*card.tags, card.gives_tag) if tag)
    yield f"gate:{definition.gate}"
