"""Phrases of the card language in English: who, which cards, how much, if. describe.py makes sentences of them."""

from msgspec.structs import replace

from core.language import schema as v
from core.language.manifest import PackHead

SUBJECT: dict[str, str] = {
    "you": "you",
    "victim": "the victim",
    "me": "that player",
    "chosen": "the chosen player",
    "fighter": "the fighter",
    "helper": "the helper",
    "side": "each hero of the combat",
    "others": "every other player",
    "all": "every player",
    "left": "the player to the victim's left",
    "right": "the player to the victim's right",
    "highest": "whoever has the highest Level",
    "lowest": "whoever has the lowest Level",
    "turn": "whoever has the turn",
}
_ANY_OF = {
    "others": "another player", "all": "a player", "side": "a hero of the combat",
    "highest": "somebody of the highest Level", "lowest": "somebody of the lowest Level",
}  # fmt: skip
"""In a condition a word for several players means at least one of them."""
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
    "hand": "{at} {whose} hand", "equipped": "that {who} has equipped", "carried": "that {who} only carries",
    "items": "that {who} has in play", "play": "that {who} has in play", "identities": "of {theirs}",
    "curses": "lying on {who}",
}  # fmt: skip
_NOUN = {
    "hand": "card", "equipped": "Item", "carried": "Item", "items": "Item", "play": "card", "identities": "identity",
    "curses": "lasting curse",
}  # fmt: skip
_THERE = {
    "hand": " in hand", "equipped": " equipped", "carried": " in play but not equipped", "items": " in play",
    "play": " in play", "identities": "", "curses": "",
}  # fmt: skip
"""Where they are, of cards that somebody has."""
_PICK = {
    "choose": ", chosen by {by}", "random": ", picked at random", "best": ", highest bonus first",
    "dearest": ", most Gold Pieces first", "all": "",
}  # fmt: skip


class Words:
    """What a pack calls its tags and curses; names that it does not say are made of their slugs.

    about: whom a condition is about that does not say so; heroes: whose strength grows if the text says the heroes.
    """

    def __init__(self, head: PackHead | None = None) -> None:
        self.about, self.heroes = "the victim", "to the heroes"
        self.curse = head.words.curse if head else "Curse"
        self.joining = [tag.id for tag in head.tags if tag.joins] if head else []
        self._names: dict[str, str] = {tag.id: tag.name for tag in head.tags} if head else {}
        self._names |= {kind.id: kind.name for kind in head.identities} if head else {}

    def name(self, slug: str) -> str:
        """An identity, a tag, a kind of identity."""
        return self._names.get(slug, slug.replace("-", " ").title())

    def kind(self, kind: v.Kind) -> str:
        """A kind of card; curses by the set's own word."""
        return self.curse if kind == "curse" else KIND[kind]

    # ------------------------------------------------------------------------------------------------------- cards
    def cards(self, cards: v.Cards) -> str:
        """Which cards: "2 Big Items that the victim has in play, chosen by the victim"."""
        one = cards.count == 1 or cards.pick == "all"
        pick = _PICK[cards.pick].format(by=SUBJECT[cards.by or cards.of])
        what = self.counted(cards, one, "from")
        if isinstance(cards.count, v.Amount) and cards.pick != "all":
            return f"as many {what} as {self.amount(cards.count)}{pick}"
        return f"{self._how_many(cards)} {what}{pick}"

    def counted(self, cards: v.Cards, one: bool, at: str = "in") -> str:
        """What is counted: "Big Items that the victim has in play"; at: in a hand, or from it."""
        who = SUBJECT[cards.of]
        theirs = "yours" if who == "you" else who
        place = _ZONE[cards.zone].format(who=who, whose=_possessive(who), theirs=theirs, at=at)
        if who == "you":
            place = place.replace("you has", "you have").replace("you only carries", "you only carry")
        return " ".join([*self._adjectives(cards), self._noun(cards, one), place]) + self._worth(cards)

    @staticmethod
    def _how_many(cards: v.Cards) -> str:
        if cards.pick == "all":
            return "every"
        return "one" if cards.count == 1 else str(cards.count)

    @staticmethod
    def _worth(cards: v.Cards) -> str:
        return f" worth {cards.worth} Gold Pieces or more" if cards.worth is not None else ""

    def _adjectives(self, cards: v.Cards) -> list[str]:
        words = []
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
        """How much, as words that can follow "the number"."""
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
            parts.append(f"the number of {self.counted(amount.count, False)}")
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
        if amount.having is not None and amount.having.has is not None and amount.having == v.If(has=amount.having.has):
            parts.append(f"the number of players who count as {self.name(amount.having.has)}")
        elif amount.having is not None:
            parts.append(f"the number of players of whom this holds: {self.condition(amount.having, 'that player')}")
        return parts

    def signed(self, amount: "int | v.Amount") -> str:
        """A bonus: +3, or + and words."""
        if isinstance(amount, int):
            return f"{amount:+d}"
        less = mirrored(amount)
        text = self.amount(less or amount)
        return f"{'minus' if less else 'plus'} {f'({text})' if ', ' in text or ': ' in text else text}"

    # --------------------------------------------------------------------------------------------------- conditions
    def _who(self, cond: v.If, subject: str) -> str:
        """Whom a condition is about."""
        return (_ANY_OF.get(cond.who) or SUBJECT[cond.who]) if cond.who else subject or self.about

    def condition(self, cond: v.If, subject: str = "") -> str:
        """A condition as what may follow "if"."""
        who = self._who(cond, subject)
        parts = [*self._of_seat(cond, who), *self._of_table(cond, who)]
        parts += [self.condition(part, who) for part in cond.all]
        if cond.any:
            parts.append("(" + " or ".join(self.condition(part, who) for part in cond.any) + ")")
        parts += [self._not(part, who) for part in cond.none]
        return " and ".join(parts) or "anything goes"

    def _not(self, cond: v.If, who: str) -> str:
        """A condition turned round; a saved number that is not reached is as much or less."""
        if cond.saved is not None and cond == v.If(saved=cond.saved, at_least=cond.at_least):
            return f"{_saved(cond.saved)} is {cond.at_least - 1} or less"
        if cond.wears is not None and cond == v.If(who=cond.who, wears=cond.wears):
            return self._bare(self._who(cond, who), SLOT[cond.wears])
        return f"not ({self.condition(cond, who)})"

    @staticmethod
    def _bare(who: str, what: str) -> str:
        """Who has no such thing equipped; of several none."""
        if who.startswith("a "):
            return f"no {who[2:]} has {what} equipped"
        return f"{who} {'have' if who == 'you' else 'has'} no {what} equipped"

    def _of_seat(self, cond: v.If, who: str) -> list[str]:
        have, are = ("have", "are") if who == "you" else ("has", "is")
        parts = []
        if cond.has is not None:
            parts.append(f"{who} {are} {_member(self.name(cond.has))}")
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
            parts.append(f"it is {'' if cond.own_turn else 'not '}{_possessive(who)} turn")
        if cond.leads is not None:
            parts.append(f"{'nobody' if cond.leads else 'somebody'} has a higher Level than {who}")
        return parts

    def _there(self, cards: v.Cards, least: int, who: str) -> str:
        """Whose they are the condition says, whatever the cards themselves say (query.holds)."""
        what = " ".join([*self._adjectives(cards), self._noun(cards, least == 1)])
        some = article(what) if least == 1 else f"{least} or more {what}"
        return f"{who} {'have' if who == 'you' else 'has'} {some}{_THERE[cards.zone]}{self._worth(cards)}"

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
        if cond.saved is not None:
            parts.append(f"{_saved(cond.saved)} is {cond.at_least} or more")
        return parts


