"""Words of card names, tags and sets, with the drawing that each chooses. A pack adds its own in [portraits] of its
pack.toml."""


def _by_word(table: dict[str, str]) -> dict[str, str]:
    """Return the drawing of each word. table: the words of each drawing."""
    return {word: drawing for drawing, words in table.items() for word in words.split()}


CREATURES = _by_word({
    "dragon": "dragon drake wyrm wyvern",
    "skull": "skull skeleton bones lich undead drone",
    "vampire": "vampire glampire count countess",
    "gnome": "gnome dwarf leprechaun santa elf",
    "shark": "shark sharks fish whale piranha",
    "robot": "robot robots machine golem vending toaster fridge",
    "ghost": "ghost spirit wraith banshee phantom spectre",
    "ooze": "ooze slime jelly gelatinous blob pudding",
    "beast": "bear wolf dog hound werewolf",
    "cat": "lion cat tiger sphinx",
    "hydra": "chimera hydra",
    "rabbit": "bunny rabbit hare",
    "bull": "minotaur bull cow ox goat unicorn",
    "kraken": "octopus kraken squid tentacle cthulhu",
    "mimic": "mimic chest door wardrobe",
    "imp": "imp demon devil goblin goblins gremlin horror fire",
    "bug": "bug ant ants beetle moth cockroach cockroaches termite wasp bee bees",
    "plant": "plant mandrake broccoli tree mushroom cactus vegetable salad",
    "eye": "alien eye beholder watcher",
    "marine": "marine soldier inquisitor warrior trooper",
    "bird": "bird duck goose chicken eagle raven griffin",
    "snake": "snake worm serpent medusa",
    "spider": "spider spiders scorpion",
    "wizard": "wizard witch warlock sorcerer oracle psyker",
    "knight": "knight paladin king queen lord armor",
    "tank": "tank truck car bus engine",
    "book": "book tome page writer sheet",
    "troll": "troll ogre giant ork orc zombie",
    "clown": "clown jester mime",
    "rat": "rat rats mouse",
    "crowd": "horde mob crowd gang committee neighbours twins",
    "elephant": "elephant mammoth",
    "suit": "neighbour man agent lawyer landlord tourist inspector",
})  # fmt: skip
"""Words of monsters, Allies and Hirelings."""
THINGS = _by_word({
    "sword": "sword blade dagger knife sabre chainsword",
    "axe": "axe hatchet",
    "spear": "spear lance pike trident staff pole",
    "hammer": "hammer mace club iron",
    "helm": "helm helmet",
    "hat": "hat cap hood crown tricorne",
    "cloak": "cloak cape robe coat poncho",
    "bomb": "bomb grenade fireball dynamite",
    "food": "sandwich soup beans cake cheese pie",
    "flask": "water potion tea",
    "shield": "shield",
    "door": "door",
    "ring": "ring amulet necklace",
    "bag": "bag sack purse pocket backpack",
    "gun": "gun pistol rifle laser bolter launcher",
    "wheel": "wheel bicycle wheelbarrow cart",
    "scroll": "book scroll map manual letter",
    "coin": "coin gold dice",
    "wand": "wand sceptre rod stick",
    "hand": "glove gloves gauntlet fist",
    "paw": "claw",
})  # fmt: skip
"""Words of Items."""
COVERS = _by_word({
    "gnome 1": "mazes maze",
    "dragon": "dungeon",
    "robot 1": "cop",
    "shark 2": "apocalypse",
    "marine": "warhammer",
    "tank": "space",
    "skull": "zombies",
    "vampire": "vampires",
    "kraken 2": "sea",
    "plant": "garden",
    "clown": "circus",
    "suit": "office",
})  # fmt: skip
"""Words of a set's name, with the face that stands for the whole set, and its family of colours."""
