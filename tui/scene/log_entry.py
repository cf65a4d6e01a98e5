"""What the log shows of an event besides its sentence: who did it, the number that matters, whether it touches the
reader. Pure; it reads only what the reader may see of the event."""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from tui.scene.acts import Act
from tui.scene.doers import BOT, bot_words, doer, hits, touches
from tui.scene.scene import LogLine

LOOKED_AT = 200
"""How many of the newest lines of the log are searched for the acts of a fight."""


def entry(event: AnyEvent, text: str, step: str, catalog: Catalog, names: list[str], me: int) -> LogLine:
    """Return the line of the log for an event with its sentence. names: of all seats. me: the reader, -1: a
    spectator."""
    seat = doer(event)
    name = ("You" if seat == me else names[seat]) if 0 <= seat < len(names) else ""
    begins = bool(name) and text.lower().startswith(f"{name} ".lower())
    who = text[: len(name)] if begins else ""
    amount, style, said = _amount(event, catalog)
    about = ev.NAMES[type(event)]
    yours = me >= 0 and touches(event, me)
    return LogLine(text, "event", step, seat, who, amount, style, said, yours, about, hits=hits(event))


def by_bot(event: AnyEvent, line: LogLine) -> LogLine:
    """Return the line of what the reader's seat did while a bot played for them."""
    text = bot_words(event, line.text)
    return replace(line, text=text, who=line.who if text == line.text else BOT, bot=not line.yours)


def with_sums(log: Sequence[LogLine], acts: Sequence[Act]) -> dict[int, LogLine]:
    """Return, by its place in the log, each line that tells of one of these acts and does not give the sums yet. The
    sums are added to it."""
    first, end, found = max(0, len(log) - LOOKED_AT), len(log), dict[int, LogLine]()
    for act in reversed(acts):
        at = next((at for at in range(end - 1, first - 1, -1) if log[at].act and log[at].text == act.said), -1)
        end, sums = at if at >= 0 else end, "{}:{}".format(*act.after)
        if at >= 0 and act.before != act.after and log[at].amount != sums:
            found[at] = replace(log[at], amount=sums, style="hero" if act.helps_heroes > 0 else "foe")
    return found


# ---------------------------------------------------------------------------------------------- the number that matters
def _amount(event: AnyEvent, catalog: Catalog) -> tuple[str, str, str]:
    """Return the number that matters, its colour, and the words of the sentence that say it again."""
    found = _AMOUNTS.get(type(event))
    return found(event, catalog) if found else ("", "", "")


def _level(event: ev.LevelChanged, catalog: Catalog) -> tuple[str, str, str]:
    return f"{event.by:+d}", "hero" if event.by > 0 else "foe", ""


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
    return f"{bonus.by:+d}", "hero" if bonus.side == "heroes" else "foe", f" {bonus.by:+d}"


def _rolled(event: ev.Rolled, catalog: Catalog) -> tuple[str, str, str]:
    total = event.die + sum(by for _, by in event.adds)
    style = "text" if not event.need else "hero" if total >= event.need else "foe"
    return str(total), style, f" = {total}" if event.adds else ""


def _flipped(event: ev.Flipped, catalog: Catalog) -> tuple[str, str, str]:
    defn = defn_of(event.card) if event.card else -1
    bonus = catalog.cards[defn].card.bonus if event.up and not event.on and 0 <= defn < len(catalog.cards) else 0
    return (f"{bonus:+d}", "gold", "") if bonus else ("", "", "")


def _moved(event: ev.Moved, catalog: Catalog) -> tuple[str, str, str]:
    """Return the bonus of an Item that is put into play."""
    if event.to != "table" or not event.up or not event.new or event.frm == "table":
        return "", "", ""
    card = catalog.cards[defn_of(event.new)].card
    return (f"{card.bonus:+d}", "gold", "") if card.bonus and card.kind in ("item", "ally") else ("", "", "")


_AMOUNTS: dict[type, Callable[[Any, Catalog], tuple[str, str, str]]] = {
    ev.LevelChanged: _level, ev.FightBegan: _fight, ev.MonsterCame: _came, ev.Strengthened: _strengthened,
    ev.Rolled: _rolled, ev.Flipped: _flipped, ev.Moved: _moved,
}  # fmt: skip
