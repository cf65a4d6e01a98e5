"""Which events follow from a moment of the game, and what each means for it. Pure."""

from collections.abc import Sequence

from core.language.catalog import Catalog
from core.language.definition import Def
from core.language.schema import OpenSeal, SealDraw
from core.language.tree import pieces_within
from core.state import events as ev
from core.state.events import AnyEvent
from core.state.model import defn_of
from core.state.views import FightView

FOLLOWS = (
    ev.LevelChanged, ev.LastingBegan, ev.LastingEnded, ev.SexChanged, ev.Drew, ev.Fizzled, ev.Strengthened, ev.NewHand,
    ev.HandsPassed, ev.ExtraTurn, ev.MonsterCame, ev.MonsterLeft, ev.SealClosed, ev.FighterChanged, ev.HelperLeft,
    ev.RolledAgain,
)  # fmt: skip
"""What may follow from a moment, besides cards that move."""


def last_play(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    """Return the last of these events that plays or uses a card, if there is one."""
    plays = [one for one in events if isinstance(one, ev.UsedAbility) or getattr(one, "why", "") == "played"]
    return plays[-1:]


def ends_match_point(event: AnyEvent, fight: FightView) -> bool:
    """Return whether an event may be the reason why a fight no longer decides the game."""
    if isinstance(event, ev.LevelChanged):
        return event.by < 0 and event.seat in (fight.seat, fight.helper)
    if isinstance(event, ev.StageSet):
        return event.stage == "lost"
    return isinstance(event, ev.FightEnded | ev.FighterChanged | ev.HelperLeft | ev.MonsterLeft | ev.Died)


def changes_hands(event: ev.Moved, why: str) -> bool:
    """Return whether a card goes from one player to another for this reason."""
    return event.why == why and event.at >= 0 and event.to_seat >= 0 and event.at != event.to_seat


def named(event: ev.Moved) -> int:
    """Return the definition of a card that moves, -1 if the reader may not know it."""
    return defn_of(max(event.card, event.new)) if event.card or event.new else -1


def is_good(event: AnyEvent) -> bool | None:
    """Return whether an event is good for the seat it happens to; None if that cannot be said."""
    if isinstance(event, ev.Moved):
        return False if event.why in ("lost", "discarded", "sacrificed") else None
    return True if isinstance(event, ev.Drew) else None


def opens_seals(catalog: Catalog, defn: int) -> bool:
    """Return whether any text of a card opens a Seal."""
    return any(isinstance(piece, OpenSeal) for piece in pieces_within(catalog.cards[defn].card))


def draws_at_seals(definition: Def, event: ev.Drew) -> bool:
    """Return whether a card in play makes its owner draw what this event says whenever a Seal opens."""
    draws = (mod for mod in definition.card.mods if isinstance(mod, SealDraw))
    return any((mod.deck, mod.count) == (event.deck, event.count) for mod in draws)
