"""The player that searches: its candidates, its costs, and that equal seeds give equal results."""

import random

import msgspec
import pytest

from core.knowledge.imagine import imagine
from core.knowledge.seen import nothing_seen
from core.knowledge.veil import veil
from core.language.catalog import Catalog
from core.scenario.cast import Cast, begin
from core.scenario.schema import load
from core.state.actions import Action, EndTurn, Kick, Unequip
from core.state.model import State, decode, encode
from core.view import view
from netcode.bots.brain import Brain
from netcode.bots.factory import make_player
from netcode.bots.memory import Memory
from netcode.bots.player import Observation
from netcode.bots.search import PROPOSALS, Candidate, Question, Search, Searcher, Verdict, numbers
from netcode.bots.second_look import look_again
from netcode.simulation.batch import load_catalog
from netcode.simulation.game import SimulatedGame
from tests.blends import catalog_of, values_of
from tests.netcode.bots.bot_positions import FIGHT, VALUES, position
from tests.thorough import some

SPEC = f"{__name__}:Watched"
CATALOG = load_catalog(("munchkins-and-mazes",))


class Watched(Searcher):
    """A searcher whose decisions are kept."""

    kept: "list[tuple[Observation, int, Action | None]]" = []

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        super().__init__(catalog, rng)
        self.kept.clear()

    def decide(self, observation: Observation, budget: int) -> Action | None:
        action = super().decide(observation, budget)
        self.kept.append((observation, budget, action))
        return action


class Policy(Brain):
    """The policy of a searcher, without the search."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        super().__init__(catalog, numbers().policy, rng)


def actions_of_a_game(bots: list[str], budget: int, turns: int, seed: int = 8) -> list[str]:
    done: list[str] = []
    game = SimulatedGame(
        CATALOG, bots, seed, budget=budget, watch=lambda state, seat, action, events: done.append(f"{seat} {action}")
    )
    game.play(turns)
    assert not game.refused
    return done


def test_the_same_seed_and_budget_give_the_same_game() -> None:
    once, again = (actions_of_a_game(["normal", SPEC, "normal"], 12, 5) for _ in range(2))
    assert once == again


def test_without_a_budget_it_plays_as_the_policy_does() -> None:
    policy = f"{__name__}:Policy"
    assert actions_of_a_game(["normal", SPEC, "normal"], 0, 6) == actions_of_a_game(["normal", policy, "normal"], 0, 6)


@pytest.mark.long(0)
def test_it_spends_no_more_than_its_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts: list[Verdict] = []
    answer = Search.answer

    def watched(self: Search, question: Question, budget: int) -> Verdict:
        assert 1 < len(question.found) <= budget // numbers().worlds_per_candidate
        verdicts.append(answer(self, question, budget))
        assert all(0 <= chance <= 1 for chance in verdicts[-1].chances)
        return verdicts[-1]

    monkeypatch.setattr(Search, "answer", watched)
    actions_of_a_game(["hard", "hard", "hard"], 30, 16)
    assert any(verdict.taken for verdict in verdicts)
    assert all(verdict.rollouts <= 30 for verdict in verdicts)
    assert all(verdict.steps <= 30 * numbers().steps_per_rollout for verdict in verdicts)


def test_a_better_action_is_taken_and_an_equal_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    actions_of_a_game([SPEC, "normal", "normal"], 0, 3)
    observation = next(kept for kept, _, action in Watched.kept if action is not None)
    assert observation.veiled is not None
    rows = observation.view.you.legal
    question = Question(observation.veiled, (None, rows[0].action), 2)
    search = Search(CATALOG, values_of(CATALOG))
    monkeypatch.setattr(Search, "rollout", lambda self, state, seat, action, *_: (0.2 if action is None else 0.6, 5))
    assert search.answer(question, 8).taken == 1
    assert search.answer(question, 2).taken == 0, "one world proves nothing"
    monkeypatch.setattr(Search, "rollout", lambda self, *_: (0.4, 5))
    assert search.answer(question, 8).taken == 0


def test_two_worlds_that_happen_to_be_alike_prove_less_than_many(monkeypatch: pytest.MonkeyPatch) -> None:
    actions_of_a_game([SPEC, "normal", "normal"], 0, 3)
    observation = next(kept for kept, _, action in Watched.kept if action is not None)
    assert observation.veiled is not None
    question = Question(observation.veiled, (None, observation.view.you.legal[0].action), 2)
    search = Search(CATALOG, values_of(CATALOG))
    slight = 2 * numbers().taken_margin
    monkeypatch.setattr(
        Search, "rollout", lambda self, state, seat, action, *_: (0.2 if action is None else 0.2 + slight, 5)
    )
    assert search.answer(question, 4).taken == 0
    assert search.answer(question, 40).taken == 1


def test_the_policy_forgets_a_choice_that_the_search_did_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player does not repeat an action of this turn or an offer of this fight, if it was carried out."""
    remembered: list[tuple[bool, Memory, Memory]] = []

    def notes(memory: Memory) -> tuple[set[tuple[int, ...]], dict[int, int], int]:
        return memory.tried, memory.offered, memory.offers_made

    class Remembering(Searcher):
        def settle(self, question: Question, verdict: Verdict) -> Candidate:
            before, action = self._before.copy(), super().settle(question, verdict)
            if not verdict.taken or not isinstance(action, PROPOSALS):  # an offer that is made is noted
                remembered.append((verdict.taken > 0, before, self.policy.memory.copy()))
            return action

    monkeypatch.setattr("netcode.bots.factory.Searcher", Remembering)
    monkeypatch.setattr(Search, "answer", lambda self, question, budget: Verdict(question.seed % 2))
    actions_of_a_game(["hard", "normal", "normal"], 15, 24)
    overruled = [(before, after) for taken, before, after in remembered if taken]
    assert overruled and all(notes(after) == notes(before) for before, after in overruled)
    assert any(notes(after) != notes(before) for taken, before, after in remembered if not taken)


