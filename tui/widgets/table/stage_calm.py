"""The stage between fights: the door and what may be behind it, the steps of a turn, open Seals, bodies, Treasures to
share, the end of the game. Pure."""

from collections.abc import Callable

from core.state.model import defn_of
from tui.menus.excess import charity_words
from tui.menus.offer_text import offer_words
from tui.portraits.pixels import Portrait
from tui.scene import door, ending
from tui.scene.cells import Line, Span, count
from tui.scene.faces import player, thing
from tui.scene.fight import shares, usual_odds
from tui.scene.scene import FIRST_CARD, Scene, shape
from tui.scene.since import sentence, strikes
from tui.scene.situation import LAST_SEAL, seal_count
from tui.widgets import digits
from tui.widgets.canvas import FACE_SIZES, Canvas
from tui.widgets.table import stage_acts, stage_cards
from tui.widgets.table.stage_parts import (
    Room,
    fitting,
    flowed,
    last_row,
    listed_rows,
    person,
    size,
    speaking,
    strip,
    write,
)
from tui.widgets.table.stage_run import throw_texts

FEW_ROWS = 3
"""With at most this many rows, not counting the last one, only what has happened is told."""
SHORT_ROWS = 11
"""With at most this many rows, only the head of the table says whose turn it is while there is something to tell."""
LEAST_ROWS = 8
"""With at least this many, one of them says the strength of whoever has the turn before what has happened."""
STEP_OF_PHASE = {"start": "kick", "kick": "kick", "trouble": "trouble", "end": "end", "charity": "end"}


