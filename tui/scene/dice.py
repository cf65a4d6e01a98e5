"""What a die of card text is rolled for. Pure."""

import re

from core.language.catalog import Catalog
from core.state.events import Rolled

_SENTENCE = re.compile(r"(?<=[.!?:]) ")
"""Between two sentences, and after the name of an ability."""
_ROLL = re.compile(r"\broll", re.IGNORECASE)


def card_of_die(catalog: Catalog, roll: Rolled) -> int:
    """Return the definition of the card whose text rolls this die; -1 if no card does. The event has only its name."""
    if roll.monster or not roll.why:
        return -1
    return next((one.no for one in catalog.cards if one.card.name == roll.why), -1)


def about_die(text: str) -> str:
    """Return the part of a card's text that tells to roll and what the number means: from the first sentence about a
    roll on; all of it, if there is none."""
    sentences = _SENTENCE.split(text)
    first = next((at for at, sentence in enumerate(sentences) if _ROLL.search(sentence)), 0)
    return " ".join(sentences[first:])
