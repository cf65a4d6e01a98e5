"""Who comes in, in real terminals: a knock answered with a key, and a new join string that is shown and works."""

import re
import shlex

from netcode.protocol.credentials import parse_join
from tests.e2e.hosts_and_players import PROGRAM, ProgramRunner
from tests.e2e.tmux_terminal import Screen

STRING = re.compile(r"kickdoor join\s+'(kickdoor://[^']+)'")


def test_a_newcomer_knocks_and_the_owner_lets_them_in_with_two_keys(runner: ProgramRunner) -> None:
    host = runner.host("--pace", "relaxed", "--knock", "--seats", "3")
    kim = runner.join("Kim", host.owner)
    kim.wait_for("Press y when you are ready", stands=0.1)
    roger = runner.join("Roger", host.join)
    waiting = roger.wait_for("You have knocked as Roger.")
    (fingerprint,) = re.findall(r"[0-9a-f]{4} [0-9a-f]{4}", " ".join(waiting.split()))
    assert "Kim" not in waiting, "whoever waits learns nothing of the table"
    kim.wait_for("d Roger knocks")
    kim.press("d")
    kim.wait_for(f"let in Roger {fingerprint}")
    kim.press("4")
    roger.wait_for("Press y when you are ready")
    kim.wait_for(re.compile(r"■ Roger .*not ready yet"))

    old, shown = parse_join(host.join), shown_string(kim)
    assert parse_join(shown) == old
    kim.press("d")
    kim.choose("new join string")
    kim.wait_for("There is a new join string")
    new = shown_string(kim)
    assert (parse_join(new).key, parse_join(new).table) == (old.key, old.table) and parse_join(new).token != old.token
    code, last = runner.join("Eve", host.join).ended()
    assert code == 1 and "no table here fits this join string" in last, last
    ann = runner.join("Ann", new)
    kim.wait_for("d Ann knocks")
    kim.press("d")
    kim.choose("refuse Ann")
    code, last = ann.ended()
    assert code == 1 and "does not let you in: you may knock again in 5 minutes" in last, last


def shown_string(screen: Screen) -> str:
    """Return the join string that a waiting room shows, on several lines."""
    found = STRING.search(screen.wait_for(STRING))
    assert found is not None
    return re.sub(r"\s", "", found.group(1))


def test_what_the_waiting_room_shows_leads_to_the_table_when_it_is_piped_as_it_stands(runner: ProgramRunner) -> None:
    """Six seats at 80 by 24: the string is drawn over two indented lines, and copied with the lines around it."""
    host = runner.host("--seats", "6")
    line = shlex.quote(f"kickdoor join '{host.join}'")
    piped = f"printf '%s\\n' {line} | {shlex.join(PROGRAM)} join - --name Kim"
    kim = runner.tmux.open("Kim", ["sh", "-c", piped], runner.env("Kim"))
    shown = kim.wait_for("Others sit down with", stands=0.3)
    assert str(parse_join(shown)) == host.join, shown
    copied = runner.folder / "copied.txt"
    copied.write_text(shown[shown.index("Others sit down with") :], encoding="utf-8")
    roger = runner.run("Roger", "join", "-", "--name", "Roger")
    roger.wait_for("join string:")
    for row in shown[shown.index("Others sit down with") :].splitlines()[1:4]:
        roger.type(row)
        roger.press("Enter")
    roger.wait_for("Press y when you are ready")
    eve = runner.tmux.open(
        "Eve", ["sh", "-c", f"{shlex.join(PROGRAM)} join - --name Eve < {shlex.quote(str(copied))}"], runner.env("Eve")
    )
    eve.wait_for("Press y when you are ready")
    kim.wait_for(re.compile("Roger[\\s\\S]*Eve"))
