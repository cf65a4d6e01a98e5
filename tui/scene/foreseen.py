"""What a forecast means for the reader: whom it would let win, whether they want that, and what it brings. Pure; words
are given as several forms, the longest first."""

from typing import Literal

from core.queries.flight import away
from core.state.forecasts import Forecast
from core.text.grammar import counted
from tui.scene.fight import flight, runner
from tui.scene.help_terms import help_words
from tui.scene.scene import Scene, shape

Verdict = Literal["good", "bad", ""]


# ------------------------------------------------------------------------------------------- what the reader wants
def wish(scene: Scene, forecast: Forecast) -> int:
    """Return 1 if the player wants the heroes to win, -1 if the monsters, 0 if neither. Nobody wants to help somebody
    else to win the game alone."""
    fight, me = scene.fight, scene.me
    alone = forecast.level >= scene.view.win_level and "shared-victory" not in scene.info.options
    if me == forecast.helper and forecast.match_point and alone:
        return -1
    if me in (forecast.fighter, forecast.helper):
        return 1
    mine = fight is not None and me in (fight.seat, fight.helper)
    at_stake = forecast.match_point or (fight is not None and fight.match_point)
    return -1 if at_stake and not mine else 0


def verdict_of(scene: Scene, forecast: Forecast) -> Verdict:
    """Return whether this is what the player wants. A change in the right direction that is not enough is neither."""
    wanted = wish(scene, forecast)
    if not wanted:
        return ""
    if averts(scene, forecast):
        return "good"
    better = shift(scene, forecast) * wanted
    if forecast.wins == (wanted > 0):
        return "good" if better >= 0 else ""
    return "" if better > 0 or (better == 0 and wanted < 0) else "bad"


def averts(scene: Scene, forecast: Forecast) -> bool:
    """Return whether somebody else's fight would no longer win the game, because it would bring fewer Levels."""
    fight = scene.fight
    if fight is None or not fight.match_point or forecast.match_point:
        return False
    return forecast.level < fight.win_level and wish(scene, forecast) < 0


def lead_of(heroes: int, foes: int, wins: bool) -> int:
    """Return the heroes' lead in half points. The winner is half a point further ahead, so that the lead at a tie is
    not 0."""
    return 2 * (heroes - foes) + (1 if wins else -1)


def shift(scene: Scene, forecast: Forecast) -> int:
    """Return by how much the heroes' lead would grow, below 0 if it would shrink; 0 where no fight is open yet."""
    fight = scene.fight
    if fight is None:
        return 0
    now = lead_of(fight.heroes, fight.foes, fight.winning)
    return lead_of(forecast.heroes, forecast.foes, forecast.wins) - now


def unchanged(scene: Scene, forecast: Forecast) -> bool:
    """Return whether the fight would stand as it does now."""
    fight = scene.fight
    return fight is not None and forecast == Forecast(
        forecast.rows, "sums", forecast.pays, fight.seat, fight.helper, fight.heroes, fight.foes, fight.winning,
        fight.win_level, fight.treasures, fight.match_point, forecast.away,
    )  # fmt: skip


def rolls_beside(scene: Scene, forecast: Forecast) -> bool:
    """Return whether a die decides nothing of somebody else's fight: it is won or lost as now with any number."""
    fight = scene.fight
    if fight is None or scene.me in (fight.seat, fight.helper, forecast.fighter, forecast.helper):
        return False
    return len(forecast.wins_on) == (forecast.sides if fight.winning else 0)


