"""`kickdoor simulate`: whole games between bots end, nothing legal is refused, and the better bots win.

The strength of the levels is measured in few games here. `python -m tests.bench strength` prints the full figures;
KICKDOOR_STRENGTH_GAMES=400 makes this test as long.
"""

import json
import os
import subprocess
import sys
from functools import partial
from math import sqrt
from pathlib import Path

import pytest

from netcode.lab.ladder import run as play
from netcode.processes.workers import completed
from netcode.simulation.batch import SimConfig, SimResult, game_seed, run, seats_of
from netcode.simulation.report import as_json, as_line, as_report, seats_range, simulate
from tests.bench import strength
from tests.patience import PATIENCE_S

BOTS = Path(__file__).resolve().parents[3] / "netcode/bots"
GAMES = int(os.environ.get("KICKDOOR_STRENGTH_GAMES", "40"))


@pytest.fixture(scope="module")
def result() -> SimResult:
    return run(SimConfig(games=12, seats=(3, 6), seed=5, bots=("normal", "easy", "hard", "random"), budget=4))


@pytest.mark.long(0)
def test_every_game_ends_and_nothing_legal_is_refused(result: SimResult) -> None:
    assert result.unfinished == [], f"games that a guard stopped: {result.unfinished}"
    assert result.refusals == [], f"bots were refused: {result.refusals}"
    assert result.finished == result.games == 12
    assert result.exit_code == 0


@pytest.mark.long(0)
def test_the_figures_add_up(result: SimResult) -> None:
    wins = sum(result.wins_by_seat.values())
    assert wins == sum(result.wins_by_order.values()) == sum(result.wins_by_bot.values()) >= 12
    assert result.turns.total >= 12 * 5 and result.turns.p95 >= result.turns.median
    assert 0 < result.passes < result.decisions.total
    assert sum(result.cards_played.values()) > 100
    assert result.levels[0] >= 1.0 and max(result.levels) > 4
    assert set(result.seats_by_bot) == {"normal", "easy", "hard", "random"}


@pytest.mark.long(0)
def test_the_win_lift_pools_the_seats_that_played_a_card(result: SimResult) -> None:
    """Seats that played a card won `lift` times as often as all seats. One seat may play a card several times, so there
    are at least as many plays of a card as seats that played it."""
    assert set(result.lift) == {name for name, times in result.cards_played.items() if times}
    base = sum(result.wins_by_seat.values()) / sum(result.seats_by_bot.values())
    for name, (seats, lift) in result.lift.items():
        assert 1 <= seats <= result.cards_played[name]
        winners = lift * base * seats
        assert abs(winners - round(winners)) < 0.005 * base * seats + 1e-9, f"{name}: {winners} winners played it"
    assert "win lift:" in as_report(result)


def test_games_have_each_number_of_seats_in_turn() -> None:
    config = SimConfig(seats=(3, 6), bots=("easy", "hard"))
    assert [len(seats_of(config, index)) for index in range(5)] == [3, 4, 5, 6, 3]
    assert seats_of(config, 1) == ["easy", "hard", "easy", "hard"]


def test_the_same_seed_gives_the_same_games_however_many_processes() -> None:
    config = SimConfig(games=2, seed=77, bots=("normal",))
    one, two = run(config), run(SimConfig(games=2, seed=77, bots=("normal",), jobs=2))
    assert (one.turns, one.decisions, one.wins_by_seat) == (two.turns, two.decisions, two.wins_by_seat)
    assert one.cards_played == two.cards_played
    assert game_seed(77, 1) != game_seed(77, 2) != game_seed(78, 2)


def test_a_game_that_does_not_end_is_reported() -> None:
    text, code = simulate(SimConfig(games=2, seed=1, bots=("random",), turn_cap=3))
    assert code == 1
    assert "0 of 2 games finished" in text and "turns" in text


@pytest.mark.long(0)
def test_json_has_the_documented_keys(result: SimResult) -> None:
    data = json.loads(as_json(result))
    for key in ("games", "finished", "games_per_second", "decisions_per_second", "wins_by_seat", "wins_by_order"):
        assert key in data
    assert set(data["turns"]) == set(data["decisions"]) == {"total", "median", "p95"}
    assert "wins_by_bot" in data


