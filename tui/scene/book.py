"""Books to read: chapters of sections, found by their words; the rule book. Pure."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace


class Section(Struct, frozen=True):
    """One piece of a chapter. name: its heading, empty for none; note: what else is to be said of it; groups: the sets
    it belongs to, none for all."""

    name: str
    texts: tuple[str, ...]
    note: str = ""
    groups: tuple[str, ...] = ()

    def matches(self, words: Sequence[str]) -> bool:
        """Return whether every word, in small letters, is somewhere in it."""
        text = " ".join((self.name, *self.texts, self.note)).lower()
        return all(word in text for word in words)


class Chapter(Struct, frozen=True):
    """The sections under one name in the table of contents."""

    name: str
    sections: tuple[Section, ...]


def sift(chapters: Sequence[Chapter], words: Sequence[str], group: str) -> list[Chapter]:
    """Return the chapters with the sections that have all words. group: the name of a set, "" for all. A chapter whose
    own name has all words keeps its sections."""
    found = []
    for chapter in chapters:
        named = all(word in chapter.name.lower() for word in words)
        kept = [part for part in chapter.sections if (named or part.matches(words)) and _belongs(part, group)]
        if kept:
            found.append(replace(chapter, sections=tuple(kept)))
    return found


def _belongs(section: Section, group: str) -> bool:
    return not group or not section.groups or group in section.groups


# ------------------------------------------------------------------------------------------------------ the rule book
BOOKS = {
    "all": "all sets", "maze": "Munchkins & Mazes", "axe": "Axe Cop", "apo": "Apocalypse", "w40k": "Warhammer 40,000",
}  # fmt: skip
"""What clauses call the books, and their names."""
CHAPTERS = {
    "setup": "Setting up", "dice": "Dice", "cards": "Cards", "golden": "Golden rules", "win": "Winning",
    "turn": "The turn", "fast": "Faster play", "when": "When you may act", "self": "Your character", "item": "Items",
    "combat": "Combat", "identity": "Identities", "help": "Help", "flee": "Running away", "death": "Death",
    "curse": "Curses", "seal": "Seals", "blend": "Mixed sets",
}  # fmt: skip
"""The chapters by the first part of the ids of their clauses, in the order of the book."""
RULING = "Our decision: the books say nothing, or contradict each other."


def rule_chapters() -> list[Chapter]:
    """Return the rule book: every clause of the catalogue, by chapter."""
    from core.authoring import clauses  # only the rules catalogue needs it

    found: dict[str, list[Section]] = {name: [] for name in CHAPTERS}
    for clause in clauses.load().values():
        held = [BOOKS.get(book, book) for book in clause.sets]
        notes = ([] if "all" in clause.sets else [f"From: {', '.join(held)}."]) + [RULING] * (clause.kind == "ruling")
        groups = tuple(BOOKS[book] for book in BOOKS if book != "all" and clause.holds_in(book))
        groups = () if "all" in clause.sets else groups
        found.setdefault(clause.id.partition(".")[0], []).append(
            Section(clause.id, (clause.text,), " ".join(notes), groups)
        )
    return [Chapter(CHAPTERS.get(name, name.capitalize()), tuple(parts)) for name, parts in found.items() if parts]
