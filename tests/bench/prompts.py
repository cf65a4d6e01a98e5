"""What a person alone with three bots is asked in whole games, with the usual settings: the prompts and keys by the
rules of the screen, and those by the earlier rules.

A prompt is a question for which the bell rings, or a wait for a key; several acts in one phase of a turn answer one
prompt. The games are played at a table without sockets (tests/tui/solo_games.py). The person does what a bot of the
level `normal` does, and presses the keys that a hint would name for it. By the earlier rules (`before`) the bell rang
for every window; one in which the person could only pass was passed automatically after 1.2 s. Since the person passes
the same windows in both, the games are the same. Exit code 1 if a window was skipped in which the person played
something, or if the rules save less than a third of the prompts.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field

from cards import BUILT_IN
from core.state.actions import Pass
from tests.bench.figures import line, spread
from tests.tui.key_presser import KeyPresser
from tests.tui.solo_games import Moment, SoloGame
from tui.menus.menu_state import MenuState
from tui.menus.prompts import prompt_for

SPACE = 1
"""The keys that let bots go on, or pass over an offer."""


class Found(Struct):
    """Counts over some games. prompts, before: by kind of moment; further: acts that answer a prompt which has been
    counted; keys, keys_before: pressed; free: acts that nobody has asked for; by_itself: windows in which the person
    could only pass, so that they rang before, and were passed after a moment; skipped: windows that were not asked
    although the person played something; unkeyed: acts that no hint has keys for, counted as one key; weighed: ms of
    CPU for each window that was weighed."""

    games: int = 0
    turns: int = 0
    prompts: Counter[str] = field(default_factory=Counter)
    before: Counter[str] = field(default_factory=Counter)
    further: int = 0
    keys: int = 0
    keys_before: int = 0
    free: int = 0
    by_itself: int = 0
    skipped: list[str] = field(default_factory=list)
    unkeyed: int = 0
    weighed: list[float] = field(default_factory=list)
    asked: str = ""
    """The question that was counted last."""

    def add(self, moment: Moment) -> None:
        """Count a moment."""
        if moment.kind == "free":
            self.free += 1
        elif moment.kind == "question" and self._is_the_last_one(moment):
            self.further += 1
        else:
            self.before[moment.kind] += 1
            self.prompts[moment.kind] += moment.asked
        pressed = self._keys(moment)
        self.keys += pressed if moment.asked else 0
        self.keys_before += pressed if moment.before or moment.kind == "free" else 0
        self.by_itself += moment.kind == "window" and not moment.before
        if moment.found == "weighed":
            self.weighed.append(1000 * moment.seconds)
        if not moment.asked and not isinstance(moment.action, Pass):
            self.skipped.append(f"{moment.action} in turn {moment.scene.view.turn_no}")

    def _is_the_last_one(self, moment: Moment) -> bool:
        """Return whether this question is the one that was counted last."""
        menus = MenuState()
        before, self.asked = self.asked, prompt_for(moment.scene, menus, menus.here(moment.scene)[0]).ident
        return before == self.asked

    def _keys(self, moment: Moment) -> int:
        """Return how many keys lead to what the person does."""
        if moment.action is None:
            return SPACE
        presser = KeyPresser(moment.scene)
        presser.follow(moment.action)
        self.unkeyed += presser.sent is None
        return presser.pressed if presser.sent is not None else 1


def played(games: int, seed: int) -> Found:
    """Play this many games, the sets in turn, and count. seed: of the first one."""
    found = Found()
    for number in range(seed, seed + games):
        game = SoloGame(number, (BUILT_IN[number % len(BUILT_IN)],), seconds=time.process_time)
        for moment in game.moments():
            found.add(moment)
        found.games += 1
        found.turns += game.person.view.turn_no
    return found


def main(argv: Sequence[str] = ()) -> int:
    """Play, print the figures, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench prompts", description=__doc__)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    found = played(args.games, args.seed)
    total, before = found.prompts.total(), found.before.total()
    a_game = {kind: round(found.prompts[kind] / found.games, 1) for kind in ("question", "window", "wait")}
    a_game_before = {kind: round(found.before[kind] / found.games, 1) for kind in ("question", "window", "wait")}
    line("prompts", total / found.games, "in a game", str(round(before / found.games * 2 / 3, 1)), **a_game)
    line("prompts before", before / found.games, "in a game", "", **a_game_before,
         passed_by_itself=round(found.by_itself / found.games, 1))  # fmt: skip
    others = before - found.by_itself
    line("prompts that went", 100 * (before - total) / before, "%", "33.3",
         of_those_with_a_choice=round(100 * (others - total) / others, 1),
         if_each_act_counted=round(100 * (before - total) / (before + found.further), 1))  # fmt: skip
    line("keys", found.keys / found.turns, "a turn", before=round(found.keys_before / found.turns, 2),
         turns=found.turns, games=found.games, unasked_acts=found.free, acts_without_keys=found.unkeyed)  # fmt: skip
    if found.weighed:
        line("CPU to weigh a window", sum(found.weighed) / len(found.weighed), "ms", "", windows=len(found.weighed),
             **spread(found.weighed))  # fmt: skip
    line("windows skipped in which the person played", len(found.skipped), "", "0")
    for one in found.skipped:
        print(one, file=sys.stderr)
    return 1 if found.skipped or 3 * total > 2 * before else 0