@pytest.mark.long(0)
def test_the_report_has_lengths_levels_cards_and_identities(result: SimResult) -> None:
    text = as_report(result)
    assert "mean Level at the start of each round" in text
    assert "cards played, per game" in text
    assert any(name in text for name in ("Warrior", "Elf", "Dwarf", "Wizard"))
    assert as_line(result).splitlines()[0] in text


@pytest.mark.parametrize(
    "config, words",
    [
        (SimConfig(games=0), "at least one"),
        (SimConfig(seats=(2, 4)), "3 to 6 seats"),
        (SimConfig(bots=("genius",)), "unknown level"),
        (SimConfig(jobs=0), "at least one process"),
        (SimConfig(sets=("no-such-set",)), "no card pack"),
    ],
)
def test_impossible_numbers_are_refused_in_one_line(config: SimConfig, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        run(config)


def test_a_range_of_seats_is_read() -> None:
    assert seats_range("4") == (4, 4)
    assert seats_range("3..6") == (3, 6)
    with pytest.raises(ValueError, match=r"3\.\.6"):
        seats_range("many")


ROOT = Path(__file__).resolve().parents[3]


def simulated(*args: str) -> "subprocess.CompletedProcess[str]":
    """`kickdoor simulate` with these arguments, run to its end."""
    command = [sys.executable, "-m", "tui", "simulate", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.mark.long(2)
@pytest.mark.parametrize(("options", "reached"), [((), 10), (("--option", "win-level=20", "--option", "listen"), 20)])
def test_games_are_played_under_table_options(options: tuple[str, ...], reached: int) -> None:
    done = simulated("--games", "3", "--seed", "4", "--json", *options)
    assert done.returncode == 0, done.stderr
    highest = max(json.loads(done.stdout)["levels"])
    assert reached - 8 < highest < reached, f"the highest mean Level of a round is {highest}"


@pytest.mark.parametrize(
    "args, known",
    [(("--option", "win-level=11"), "'win-level=20'"), (("--option", "cheese"), "'shared-victory'"),
     (("--bot", "genius"), "'normal'")],
)  # fmt: skip
def test_an_unknown_option_or_level_is_refused_with_the_known_ones(args: tuple[str, ...], known: str) -> None:
    done = simulated("--games", "1", *args)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and f"'{args[1]}'" in done.stderr and known in done.stderr, done.stderr


@pytest.mark.long(0)
@pytest.mark.parametrize("match, mark", [("easy,random", 0.90), ("normal,easy", 0.70)])
def test_the_better_bots_win(match: str, mark: float, tmp_path: Path) -> None:
    """With fewer games the mark is lowered by two standard errors, so that chance alone does not fail the test."""
    slack = 0.0 if GAMES >= 400 else 2 * sqrt(mark * (1 - mark) / GAMES)
    ladder = strength.ladder_of(match, 0, 0, tmp_path)
    found = play(ladder, GAMES, tmp_path / "games", partial(completed, jobs=1), lambda done, total: None)
    [meeting] = found.meetings
    assert (meeting.games, len(meeting.by_mix)) == (GAMES, 5) and sum(one.games for one in meeting.by_mix) == GAMES
    assert meeting.share >= mark - slack, f"{match}: the first won {meeting.share:.0%} of {GAMES}, expected {mark:.0%}"


def test_a_match_is_two_against_two_or_one_against_three(tmp_path: Path) -> None:
    assert strength.ladder_of("hard,normal", 0, 4, tmp_path).pairs() == [("hard", "normal")]
    alone = strength.ladder_of("hard,normal,normal,normal", 0, 4, tmp_path)
    assert alone.lone and alone.pairs() == [("hard", "normal")]
    for match in ("hard", "hard,normal,normal", "hard,normal,easy,normal"):
        with pytest.raises(ValueError, match=r"A,B or A,B,B,B"):
            strength.ladder_of(match, 0, 4, tmp_path)


def test_bots_of_an_earlier_commit_play_under_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    sources = {str(file.relative_to(BOTS)): file.read_bytes() for file in BOTS.rglob("*") if file.is_file()}
    spec = strength.renamed(sources, "bots_of_today", tmp_path)
    result = run(SimConfig(games=2, seats=(3, 3), seed=3, bots=(spec, "normal")))
    assert result.finished == 2 and not result.refused
    assert spec.startswith("bots_of_today.") and sys.modules["bots_of_today.brain"].__file__ == str(
        tmp_path / "bots_of_today/brain.py"
    )
