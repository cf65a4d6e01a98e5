"""The benchmarks run and print all their figures; the figures need a quiet machine and are not judged here."""

import json
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cards import BUILT_IN
from core.state.actions import Pass
from tests.bench import (
    abuse,
    arrival,
    churn,
    counts,
    engine,
    front,
    growth,
    hints,
    journal,
    malice,
    net,
    prompts,
    rules,
    screen,
    soak,
    start,
    tables,
    wire,
)
from tests.bench.served import ServedHost, recorded
from tui.lessons.adviser import Advice, Adviser

RULES = {
    "random decisions", "random decisions, windows closed by the clock", "games of four normal bots", "clone", "legal",
    "legal at the next step", "legal, nothing seen before", "view", "view and pack, nothing seen before",
    "view and pack, all seats at once, each", "view and pack", "veil", "imagine", "each further game imagined",
    *(f"games of normal bots: {name}, {seats} seats" for name in BUILT_IN for seats in (3, 4, 6)),
}  # fmt: skip


def lines(text: str) -> dict[str, dict[str, Any]]:
    """The printed figures, by name."""
    return {row["name"]: row for row in map(json.loads, text.splitlines())}


def test_rules_prints_a_line_for_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    rules.main(seconds=0.05, positions=12)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == RULES
    assert all(row["value"] > 0 and row["unit"] for row in printed.values())
    assert printed["random decisions"]["passes"] and printed["random decisions"]["without_passes"]


def test_prompts_counts_a_game_in_which_the_hint_always_passes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Adviser, "advice", lambda self, *known: Advice(Pass(0)))  # a search takes its time
    assert prompts.main(["--games", "1", "--seed", "2"]) == 0
    printed = lines(capsys.readouterr().out)
    assert printed["prompts"]["value"] < printed["prompts before"]["value"] * 2 / 3
    assert 1 < printed["keys"]["value"] < printed["keys"]["before"]
    assert printed["windows skipped in which the person played"]["value"] == 0


def test_hints_are_judged_and_counted_by_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hints, "MOST", 6)  # a game has a hundred, each with its imagined games
    assert hints.main(["--games", "1", "--seed", "5", "--within", "20"]) == 0
    printed = lines(capsys.readouterr().out)
    assert {f"hints: {kind}" for kind in hints.KINDS} <= set(printed)
    assert all(row["hints"] == 6 for row in printed.values() if "seeds" in row)
    assert printed["hints: empty"]["value"] < 20


def test_engine_compares_with_python_chess_and_with_another_tree(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "checked_out", lambda commit: nullcontext(engine.ROOT))
    assert engine.main(["--baseline", "HEAD"], slices=1, scale=0.02) == 0
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "random decisions beside python-chess", "random decisions beside the baseline",
        "decisions of four normal bots beside the baseline", "games of four normal bots beside the baseline",
    }  # fmt: skip
    assert all(row["value"] > 0 for row in printed.values())


def test_wire_counts_the_bytes_of_whole_games(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wire, "BLENDS", [("axe-cop",)])
    wire.main()
    game, mean = lines(capsys.readouterr().out).values()
    assert game["whole"] == 0 and game["deltas"] > game["actions"] and game["value"] == mean["value"] < 220


