"""Three terminals at one table, as they are: two guests of a `kickdoor serve`, by the real `ssh`, and a player who has
kickdoor. `python -m tests.tui.pictures docs/pictures three-terminals` draws them."""

import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pyte
from rich.cells import cell_len

from tests.bench.door import Guest, open_door, ssh
from tests.e2e.fast_player import answer_to
from tests.tui.svg import Cell, Row

PORT = 2222
"""The usual port of a door, which must be free."""
TOGETHER = "COMBAT"
"""What all three see in the picture."""
GAME_S, READ_S, NOTES_S = 300.0, 0.1, 8.0
"""How long it may take until all three see it; how long a terminal must be quiet to count as read; when notes are
certainly gone (s)."""
GAP = 3
"""Columns between two terminals."""
INK, GROUND, AROUND, CAPTION = "#e5e5e5", "#000000", "#0b0c0f", "#8a8f98"
NAMED = {
    "black": "#000000", "red": "#cd3131", "green": "#0dbc79", "brown": "#e5e510", "blue": "#2472c8",
    "magenta": "#bc3fbc", "cyan": "#11a8cd", "white": "#e5e5e5",
}  # fmt: skip
"""The colours of a terminal that have names."""


def draw() -> list[Row]:
    """Let three people play until all of them see a fight; return the cells of their terminals. Raises TimeoutError."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        _, door = stack.enter_context(open_door(folder, "--seats", "3", "--pace", "relaxed", "--port", str(PORT)))
        people, captions = list[Guest](), list[str]()
        for who in ("ann", "roger"):
            command = [*ssh(folder, PORT, who, "-o", "SendEnv=COLORTERM"), f"{who}@127.0.0.1"]
            people.append(_sits_down(command, folder))
            captions.append(f"ssh -p {PORT} {who}@127.0.0.1")
            stack.callback(people[-1].close)
        local = [sys.executable, "-m", "tui", "join", str(door["join"]), "--name", "Kim"]
        own = [f"KICKDOOR_DATA={folder / 'kim'}", f"KICKDOOR_CONFIG={folder / 'kim.toml'}"]
        people.append(_sits_down([*own, *local], folder))
        stack.callback(people[-1].close)
        for person in people:
            person.type(b"y")
        _play(people)
        until = time.monotonic() + NOTES_S
        while time.monotonic() < until:
            _read(people)
        captions.append("kickdoor join kickdoor://127.0.0.1:…")
        return side_by_side([cells(person.screen) for person in people], captions)


def _sits_down(command: Sequence[str], folder: Path) -> Guest:
    (folder / "kim" / "replays").mkdir(parents=True, exist_ok=True)  # it is not the first start, which offers a lesson
    return Guest(["env", "COLORTERM=truecolor", *command], folder, "Press y when you are ready")


def _play(people: Sequence[Guest]) -> None:
    """Answer all questions until everybody sees the fight and nothing lies over it."""
    until = time.monotonic() + GAME_S
    while time.monotonic() < until:
        shown = _read(people)
        over = [("SPACE go on" in text) for text in shown]
        if all(TOGETHER in text for text in shown) and not any(over):
            return
        fights = any(TOGETHER in text for text in shown)
        for person, text, covered in zip(people, shown, over):
            key = "Space" if covered else "" if fights else answer_to(text)
            if key:
                person.type({"Space": b" ", "Enter": b"\r"}.get(key, key.encode()))
    raise TimeoutError("\n".join(person.text() for person in people))


def _read(people: Sequence[Guest]) -> list[str]:
    """Read what has come; return what each terminal shows."""
    for person in people:
        person.read(lambda: False, READ_S)
    return [person.text() for person in people]


def cells(screen: pyte.Screen) -> list[Row]:
    """Return what an emulated terminal shows, row by row."""
    rows = []
    for y in range(screen.lines):
        line = screen.buffer[y]
        row = []
        for x in range(screen.columns):
            char = line[x]
            ink, ground = _hex(char.fg, INK), _hex(char.bg, GROUND)
            if char.reverse:
                ink, ground = ground, ink
            row.append(Cell(char.data, ink, ground, char.bold))
        rows.append(tuple(row))
    return rows


def _hex(colour: str, otherwise: str) -> str:
    """Return a colour as pyte names it: a word, or six digits."""
    if colour == "default":
        return otherwise
    return NAMED.get(colour.removeprefix("bright"), f"#{colour}")


def side_by_side(terminals: Sequence[Sequence[Row]], commands: Sequence[str]) -> list[Row]:
    """Return two terminals side by side and below them the third, each below its command."""
    first, second, third = ([_caption(words, len(rows[0])), *rows] for words, rows in zip(commands, terminals))
    gap = (Cell(" ", INK, AROUND, False),) * GAP
    upper = [one + gap + other for one, other in zip(first, second)]
    width = len(upper[0])
    left = (width - len(third[0])) // 2
    empty = Cell(" ", INK, AROUND, False)
    lower = [(empty,) * left + row + (empty,) * (width - left - len(row)) for row in third]
    return [*upper, (empty,) * width, *lower]


def _caption(words: str, width: int) -> Row:
    text = f" $ {words}"
    return tuple(Cell(sign, CAPTION, AROUND, False) for sign in text + " " * (width - cell_len(text)))
