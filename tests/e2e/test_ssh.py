"""Players over a real SSH connection: the program runs on the remote side, or the host's port is forwarded."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.hosts_and_players import PROGRAM, RACE, ROOT, ProgramRunner, fights_at, hand_of
from tests.e2e.ssh_server import SshServer, free_port
from tests.e2e.tmux_terminal import KIM_KICKS, Screen


@pytest.fixture
def ssh(tmp_path: Path) -> Iterator[SshServer]:
    """A private SSH server."""
    server = SshServer(tmp_path / "ssh")
    try:
        yield server
    finally:
        server.stop()


def join_from_afar(runner: ProgramRunner, ssh: SshServer, who: str, string: str) -> Screen:
    """`ssh -t FAR kickdoor join -` in a separate terminal; the string is typed, so that no command line shows it."""
    far = [*(f"{name}={value}" for name, value in runner.env(who).items()), *PROGRAM, "join", "-", "--name", who]
    remote = f"cd {shlex.quote(str(ROOT))} && env {shlex.join(far)}"
    screen = runner.tmux.open(who, [*ssh.command("-tt"), remote], runner.env(who))
    screen.wait_for("join string:")
    screen.type(string)
    screen.press("Enter")
    return screen


def test_a_player_returns_after_their_ssh_connection_broke_in_combat(runner: ProgramRunner, ssh: SshServer) -> None:
    host = runner.host("--pace", "relaxed", "--scenario", RACE)
    kim, roger = (runner.join(name, host.join) for name in ("Kim", "Roger"))
    ann = join_from_afar(runner, ssh, "Ann", host.join)
    for screen in (kim, roger, ann):
        screen.wait_for("Press y when you are ready", stands=0.1)
        screen.press("y")
    kim.choose("kick open the door")
    for neighbour in (roger, ann):
        neighbour.space(when=KIM_KICKS)
    ann.wait_for("COMBAT")
    hand = hand_of(ann)
    assert "Fireball" in hand[0]

    ann.kill()
    ann.ended()
    kim.wait_for(re.compile(r"◆ Ann[\s\S]*offline"))

    back = join_from_afar(runner, ssh, "Ann", host.join)
    back.wait_for("COMBAT")
    assert hand_of(back) == hand
    kim.wait_gone("offline")
    back.choose("play Fireball")
    back.choose("heroes")
    kim.wait_for(fights_at(11))


def test_a_forwarded_port_leads_to_the_table(runner: ProgramRunner, ssh: SshServer) -> None:
    host = runner.host("--seats", "3", "--bots", "2")
    near = free_port()
    port = re.search(r":(\d+)/", host.join)
    assert port is not None
    runner.tmux.open("tunnel", ssh.command("-N", "-L", f"127.0.0.1:{near}:127.0.0.1:{port[1]}"), runner.env("Ann"))
    ann = runner.join("Ann", host.join.replace(f":{port[1]}/", f":{near}/"))
    shown = ann.wait_for("Press y when you are ready")
    assert re.search(r"● Ann \((owner|you)\)", shown), shown
    ann.press("y")
    ann.wait_for("First cards")
