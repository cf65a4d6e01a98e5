"""Files from strangers: kickdoor reads them quickly or prints only one sentence, whatever they contain."""

import json
import os
import re
import shutil
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from core.authoring.template import new_pack
from core.language.errors import PackError
from core.scenario.schema import ScenarioError, load
from netcode.protocol.pack_files import load_packs
from netcode.recording.recording import MAGIC, ReplayError, read_header, read_recording
from netcode.sandbox.regular_files import FileRefused, read_file, toml_files
from netcode.table.scenario_table import ScenarioTableError, read_scenario
from tests.tui.command_line import kickdoor
from tui.config import settings

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes and devices among its files")
ESCAPE = "\x1b]0;x\x07\x1b[2J\u202e"


def written(folder: Path) -> Path:
    """Write the pack of the template into a folder; return it."""
    for name, data in new_pack("My Set").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


# ---------------------------------------------------------------------------------------------------- regular files
def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path)


def endless(path: Path) -> None:
    path.symlink_to("/proc/self/mem" if sys.platform == "linux" else "/dev/zero")


OBSTACLES: list[Callable[[Path], None]] = [Path.mkdir, fifo, device, loop, endless]


@posix
@pytest.mark.parametrize("obstacle", OBSTACLES, ids=["folder", "fifo", "device", "loop", "endless"])
def test_only_regular_files_are_read(
    obstacle: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading one of these neither blocks nor runs without end."""
    pack = written(tmp_path / "my-set")
    for name in ("doors.toml", "pack.toml", "scenarios/first.toml"):
        original = (pack / name).read_bytes()
        (pack / name).unlink()
        obstacle(pack / name)
        if name.startswith("scenarios"):
            with pytest.raises(ScenarioTableError, match=r"first\.toml"):
                read_scenario(str(pack / name))
        else:
            with pytest.raises(PackError, match=name):
                load_packs([str(pack)])
        shutil.rmtree(pack / name) if obstacle is Path.mkdir else (pack / name).unlink()
        (pack / name).write_bytes(original)
    for name, read in (("game.kickdoor", read_recording), ("head.kickdoor", read_header)):
        obstacle(tmp_path / name)
        with pytest.raises(ReplayError, match=name):
            read(tmp_path / name)
    obstacle(tmp_path / "settings.toml")
    monkeypatch.setenv("KICKDOOR_CONFIG", str(tmp_path / "settings.toml"))
    with pytest.raises(settings.SettingsError, match=r"settings\.toml cannot be read"):
        settings.load()


def test_a_file_that_grows_while_it_is_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"x" * 100)
    before = os.fstat

    def small(number: int) -> os.stat_result:
        found = before(number)
        path.write_bytes(b"x" * 5000)
        return found

    monkeypatch.setattr(os, "fstat", small)
    with pytest.raises(FileRefused, match="too big"):
        read_file(path, 1024)


def test_a_folder_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(30):
        (tmp_path / f"{at}.toml").touch()
    with pytest.raises(FileRefused, match="30 TOML files: at most 24"):
        toml_files(tmp_path, 24)
    monkeypatch.setattr("netcode.sandbox.regular_files.ENTRIES_LIMIT", 20)
    with pytest.raises(FileRefused, match="more than 20 entries"):
        toml_files(tmp_path, 24)


# -------------------------------------------------------------------------------------------------------- scenarios
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("scenario = [[[1]]]", "is not a table"),
        ("scenario = 3", r"holds no \[\[scenario\]\]"),
        ("x = " + "[" * 3000, "nested too deeply"),
        ("x = " + "{a=" * 40 + "1" + "}" * 40, "nested more than 32 deep"),
        (".".join("a" * 60_000) + " = 1", "a line has"),
        ("[[scenario]]\n" * 2001, "at most 2000"),
        ('[[scenario]]\nname = "x"\nseats = { Kim = {} }\nsteps = [{ by = "Kim", do = "use", ability = -1 }]', ">= 0"),
        ('[[scenario]]\nname = "x"\nseats = {}\nsteps = [{ by = "K", do = "accept", offer = 999999999999999999 }]',
         "<= 9"),
    ],
)  # fmt: skip
def test_a_scenario_file_that_makes_no_sense_is_refused_in_one_sentence(text: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=says) as refusal:
        load(text.encode(), "s.toml")
    assert "\n" not in str(refusal.value)


# ---------------------------------------------------------------------------------------------------------- replays
@pytest.mark.parametrize("size", [0xFFFFFFFF, 0x7FFFFFFF, 2**26])
def test_a_replay_that_announces_gigabytes_takes_no_memory(size: int, tmp_path: Path) -> None:
    path = tmp_path / "game.kickdoor"
    path.write_bytes(MAGIC + size.to_bytes(4, "big") + b"x" * 100)
    tracemalloc.start()
    with pytest.raises(ReplayError, match=rf"the header would have {size} bytes: at most 65536"):
        read_recording(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1e6


# ---------------------------------------------------------------------------------------------- what is said of them
def commands(pack: Path) -> list[tuple[list[str], str]]:
    """Return commands that read a pack, and words that each must say."""
    return [
        (["cards", "check", str(pack)], "invisible character"),
        (["cards", "check", str(pack), "--json"], "invisible character"),
        (["cards", "list", "--set", str(pack)], "invisible character"),
        (["cards", "show", "Mop", "--set", str(pack)], "invisible character"),
        (["scenario", str(pack)], "expected"),
        (["play", "--set", f"{pack}{ESCAPE}"], ""),
        (["replay", f"{pack}{ESCAPE}", "--verify"], ""),
        (["host", "--port", "0", "--set", str(pack)], "invisible character"),
    ]


@pytest.mark.long(0)
@posix
def test_no_command_prints_what_controls_the_terminal(tmp_path: Path) -> None:
    pack = written(tmp_path / f"my-set{ESCAPE.replace('/', '')}")
    doors, scenario = pack / "doors.toml", pack / "scenarios" / "first.toml"
    name = json.dumps(f"Stage {ESCAPE} Fright")
    doors.write_text(doors.read_text().replace('"Stage Fright"', name).replace('"stage-fright"', name))
    scenario.write_text(scenario.read_text().replace("A bucket", f"A {json.dumps(ESCAPE)[1:-1]} bucket") + "\ny = 1")
    for command, words in commands(pack):
        done = kickdoor(*command, home=tmp_path)
        said = done.stdout + done.stderr
        assert done.returncode in (1, 2) and words in said, (command, said)
        assert "Traceback" not in said and not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", said), (command, said)
