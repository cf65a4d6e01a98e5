"""Write a small pack for an author to start from: it passes every check and can be dealt to three players."""

import re

_HEAD = '''# docs/packs.md explains every key.
id = "{slug}"
name = "{name}"
version = "0.1.0"
vocabulary = 1
authors = ["you"]
licence = "MIT"
book = "maze"

[counts]                       # copies counted
door = 26
treasure = 24

[[identities]]
id = "class"
name = "Class"
limit = 1

[[tags]]
id = "slimy"
name = "Slimy"
joins = false

[words.no_identity]
class = "no class"
'''

_MONSTERS = '''[[card]]
id = "small-puddle"
name = "Small Puddle"
kind = "monster"
copies = 9
level = 1
treasures = 1
tags = ["slimy"]
text = "Bad Stuff: Wet feet. Lose the Footgear you are wearing; with none, lose a level."
bad = [
  {{ do = "discard", cards = {{ zone = "equipped", slot = "feet" }}, else = [{{ do = "level", by = -1 }}] }},
]

[[card]]
id = "large-puddle"
name = "Large Puddle"
kind = "monster"
copies = 6
level = 5
treasures = 2
tags = ["slimy"]
text = "+3 against Plumbers. Bad Stuff: Lose two levels."
mods = [{{ mod = "strength", by = 3, if = {{ has = "plumber" }} }}]
bad = [{{ do = "level", by = -2 }}]
'''

_DOORS = '''[[card]]
id = "plumber"
name = "Plumber"
kind = "identity"
identity = "class"
name_key = "plumber"
copies = 6
text = "+1 to Run Away."
mods = [{{ mod = "flee", by = 1 }}]

[[card]]
id = "stage-fright"
name = "Stage Fright"
kind = "curse"
copies = 5
text = "Lose a level."
play = [{{ do = "level", by = -1 }}]
'''

_ITEMS = '''[[card]]
id = "rubber-boots"
name = "Rubber Boots"
kind = "item"
copies = 8
bonus = 1
slot = "feet"
value = 300
text = "+1, and 1 more against Slimy monsters."
mods = [{{ mod = "strength", by = 1, if = {{ tag = "slimy" }} }}]

[[card]]
id = "mop"
name = "Mop"
kind = "item"
copies = 8
bonus = 3
slot = "2-hands"
value = 500

[[card]]
id = "bucket-of-sand"
name = "Bucket of Sand"
kind = "item"
copies = 8
value = 200
one_shot = true
target = "side"
text = "Usable once only. +3 to either side."
play = [{{ do = "bonus", by = 3 }}]
'''

_SCENARIO = '''# kickdoor scenario runs this; docs/scenarios.md has the format.
[[scenario]]
name = "A bucket of sand turns the fight"
sets = ["{slug}"]
proves = ["{slug}:bucket-of-sand"]
turn = "Kim"
doors = ["Small Puddle"]
steps = [
  {{ by = "Kim", do = "kick" }},
  {{ pass = "all", expect = {{ heroes = 1, foes = 1, winning = false }} }},
  {{ by = "Kim", do = "play", card = "Bucket of Sand", side = "heroes", expect = {{ heroes = 4, winning = true }} }},
]

[scenario.seats.Kim]
hand = ["Bucket of Sand"]
'''

_FILES = {
    "pack.toml": _HEAD,
    "monsters.toml": _MONSTERS,
    "doors.toml": _DOORS,
    "items.toml": _ITEMS,
    "scenarios/first.toml": _SCENARIO,
}


def new_pack(name: str) -> dict[str, bytes]:
    """Return the files of a new pack with this printed name, by file name: a pack that passes, with one scenario.

    Raises ValueError if the name has no letter or figure for the id, or has quotes, backslashes or control characters.
    """
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:48].strip("-")
    if not slug or not name.isprintable() or '"' in name or "\\" in name:
        raise ValueError(f"{name!r} makes no id: use letters, figures and spaces")
    return {file: text.format(slug=slug, name=name).encode() for file, text in _FILES.items()}
