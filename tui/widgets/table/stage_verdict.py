"""The verdict strip of a fight: who wins by how much, and what that means for the game. Pure."""

from rich.cells import cell_len

from core.state.views import FightView
from tui.scene import fight as words
from tui.scene.cells import count
from tui.scene.scene import Scene, shape
from tui.widgets.table.stage_parts import Room, person, strip


def draw(room: Room) -> None:
    """Fill the room with the verdict. Its style is `band` if the game is at stake, `good` if that is averted."""
    fight = room.scene.fight
    if fight is None:
        return
    variants, style = verdict_texts(room.scene, fight)
    style = f"reverse {style}" if room.scene.moving.blinks else style
    room.canvas.fill(room.x, room.y, room.width, room.height, style)
    strip(room, room.y + (room.height - 1) // 2, variants, style)


def verdict_texts(scene: Scene, fight: FightView) -> tuple[list[str], str]:
    """Return the verdict in words, the longest form first, and the style of its strip."""
    arrow, ahead, behind, stop, good = (
        (">", "<", ">", "!", "ok") if scene.glyphs.ascii else ("→", "◀", "▶", "▲", "✓")
    )  # fmt: skip
    name, s = ("YOU", "") if fight.seat == scene.me else (scene.name(fight.seat).upper(), "S")
    short = person(scene, fight.seat)[0][:1]
    treasures, keeps = count(fight.treasures, "TREASURE", "TREASURES"), words.kept(fight)
    share = _share(scene, fight, keeps)
    level = f"LEVEL {words.reached(scene)}"
    own = treasures if keeps == fight.treasures else f"{keeps} OF {treasures}"  # the total leaves no doubt what is left
    parts = list(dict.fromkeys([f"{own}, {share}" if share else own, own, treasures]))
    found = words.verdict_of(fight)
    mine = scene.me in (fight.seat, fight.helper)
    by = f"BY {found.by}" if found.by else "A TIE"
    if not fight.monsters:
        end = f"  {arrow}  THE GAME ENDS" if fight.match_point else ""
        return [f"{good}  NO MONSTER IS LEFT{end}"], "on-band on band" if end else "on-good on good"
    if found.heroes and fight.match_point:
        game = f"{arrow} WIN{s} THE GAME"
        lines = [f"{stop} {name} WIN{s} {by} {part}" for part in (f"{arrow} LEVEL {words.reached(scene)} {game}", game)]
        wide = lines[0].replace(f" {arrow} ", f"  {arrow}  ")
        return [wide, *lines, f"{stop} {short} WINS {by} {game}"], "on-band on band"
    if found.heroes:
        wins = f"{ahead} {name} WIN{s} {by}"
        lines = [f"{wins}  {arrow} {level} {arrow} {part}" for part in parts]
        return [*lines, wins, f"{ahead} {short} WINS {by}"], "hero on tile2"
    lose = f"{name} LOSE{s} {by}"
    turn = f"+{found.turns}"
    if fight.match_point and not mine:
        return [
            f"{good} {lose}  {arrow}  +{found.turns} WOULD WIN {'' if mine else 'THE GAME'}".rstrip(),
            f"{good} {lose} {arrow} {turn} WINS IT", f"{good} {lose}", f"{good} {short} LOSES {by}",
        ], "on-good on good"  # fmt: skip
    prizes = ["THE GAME"] if fight.match_point else [f"{level}, {part}" for part in parts]
    return [
        *(f"{lose} {behind}  {turn} WINS {prize}" for prize in prizes),
        f"{lose} {behind} {turn} WINS", f"{short} LOSES {by} {behind}"
    ], "foe on tile2"  # fmt: skip


def _share(scene: Scene, fight: FightView, keeps: int) -> str:
    """Return what the helper gets of the prize, after their shape; "" if that is nothing."""
    if fight.helper < 0:
        return ""
    treasures = str(fight.treasures - keeps) if fight.treasures > keeps else ""
    levels = f"+{count(fight.helper_levels, 'LEVEL', 'LEVELS')}" if fight.helper_levels else ""
    gets = ", ".join(filter(None, (treasures, levels)))
    return f"{shape(fight.helper, scene.glyphs.ascii)} {gets}" if gets else ""


def tells_prize(scene: Scene, fight: FightView, width: int) -> bool:
    """Return whether the strip of this width says what a win pays."""
    return cell_len(verdict_texts(scene, fight)[0][0]) <= width
