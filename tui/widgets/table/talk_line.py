"""The line in which a player writes to the others."""

from textual.message import Message
from textual.widgets import Input


class TalkLine(Input):
    """One line of talk."""

    class Said(Message):
        """The player has written something and wants it sent."""

        def __init__(self, text: str) -> None:
            self.text = text
            super().__init__()

    def __init__(self, back: str) -> None:
        """back: the written name of the key that leaves the line."""
        words = f"say something, ENTER sends, {back} leaves"
        super().__init__(id="talk-line", placeholder=words, compact=True, max_length=300)
        self.cursor_blink = False

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Offer what was written."""
        event.stop()
        self.post_message(self.Said(event.value))
