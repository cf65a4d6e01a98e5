"""The file of a seat leads back to it without a string; files of older versions lead back with theirs."""

import json
import stat
from pathlib import Path

import pytest

from netcode.client.saved_seats import about, known_seats, way_back
from netcode.protocol import wire
from netcode.protocol.credentials import Join, SavedSeat, claim_seat

JOIN = Join("192.168.1.7", 7788, "ab12cd", bytes(range(32)), bytes(range(16)))
INFO = wire.TableInfo("ab12cd", [wire.SeatInfo("Ben", "here"), wire.SeatInfo("Cyd", "here")], "playing", owner=0)


def kept(home: Path, name: str, join: Join = JOIN) -> SavedSeat:
    seat = claim_seat(join, name, home)
    seat.way = way_back(join, name)
    seat.keep(b"k" * 16)
    seat.table = about(INFO, 1, 14)
    seat.keep_seen()
    return seat


def test_a_seat_is_known_with_its_table_its_owner_and_its_turn(tmp_path: Path) -> None:
    seat = kept(tmp_path, "Cyd")
    (known,) = known_seats(tmp_path)
    assert (known.join, known.name, known.seat, known.owner, known.turn) == (JOIN, "Cyd", "Cyd", "Ben", 14)
    assert known.here, "a client of this user has it"
    seat.release()
    assert not known_seats(tmp_path)[0].here
    assert known_seats(tmp_path, name="Kim") == []
    again = claim_seat(known.join, known.name, tmp_path)
    assert (again.token, again.pair) == (b"k" * 16, seat.pair)
    for file in tmp_path.rglob("*.json"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again.forget()
    assert known_seats(tmp_path) == []


def test_a_seat_keeps_the_addresses_of_its_club(tmp_path: Path) -> None:
    join = JOIN.at([*JOIN.places, ("10.0.0.2", 7789), ("2001:db8::7", 1)])
    kept(tmp_path, "Cyd", join).release()
    assert known_seats(tmp_path)[0].join == join


def test_a_seat_of_an_older_version_leads_back_with_its_string_and_is_not_offered(tmp_path: Path) -> None:
    seat = claim_seat(JOIN, "Cyd", tmp_path)
    seat.keep(b"k" * 16)  # key and token, as older versions wrote them
    seat.release()
    assert known_seats(tmp_path) == []
    assert claim_seat(JOIN, "Cyd", tmp_path).token == b"k" * 16


@pytest.mark.parametrize("damage", [
    {"host": ""}, {"port": 0}, {"port": "7788"}, {"server": "zz" * 32}, {"server": "00"}, {"name": "x" * 99},
    {"when": -1}, {"table": 7}, {"invitation": "z" * 32}, {"others": ["10.0.0.2"]}, {"others": ["h:1"] * 99},
])  # fmt: skip
def test_a_damaged_way_back_is_not_offered(tmp_path: Path, damage: dict[str, object]) -> None:
    kept(tmp_path, "Cyd").release()
    (path,) = tmp_path.rglob("*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), **damage}))
    assert known_seats(tmp_path) == []


@pytest.mark.parametrize("text", ["", "{", "[]", '{"turn": -1}', '{"seat": 5}', "x" * 5000])
def test_a_damaged_description_of_the_table_costs_only_the_description(tmp_path: Path, text: str) -> None:
    kept(tmp_path, "Cyd").release()
    (path,) = tmp_path.rglob("*.table")
    path.write_text(text)
    (known,) = known_seats(tmp_path)
    assert (known.seat, known.owner, known.turn) == ("Cyd", "", 0)
