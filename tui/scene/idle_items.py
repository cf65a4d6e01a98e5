"""Items that stop counting, or count again, although nobody has touched them: their owner may use them no longer, or
again (item.not-usable). No event tells of that. Pure."""

from collections.abc import Iterator, Sequence

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import View
from core.text.grammar import Grammar
from tui.scene.arrival import restriction
from tui.scene.scene import LogLine


def idle_lines(
    events: Sequence[AnyEvent], before: View, after: View, catalog: Catalog, names: list[str], me: int
) -> Iterator[LogLine]:  # fmt: skip
    """Yield a line of the log for each Item that has changed so. events: those that lead from one view to the other."""
    back = any(isinstance(event, ev.SteppedBack) for event in events)
    if back or "setup" in (before.top, after.top):
        return
    touched = {event.card for event in events if isinstance(event, ev.Flipped)}
    words = Grammar(catalog, names, me)
    for old, new in zip(before.seats, after.seats, strict=True):
        was = {placed.card: placed.up for placed in old.table if placed.card not in touched}
        for placed in new.table:
            if was.get(placed.card, placed.up) != placed.up:
                yield _line(placed.card, placed.up, new.seat, catalog, words)


def _line(card: int, counts: bool, seat: int, catalog: Catalog, words: Grammar) -> LogLine:
    item = catalog.cards[defn_of(card)].card
    whose, mine = words.whose(seat), seat == words.me >= 0
    limit = restriction(catalog, catalog.cards[defn_of(card)], "you" if mine else words.name(seat))
    owner = "you may" if mine else "its owner may"
    end = "counts again" if counts else f"no longer counts: {limit or f'{owner} not use it now'}"
    amount = f"{item.bonus if counts else -item.bonus:+d}" if item.bonus else ""
    text = f"{whose[:1].upper()}{whose[1:]} {item.name} {end}"
    style, about = "hero" if counts else "foe", ev.NAMES[ev.Flipped]
    return LogLine(text, "event", "", seat, "", amount, style, yours=mine, about=about)
