"""A player's career: every finished game once, in a private file that survives damage and other clients."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from netcode.protocol import wire
from netcode.recording import career
from netcode.recording.career import CareerError, PlayedGame, count_game, counts, open_career, played_game, read_career
from netcode.recording.career_figures import career_rows, exported, figures
from netcode.recording.recorder import Finished
from tests.netcode.recorded_games import Listener, finished_game, recorder

PATH = "career.json"


def finished(seat: int, tmp_path: Path) -> Finished:
    """Return the end of a whole game as this player (3: a spectator) saw it."""
    ends: list[Finished] = []
    listener = Listener(finished_game()[seat])
    recorder(listener, tmp_path / "replays", [], ends)
    listener.catch_up()
    return ends[0]


def game(number: int, won: bool = False, **fields: object) -> PlayedGame:
    """Return an entry."""
    plain = PlayedGame(f"game{number}", number, ["maze"], 3, 0, ["normal", "normal"], won, 30, 10 if won else 7)
    return msgspec.structs.replace(plain, **fields)


def test_a_finished_game_counts_once(tmp_path: Path) -> None:
    end = finished(0, tmp_path)
    assert counts(end)
    entry = played_game(end, 1000.5)
    assert count_game(tmp_path / PATH, entry) == count_game(tmp_path / PATH, entry) == ""
    assert read_career(tmp_path / PATH) == [entry]
    assert (tmp_path / PATH).stat().st_mode & 0o077 == 0, "only its owner may read it"
    assert end.story is not None
    assert (entry.won, entry.seats, entry.people, entry.bots) == (0 in end.header.winners, 3, 2, [])
    assert (entry.turns, entry.kills) == (end.story.turns, end.story.seats[0].kills)
    assert entry.sets == ["munchkins-and-mazes"]


def test_games_of_bots_and_people_are_told_apart(tmp_path: Path) -> None:
    end = finished(0, tmp_path)
    end.info.seats[1] = wire.SeatInfo("Bot", "bot", bot="hard")
    entry = played_game(end, 0)
    assert (entry.people, entry.bots) == (1, ["hard"])


def test_a_game_that_was_watched_does_not_count(tmp_path: Path) -> None:
    assert not counts(finished(3, tmp_path))


def test_a_damaged_career_is_set_aside_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / PATH
    path.write_text('{"games": [{"game": 5}]}')
    problem = count_game(path, game(1))
    (aside,) = tmp_path.glob("career-damaged-*.json")
    assert str(aside) in problem and problem.count(". ") == 0 and "could not be read" in problem
    assert aside.read_text() == '{"games": [{"game": 5}]}'
    assert open_career(path) == ([game(1)], "")


@pytest.mark.parametrize("what", ["folder", "long"])
def test_a_career_that_cannot_be_read_is_refused_and_left_alone(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / PATH
    if what == "folder":
        path.mkdir()
    else:
        monkeypatch.setattr(career, "FILE_LIMIT", 100)
        path.write_text("x" * 101)
    with pytest.raises(CareerError, match="cannot be read"):
        count_game(path, game(1))
    assert path.exists()


def test_the_oldest_games_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(career, "GAMES_KEPT", 3)
    for number in range(5):
        count_game(tmp_path / PATH, game(number))
    assert [entry.game for entry in read_career(tmp_path / PATH)] == ["game2", "game3", "game4"]


def test_a_career_in_use_is_waited_for_and_then_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(career, "LOCK_S", 0.1)
    lock = career.lock_file(tmp_path / "career.lock")
    assert lock is not None
    with pytest.raises(CareerError, match="in use by another kickdoor"):
        count_game(tmp_path / PATH, game(1))
    lock.close()
    assert count_game(tmp_path / PATH, game(1)) == ""


def test_a_newer_career_with_more_fields_is_read(tmp_path: Path) -> None:
    entry = {**msgspec.to_builtins(game(1)), "mood": "good"}
    (tmp_path / PATH).write_text(json.dumps({"games": [entry], "version": 9}))
    assert read_career(tmp_path / PATH) == [game(1)]


def test_figures_add_up() -> None:
    games = [
        game(1, True, rolls=4, pips=20, runs=2, away=1, killers=["Glampire"]),
        game(2, True, people=1, bots=["hard"], sets=["maze", "apo"]),
        game(3, False, seats=4, deaths=2, killers=["Glampire", "Orc"]),
        game(4, True),
    ]
    found = figures(games)
    assert (found.games, found.won, found.streak, found.now) == (4, 3, 2, 1)
    assert {key: (one.won, one.games) for key, one in found.by_set.items()} == {"maze": (3, 4), "apo": (1, 1)}
    assert {key: (one.won, one.games) for key, one in found.by_seats.items()} == {"3": (3, 3), "4": (0, 1)}
    assert {key: (one.won, one.games) for key, one in found.against.items()} == {"bots": (2, 3), "people": (1, 1)}
    assert {key: (one.won, one.games) for key, one in found.by_bots.items()} == {"normal": (2, 3)}
    assert (found.rolls, found.average, found.away, found.runs) == (4, 5.0, 1, 2)
    assert found.killers == [("Glampire", 2), ("Orc", 1)]
    words = {title: dict(rows) for title, rows in career_rows(found)}
    assert words["Games"] == {"played": "4", "won": "3 of 4 (75 %)", "best streak": "2 in a row"}
    assert words["Dice"]["average"] == "5.00, 1.50 above a fair die"
    assert words["Favourite killers"] == {"Glampire": "2 times", "Orc": "once"}
    assert words["By players"] == {"3 at the table": "won 3 of 3 (100 %)", "4 at the table": "won 0 of 1 (0 %)"}


def test_an_empty_career_has_no_rows_and_an_export_is_json() -> None:
    assert career_rows(figures([])) == []
    data = json.loads(exported([game(1, True)]))
    assert data["games"][0]["won"] is True and data["figures"]["won"] == 1


def test_a_career_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count_game(tmp_path / PATH, game(1))

    def fail(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", fail)
        with pytest.raises(CareerError, match="No space left"):
            count_game(tmp_path / PATH, game(2))
    assert read_career(tmp_path / PATH) == [game(1)]
