"""Phrases of the card language in English: who, which cards, how much, if. card_effects.py builds sentences of them."""

from msgspec.structs import replace

from core.language import schema as v
from core.language.manifest import PackHead

Lines = list[str]
"""Sentences, one a line; those indented by two spaces belong to the line above them."""
SUBJECT: dict[str, str] = {
    "you": "you",
    "victim": "the victim",
    "me": "that player",
    "chosen": "the chosen player",
    "fighter": "the fighter",
    "helper": "the helper",
    "side": "each hero in the combat",
    "others": "every other player",
    "all": "every player",
    "left": "the player to the victim's left",
    "right": "the player to the victim's right",
    "highest": "whoever has the highest Level",
    "lowest": "whoever has the lowest Level",
    "turn": "the player whose turn it is",
}
ANY_OF = {
    "others": "another player", "all": "a player", "side": "a hero in the combat",
    "highest": "a player with the highest Level", "lowest": "a player with the lowest Level",
}  # fmt: skip
"""Words for one of several players: in a condition, or for a choice among them."""
SLOT = {
    "head": "Headgear", "armor": "Armor", "feet": "Footgear", "1-hand": "1-Hand Item", "2-hands": "2-Hands Item",
    "vehicle": "Vehicle", "none": "Item without a slot",
}  # fmt: skip
KIND = {
    "monster": "monster", "enhancer": "monster enhancer", "wandering": "Wandering Monster", "curse": "curse",
    "identity": "identity", "double": "card that allows two identities", "item": "Item", "level": "Go Up a Level card",
    "cheat": "Cheat!", "hireling": "Hireling", "special": "special card",
    "ally": "Ally", "upgrade": "Item Enhancer", "seal": "Seal",
}  # fmt: skip
_ZONE = {
    "hand": "{at} {hand}", "equipped": "that {who} has equipped", "carried": "that {who} only carries",
    "items": "that {who} has in play", "play": "that {who} has in play", "identities": "of {theirs}",
    "curses": "lying on {who}",
}  # fmt: skip
"""Where somebody's cards are."""
_OWN_ZONE = {
    "hand": "from hand", "equipped": "", "carried": "", "items": "in play", "play": "in play", "identities": "",
    "curses": "",
}  # fmt: skip
"""Where cards are, if the sentence is about their owner."""
_OWN_STATE = {"equipped": "equipped", "carried": "unequipped"}
_NOUN = {
    "hand": "card", "equipped": "Item", "carried": "Item", "items": "Item", "play": "card", "identities": "identity",
    "curses": "lasting curse",
}  # fmt: skip
_THERE = {
    "hand": " in hand", "equipped": " equipped", "carried": " in play but not equipped", "items": " in play",
    "play": " in play", "identities": "", "curses": "",
}  # fmt: skip
"""The place of cards that somebody "has" in a condition."""
HIGHEST_DIE = 20
"""The highest number of any die: nothing reaches more."""
ONE, MANY = "who", "that"
"""Subjects of a condition that follows "a player" and "players"."""


