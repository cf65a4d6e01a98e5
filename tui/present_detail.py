"""What is read on demand, in the table's place at 80 columns and beside the hand where there is room. Pure.

A detail is named by its kind and an argument: card (an id), seat (a number), why, offers, recap, log, keys, talk.
"""

from collections.abc import Callable
from dataclasses import dataclass

from core.model import Placed
from tui.keys import HELP_TABLE
from tui.present import block, curses, identity
from tui.present_fight import offer_words, prize, run_chance, two_sides, verdict
from tui.scene import LogLine, Scene
from tui.text import Line, count, rule, wrap
from tui.words import facts, paragraphs, worn


@dataclass(frozen=True)
class Detail:
    """What is being read: its kind, its argument, how far it is scrolled, and a remark (a refusal's text)."""

    kind: str = ""
    arg: int = 0
    scroll: int = 0
    note: str = ""
    open: bool = True
    """False: shown only because there is room for it."""


def detail(scene: Scene, what: Detail, width: int, height: int) -> list[Line]:
    """The detail below its heading; what does not fit is scrolled to, and the heading says how much there is."""
    title, lines = contents(scene, what, width)
    room = max(1, height - 1)
    most = max(0, len(lines) - room)
    start = min(what.scroll, most)
    if what.kind == "log":
        start = most - min(what.scroll, most)
    right = "ESC back" if what.open else "v read on"
    if most:
        right = f"{start + 1}-{min(len(lines), start + room)} of {len(lines)}, PgUp PgDn, {right}"
    heading = rule(title, right, width, scene.glyphs, "warn")
    return block([heading, *lines[start : start + room]], width, height, scene)


