"""Third-party players in simulations: how they are named, made and informed, and how their mistakes are handled."""

import random
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest

from core.knowledge.imagine import imagine
from core.language.catalog import Catalog
from core.moves.legal import suggest
from core.state.actions import Action, Kick
from core.state.events import AnyEvent, Moved, TurnBegan
from core.view import view
from netcode.bots import guests
from netcode.bots.factory import check_player, make_player
from netcode.bots.player import Observation, Player
from netcode.protocol import limits
from netcode.simulation.batch import SimConfig, load_catalog, run
from netcode.simulation.game import SimulatedGame

HERE = f"{__name__}:"
CATALOG = load_catalog(("munchkins-and-mazes",))


class Eager(Player):
    """Takes the last legal row at once, filled in."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self.rng = rng

    def decide(self, observation: Observation, budget: int) -> Action | None:
        you = observation.view.you
        ways = [way for row in you.legal for way in suggest(row, 4)] if you is not None else []
        return self.rng.choice(ways) if ways else None


class Plain:
    """Has nothing but `decide`."""

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        self.eager = Eager(catalog, rng)

    def decide(self, observation: Observation, budget: int) -> Action | None:
        return self.eager.decide(observation, budget)


class Attentive(Eager):
    """Asks for everything that a player can get, and keeps it."""

    wants_veiled = True
    wants_events = True
    made: "list[Attentive]" = []

    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        super().__init__(catalog, rng)
        self.events: list[AnyEvent] = []
        self.budgets: set[int] = set()
        self.decisions = 0
        self.made.append(self)

    def observe(self, events: Sequence[AnyEvent]) -> None:
        self.events += events

    def decide(self, observation: Observation, budget: int) -> Action | None:
        self.budgets.add(budget)
        self.decisions += 1
        assert observation.veiled is not None and observation.view.you is not None
        if self.decisions % 50 == 0:
            world = imagine(CATALOG, observation.veiled, self.rng)
            assert view(CATALOG, world, observation.view.you.seat) == observation.view
        return super().decide(observation, budget)


class Raising(Eager):
    def decide(self, observation: Observation, budget: int) -> Action | None:
        raise KeyError("a card\nit does not know")


class Hanging(Eager):
    def decide(self, observation: Observation, budget: int) -> Action | None:
        while True:
            try:
                threading.Event().wait()
            except Exception:
                continue


class Exiting(Eager):
    def decide(self, observation: Observation, budget: int) -> Action | None:
        sys.exit("I give up")


class Deaf(Eager):
    """Never returns from `observe`."""

    wants_events = True

    def observe(self, events: Sequence[AnyEvent]) -> None:
        threading.Event().wait()


class Returning(Eager):
    """Returns the row instead of its action."""

    def decide(self, observation: Observation, budget: int) -> Action | None:
        return observation.you.legal[0] if observation.you is not None else None  # type: ignore[return-value]


class Outdated(Eager):
    """Written when `observe` had another name."""

    def told(self, events: Sequence[AnyEvent]) -> None: ...


class Scribbling(Eager):
    """Plays as Eager, and writes into everything that it is shown; `rivals` holds the rivals' Levels that it read."""

    wants_events = True
    rivals: ClassVar[set[int]] = set()

    def observe(self, events: Sequence[AnyEvent]) -> None:
        for event in events:
            if isinstance(event, Moved):
                event.card = 0

    def decide(self, observation: Observation, budget: int) -> Action | None:
        action = super().decide(observation, budget)
        for seat in observation.view.seats:
            self.rivals.add(seat.level)
            seat.level = 99
            seat.table.clear()
        return action


class Cheating(Eager):
    def decide(self, observation: Observation, budget: int) -> Action | None:
        return Kick()


class Rambling(Eager):
    def decide(self, observation: Observation, budget: int) -> Action | None:
        return "kick"  # type: ignore[return-value]


class Unmade(Eager):
    def __init__(self, catalog: Catalog) -> None:
        """Take too few arguments."""


class Unready(Eager):
    def __init__(self, catalog: Catalog, rng: random.Random) -> None:
        sys.exit("there are no weights")


class Divided(Eager):
    @property
    def waiting(self) -> bool:
        return bool(1 / 0)


class Asynchronous(Eager):
    async def decide(self, observation: Observation, budget: int) -> Action | None:  # type: ignore[override]
        return None


class Curt(Eager):
    def decide(self, observation: Observation) -> Action | None:  # type: ignore[override]
        return None


class Wordy(Eager):
    title = "the best of all the bots there are"


class Undecided(Player):
    """Has no `decide`."""


def simulated(*bots: str, games: int = 2) -> SimConfig:
    return SimConfig(seats=(3, 3), games=games, seed=5, bots=bots, turn_cap=400)


@pytest.mark.parametrize("name", ["Eager", "Plain"])
def test_a_player_of_ones_own_plays_whole_games(name: str) -> None:
    result = run(simulated(HERE + name, "easy", "easy"))
    assert (result.exit_code, result.refusals) == (0, [])
    assert result.seats_by_bot == {HERE + name: 2, "easy": 4}


