"""What goes on at the table, in words: whose act it is, what each seat does, who is away, the Seals. Pure.

It never tells whether another seat has passed.
"""

from core.state.model import Lasting
from core.text.grammar import third
from netcode.bots.levels import TABLE_LEVELS
from tui.scene import bots
from tui.scene.cells import Span
from tui.scene.scene import Scene, seat_colour, shape

HARMFUL = ("curse", "monster", "enhancer", "seal")
"""Kinds of card whose lasting effects are against the seat that has them."""
LAST_SEAL = 7
"""The Seal whose opening ends the game (win.seventh-seal)."""


# --------------------------------------------------------------------------------------------------------- the players
def you_or(scene: Scene, seat: int) -> str:
    """Return `You` for one's own seat, else the name."""
    return "You" if seat == scene.me and seat >= 0 else scene.name(seat)


def player(scene: Scene, seat: int) -> Span:
    """Return the shape and the name of a seat in its colour; a click on it opens the seat."""
    return scene.marked(seat), f"bold {seat_colour(seat)}|seat:{seat}"


def laying_out(scene: Scene) -> bool:
    """Return whether first cards are being laid out, also while one of them takes effect: it is nobody's turn."""
    return "setup" in (scene.view.top, scene.view.phase)


def acting(scene: Scene) -> int:
    """Return the seat that acts: who fights, else whose turn it is; while first cards are laid out, you or somebody
    else who has not laid them out yet."""
    if laying_out(scene) and (left := awaited(scene)):
        return left[0]
    return scene.fight.seat if scene.fight is not None else scene.view.turn


def order(scene: Scene) -> list[int]:
    """Return the seats as they are listed: in a fight from the one who fights, else from you, then as they sit."""
    seats = len(scene.view.seats)
    first = scene.fight.seat if scene.fight is not None and not scene.view.winners else max(0, scene.me)
    return [(first + at) % seats for at in range(seats)]


def bots_wait(scene: Scene) -> bool:
    """Return whether the bots wait until this player, who is asked nothing else, has read what happened and presses a
    key."""
    you = scene.you
    return scene.timers.waits and you is not None and not you.asks


def awaited(scene: Scene) -> list[int]:
    """Return the seats that have to choose something, you first; none in a window, since passes stay hidden."""
    window = scene.view.window
    if not scene.view.winners and bots_wait(scene) and (window is None or window.passed):
        return [scene.me]
    if scene.view.winners or window is not None:
        return []
    return sorted({deciding.seat for deciding in scene.view.deciding}, key=lambda seat: (seat != scene.me, seat))


# ----------------------------------------------------------------------------------------------------- whose act it is
def act(scene: Scene) -> list[Span]:
    """Return whose act it is: `◆ Cyril fights for the game`, `● Your turn`."""
    view, me = scene.view, scene.me
    if view.winners:
        spans = listed(scene, view.winners)
        plural = len(view.winners) > 1 or view.winners[0] == me
        return [*spans, (f" {'win' if plural else 'wins'} the game", "bold gold")]
    if laying_out(scene):
        return [("First cards", ""), *_waits(scene, awaited(scene))]
    seat = acting(scene)
    sign, style = player(scene, seat)
    fight = scene.fight
    if fight is not None:
        return [(sign, style), (f" {_in_fight(scene, seat == me)}", ""), *_others_decide(scene, seat)]
    words: list[Span] = [(sign, style), ("'s turn", "")]
    if seat == me:
        words = [(f"{shape(seat, scene.glyphs.ascii)} Your turn", style)]
    if view.turn_after >= 0:
        words.append((", an extra one", "gold"))
    return [*words, *_others_decide(scene, seat)]


def _in_fight(scene: Scene, mine: bool) -> str:
    """Return what the fighter does."""
    fight = scene.fight
    stage = fight.stage if fight is not None else ""
    if stage == "lost":
        return "run away" if mine else "runs away"
    if stage == "won":
        return "have won the fight" if mine else "has won the fight"
    words = "fight" if mine else "fights"
    return f"{words} for the game" if fight is not None and fight.match_point else words


def _others_decide(scene: Scene, seat: int) -> list[Span]:
    """Return whom the table waits for, if that is not the seat that acts."""
    window = scene.view.window
    if window is not None and window.holder >= 0:
        stops = " stop the clock" if window.holder == scene.me else " stops the clock"
        return [("  ", ""), player(scene, window.holder), (stops, "dim")]
    others = awaited(scene)
    return _waits(scene, others) if others and others != [seat] else []


