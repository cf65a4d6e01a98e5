"""The combat panel when nobody fights: the steps of the turn, the Seal in force, the end of the game. Pure."""

from tui.menus.offer_text import offer_words
from tui.scene.cells import Line, Span
from tui.scene.scene import Scene
from tui.scene.situation import LAST_SEAL, seal_count

_STEP_OF_PHASE = {"start": "kick", "kick": "kick", "trouble": "trouble", "end": "end", "charity": "end"}


def peace(scene: Scene) -> list[Line]:
    """Return the lines between fights: the steps of the turn, the top discards, and what matters most now."""
    view = scene.view
    if view.top == "setup":
        kinds = ", ".join(kind.lower() for kind in scene.lexicon.kinds)
        return [
            ((f"  First cards: everybody lays out {kinds} and Items, hidden from the others.", ""),),
            (("  The first turn begins when all are ready.", "dim"),),
        ]
    lines: list[Line] = [_steps(scene), _piles(scene)]
    if view.limbo:
        lines.append(((f"  being read: {', '.join(scene.title(card) for card in view.limbo)}", "warn"),))
    elif view.pool:
        lines.append(((f"  to be shared: {', '.join(scene.title(card) for card in view.pool)}", "good"),))
    elif view.offers:
        lines.append(((f"  offer: {offer_words(scene, view.offers[0])}" + _others(len(view.offers)), "warn"),))
    elif view.seals_open:
        seal = scene.printed(view.seals_open[-1])
        lines.append(((f"  {seal.name}: ", "warn"), (seal.text, "")))
    else:
        lines.append(((f"  {_any_time(scene)}", "dim"),))
    return lines


def _steps(scene: Scene) -> Line:
    """Return the three steps of a turn, in the words of the first set, with the current one marked."""
    words = scene.lexicon
    kick, trouble, loot, charity = (words.phase(name).lower() for name in ("kick", "trouble", "loot", "charity"))
    steps = (("kick", kick), ("trouble", f"{trouble} or {loot.split()[0]}"), ("end", f"{charity}, end"))
    now = _STEP_OF_PHASE.get(scene.view.phase, "")
    spans: list[Span] = [("  ", "")]
    for step, text in steps:
        spans.append((f"[{text}]" if step == now else f" {text} ", "turn" if step == now else "dim"))
        spans.append(("" if step == "end" else f" {scene.glyphs.arrow} ", "dim"))
    return tuple(spans)


def _any_time(scene: Scene) -> str:
    """Return what anybody may do at any time, and what only outside fights."""
    words = scene.lexicon
    kinds = [f"{words.curse().lower()}s", "level cards"]
    kinds += ["hirelings"] if words.hirelings else []
    kinds += ["Allies"] if words.allies else []
    gear = "gear, " if scene.catalog.switches.equip == "any-time" else ""
    return f"Any time: {', '.join(kinds)}. Outside fights: {gear}trades."


def _others(number: int) -> str:
    return f"  (+{number - 1} more)" if number > 1 else ""


def _piles(scene: Scene) -> Line:
    view = scene.view
    door = scene.printed(view.door_top).name if view.door_top >= 0 and view.doors_out else "none"
    treasure = scene.printed(view.treasure_top).name if view.treasure_top >= 0 and view.treasures_out else "none"
    return (("  top discards: ", "dim"), (f"Door: {door}   Treasure: {treasure}", ""))


# --------------------------------------------------------------------------------------------------------- the end
def ending(scene: Scene) -> list[Line]:
    """Return the lines after the game: who won, why, and how the others stand."""
    view = scene.view
    names = " and ".join(scene.label(seat) for seat in view.winners)
    together = len(view.winners) > 1
    sealed = len(view.seals_open) >= LAST_SEAL
    verb = "win the game together" if together else "wins the game"
    lines: list[Line] = [((f"  {names} {verb}.", "good"),)]
    if sealed:
        lines.append((("  The seventh Seal is open: the highest bonus from cards wins, then Level.", "warn"),))
        lines.append(((f"  {_standings(scene, True)}", ""),))
        return lines
    why = f"Level {view.win_level} reached."
    if view.why_won == "shared":
        why = "Shared victory: whoever helps at the winning kill wins too."
    elif together:
        why = f"One fight took both to Level {view.win_level}."
    return [*lines, ((f"  {why}", ""),), ((f"  {_standings(scene, False)}", "dim"),)]


def _standings(scene: Scene, bonus: bool) -> str:
    """Return all players, best first, with their Levels. bonus: with their bonuses from cards first, then Levels."""
    def worth(seat: int) -> tuple[int, int, int]:
        view = scene.seat(seat)
        own = 0 if view.dead else view.strength - view.level
        return (own if bonus else 0, view.level, -seat)

    order = sorted(range(len(scene.view.seats)), key=worth, reverse=True)
    if not bonus:
        return "Levels: " + ", ".join(f"{scene.name(seat)} {scene.seat(seat).level}" for seat in order)
    standings = []
    for seat in order:
        view = scene.seat(seat)
        own = "dead" if view.dead else f"{view.strength - view.level:+d} (Level {view.level})"
        standings.append(f"{scene.name(seat)} {own}")
    return ", ".join(standings)


def seal_lines(scene: Scene) -> list[tuple[str, str]]:
    """Return every open Seal in full as (text, style), the one in force first."""
    view = scene.view
    if not view.seals_open:
        return [("No Seal is open. The first one opens by a card, or by a death.", "")]
    number = len(view.seals_open)
    lines = [(f"{seal_count(scene)}. Every monster has +{number}.", "bold")]
    for at, defn in enumerate(reversed(view.seals_open)):
        seal = scene.printed(defn)
        if at == 0:
            lines.append((f"In force: {seal.name}. {seal.text}", "warn"))
        else:
            lines.append((f"below it, not in force: {seal.name}. {seal.text}", "dim"))
    lines.append(("A Seal opens by a card or by a death; it closes by a card or by three levels in one turn.", "dim"))
    return lines
