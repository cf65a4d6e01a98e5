"""A game that was begun before continues unchanged, or one sentence says why not: its state never changes silently.

The rules are changed in a copy of `core`: each test with other rules runs a process of its own (tests/other_rules.py).
"""

import json
import sqlite3
import zipfile
from pathlib import Path

import msgpack
import msgspec
import pytest
from msgspec.structs import replace

from netcode.host.recovery import restore
from netcode.journal import FactRow, Journal, JournalError, SavedTable, SnapRow
from netcode.journal.checksums import snap_checksum
from netcode.protocol import wire
from netcode.protocol.played_rules import RULES_MOST, own_rules, program, with_own
from netcode.table.reached import REACHED, RULES, Reached, reached_row, rules_in
from netcode.table.table import Table
from tests.netcode.journal.begun_games import GAMES, OLDER, BegunTable
from tests.netcode.journal.restored_tables import restored
from tests.netcode.offline_table import JOIN
from tests.other_rules import FIGURES, OtherRules

Begun = tuple[Path, dict[str, str]]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Begun:
    """A journal with all games that this program has begun, and the digests of their states."""
    folder = tmp_path_factory.mktemp("begun")
    journal = Journal(folder)
    for name in GAMES:
        table = BegunTable(name)
        table.play()
        journal.commit(name, [FactRow("config", b""), table.record().row(), *table.rows], lambda: None)
    journal.close()
    states = restored(folder)
    assert states.pop("said") == "", "nothing needs to be said with the same rules"
    return folder, states


@pytest.fixture(scope="module", params=FIGURES)
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> OtherRules:
    return OtherRules(tmp_path_factory.mktemp("rules"), request.param)


def said_of(name: str, said: str) -> str:
    """Return the host's messages about a table."""
    return next((line for line in said.splitlines() if line.startswith(f"table {name}")), "")


def acts_and_snaps(folder: Path) -> list[object]:
    """Return all actions and snapshots of a journal."""
    with sqlite3.connect(folder / "table.sqlite") as db:
        return [*db.execute("SELECT * FROM acts"), *db.execute("SELECT * FROM snaps")]


def test_a_game_goes_on_as_it_was_with_the_same_rules(begun: Begun) -> None:
    assert begun[1].keys() == GAMES.keys()
    for name in ("copies", "super"):
        table = BegunTable(name)
        table.play()
        assert table.table.match is not None
        assert Reached(1, 0, bytes.fromhex(begun[1][name])).is_of(table.table.match.game.save())


@pytest.mark.long(2)
def test_with_other_rules_a_game_goes_on_as_it_was_or_a_sentence_says_why_not(begun: Begun, other: OtherRules) -> None:
    folder, states = begun
    before = acts_and_snaps(folder)
    done = other.run("tests.netcode.journal.restored_tables", str(folder))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    said = found.pop("said")
    assert all(state == states[name] for name, state in found.items()), "another state than before"
    lost = states.keys() - found.keys()
    assert lost, "this figure matters to some of these games"
    for name in lost:
        line = said_of(name, said)
        assert program(own_rules()) in line and "so open it with that (it stays as it is)" in line, said
    assert any("lead to another game" in said_of(name, said) for name in lost), "each action was possible"
    assert acts_and_snaps(folder) == before and restored(folder) == {**states, "said": ""}, "nothing is lost"


@pytest.mark.long(2)
def test_a_host_with_other_rules_says_it_and_ends_and_the_next_one_restores_the_game(
    begun: Begun, other: OtherRules, tmp_path: Path
) -> None:
    table = BegunTable("copies")
    table.play()
    journal = Journal(tmp_path)
    journal.commit("copies", [FactRow("config", b""), table.record().row(), *table.rows], lambda: None)
    journal.close()
    done = other.run("tui", "host", "--data", str(tmp_path), "--port", "0", "--no-front", "--no-restart", home=tmp_path)
    assert done.returncode == 2 and done.stdout == "", done
    said = [line for line in done.stderr.splitlines() if program(own_rules()) in line]
    assert len(said) == 1 and "lead to another game" in said[0] and "Traceback" not in done.stderr, done.stderr
    assert restored(tmp_path) == {"copies": begun[1]["copies"], "said": ""}