def _limited(text: str, amount: v.Amount) -> str:
    limits = [f"at least {amount.least}"] if amount.least is not None else []
    limits += [f"at most {amount.most}"] if amount.most is not None else []
    return f"{text}, {' and '.join(limits)}" if limits else text


def _saved(name: str) -> str:
    return "the number of cards paid" if name == "paid" else f"the {name.replace('-', ' ')} roll"


def _possessive(who: str) -> str:
    return "your" if who == "you" else f"{who}'s"


def article(word: str) -> str:
    """a Dwarf, an Elf; an identity that is a lack of one ("no class") has none."""
    if word.lower().startswith("no "):
        return f"of {word.lower()}"
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def _member(name: str) -> str:
    """What somebody is: a Dwarf; of an identity whose name is of many, one of the Orks."""
    return f"one of the {name}" if name.endswith("s") and not name.endswith("ss") else article(name)


def plural(noun: str) -> str:
    """Several of a thing."""
    if noun.endswith(("gear", "Armor", "!")):
        return noun
    if noun.startswith("card that allows"):
        return noun.replace("card that allows", "cards that allow")
    if " without " in noun or " in " in noun:
        first, rest = noun.split(" ", 1)
        return f"{first}s {rest}"
    return noun[:-1] + "ies" if noun.endswith("y") else noun + "s"


def mirrored(amount: "int | v.Amount") -> "v.Amount | None":
    """The amount with its sign turned, if it counts down: the words for what is lost."""
    if isinstance(amount, int) or amount.times > 0 or amount.base < 0:
        return None
    least = -amount.most if amount.most is not None else None
    most = -amount.least if amount.least is not None else None
    return replace(amount, times=-amount.times, least=least, most=most)


def more(number: int, one: str) -> str:
    """+1 Treasure, -2 Treasures."""
    return f"{number:+d} {one if abs(number) == 1 else plural(one)}"


def count(number: int, one: str) -> str:
    """1 level, 2 levels."""
    return f"{number} {one if number == 1 else plural(one)}"


def capital(text: str) -> str:
    """A sentence begins with a capital."""
    return text[:1].upper() + text[1:]
