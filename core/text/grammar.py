"""Grammar of the log: names of seats and cards for one reader, verbs that agree with them, counts."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.language.catalog import Catalog
from core.state.model import Bargain, defn_of
from core.text.foes import Foes

NO_OFFERS: Mapping[int, Bargain] = MappingProxyType({})


class Grammar:
    """Names of seats and cards for one reader, and verbs that agree with them. me: the seat of the reader, or -1. foes:
    the monsters in the combat now, to number those of the same name. offers: those that are open, by their numbers, as
    far as they are known."""

    def __init__(
        self, catalog: Catalog, names: Sequence[str], me: int, foes: Foes | None = None,
        offers: Mapping[int, Bargain] = NO_OFFERS,
    ) -> None:  # fmt: skip
        self.catalog, self.names, self.me, self.foes, self.offers = catalog, names, me, foes or Foes(), offers

    def name(self, seat: int) -> str:
        """Return the name of a seat for the middle of a sentence: "you" for the reader, "nobody" for no seat."""
        if seat == self.me and seat >= 0:
            return "you"
        return self.names[seat] if 0 <= seat < len(self.names) else "nobody"

    def whose(self, seat: int) -> str:
        """Return the possessive of a seat: "your", "Kim's"."""
        if seat == self.me and seat >= 0:
            return "your"
        name = self.name(seat)
        return f"{name}'" if name.endswith("s") else f"{name}'s"

    def does(self, seat: int, verb: str) -> str:
        """Return a seat and what it does: "You draw", "Kim draws". verb: as it goes with "you"."""
        if seat == self.me and seat >= 0:
            return f"You {verb}"
        return f"{self.name(seat)} {third(verb)}"

    def defn(self, defn: int) -> str:
        """Return the printed name of a definition; "a card" if its number is not in the catalog."""
        return self.catalog.cards[defn].card.name if 0 <= defn < len(self.catalog.cards) else "a card"

    def card(self, card: int) -> str:
        """Return the printed name of a card by its id; "a card" for 0, a card the reader may not know."""
        return self.defn(defn_of(card)) if card else "a card"

    def monster(self, monster: int) -> str:
        """Return the name of a monster in the combat by its id; those of the same name are numbered, as on the screen
        ("Bearbug #2")."""
        found = self.foes.found(monster)
        if found is None:
            return self.card(monster)
        number = self.foes.number(found)
        return f"{self.defn(found.defn)} #{number}" if number else self.defn(found.defn)

    def monsters(self, group: int) -> str:
        """Return the names of the monsters of a group, which share the cards played on them: "Bearbug #1 and #2"."""
        there = self.foes.group(group)
        if len(there) < 2:
            return self.monster(there[0].id if there else group)
        return f"{self.defn(there[0].defn)} {listed([f'#{self.foes.number(one)}' for one in there])}"

    def cards(self, cards: Sequence[int]) -> str:
        """Return the names of cards as a list: "a, b and c"."""
        return listed([self.card(card) for card in cards])

    def defns(self, defns: Sequence[int]) -> str:
        """Return the names of definitions as a list: "a, b and c"."""
        return listed([self.defn(defn) for defn in defns])

    def level(self, defn: int) -> str:
        """Return a monster's name with its printed Level, by its definition."""
        level = self.catalog.cards[defn].card.level
        return f"{self.defn(defn)} (Level {level})" if level is not None else self.defn(defn)


_IRREGULAR = {"are": "is", "have": "has", "do": "does"}


def third(words: str) -> str:
    """Return the third person of words that begin with a verb: "claims the kill" for "claim the kill"."""
    verb, blank, rest = words.partition(" ")
    return f"{_third(verb)}{blank}{rest}"


def _third(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list: "a, b and c". last: the word before the last one."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun: "1 Treasure", "2 Treasures"."""
    return f"{number} {one if number == 1 else many}"


def how_often(number: int) -> str:
    """Return how often: "once", "twice", "3 times"."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]
