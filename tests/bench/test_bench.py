"""The benchmarks run and print what they promise; their figures are for a quiet machine and not judged here."""

import json

import pytest

from cards import BUILT_IN
from tests.bench import abuse, arrival, net, rules, soak, tables

RULES = {
    "random decisions", "random decisions, windows closed by the clock", "games of four normal bots", "clone", "legal",
    "legal, nothing seen before", "view", "view and pack, all seats at once, each", "view and pack",
    *(f"games of normal bots: {name}, {seats} seats" for name in BUILT_IN for seats in (3, 4, 6)),
}  # fmt: skip


def lines(text: str) -> dict[str, dict[str, object]]:
    """What was printed, by name."""
    return {row["name"]: row for row in map(json.loads, text.splitlines())}


def test_the_rules_print_a_line_for_each_figure(capsys: pytest.CaptureFixture[str]) -> None:
    rules.main(seconds=0.05, positions=12)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == RULES
    assert all(row["value"] > 0 and row["unit"] for row in printed.values())  # type: ignore[operator]
    assert printed["random decisions"]["passes"] and printed["random decisions"]["without_passes"]


def test_the_fan_out_is_measured_beside_the_bare_sockets(capsys: pytest.CaptureFixture[str]) -> None:
    net.main(actions=6)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "action to the last of six views", "the same with the journal", "bare fan-out of equal bytes",
    }  # fmt: skip
    assert printed["action to the last of six views"]["times_bare"] > 0  # type: ignore[operator]


def test_tables_are_added_until_it_takes_too_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "WARM_S", 3.0)
    tables.main(steps=(2,), seconds=6.0, alone=1, times=3)
    printed = lines(capsys.readouterr().out)
    assert set(printed) == {
        "tables of six, looked on at", "tables held with a 99th percentile below the mark",
        "tables of bots among themselves", "an answer at one table while another is flooded",
    }  # fmt: skip
    watched = printed["tables of six, looked on at"]
    assert watched["tables"] == 2 and watched["timed"] > 0 and watched["actions_s"] > 0  # type: ignore[operator]
    assert printed["an answer at one table while another is flooded"]["flood_acts_s"] >= 0  # type: ignore[operator]


def test_a_long_evening_is_measured_minute_by_minute(capsys: pytest.CaptureFixture[str]) -> None:
    soak.main(minutes=3, tables=2, minute_s=4.0)
    lines = [json.loads(text) for text in capsys.readouterr().out.splitlines()]
    assert [row.get("minute") for row in lines] == [1, 2, 3, None, None]
    assert lines[3]["unit"] == "MiB in ten minutes" and lines[4]["timed"] == sum(row["timed"] for row in lines[:3])


async def test_an_attack_is_measured_beside_a_quiet_run() -> None:
    told = await abuse.attacked("flood", 0.5)
    assert told["quiet_ms"]["p50"] > 0 and told["attacked_ms"]["p50"] > 0 and told["ratio"] > 0
    assert told["host_peak_mib"] > 10 and told["handler_ms"]["max"] > 0


def test_two_acts_at_once_are_measured(capsys: pytest.CaptureFixture[str]) -> None:
    arrival.main(races=4)
    (row,) = lines(capsys.readouterr().out).values()
    assert row["races"] == 4 and row["unit"] == "%"
