"""Open Seals in words, and who would win if the last one opened. Pure."""

from core.knowledge.public_facts import seal_bonuses
from core.language.schema import OpenSeal
from core.language.tree import Effects, effects_within
from core.operations.seals import LAST
from core.state.actions import Action, Play, Trouble, Use
from core.text.grammar import listed
from tui.scene.scene import Scene
from tui.scene.situation import seal_count

_WORDS = {5: "fifth", 6: "sixth", 7: "seventh"}


def seal_lines(scene: Scene) -> list[tuple[str, str]]:
    """Return every open Seal in full as (text, style), the one in force first."""
    view = scene.view
    if not view.seals_open:
        return [
            ("No Seal is open. The first one opens by a card, or by a death.", "bold"),
            ("Each open Seal gives every monster +1. The newest one is in force: what it says holds for all.", ""),
            _end(scene),
        ]
    number = len(view.seals_open)
    lines = [(f"{seal_count(scene)}. Every monster has +{number}.", "bold"), _end(scene)]
    for at, defn in enumerate(reversed(view.seals_open)):
        seal = scene.printed(defn)
        if at == 0:
            lines.append((f"In force: {seal.name}. {seal.text}", "warn"))
        else:
            lines.append((f"below it, not in force: {seal.name}. {seal.text}", "dim"))
    lines.append(("A Seal opens by a card or by a death; it closes by a card or by three levels in one turn.", "dim"))
    return lines


def opens_seal(scene: Scene, action: Action) -> bool:
    """Return whether the text of the card or ability that this action plays or uses may open a Seal."""
    if isinstance(action, Use):
        return _opens(scene.definition(action.card).abilities[action.ability].do)
    return isinstance(action, Play) and _opens(scene.card(action.card).play)


def brings_to_seal(scene: Scene, action: Action) -> bool:
    """Return whether an action fights a monster whose text may open a Seal when it appears."""
    return isinstance(action, Trouble) and _opens(scene.card(action.card).enter)


def _opens(text: Effects) -> bool:
    return any(isinstance(op, OpenSeal) for op in effects_within(text))


def would_win(scene: Scene) -> str:
    """Return who would win if the last Seal opened now: `Bo would win: +7 from cards, you +2`."""
    worth = {
        seat.seat: (bonus, seat.level)
        for seat, bonus in zip(scene.view.seats, seal_bonuses(scene.catalog, scene.view), strict=True) if not seat.dead
    }
    if not worth:
        return ""
    best = max(worth.values())
    first = [seat for seat, one in worth.items() if one == best]
    names = listed(["you" if seat == scene.me else scene.name(seat) for seat in first])
    mine = f", you {worth[scene.me][0]:+d}" if scene.me in worth and scene.me not in first else ""
    return f"{names} would win: {best[0]:+d} from cards{mine}"


def _end(scene: Scene) -> tuple[str, str]:
    rule = f"With the {_WORDS[LAST]} Seal the game ends: most from cards in play wins, then the higher Level."
    now = would_win(scene)
    return (f"{rule} Now {now}." if now else rule), "bold" if len(scene.view.seals_open) + 2 >= LAST else ""
