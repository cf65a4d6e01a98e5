"""How fast the environment for reinforcement learning is (extra rl): steps in a second of CPU, beside the same games of
random bots in the simulation, in one run: `python -m tests.bench environment`."""

import random
import time
from collections.abc import Sequence

from netcode.simulation.game import SimulatedGame
from netcode.simulation.plan import load_catalog, no_collecting
from tests.bench.figures import line

GAMES = 20


def main(arguments: Sequence[str] = ()) -> int:
    """Print the figures; return the exit code."""
    from netcode.lab.environment import KickdoorEnv

    env, rng = KickdoorEnv(), random.Random(1)
    catalog = load_catalog(("munchkins-and-mazes",))
    steps = decisions = 0
    spent = {"environment": 0.0, "simulation": 0.0}
    with no_collecting():
        for seed in range(GAMES):  # in turn, so that both run under the same load
            began = time.process_time()
            env.reset(seed=seed)
            for _ in env.agent_iter(10**6):
                seen, _, ended, cut, _ = env.last()
                most = int(seen["action_mask"].sum()) - 1
                env.step(None if ended or cut else rng.randint(min(1, most), most))
                steps += 1
            spent["environment"] += time.process_time() - began
            began = time.process_time()
            game = SimulatedGame(catalog, ["random"] * 4, seed)
            game.play(500)
            decisions += game.decisions
            spent["simulation"] += time.process_time() - began
    rate, base = steps / spent["environment"], decisions / spent["simulation"]
    line("environment steps", rate, "a second of CPU", steps=steps)
    line("random bots in a simulation", base, "decisions a second of CPU", decisions=decisions)
    line("environment beside simulation", rate / base, "times as fast")
    return 0
