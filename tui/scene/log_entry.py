"""What the log shows of an event beside its sentence: who did it, the number that matters, whether it touches the
reader. Pure; it reads only what the reader may see of the event."""

from collections.abc import Callable
from typing import Any

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.text.log import PASSED
from tui.scene.cells import signed
from tui.scene.scene import LogLine


def entry(event: AnyEvent, text: str, step: str, catalog: Catalog, names: list[str], me: int) -> LogLine:
    """Return the line of the log for an event with its sentence. names: of all seats. me: the reader, -1: a
    spectator."""
    seat = doer(event)
    name = ("You" if seat == me else names[seat]) if 0 <= seat < len(names) else ""
    begins = bool(name) and text.lower().startswith(f"{name} ".lower())
    who = text[: len(name)] if begins else ""
    amount, style, said = _amount(event, catalog)
    about = ev.NAMES[type(event)]
    return LogLine(text, "event", step, seat, who, amount, style, said, me >= 0 and touches(event, me), about)


# ----------------------------------------------------------------------------------------------------------------- who
def doer(event: AnyEvent) -> int:
    """Return the seat that an event is about: who did it or suffered it; -1 for none."""
    if isinstance(event, ev.Moved):
        if event.why == "taken" and event.to_seat >= 0:
            return event.to_seat
        if event.why in PASSED and event.at >= 0:
            return event.at
        return event.seat if event.seat >= 0 else event.at if event.at >= 0 else event.to_seat
    if isinstance(event, ev.Offered):
        return event.bargain.frm
    if isinstance(event, ev.Strengthened):
        return event.bonus.seat
    if isinstance(event, ev.SealClosed):
        return event.climber
    if isinstance(event, ev.FighterChanged):
        return event.to
    if isinstance(event, ev.Won):
        return event.seats[0] if event.seats else -1
    return int(getattr(event, "seat", -1))


def touches(event: AnyEvent, me: int) -> bool:
    """Return whether an event does something to this seat that it did not do itself."""
    if isinstance(event, _BEFALLS):
        return doer(event) == me
    if isinstance(event, ev.Moved):
        return me in (event.at, event.to_seat, event.on_seat) and event.seat not in (-1, me)
    if isinstance(event, ev.Offered):
        return event.bargain.to == me
    if isinstance(event, ev.Fled):
        return event.seat == me and not event.escaped
    if isinstance(event, ev.HelperCame):
        return event.seat == me and event.compelled
    if isinstance(event, ev.UsedAbility | ev.Rolled):
        return event.on == me and event.seat != me
    if isinstance(event, ev.Shown):
        return event.at == me and event.seat != me
    if isinstance(event, ev.FighterChanged):
        return me in (event.frm, event.to)
    if isinstance(event, ev.SteppedBack):
        return event.by == me and event.seat != me
    if isinstance(event, ev.Won):
        return me in event.seats
    return isinstance(event, ev.HandsPassed)


_BEFALLS = (ev.LevelChanged, ev.LastingBegan, ev.LastingArmed, ev.Died, ev.Returned, ev.ExtraTurn, ev.SexChanged)
"""Events that befall their seat."""


# ---------------------------------------------------------------------------------------------- the number that matters
def _amount(event: AnyEvent, catalog: Catalog) -> tuple[str, str, str]:
    """Return the number that matters, its colour, and the words of the sentence that say it again."""
    found = _AMOUNTS.get(type(event))
    return found(event, catalog) if found else ("", "", "")


def _level(event: ev.LevelChanged, catalog: Catalog) -> tuple[str, str, str]:
    return signed(event.by), "hero" if event.by > 0 else "foe", ""


def _monster(defn: int, catalog: Catalog) -> tuple[str, str, str]:
    level = catalog.cards[defn].card.level if 0 <= defn < len(catalog.cards) else None
    return (str(level), "foe", f" (Level {level})") if level is not None else ("", "", "")


def _fight(event: ev.FightBegan, catalog: Catalog) -> tuple[str, str, str]:
    return _monster(defn_of(event.card), catalog)


def _came(event: ev.MonsterCame, catalog: Catalog) -> tuple[str, str, str]:
    return _monster(event.defn, catalog)


def _strengthened(event: ev.Strengthened, catalog: Catalog) -> tuple[str, str, str]:
    bonus = event.bonus
    if not bonus.by:
        return "", "", ""
    return signed(bonus.by), "hero" if bonus.side == "heroes" else "foe", f" {signed(bonus.by)}"


def _rolled(event: ev.Rolled, catalog: Catalog) -> tuple[str, str, str]:
    total = event.die + sum(by for _, by in event.adds)
    style = "text" if not event.need else "hero" if total >= event.need else "foe"
    return str(total), style, f" = {total}" if event.adds else ""


def _flipped(event: ev.Flipped, catalog: Catalog) -> tuple[str, str, str]:
    defn = defn_of(event.card) if event.card else -1
    bonus = catalog.cards[defn].card.bonus if event.up and not event.on and 0 <= defn < len(catalog.cards) else 0
    return (signed(bonus), "gold", "") if bonus else ("", "", "")


def _moved(event: ev.Moved, catalog: Catalog) -> tuple[str, str, str]:
    """Return the bonus of an Item that is put into play."""
    if event.to != "table" or not event.up or not event.new or event.frm == "table":
        return "", "", ""
    card = catalog.cards[defn_of(event.new)].card
    return (signed(card.bonus), "gold", "") if card.bonus and card.kind in ("item", "ally") else ("", "", "")


_AMOUNTS: dict[type, Callable[[Any, Catalog], tuple[str, str, str]]] = {
    ev.LevelChanged: _level, ev.FightBegan: _fight, ev.MonsterCame: _came, ev.Strengthened: _strengthened,
    ev.Rolled: _rolled, ev.Flipped: _flipped, ev.Moved: _moved,
}  # fmt: skip
