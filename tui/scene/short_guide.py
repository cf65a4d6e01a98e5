"""The short guide: the game, a turn, a fight and the keys, on eight pages."""

import re
from collections.abc import Mapping

from tui.scene.book import Chapter, Section


def _page(name: str, *texts: str) -> Chapter:
    return Chapter(name, (Section("", texts),))


_PAGES = (
    _page(
        "What it is about",
        "Kick open doors, fight what is behind them, take its Treasure, and be the first at Level 10.",
        "You need not know the rules: at every moment the lines at the bottom say what is wanted, what to press, "
        "and what comes of it. What you may not do is refused with the rule that says so, and nothing is lost by "
        "trying.",
        "Your friends will help you for a share of the Treasure, and throw curses and bigger monsters at you when "
        "you are about to win. Do the same.",
    ),
    _page(
        "Your turn",
        "Three steps: kick open the door; look for trouble or loot the room; charity.",
        "1. Kick open the door ({table.kick}). Fight a monster; a curse strikes; anything else is yours.",
        "2. If it was no monster, look for trouble with one from your hand ({table.trouble}), or loot the room: "
        "another Door ({table.loot}).",
        "3. End your turn ({table.end}). More than five cards in hand? The rest go to the player with the lowest "
        "Level.",
        "Put your gear in order before the door: choose an Item with its digit.",
    ),
    _page(
        "A fight",
        "Your strength is your Level plus your gear. If it is higher than the monster's you win; a tie is lost.",
        "The middle of the table shows both sums with their parts, what a loss costs, and the odds to run.",
        "If you are losing: play one-shot Items, or ask for help ({table.deal}) and promise Treasures or Items.",
        "Claim the kill when you win ({table.claim}). Then everybody has a moment to speak up: {prompt.pass} "
        "passes, {prompt.hold} holds the table.",
        "A kill gives a Level and Treasures. The tenth Level must come from a kill.",
    ),
    _page(
        "Running away",
        "If you cannot win, flee ({table.run}): a die for each monster, 5 or 6 gets away (boots and curses change "
        "that).",
        "Who is caught suffers the Bad Stuff of the monster. Death costs your gear, never your Level, and you are "
        "back with a new hand in your next turn.",
    ),
    _page(
        "Other people's turns",
        "Curses and level cards can be played at any time, enhancers and one-shots in anybody's fight.",
        "A card with a coloured frame can be played now, and its last row says what it would do. A grey one cannot: "
        "the row says why, and {table.why} gives the rule.",
        "While others may answer, {prompt.pass} passes. {prompt.autopass} lets the host pass for you until the "
        "fight changes; it stops for anything that is aimed at you.",
        "Trade Items with {table.deal} whenever neither of you fights.",
    ),
    _page(
        "Keys to remember",
        "Letters are verbs and mean the same all game; digits are cards, or answers to a question. {prompt.pass} "
        "passes and never spends anything. {hand.use} uses the selected card. {prompt.back} goes back. What is "
        "dangerous asks first whether you mean it.",
        "{table.read} reads a card, {table.others} shows what others have, {table.why} says why, {table.rules} "
        "opens the rules of it, {table.hint} is a hint, {table.recap} tells what happened since your last turn, "
        "{table.log} is the log, {table.talk} talks, {table.back} takes your last choice back, {app.keys} shows "
        "every key.",
        "{app.quit} leaves (^ means with Ctrl held down); your seat is kept and you are told how to come back. "
        "{app.palette} finds every command by name. Every key can be changed in the settings.",
    ),
    _page(
        "The four books",
        "Axe Cop: Powers, while their Ranks add up to no more than your Level; an Ally, who may carry Items, or be "
        "sacrificed to escape. Gear is switched before your own door only.",
        "Apocalypse: Seals. Each open one adds 1 to every monster, the newest binds all ({table.seals} reads it), "
        "the seventh ends the game: then the best gear wins. Curses are Disasters.",
        "Warhammer 40,000: Armies for races, and Vehicles, whose modifier to run replaces all others.",
    ),
    _page(
        "Your first game",
        "Learn, in the menu, is a table with laid-out cards: five short scenes, then a whole game with hints.",
        "Or choose Play against bots and set the level to easy. There is no clock while you play alone, and "
        "{table.back} takes back whatever you did.",
    ),
)
"""The pages; an id of a binding in braces stands for its key."""
_KEY = re.compile(r"\{([a-z.]+)\}")


def guide(names: Mapping[str, str]) -> tuple[Chapter, ...]:
    """Return the pages with the player's own keys. names: how the key of each binding is written."""
    def keyed(text: str) -> str:
        return _KEY.sub(lambda found: names[found[1]], text)

    return tuple([_page(page.name, *map(keyed, page.sections[0].texts)) for page in _PAGES])
