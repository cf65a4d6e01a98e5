"""The environment for reinforcement learning passes PettingZoo's own tests, and its games end."""

import random
import warnings
from typing import Any

import pytest

pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
pytest.importorskip("gymnasium", reason="the extra rl is not installed")

from pettingzoo.test import api_test, seed_test

from netcode.lab.environment import ACTIONS, KickdoorEnv


def test_pettingzoos_own_test_of_the_api() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Observation")  # it expects one array, and takes dictionaries, too
        warnings.filterwarnings("ignore", message="Environment has not defined a render")
        api_test(KickdoorEnv(seats=3), num_cycles=300)


def test_pettingzoos_own_test_of_seeds() -> None:
    seed_test(lambda: KickdoorEnv(seats=3), num_cycles=100)


def played(env: Any, seed: int) -> dict[str, float]:
    """Play a game at random; return the sum of each agent's rewards."""
    rng = random.Random(seed)
    env.reset(seed=seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(50_000):
        seen, reward, ended, cut, _ = env.last()
        total[agent] += reward
        assert env.observation_space(agent).contains(seen)
        most = int(seen["action_mask"].sum()) - 1
        assert 0 <= most < ACTIONS and (ended or cut or most > 0), "an agent is asked that can do nothing"
        env.step(None if ended or cut else rng.randint(min(1, most), most))
    assert env.agents == []
    return total


def test_a_game_ends_with_a_reward_for_its_winners() -> None:
    total = played(KickdoorEnv(), 3)
    assert sum(total.values()) == pytest.approx(0) and max(total.values()) in (1.0, 0.5)
    assert sorted(set(total.values()))[0] == pytest.approx(-1 / 3)


def test_a_game_that_is_too_long_is_truncated() -> None:
    env = KickdoorEnv(turns_most=2)
    assert set(played(env, 1).values()) == {0.0}
    assert all(env.truncations.values())


def test_impossible_tables_and_actions_are_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match="2 seats: a table has 3 to 6"):
        KickdoorEnv(seats=2)
    env = KickdoorEnv()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"seat_\d: action 127, there are 0 to \d+"):
        env.step(127)
