"""A combat: compare strengths, claim the kill or give up, then levels and Treasure, or running away.

The steps, in order (`_STEPS`, at the end of the file). A fight that is won:

    fight: the fighter claims the kill or gives the fight up; a window follows (combat.window, combat.window-lost)
    won: the strengths are compared for the last time (combat.compare)
    killed: what the monsters' cards order for their death happens
    reward: the monsters are gone, then levels and Treasure (combat.many-reward, golden.rewards-after)

or, where the last monster left without a kill, and where the fight is lost:

    removed: Treasure without levels (combat.last-removed, combat.mixed-reward)
    run: fighter and helper run away (flee.helper)
    fled: the monsters are discarded, promises are paid (flee.discard, help.bribe-handover)
"""

from core.operations.monsters import end_fight, remove_monster
from core.operations.players import change_level
from core.procedures.window import closing, open_window, run_window, stay_open
from core.queries.strength import extra_treasures, helper_levels, totals, winning
from core.state.events import StageSet
from core.state.game import Game, draw, oblige
from core.state.model import Combat, Earned, Fight, Program, Rewards, Run, Window
from core.state.reader import Reader


def run_combat(g: Game, f: Combat) -> bool:
    """Run one step of the combat; return True while its fighter has to choose."""
    fight = g.state.fight
    if fight is None:
        g.state.stack.pop()
        return False
    if fight.stage == "ended" or g.state.seats[fight.seat].dead:
        _over(g, "died" if fight.stage != "ended" else "ended")
        return False
    return _STEPS[f.step](g, f, fight)


def _over(g: Game, how: str) -> None:
    """End the fight without a winner: its fighter died (death.in-combat), or a card ended it, which pays nobody."""
    owed = g.state.fight.owed if g.state.fight is not None and how == "died" else []
    end_fight(g, how)
    g.state.stack.pop()
    _pay_owed(g, owed)


def _fight(g: Game, f: Combat, fight: Fight) -> bool:
    """The fighter must claim the kill or give the fight up. With no monster left the fight ends, with or without a
    window before (combat.last-removed, combat.auto-kill-moment)."""
    if not fight.monsters:
        if g.cat.switches.last_removed_open or fight.last == "killed":
            f.asks = []
            open_window(g, "removed", fight.seat)
            return False
        f.step = "removed"
        return False
    oblige(g, f, fight.seat, "fight")
    return True


def claim(g: Game, f: Combat) -> None:
    """The fighter claims the kill: a window opens for everybody (combat.window)."""
    f.asks = []
    open_window(g, "claim", _fighter(g))


def give_up(g: Game, f: Combat) -> None:
    """The fighter gives the fight up: a window opens for everybody (combat.window-lost)."""
    f.asks = []
    open_window(g, "lost", _fighter(g))


def _fighter(g: Reader) -> int:
    fight = g.state.fight
    return fight.seat if fight is not None else -1


def run_fight_window(g: Game, f: Window) -> bool:
    """Run a window of the combat; return True while it is open. It is withdrawn when the result it announced no longer
    holds; that is checked when something was spent, and before the window closes."""
    if f.spent == g.state.spent and not closing(g, f):
        return stay_open(g, f)
    fight = g.state.fight
    if fight is None or fight.stage != "fight" or g.state.seats[fight.seat].dead or fight.seat != f.seat:
        return run_window(g, f, False)
    if f.kind == "removed":
        return run_window(g, f, not fight.monsters)
    won = bool(fight.monsters) and winning(g.reader())
    return run_window(g, f, bool(fight.monsters) and won == (f.kind == "claim"))


# ------------------------------------------------------------------------------------------------------------- won
def _won(g: Game, f: Combat, fight: Fight) -> bool:
    """The fight is won: remember by how much, and which monsters are killed (combat.compare)."""
    ours, theirs = totals(g.reader())
    g.emit(StageSet(fight.seat, "won", ours - theirs))
    f.step = "killed"
    f.left = [monster.id for monster in fight.monsters]
    return False


def _killed(g: Game, f: Combat, fight: Fight) -> bool:
    """Run what the monsters' cards order for their death, one by one in the order in which they came; then the same for
    the monsters killed outright before."""
    while f.at < len(f.left):
        monster = next((m for m in fight.monsters if m.id == f.left[f.at]), None)
        f.at += 1
        if monster is not None and _orders(g, fight, monster.defn, monster.group):
            return False
    if not _felled(g, f, fight):
        f.step = "reward"
    return False


