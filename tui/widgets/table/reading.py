"""The card under the cursor in words, beside the prompt. It follows the cursor once the cursor rests."""

from textual.timer import Timer

from tui.render.details import asking_card
from tui.scene.card_text import kind_word
from tui.scene.cells import Line, shorten, wrap
from tui.scene.scene import Scene
from tui.widgets.canvas import Canvas
from tui.widgets.cards.face import colour_of
from tui.widgets.cards.playability import what_now
from tui.widgets.table.scene_pane import ScenePane

REST_S = 0.12
"""How long the cursor rests on a card before it is read."""


class Reading(ScenePane):
    """Shows the card that asks something, or the one under the cursor."""

    def __init__(self, ident: str = "") -> None:
        super().__init__(ident)
        self._card = -1
        self._newest: Scene | None = None
        self._rest: Timer | None = None
        self._next = -1
        """The card on which the cursor rests."""

    def update(self, scene: Scene) -> None:
        """Show this scene: at once, unless only the cursor has moved on."""
        before, self._newest = self._newest, scene
        card = asking_card(scene) or scene.selected()
        moved = before is not None and before.view is scene.view and before.cursor != scene.cursor
        rests = card != self._card and self._card > 0 and (moved or self._waits(before))
        if rests and self._rest is not None and card == self._next:
            return  # drawn anew meanwhile
        if self._rest is not None:
            self._rest.stop()
            self._rest = None
        if rests:
            self._rest, self._next = self.set_timer(REST_S, self._read_newest), card
            return
        self._read_newest()

    def _waits(self, before: Scene | None) -> bool:
        """Return whether the cursor had moved already, and the panel still shows another card."""
        return before is not None and self._card != (asking_card(before) or before.selected())

    def _read_newest(self) -> None:
        scene, self._rest = self._newest, None
        if scene is not None:
            self._card = card = asking_card(scene) or scene.selected()
            self.show(lambda width, height: reading(scene, card, width, height))


def reading(scene: Scene, card: int, width: int, height: int) -> list[Line]:
    """Draw a card in words: name and kind, its text, and the keys that do something with it."""
    canvas, glyphs = Canvas(width, height, scene.glyphs), scene.glyphs
    canvas.fill(0, 0, 1, height, "line", glyphs.bar)
    if not card:
        return canvas.lines()
    definition = scene.definition(card)
    kind = kind_word(definition.card, scene.lexicon.of(definition))
    end = canvas.put(2, 0, definition.name, f"bold {colour_of(scene, card)}|card:{card}", width - 5 - len(kind))
    canvas.put(end + 2, 0, kind, "dim")
    own = definition.card.text
    texts = [own, *(ability.text for ability in definition.abilities if ability.text not in own)]
    lines = wrap(" ".join(filter(None, texts)) or scene.facts(card), width - 3, glyphs)
    room = max(1, height - 2)
    if len(lines) > room:
        lines[room - 1 :] = [shorten(f"{lines[room - 1]} {lines[room]}", width - 3, glyphs)]
    for row, text in enumerate(lines, 1):
        canvas.put(2, row, text)
    x = 2
    for key, words in _keys(scene, card):
        if height > 2:
            x = canvas.spans(x, height - 1, ((key, f"bold gold|{key}"), (f" {words}   ", f"dim|{key}")))
    return canvas.lines()


def _keys(scene: Scene, card: int) -> list[tuple[str, str]]:
    """Return the keys that do something with the card, with their words."""
    read = (scene.key_names["table.read"], "read")
    if scene.replay or scene.you is None or card != scene.selected():
        return [read]
    playable, _ = what_now(scene, card)
    if not playable:
        return [read, (scene.key_names["table.why"], "why not")]
    verb = "choose" if any(card in ask.options for ask in scene.you.asks) else "play"
    return [*([(scene.key_names["hand.use"], verb)] if scene.keys and scene.enters else []), read]
