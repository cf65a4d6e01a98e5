"""docs/bots.md: its code is that of docs/examples, and both bots play."""

import asyncio
import json
import re
import shutil
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from msgspec import Struct

from core.language.schema import Card
from core.state.views import FightView, SeatView, View, WindowView, You
from netcode.bots.levels import TABLE_LEVELS
from netcode.processes.start import child_env
from netcode.protocol import limits
from tests.netcode.running_host import running_host
from tests.patience import PATIENCE_S

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = ("greedy.py", "first_bot.py")


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_page_shows_the_example_as_it_is(name: str) -> None:
    shown = re.findall(r"```python\n(.*?)```", (DOCS / "bots.md").read_text(), re.DOTALL)
    assert (DOCS / "examples" / name).read_text() in shown, f"docs/bots.md shows another {name} than docs/examples"


@pytest.mark.parametrize("struct", [View, SeatView, FightView, You, WindowView, Card])
def test_the_page_has_every_field_of_a_view_and_of_a_card(struct: type[Struct]) -> None:
    table = re.search(rf"^\| `{struct.__name__}`.*?\n\n", (DOCS / "bots.md").read_text(), re.DOTALL | re.MULTILINE)
    assert table is not None, f"docs/bots.md has no table of {struct.__name__}"
    told = {name for row in table[0].split("\n")[2:-2] for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert told == set(struct.__struct_fields__)


def test_the_first_bot_has_thirty_lines() -> None:
    assert len((DOCS / "examples" / "first_bot.py").read_text().splitlines()) <= 30


def kickdoor(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**child_env(), "PYTHONPATH": str(DOCS.parent)}
    command = [sys.executable, "-m", "tui", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in EXAMPLES:
        shutil.copy(DOCS / "examples" / name, tmp_path)
    return tmp_path


def test_the_class_plays_in_simulations(folder: Path) -> None:
    done = kickdoor(folder, "simulate", "--bot", "greedy:Greedy", "--bot", "easy", "--games", "2", "--json")
    assert done.returncode == 0, done.stderr + done.stdout
    result = json.loads(done.stdout)
    assert result["finished"] == 2 and result["seats_by_bot"] == {"greedy:Greedy": 4, "easy": 4}


def test_a_class_that_is_not_there_is_refused_in_one_sentence(folder: Path) -> None:
    for command in (("simulate", "--bot", "greedy:Modest"), ("bot", "kickdoor://x", "--bot", "greedy:Modest")):
        done = kickdoor(folder, *command)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert "the module 'greedy' has no class 'Modest'" in done.stderr


@pytest.mark.long(2)
@pytest.mark.parametrize(
    ("command", "title"),
    [
        (("first_bot.py",), "First bot, by Kim"),
        (("-m", "tui", "bot", "-", "--bot", "greedy:Greedy", "--name", "Robin"), "Greedy, by Kim"),
    ],
)
async def test_both_play_over_the_network_under_their_own_name(
    folder: Path, command: tuple[str, ...], title: str
) -> None:  # fmt: skip
    environment = {**child_env(), "KICKDOOR_DATA": str(folder), "PYTHONPATH": str(DOCS.parent)}
    async with running_host(seed=3, bots=2, speed="fast") as host:
        watcher = host.client("Wim", join=host.watch, role="watch")
        await watcher.join()
        stdin = "-" in command
        arguments = command if stdin else (*command, host.join)
        bot = await asyncio.create_subprocess_exec(
            sys.executable, *arguments, cwd=folder, env=environment, stdin=PIPE, stdout=PIPE, stderr=PIPE
        )
        try:
            assert bot.stdin is not None
            bot.stdin.write(host.join.encode() + b"\n")
            bot.stdin.close()
            await watcher.wait_for(lambda one: one.view is not None and one.view.turn_no >= 3, PATIENCE_S)
            [seat] = [seat for seat in watcher.info.seats if seat.name == "Robin"]
            assert (seat.state, seat.bot) == ("bot", title) and title not in TABLE_LEVELS
            assert len(title) <= limits.BOT_CHARS
            await watcher.close()
        finally:
            if bot.returncode is None:
                bot.kill()
            output, errors = await bot.communicate()
        assert errors == b"", errors.decode()
        assert not stdin or output.decode() == f"Robin ({title}) has seat 1\n"


@pytest.mark.long(0)
async def test_the_first_bot_says_in_one_line_why_it_ends(folder: Path) -> None:
    environment = {**child_env(), "KICKDOOR_DATA": str(folder), "PYTHONPATH": str(DOCS.parent), "PYTHONUNBUFFERED": "1"}

    async def start(join: str) -> asyncio.subprocess.Process:
        command = (sys.executable, "first_bot.py", join)
        return await asyncio.create_subprocess_exec(*command, cwd=folder, env=environment, stdout=PIPE, stderr=PIPE)

    async with running_host(seats=3, bots=1, speed="fast", pace="quick") as host:
        owner = host.client("Kim")
        await owner.join()
        owner.set(ready=True)
        stranger = await start(host.join[:-4])
        output, errors = await asyncio.wait_for(stranger.communicate(), PATIENCE_S)
        assert errors == b"" and output.count(b"\n") == 1, errors.decode() + output.decode()
        bot = await start(host.join)
        assert bot.stdout is not None
        await asyncio.wait_for(bot.stdout.readline(), PATIENCE_S)  # it plays
        owner.admin("kick", next(no for no, seat in enumerate(owner.info.seats) if seat.name == "Robin"))
        output, errors = await asyncio.wait_for(bot.communicate(), PATIENCE_S)
        assert errors == b"" and b"sent you away" in output.splitlines()[-1], errors.decode() + output.decode()
        await owner.close()
