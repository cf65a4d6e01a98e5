"""The public regions of the table as lines: status, level track, seats. Pure.

Each function takes a scene and a size in cells, and returns exactly `height` lines of `width` cells.
"""

from tui.render.gear import ALLY, VEHICLE, carried, equipped, full, identity, identity_short, shorts, squeeze
from tui.scene.cells import Line, Span, clip, fit, length, spread, wrap
from tui.scene.scene import Scene, letter

LAST_SEAL = 7
"""The Seal whose opening ends the game (win.seventh-seal)."""
_PHASES = {"start": "START", "kick": "KICK", "trouble": "NO MONSTER", "end": "END OF TURN", "charity": "CHARITY"}
_WAITING = {
    "sex": "laying", "ready": "laying", "roll": "running", "end": "ending", "fight": "deciding", "hold": "holding",
}  # fmt: skip


def block(lines: list[Line], width: int, height: int, scene: Scene) -> list[Line]:
    """Return exactly `height` lines of exactly `width` cells; if lines are left out, the last line says how many."""
    if len(lines) > height:
        hidden = len(lines) - height + 1
        lines = [*lines[: height - 1], ((f"{scene.glyphs.mark} {hidden} more lines", "dim"),)]
    blank: Line = ()
    lines = lines + [blank] * (height - len(lines))
    return [clip(line, width, scene.glyphs) for line in lines]


# ---------------------------------------------------------------------------------------------------------- status
def waiting_for(scene: Scene) -> list[str]:
    """Return the names of the players the table waits for, the reader first, as YOU.

    In a window these are all players who may still pass, since the passes of others stay hidden.
    """
    view = scene.view
    if view.winners:
        return []
    seats = sorted({d.seat for d in view.deciding}, key=lambda seat: (seat != scene.me, seat))
    if view.window is not None:
        if view.window.holder >= 0:
            return [scene.who(view.window.holder)] if view.window.holder != scene.me else ["YOU"]
        return (["YOU"] if scene.me >= 0 and not view.window.passed else []) + ["the others"]
    return ["YOU" if seat == scene.me else letter(seat) for seat in seats]


def situation(scene: Scene) -> str:
    """Return the phase of the game in a word or two."""
    view = scene.view
    if view.winners:
        return "GAME OVER"
    if view.top == "setup":
        return "FIRST CARDS"
    if scene.fight is not None:
        return {"lost": "RUNNING AWAY", "won": "VICTORY"}.get(scene.fight.stage, "COMBAT")
    return _PHASES.get(view.phase, view.phase.upper())