class Phrases:
    """Phrases in the words of a pack: its names of tags and curses. A name that it does not give is made from the slug.

    about: the subject of a condition that names nobody. heroes: the player whose strength grows if the text says the
    heroes.
    """

    def __init__(self, head: PackHead | None = None) -> None:
        self.about, self.heroes = "the victim", "the heroes"
        self.curse = head.words.curse if head else "Curse"
        self.joining = [tag.id for tag in head.tags if tag.joins] if head else []
        self._names: dict[str, str] = {tag.id: tag.name for tag in head.tags} if head else {}
        self._names |= {kind.id: kind.name for kind in head.identities} if head else {}

    def name(self, slug: str) -> str:
        """Return the name of an identity, a tag or a kind of identity."""
        return self._names.get(slug, slug.replace("-", " ").title())

    def kind(self, kind: v.Kind) -> str:
        """Return the name of a kind of card; for curses it is the word of the set."""
        return self.curse if kind == "curse" else KIND[kind]

    # ------------------------------------------------------------------------------------------------------- cards
    def cards(self, cards: v.Cards, subject: str = "") -> str:
        """Return the words for a selector: "2 Big Items that the victim has in play (chosen by the victim)".

        subject: the who-word that the sentence is about. Cards and choices of that player need fewer words: "one
        equipped Footgear (their choice)".
        """
        if cards.this:
            return "this card"
        chooser, chosen, last = cards.by or cards.of, "", ""
        if cards.pick == "choose":
            own = "(your choice)" if chooser == "you" else "(their choice)"
            chosen = own if chooser == subject else f"(chosen by {SUBJECT[chooser]})"
        one = cards.count == 1 or cards.pick == "all"
        what = self._what(cards, one, mine=cards.of == subject)
        place = _OWN_ZONE[cards.zone] if cards.of == subject else self._place(cards, "from")
        if isinstance(cards.count, v.Amount) and cards.pick != "all":
            what, last = f"as many {what}", f"as {self.amount(cards.count)}"
        else:
            what = _numbered(what, cards.pick, "" if one else str(cards.count))
        place += self._worth(cards)
        if cards.pick == "best":
            last = f"with the highest bonus {last}".strip()
        return " ".join(part.strip() for part in (what, place, last, chosen) if part)

    def counted(self, cards: v.Cards) -> str:
        """Return the words for cards that are counted: "Big Items that the victim has in play"."""
        return f"{self._what(cards, one=False)} {self._place(cards, 'in')}{self._worth(cards)}"

    def thing(self, cards: v.Cards, one: bool) -> str:
        """Return the kind of card alone: "Big Item", "Big Items"."""
        return " ".join([*self._adjectives(cards), self._noun(cards, one)])

    def _what(self, cards: v.Cards, one: bool, mine: bool = False) -> str:
        """Return the kind of card, as a noun with adjectives. mine: they belong to the subject of the sentence."""
        how = {"random": ["random"], "dearest": ["most valuable"]}.get(cards.pick, [])
        state = [_OWN_STATE[cards.zone]] if mine and cards.zone in _OWN_STATE else []
        return " ".join([*how, *state, self.thing(cards, one)])

    @staticmethod
    def _place(cards: v.Cards, at: str) -> str:
        """Return where the cards are, and whose they are. at: the preposition for a hand, "in" or "from"."""
        who = SUBJECT[cards.of]
        theirs = "yours" if who == "you" else who
        place = _ZONE[cards.zone].format(who=who, hand=hand_of(who), theirs=theirs, at=at)
        return place.replace("you has", "you have").replace("you only carries", "you only carry")

    @staticmethod
    def _worth(cards: v.Cards) -> str:
        return f" worth {cards.worth} Gold Pieces or more" if cards.worth is not None else ""

    def _adjectives(self, cards: v.Cards) -> list[str]:
        words = ["other"] if cards.this is False else []
        if cards.big is not None:
            words.append("Big" if cards.big else "Small")
        if cards.one_shot is not None:
            words.append("one-shot" if cards.one_shot else "lasting")
        if cards.tag is not None:
            words.append(self.name(cards.tag))
        if cards.identity is not None:
            words.append(self.name(cards.identity))
        return words

    def _noun(self, cards: v.Cards, one: bool) -> str:
        noun = SLOT[cards.slot] if cards.slot else self.kind(cards.kind) if cards.kind else _NOUN[cards.zone]
        if cards.identity is not None and noun == "identity":
            noun = "card"
        return noun if one else plural(noun)

    # ------------------------------------------------------------------------------------------------------ amounts
    def amount(self, amount: "int | v.Amount") -> str:
        """Return the words for an amount: "3", "2 x the luck roll (at most 5)"."""
        if isinstance(amount, int):
            return str(amount)
        if amount.times == -1 and amount.base < 0:
            rest = replace(amount, base=0, times=1, least=None, most=None)
            return _limited(f"{-amount.base} minus {self.amount(rest)}", amount)
        parts = ([str(amount.base)] if amount.base else []) + self._counted(amount)
        text = " + ".join(parts) or "0"
        if amount.base < 0 and len(parts) > 1:
            text = f"{' + '.join(parts[1:])} - {-amount.base}"
        if amount.times != 1:
            text = f"{amount.times} x ({text})" if len(parts) > 1 else f"{amount.times} x {text}"
        return _limited(text, amount)

    def _counted(self, amount: v.Amount) -> list[str]:
        parts = []
        if amount.count is not None:
            parts.append(f"the number of {self.counted(amount.count)}")
        if amount.level_of is not None:
            whose = SUBJECT[amount.level_of]
            parts.append("your Level" if whose == "you" else f"the Level of {whose}")
        if amount.saved is not None:
            parts.append(_saved(amount.saved))
        if amount.margin:
            parts.append("the margin of the fight")
        if amount.monsters:
            parts.append("the number of monsters in the combat")
        if amount.seals:
            parts.append("the number of open Seals")
        if amount.counters:
            parts.append("the number of counters on this card")
        if amount.tagged is not None:
            parts.append(f"the number of {self.name(amount.tagged)} monsters in the combat")
        if amount.having is not None and amount.having.has is not None and amount.having == v.If(has=amount.having.has):
            parts.append(f"the number of players who count as {self.name(amount.having.has)}")
        elif amount.having is not None:
            parts.append(f"the number of players {self.condition(amount.having, MANY)}")
        return parts

    def added(self, amount: "int | v.Amount", to: str) -> str:
        """Return the words for a bonus: "+3 to ...", "add the luck roll to ...", "subtract the luck roll from ..."."""
        if isinstance(amount, int):
            return f"{amount:+d} to {to}"
        less = mirrored(amount)
        return f"subtract {self.amount(less)} from {to}" if less else f"add {self.amount(amount)} to {to}"

    # --------------------------------------------------------------------------------------------------- conditions
    def _who(self, cond: v.If, subject: str) -> str:
        """Return the subject of a condition."""
        if cond.who == "me" and subject in (ONE, MANY):
            return subject
        return (ANY_OF.get(cond.who) or SUBJECT[cond.who]) if cond.who else subject or self.about

    def condition(self, cond: v.If, subject: str = "") -> str:
        """Return the words for a condition, to follow "if"; with ONE or MANY as subject, "a player" or "players"."""
        who = self._who(cond, subject)
        parts = [*self._of_seat(cond, who), *self._of_table(cond, who)]
        parts += [self.condition(part, who) for part in cond.all]
        if cond.any:
            parts.append("(" + " or ".join(self.condition(part, who) for part in cond.any) + ")")
        parts += [self._not(part, who) for part in cond.none]
        marked = {None: "", True: " (a disadvantage)", False: " (no disadvantage)"}[cond.drawback]
        return (" and ".join(parts) or "anything goes") + marked

    def _not(self, cond: v.If, who: str) -> str:
        """Return the words for a condition that must not hold; for a saved number "not 4 or more" is "3 or less"."""
        if cond.saved is not None and cond == v.If(saved=cond.saved, at_least=cond.at_least):
            return f"{_saved(cond.saved)} is {cond.at_least - 1} or less"
        if cond.saved is not None and cond == v.If(saved=cond.saved, at_most=cond.at_most):
            return f"{_saved(cond.saved)} is {(cond.at_most or 0) + 1} or more"
        if cond.wears is not None and cond == v.If(who=cond.who, wears=cond.wears):
            return self._bare(self._who(cond, who), SLOT[cond.wears])
        if cond.has is not None and cond == v.If(who=cond.who, has=cond.has):
            who = self._who(cond, who)
            return f"{who} {_verbs(who)[1]} not {member(self.name(cond.has))}"
        return f"not ({self.condition(cond, who)})"

    @staticmethod
    def _bare(who: str, what: str) -> str:
        """Return the words for "somebody, or each of several, has no such thing equipped"."""
        if who.startswith("a "):
            return f"no {who[2:]} has {what} equipped"
        return f"{who} {_verbs(who)[0]} no {what} equipped"

    def _of_seat(self, cond: v.If, who: str) -> list[str]:
        have, are, do = _verbs(who)
        parts = []
        if cond.has is not None:
            parts.append(f"{who} {are} {member(self.name(cond.has))}")
        if cond.sex is not None:
            parts.append(f"{who} {are} {cond.sex}")
        if cond.level_at_least is not None:
            parts.append(f"{who} {are} Level {cond.level_at_least} or higher")
        if cond.level_at_most is not None:
            parts.append(f"{who} {are} Level {cond.level_at_most} or lower")
        if cond.wears is not None:
            parts.append(f"{who} {have} {SLOT[cond.wears]} equipped")
        if cond.cards is not None:
            parts.append(self._there(cond.cards, cond.at_least, who))
        if cond.fighting is not None:
            parts.append(f"{who} {are} {'' if cond.fighting else 'not '}in combat")
        if cond.own_turn is not None:
            no = "" if cond.own_turn else "not "
            whose = f"it is {no}{_possessive(who)} turn"
            parts.append(f"whose turn it is {no}".strip() if who in (ONE, MANY) else whose)
        if cond.leads is not None:
            parts.append(f"{who} {have if cond.leads else f'{do} not have'} the highest Level")
        return parts

    def _there(self, cards: v.Cards, least: int, who: str) -> str:
        """Return the words for "somebody has a number of cards". The condition says who; its selector does not
        (queries.conditions.holds)."""
        what = self.thing(cards, least == 1)
        some = "this card" if cards.this else article(what) if least == 1 else f"{least} or more {what}"
        return f"{who} {_verbs(who)[0]} {some}{_THERE[cards.zone]}{self._worth(cards)}"

    def _of_table(self, cond: v.If, who: str) -> list[str]:
        parts = []
        if cond.tag is not None:
            parts.append(f"the monster (or one in the combat) is tagged {self.name(cond.tag)}")
        if cond.alone is not None:
            parts.append("the fighter has no helper" if cond.alone else "the fighter has a helper")
        if cond.winning is not None:
            parts.append("the heroes are winning" if cond.winning else "the heroes are not winning")
        if cond.monsters_at_least is not None:
            parts.append(f"there are {cond.monsters_at_least} monsters or more")
        if cond.seals_at_least is not None:
            some = "a Seal is" if cond.seals_at_least == 1 else f"{cond.seals_at_least} Seals or more are"
            parts.append(f"{some} open")
        if cond.counters_at_least is not None:
            some = "a counter" if cond.counters_at_least == 1 else f"{cond.counters_at_least} counters or more"
            parts.append(f"this card has {some}")
        if cond.saved is not None:
            parts.append(f"{_saved(cond.saved)} is {_range(cond.at_least, cond.at_most)}")
        return parts