def contents(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    """Title and all lines of a detail."""
    title, lines = _KINDS.get(what.kind, _nothing)(scene, what, width)
    if what.note:
        lines = [*_wrapped(what.note, width, scene, "warn"), *lines]
    return title, lines


def _wrapped(text: str, width: int, scene: Scene, style: str = "", indent: str = "") -> list[Line]:
    return [((f"  {line}", style),) for line in wrap(text, width - 3, scene.glyphs, indent)]


def _nothing(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    return "", []


# ------------------------------------------------------------------------------------------------------------ cards
def _card(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    if not what.arg:
        return "Nothing to read", []
    return scene.title(what.arg), card_lines(scene, what.arg, width)


def card_lines(scene: Scene, card: int, width: int) -> list[Line]:
    """A card in full."""
    lines: list[Line] = []
    for at, text in enumerate(paragraphs(scene.card(card), scene.catalog.tag_names)):
        lines += _wrapped(text, width, scene, "bold" if at == 0 else "")
    return lines


def readable(scene: Scene) -> list[int]:
    """Cards worth reading one after the other with `v`: the selected one, the fight's, those at work, the discards."""
    view, fight = scene.view, scene.fight
    cards = [scene.selected()]
    if fight is not None:
        cards += [monster.id if monster.id > 4095 else monster.defn for monster in fight.monsters]
        cards += [joined.card for joined in fight.cards]
    cards += [*view.limbo, *view.pool, *view.seals_open[-1:]]
    cards += [lasting.card for seat in view.seats for lasting in seat.lasting if lasting.card]
    return [card for card in dict.fromkeys(cards) if card]


# ------------------------------------------------------------------------------------------------------------ seats
def _seat(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    seat = what.arg
    view = scene.seat(seat)
    lines: list[Line] = []
    head = f"Level {view.level}, strength {view.strength}, {count(view.hand, 'card')} in hand"
    head += f", runs with {5 - view.run}+ on the die"
    if view.dead:
        head = "Dead until the next turn; " + head
    lines += _wrapped(head, width, scene, "bold")
    for lasting in view.lasting:
        state = "counts now" if lasting.armed else f"waits ({lasting.until})"
        card = scene.defn(lasting.defn)
        lines += _wrapped(f"{card.name}, {state}: {card.text}", width, scene, "bad")
    for placed in view.table:
        lines += _wrapped(_placed(scene, placed), width, scene, "" if placed.up else "dim", "    ")
    if view.body:
        lines += _wrapped("laid out: " + ", ".join(scene.title(card) for card in view.body), width, scene, "warn")
    others = "left/right: other seats" if len(scene.view.seats) > 1 else ""
    return f"{scene.label(seat)}: {identity(scene, seat)}  {others}", lines


def _placed(scene: Scene, placed: Placed) -> str:
    card = scene.card(placed.card)
    where = "" if placed.up else "carried: "
    on = f" (on {scene.title(placed.on)})" if placed.on else ""
    texts = [card.text, *(ability.text for ability in card.abilities if ability.text not in card.text)]
    return f"{where}{worn(card)}{on}, {facts(card)}. {' '.join(text for text in texts if text)}"


# ----------------------------------------------------------------------------------------------------- why, bargains
def _why(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    fight = scene.fight
    if fight is None:
        return _strengths(scene, what, width)
    lines = two_sides(scene, width)
    lines.append(((f"  {verdict(scene)[0]}; {prize(scene)}", "bold"),))
    for seat in (fight.seat, fight.helper):
        if seat >= 0:
            text = f"run: {scene.who(seat)} needs {run_chance(scene, seat)}; modifiers {_run(scene, seat)}"
            lines += _wrapped(text, width, scene)
    return f"Why {fight.heroes} against {fight.foes}", lines


def _run(scene: Scene, seat: int) -> str:
    parts = [f"own {scene.seat(seat).run:+d}"]
    parts += [f"{scene.monster(m.id)} {m.run:+d}" for m in (scene.fight.monsters if scene.fight else ()) if m.run]
    return ", ".join(parts)


def _strengths(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    """Outside a fight: every seat's strength with what it wears."""
    lines: list[Line] = []
    for seat in scene.view.seats:
        worn_words = [worn(scene.card(p.card)) for p in seat.table if p.up and scene.card(p.card).bonus]
        text = f"{scene.label(seat.seat)}: strength {seat.strength} = Level {seat.level}"
        text += f" and gear: {', '.join(worn_words)}" if worn_words else " without gear"
        bad = curses(scene, seat.seat)
        lines += _wrapped(text + (f"; curses: {', '.join(bad)}" if bad else ""), width, scene, "", "  ")
    return "Why these strengths", lines


def _offers(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    lines: list[Line] = []
    for deal in scene.view.offers:
        lines += _wrapped(f"offer {deal.no}: {offer_words(scene, deal)}", width, scene)
    return "Open offers", lines or _wrapped("There is none.", width, scene, "dim")


# -------------------------------------------------------------------------------------------------------------- log
def log_lines(scene: Scene, entries: tuple[LogLine, ...], width: int) -> list[Line]:
    """Log entries wrapped to the width, oldest first."""
    lines: list[Line] = []
    for entry in entries:
        style = {"turn": "turn", "talk": "talk", "note": "warn"}.get(entry.kind, "")
        start = f" {entry.step} " if entry.step else " "
        if entry.kind == "turn":
            start = f" {scene.glyphs.rule * 3} "
        for at, text in enumerate(wrap(f"{start}{entry.text}", width - 2, scene.glyphs, "    ")):
            lines.append(((f" {text}" if at == 0 else text, style),))
    return lines


def log(scene: Scene, width: int, height: int, talk: bool = True) -> list[Line]:
    """The newest lines of the log below its heading: what just happened stays here until something else does."""
    entries = scene.log if talk else tuple(entry for entry in scene.log if entry.kind != "talk")
    lines = log_lines(scene, entries[-height * 2 :], width)[-(height - 1) :] if height > 1 else []
    title = "Log and talk" if talk else "Log"
    return block([rule(title, "l all, t talk, r recap", width, scene.glyphs), *lines], width, height, scene)


def talk(scene: Scene, width: int, height: int) -> list[Line]:
    """Only what people said."""
    lines = log_lines(scene, tuple(entry for entry in scene.log if entry.kind == "talk"), width)
    return block([rule("Talk", "t", width, scene.glyphs), *lines[-(height - 1) :]], width, height, scene)


def _log(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    return "Log", log_lines(scene, scene.log, width)


def recap_entries(scene: Scene) -> tuple[LogLine, ...]:
    """The log since the beginning of one's own last turn (of everything, if one has not had any)."""
    mine = scene.label(scene.me)
    for at in range(len(scene.log) - 1, -1, -1):
        entry = scene.log[at]
        if entry.kind == "turn" and mine in entry.text and at < len(scene.log) - 1:
            return scene.log[at:]
    return scene.log


def _recap(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    return "Since your last turn began", log_lines(scene, recap_entries(scene), width)


def _keys(scene: Scene, what: Detail, width: int) -> tuple[str, list[Line]]:
    half = (width - 4) // 2
    texts = [f"{key:<9} {words}" for key, words in HELP_TABLE]
    if width < 76:
        return "Keys", [((f"  {text}", ""),) for text in texts]
    rows = -(-len(texts) // 2)
    lines: list[Line] = []
    for row in range(rows):
        right = texts[row + rows] if row + rows < len(texts) else ""
        lines.append(((f"  {texts[row][:half].ljust(half)}{right}", ""),))
    return "Keys", lines


_KINDS: dict[str, Callable[[Scene, Detail, int], tuple[str, list[Line]]]] = {
    "card": _card, "seat": _seat, "why": _why, "offers": _offers, "log": _log, "recap": _recap, "keys": _keys,
}  # fmt: skip
