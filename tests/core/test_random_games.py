"""Random games: any seat takes any legal action at any moment, and every invariant holds after every action.

By default 11 games run: each built-in set, all together and each pair take turns.
KICKDOOR_RANDOM_GAMES=200 plays that many, KICKDOOR_RANDOM_FROM=1000 those after the first thousand; with
KICKDOOR_RANDOM_ACTIONS=0 each is played to its end. The gate plays other games for each commit.
"""

import os
import random
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from core.engine import submit
from core.language.catalog import Catalog
from core.moves.legal import check, legal
from core.queries.capacity import hand_limit
from core.state.actions import (
    Action,
    AnyAction,
    Claim,
    Close,
    Default,
    Equip,
    Flee,
    Kick,
    Legal,
    Pass,
    Refusal,
    Roll,
    Unequip,
)
from core.state.events import AnyEvent, Counted, HandsPassed, Peeked, Reordered, Undone
from core.state.model import Options, State, decode, digest, encode
from core.state.reader import Reader
from core.view import view
from netcode.bots.picks import at_random
from tests.blends import BLENDS_AND_PAIRS, EXCHANGES, GROWTH, catalog_of, fresh_catalog
from tests.core import invariants
from tests.core.knowledge.forecasts import ForecastCheck
from tests.core.last_moments import LastMoments, fill_hands
from tests.core.queries.guard import checked_after_each_event
from tests.core.random_table import RandomTable, options_of, recording, replayed
from tests.patience import PATIENCE_S
from tests.thorough import PART, some

GAMES = int(os.environ.get("KICKDOOR_RANDOM_GAMES", "11"))
FIRST = int(os.environ.get("KICKDOOR_RANDOM_FROM", "0"))
ACTIONS = int(os.environ.get("KICKDOOR_RANDOM_ACTIONS", "350" if PART == "some" else "700"))
"""Actions of each game that are played; 0: all, to its end."""
LONG = 2000
"""Actions after which a game counts as long: checks that need a clone then run less often."""
GUARDED, GUARDED_LATER = 1200, 4
"""After each event of the first actions of a game, all cached answers are computed again; later, in one action of this
many."""
SEATS_EVERY = 16
"""Every this many actions, the seat numbers in the whole state are checked, which is slow."""
QUIET = (Pass, Equip, Unequip, Claim, Flee)
"""Actions whose outcome does not depend on hidden cards."""


