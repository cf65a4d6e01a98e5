"""A scripted player who reads the screen and presses the key that ends the turn soonest."""

import re
import time
from collections.abc import Sequence

from tests.e2e.tmux_terminal import READ_S, Screen, Wanted, entry_of, holds
from tests.patience import PATIENCE_S

CHOICES = (
    "claim the kill", "give up and run", "run from", "loot the room", "end your turn", "let it strike",
    "kick open the door", "ready, begin", "go on to the end of your turn",
)  # fmt: skip
"""The choices that the player prefers, in this order."""


def play(screens: Sequence[Screen], until: Wanted, timeout: float = PATIENCE_S) -> str:
    """Answer every question on these screens until the first one shows the wanted text; return its text."""
    deadline = time.monotonic() + timeout
    while not holds(until, shown := screens[0].text()):
        assert time.monotonic() < deadline, f"not so after {timeout:g} s: {until!r}\n{screens[0].tmux.all_text()}"
        for screen in screens:
            key = answer_to(screen.text())
            if key:
                screen.press(key)
        time.sleep(READ_S)
    return shown


def answer_to(shown: str) -> str:
    """Return the key that ends the turn soonest: a preferred choice, a pass, otherwise the first option."""
    prompt = "\n".join(line for line in shown.splitlines() if line.startswith("▌"))
    if "SPACE go on" in shown:  # a moment lies over the table
        return "Space"
    if "no, go back" in prompt:  # it asks for confirmation
        return "Enter"
    for label in CHOICES:
        found = entry_of(label).search(shown)
        if found is not None:
            return found[1]
    if re.search(r"\bSPACE ", prompt):
        return "Space"
    free = re.search(r" (\d) +\[ \]", shown)
    if free is not None and re.search(r"ENTER +\w+ these", prompt) is None:
        return free[1]
    if "ENTER" in prompt:
        return "Enter"
    waits = not prompt or re.match(r"▌ (WAITING|YOU ARE SPECTATING|THE GAME IS OVER)", prompt) is not None
    return "" if waits else "1"
