"""What being caught by a monster costs, in words. Pure."""

import re
from itertools import takewhile

from core.text.card_text import describe
from tui.scene.scene import Scene

_BAD = re.compile(r"bad stuff:\s*", re.IGNORECASE)
SENTENCE = re.compile(r"(?<=[.!?]) ")
"""Between two sentences."""
_COMMON = {"the", "you", "and", "for", "with", "not", "none", "has", "have", "vict", "his", "her", "its", "all", "one"}
"""Beginnings of words that say nothing about an effect."""
_SAME = {"dead": "die", "deat": "die", "dies": "die"}
"""Beginnings of words that mean the same: dead and death, to die."""


def bad_stuff(scene: Scene, defn: int) -> str:
    """Return what being caught by a monster costs: its printed text, or if that does not say, its effects in words."""
    definition = scene.catalog.cards[defn]
    found = _BAD.split(definition.card.text, maxsplit=1)
    if len(found) > 1 and found[1].strip():
        return found[1].strip()
    return _bad_effects(scene, defn) or "nothing happens."


def _bad_effects(scene: Scene, defn: int) -> str:
    """Return the effects of being caught by a monster in words; "" if there are none."""
    definition = scene.catalog.cards[defn]
    head = next((head for head in scene.catalog.packs if head.id == definition.set_id), None)
    lines = describe(definition.card, head)
    at = next((at for at, line in enumerate(lines) if _BAD.match(line)), -1)
    own = takewhile(lambda line: line.startswith("  "), lines[at + 1 :])
    return " ".join(line.strip() for line in own) if at >= 0 else ""


def brief_bad_stuff(scene: Scene, defn: int) -> str:
    """Return what being caught by a monster costs for places with little room: only the sentences of its printed text
    that describe an effect. A sentence that only sets the mood shares no word with the effects."""
    effects = _stems(_bad_effects(scene, defn))
    sentences = SENTENCE.split(bad_stuff(scene, defn))
    kept = [sentence for sentence in sentences if _stems(sentence) & effects]
    return " ".join(kept or sentences)


def _stems(text: str) -> set[str]:
    """Return the beginnings of the words of a text."""
    found = {_SAME.get(word[:4], word[:4]) for word in re.findall(r"[a-z]{3,}", text.lower())}
    return found - _COMMON
