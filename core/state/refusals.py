"""Why an action is refused: a sentence for each clause that forbids something, and for refusals that are no rule."""

Clause = str
"""The id of the clause (core/authoring/rules.toml) that forbids something, or a word of PSEUDO. None: it is allowed."""

PSEUDO = ("later", "stale", "changed", "bad", "over", "limit", "card")
"""Words that stand for a clause where a refusal is no rule of the book."""

SENTENCES: dict[Clause, str] = {
    "later": "A card is being read: this can be played as soon as that is done.",
    "stale": "Too late: what this answers is no longer asked.",
    "changed": "The fight has changed: the card stays in your hand.",
    "bad": "It cannot be done to what was named, or there is nothing it could be done to.",
    "over": "The game is over.",
    "limit": "No more of that now: everybody has a limit of free moves and open offers.",
    "card": "What the card itself demands is not met, or something in play forbids it.",
    "when.no-combat-changes": "In combat and while running Items are not sold, equipped, traded or played from hand.",
    "when.own-turn-item": "That is played in your own turn, outside combat.",
    "when.own-turn-identity": "A Class or Race is played in your own turn, or as soon as you get it outside combat.",
    "when.equip-own-turn": "Items are switched only at the start of your own turn, before the door.",
    "turn.start": "That is for the start of your own turn, before the door is opened.",
    "turn.trouble": "Looking for trouble takes a monster from your hand, in phase 2, if you met none.",
    "turn.loot": "The room is looted in phase 2, if you met no monster.",
    "fast.loot-treasure": "Looting draws a Treasure with faster play; for a Door you need a card that says so.",
    "cards.discards": "Nobody takes from the discards unless a card says so.",
    "flee.auto-escape": "That is for running away: once the fight is lost, before your roll.",
    "flee.only-losing": "Nobody runs from a fight that is being won.",
    "combat.compare": "The heroes must have more than the monsters to win; monsters win ties.",
    "combat.monster-to-hand": "A monster comes from the hand by trouble, with a Wandering Monster, or by its tag.",
    "combat.tag-undead": "It joins only a monster of the tag it would have.",
    "combat.many-abilities": "A monster in this fight does not allow that.",
    "combat.last-removed": "The last monster is gone, and none joins any more.",
    "combat.interfere": "That is for a combat, before it is decided.",
    "item.vehicle": "You can have only one Vehicle.",
    "item.carried-equipped": "Only an Item you have equipped and may use takes effect.",
    "item.restricted": "That Item is not for you as you are now; you may carry it.",
    "item.slots": "That place is taken: unequip what is there first.",
    "item.big-one": "You can carry only one Big Item.",
    "item.no-free-discard": "Items are not thrown away for nothing: sell, trade or give them.",
    "item.no-value-line": "Only Items are sold, each once: yours in hand or in play.",
    "item.sell": "A sale takes Items worth at least 1,000 Gold Pieces, in your own turn, outside combat.",
    "item.sell-not-10": "Items cannot be sold to reach the winning level.",
    "item.trade": "Items on the table are traded, and only while neither of you is in combat.",
    "item.receive-limit": "Whoever would get it cannot carry it.",
    "item.cheat": "That Item has a Cheat! already.",
    "self.hireling-carry": "A Hireling carries one Item for you.",
    "self.ally-items": "An Ally carries only Items that say so.",
    "self.ally-limit": "You have as many Allies as you may have.",
    "self.ally-sacrifice-when": "An Ally is sacrificed before your first roll, not after it.",
    "identity.militia": "Only a card that says so lets you use both hands for a one-hand weapon.",
    "self.class-one": "One Class at a time, unless a card allows two, and never the same twice.",
    "self.race-one": "One Race at a time, unless a card allows two, and never the same twice.",
    "self.army-one": "One Army at a time, unless a card allows two, and never the same twice.",
    "self.powers-rank": "The Ranks of your Powers may not add up to more than your Level.",
    "self.powers-swap": "You have that Power already.",
    "self.super-needs-one": "That is played onto an identity you already have.",
    "self.super-once": "One such card is enough.",
    "self.discard-power": "The price is not right: cards of yours, in hand or in play, as many as the ability says.",
    "golden.level-nine": "That could not give the winning level, and would do nothing else.",
    "help.ask": "Help is between the fighter and one other, while nobody helps and nothing forbids it.",
    "help.ask-when": "Help is asked for and offered until the fight is decided.",
    "help.bribe": "Help is paid with the fighter's Items and the monsters' Treasures.",
    "help.bribe-hand": "Only the fighter promises cards from hand, such as can be played on the helper.",
    "help.match-point": "This would end the game: everybody has to pass.",
    "setup.order": "First cards are laid out now; nothing else is played until all are ready.",
    "death.nothing": "The dead neither act nor get anything until the next turn begins.",
}  # fmt: skip


def reason(clause: Clause) -> str:
    """Return the sentence for people that says why this clause forbids an action. A pack may have kinds of identities
    of its own, whose clauses ("self.guild-one") are not in the catalogue: these are only named."""
    return SENTENCES.get(clause, f"The rules do not allow that ({clause}).")