# ------------------------------------------------------------------------------------------------------------ in words
def winner_words(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return who would win, the longest words first."""
    mine = forecast.fighter == scene.me
    fight, better = scene.fight, shift(scene, forecast)
    before = fight.winning if fight is not None else not forecast.wins
    verb = _verb(scene, forecast.fighter, forecast.wins)
    if forecast.wins and forecast.match_point:
        return _told(scene, forecast.fighter, f"{verb} the game", verb)
    if forecast.wins and averts(scene, forecast):
        return *_told(scene, forecast.fighter, f"{verb} the fight, not the game"), "not the game", "no game"
    tie = [f"{verb} the tie"] if forecast.heroes == forecast.foes else []
    if before != forecast.wins:
        return _told(scene, forecast.fighter, *tie, verb)
    if better > 0 and not mine:
        return tuple([f"helps {one}" for one in called(scene, forecast.fighter)])
    still = better < 0 if forecast.wins else better > 0
    return _told(scene, forecast.fighter, *([f"still {verb}"] if still else []), verb)


def now_words(scene: Scene) -> tuple[str, ...]:
    """Return who wins the fight as it stands; () without one."""
    fight = scene.fight
    return () if fight is None else _told(scene, fight.seat, _verb(scene, fight.seat, fight.winning))


def on_die(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return which numbers of the die win the fight for the fighter and how likely they are, the longest words first;
    without room for both, how likely."""
    on, sides, seat = forecast.wins_on, forecast.sides, forecast.fighter
    does = _verb(scene, seat, bool(on))
    if not on or len(on) == sides:
        return _told(scene, seat, f"{does} with any number", does)
    share = f"{round(100 * len(on) / sides)} %"
    if len(on) == 1:
        numbers = f"a {on[0]}"
    elif on == tuple(range(on[0], sides + 1)):
        numbers = f"{on[0]} or more"
    elif on == tuple(range(1, on[-1] + 1)):
        numbers = f"{on[-1]} or less"
    else:
        numbers = f"{', '.join(map(str, on[:-1]))} or {on[-1]}"
    die = "" if sides == _USUAL else f"d{sides}: "
    numbers += f" of a d{sides}" if die else ""
    told = _told(scene, seat, f"{does} on {numbers} ({share})")
    who = called(scene, seat)
    brief = (f"{named}{share} {one} {does}" for named in dict.fromkeys((die, "")) for one in who)
    return *told, *brief, *([f"{does} {share}"] if seat == scene.me else []), share


_USUAL = 6
"""The sides of the die of the game; any other die is named."""


def away_words(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return the runner's chance to get away from all monsters, with the chance now, if it would change; the longest
    words first."""
    fight = scene.fight
    if fight is None or not fight.monsters or forecast.away < 0:
        return ()
    if (fight.seat, fight.helper) != (forecast.fighter, forecast.helper):
        return ()
    who, then = runner(scene), f"{forecast.away} %"
    now = away([flight(scene, who, monster) for monster in fight.monsters])
    if now == forecast.away:
        return ()
    if who == scene.me:
        return f"{then} to get away, not {now} %", f"run {then}, not {now} %", f"run {then}"
    name, mark = called(scene, who)
    runs = f"{name} runs {then}"
    return f"{then} for {name} to get away, not {now} %", f"{runs}, not {now} %", runs, f"{mark} runs {then}"


def company_words(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return whose strength would be added, if somebody new helps, the longest words first: how much is added, and
    why, stands there if the table shows another strength."""
    fight, helper = scene.fight, forecast.helper
    if helper < 0 or (fight is not None and fight.helper == helper):
        return ()
    who, shown = scene.who(helper), scene.seat(helper).strength
    if fight is None or fight.helper >= 0:
        return (f"with {who}",)
    brings = forecast.heroes - fight.heroes
    if (brings, forecast.foes) == (shown, fight.foes):
        return (f"with {who}",)
    brief = (f"with {who}",) if brings == shown else (f"with {who} {brings:+d}", f"{who} {brings:+d}")
    return *help_words(scene, forecast), *brief


def without_words(scene: Scene, forecast: Forecast) -> tuple[str, ...]:
    """Return that the fighter wins without the help that the reader offers; () if they do not."""
    fight = scene.fight
    if fight is None or not (fight.winning and forecast.wins) or forecast.helper != scene.me:
        return ()
    return *_told(scene, forecast.fighter, "wins without you"), "not needed"


def gain_words(scene: Scene, forecast: Forecast) -> str:
    """Return what winning would bring the fighter."""
    if forecast.match_point:
        return "wins the game"
    seats = scene.view.seats
    level = seats[forecast.fighter].level if 0 <= forecast.fighter < len(seats) else 0
    mine = forecast.fighter == scene.me
    if not mine and forecast.helper == scene.me >= 0:
        return ""  # the fighter's gain is not the reader's
    whose = "" if mine else f" for {scene.name(forecast.fighter)}"
    parts = [f"level {forecast.level}{whose}"] if forecast.level > level else []
    fight = scene.fight
    same = fight is not None and fight.helper == forecast.helper >= 0
    promised = fight.bargain.treasures if same and fight is not None and fight.bargain is not None else 0
    left = max(0, forecast.treasures - promised)
    parts += [counted(left, "Treasure", "Treasures")] if left else []
    return ", ".join(parts)


def _verb(scene: Scene, seat: int, wins: bool) -> str:
    return ("win" if wins else "lose") + ("" if seat == scene.me else "s")


def called(scene: Scene, seat: int) -> tuple[str, ...]:
    """Return what a player is called, the longest form first: another player's name and shape."""
    return ("you",) if seat == scene.me else (scene.name(seat), shape(seat, scene.glyphs.ascii))


def _told(scene: Scene, seat: int, *told: str) -> tuple[str, ...]:
    """Return what is told of a player, with the name before the shape. told: the longest words first."""
    return tuple([f"{one} {words}" for words in told for one in called(scene, seat)])