def status(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the status line: turn, phase and who decides; on the right the decks, the table and the lag in ms."""
    view = scene.view
    turn = f" T{view.turn_no} {situation(scene)} "
    spans: list[Span] = [(turn, "head"), (" turn: ", "dim"), (scene.label(view.turn), "turn")]
    if view.turn_after >= 0:
        spans.append((" (extra)", "turn"))
    waiting = waiting_for(scene)
    if scene.offline:  # here too, since an open menu replaces the prompt
        spans.append(("  no connection: trying again", "urgent"))
    elif waiting:
        spans += [("  waiting for: ", "dim"), (", ".join(waiting), "urgent" if waiting[0] == "YOU" else "")]
    if view.extra_turn >= 0:
        spans += [("  then: ", "dim"), (scene.label(view.extra_turn), "turn"), (" (extra)", "dim")]
    right: list[Span] = []
    if width >= 120:
        if has_seals(scene):
            seals = seal_count(scene) if width >= 150 else f"seals {len(view.seals_open)}/{LAST_SEAL}"
            right += [(seals, _seal_style(scene)), ("  ", "")]
        right.append((f"doors {view.doors} ({view.doors_out})  ", "dim"))
        right.append((f"treasures {view.treasures} ({view.treasures_out})", "dim"))
        right.append((f"   table {scene.info.table}", "dim"))
    else:
        if has_seals(scene):
            right += [(" ", ""), (f"seals {len(view.seals_open)}/{LAST_SEAL}", _seal_style(scene))]
        piles = f" decks {view.doors}+{view.treasures}" if has_seals(scene) else ""
        right.append((piles or f" doors {view.doors} treas {view.treasures}", "dim"))
    if width >= 160 and scene.me >= 0:
        right.append((f"   you are {scene.label(scene.me)}   pace {scene.info.pace}", "dim"))
    if scene.lag_ms >= 0 and width >= 90:
        right.append((f"   {scene.lag_ms} ms", "dim"))
    if scene.auto:
        right.append(("  AUTO-PASS", "warn"))
    right.append((" ", ""))
    return block([spread(tuple(spans), tuple(right), width, scene.glyphs)], width, height, scene)


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


def _seal_style(scene: Scene) -> str:
    """Return the style of the count: urgent if the next Seal ends the game."""
    return "urgent" if len(scene.view.seals_open) == LAST_SEAL - 1 else "warn"


def seal_in_force(scene: Scene) -> str:
    """Return the name of the Seal opened last, the only one in force; empty if none is open."""
    return scene.printed(scene.view.seals_open[-1]).name if scene.view.seals_open else ""


# ----------------------------------------------------------------------------------------------------------- levels
def track(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the level track: who is on which Level, up to the winning Level."""
    goal = scene.view.win_level
    at: dict[int, list[str]] = {}
    for seat in scene.view.seats:
        at.setdefault(min(seat.level, goal), []).append(letter(seat.seat))
    if goal > 12 and width < 110:
        return block([_short_track(at, goal)], width, height, scene)
    if height >= 2:
        cell = max(4, (width - 4) // goal)
        numbers = "".join(fit(f"{n}{' WIN' if n == goal else ''}", cell, scene.glyphs) for n in range(1, goal + 1))
        people = "".join(fit(" ".join(at.get(n, [])), cell, scene.glyphs) for n in range(1, goal + 1))
        return block([((" Lv " + numbers, "dim"),), (("    " + people, "you"),)], width, height, scene)
    spans: list[Span] = [(" Lv ", "dim")]
    for level in range(1, goal + 1):
        spans.append((f" {level}{' WIN' if level == goal else ''} ", "dim"))
        if level in at:
            spans.append((f"[{','.join(at[level])}] ", "you" if letter(scene.me) in at[level] else "turn"))
    return block([tuple(spans)], width, height, scene)


def _short_track(at: dict[int, list[str]], goal: int) -> Line:
    spans: list[Span] = [(" Lv ", "dim")]
    for level in sorted(at):
        spans.append((f" {level} [{','.join(at[level])}]", "turn"))
    return (*spans, (f"  {goal} WIN", "dim"))


# ----------------------------------------------------------------------------------------------------------- seats
def seat_state(scene: Scene, seat: int) -> tuple[str, str]:
    """Return what a seat is doing, in at most STATE cells, and its style. It never shows whether a seat has passed."""
    view, info = scene.view, scene.info.seats
    state = info[seat] if seat < len(info) else None
    if seat in view.winners:
        return "WINNER", "good"
    if state is not None and state.state == "lost":
        return f"offline {state.lost_ms // 1000}s", "warn"
    if view.seats[seat].dead:
        return "dead", "bad"
    doing, style = _doing(scene, seat)
    if doing and state is not None and state.state in ("away", "gone"):
        return f"bot:{doing.removeprefix('? ')}", style
    if not doing and state is not None and (state.muted or seat in scene.muted) and state.state == "here":
        return "muted", "dim"
    return (doing, style) if doing or state is None else (_IDLE.get(state.state, ""), "dim")


_IDLE = {"away": "away (bot)", "gone": "gone (bot)", "bot": "bot", "open": "free seat"}
"""What seats without an active person show while they have nothing to do, by the state of the seat."""


def _doing(scene: Scene, seat: int) -> tuple[str, str]:
    """Return what a seat is doing in the game and its style; empty if it has nothing to do."""
    if scene.fight is not None and seat in (scene.fight.seat, scene.fight.helper):
        running = scene.fight.stage == "lost"
        word = "running" if running else ("FIGHTING" if seat == scene.fight.seat else "helping")
        return (("? " if _decides(scene, seat) else "") + word, "bad" if running else "turn")
    for deciding in scene.view.deciding:
        if deciding.seat == seat:
            return "? " + _WAITING.get(deciding.kind, "choosing"), "warn"
    return "", ""


def _decides(scene: Scene, seat: int) -> bool:
    return any(deciding.seat == seat for deciding in scene.view.deciding)


def curses(scene: Scene, seat: int) -> list[str]:
    """Return the names of the lasting Curses and effects on a seat."""
    return [scene.printed(lasting.defn).name for lasting in scene.seat(seat).lasting]


def seats(scene: Scene, width: int, height: int) -> list[Line]:
    """Draw the seats below a heading: one line each, or more if there is room."""
    count = len(scene.view.seats)
    rows = max(1, (height - 1) // count)
    columns = _columns(width, rows)
    lines = [_heading(scene, width, columns)]
    for seat in range(count):
        lines.extend(_seat(scene, seat, width, rows, columns))
    return block(lines, width, height, scene)


def _columns(width: int, rows: int = 1) -> dict[str, int]:
    """Return the column widths of a seat's line; names get more where gear has its own lines (rows above 1)."""
    spare = max(0, width - 80)
    name = 9 + min(11, spare // 4) + (3 if rows > 1 else 0)
    who = 16 + min(14, spare // 4)
    return {"name": name, "who": who, "gear": width - (4 + name + 10 + who + 5 + STATE)}


STATE = 13
"""Cells for what a seat is doing, including a blank before it."""


def _heading(scene: Scene, width: int, columns: dict[str, int]) -> Line:
    """Return the names of the columns and the meaning of the marks; on the right the Seal in force."""
    sign, lexicon = scene.glyphs.rule, scene.lexicon
    who = "Who R=Ranks/Lv" if scene.catalog.ranked else "Who"
    text = f"{sign * 2} Table ".ljust(4 + columns["name"], sign) + "  Lv Str  " + who.ljust(columns["who"])
    text += "Hand In play "
    name = seal_in_force(scene)
    tail = f" {len(scene.view.seals_open)}/{LAST_SEAL} {name} {sign}" if name else ""
    for mark, words, there in ((ALLY, "Ally", lexicon.allies), (VEHICLE, "Vehicle", lexicon.vehicles)):
        if there and length(((f"{text}{mark}{words} {tail}", ""),)) <= width:
            text += f"{mark}{words} "
    tail = fit(tail, min(len(tail), width - len(text) - 1), scene.glyphs) if tail else ""
    return ((text + sign * max(0, width - len(text) - length(((tail, ""),))), "head"), (tail, "warn"))


def _seat(scene: Scene, seat: int, width: int, rows: int, columns: dict[str, int]) -> list[Line]:
    view, glyphs = scene.seat(seat), scene.glyphs
    state, style = seat_state(scene, seat)
    you = "*" if seat == scene.me else " "
    name = fit(f"{scene.name(seat)}", columns["name"] - 1, glyphs)
    tone = "turn" if seat == scene.view.turn else ("you" if seat == scene.me else "")
    gear = fit(_gear(scene, seat, columns["gear"]) if rows == 1 else _curse_count(scene, seat), columns["gear"], glyphs)
    line: Line = (
        ("> " if seat == scene.view.turn else "  ", "turn"),
        (f"{letter(seat)} {name}{you}", f"{tone}|seat:{seat}"),
        (f"{view.level:>4}{view.strength:>4}  ", ""),
        (fit(identity_short(scene, seat, columns["who"] - 1), columns["who"], glyphs), ""),
        (f"{view.hand:>3}  ", "dim"),
        (gear, "bad" if view.lasting else ""),
        (fit(f" {state}", STATE, glyphs), style),
    )
    return [clip(line, width, glyphs), *_more(scene, seat, width, rows - 1)] if rows > 1 else [line]


def _curse_count(scene: Scene, seat: int) -> str:
    lying = [scene.catalog.cards[lasting.defn] for lasting in scene.seat(seat).lasting]
    return f"[{scene.lexicon.curses(len(lying), lying)}] " if lying else ""


def _gear(scene: Scene, seat: int, room: int) -> str:
    """Return the number of Curses (never cut), then as many Items as fit, then how many are left out."""
    start = _curse_count(scene, seat)
    return start + squeeze(shorts(scene, seat), room - len(start), scene)


def _more(scene: Scene, seat: int, width: int, rows: int) -> list[Line]:
    """Return the lines below a seat's first one: gear in full, and Powers if their names did not fit above."""
    up = ", ".join(full(scene, seat, piece) for piece in equipped(scene, seat))
    down = ", ".join(full(scene, seat, piece) for piece in carried(scene, seat))
    texts = [up or "nothing equipped"] + ([f"carried: {down}"] if down else [])
    who = identity(scene, seat)
    if scene.catalog.ranked and identity_short(scene, seat, _columns(width)["who"] - 1) != who:
        texts = [who, *texts]
    bad = curses(scene, seat)
    if bad:
        words = f"{scene.lexicon.curse(scene.catalog.cards[held.defn] for held in scene.seat(seat).lasting).lower()}s"
        texts = [f"{words}: {', '.join(bad)}", *texts]
    found = [line for text in texts for line in wrap(text, width - 7, scene.glyphs, "  ")]
    if len(found) > rows:
        found = wrap("; ".join(texts), width - 7, scene.glyphs, "  ")
    if len(found) > rows:
        found = [*found[: rows - 1], fit(f"{found[rows - 1]} {found[rows]}", width - 7, scene.glyphs)]
    lines: list[Line] = [((f"      {text}", "bad" if bad and at == 0 else "dim"),) for at, text in enumerate(found)]
    return block(lines, width, rows, scene)
