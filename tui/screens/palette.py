"""The command palette drawn with the keyboard's signs only."""

from textual.command import CommandPalette, SearchIcon


class PlainPalette(CommandPalette):
    """Textual's palette without the signs that a plain terminal has not got."""

    DEFAULT_CSS = """
    PlainPalette #--input, PlainPalette #--input.--list-visible { border: none; border-top: ascii $foreground; }
    PlainPalette CommandList { border: none; border-bottom: ascii $foreground; scrollbar-size: 0 0; }
    """

    def __init__(self) -> None:
        super().__init__(placeholder="Search for commands...", id="--command-palette")

    def on_mount(self) -> None:
        """A slash, as in the lists, instead of a picture."""
        for icon in self.query(SearchIcon):
            icon.icon = "/"
