"""The rules of the census (census.py): the pieces of the card language that make a card count for a figure.

A sign is `WORD` or `WORD: term, term`. WORD is a piece of the language: a verb or a modifier by its word in TOML, or
card, ability, cost, choice, cards, amount, if; `*` is any piece. Every term must be true of the same piece:

    key             the key is given (differs from its default); !key: it is not
    key=a|b         it is one of these words; a list contains one of them
    key!=a|b        it is not one of these words
    who=a|b         one of the piece's keys that say who, whatever its name, is one of these words
    in=a|b          the piece is within this part of the card (play, bad, mods, abilities ...); in!= likewise

A key may have dots (`count.zone`). `@army` stands for the names of all identities of a kind, and for the word of its
set for a player without one.
"""

from typing import NamedTuple

Signs = tuple[str, ...]

OWN_SYSTEMS: dict[str, dict[str, Signs]] = {
    "munchkins-and-mazes": {
        "dice": ("die", "roll_is", "throw_again", "pay_roll", "linger: until=roll"),
        "parties": (
            "*: who=helper|side", "if: alone", "forbid: what=help|ask", "helper_levels", "compel", "expel", "hand_over",
            "card: kind=hireling", "amount: having",
        ),
        "collections": (
            "card: kind=item, tags", "if: cards, at_least!=1, cards.zone!=hand", "amount: count.zone!=hand", "counter",
            "amount: counters", "if: counters_at_least",
        ),
    },
    "axe-cop": {
        "Powers": ("*: identity=power", "capacity: what=power", "if: has=@power"),
        "Allies": ("*: kind=ally", "capacity: what=ally", "card: for_ally"),
        "combinations of monsters": (
            "if: monsters_at_least", "amount: monsters", "add_monster", "swap_monster", "card: gives_tag", "if: tag",
            "amount: tagged",
            "card: kind=wandering", "card: kind=monster, tags",
        ),
    },
    "apocalypse": {
        "Seals": (
            "card: kind=seal", "amount: seals", "if: seals_at_least", "open_seal", "close_seal", "seal_draw",
        ),
        "Item Enhancers": ("*: kind=upgrade",),
        "Sharks": ("card: tags=shark", "card: gives_tag=shark", "*: tag=shark", "amount: tagged=shark"),
    },
    "warhammer-40k": {
        "Vehicles": ("*: slot=vehicle", "capacity: what=vehicle"),
        "Armies": ("*: identity=army", "card: serves=army", "capacity: what=army", "if: has=@army"),
        "Chaos": ("card: tags=chaos", "card: gives_tag=chaos", "*: tag=chaos", "amount: tagged=chaos"),
    },
}  # fmt: skip
"""The systems of each set that its book has, or that the set is built around, and the signs that a card touches one."""

KILLED: Signs = ("card: kind=monster, killed",)
CHOICES: Signs = ("option", "peek: may!=look")
THEFTS: Signs = (
    "take: to=you|me, cards.of!=you|me, in!=bad|escaped|enter", "swap: in!=bad|escaped|enter",
)  # fmt: skip
"""The player (or owner) of the card takes a card of somebody else, or exchanges one."""
DICE: Signs = ("die", "roll_is", "throw_again")
GROWING: Signs = (
    "counter", "amount: counters", "if: counters_at_least", "card: won", "amount: count.zone!=hand",
    "if: cards, at_least!=1, cards.zone!=hand, in=mods|abilities|turn_start|won",
)  # fmt: skip
"""Cards that become stronger during the game, or with others of their kind."""


class Plain(NamedTuple):
    """The form of a plain card of some kind.

    sign: the kind of card. keys: it has no other keys, except those of the printed side. verbs: each text is at most
    one effect of these verbs, without a condition, an `else` or a figure that depends on the game (`*`: any text at
    all). mods: each modifier shows one of these signs and has fixed figures.
    """

    sign: str
    keys: frozenset[str]
    verbs: frozenset[str]
    mods: Signs


def _plain(sign: str, keys: str, verbs: str = "", mods: Signs = ()) -> Plain:
    return Plain(sign, frozenset(keys.split()), frozenset(verbs.split()), mods)


