"""The pages of the short guide: the game, a turn, a combat, and the keys."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """One thing in the list: what is found by, what stands beside it, what there is to read."""

    name: str
    short: str
    texts: tuple[str, ...]
    groups: tuple[str, ...] = ()
    """The sets it belongs to; none: to all."""

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every word occurs somewhere in it."""
        text = " ".join((self.name, self.short, *self.texts)).lower()
        return all(word in text for word in words)


PAGES = (
    Item("What it is about", "1", (
        "Kick open doors, fight what is behind them, take its treasure, and be the first at Level 10.",
        "You need not know the rules: at every moment the lines at the bottom say what is wanted and what to press. "
        "What you may not do is refused with the rule that says so, and nothing is lost by trying.",
        "Your friends will help you for a share of the Treasure, and throw curses and bigger monsters at you when "
        "you are about to win. Do the same.",
    )),
    Item("Your turn", "2", (
        "Three steps: kick open the door; look for trouble or loot the room; charity.",
        "1. Kick open the door (digit 1). Fight a monster; a curse strikes; anything else is yours.",
        "2. If it was no monster, look for trouble with one from your hand, or loot the room: one more Door card.",
        "3. More than five cards in hand? What is too much goes to the player with the lowest Level.",
        "Before the door, put your gear in order: select an Item with the arrows, press ENTER, and lay it out.",
    )),
    Item("A fight", "3", (
        "Your strength is your Level plus your gear. If it is higher than the monster's you win; a tie is lost.",
        "The panel in the middle shows both sums and what is missing. `w` shows every term.",
        "If you lose: play one-shot Items (ENTER on a card), or ask for help with `h`: promise Treasures or Items.",
        "Claim the kill when you win. Then everybody has a moment to speak up: SPACE passes, `z` holds the table.",
        "A kill gives a level and Treasures. The tenth level must come from a kill.",
    )),
    Item("Running away", "4", (
        "If you cannot win, run: a die for each monster, 5 or 6 gets away (boots and curses change that).",
        "Who is caught suffers the Bad Stuff of the monster. Death costs your gear, never your Level, and you are "
        "back with a new hand in your next turn.",
    )),
    Item("Other people's turns", "5", (
        "Curses and level cards can be played at any time, enhancers and one-shots in anybody's fight.",
        "[ok] beside a card: it can be used now. [later]: its time has not come. [no]: press ENTER to hear why not.",
        "In a window SPACE passes. `Z` lets the host pass for you until the fight changes; it stops for anything "
        "that is aimed at you.",
        "Trade Items with `x` whenever neither of you fights.",
    )),
    Item("Keys to remember", "6", (
        "Digits answer. SPACE passes and never spends. ENTER uses the selected card. ESC goes back.",
        "v reads a card, o shows what others have, w says why, r tells what happened since your last turn, l is the "
        "whole log, t talks, ? shows every key.",
        "Ctrl+Q leaves; your seat is kept and you are told how to come back. Ctrl+P finds every command by name.",
    )),
    Item("The four books", "7", (
        "Axe Cop: Powers, while their Ranks add up to no more than your Level; an Ally (@), who may carry Items, or "
        "be sacrificed to escape. Gear is switched before your own door only.",
        "Apocalypse: Seals. Each open one adds 1 to every monster, the newest binds all (f reads it), the seventh "
        "ends the game: then the best gear wins. Curses are Disasters.",
        "Warhammer 40,000: Armies for races, and Vehicles (&), whose modifier to run replaces all others.",
    )),
    Item("Your first game", "8", (
        "Leave with ESC and choose `Play against bots`. Set the level to easy. There is no clock while you play alone.",
    )),
)  # fmt: skip
