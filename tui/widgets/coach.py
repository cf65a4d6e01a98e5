"""The coach of lessons and puzzles: a strip with what to do, what went wrong, or why it mattered. It has three rows, or
as many more as its words need."""

import re
from collections.abc import Callable

from msgspec import Struct
from textual.reactive import var

from tui.scene.cells import Glyphs, Line, clip, length, shorten, spread, wrap
from tui.widgets.pane import Pane

ROWS, MOST_ROWS = 3, 6
_KEY = re.compile(r"\{key:([^{}]+)\}")
_MARKED = re.compile(r"(\[[^\[\]]+\])")


class Saying(Struct, frozen=True):
    """What the coach says. head: the title and the progress; kind: as in core.scenario.guide.Word; keys: the keys
    besides those that answer the table, each with its word."""

    head: str
    kind: str
    text: str
    keys: tuple[tuple[str, str], ...] = ()


class Coach(Pane):
    """Shows what the coach says, in as many rows as it needs."""

    saying: var[Saying | None] = var(None, init=False, always_update=True)

    def __init__(self, ident: str, glyphs: Glyphs) -> None:
        super().__init__(ident)
        self._glyphs = glyphs

    def watch_saying(self, saying: Saying | None) -> None:
        """Show new words; the style sheet gives the rows."""
        if saying is not None:
            width = self.size.width
            rows = min(rows_of(saying, width, self._glyphs), MOST_ROWS) if width else ROWS
            for more in range(ROWS + 1, MOST_ROWS + 1):
                self.set_class(more == rows, f"rows-{more}")
            self.show(lambda width, height: draw(saying, width, height, self._glyphs))


SIGNS = {
    "task": ("▶", ">", "gold"), "why": ("✓", "+", "hero"), "solved": ("✓", "+", "hero"), "over": ("✓", "+", "hero"),
    "mistake": ("✗", "x", "foe"), "failed": ("✗", "x", "foe"), "shown": ("▶", ">", "info"),
}  # fmt: skip
"""The sign of each kind, in ASCII too, and its colour."""


def rows_of(saying: Saying, width: int, glyphs: Glyphs) -> int:
    """Return how many rows the whole text needs."""
    return 1 + len(wrap(saying.text, width - 4, glyphs))


def draw(saying: Saying, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """Draw the strip: title and keys, then the words."""
    sign, plain, colour = SIGNS[saying.kind]
    bar = ("|" if glyphs.ascii else "▌", "bold gold")
    mark = plain if glyphs.ascii else sign
    bold = f"bold {colour}"
    keys = tuple(
        span for key, word in saying.keys for span in (("  ", ""), (f"[{key}]", f"key|{key}"), (f" {word}", "dim"))
    )
    title = (bar, (f" {mark} ", bold), (shorten(saying.head, max(10, width - 5 - length(keys)), glyphs), bold))
    lines: list[Line] = [spread(title, keys, width, glyphs)]
    for text in _fitting(saying.text, width - 4, height - 1, glyphs):
        lines.append(clip((bar, ("   ", ""), *_spans(text)), width, glyphs))
    lines += [clip((bar,), width, glyphs)] * (height - len(lines))
    return lines[:height]


def _fitting(text: str, width: int, rows: int, glyphs: Glyphs) -> list[str]:
    """Return the text in at most this many rows; a longer one ends in the mark."""
    lines = wrap(text, width, glyphs)
    if len(lines) <= rows:
        return lines
    return [*lines[: rows - 1], shorten(" ".join(lines[rows - 1 :]), width, glyphs)]


def _spans(text: str) -> tuple[tuple[str, str], ...]:
    """Return a text with its keys in gold; a click presses them."""
    parts = (part for part in _MARKED.split(text) if part)
    return tuple((part, f"key|{part[1:-1]}" if _MARKED.fullmatch(part) else "") for part in parts)


def with_keys(text: str, key_of: Callable[[str], str]) -> str:
    """Return a sentence with the keys of its acts: `{key:kick}` becomes what key_of says, as `[1]`."""
    return _KEY.sub(lambda found: key_of(found.group(1)), text)