def _felled(g: Game, f: Combat, fight: Fight) -> bool:
    """Run what the card of the next monster killed outright orders for its death; return False if none is left."""
    while f.at - len(f.left) < len(fight.felled):
        defn = fight.felled[f.at - len(f.left)]
        f.at += 1
        if _orders(g, fight, defn, 0):
            return True
    return False


def _orders(g: Game, fight: Fight, defn: int, group: int) -> bool:
    """Run what a monster's card orders for its death; return False if it orders nothing."""
    part = g.cat.cards[defn].part("killed")
    if part >= 0:
        g.state.stack.append(Program(defn=defn, part=part, you=fight.seat, victim=fight.seat, monster=group))
    return part >= 0


def _reward(g: Game, f: Combat, fight: Fight) -> bool:
    """The monsters leave the combat first, then it pays (combat.many-reward, golden.rewards-after)."""
    reader = g.reader()
    kills = len(fight.monsters) + fight.killed
    helping = helper_levels(reader, kills)
    more = extra_treasures(reader, fight.seat) * kills
    for monster in list(fight.monsters):
        remove_monster(g, monster.id, "killed", True)
    _pay(g, fight, fight.removed + more, helping)
    return False


def _removed(g: Game, f: Combat, fight: Fight) -> bool:
    """The last monster left without a kill: Treasure but no levels, except for monsters killed outright before
    (combat.last-removed, combat.mixed-reward)."""
    if _felled(g, f, fight):
        return False
    kills = fight.killed
    _pay(g, fight, fight.removed + extra_treasures(g, fight.seat) * kills, helper_levels(g, kills) if kills else 0)
    return False


def _pay(g: Game, fight: Fight, treasures: int, helping: int) -> None:
    """End the fight and pay: levels at once, then the rewards. helping: levels for the helper."""
    seat, helper, levels, bargain = fight.seat, fight.helper, fight.kill_levels, fight.bargain
    end_fight(g, "killed" if fight.killed else "removed")
    g.state.stack.pop()
    _pay_owed(g, fight.owed)
    if levels:
        change_level(g, seat, levels, "the kill", may_win=True)
    if helper >= 0 and g.state.options.shared_victory and g.state.seats[seat].level >= g.state.options.win_level:
        g.note("shared", helper)
    if helper >= 0 and helping:
        change_level(g, helper, helping, "helping", may_win=True)
    g.state.stack.append(
        Rewards(step="handover", seat=seat, helper=helper, treasures=max(0, treasures), bargain=bargain)
    )


def _pay_owed(g: Game, owed: list[Earned]) -> None:
    """Pay the fighters who handed the fight over what they had earned by then, before the others draw."""
    for part in owed:
        if part.levels:
            change_level(g, part.seat, part.levels, "the kill", may_win=True)
        draw(g, part.seat, "treasure", part.treasures + extra_treasures(g, part.seat) * part.kills)


# ------------------------------------------------------------------------------------------------------------ lost
def _run(g: Game, f: Combat, fight: Fight) -> bool:
    """The fight is lost: fighter and helper run away (flee.helper)."""
    ours, theirs = totals(g.reader())
    g.emit(StageSet(fight.seat, "lost", theirs - ours))
    f.step = "fled"
    g.state.stack.append(Run(step="order", seats=[fight.seat] if fight.helper < 0 else [fight.seat, fight.helper]))
    return False


def _fled(g: Game, f: Combat, fight: Fight) -> bool:
    """All rolls are made: discard the monsters (flee.discard) and pay what was promised (help.bribe-handover)."""
    seat, helper, bargain = fight.seat, fight.helper, fight.bargain
    end_fight(g, "fled")
    g.state.stack.pop()
    _pay_owed(g, fight.owed)
    if bargain is not None:
        g.state.stack.append(Rewards(step="handover", seat=seat, helper=helper, bargain=bargain))
    return False


_STEPS = {
    "fight": _fight, "won": _won, "killed": _killed, "reward": _reward, "removed": _removed, "run": _run, "fled": _fled,
}  # fmt: skip
