"""Why an action is refused: a sentence for each clause that forbids something, and for refusals without a clause."""

Clause = str
"""The id of the clause (core/authoring/rules.toml) that forbids something, or a word of PSEUDO. None: it is allowed."""

PSEUDO = (
    "later", "stale", "changed", "bad", "over", "limit", "condition", "used", "not there", "target", "brings",
    "answer", "terms", "lies so", "no discard", "no sale", "no switching", "no looting", "no asking",
)  # fmt: skip
"""Words used in place of a clause where a refusal does not come from a rule of the book."""
TOO_LATE = ("stale", "changed")
"""Words for actions that were allowed a moment ago: somebody was faster."""

SENTENCES: dict[Clause, str] = {
    "later": "A card is taking effect: you can play this as soon as it is done.",
    "stale": "Too late: this is no longer asked.",
    "changed": "The fight has changed: the card stays in your hand.",
    "bad": "No player can do that.",
    "over": "The game is over.",
    "limit": "That is enough for now: free moves, open offers and holds are limited.",
    "condition": "The card's own condition is not met: its text says when and on whom.",
    "used": "You have used that ability as often as its card allows.",
    "not there": "You do not have that card where you could use it: it was played, moved or lost.",
    "target": "It cannot be used on that: choose one of the targets that its text names.",
    "brings": "It takes a monster from your hand along if its text says so, and only then.",
    "answer": "That is no answer: choose among the options, as many as are asked for.",
    "terms": "These terms do not fit: another player, each card once, and for a trade Items on both sides.",
    "lies so": "It lies like that already.",
    "no discard": "You cannot discard that card by itself.",
    "no sale": "A card in play forbids you to sell Items.",
    "no switching": "A card in play forbids you to change which Items you have equipped.",
    "no looting": "A card in play forbids you to loot the room.",
    "no asking": "A card in play forbids you to ask for help; others may still offer it.",
    "when.no-combat-changes": "In combat and while running away, Items cannot be sold, equipped, traded or played.",
    "when.own-turn-item": "You can do that only in your own turn, outside combat.",
    "when.own-turn-identity": "Play a Class, Race, Army or Power in your own turn, or when you get it outside combat.",
    "when.equip-own-turn": "You can switch Items only at the start of your own turn, before the door.",
    "turn.start": "You can do that only at the start of your own turn, before the door is opened.",
    "turn.trouble": "You can look for trouble after the door, with a monster from your hand, if you met none.",
    "turn.loot": "You can loot the room after the door, if you met no monster.",
    "fast.loot-treasure": "With faster play you loot a Treasure; for a Door you need a card that says so.",
    "cards.discards": "You can take from the discards only if a card says so.",
    "flee.auto-escape": "You can do that only while running away: once the fight is lost, before your roll.",
    "flee.only-losing": "You cannot run from a fight that you are winning.",
    "combat.compare": "To win, the heroes need more strength than the monsters; monsters win ties.",
    "combat.monster-to-hand": "Play a monster by looking for trouble, with a Wandering Monster, or by its tag.",
    "combat.tag-undead": "It can join only a monster with the same tag.",
    "combat.many-abilities": "A monster in this fight does not allow that.",
    "combat.last-removed": "The last monster is gone, and no other can join.",
    "combat.undo-last": "It undoes only what another player has just played into the fight: strength, or a monster.",
    "combat.interfere": "You can do that only in a combat, before it is decided.",
    "item.vehicle": "You can have only one Vehicle.",
    "item.carried-equipped": "Only an Item you have equipped and may use takes effect.",
    "item.restricted": "You cannot use that Item as you are now, but you may carry it.",
    "item.slots": "That place is taken: unequip what is there first.",
    "item.big-one": "You can carry only one Big Item.",
    "item.no-free-discard": "You cannot throw Items away: sell, trade or give them.",
    "item.no-value-line": "You can sell only your own Items, in hand or in play, each once.",
    "item.sell": "A sale needs Items worth at least 1,000 Gold Pieces, in your own turn, outside combat.",
    "item.sell-doubled": "Each card that allows it lets one Item of a sale count twice, and none counts more often.",
    "item.sell-not-10": "Items cannot be sold to reach the winning level.",
    "item.trade": "Only Items on the table can be traded, while neither of you is in combat.",
    "item.barred": "A card bars one of you from trading, giving and being given Items, for help too.",
    "item.receive-limit": "The player who would get it cannot carry it.",
    "item.cheat": "Cheat! goes on an Item that can be equipped and has no Cheat! yet.",
    "self.hireling-carry": "A Hireling can carry only one Item for you.",
    "self.ally-items": "An Ally can carry only Items that say so.",
    "self.ally-limit": "You already have as many Allies as you may have.",
    "self.ally-sacrifice-when": "You can sacrifice an Ally only before your first roll.",
    "identity.militia": "Only a card that says so lets you use both hands for a one-hand weapon.",
    "self.class-one": "One Class at a time, unless a card allows two, and never the same twice.",
    "self.race-one": "One Race at a time, unless a card allows two, and never the same twice.",
    "self.army-one": "One Army at a time, unless a card allows two, and never the same twice.",
    "self.powers-rank": "The Ranks of your Powers may not add up to more than your Level.",
    "self.powers-swap": "You already have that Power.",
    "self.super-needs-one": "You can play that only onto an identity that you already have.",
    "self.super-once": "You can have only one such card for each kind of identity.",
    "self.discard-power": "Pay with as many of your cards as it says, in hand or in play; a lasting curse never pays.",
    "golden.level-nine": "One level short of winning, only a kill or a card that says so gives the last level.",
    "help.ask": "Only one player can help the fighter, and only if nothing forbids it.",
    "help.ask-when": "Help can be asked for and offered only until the fight is decided.",
    "help.bribe": "Help is paid with the fighter's Items and the monsters' Treasures.",
    "help.bribe-hand": "Only the fighter can promise cards from hand, and only cards playable on the helper.",
    "help.compelled": "Nobody can be made to help in a fight for the win, or if nobody else is alive.",
    "combat.last-moment": "This would end the game: everybody has to pass.",
    "setup.order": "First cards are laid out now; nothing else is played until all are ready.",
    "death.nothing": "The dead can neither act nor get anything until the next turn begins.",
}  # fmt: skip


