"""A combat: compare strengths, claim the kill or give up, then levels and Treasure, or running away.

The steps, in order (`_STEPS`, at the end of the file). A fight that is won:

    fight: the fighter claims the kill or gives the fight up; a window follows (combat.window, combat.window-lost)
    won: the strengths are compared for the last time (combat.compare)
    killed: the texts of the monsters' cards for their death run
    moment: a window, if what is paid now would end the game and nobody could know it before (combat.last-moment)
    reward: the monsters are gone, then levels, what the winners' cards say, and Treasure (combat.many-reward,
        golden.rewards-after, combat.won-texts)

Where the last monster has left, the first steps are:

    removed: nothing is left to compare, and monsters killed outright die (combat.last-removed, combat.mixed-reward)

and where the fight is lost:

    run: fighter and helper run away (flee.helper)
    fled: all rolls are made; texts for the death of monsters killed before the fight was handed over run

The reward of a lost fight is what was promised, and what is owed to those who handed the fight over
(help.bribe-handover, combat.handed-over).
"""

from core.operations.monsters import end_fight, remove_monster
from core.operations.players import change_level
from core.procedures.texts import cards_with
from core.procedures.window import closing, open_window, run_window, stay_open
from core.queries.rewards import ends_game, extra_treasures, helper_levels, kill_may_win, kills_due, match_point
from core.queries.strength import totals, winning
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
    if fight.stage == "ended":  # by a card, which pays nobody
        end_fight(g, "ended")
        g.state.stack.pop()
        return False
    if g.state.seats[fight.seat].dead and fight.stage != "died":
        g.emit(StageSet(fight.seat, "died"))
        f.asks = []
        f.left = f.left[: f.at]  # their cards' texts are no longer owed to anybody
        f.step = "fled"
        return False
    return _STEPS[f.step](g, f, fight)


def _fight(g: Game, f: Combat, fight: Fight) -> bool:
    """The fighter must claim the kill or give the fight up. With no monster left the fight ends: after a window if the
    book lets players respond, or if a kill is still to be paid (combat.last-removed, combat.auto-kill-moment)."""
    if not fight.monsters:
        if g.cat.switches.last_removed_open or kills_due(fight):
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
    """Run a window of the combat; return True while it is open. It is withdrawn when the result that it announced no
    longer holds; this is checked when something was spent and before the window closes."""
    if f.spent == g.state.spent and not closing(g, f):
        return stay_open(g, f)
    fight = g.state.fight
    if f.kind == "reward":
        return run_window(g, f, match_point(g))
    if fight is None or fight.stage != "fight" or g.state.seats[fight.seat].dead or fight.seat != f.seat:
        return run_window(g, f, False)
    if f.kind == "removed":
        return run_window(g, f, not fight.monsters)
    won = bool(fight.monsters) and winning(g)
    return run_window(g, f, bool(fight.monsters) and won == (f.kind == "claim"))


# ------------------------------------------------------------------------------------------------------------- won
def _won(g: Game, f: Combat, fight: Fight) -> bool:
    """The fight is won: remember by how much, and which monsters are killed (combat.compare)."""
    f.offered = match_point(g)
    ours, theirs = totals(g)
    g.emit(StageSet(fight.seat, "won", ours - theirs))
    f.step = "killed"
    f.left = [monster.id for monster in fight.monsters]
    return False


def _killed(g: Game, f: Combat, fight: Fight) -> bool:
    """Run the monsters' texts for their death, one by one in the order in which the monsters came, then those of
    monsters that were killed outright."""
    while f.at < len(f.left):
        monster = next((m for m in fight.monsters if m.id == f.left[f.at]), None)
        f.at += 1
        if monster is not None and _orders(g, fight.seat, monster.defn, monster.group):
            return False
    if not _felled(g, f, fight, len(fight.felled)):
        f.step = "moment"
    return False


def _removed(g: Game, f: Combat, fight: Fight) -> bool:
    """The last monster has left. Run the texts of monsters killed outright for their death, then pay the rewards
    (combat.last-removed, combat.mixed-reward)."""
    if fight.stage == "fight":
        f.offered = match_point(g)
        g.emit(StageSet(fight.seat, "removed"))
    if not _felled(g, f, fight, len(fight.felled)):
        f.step = "moment"
    return False


def _felled(g: Game, f: Combat, fight: Fight, count: int) -> bool:
    """Run the text of the next monster killed outright for its death; return False if none is left.

    count: how many of them pay, from the first.
    """
    while f.at - len(f.left) < count:
        felled = f.at - len(f.left)
        f.at += 1
        if _orders(g, _killer(fight, felled), fight.felled[felled], 0):
            return True
    return False