def test_a_rollout_that_was_cut_off_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first two worlds show that the other action is better; in the third the steps run out."""
    actions_of_a_game([SPEC, "normal", "normal"], 0, 3)
    observation = next(kept for kept, _, action in Watched.kept if action is not None)
    assert observation.veiled is not None
    budget = 8
    took = budget * numbers().steps_per_rollout // 5

    def rollout(self: Search, state: State, seat: int, action: Candidate, seed: int, steps: int) -> tuple[float, int]:
        return (0.0 if action is None or steps <= took else 0.5), min(steps, took)

    monkeypatch.setattr(Search, "rollout", rollout)
    question = Question(observation.veiled, (None, observation.view.you.legal[0].action), 2)
    verdict = Search(CATALOG, values_of(CATALOG)).answer(question, budget)
    assert (verdict.taken, verdict.chances) == (1, (0.0, 0.5))


def test_all_candidates_are_judged_at_the_end_of_the_same_turn() -> None:
    """Formerly, whoever ended the turn was judged after the turn of the next seat, which was about to win there, and
    any other action before that turn, so that it seemed better."""
    won = FIGHT + ', { by = "Kim", do = "claim" }, { pass = "all" }'
    laid = position("Practice Rat", won, Kim="level = 3", Roger="level = 9")
    veiled = veil(CATALOG, laid, 0)
    state = imagine(CATALOG, veiled, random.Random(1))
    search, most = Search(CATALOG, VALUES), numbers().steps_most
    after, later = decode(encode(state)), decode(encode(state))
    chance, steps = search.rollout(after, 0, EndTurn(), 1, most)
    assert (after.turn.no, steps) == (state.turn.no + 1, 1)
    assert search.rollout(later, 0, None, 1, most)[0] == chance
    assert later.turn.no == after.turn.no
    found = look_again(search, veiled, (EndTurn(), None), random.Random(1), 2)
    assert found is not None and found.gain == 0


def test_it_tries_to_go_on_instead_of_putting_an_item_away_that_another_card_counts() -> None:
    """The Volcano gives +1 for each of two Fire Items, so the Sword in their place costs three of strength; by itself
    it seems worth a little more than both."""
    fire = '"Warrior", "Sun Picking Up Gloves", "Lava Squirter"'
    counted, plain = ([_first(f"{more}{fire}", seed) for seed in range(6)] for more in ('"Volcano", ', ""))
    assert counted.count(Kick) >= 3 and plain.count(Unequip) >= 5


def _first(table: str, seed: int) -> type:
    """Return what a hard bot does first in its turn that has these cards in play and the Sword in hand."""
    catalog = catalog_of(("axe-cop",))
    seats = f'{{ Kim = {{ level = 5, table = [{table}], hand = ["Sword That Is Too Long"] }}, Bo = {{}} }}'
    text = f'[[scenario]]\nname = "it"\nsets = ["axe-cop"]\nsteps = []\nseats = {seats}\n'
    (scenario,) = load(text.encode(), "it.toml")
    state, _ = begin(Cast(catalog, scenario), b"seed")
    player = Searcher(catalog, random.Random(seed), values_of(catalog))
    return type(player.decide(Observation(view(catalog, state, 0), veil(catalog, state, 0)), numbers().budget))


@pytest.mark.long
def test_two_worlds_that_a_seat_cannot_tell_apart_get_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """The question to a search is plain data of the seat's knowledge: it contains no hidden hand and no seed."""
    asked: list[list[bytes]] = []
    answer = Search.answer
    encoded = msgspec.msgpack.encode

    def watched(self: Search, question: Question, budget: int) -> Verdict:
        asked[-1].append(encoded(question))
        return answer(self, question, budget)

    monkeypatch.setattr(Search, "answer", watched)
    game = SimulatedGame(CATALOG, ["normal"] * 4, 3)
    rng = random.Random(1)
    moments = some(range(60), 3)
    for moment in range(60):
        for _ in range(8):
            if not game.state.winners:
                game.step()
        if game.state.winners:
            break
        if moment not in moments:
            continue
        seat = rng.randrange(4)
        seen = nothing_seen(CATALOG, game.state, seat)
        veiled = veil(CATALOG, game.state, seat, seen)
        worlds = [game.state, *(imagine(CATALOG, veiled, rng) for _ in range(2))]
        done: list[object] = []
        for world in worlds:
            asked.append([])
            player = make_player("hard", CATALOG, random.Random(5))
            observation = Observation(view(CATALOG, world, seat), veil(CATALOG, world, seat, seen))
            done.append((player.decide(observation, 10), player.waiting, *asked[-1]))
        assert done[0] == done[1] == done[2]
    assert any(asked)
