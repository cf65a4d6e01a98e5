"""The setting bots_remember reaches the host of one's own tables, alone and for friends, and nobody else's."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from netcode.client.earlier_games import FILE
from netcode.host import local_host
from netcode.host.config import HostConfig
from netcode.host.saved_games import SavedGame, SavedGameInfo
from tui.app import menu_rows, start_host
from tui.config.settings import Settings


@pytest.mark.parametrize("wanted", [False, True])
def test_a_game_alone_remembers_only_if_one_wants_that_and_says_if_the_file_is_bad(
    wanted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[HostConfig] = []

    def start(config: HostConfig, player: str, *, bots_wait: bool) -> Any:
        asked.append(config)
        return SimpleNamespace(join="kickdoor://x")

    monkeypatch.setattr(start_host, "start_local_host", start)
    monkeypatch.setenv("KICKDOOR_DATA", str(tmp_path))
    assert not Settings().bots_remember
    request = start_host.solo_request({}, Settings(bots_remember=wanted))
    assert not start_host.start_solo(request, "Kim").greeting
    (tmp_path / FILE).write_text("{")
    greeting = start_host.start_solo(request, "Kim").greeting
    assert [config.remember for config in asked] == [wanted, wanted] and (FILE in greeting) is wanted


def test_a_resumed_game_remembers_as_it_did(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(local_host, "_spawn", lambda config, *about: asked.append(config.remember))
    for remember in (True, False):
        join = f"kickdoor://127.0.0.1:7788/t#{'A' * 43}.{'A' * 22}"
        saved = SavedGame(tmp_path, SavedGameInfo(("axe-cop",), 3, "normal", join, "Kim", remember), 0.0)
        local_host.resume_local_host(saved)
    assert asked == [True, False]


@pytest.mark.parametrize("wanted", ["yes", "no"])
def test_a_table_for_friends_is_told(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def first_line(command: list[str]) -> dict[str, Any]:
        seen.extend(command)
        return {"owner": "kickdoor://o", "joins": ["kickdoor://j"]}

    monkeypatch.setattr(start_host, "_first_line", first_line)
    values = {row.name: row.value for row in menu_rows.host_rows(Settings(), ("axe-cop",))}
    start_host.start_for_friends(values | {"remember": wanted}, ("axe-cop",), ())
    assert ("--remember" in seen) is (wanted == "yes")
