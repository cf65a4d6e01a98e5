"""A list to choose from, with a key before each entry: the toolkit's OptionList, drawn as rows or as pairs of rows."""

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content, Span
from textual.events import Key, Resize
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.scene.cells import Glyphs, fit, shorten


class Choice(Struct, frozen=True):
    """One entry. name: what is returned; label: its words; hint: what it means; key: a letter or digit that chooses
    it."""

    name: str
    label: str
    hint: str = ""
    key: str = ""


class Choices(OptionList):
    """Shows choices. brackets: keys are drawn as `[1]`. hints: hints stand beside the labels, below them if `roomy`."""

    def __init__(
        self, choices: Sequence[Choice], glyphs: Glyphs, ident: str = "entries", brackets: bool = True,
        hints: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(id=ident, markup=False, compact=True)
        self.choices, self.glyphs, self.brackets, self.hints = tuple(choices), glyphs, brackets, hints
        self.roomy = False
        self._bright = -1

    def on_mount(self) -> None:
        """Fill the list."""
        self.add_options(Option("", choice.name) for choice in self.choices)
        self._draw()

    def on_resize(self, event: Resize) -> None:
        """Fit the entries into the new width."""
        self._draw()

    def watch_show_vertical_scrollbar(self) -> None:
        """Fit the entries once a scroll bar has come or gone."""
        self.call_after_refresh(self._draw)

    def set_roomy(self, roomy: bool) -> None:
        """Give each entry one row, or two."""
        if roomy != self.roomy:
            self.roomy = roomy
            self._draw()

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Draw the entry under the cursor in one colour, and the one before in its own."""
        super().watch_highlighted(highlighted)
        before, self._bright = self._bright, -1 if highlighted is None else highlighted
        for at in {before, self._bright}:
            if 0 <= at < self.option_count:
                self.replace_option_prompt_at_index(at, self._prompt(at))

    def _draw(self) -> None:
        for at in range(self.option_count):
            self.replace_option_prompt_at_index(at, self._prompt(at))

    def _prompt(self, at: int) -> Content:
        choice, width = self.choices[at], max(10, self.scrollable_content_region.width - 2)
        key = f"[{choice.key}]" if choice.key and self.brackets else choice.key
        head = f" {fit(key, 3, self.glyphs)} " if self.brackets else f" {fit(key, 1, self.glyphs)}  "
        room = width - cell_len(head)
        if not self.hints or self.roomy:
            label, hint = shorten(choice.label, room, self.glyphs), ""
        else:
            column = max(cell_len(one.label) for one in self.choices) + 2
            label = fit(choice.label, min(column, room), self.glyphs)
            hint = shorten(choice.hint, room - cell_len(label), self.glyphs)
        text = head + label + hint
        spans = [Span(len(head), len(head) + len(label), "bold")]
        spans.append(Span(0, len(head), "bold"))
        if at != self._bright:
            spans += [Span(0, len(head), "$kd-gold"), Span(len(head) + len(label), len(text), "$kd-dim")]
        if self.hints and self.roomy:
            more = "\n" + " " * cell_len(head) + shorten(choice.hint, room, self.glyphs)
            spans += [] if at == self._bright else [Span(len(text), len(text) + len(more), "$kd-dim")]
            text += more
        return Content(text, spans)

    def on_key(self, event: Key) -> None:
        """Choose the entry of this key; j and k move where they choose nothing."""
        for at, choice in enumerate(self.choices):
            if choice.key and event.character == choice.key:
                event.stop()
                event.prevent_default()
                self.highlighted = at
                self.action_select()
                return
        if event.character in ("j", "k") and not {"j", "k"} & {choice.key for choice in self.choices}:
            self.action_cursor_down() if event.character == "j" else self.action_cursor_up()
