"""The prompt and the footer as lines: the question, the keys to press. Pure."""

import re
from collections.abc import Sequence

from tui.menus.choices import Menu, Picker
from tui.menus.menu_state import MenuState
from tui.menus.owner_menus import knocking_words
from tui.menus.prompts import Prompt
from tui.scene.cells import Line, Span, block, fit, flow, length, rule, shorten, wrap
from tui.scene.scene import Scene
from tui.scene.situation import has_seals

PER_PAGE = 9
REMARK = "remark"
"""The ident of a prompt that only shows a remark: it may use every row."""
GAP = "  "
TAIL = re.compile(r"( \(L\d+\)| [+-]\d+)?(\.\.)?$")
"""The end of a label that is never cut: a Level or a bonus, and the dots that announce another question."""


# --------------------------------------------------------------------------------------------------------- choosing
def choosing(scene: Scene, menus: MenuState, here: Menu | Picker, width: int, height: int) -> list[Line]:
    """Draw a long menu or a set in place of the hand: up to nine entries at a time, each with its digit."""
    glyphs = scene.glyphs
    entries = labels_of(here)
    page = entries[menus.page * PER_PAGE : menus.page * PER_PAGE + PER_PAGE]
    rows = max(1, height - 1)
    columns = max(1, -(-len(page) // rows))
    size = width // columns
    lines: list[Line] = []
    for row in range(rows):
        spans: list[Span] = []
        for column in range(columns):
            at = column * rows + row
            if at < len(page):
                spans.append(_option(menus, here, at, page[at], size, scene))
        lines.append(tuple(spans))
    pages = -(-len(entries) // PER_PAGE)
    right = f"page {menus.page + 1} of {pages}, 0 = next" if pages > 1 else ""
    heading = rule("Choose", right, width, glyphs, "warn")
    return block([heading, *lines], width, height, scene.glyphs)


def _option(menus: MenuState, here: Menu | Picker, at: int, label: str, size: int, scene: Scene) -> Span:
    number = at + 1
    if isinstance(here, Picker):
        chosen = here.pick.among[menus.page * PER_PAGE + at] in menus.picked
        box, style = ("[x]", "cursor") if chosen else ("[ ]", "")
        return fit(f" {number} {box} {label}", size, scene.glyphs), f"{style}|{number}"
    return fit(f" [{number}] {label}", size, scene.glyphs), f"|{number}"


def labels_of(here: Menu | Picker) -> Sequence[str]:
    """Return the labels of a menu's entries or a set's members."""
    return here.labels if isinstance(here, Picker) else [entry.label for entry in here.entries]


def needs_room(here: Menu | Picker, menus: MenuState, width: int, rows: int, scene: Scene) -> bool:
    """Return whether this menu or set is drawn in place of the hand, since it does not fit in the prompt."""
    if isinstance(here, Picker):
        return True
    if not menus.nested and here.asked <= 2:
        return False
    parts = [((f"[{n}] {label}", ""),) for n, label in enumerate(labels_of(here), 1)]
    extra: Line = (("[ESC] back" if menus.nested else "[SPACE] skip the pause", ""),)
    return flow([*parts, extra], width - 3, rows, scene.glyphs, GAP)[1] <= len(parts)


# ---------------------------------------------------------------------------------------------------------- prompt
def prompt(scene: Scene, prompt: Prompt, menus: MenuState, here: Menu | Picker, width: int, height: int) -> list[Line]:
    """Draw the prompt: the question in the first lines, the keys that answer it in the others."""
    glyphs = scene.glyphs
    style = "urgent" if prompt.urgent else "bold"
    parts = options(scene, prompt, menus, here, width, option_rows(prompt, width, height, scene))
    texts = wrap(prompt.text, width - 3, glyphs) or [""]
    keeps = isinstance(here, Picker) or (bool(parts) and prompt.ident != REMARK)
    kept = max(1, height - 1) if keeps else height  # what can be pressed is pushed out by passing remarks only
    back = "  [ESC] what can be done" if parts and len(texts) >= height and not keeps else ""
    if len(texts) > kept or back:
        texts[kept - 1 :] = [shorten(" ".join(texts[kept - 1 :]), width - 3 - len(back), glyphs) + back]
    sentence: list[Line] = []
    for at, text in enumerate(texts):
        start = "!! " if prompt.urgent and at == 0 else "   "
        sentence.append(((fit(f"{start}{text}", width, glyphs), style),))
    rows = height - len(texts)
    if rows < 1:
        return block(sentence, width, height, scene.glyphs)
    lines, _ = flow(parts, width - 3, rows, glyphs, GAP)
    return block([*sentence, *((("   ", ""), *line) for line in lines)], width, height, scene.glyphs)


def option_rows(prompt: Prompt, width: int, height: int, scene: Scene) -> int:
    """Return how many rows are left for the keys below the question, at least one."""
    return max(1, height - max(1, len(wrap(prompt.text, width - 3, scene.glyphs))))


def options(scene: Scene, prompt: Prompt, menus: MenuState, here: Menu | Picker, width: int, rows: int) -> list[Line]:
    """Return the keys that answer, each with its words: digits first, then the others."""
    tail = [_key(key, words) for key, words in prompt.keys]
    if needs_room(here, menus, width, rows, scene):
        return [_key("1-9", "choose" if isinstance(here, Menu) else "pick or put back"), *tail]
    found = pages(scene, prompt, menus, here, width, rows)
    if not found:
        return tail
    at = menus.page % len(found)
    labels = _short_labels(scene, tail, here, width, rows)
    parts = [_key(str(n), label) for n, label in enumerate((labels[i] for i in found[at]), 1)]
    if len(found) > 1:
        parts.append(_key("0", f"more {at + 1}/{len(found)}"))
    return [*parts, *tail]


def pages(scene: Scene, prompt: Prompt, menus: MenuState, here: Menu | Picker, width: int, rows: int) -> list[range]:
    """Return the entries of the open menu as pages of indexes, each as full as possible (nine at most)."""
    total = len(labels_of(here))
    if needs_room(here, menus, width, rows, scene):
        return [range(at, min(at + PER_PAGE, total)) for at in range(0, total, PER_PAGE)]
    tail = [_key(key, words) for key, words in prompt.keys]
    labels = _short_labels(scene, tail, here, width, rows)
    if total <= PER_PAGE and _fits([*(_key("9", label) for label in labels), *tail], width - 3, rows, scene):
        return [range(total)] if total else []
    tail.append(_key("0", "more 9/9"))
    found: list[range] = []
    start = 0
    while start < total:
        end = start + 1
        while end < total and end - start < PER_PAGE:
            if not _fits([*(_key("9", label) for label in labels[start : end + 1]), *tail], width - 3, rows, scene):
                break
            end += 1
        found.append(range(start, end))
        start = end
    return found


def _short_labels(scene: Scene, tail: list[Line], here: Menu | Picker, width: int, rows: int) -> Sequence[str]:
    """Return the labels of the entries: in full if they all fit, else shortened so that two fit in a row."""
    labels = labels_of(here)
    if _fits([*(_key("9", label) for label in labels), *tail], width - 3, rows, scene):
        return labels
    half = (width - 3 - len(GAP)) // 2 - len("[9] ")
    return [abridged(label, half, scene) for label in labels]


def abridged(label: str, width: int, scene: Scene) -> str:
    """Return a label in `width` cells: the name of an ability, or the label cut before its TAIL."""
    parts = label.split(": ")
    name = ": ".join(parts[:2])
    if len(parts) > 2 and length(((name, ""),)) <= width:
        return name
    end = TAIL.search(label)
    kept = end.group() if end is not None else ""
    return shorten(label[: len(label) - len(kept)], width - len(kept), scene.glyphs) + kept


def _fits(parts: list[Line], width: int, rows: int, scene: Scene) -> bool:
    return flow(parts, width, rows, scene.glyphs, GAP)[1] == len(parts) and all(length(part) <= width for part in parts)


def _key(key: str, words: str) -> Line:
    return ((f"[{key}]", f"key|{key}"), (f" {words}", f"|{key}"))


# ---------------------------------------------------------------------------------------------------------- footer
def footer_keys(scene: Scene, menus: MenuState, reading: str) -> list[tuple[str, str]]:
    """Return the keys that do something now, with their words, most useful first."""
    knocks = knocking_words(scene.knocks)
    keys: list[tuple[str, str]] = [("d", knocks)] if knocks else []
    if menus.nested:
        keys += [("1-9", "choose"), ("ESC", "back")]
    elif reading:
        keys += [("ESC", "close"), ("PgUp", "up"), ("PgDn", "down"), ("m", "larger")]
    if scene.hand() and not menus.nested:
        keys += [("ENTER", "use"), ("v", "read")]
    if scene.fight is not None:
        keys += [("w", "why"), ("h", "help")] if scene.me >= 0 else [("w", "why")]
    elif scene.me >= 0 and not menus.nested:
        keys += [("g", "gear"), ("x", "trade"), ("w", "why")]
    keys += [("f", "Seals")] if has_seals(scene) and not menus.nested else []
    keys += [("o", "others"), ("r", "recap"), ("l", "log"), ("t", "talk")]
    return [*keys, ("^P", "all"), ("^Q", "leave"), ("?", "keys")]


def footer(scene: Scene, keys: Sequence[tuple[str, str]], width: int) -> list[Line]:
    """Draw one line of the keys that work now; if they do not all fit, the last one, `?`, stays: it shows all."""
    parts: list[Line] = [((key, f"key|{key}"), (f" {words}", f"dim|{key}")) for key, words in keys]
    last = parts[-1:]
    lines, taken = flow(parts, width - 1, 1, scene.glyphs, "  ")
    if taken < len(parts):
        lines, _ = flow(parts[:-1], width - 3 - length(last[0]), 1, scene.glyphs, "  ")
        lines = [(*lines[0], ("  ", ""), *last[0])]
    return block([((" ", ""), *lines[0])], width, 1, scene.glyphs)