def _limited(text: str, amount: v.Amount) -> str:
    limits = [f"at least {amount.least}"] if amount.least is not None else []
    limits += [f"at most {amount.most}"] if amount.most is not None else []
    return f"{text} ({' and '.join(limits)})" if limits else text


def _saved(name: str) -> str:
    return "the number of cards paid" if name == "paid" else f"the {name.replace('-', ' ')} roll"


def _range(least: int, most: int | None) -> str:
    """Return the words for a saved number within limits: "3 or more", "2 or less", "from 2 to 5", "1"."""
    if most == least or (most is None and least == HIGHEST_DIE):
        return str(least)
    if most is None:
        return f"{least} or more"
    return f"{most} or less" if least <= 1 else f"from {least} to {most}"


def _numbered(what: str, pick: str, number: str) -> str:
    """Return a noun with its number. number: "" for one."""
    if pick in ("best", "dearest"):
        return f"the {number} {what}" if number else f"the {what}"
    return f"every {what}" if pick == "all" else f"{number or 'one'} {what}"


def _verbs(who: str) -> tuple[str, str, str]:
    """Return the forms of to have, to be and to do that go with a subject."""
    return ("have", "are", "do") if who in ("you", MANY) else ("has", "is", "does")


def _possessive(who: str) -> str:
    return "your" if who == "you" else f"{who}'s"


