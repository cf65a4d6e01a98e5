"""Who comes in, in real terminals: a knock answered with a key, and a new join string that is shown and works."""

import re

from netcode.protocol.credentials import parse_join
from tests.e2e.hosts_and_players import ProgramRunner
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