def _killer(fight: Fight, felled: int) -> int:
    """Return the main fighter when this monster of `felled` was killed. A kill counts for the player who is paid for
    it; kills before the fight was handed over come first (combat.handed-over)."""
    for part in fight.owed:
        if felled < part.kills:
            return part.seat
        felled -= part.kills
    return fight.seat


def _orders(g: Game, killer: int, defn: int, group: int) -> bool:
    """Run a monster's text for its death, for its killer; return False if it has none."""
    part = g.cat.cards[defn].part("killed")
    if part >= 0:
        g.state.stack.append(Program(defn=defn, part=part, you=killer, victim=killer, monster=group))
    return part >= 0


# ------------------------------------------------------------------------------------------------------------ lost
def _run(g: Game, f: Combat, fight: Fight) -> bool:
    """The fight is lost: fighter and helper run away (flee.helper)."""
    f.offered = ends_game(g, won=False)
    ours, theirs = totals(g)
    g.emit(StageSet(fight.seat, "lost", theirs - ours))
    f.step = "fled"
    g.state.stack.append(Run(step="order", seats=[fight.seat] if fight.helper < 0 else [fight.seat, fight.helper]))
    return False


def _fled(g: Game, f: Combat, fight: Fight) -> bool:
    """All rolls are made, or the fighter is dead. For monsters killed before the fight was handed over, run their
    cards' texts for their death: these are owed, as their Treasure is (combat.handed-over)."""
    if not _felled(g, f, fight, sum(part.kills for part in fight.owed)):
        f.step = "moment"
    return False


# ---------------------------------------------------------------------------------------------------------- the end
def _moment(g: Game, f: Combat, fight: Fight) -> bool:
    """Open a window if the rewards would end the game and no earlier window showed that: a Level has changed since the
    window that decided the fight, or there was none (combat.last-moment)."""
    if f.offered or not match_point(g):
        f.step = "reward"
    else:
        f.offered = True
        open_window(g, "reward", fight.seat)
    return False


def _reward(g: Game, f: Combat, fight: Fight) -> bool:
    """End the fight and pay the rewards, depending on how it ended (golden.rewards-after)."""
    if fight.stage in ("won", "removed"):
        _pay_winners(g, fight)
    else:
        _pay_losers(g, fight)
    return False


def _pay_winners(g: Game, fight: Fight) -> None:
    """Remove the monsters, then pay: levels at once, then the rewards. A removed monster pays no level, and Treasure
    only where the set or the card gives it (combat.many-reward, combat.mixed-reward)."""
    seat, helper, bargain = fight.seat, fight.helper, fight.bargain
    kills = len(fight.monsters) + fight.killed
    helping = helper_levels(g, kills)
    more = extra_treasures(g, seat) * kills
    for monster in list(fight.monsters):
        remove_monster(g, monster.id, "killed", True)
    levels, treasures, killed = fight.kill_levels, max(0, fight.removed + more), fight.killed > 0
    end_fight(g, "killed" if killed else "removed")
    g.state.stack.pop()
    _pay_owed(g, fight.owed)
    if levels:
        change_level(g, seat, levels, "the kill", may_win=kill_may_win(fight))
    if helper >= 0 and not g.state.seats[helper].dead:
        if g.state.options.shared_victory and g.state.seats[seat].level >= g.state.options.win_level:
            g.note("shared", helper)
        if helping:
            change_level(g, helper, helping, "helping", may_win=True)
    won = cards_with(g, "won", [seat, helper] if helper >= 0 else [seat]) if killed else []
    g.state.stack.append(
        Rewards(step="won", seat=seat, helper=helper, treasures=treasures, bargain=bargain, won=won)
    )


def _pay_losers(g: Game, fight: Fight) -> None:
    """Discard the monsters (flee.discard). Pay what is owed to those who handed the fight over and, if the fighter
    lives, what was promised for help (combat.handed-over, help.bribe-handover, death.in-combat)."""
    seat, helper, bargain, died = fight.seat, fight.helper, fight.bargain, fight.stage == "died"
    end_fight(g, "died" if died else "fled")
    g.state.stack.pop()
    _pay_owed(g, fight.owed)
    if bargain is not None and not died:
        g.state.stack.append(Rewards(step="handover", seat=seat, helper=helper, bargain=bargain))


def _pay_owed(g: Game, owed: list[Earned]) -> None:
    """Pay the fighters who handed the fight over what they had earned, before the others draw."""
    for part in owed:
        if part.levels:
            change_level(g, part.seat, part.levels, "the kill", may_win=True)
        draw(g, part.seat, "treasure", part.treasures)


_STEPS = {
    "fight": _fight, "won": _won, "killed": _killed, "moment": _moment, "reward": _reward, "removed": _removed,
    "run": _run, "fled": _fled,
}  # fmt: skip
