"""The line in which a player writes to the others."""

from textual.events import Key, Resize
from textual.message import Message
from textual.widgets import Input

from tui.scene.remarks import remark_keys, remark_of


class TalkLine(Input):
    """One line of talk. A digit in the empty line says a remark at once; a space before it makes it text."""

    class Said(Message):
        """The player has written something and wants it sent."""

        def __init__(self, text: str) -> None:
            self.text = text
            super().__init__()

    def __init__(self, back: str) -> None:
        """back: the written name of the key that leaves the line."""
        super().__init__(id="talk-line", compact=True, max_length=300)
        self._keys = f"ENTER sends, {back} leaves; "
        self.cursor_blink = False

    def on_resize(self, event: Resize) -> None:
        """Show the remarks, and the other keys if there is room for both."""
        words = self._keys + remark_keys()
        self.placeholder = words if len(words) < event.size.width else remark_keys()

    def on_key(self, event: Key) -> None:
        """Offer the remark of a digit."""
        remark = remark_of(event.character or "") if not self.value else ""
        if remark:
            event.stop()
            event.prevent_default()
            self.post_message(self.Said(remark))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Offer what was written."""
        event.stop()
        self.post_message(self.Said(event.value))
