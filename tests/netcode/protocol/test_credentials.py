"""Join strings, keys on disk, tokens, and the saved seats of one user."""

import stat
import time
from pathlib import Path

import pytest

from netcode.protocol.credentials import (
    Join,
    claim_seat,
    data_folder,
    is_claimed,
    new_pair,
    new_token,
    parse_join,
    same,
    server_pair,
    token_hash,
)

JOIN = Join("192.168.1.7", 7788, "ab12cd", bytes(range(32)), bytes(range(16)))


HOSTS = ("192.168.1.7", "localhost", "my-host.example", "::1", "fe80::1", "fe80::1%eth0", "fe80::1%25")


@pytest.mark.parametrize("host", HOSTS)
def test_a_join_string_has_address_table_key_and_token(host: str) -> None:
    join = Join(host, 7788, "ab12cd", JOIN.key, JOIN.token)
    assert parse_join(str(join)) == join
    assert parse_join(f"  '{join}'\n") == join


OTHERS = (("10.0.0.2", 7788), ("club.example", 7789), ("2001:db8::7", 1), ("fe80::1%eth0", 7788))


def test_a_join_string_may_have_the_addresses_of_other_hosts_of_a_club() -> None:
    join = JOIN.at([*JOIN.places, *OTHERS, ("10.0.0.2", 7788)])
    assert join.places == (*JOIN.places, *OTHERS), "each once"
    assert str(join).startswith(f"{JOIN}@10.0.0.2:7788,club.example:7789,[2001:db8::7]:1,")
    for text in (str(join), f"kickdoor join '{join}' --name Kim", str(join).replace(",", ",\n"), f"<{join}>."):
        assert parse_join(text) == join
    assert len(parse_join(f"{JOIN}@{','.join(f'h{n}:{n}' for n in range(1, 40))}").places) == 8
    for damaged in ("@", "@10.0.0.2", "@10.0.0.2:99999", "@10.0.0.2:0", "@a b:7788", "@:7788", " @10.0.0.2:7788", ","):
        assert parse_join(f"{JOIN}{damaged}") == JOIN


def test_a_zone_may_be_written_as_in_urls() -> None:
    text = str(Join("fe80::1%eth0", 7788, "ab12cd", JOIN.key, JOIN.token))
    assert "[fe80::1%eth0]:7788" in text and parse_join(text.replace("%eth0", "%25eth0")) == parse_join(text)


def test_without_a_port_the_default_port_is_used() -> None:
    assert parse_join(str(JOIN).replace(":7788/", "/")).port == 7788


def test_secrets_do_not_appear_in_a_repr() -> None:
    assert JOIN.token.hex() not in repr(JOIN) and repr(JOIN.token) not in repr(JOIN)
    pair = new_pair()
    assert repr(pair.secret) not in repr(pair)


def test_only_its_owner_may_read_the_hosts_key(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    pair = server_pair(folder)
    assert server_pair(folder) == pair
    assert stat.S_IMODE((folder / "server.key").stat().st_mode) == 0o600


def test_a_damaged_key_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "server.key").write_text("gibberish")
    with pytest.raises(ValueError, match=r"server\.key is damaged"):
        server_pair(tmp_path)


def test_tokens_are_compared_by_their_hashes() -> None:
    token = new_token()
    assert len(token) == 16 and token != new_token()
    assert token_hash(token) == token_hash(token) != token
    assert same(token_hash(token), token_hash(token)) and not same(token_hash(token), token_hash(new_token()))


def test_each_client_of_one_user_has_a_saved_seat_and_returns_to_it(tmp_path: Path) -> None:
    first, second = claim_seat(JOIN, "Bot", tmp_path), claim_seat(JOIN, "Bot", tmp_path)
    first.keep(b"1" * 16)
    second.keep(b"2" * 16)
    assert first.pair != second.pair
    second.release()
    again = claim_seat(JOIN, "Bot", tmp_path)
    assert (again.token, again.pair) == (b"2" * 16, second.pair)
    first.release()
    assert claim_seat(JOIN, "Bot", tmp_path).token == b"1" * 16


def test_a_seat_is_claimed_while_a_client_of_its_user_has_it(tmp_path: Path) -> None:
    assert not is_claimed(JOIN, "Kim", tmp_path) and not list(tmp_path.iterdir())
    kim = claim_seat(JOIN, "Kim", tmp_path)
    assert is_claimed(JOIN, "Kim", tmp_path) and not is_claimed(JOIN, "Roger", tmp_path)
    kim.release()
    assert not is_claimed(JOIN, "Kim", tmp_path)


def test_saved_seats_differ_by_name_table_and_server(tmp_path: Path) -> None:
    kim = claim_seat(JOIN, "Kim", tmp_path)
    kim.keep(b"k" * 16)
    kim.release()
    assert claim_seat(JOIN, "Roger", tmp_path).token == b""
    elsewhere = Join(JOIN.host, JOIN.port, "other", JOIN.key, JOIN.token)
    assert claim_seat(elsewhere, "Kim", tmp_path).token == b""
    assert claim_seat(JOIN, "Kim", tmp_path).token == b"k" * 16


def test_a_removed_or_damaged_saved_seat_is_replaced_by_an_empty_one(tmp_path: Path) -> None:
    slot = claim_seat(JOIN, "Kim", tmp_path)
    slot.keep(b"k" * 16)
    slot.forget()
    slot.release()
    fresh = claim_seat(JOIN, "Kim", tmp_path)
    assert fresh.token == b""
    fresh.keep(b"x" * 16)
    fresh.release()
    (file,) = tmp_path.glob("seats/*/*.json")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("{")
    assert claim_seat(JOIN, "Kim", tmp_path).token == b""


def test_the_data_folder_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("KICKDOOR_DATA")
    assert data_folder().name == "kickdoor"


def test_how_far_a_game_was_seen_is_kept_with_the_seat(tmp_path: Path) -> None:
    join = Join("127.0.0.1", 1, "t", bytes(32), bytes(16))
    seat = claim_seat(join, "Kim", tmp_path)
    assert seat.seen == (0, 0, 0)
    seat.keep(b"token")
    seat.seen = (2, 57, 310)
    seat.keep_seen()
    seat.release()
    again = claim_seat(join, "Kim", tmp_path)
    assert (again.seen, again.token) == ((2, 57, 310), b"token") and 0 < again.kept_at <= time.time() + 1
    again.release()
    (path,) = tmp_path.rglob("*.seen")
    for damage in ("", "2", "x y", "-1 5", f"2 {10**18}", "2 57 3 4", "9" * 100_000):
        path.write_text(damage)
        damaged = claim_seat(join, "Kim", tmp_path)
        assert (damaged.seen, damaged.token) == ((0, 0, 0), b"token")
        damaged.release()
    path.write_text("2 57")
    older = claim_seat(join, "Kim", tmp_path)
    assert older.seen == (2, 57, 0), "an older version kept no events"
    older.release()
    last = claim_seat(join, "Kim", tmp_path)
    last.forget()
    last.release()
    assert not list(tmp_path.rglob("*.seen"))
