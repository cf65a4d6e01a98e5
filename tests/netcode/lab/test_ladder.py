"""`kickdoor ladder`: the same deals for every pair in every order of seats, kept game by game, and resumed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from netcode.lab.ladder import Ladder, Schedule, Standings, as_table, run
from netcode.lab.records import PlayedGame, Run, play_recorded, read_games, read_run
from netcode.processes.workers import completed
from netcode.simulation.plan import EVERY_MIX, GamePlan, pack_hashes, play_planned
from tests.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
EASY = Ladder(players=("easy", "random"), seed=3)


def schedule_of(what: Ladder) -> Schedule:
    return Schedule(what, tuple(pack_hashes(sets) for sets in what.mixes))


def here(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
    return completed(work, plans, 1)


def ladder(what: Ladder, games: int, folder: Path) -> Standings:
    return run(what, games, folder, here, lambda done, total: None)


@pytest.mark.parametrize(
    ("seats", "lone", "orders"), [(3, False, 6), (4, False, 6), (5, False, 20), (6, False, 20), (4, True, 4)]
)
def test_every_order_of_seats_comes_once(seats: int, lone: bool, orders: int) -> None:
    found = schedule_of(Ladder(players=("easy", "random"), seats=seats, lone=lone)).orders
    assert len(found) == len(set(found)) == orders
    sat = Counter(who for order in found for who in order)
    assert sat[0] == (4 if lone else sat[1]), "half of the seats each over all orders, or one of them"
    assert all(Counter(order[seat] for order in found)[0] == sat[0] / seats for seat in range(seats))


def test_each_pair_plays_the_same_deals_in_every_order() -> None:
    schedule = schedule_of(Ladder(players=("easy", "random", "normal"), mixes=EVERY_MIX, seed=5))
    plans = [schedule.plan(no) for no in range(schedule.total(30))]
    deals = Counter((plan.seed, plan.sets) for plan in plans)
    assert len(deals) == 5 and set(deals.values()) == {3 * 6} and {sets for _, sets in deals} == set(EVERY_MIX)
    assert len({(plan.seed, plan.bots) for plan in plans}) == len(plans) == 90
    assert [schedule.plan(no) for no in range(6)] == plans[:6]


def test_a_lone_player_meets_each_rival_and_is_met_by_it() -> None:
    schedule = schedule_of(Ladder(players=("easy", "random"), lone=True))
    assert schedule.pairs == [("easy", "random"), ("random", "easy")]
    assert schedule.plan(0).bots == ("easy", "random", "random", "random")
    assert schedule.plan(3).bots == ("easy", "random", "easy", "easy")


def test_in_a_gauntlet_only_the_first_player_meets_the_others() -> None:
    three = ("normal", "easy", "random")
    assert Ladder(players=three, gauntlet=True).pairs() == [("normal", "easy"), ("normal", "random")]
    assert Ladder(players=three, gauntlet=True, lone=True).pairs() == [("normal", "easy"), ("normal", "random")]


@pytest.mark.long(0)
def test_each_meeting_is_told_by_sets_too(tmp_path: Path) -> None:
    mixes = (("axe-cop",), ("axe-cop", "apocalypse"))
    found = ladder(Ladder(players=("easy", "random"), mixes=mixes), 9, tmp_path)
    [meeting] = found.meetings
    assert [(one.sets, one.games) for one in meeting.by_mix] == [((mixes[0],), 6), ((mixes[1],), 3)]
    assert sum(one.wins for one in meeting.by_mix) == meeting.wins
    table = as_table(found, lone=False).splitlines()
    assert [line.split()[0] for line in table[-2:]] == ["axe-cop", "axe-cop+apocalypse"]


def test_games_are_those_of_the_simulation_and_add_up(tmp_path: Path) -> None:
    found = ladder(EASY, 6, tmp_path / "out")
    games = read_games(tmp_path / "out")
    schedule = schedule_of(EASY)
    result = play_planned(schedule.plan(2))
    assert (games[2].winners, games[2].turns) == (tuple(result.winners), result.turns)
    assert (found.games, found.asked, found.exit_code) == (6, 6, 0)
    assert sum(rating.wins for rating in found.ratings) == 6
    [meeting] = found.meetings
    assert meeting.wins == found.ratings[0].wins if found.ratings[0].player == "easy" else found.ratings[1].wins
    assert "easy - random" in as_table(found, lone=False)


def test_the_same_command_goes_on_and_more_games_may_follow(tmp_path: Path) -> None:
    stopped: list[int] = []

    def interrupted(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
        for plan in plans:
            if len(stopped) == 2:
                raise KeyboardInterrupt
            stopped.append(plan.index)
            yield work(plan)

    first = run(EASY, 4, tmp_path, interrupted, lambda done, total: None)
    assert (first.games, first.asked, first.exit_code) == (2, 4, 1)
    assert "stopped after 2 of 4 games" in as_table(first, lone=False)
    with (tmp_path / PlayedGame.FILE).open("ab") as file:
        file.write(b'{"game":2,"sets":["munch')  # left by a killed process
    counted: list[tuple[int, int]] = []
    played: list[int] = []

    def noting(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
        for plan in plans:
            played.append(plan.index)
            yield work(plan)

    whole = run(EASY, 6, tmp_path, noting, lambda done, total: counted.append((done, total)))
    assert played == [2, 3, 4, 5] and counted == [(2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]
    there = [json.loads(line)["game"] for line in (tmp_path / PlayedGame.FILE).read_bytes().splitlines()]
    assert there == [0, 1, 2, 3, 4, 5]
    assert whole.meetings == ladder(EASY, 6, tmp_path / "at-once").meetings


def test_a_game_counts_once(tmp_path: Path) -> None:
    def twice(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
        for plan in plans:
            yield from (work(plan), work(plan))

    found = run(EASY, 2, tmp_path, twice, lambda done, total: None)
    assert found.games == 2 and len((tmp_path / PlayedGame.FILE).read_bytes().splitlines()) == 2


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (Ladder(players=("easy", "normal"), seed=3), "players: easy, random, now easy, normal"),
        (Ladder(players=("easy", "random"), seed=4), "seed: 3, now 4"),
        (Ladder(players=("easy", "random"), seed=3, lone=True), "lone: False, now True"),
        (Ladder(players=("easy", "random"), seed=3, mixes=(("axe-cop", "apocalypse"),)),
         "mixes: munchkins-and-mazes, now axe-cop+apocalypse"),
    ],
)  # fmt: skip
def test_the_folder_of_another_command_is_refused(tmp_path: Path, other: Ladder, words: str) -> None:
    ladder(EASY, 1, tmp_path)
    with pytest.raises(ValueError, match="holds the games of another command") as refused:
        ladder(other, 1, tmp_path)
    assert words in str(refused.value) and "name another folder" in str(refused.value)


NIL = """
class Nil:
    def __init__(self, catalog, rng): ...
    def decide(self, observation, budget): return None