def test_games_begun_before_games_noted_their_rules_go_on_or_a_sentence_says_why_not(tmp_path: Path) -> None:
    """This holds for any present rules and cards. The host says which actions nobody can check."""
    with zipfile.ZipFile(OLDER) as archive:
        archive.extractall(tmp_path)
    notes = msgspec.json.decode((tmp_path / "notes.json").read_bytes(), type=dict[str, tuple[int, str]])
    before, found = acts_and_snaps(tmp_path), restored(tmp_path)
    said = found.pop("said")
    assert notes.keys() == GAMES.keys()
    for name in notes:
        line = said_of(name, said)
        assert "an older kickdoor" in line or "other card packs" in line, (name, said)
        assert (name in found) == ("it cannot be checked" in line)
    assert acts_and_snaps(tmp_path) == before


def saved_game(name: str, folder: Path) -> tuple[BegunTable, SavedTable]:
    """Return one of the games, and what its journal has."""
    table = BegunTable(name)
    table.play()
    journal = Journal(folder)
    journal.commit(name, [FactRow("config", b""), table.record().row(), *table.rows], lambda: None)
    journal.close()
    journal = Journal(folder)
    saved = journal.load(name)
    journal.close()
    assert saved is not None
    return table, saved


def restored_from(table: BegunTable, saved: SavedTable) -> Table:
    return restore(saved, table.record(), table.rules, lambda number: b"seed", 2, table.stamp)


def test_whoever_comes_back_is_told_what_cannot_be_checked(tmp_path: Path) -> None:
    table, saved = saved_game("compelled", tmp_path)
    older = {name: value for name, value in saved.facts.items() if name not in (REACHED, RULES)}
    again = restored_from(table, replace(saved, facts=older))
    hello = wire.Hello(wire.WIRE, wire.WIRE, again.config.table, JOIN, "Vic", "player")
    token = table.players[0].received(wire.Welcome)[-1].token
    assert again.hello(replace(hello, token=token), "Ann", b"new", table.stamp) is not None
    (told,) = [one.message for one in again.take()[1] if isinstance(one.message, wire.Talk)]
    assert told.seat == -1 and told.text == again.notice
    assert "the last 31 actions of this game were made with an older kickdoor" in told.text
    assert rules_in(replace(saved, facts=older)) == [""] and rules_in(saved) == [own_rules()]
    assert again.match is not None and again.match.rules == ["", own_rules()]


def test_what_an_older_version_has_played_in_between_is_checked_as_far_as_it_is_noted(tmp_path: Path) -> None:
    table, saved = saved_game("compelled", tmp_path)
    at_20 = next(row.value for row in table.rows if isinstance(row, FactRow) and row.name == REACHED
                 and msgspec.msgpack.decode(row.value, type=Reached).seq == 20)  # fmt: skip
    between = replace(saved, facts={**saved.facts, REACHED: at_20})
    again = restored_from(table, between)
    assert "the last 11 actions" in again.notice
    assert again.match is not None and again.match.rules == [own_rules(), "", own_rules()]
    wrong = reached_row(1, 20, b"another state").value
    with pytest.raises(JournalError, match="lead to another game"):
        restored_from(table, replace(saved, facts={**saved.facts, REACHED: wrong}))


def test_a_state_that_another_version_writes_differently_is_the_same_game(tmp_path: Path) -> None:
    """A version that lacked the last field of the state saved other bytes, so the digests prove nothing."""
    table, saved = saved_game("compelled", tmp_path)

    def older(state: bytes) -> bytes:
        return msgpack.packb(msgpack.unpackb(state, strict_map_key=False)[:-1])

    assert table.table.match is not None
    state = table.table.match.game.save()
    states = [(snap.seq, older(snap.state)) for snap in saved.snaps]
    snaps = [SnapRow(1, seq, data, snap_checksum(1, seq, data)) for seq, data in states]
    rules = replace(saved, snaps=snaps, facts={**saved.facts, REACHED: reached_row(1, 31, older(state)).value})
    again = restored_from(table, rules)
    assert again.match is not None and again.match.game.save() == state
    assert "it cannot be checked" in again.notice


def test_what_a_newer_version_notes_is_passed_over(tmp_path: Path) -> None:
    table, saved = saved_game("compelled", tmp_path)
    again = restored_from(table, replace(saved, facts={**saved.facts, REACHED: b"\xc1", RULES: b"\xc1"}))
    assert again.match is not None and "an older kickdoor" in again.notice


def test_the_rules_that_are_noted_of_a_game_are_bounded() -> None:
    rules = with_own([f"0.{no} abc" for no in range(30)])
    assert len(rules) == RULES_MOST and rules[0] == "0.0 abc" and rules[-2:] == ["0.29 abc", own_rules()]
    assert with_own(rules) == rules and with_own([]) == [own_rules()]