def draw(room: Room) -> None:
    """Draw the scene that fits the moment."""
    scene = room.scene
    view = scene.view
    if view.throw is not None and room.height > 3:
        strip(room, room.y, throw_texts(scene), "on-gold on gold")
        room = room.below(1)
    card = stage_cards.effective(scene)
    if card >= 0 and room.height > 2:
        whole = _has_last_row(room)
        body = room if whole else room.without_last(1)
        cause = scene.causes.get(defn_of(card) if card >= FIRST_CARD else card)
        told = stage_acts.told_first(body, max(1, body.height // 4), frozenset([cause.text] if cause else ()))
        stage_cards.being_read(body.below(told), card)
        if not whole:
            last_row(room, speaking(scene))
    elif view.pool:
        _cards(room, "Treasures to share", view.pool)
    elif view.top == "looting" and any(seat.body for seat in view.seats):
        dead = next(seat for seat in view.seats if seat.body)
        who = "You are" if dead.seat == scene.me else f"{scene.name(dead.seat)} is"
        _cards(room, f"{who} dead; the others take what lies here", dead.body)
    else:
        _page(room, *_moment(scene, room.height))


def _has_last_row(room: Room) -> bool:
    """Return whether the text gets the last row too."""
    return room.clock.full <= 0 and stage_acts.only_mine(room)


def title(scene: Scene) -> str:
    """Return the title of what the stage shows between fights, in capitals."""
    view = scene.view
    if stage_cards.effective(scene) >= 0:
        return "A CARD"
    if view.pool:
        return "TREASURE"
    if view.top == "looting":
        return "LOOTING"
    step = STEP_OF_PHASE.get(view.phase, "")
    return {"kick": "THE DOOR", "trouble": "NO MONSTER"}.get(step, "CHARITY" if _gives(scene) else "END OF TURN")


def _gives(scene: Scene) -> bool:
    return scene.view.phase == "charity" or any(deciding.kind == "charity" for deciding in scene.view.deciding)


def _cards(room: Room, words: str, cards: list[int]) -> None:
    room = room.below(stage_acts.told_first(room.without_last(1), max(1, room.height // 4)))
    y = write(room, room.y, ((words, "bold"),))
    gap = 1 if room.height > 8 else 0
    if room.height > 3:
        stage_cards.group(room.below(y - room.y + gap).without_last(1), cards)
    last_row(room, speaking(room.scene))


# -------------------------------------------------------------------------------------------------------------- a page
Blocks = list[Callable[[Room, int], int]]
"""Parts of a page: each writes itself, starting at a row, and returns the row after it."""


def _moment(scene: Scene, rows: int) -> tuple[Portrait, Blocks]:
    """Return the picture and the blocks of this moment. rows: of the stage."""
    view = scene.view
    step = STEP_OF_PHASE.get(view.phase, "")
    if rows <= FEW_ROWS + 1 and scene.since:
        return thing("door"), [_since, _whose_turn]
    first: Blocks = [_since] if rows <= SHORT_ROWS and scene.since else [_whose_turn, _since]
    if scene.since and step in ("kick", "trouble") and LEAST_ROWS <= rows <= SHORT_ROWS:
        first = [_strength, _since]
    more: Blocks = [] if _strength in first else [_strength]
    if step == "kick":
        return thing("door"), [*first, _offers, _behind, *more, _running, _seal, _steps, _piles]
    if step == "trouble":
        return thing("paw" if _may_fight(scene) else "bag"), [
            *first, _nobody_there, _offers, *more, _running, _seal, _steps, _piles,
        ]  # fmt: skip
    return thing("hand" if _gives(scene) else "bag"), [
        *first, _the_end, _charity, _offers, _seal, _steps, _any_time, _piles,
    ]  # fmt: skip


def _page(room: Room, picture: Portrait, blocks: Blocks) -> None:
    """Draw a picture on the left and the blocks beside it, as many as there is room for, and the last row."""
    scene = room.scene
    whole = _has_last_row(room)
    text = room if whole else room.without_last(1)
    if room.face:
        crowded = scene.view.seals_open or scene.view.offers
        face = "small"
        if room.width >= 46 and room.height >= 10:
            face = "double" if room.height >= 17 and room.width >= (80 if crowded else 56) else "large"
        wide, rows = FACE_SIZES[face]
        room.canvas.face(room.x, room.y + (1 if room.height > rows + 2 else 0), picture, face, scene.pixels)
        text = text.beside(wide + (4 if face == "double" else 2))
    scratch = Room(Canvas(room.canvas.width, room.canvas.height, scene.glyphs), scene, room.clock, *_place(text))
    needed = _written(scratch, blocks, text.y, 0)[1]
    gap = 1 if needed + len(blocks) <= text.height and room.height > 8 else 0
    y = text.y + (1 if gap and needed + len(blocks) < text.height else 0)
    _written(text, blocks, y, gap)
    if not whole:
        last_row(room, speaking(scene))


def _place(room: Room) -> tuple[int, int, int, int]:
    return room.x, room.y, room.width, room.height


def _written(room: Room, blocks: Blocks, y: int, gap: int) -> tuple[int, int]:
    """Write the blocks as far as they fit; return the row after them, and how many rows they take."""
    start = y
    for block in blocks:
        if y >= room.bottom:
            break
        after = block(room, y)
        y = after + gap if after > y else after
    return y, y - start


def _whose_turn(room: Room, y: int) -> int:
    scene = room.scene
    view = scene.view
    mine = view.turn == scene.me
    extra = ", an extra turn" if view.turn_after >= 0 else ""
    who, tone = person(scene, view.turn)
    spans: Line = ((f"Turn {view.turn_no} ", "dim"), (f"{who[:1]} Your turn" if mine else who, tone), (extra, ""))
    return write(room, y, spans, 2)


def _since(room: Room, y: int) -> int:
    """Write what has happened since the player acted last, in two thirds of the rows. What has struck the player or has
    just happened gets all the rows it needs."""
    scene = room.scene
    if not scene.since:
        return y
    head: list[Span] = [] if room.height <= FEW_ROWS else [("since your last move:", "dim")]
    spans = [*head]
    rows = max(2, room.height * 2 // 3)
    for line in scene.since:
        mine = strikes(line, scene.me)
        spans.append((f" {sentence(line)}", "bold" if mine else ""))
        rows = max(rows, len(flowed(tuple(spans), room.width, scene))) if mine or line.just else rows
    for told in listed_rows(spans, min(rows, room.bottom - y), room.width, scene, "table.recap"):
        room.canvas.spans(room.x, y, told, room.width)
        y += 1
    return y


def _behind(room: Room, y: int) -> int:
    """Write which Door cards this seat cannot see: a bar for each kind if there is room, else a row."""
    scene = room.scene
    found = door.unseen(scene)
    if not found.total:
        return y
    curse = f"{scene.lexicon.curse().lower()}s"
    parts = (("monsters", found.monsters, "foe"), (curse, found.curses, "curse"), ("others", found.others, "info"))
    of_all = shares([number for _, number, _ in parts])
    if room.height < 12:
        spans: list[Span] = [("Doors unseen: ", "dim")]
        for at, (word, _, tone) in enumerate(parts):
            spans.append((f"{word} {of_all[at]}{', ' if at < 2 else ''}", tone))
        return write(room, y, tuple(spans), 2)
    wide = max(len(word) for word, _, _ in parts) + 1
    cells = max(4, min(24, room.width - wide - 6))
    most = max(number for _, number, _ in parts)
    y = write(room, y, (("Of the Door cards that you cannot see:", "dim"),), 2)
    for (word, number, tone), share in zip(parts, of_all, strict=True):
        room.canvas.put(room.x, y, word)
        bar = max(1, round(cells * number / most)) if number else 0
        end = room.canvas.put(room.x + wide, y, scene.glyphs.full * bar, tone)
        room.canvas.put(end + 1, y, share, "bold")
        y += 1
    return y


def _strength(room: Room, y: int) -> int:
    """Draw the strength of whoever has the turn in large digits, with Level and what cards add beside it."""
    scene = room.scene
    seat = scene.seat(scene.view.turn)
    more = seat.strength - seat.level
    if room.height < 12 or room.width < 24:
        whose = "your" if seat.seat == scene.me else f"{scene.name(seat.seat)}'s"
        sign, level = shape(seat.seat, scene.glyphs.ascii), f": level {seat.level}"
        forms = [
            ((f"{owner} strength ", "dim"), (str(seat.strength), "bold hero"), (f"{level}{cards}", "dim"))
            for owner, cards in ((whose, f", cards {more:+d}"), (whose, f" {more:+d}"), (sign, f" {more:+d}"))
        ]
        return write(room, y, next((one for one in forms if size(one, scene) <= room.width), forms[-1]), 2)
    height = digits.LARGE if room.height < 28 else digits.DOUBLE
    number = str(seat.strength)
    x = min(room.end - digits.width(number, height), room.x + 16)
    if y + height > room.bottom:
        return y
    room.canvas.digits(x, y, number, "bold hero", height)
    for at, line in enumerate(("strength", f"level {seat.level}", f"cards {more:+d}")):
        room.canvas.put(room.x, y + at, line, "dim", x - room.x)
    return y + height


def _running(room: Room, y: int) -> int:
    """Write what the die must show for whoever has the turn to run away from a monster that changes nothing about
    it."""
    scene = room.scene
    forms: list[Line] = []
    for words in usual_odds(scene, scene.view.turn):
        odds, joint, why = words.partition(" with ")
        forms.append((("to run: ", "dim"), (odds, "bold"), (joint + why, "dim")))
    causes = forms[-2:-1]
    if causes and size(causes[0], scene) > room.width:
        return write(room, y, causes[0], 2)  # what changes the roll is told in any case
    return write(room, y, fitting(forms, room.width, scene))


def _may_fight(scene: Scene) -> bool:
    """Return whether the player holds a monster to look for trouble with now."""
    you = scene.you
    return you is not None and any(scene.card(card).kind == "monster" for card in you.hand)


def _nobody_there(room: Room, y: int) -> int:
    words = room.scene.lexicon
    trouble, loot = words.phase("trouble").lower(), words.phase("loot").lower()
    return write(room, y, ((f"No monster: {trouble}, or {loot}.", "bold"),), 6)


def _the_end(room: Room, y: int) -> int:
    scene = room.scene
    hand = scene.seat(scene.view.turn).hand
    return write(room, y, ((f"The turn ends, {count(hand, 'card')} in hand.", "bold"),), 3)


def _charity(room: Room, y: int) -> int:
    scene = room.scene
    told = charity_words(scene, scene.view.turn) if _gives(scene) else ""
    return write(room, y, ((f"{scene.lexicon.phase('charity')}: ", "gold"), (f"{told}.", "")), 3) if told else y


def _steps(room: Room, y: int) -> int:
    """Write the three steps of a turn, in the words of the first set, with the current one marked."""
    scene = room.scene
    words = scene.lexicon
    kick, trouble, loot, charity = (words.phase(name).lower() for name in ("kick", "trouble", "loot", "charity"))
    steps = (("kick", kick), ("trouble", f"{trouble} or {loot.split()[0]}"), ("end", f"{charity}, end"))
    now = STEP_OF_PHASE.get(scene.view.phase, "")
    spans: list[Span] = []
    for step, text in steps:
        spans.append((f"[{text}]" if step == now else text, "bold gold" if step == now else "dim"))
        if step != "end":
            spans.append((f" {scene.glyphs.arrow} ", "dim"))
    return write(room, y, tuple(spans), 5)


def _seal(room: Room, y: int) -> int:
    """Write the Seal in force with its text, and how many are open."""
    scene = room.scene
    opened = scene.view.seals_open
    if not opened:
        return y
    seal = scene.printed(opened[-1])
    tone = "bold foe" if len(opened) == LAST_SEAL - 1 else "oneshot"
    words: Line = ((f"{seal_count(scene)}. ", tone), (f"In force: {seal.name}. ", "bold"), (seal.text, ""))
    return write(room, y, words, 5, opens="table.seals")


def _offers(room: Room, y: int) -> int:
    for deal in room.scene.view.offers:
        y = write(room, y, (("offer ", "gold"), (offer_words(room.scene, deal), "")), 2)
    return y


def _any_time(room: Room, y: int) -> int:
    """Write what anybody may do at any time, and what only outside fights."""
    scene = room.scene
    words = scene.lexicon
    kinds = [f"{words.curse().lower()}s", "level cards"]
    kinds += ["hirelings"] if words.hirelings else []
    kinds += ["Allies"] if words.allies else []
    gear = "gear, " if scene.catalog.switches.equip == "any-time" else ""
    return write(room, y, ((f"Any time: {', '.join(kinds)}. Outside fights: {gear}trades.", "dim"),), 6)


def _piles(room: Room, y: int) -> int:
    """Write the top cards of the discards whose names fit."""
    view, scene = room.scene.view, room.scene
    names = []
    if view.door_top >= 0 and view.doors_out:
        names.append(f"Door: {scene.printed(view.door_top).name}")
    if view.treasure_top >= 0 and view.treasures_out:
        names.append(f"Treasure: {scene.printed(view.treasure_top).name}")
    rows = min(4, room.bottom - y)
    for some in (names, names[:1], names[1:]):
        words: Line = ((f"top discards  {', '.join(some)}", "dim"),)
        if some and len(flowed(words, room.width, room.scene)) <= rows:
            return write(room, y, words, rows)
    return y


# ------------------------------------------------------------------------------------------------------------- the end
def draw_end(room: Room) -> None:
    """Draw who has won, and how the others stand."""
    scene = room.scene
    lines = ending.ending(scene)
    beside = room
    if room.face:
        face = "large" if room.height >= 10 and room.width >= 50 else "small"
        wide, _ = FACE_SIZES[face]
        x = room.x
        for seat in scene.view.winners[: max(1, (room.width - 24) // (wide + 1))]:
            room.canvas.face(x, room.y, player(seat), face, scene.pixels)
            x += wide + 1
        beside = room.beside(x - room.x + 1)
    y = beside.y
    for line in lines:
        if y < room.bottom:
            y = write(beside, y, line, room.bottom - y) + (1 if room.height >= 17 else 0)


