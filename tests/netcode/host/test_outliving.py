"""A host that would end together with its SSH connection says so; and after the end of a host, its table waits for its
people for a while."""

import os
from pathlib import Path

import pytest

from netcode.host.config import HostConfig
from netcode.host.host_folders import AWAITED_S, folder_at, run_with_default_journal
from netcode.host.outliving import PEOPLE, note_people, ssh_warning

SSH = {"SSH_CONNECTION": "192.0.2.1 50000 192.0.2.2 22", "SSH_TTY": "/dev/pts/1"}


@pytest.mark.parametrize(("environment", "says"), [
    ({}, False),
    (SSH, True),
    ({"SSH_TTY": "/dev/pts/1"}, True),
    ({**SSH, "TMUX": "/tmp/tmux-0/default,1,0"}, False),
    ({**SSH, "STY": "1.pts"}, False),
    ({**SSH, "INVOCATION_ID": "0" * 32}, False),
])  # fmt: skip
def test_a_host_that_ends_with_its_ssh_line_says_how_to_outlive_it(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], says: bool
) -> None:
    for name in ("SSH_CONNECTION", "SSH_TTY", "TMUX", "STY", "ZELLIJ", "INVOCATION_ID"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    lines = " ".join(ssh_warning())
    assert ("tmux new" in lines and "systemd-run --user" in lines) == says


@pytest.mark.parametrize(("gone_s", "stays"), [(AWAITED_S - 60, True), (AWAITED_S + 60, False)])
def test_a_table_without_a_game_waits_for_its_people_for_ten_minutes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gone_s: int, stays: bool
) -> None:
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    monkeypatch.setattr("netcode.journal.playing_in", lambda folder: [])
    folder = folder_at(7799)
    folder.mkdir(parents=True)
    (folder / "server.key").write_text("key")
    note_people(folder)
    left = (folder / PEOPLE).stat().st_mtime - gone_s
    os.utime(folder / PEOPLE, (left, left))
    found: list[bool] = []

    def run(config: HostConfig) -> int:
        found.append((folder / "server.key").exists())
        return 0

    run_with_default_journal(HostConfig(port=7799), run)
    assert found == [stays]