PLAIN: dict[str, Plain] = {
    "gear": _plain(
        "card: kind=item, one_shot!=true", "bonus slot big tags for_ally only unless mods", mods=("flee: !if_",)
    ),
    "one-shot": _plain("card: kind=item, one_shot=true", "one_shot tags target when play", "bonus"),
    "monster": _plain(
        "card: kind=monster", "level treasures levels tags bad mods", "*", ("flee: !if_", "strength: if_.has", "spares")
    ),
    "enhancer": _plain("card: kind=enhancer", "bonus treasures"),
    "level": _plain("card: kind=level", "target when play", "level"),
    "follower": _plain("card: kind=ally|hireling", "bonus free"),
    "Item Enhancer": _plain("card: kind=upgrade", "bonus"),
}
"""Plain cards: a number and a restriction of use, or a number against some players and a Bad Stuff. Curses do not
count."""

PRINTED = frozenset(("id", "name", "kind", "text", "copies", "deck", "value", "identity", "name_key"))
"""Keys that say nothing about what a card does."""

BY_THE_BOOK: dict[str, frozenset[str]] = {
    "munchkins-and-mazes": frozenset((
        "lose-your-armor", "advantaged", "greater", "life-partner", "wandering-monster", "cheat", "warrior", "wizard",
        "thief", "cleric", "elf", "dwarf", "halfling", "orc", "super-munchkin", "half-breed", "pickle-spear",
        "reforged-sword", "plot-armor", "hammer-of-finger-nailing", "turning-keys", "meat-shield", "wombat-boots",
        "eavesdropper", "bearbug", "glampire", "prismatic-glitter", "hireling",
    )),
    "axe-cop": frozenset((
        "uni-baby", "wexter", "gray-diamond", "super-lion-pig", "stepped-in-super-fast-drying-boot-glue",
        "with-a-truck-full-of-ninjas", "wandering-monster", "cop", "warrior", "man", "avocado", "moon", "bat-warthog",
        "dinosaur", "super-munchkin", "surprise-proof-armor", "sun-picking-up-gloves",
        "dino-head-on-a-stick-with-bombs-in-it", "sea-ghost", "chainsaw-cop", "bad-santa", "king-of-all-bad-guys",
        "babyhead-squid", "avocado-bombs", "unicorn-horn",
    )),
    "apocalypse": frozenset((
        "zoo-breakout", "lose-your-armor", "wandering-monster", "cheat", "blogger", "kid", "militia", "scientist",
        "super-munchkin", "tire-iron", "improvised-weapon", "double-barreled-slingshot", "photofloods",
        "a-drone-of-your-own", "15-year-supply-of-beer-and-toilet-paper", "survival-tool", "fire-ants",
        "liver-casserole", "tiamutt", "great-cthulhu", "dehydrated-water", "beer-shortage", "peanut-butter-shortage",
    )),
    "warhammer-40k": frozenset((
        "lose-your-armor", "wandering-monster", "cheat", "grimdark", "proxied", "modded", "undead", "twin", "aeldari",
        "death-guards", "necrons", "orks", "tyranids", "ultramarines", "alliance", "beastmasters-scourge",
        "plasma-incinerator", "power-armor", "misericordia", "valhallan-helmet", "lasblaster", "nurgling",
        "horror-of-tzeentch", "pink-horror-of-tzeentch", "sanctified-grenade",
    )),
}  # fmt: skip
"""Cards that the rule books name: they follow the books, even if another set has the same card."""


class Goal(NamedTuple):
    """The goal of a figure: at least or at most this much. unit: percent of the definitions, or cards."""

    at_least: int | None = None
    at_most: int | None = None
    unit: str = ""

    def met(self, value: float) -> bool:
        """Return whether a value of the figure meets the goal."""
        return value >= self.at_least if self.at_least is not None else value <= (self.at_most or 0)


GOALS: dict[str, tuple[str, Goal]] = {
    "own": ("touch the set's own systems", Goal(at_least=45, unit="%")),
    "plain": ("plain", Goal(at_most=20, unit="%")),
    "killed": ("killed effects", Goal(at_least=8)),
    "choices": ("choices", Goal(at_least=12)),
    "thefts": ("thefts and swaps at will", Goal(at_least=8)),
    "dice": ("dice", Goal(at_least=10)),
    "growing": ("growing or collecting", Goal(at_least=6)),
    "shared": ("same effects as in another set", Goal(at_most=5, unit="%")),
    "median": ("median text, letters", Goal(at_most=110)),
    "longest": ("longest text, letters", Goal(at_most=240)),
    "low": ("monsters of Level 1 and 2", Goal(at_least=9)),
}
"""The figures of the census in the order of its report: their names and their goals."""
