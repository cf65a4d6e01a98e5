"""The words of a choice in little room: an ability with its price and effect, names that look like no other. Pure."""

import re
from collections.abc import Sequence

from tui.scene.card_text import curt
from tui.scene.cells import apart, length, shorten
from tui.scene.gear import noun
from tui.scene.scene import Scene

TAIL = re.compile(r"( \(L(evel )?\d+\)| [+-]\d+)?(\.\.)?$")
"""The end of a label that is never cut: a Level or a bonus, and the dots that announce another question."""
_PRICE = re.compile(r"discard .*?(?=,|;|\.| and |(?<! up) to | for )")
"""The cards that an ability costs, at the beginning of its text."""
TOLD_CELLS = 24
"""With at least this many cells left after its name, an ability is told with the beginning of its text."""


def ability_of(label: str) -> tuple[str, str, str] | None:
    """Return the name of an ability with its card, the same with only the noun of the card, and the text; None for
    other labels: `use Staff of Something: Swing`, `use Staff: Swing` and `discard a card for +2.`"""
    card, _, told = label.partition(": ")
    name, _, text = told.partition(": ")
    verb, _, title = card.partition(" ")
    return (f"{card}: {name}", f"{verb} {noun(title)}: {name}", curt(text)) if text else None


def abridged(label: str, width: int, scene: Scene, others: Sequence[str] = ()) -> str:
    """Return a label in `width` cells: the name of an ability, with its price and effect if there is room for some
    words of them or else with its price, for which the name of its card gives way; or the label cut before its TAIL, so
    that it looks like none of the others."""
    ability = ability_of(label) if len(label) > width else None
    shared = ability is not None and any(other != label and other.startswith(f"{ability[0]}:") for other in others)
    if ability is not None and not shared and width >= length(((ability[1], ""),)):
        *names, text = ability
        forms = [f"{name}: {told}" for name in names for told in (text, text.removesuffix("."))]
        if width - length(((names[1], ""),)) >= TOLD_CELLS:
            forms.append(shorten(forms[2], width, scene.glyphs))
        elif price := _PRICE.match(text):
            forms.append(f"{names[1]}: {price.group()}{scene.glyphs.mark}")
        return next(form for form in (*forms, *names) if length(((form, ""),)) <= width)
    if length(((label, ""),)) <= width:
        return label
    body, tail = _parted(label)
    alike = [other for other, end in map(_parted, others) if end == tail]
    return apart(body, alike, width - len(tail), scene.glyphs) + tail


def _parted(label: str) -> tuple[str, str]:
    """Split a label into the part that may be cut and the end that is kept. The dots that announce a question may be
    cut first."""
    end = TAIL.search(label)
    found = end.group() if end is not None else ""
    return label[: len(label) - len(found)], found.removesuffix("..")