FORBIDDEN: dict[Clause, dict[str, str]] = {
    "turn.trouble": {"trouble": "{} forbids you to look for trouble."},
    "turn.loot": {"loot": "{} forbids you to loot the room."},
    "no looting": {"loot": "{} forbids you to loot the room."},
    "no sale": {"sell": "{} forbids you to sell Items."},
    "no switching": {"equip": "{} forbids you to change which Items you have equipped."},
    "no asking": {"ask": "{} forbids you to ask for help; others may still offer it."},
    "help.ask": {"help": "{} allows nobody to help in this fight."},
    "item.barred": {"trade": "{} bars one of you from trading, giving and being given Items, for help too."},
    "combat.many-abilities": {
        "one-shots": "{} allows no one-shots in this fight.", "enhancers": "{} allows no enhancers in this fight.",
    },
}  # fmt: skip
"""For clauses that let a card forbid something: the sentence with that card's name, by what the card forbids."""
VAIN = "That is allowed, and nothing would come of it now."
"""The warning for an action that is allowed but has no effect."""
UNHELPED = "That is allowed, and nobody can be made to help now: only the rest of it would work."
"""The warning for an action whose text compels help when nobody can be compelled."""


def reason(clause: Clause) -> str:
    """Return the sentence for people that says why this clause forbids an action. A pack may define kinds of identity
    whose clause ("self.guild-one") is not in the catalogue."""
    found = SENTENCES.get(clause)
    if found is None:
        kind = clause.removeprefix("self.").removesuffix("-one").replace("-", " ").capitalize()
        found = f"One {kind} at a time, unless a card allows two, and never the same twice."
    return found