@pytest.mark.long
def test_every_invariant_holds_while_cards_grow_and_plays_are_undone() -> None:
    """Some of these games are short, so they count together; the longest test comes first, beside the others."""
    games = [watched(GROWTH, seed) for seed in some(range(FIRST, FIRST + max(4, GAMES // 6)), 2)]
    missing = {Counted, Undone}.difference(*games)
    assert not missing, f"this proves nothing: no {missing}"


@pytest.mark.long(11)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + GAMES))
def test_every_invariant_holds_after_every_action(seed: int) -> None:
    watched(BLENDS_AND_PAIRS[seed % len(BLENDS_AND_PAIRS)], seed)


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(FIRST, FIRST + max(2, GAMES // 6)))
def test_every_invariant_holds_while_items_hands_and_decks_change_hands(seed: int) -> None:
    done = watched(EXCHANGES, seed)
    missing = {Peeked, Reordered, HandsPassed} - done
    assert not missing, f"this proves nothing: no {missing}"


def watched(sets: tuple[str, ...], seed: int) -> set[type]:
    """Play a random game, check every invariant after every action, and return the kinds of events that there were."""
    kinds: set[type] = set()
    options = options_of(seed)
    table = RandomTable(catalog_of(sets), 3 + seed % 4, seed, interrupts=(0.05, 0.3, 0.7)[seed % 3], options=options)
    watcher = _Watcher(table, sets, random.Random(seed))
    while not table.state.winners and (ACTIONS == 0 or len(table.log) < ACTIONS):
        turn = table.state.turn.seat
        allowed = hand_limit(Reader(table.catalog, table.state), turn)
        done = len(table.log)
        with checked_after_each_event() if done < GUARDED or done % GUARDED_LATER == 0 else nullcontext():
            events = table.act()
        kinds.update(map(type, events))
        try:
            watcher.check(events, turn, allowed)
        except AssertionError as error:
            where = f"{sets}, seed {seed}, after action {len(table.log)}"
            raise AssertionError(f"{where}: {table.log[-1]}: {error}") from error
    again = replayed(fresh_catalog(sets), len(table.state.seats), table.key, options, table.log)
    assert digest(again) == digest(table.state), f"seed {seed}: the replay of the log came to another state"
    return kinds


class _Watcher:
    """Runs the checks after each action: cheap ones always, those that need a clone at random."""

    def __init__(self, table: RandomTable, sets: tuple[str, ...], rng: random.Random) -> None:
        self.table = table
        self.sets = sets
        self.rng = rng
        self.forecasts = ForecastCheck(table.catalog, rng)

    def check(self, events: list[AnyEvent], turn: int, allowed: int) -> None:
        table = self.table
        catalog, state = table.catalog, table.state
        data = encode(state)
        invariants.check_state(catalog, state)
        invariants.turn_ended_clean(catalog, state, events, turn, allowed)
        invariants.waits_unchanged(catalog, state, data)
        for event in events:
            invariants.seats_are_at_the_table(event, len(state.seats))
        seat = self.rng.randrange(-1, len(state.seats))
        seen = view(catalog, state, seat)
        invariants.hides_hands(state, seen, seat)
        draw = self.rng.random()
        if draw * 4 % 1 < 0.25:
            invariants.cached_view_is_current(catalog, state, seen, seat)
        if len(table.log) % SEATS_EVERY == 0:
            invariants.seats_are_at_the_table(state, len(state.seats))
            invariants.seats_are_at_the_table(seen, len(state.seats))
        if len(table.log) > LONG:
            draw *= 4
        if draw * 8 % 1 < 0.25 and not state.winners:
            self.forecasts.comes_true(state, max(0, seat), 2)
        if draw < 0.15:
            self._rows(data)
        elif draw < 0.3:
            self._refusals(data)
        elif draw < 0.4:
            self._resent(data)
        elif draw < 0.55:
            self._secrets(max(0, seat))
        elif draw < 0.6:
            table.state = decode(data)
            table.catalog = fresh_catalog(self.sets) if draw < 0.5505 else catalog

    def _rows(self, data: bytes) -> None:
        """Each legal row of a seat is accepted when its sets are filled within their limits."""
        seat = self.rng.randrange(len(self.table.state.seats))
        rows = legal(self.table.catalog, self.table.state, seat)
        assert len(rows) <= 256, f"{len(rows)} legal rows for one seat"
        for row in self.rng.sample(rows, min(4, len(rows))):
            clone = decode(data)
            action = at_random(row, self.rng)
            assert check(self.table.catalog, clone, seat, action) is None, f"check refuses the legal {action}"
            answer = submit(self.table.catalog, clone, seat, action)
            assert not isinstance(answer, Refusal), f"the legal {action} of seat {seat} is refused: {answer}"
            invariants.check_state(self.table.catalog, clone)

    def _refusals(self, data: bytes) -> None:
        """A refused action changes nothing; an accepted one leaves a sound state."""
        seat = self.rng.randrange(len(self.table.state.seats))
        for action in self._nonsense():
            clone = decode(data)
            refused = check(self.table.catalog, clone, seat, action)
            answer = submit(self.table.catalog, clone, seat, action)
            assert isinstance(answer, Refusal) == (refused is not None), f"check and submit disagree on {action}"
            if isinstance(answer, Refusal):
                assert encode(clone) == data, f"the refused {action} of seat {seat} changed the state"
                assert answer.clause and answer.text, f"a refusal without a reason: {answer}"
            else:
                invariants.check_state(self.table.catalog, clone)

    def _nonsense(self) -> list[AnyAction]:
        """Return actions of another seat, of an earlier moment, of the host, and invented ones."""
        other = self.rng.randrange(len(self.table.state.seats))
        rows = legal(self.table.catalog, self.table.state, other)
        past = [step.action for step in self.rng.sample(self.table.log, min(3, len(self.table.log)))]
        return [
            *(at_random(row, self.rng) for row in self.rng.sample(rows, min(3, len(rows)))),
            *(action for action in past if not isinstance(action, (Close, Default))),
            *(made_up(row, self.rng) for row in self.rng.sample(rows, min(2, len(rows)))),
            Kick(),
            Roll(monster=self.rng.getrandbits(24)),
        ]

    def _resent(self, data: bytes) -> None:
        """The last actions sent again are refused without a change, or are legal by themselves."""
        for step in self.table.recent:
            clone = decode(data)
            answer = submit(self.table.catalog, clone, step.seat, step.action)
            if isinstance(answer, Refusal):
                assert encode(clone) == data, f"resending {step} changed the state although it was refused"
            else:
                invariants.check_state(self.table.catalog, clone)

    def _secrets(self, seat: int) -> None:
        """A seat sees and may do the same in every world it could be in, also after an action without draws."""
        catalog, state = self.table.catalog, self.table.state
        world = invariants.other_world(catalog, state, seat, self.rng)
        if world is None:
            return
        invariants.knows_no_more(catalog, state, world, seat)
        self.forecasts.same_in(state, world, seat)
        rows = [row for row in legal(catalog, state, seat) if isinstance(row.action, QUIET)]
        if rows:
            action = self.rng.choice(rows).action
            first, second = decode(encode(state)), decode(encode(world))
            _both_take(catalog, first, second, seat, action)
            if not _drew(state, first):
                invariants.knows_no_more(catalog, first, second, seat)
                self.forecasts.same_in(first, second, seat)


def _both_take(catalog: Catalog, first: State, second: State, seat: int, action: AnyAction) -> None:
    one, two = submit(catalog, first, seat, action), submit(catalog, second, seat, action)
    assert isinstance(one, Refusal) == isinstance(two, Refusal), f"hidden cards decide whether {action} is legal"


def _drew(before: State, after: State) -> bool:
    """Return whether a random number or a pile was used; afterwards the worlds may differ."""
    return (before.draws, before.serial, before.turn.no, len(before.door), len(before.treasure)) != (
        after.draws, after.serial, after.turn.no, len(after.door), len(after.treasure),
    )  # fmt: skip


def made_up(row: Legal, rng: random.Random) -> Action:
    """Return a legal action with one of its numbers replaced by another."""
    action = at_random(row, rng)
    numbers = [name for name in action.__struct_fields__ if type(getattr(action, name)) is int]
    if not numbers:
        return action
    values = {name: getattr(action, name) for name in action.__struct_fields__}
    values[rng.choice(numbers)] = rng.choice((0, 1, 2, 7, 5000, 70000, 2**40))
    return type(action)(**values)


def test_a_replay_in_another_process_with_another_hash_seed_comes_to_the_same_digest() -> None:
    table = RandomTable(catalog_of(("munchkins-and-mazes",)), 4, 4711)
    while not table.state.winners and len(table.log) < 1500:
        table.act()
    root = Path(__file__).parents[2]
    for hash_seed in ("0", "1234"):
        done = subprocess.run(
            [sys.executable, "-m", "tests.core.replay_log"],
            input=recording(table), capture_output=True, cwd=root, timeout=PATIENCE_S, check=False,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()
        assert done.stdout.decode().strip() == digest(table.state), f"another digest under PYTHONHASHSEED={hash_seed}"


@pytest.mark.long(4)
@pytest.mark.proves("combat.last-moment")
@pytest.mark.parametrize("sets", BLENDS_AND_PAIRS, ids="+".join)
def test_nobody_wins_by_a_kill_before_everybody_could_speak_up(sets: tuple[str, ...]) -> None:
    wins = 0
    for seed in range(FIRST, FIRST + max(12, GAMES // 2)):
        options = Options(shared_victory=seed % 2 == 1, win_level=2 + seed % 3)
        table = RandomTable(catalog_of(sets), 3 + seed % 4, seed, interrupts=0.5, options=options)
        fill_hands(table)
        moments = LastMoments(table)
        while not table.state.winners and len(table.log) < 600:
            moments.act()
        wins += moments.wins
    assert wins, "no game ended by a kill: this proves nothing"
