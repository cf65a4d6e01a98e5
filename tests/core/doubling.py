"""Two built-in sets with many cards that double monsters and change them, for random games full of copies."""

import re
import tomllib
from collections import Counter

from cards import pack_files
from core.language.definition import deck_of

SETS = ("apocalypse", "munchkins-and-mazes")
MANY = {
    "photocopier": 20, "life-partner": 12, "slightly-luminous": 6, "season-finale": 6, "straight-to-video": 6,
    "freshly-risen": 6, "advantaged": 6, "disadvantaged": 6, "evacuation-notice": 6, "eager-understudy": 4,
    "cancelled-until-further-notice": 6, "fifth-horsemans-ex": 6, "critical-hitman": 6, "tiamutt": 6,
    "somebody-elses-self-destruct-button": 6,
}  # fmt: skip
"""Copies of these cards."""
KEPT = 6
"""One in this many of the other Treasures stays."""
_CARD = "[[card]]\n"


def packs() -> list[dict[str, bytes]]:
    """Return the files of both sets with this many copies, and fewer other Treasures."""
    return [_changed({name: data.decode() for name, data in pack_files(set_id).items()}) for set_id in SETS]


def _changed(files: dict[str, str]) -> dict[str, bytes]:
    found, head = {}, files["pack.toml"]
    before, after = Counter[str](), Counter[str]()
    for name, text in files.items():
        first, *blocks = text.split(_CARD)
        kept = []
        for at, block in enumerate(blocks):
            card = tomllib.loads(_CARD + block)["card"][0]
            deck, many = card.get("deck") or deck_of(card["kind"]), MANY.get(card["id"], card.get("copies", 1))
            before[deck] += card.get("copies", 1)
            if deck != "treasure" or card["id"] in MANY or at % KEPT == 0:
                block = re.sub(r"\ncopies = \d+", "", block)
                kept.append(block.replace("\nkind = ", f"\ncopies = {many}\nkind = ", 1))
                after[deck] += many
        found[name] = _CARD.join([first, *kept])
    for deck, number in before.items():
        head = head.replace(f"\n{deck} = {number}\n", f"\n{deck} = {after[deck]}\n", 1)
    return {name: text.encode() for name, text in {**found, "pack.toml": head}.items()}
