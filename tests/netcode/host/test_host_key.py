"""The host's key survives the loss of its file, since join strings and seats depend on it."""

from pathlib import Path

import pytest

from netcode.host.host_key import host_pair
from netcode.journal import Journal
from netcode.protocol.credentials import new_pair


@pytest.mark.parametrize("damage", ["", "00", "gibberish"])
def test_a_damaged_key_file_is_written_again(tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(tmp_path)
    pair, path = host_pair(tmp_path, journal), tmp_path / "server.key"
    good = path.read_text()
    path.write_text(damage + good[len(damage) : -1] if damage else "")
    assert host_pair(tmp_path, journal) == pair and path.read_text() == good
    path.write_text(f"{'00' if good[:2] != '00' else '11'}{good[2:]}")
    assert host_pair(tmp_path, journal) == pair and path.read_text() == good
    path.unlink()
    assert host_pair(tmp_path, journal) == pair and path.read_text() == good
    assert len([text for text in caplog.messages if "written again from the journal" in text]) == 3
    journal.close()


def test_another_key_put_there_counts(tmp_path: Path) -> None:
    journal, other = Journal(tmp_path), new_pair()
    host_pair(tmp_path, journal)
    (tmp_path / "server.key").write_text((other.public + other.secret).hex())
    assert host_pair(tmp_path, journal) == other
    (tmp_path / "server.key").unlink()
    assert host_pair(tmp_path, journal) == other
    journal.close()