def _waits(scene: Scene, seats: list[int]) -> list[Span]:
    """Return whom the table waits for: names, or shapes if they are many."""
    if not seats:
        return []
    if len(seats) > 2:
        signs = [(f" {shape(seat, scene.glyphs.ascii)}", f"bold {seat_colour(seat)}|seat:{seat}") for seat in seats]
        return [("  waits for", "dim"), *signs]
    return [("  waits for ", "dim"), *listed(scene, seats)]


def listed(scene: Scene, seats: list[int]) -> list[Span]:
    """Return players as a list: `● You and ■ Bea`."""
    spans: list[Span] = []
    for at, seat in enumerate(seats):
        if at:
            spans.append((" and " if at == len(seats) - 1 else ", ", ""))
        spans.append(player(scene, seat))
    return spans


# ------------------------------------------------------------------------------------------------- what each seat does
def doing(scene: Scene, seat: int) -> Span:
    """Return what a seat does in the game, with its style; empty if it does nothing of its own now. The verb agrees
    with the name: `You fight`, `Bea fights`."""
    view = scene.view
    if view.seats[seat].dead and not view.winners:
        return "dead", "foe"
    words, style = _act_of(scene, seat)
    if words:
        return words if seat == scene.me else third(words), style
    if seat == view.turn and not laying_out(scene) and not view.winners:
        return "your turn" if seat == scene.me else "on turn", "text"
    deciding = any(deciding.seat == seat for deciding in view.deciding) and not view.winners
    return ("choose" if seat == scene.me else "chooses", "oneshot") if deciding else ("", "")


def _act_of(scene: Scene, seat: int) -> Span:
    """Return the act of a seat, with the verb that follows "you"."""
    view, fight = scene.view, scene.fight
    if view.winners:
        return ("win", "bold gold") if seat in view.winners else ("", "")
    if fight is not None and seat in (fight.seat, fight.helper):
        if fight.stage == "lost":
            return "run away", "foe"
        return ("help", "hero") if seat == fight.helper else ("fight", "text")
    if any(deciding.kind in ("sex", "ready") for deciding in view.deciding if deciding.seat == seat):
        return "play cards", "oneshot"
    if view.window is not None and view.window.holder == seat:
        return "stop the clock", "oneshot"
    return "", ""


def presence(scene: Scene, seat: int) -> tuple[str, str, str]:
    """Return where the person of a seat is, in words, in fewer words, and the style; empty for somebody who plays."""
    info = scene.info.seats
    state = info[seat] if seat < len(info) else None
    if state is None:
        return "", "", ""
    if state.state == "lost":
        words = f"offline {state.lost_ms // 1000} s"
        return words, words, "bold foe"
    if state.state == "here" and (state.muted or seat in scene.muted):
        return "muted", "muted", "dim"
    if state.state == "bot" and bots.kind(state) not in TABLE_LEVELS:
        return bots.described(state), "bot", "dim"
    return _PRESENCE.get(state.state, ("", "", ""))


_PRESENCE = {
    "away": ("away: a bot plays", "away, bot", "oneshot"), "gone": ("gone: a bot plays", "gone, bot", "oneshot"),
    "bot": ("bot", "bot", "dim"), "open": ("free seat", "free seat", "dim"),
}  # fmt: skip
"""What is said of seats without an active person, by the state of the seat."""


def afflictions(scene: Scene, seat: int) -> list[Lasting]:
    """Return the lasting Curses on a seat, and the lasting effects of other cards against it. The effects of its own
    Items and abilities do not belong here."""
    return [lasting for lasting in scene.seat(seat).lasting if scene.catalog.cards[lasting.defn].kind in HARMFUL]


def curses(scene: Scene, seat: int) -> list[str]:
    """Return the names of the lasting Curses on a seat."""
    return [scene.printed(lasting.defn).name for lasting in afflictions(scene, seat)]


# ----------------------------------------------------------------------------------------------------------- Seals
def has_seals(scene: Scene) -> bool:
    """Return whether this game has Seals."""
    return bool(scene.view.seals or scene.view.seals_open)


def seal_count(scene: Scene) -> str:
    """Return in words how many Seals are open and how many more end the game."""
    number = len(scene.view.seals_open)
    if number >= LAST_SEAL:
        return "all seven Seals open"
    return f"Seals open {number}, {LAST_SEAL - number} more end{'s' if LAST_SEAL - number == 1 else ''} the game"