def test_counts_fail_if_a_figure_gets_worse(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    figure = 100.0
    ratio = 10.0
    monkeypatch.setattr(counts, "COUNTED", {"calls": lambda: figure})
    monkeypatch.setattr(counts, "cpu_ratios", lambda: {"CPU": ratio})
    recorded = tmp_path / "counts.json"
    assert counts.main(["--renew"], recorded) == 0
    for figure, worse in ((109.0, 0), (111.0, 1), (50.0, 0)):
        assert counts.main([], recorded) == worse
        assert lines(capsys.readouterr().out)["calls"]["value"] == figure
    for ratio, warned in ((10.9, False), (11.1, True)):
        assert counts.main([], recorded) == 0
        printed = capsys.readouterr()
        assert lines(printed.out)["CPU"]["value"] == ratio and ("WARNING" in printed.err) == warned
    monkeypatch.setattr(counts, "COUNTED", {"calls": lambda: 1.0, "bytes": lambda: 1.0})
    assert counts.main([], recorded) == 1


def test_growth_prints_and_draws_a_curve_of_each_kind(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    size = growth.Size(seats=(3, 4), spectators=(0, 2), tables=(1, 2), rounds=1, acts=30, games=3, settled=0)
    picture = tmp_path / "growth.svg"
    assert growth.main(["--picture"], size, picture) == 0
    printed = lines(capsys.readouterr().out)
    assert {name.rpartition("against ")[2] for name in printed} == {
        "seats", "six players and spectators", "tables of six", "cards in play", "actions so far",
        "memory of a host, game after game",
    }  # fmt: skip
    assert all(len(row["points"]) >= 2 and all(y > 0 for _, y in row["points"]) for row in printed.values())
    assert len(ElementTree.fromstring(picture.read_text()).findall("{*}g")) == len(printed)


@pytest.mark.parametrize("acts", [40, 6000])
def test_a_recorded_game_is_played_again_in_every_step(acts: int) -> None:
    game = recorded(3, acts)
    assert game.over == (acts == 6000)
    with closing(ServedHost(game).games()) as games:
        assert all(next(games) > 0 for _ in range(3))


def test_cpu_is_compared_with_python_chess() -> None:
    ratios = counts.cpu_ratios(slices=1, scale=0.1)
    assert len(ratios) == len(counts.CPU) and all(ratio > 0 for ratio in ratios.values())


def test_calls_of_a_host_are_counted_alike_in_each_run() -> None:
    assert counts.host_calls(20) == pytest.approx(counts.host_calls(20), rel=0.01)


@pytest.mark.parametrize("kind", ["random", "bots"])
def test_calls_are_counted_alike_in_each_run(kind: str) -> None:
    counts.calls(kind, 80)  # fills the caches that live with the process
    assert counts.calls(kind, 80) == counts.calls(kind, 80) > 50


def test_net_measures_the_host_beside_bare_sockets(capsys: pytest.CaptureFixture[str]) -> None:
    net.main(actions=6)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "action to the last of six deltas", "the same with the journal",
        "the same with journal, front and supervisor", "bare fan-out of equal bytes",
    }  # fmt: skip
    assert printed["action to the last of six deltas"]["times_bare"] > 0


def test_start_measures_programs_beside_a_bare_table(capsys: pytest.CaptureFixture[str]) -> None:
    start.main(rounds=1)
    printed = lines(capsys.readouterr().out)
    assert len(printed) == 4 and all(row["value"] > 0 for row in printed.values())
    assert printed["start of kickdoor play to the laid table"]["times_bare"] > 0


def test_screen_leaves_no_process_alive(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(screen, "KEYS", 1)
    screen.playing(tmp_path)
    left = [file.parent for file in Path("/proc").glob("[0-9]*/environ") if str(tmp_path).encode() in _read(file)]
    assert left == []


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:  # it has just ended, or belongs to somebody else
        return b""


def test_front_compares_a_host_with_a_front_and_one_without(capsys: pytest.CaptureFixture[str]) -> None:
    front.added(actions=6)
    (row,) = lines(capsys.readouterr().out).values()
    assert row["with_front"]["p50"] > 0 < row["without"]["p50"] and row["front_rss_mib"] > 1


def test_churn_measures_a_host_that_is_attacked_beside_one_that_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    churn.main(["churn_hello"], times=1, seconds=0.3)
    (row,) = lines(capsys.readouterr().out).values()
    assert row["alone"]["back_s"]["p50"] > 0 < row["back_s"]["p50"] and row["ended_per_s"] > 0


def test_journal_measures_commits_and_the_check_at_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    journal.main(commits=60, tables=3)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "commit of an action, 1 tables", "commit of an action, 3 tables", "check of a journal at the start",
    }  # fmt: skip
    assert printed["commit of an action, 1 tables"]["bare"]["p50"] > 0


def test_tables_prints_a_line_for_each_figure(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "WARM_S", 3.0)
    tables.main(steps=(2,), seconds=6.0, alone=1, times=3)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "tables of six with a spectator", "tables held with a 99th percentile below the mark",
        "tables of bots among themselves", "an answer at one table while another is flooded",
    }  # fmt: skip
    tables_of_six = printed["tables of six with a spectator"]
    assert tables_of_six["tables"] == 2 and tables_of_six["timed"] > 0 and tables_of_six["actions_s"] > 0
    assert printed["an answer at one table while another is flooded"]["flood_acts_s"] > 0


def test_soak_prints_a_line_for_each_minute(capsys: pytest.CaptureFixture[str]) -> None:
    soak.main(minutes=3, tables=6, minute_s=5.0)
    lines = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert [row.get("minute") for row in lines] == [1, 2, 3, None, None]
    assert lines[3]["unit"] == "MiB in ten minutes" and lines[4]["timed"] == sum(row["timed"] for row in lines[:3])


def test_an_evening_of_malice_counts_what_happened(capsys: pytest.CaptureFixture[str]) -> None:
    malice.main(["--minutes", "0.2"])
    (row,) = lines(capsys.readouterr().out.splitlines()[-1]).values()
    assert row["acknowledged"] > 0 and row["attacks"] > 0 and row["answers_ms"]["p50"] > 0


async def test_abuse_measures_an_attack_beside_a_quiet_run() -> None:
    found = await abuse.attacked("flood", 0.5)
    assert found["quiet_ms"]["p50"] > 0 and found["attacked_ms"]["p50"] > 0 and found["ratio"] > 0
    assert found["host_peak_mib"] > 10 and found["handler_ms"]["max"] > 0


def test_arrival_counts_races(capsys: pytest.CaptureFixture[str]) -> None:
    arrival.main(races=4)
    in_order, told_apart = lines(capsys.readouterr().out).values()
    assert in_order["races"] == 4 and in_order["unit"] == told_apart["unit"] == "%"
