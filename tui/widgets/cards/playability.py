"""What a card of the hand would do now, in a few words: what would come of it, or why it cannot be played. Pure."""

from collections.abc import Iterable, Sequence

from core.state import actions as a
from core.state.actions import Action, Legal
from tui.scene.arrival import only_carried_words
from tui.scene.card_text import ability_words
from tui.scene.mine import ARRIVES, EQUIP, equip_words, gift_words, lowest_words
from tui.scene.not_now import no_room, why_not
from tui.scene.outlook import NOTHING, Outlook, of_card, of_legals
from tui.scene.scene import Scene

_ORDER = (a.Trouble, a.Play, a.Use, a.Discard)
"""Actions that play a card, the most usual first."""


def what_now(scene: Scene, card: int) -> tuple[bool, Outlook]:
    """Return whether a card of the hand can be played or chosen now, and what would come of it or why not. In a replay
    nothing can be played, and no card is dimmed."""
    you = scene.you
    if you is None or scene.replay:
        return True, NOTHING
    if any(card in ask.options for ask in you.asks):
        answers = [row for row in you.legal if isinstance(row.action, a.Answer) and card in row.action.picks]
        return True, of_legals(scene, answers) or Outlook(words=("choose it", "choose"), verdict="good")
    rows = [row for row in you.legal if isinstance(row.action, _ORDER) and row.action.card == card]
    if rows:
        idle = all(row.vain or row.unhelped for row in rows) or _for_others(scene, card, rows)
        idle = idle or bool(lowest_words(scene, card))
        plays = any(isinstance(row.action, a.Play) for row in rows)
        told = only_carried_words(scene, card) or equip_words(scene, card) if plays and not idle else ()
        words = Outlook(words=told or _words(scene, card, rows), verdict="" if told or idle else "good")
        return True, of_card(scene, card) or words
    return False, Outlook(words=_otherwise(scene, card, you.legal))


def _words(scene: Scene, card: int, rows: Sequence[Legal]) -> tuple[str, ...]:
    """Return what these actions do where no sums tell it."""
    if all(row.vain for row in rows):
        return "nothing comes of it", "in vain"
    if all(row.unhelped for row in rows):
        return "makes nobody help", "no help"
    acts = sorted((row.action for row in rows), key=lambda action: _ORDER.index(type(action)))
    if isinstance(acts[0], a.Trouble):
        return "fight it", "fight"
    if isinstance(acts[0], a.Use):
        return "use it", "use"
    if isinstance(acts[0], a.Discard):
        return "discard it", "discard"
    return _play_words(scene, card, acts)


def _play_words(scene: Scene, card: int, acts: Iterable[Action]) -> tuple[str, ...]:
    kind, one_shot = scene.card(card).kind, scene.card(card).one_shot
    seats = {act.seat for act in acts if isinstance(act, a.Play) and act.seat >= 0}
    if kind == "curse" and seats:
        who = scene.name(next(iter(seats)))
        return ("on anybody", "anybody") if len(seats) > 1 else (f"on {who}", who, "on one")
    if kind == "level" and seats and scene.me not in seats:
        return gift_words(scene, card, seats)
    if kind == "level" and (for_lowest := lowest_words(scene, card)):
        return for_lowest
    if kind == "item" and one_shot:
        return "play it", "play"
    return ARRIVES.get(kind, EQUIP)


def _for_others(scene: Scene, card: int, rows: Sequence[Legal]) -> bool:
    """Return whether these actions give a Level to others only: nothing that deserves a tick."""
    seats = {row.action.seat for row in rows if isinstance(row.action, a.Play)}
    return scene.card(card).kind == "level" and bool(seats - {-1}) and scene.me not in seats


def _otherwise(scene: Scene, card: int, legal: Iterable[Legal]) -> tuple[str, ...]:
    """Return what else can be done with a card that cannot be played now, or why it cannot be played."""
    for row in legal:
        if row.pick is not None and card in row.pick.among:
            if isinstance(row.action, a.Sell):
                worth = scene.card(card).value or 0
                return f"sells for {worth} gold", f"sells for {worth}", f"sell: {worth}"
            if isinstance(row.action, a.Use) and row.pick.field == "pay" and not row.vain:
                deed, _, told = ability_words(scene.definition(row.action.card), row.action.ability).partition(": ")
                pays = [f"pays for {deed}"] if told else []
                return f"can pay for {scene.title(row.action.card)}", *pays, "to pay with", "to pay"
    if scene.view.top == "setup":
        return no_room(scene, scene.definition(card)) or ("keep it",)
    return why_not(scene, card)