"""


@pytest.fixture
def nil(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield the file of a player `ed_of_tests:Nil`, which can be imported."""
    file = tmp_path / "ed_of_tests.py"
    file.write_text(NIL)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield file
    sys.modules.pop("ed_of_tests", None)


def none(work: Callable[[GamePlan], PlayedGame], plans: Iterable[GamePlan]) -> Iterator[PlayedGame]:
    """Play no game."""
    yield from ()


def begin(folder: Path, *players: str) -> Run:
    """Begin a ladder of these players, and return its plan from the folder."""
    run(Ladder(players=players), 1, folder, none, lambda done, total: None)
    return read_run(folder)


def test_a_folder_whose_players_were_edited_is_refused(tmp_path: Path, nil: Path) -> None:
    program = f"run:{sys.executable} {nil} --slow"
    said = begin(tmp_path / "out", "easy", "ed_of_tests:Nil", program)
    assert set(said.code) == {"ed_of_tests:Nil", program}
    assert begin(tmp_path / "out", "easy", "ed_of_tests:Nil", program) == said
    nil.write_text(NIL + "    # edited")
    with pytest.raises(ValueError, match=r"\(the code of ed_of_tests:Nil, run:.* has changed\): name another folder"):
        begin(tmp_path / "out", "easy", "ed_of_tests:Nil", program)


def test_the_code_of_built_in_players_and_of_older_folders_is_not_compared(tmp_path: Path, nil: Path) -> None:
    assert begin(tmp_path / "built-in", "easy", "normal/gilda").code == {}
    begin(tmp_path / "out", "easy", "ed_of_tests:Nil")
    file = tmp_path / "out" / Run.FILE
    older = json.loads(file.read_bytes())
    del older["code"]
    file.write_text(json.dumps(older))
    assert begin(tmp_path / "out", "easy", "ed_of_tests:Nil").code == {}


