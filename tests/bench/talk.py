"""What bots say in a row of games: how many lines, how many of them were heard before, and which heavy moments pass in
silence.

The games are simulated at tables of four bots, each a personality; every line is counted for the next game, as on a
machine on which somebody plays alone evening after evening. A heavy moment (victory, death, a betrayal) passes in
silence if the bot that it struck wanted to speak, and the table did not let it. Exit code 1 if in the last game more
than one line in four was heard before, or a victory or a death was silenced.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from cards import BUILT_IN
from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import seen_by
from core.view import view
from netcode.bots.lines import general_form, known_lines
from netcode.bots.personalities import personalities
from netcode.bots.talk import Talker, lines_for
from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import load_catalog
from netcode.table.bot_talk import BotTalk
from tests.bench.figures import line

NAMES = ("Ada", "Bea", "Cid", "Dot")
PUBLIC = -1
MOST_HEARD = 0.25
"""The promised share of lines in the last game that were heard in an earlier one."""


def main(arguments: Sequence[str]) -> int:
    """Play the games and print the counts of each set; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench talk", description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    return max(_row_of_games(one, given.games, given.seed) for one in BUILT_IN)


def _row_of_games(set_id: str, games: int, seed: int) -> int:
    catalog, counts, silenced = load_catalog((set_id,)), dict[str, int](), Counter[str]()
    before = said = turns = 0
    for number in range(games):
        cast = random.Random(f"{seed} {number}").sample(list(personalities()), len(NAMES))
        known = dict(counts)
        talkers = [
            Talker(personalities()[name], me, catalog, lines_for([set_id], name), f"{set_id} {seed} {number}", known)
            for me, name in enumerate(cast)
        ]
        lines, lost, last = _lines(catalog, talkers, seed * 1000 + number)
        silenced.update(lost)
        turns += last
        said += len(lines)
        before = sum(known.get(one, 0) > 0 for one in lines)
        for one in lines:
            counts[one] = counts.get(one, 0) + 1
    share = before / max(1, len(lines))
    line(
        f"talk/{set_id}", share, "of the lines in the last game were heard before", f"<= {MOST_HEARD}", games=games,
        lines_a_game=round(said / games, 1), lines_a_turn=round(said / turns, 2), different=len(counts),
        silenced=dict(silenced),
    )  # fmt: skip
    return int(share > MOST_HEARD or silenced["victory"] + silenced["death"] > 0)


def _lines(catalog: Catalog, talkers: Sequence[Talker], seed: int) -> tuple[list[str], Counter[str], int]:
    """Return the lines of a game as the files have them, the heavy moments that were silenced, and the turns."""
    table, said, silenced = BotTalk(), list[str](), Counter[str]()
    last = 0
    for game, events in batches(catalog, seed):
        public = [event for event in (seen_by(event, PUBLIC) for event in events) if event is not None]
        seen = view(catalog, game.state, PUBLIC)
        last = game.state.turn.no
        moment = (1, last, bool(game.state.winners))
        for talker in talkers:
            remark = talker.remark(public, seen, NAMES)
            if remark is None:
                continue
            if table.allows(remark.text, moment, NAMES):
                said.append(next(form for form in general_form(remark.text, NAMES) if form in known_lines()))
                for other in talkers:
                    other.heard(remark.text, NAMES, talker.me)
            else:
                silenced[remark.kind] += 1
    return said, silenced, last


def batches(catalog: Catalog, seed: int) -> Iterator[tuple[SimulatedGame, list[ev.AnyEvent]]]:
    """Play a game; yield it after each action, with the events."""
    happened: list[list[ev.AnyEvent]] = []
    game = SimulatedGame(catalog, ["normal"] * 4, seed, watch=lambda _, __, ___, events: happened.append(events))
    while not game.state.winners and game.step():
        while happened:
            yield game, happened.pop(0)
    yield from ((game, events) for events in happened)
