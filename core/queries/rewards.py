"""The rewards at the end of a combat: levels and Treasures, who gets them, and whether they end the game."""

from core.language import schema as v
from core.language.drawbacks import mod_sense
from core.language.traits import MOD_TRAITS
from core.queries.cache import cached_by_table
from core.queries.conditions import Ctx, holds
from core.queries.modifiers import cards_of, foe_traits, mods_of, seal_foes
from core.queries.strength import totals
from core.state.model import Fight, Monster
from core.state.reader import Reader

_REWARD = MOD_TRAITS[v.Reward]
_WON = ("fight", "won", "removed")
"""Stages of a fight that is won or may still be won."""


def levels_for(g: Reader, monster: Monster) -> int:
    """Return the levels for killing this monster now."""
    return _worth(g, monster)[0]


def treasures_for(g: Reader, monster: Monster, killed: bool = True) -> int:
    """Return the Treasures for this monster now; enhancers leave at least one (combat.treasure-floor).

    killed: include what only a kill brings.
    """
    _, printed, reward, more = _worth(g, monster)
    return max(printed + (reward if killed else 0) + more, 1 if printed > 0 else 0)


@cached_by_table
def treasures_due(g: Reader) -> int:
    """Return the Treasures for the fighter if every monster in the combat is killed; removed monsters count too."""
    fight = g.state.fight
    if fight is None:
        return 0
    more = extra_treasures(g, fight.seat) * (len(fight.monsters) + fight.killed)
    return sum([treasures_for(g, monster) for monster in fight.monsters]) + fight.removed + more


@cached_by_table
def _worth(g: Reader, monster: Monster) -> tuple[int, int, int, int]:
    """Return what a monster pays: levels; Treasures printed, for its kill only, and from cards played on it."""
    fight = g.state.fight
    printed = g.cat.cards[monster.defn].card
    if fight is None:
        return printed.levels, printed.treasures, 0, 0
    levels, reward = printed.levels, 0
    there = cards_of(g, fight, monster)
    if foe_traits(g) & _REWARD:
        ctx = Ctx(victim=fight.seat, monster=monster.group)
        mods = [mod for definition in there for mod in definition.by_type.get(v.Reward, ())]
        for mod in (*mods, *seal_foes(g, v.Reward)):
            if isinstance(mod, v.Reward) and holds(g, mod.if_, ctx, "side", mod_sense(mod, of_monster=True)):
                levels += mod.levels
                reward += mod.treasures
    more = sum([definition.card.treasures for definition in there[1:]])
    more += sum([bonus.treasures for bonus in fight.bonuses if bonus.on == monster.group])
    return max(0, levels), printed.treasures, reward, more


def extra_treasures(g: Reader, seat: int) -> int:
    """Return the Treasures that a fighter's own cards add to a kill."""
    return sum([mod.treasures for mod, _, _ in mods_of(g, seat, v.Reward)])


def helper_levels(g: Reader, kills: int) -> int:
    """Return the levels that the helper would gain for these kills (help.levels-elf and others). A level for a margin
    needs a fight that is won by strength (help.levels-ork)."""
    fight = g.state.fight
    if fight is None or fight.helper < 0 or not kills:
        return 0
    return sum(
        mod.by * kills if mod.each else (mod.by if fight.monsters and _margin(g, fight) >= mod.margin else 0)
        for mod, _, _ in mods_of(g, fight.helper, v.HelperLevels)
    )


def _margin(g: Reader, fight: Fight) -> int:
    """Return by how much the fight was won, or would be won now."""
    ours, theirs = totals(g)
    return fight.margin if fight.stage == "won" else ours - theirs


@cached_by_table
def kill_levels(g: Reader) -> int:
    """Return the levels for the fighter if every monster in the combat is killed."""
    fight = g.state.fight
    return 0 if fight is None else sum([levels_for(g, monster) for monster in fight.monsters]) + fight.kill_levels


def kills_due(fight: Fight) -> bool:
    """Return whether a monster was killed outright and neither the fighter nor one who handed the fight over has been
    paid for it."""
    return fight.killed > 0 or any(part.kills for part in fight.owed)


@cached_by_table
def for_the_win(g: Reader) -> bool:
    """Return whether killing every monster in the fight now would take the main fighter to the winning Level, so that
    nobody can be made to help (help.match-point)."""
    fight = g.state.fight
    if fight is None or fight.stage != "fight":
        return False
    return g.state.seats[fight.seat].level + kill_levels(g) >= g.state.options.win_level


@cached_by_table
def match_point(g: Reader) -> bool:
    """Return whether the fight would end the game if it ended now, every monster in it killed unless it is lost
    already (win.last-moment)."""
    fight = g.state.fight
    return fight is not None and fight.stage != "ended" and ends_game(g, fight.stage in _WON)


def ends_game(g: Reader, won: bool) -> bool:
    """Return whether the levels paid at the end of the fight would take anybody to the winning Level: the fighter or
    the helper if it is won, and in any case a fighter who handed it over and is owed levels (win.last-moment)."""
    seats, goal = g.state.seats, g.state.options.win_level
    due = _levels_due(g, won)
    return any(due[seat] and seats[seat].level + due[seat] >= goal for seat in due if not seats[seat].dead)


def kill_may_win(fight: Fight) -> bool:
    """Return whether the kill may take the fighter to the winning Level: not if a helper was compelled to it. A helper
    who could have backed out but stayed is a volunteer (golden.no-forced-win, help.match-point)."""
    return fight.helper < 0 or not fight.compelled or fight.stage == "fight"


def _levels_due(g: Reader, won: bool) -> dict[int, int]:
    """Return the levels that the end of the fight pays and that may win, by seat."""
    fight = g.state.fight
    due: dict[int, int] = {}
    if fight is None:
        return due
    for part in fight.owed:
        due[part.seat] = due.get(part.seat, 0) + part.levels
    if won and not g.state.seats[fight.seat].dead:
        if kill_may_win(fight):
            due[fight.seat] = due.get(fight.seat, 0) + kill_levels(g)
        if fight.helper >= 0:
            kills = len(fight.monsters) + fight.killed
            due[fight.helper] = due.get(fight.helper, 0) + helper_levels(g, kills)
    return due


def helper_wins(g: Reader) -> bool:
    """Return whether the helper would win too, by its own levels or by shared victory."""
    fight = g.state.fight
    if fight is None or fight.helper < 0:
        return False
    goal = g.state.options.win_level
    kills = len(fight.monsters) + fight.killed
    if g.state.seats[fight.helper].level + helper_levels(g, kills) >= goal:
        return True
    return g.state.options.shared_victory and g.state.seats[fight.seat].level + kill_levels(g) >= goal