def test_folders_that_cannot_be_used_are_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"holds other files \(diary.txt\)"):
        ladder(EASY, 1, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["diary.txt"], "a refused folder stays as it is"
    ladder(EASY, 2, tmp_path / "a")
    lines = (tmp_path / "a" / PlayedGame.FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / "a" / PlayedGame.FILE).write_bytes(lines[0][:40] + b"\n" + lines[1])
    with pytest.raises(ValueError, match=r"line 1 is damaged: delete the line"):
        ladder(EASY, 2, tmp_path / "a")
    (tmp_path / "a" / Run.FILE).write_bytes(b"{")
    (tmp_path / "a" / "host.lock").unlink()
    with pytest.raises(ValueError, match=r"ladder.json is damaged \(.*\): put a copy .* another folder"):
        ladder(EASY, 2, tmp_path / "a")
    assert {path.name for path in (tmp_path / "a").iterdir()} == {Run.FILE, PlayedGame.FILE}
    (tmp_path / "a" / Run.FILE).write_bytes(b'{"program": "\xff"}')
    with pytest.raises(ValueError, match=r"ladder.json is damaged"):
        ladder(EASY, 2, tmp_path / "a")


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (Ladder(players=("easy",)), "two players or more"),
        (Ladder(players=("easy", "easy")), "easy is named twice"),
        (Ladder(players=("easy", "genius")), "unknown level 'genius'"),
        (Ladder(players=("easy", "normal"), seats=9), "3 to 6 seats"),
        (Ladder(players=("easy", "normal"), mixes=(("nope",),)), "no card pack 'nope'"),
    ],
)
def test_impossible_ladders_are_refused_in_one_line(what: Ladder, words: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=words):
        ladder(what, 1, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_so_few_games_that_a_set_is_left_out_are_refused(tmp_path: Path) -> None:
    what = Ladder(players=("easy", "random"), mixes=EVERY_MIX)
    with pytest.raises(ValueError, match=r"left out: apocalypse, warhammer-40k and munch.*Ask for 30 games or more"):
        ladder(what, 12, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_sets_that_differ_are_refused_where_a_game_is_played() -> None:
    plan = schedule_of(EASY).plan(0)
    with pytest.raises(ValueError, match="munchkins-and-mazes differs from the one that the games were planned with"):
        play_recorded(GamePlan(index=0, sets=plan.sets, packs=("other",), bots=plan.bots, seed=1))


def test_the_help_names_every_kind_of_player() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tui", "ladder", "--help"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert all(kind in done.stdout for kind in ("levels", "LEVEL/NAME", "MODULE:CLASS", "run:COMMAND")), done.stdout


def command(folder: Path, *more: str) -> list[str]:
    options = ("--players", "easy,random", "--jobs", "2", "--out", str(folder))
    return [sys.executable, "-m", "tui", "ladder", *options, *more]


def test_the_command_prints_a_table_and_json(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path, "--games", "2"), cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert done.returncode == 0 and done.stderr == "", done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()[:2]] == ["player", "easy"]
    done = subprocess.run(
        command(tmp_path, "--games", "2", "--json"), cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S
    )
    told = json.loads(done.stdout)
    assert (told["games"], told["meetings"][0]["players"], told["refused"]) == (2, ["easy", "random"], {})


STARTED = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from tui.cli.main import *; main()"
"""Programs in the background of a shell ignore interrupts; a test may run there."""


@pytest.mark.long(0)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot send SIGINT to one process")
@pytest.mark.parametrize("number", ["SIGINT", "SIGKILL"])
def test_what_was_played_is_kept_and_the_workers_end(tmp_path: Path, number: str) -> None:
    options = command(tmp_path, "--games", "100000")[3:]
    stopping = subprocess.Popen(
        [sys.executable, "-c", STARTED, *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    games = tmp_path / PlayedGame.FILE
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (games.exists() and games.read_bytes().count(b"\n") >= 3):
        time.sleep(0.05)
    stopping.send_signal(signal.Signals[number])
    out, err = stopping.communicate(timeout=PATIENCE_S)
    played = len(read_games(tmp_path))
    assert played >= 3 and _ended(stopping.pid), "worker processes are left"
    if number == "SIGINT":
        assert stopping.returncode == 1 and "Traceback" not in err, err
        assert f"stopped after {played} of 100000 games" in out


def _ended(group: int) -> bool:
    """Return whether all processes of a group end within ten seconds."""
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