def hand_of(who: str) -> str:
    """Return the words for somebody's hand: "your hand", "the victim's hand", "the hand of whoever has ..."."""
    is_long = who.startswith("whoever ") or " whose " in who or " to the " in who
    return f"the hand of {who}" if is_long else f"{_possessive(who)} hand"


def article(word: str) -> str:
    """Return a word with its article: "a Dwarf", "an Elf"; "of no class" for the lack of an identity."""
    if word.lower().startswith("no "):
        return f"of {word.lower()}"
    if word.startswith("other "):
        return f"an{word}"
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def member(name: str) -> str:
    """Return the words for an identity: "a Dwarf", or "one of the Orks" if the name of the identity is a plural."""
    return f"one of the {name}" if name.endswith("s") and not name.endswith("ss") else article(name)


def plural(noun: str) -> str:
    """Return the plural of a noun."""
    if noun.endswith(("gear", "Armor", "!")):
        return noun
    if noun.startswith("card that allows"):
        return noun.replace("card that allows", "cards that allow")
    if " without " in noun or " in " in noun:
        first, rest = noun.split(" ", 1)
        return f"{first}s {rest}"
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def mirrored(amount: "int | v.Amount") -> "v.Amount | None":
    """Return an amount with its sign changed if it counts down, for phrases of loss; None if it counts up."""
    if isinstance(amount, int) or amount.times > 0 or amount.base < 0:
        return None
    least = -amount.most if amount.most is not None else None
    most = -amount.least if amount.least is not None else None
    return replace(amount, times=-amount.times, least=least, most=most)


def more(number: int, one: str) -> str:
    """Return the words for more or fewer of a thing: "an extra Treasure", "2 extra Treasures", "one fewer Treasure"."""
    what = one if abs(number) == 1 else plural(one)
    if number < 0:
        return f"{'one' if number == -1 else -number} fewer {what}"
    return f"an extra {what}" if number == 1 else f"{number} extra {what}"


def count(number: int, one: str) -> str:
    """Return a number with its noun: "1 level", "2 levels"."""
    return f"{number} {one if number == 1 else plural(one)}"