def test_the_same_seed_repeats_games_of_a_player_of_ones_own() -> None:
    def figures() -> tuple[object, ...]:
        result = run(simulated(HERE + "Eager", "normal", "normal"))
        return result.decisions, result.turns, result.wins_by_seat

    assert figures() == figures()


def test_a_player_is_told_what_its_seat_may_know_and_no_more() -> None:
    Attentive.made.clear()
    watched: list[AnyEvent] = []
    game = SimulatedGame(
        CATALOG, [HERE + "Attentive", "easy", "easy"], 3, budget=7,
        watch=lambda state, seat, action, events: watched.extend(events),
    )  # fmt: skip
    assert game.play(400) == "ended" and not game.refused
    [player] = Attentive.made
    assert player.budgets == {7}
    turns = [event for event in player.events if isinstance(event, TurnBegan)]
    assert turns == [event for event in watched if isinstance(event, TurnBegan)][: len(turns)] and turns
    hidden = [event for event in player.events if isinstance(event, Moved)]
    open_ = [event for event in watched if isinstance(event, Moved)]
    assert hidden and hidden != open_[: len(hidden)], "cards that others drew or passed on are masked"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Raising", "decide: KeyError: 'a card\\nit does not know' (test_players.py, line "),
        ("Hanging", "decide: it took longer than 0.1 s, and is not asked again (test_players.py, line "),
        ("Exiting", "decide: SystemExit: I give up (test_players.py, line "),
        ("Deaf", "observe: it took longer than 0.1 s, and is not asked again (test_players.py, line "),
        ("Returning", "which is no action: return its action"),
        ("Cheating", "Kick() was refused: "),
        ("Rambling", "decide: it returned 'kick', which is no action"),
    ],
)
def test_mistakes_are_counted_by_name_and_the_seat_goes_on_by_defaults(
    name: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    monkeypatch.setattr(guests, "DECIDE_S", 0.1)
    result = run(simulated(HERE + name, "easy", "easy", games=1))
    assert result.finished == 1 and result.exit_code == 1
    assert list(result.refused_by_bot) == [HERE + name] and result.refused_by_bot[HERE + name] == result.refused > 0
    assert f"seat 0 ({HERE}{name}): " in result.refusals[0] and words in result.refusals[0], result.refusals[0]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("genius", "unknown level 'genius': choose from 'random', 'easy', 'normal', 'hard', or name a class"),
        ("no.such.module:Bot", "no.such.module:Bot: the module 'no.such.module' cannot be imported: ModuleNotFound"),
        (":Bot", "the module '' cannot be imported"),
        (HERE, f"the module '{__name__}' has no class ''"),
        (HERE + "CATALOG", f"the module '{__name__}' has no class 'CATALOG'"),
        (HERE + "Asynchronous", "decide must be a plain method, not an async one"),
        (HERE + "Curt", "decide must take an observation and a budget"),
        (HERE + "Outdated", "rename the method told(events) to observe(events): see docs/bots.md"),
        (HERE + "Wordy", "title must be a text of at most 24 characters"),
        (HERE + "Undecided", "the class 'Undecided' has no method decide(observation, budget): see docs/bots.md"),
    ],
)
def test_what_cannot_play_is_refused_in_one_line(spec: str, words: str) -> None:
    with pytest.raises(ValueError) as caught:
        run(simulated(spec))
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_titles_are_as_long_as_tables_show_them() -> None:
    assert guests.TITLE_CHARS == limits.BOT_CHARS


def test_a_class_that_cannot_be_made_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"Unmade cannot be made: TypeError: .*positional"):
        make_player(HERE + "Unmade", CATALOG, random.Random(1))
    with pytest.raises(ValueError, match=r"Unready cannot be made: SystemExit: there are no weights \(test_players.py"):
        make_player(HERE + "Unready", CATALOG, random.Random(1))


def test_what_a_player_writes_into_its_view_changes_nothing_for_others() -> None:
    def game(name: str) -> tuple[list[object], set[int]]:
        events: list[object] = []
        played = SimulatedGame(
            CATALOG, [HERE + name, HERE + name, "easy"], 4, watch=lambda state, seat, action, told: events.extend(told)
        )
        assert played.play(400) == "ended"
        return events, set(Scribbling.rivals)

    Scribbling.rivals.clear()
    events, levels = game("Scribbling")
    assert events == game("Eager")[0] and max(levels) <= 10


def test_what_a_player_raises_when_it_is_asked_whether_it_waits_is_a_mistake() -> None:
    with pytest.raises(guests.Misplay, match=r"waiting: ZeroDivisionError"):
        _ = make_player(HERE + "Divided", CATALOG, random.Random(1)).waiting


def test_a_module_is_looked_for_in_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_player.py").write_text("class Bot:\n    def decide(self, observation, budget): ...\n")
    (tmp_path / "my_broken_player.py").write_text("import nonsense_of_mine\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend("")  # so that the path is restored afterwards
    check_player("my_own_player:Bot")
    with pytest.raises(ValueError, match="No module named 'nonsense_of_mine'"):
        check_player("my_broken_player:Bot")


def test_only_a_ladder_plays_programs() -> None:
    with pytest.raises(ValueError, match=r"^run:python first_bot.py: only `kickdoor ladder` plays programs"):
        check_player("run:python first_bot.py")
