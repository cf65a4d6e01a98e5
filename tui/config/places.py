"""The keys of the screens beside the table: one row for each binding. A screen makes its bindings of its rows."""

from tui.config.key import Key


def _rows(area: str, what: str, down: str = "j") -> tuple[Key, ...]:
    """Return the keys that move the cursor in a list, in addition to the toolkit's. what: what one row is."""
    return (
        Key(f"{area}.up", "k", "cursor_up", "up", tip=f"The {what} above"),
        Key(f"{area}.down", down, "cursor_down", "down", tip=f"The {what} below"),
    )


def _sets(area: str, before: str, after: str) -> tuple[Key, ...]:
    """Return the keys that choose a card set beside a list, with their words."""
    return (
        Key(f"{area}.left", "left,h", "screen.turn(-1)", before, tip="The set before"),
        Key(f"{area}.right", "right,l", "screen.turn(1)", after, tip="The next set"),
    )


def _pages(area: str, action: str) -> tuple[Key, ...]:
    """Return the keys that turn pages by an action."""
    return (
        Key(f"{area}.page-up", "pageup", f"{action}(-1)", "page up", tip="A page up"),
        Key(f"{area}.page-down", "pagedown,space", f"{action}(1)", "page down", tip="A page on"),
    )


def _reading(area: str, what: str, down: str) -> tuple[Key, ...]:
    """Return the keys that scroll a text beside a list."""
    return (
        Key(f"{area}.up", "pageup", "read(-1)", "up", tip=f"Scroll {what} up"),
        Key(f"{area}.down", down, "read(1)", "down", tip=f"Scroll {what} down"),
    )


def _search(area: str, what: str) -> tuple[Key, Key]:
    """Return the keys of a list with a search line."""
    return (
        Key(f"{area}.find", "slash", "find", "find", tip=f"Type words to find {what}"),
        Key(f"{area}.back", "escape,q", "leave", "back", tip="Everything again, then back"),
    )


APP_LEAVE: tuple[Key, ...] = (
    Key("app.leave", "ctrl+q", "quit", "leave", tip="Leave"),
)

BOOK_CONTENTS: tuple[Key, ...] = (
    *_rows("book", "chapter"), *_sets("book", "previous set", "next set"), *_pages("book", "screen.page"),
)

BOOK: tuple[Key, ...] = _search("book", "chapters by")

CARD: tuple[Key, ...] = (
    Key("card.next", "right,tab", "go(1)", "next card", tip="The next card"),
    Key("card.previous", "left,shift+tab", "go(-1)", "previous card", tip="The card before"),
    Key("card.down", "down,pagedown", "scroll(1)", "down", tip="Move the text"),
    Key("card.up", "up,pageup", "scroll(-1)", "up", tip="Move the text"),
    Key("card.close", "escape,v,q", "leave", "back", tip="Close the card"),
)

CARDS: tuple[Key, ...] = (
    *_search("cards", "cards by"),
    Key("cards.gallery", "g", "gallery", "gallery", tip="These cards as pictures"),
)

CAREER: tuple[Key, ...] = (
    Key("career.save", "s", "save", "save", tip="Save your games as a file"),
    Key("career.leave", "escape,q", "leave", "back", tip="Back to the menu"),
)

FIRST_START: tuple[Key, ...] = (
    Key("first.yes", "y", "choose(True)", "show me", tip="Show me"),
    Key("first.no", "n,escape", "choose(False)", "no, the menu", tip="No, the menu"),
)

FORM: tuple[Key, ...] = (
    Key("form.up", "up", "app.focus_previous", "up", tip="The row above"),
    Key("form.down", "down", "app.focus_next", "down", tip="The row below"),
    Key("form.go", "ctrl+s", "go", "go", tip="What the first button does"),
    Key("form.back", "escape", "leave", "back", tip="Back, without doing anything"),
)

CHOICE: tuple[Key, ...] = (
    Key("choice.back", "escape,q", "leave", "back", tip="Back, without doing anything"),
)

GALLERY: tuple[Key, ...] = (
    Key("gallery.back", "escape,q,g", "leave", "back", tip="Back"),
)

HISTORY: tuple[Key, ...] = (
    Key("history.close", "escape,q", "close", "back", tip="Back"),
)

INVITATION: tuple[Key, ...] = (
    Key("invite.join", "c", "copy(0)", "copy the join string", tip="Copy this"),
    Key("invite.watch", "w", "copy(1)", "copy the watch string", tip="Copy this"),
    Key("invite.qr", "Q", "qr", "the join string as a QR code", tip="Show a QR code"),
    Key("invite.back", "escape,q,ctrl+q", "back", "back", tip="Back"),
)

QR: tuple[Key, ...] = (
    Key("qr.back", "escape,enter,space,q,Q,ctrl+q", "back", "back", tip="Back"),
)

KEY_MAP: tuple[Key, ...] = (
    Key("keys.usual", "delete,backspace", "usual", "the usual key again", tip="As at first"),
    Key("keys.back", "escape,q", "leave", "back", tip="Back to the settings"),
)

LOBBY_LIST: tuple[Key, ...] = _rows("lobby", "table", "j,tab")

LOBBY: tuple[Key, ...] = (
    Key("lobby.watch", "w", "choose('watch')", "spectate", tip="Spectate at this table"),
    Key("lobby.create", "c", "create", "open a table", tip="Open a table of your own"),
    Key("lobby.leave", "escape,ctrl+q", "leave", "leave", tip="Leave the lobby"),
    *(Key(f"lobby.{n}", str(n), f"digit({n})", f"table {n}", tip=f"Join table {n}") for n in range(1, 10)),
)

MENU: tuple[Key, ...] = (
    Key("menu.leave", "escape,ctrl+q", "leave", "leave", tip="Back to the shell"),
)

MOMENT: tuple[Key, ...] = (
    Key("moment.close", "space,enter,escape", "close('space')", "go on", tip="Go on"),
    Key("moment.read", "v", "close('read')", "the whole card", tip="Read the card of this moment"),
)

PRINTED_CARD: tuple[Key, ...] = (
    Key("card.back", "escape,enter,q,v", "leave", "back", tip="Close the card"),
)

PUZZLES: tuple[Key, ...] = (
    Key("puzzles.back", "escape,q", "leave", "back", tip="Back"),
    *_reading("puzzles", "what the puzzle is about", "pagedown"),
)

NEARBY: tuple[Key, ...] = (
    Key("nearby.back", "escape,q", "leave", "back", tip="Back"),
)

REPLAY_LIST: tuple[Key, ...] = _search("replays", "games by")

RULES: tuple[Key, ...] = (
    Key("rules.close", "escape,q", "close", "back", tip="Back to where you were"),
    *_reading("rules", "the page", "pagedown,space"),
)

SAVE_FILE: tuple[Key, ...] = (
    Key("file.close", "escape", "close", "do not save", tip="do not save"),
)

WAITING_ROOM: tuple[Key, ...] = (
    Key("room.enter", "enter", "enter", "what the button says", tip="What the button says"),
    Key("room.ready", "y,space", "ready", "ready", tip="Ready"),
    Key("room.bot", "b", "bot", "bot into a free seat", tip="Bot into a free seat"),
    Key("room.remove", "k", "remove", "free the last seat", tip="Free the last seat"),
    Key("room.pace", "p", "pace", "another pace", tip="Another pace"),
    Key("room.start", "s", "start", "begin", tip="Begin"),
    Key("room.owner", "a", "owner", "what the owner may do", tip="What the owner may do"),
    Key("room.door", "d", "door", "who comes in, who knocks", tip="Who comes in, who knocks"),
    Key("room.mute", "M", "mute", "mute somebody's talk for yourself", tip="Mute somebody's talk for yourself"),
    Key("room.copy", "c", "copy", "copy the join string", tip="Copy the join string"),
    Key("room.qr", "Q", "qr", "the join string as a QR code", tip="The join string as a QR code"),
    Key("room.talk", "t", "talk", "talk", tip="Talk"),
    Key("room.back", "escape", "back", "stop talking", tip="Stop talking"),
    Key("room.leave", "ctrl+q", "leave", "leave", tip="Leave"),
    Key("room.give-up", "G", "give_up", "give the seat up", tip="Give the seat up"),
)

FIND: tuple[Key, ...] = (
    Key("find.found", "down,enter", "found", "what was found", tip="Go to what was found"),
    Key("find.all", "escape", "forget", "all", tip="Show everything again"),
)

GALLERY_CARDS: tuple[Key, ...] = (
    Key("gallery.left", "left,h", "go(-1)", "left", tip="The card before"),
    Key("gallery.right", "right,l", "go(1)", "right", tip="The next card"),
    Key("gallery.up", "up,k", "rows(-1)", "up", tip="The row above"),
    Key("gallery.down", "down,j", "rows(1)", "down", tip="The row below"),
    *_pages("gallery", "pages"),
    Key("gallery.first", "home", "go(-999999)", "first", tip="The first card"),
    Key("gallery.last", "end", "go(999999)", "last", tip="The last card"),
    Key("gallery.read", "enter", "choose", "read", tip="Read the card"),
)

FORM_LIST: tuple[Key, ...] = (
    Key("form.list", "enter,space", "show_overlay", "show all", tip="Show all values"),
    Key("form.previous", "left", "turn(-1)", "previous value", tip="The value before"),
    Key("form.next", "right", "turn(1)", "next value", tip="The next value"),
)

FORM_SWITCH: tuple[Key, ...] = (
    Key("form.toggle", "left,right", "toggle_switch", "change", tip="On or off"),
)

ROWS: tuple[Key, ...] = (
    *_rows("rows", "row"), *_sets("rows", "previous", "next"),
    Key("rows.first", "home", "scroll_top", "first", tip="The first row"),
    Key("rows.last", "end", "scroll_bottom", "last", tip="The last row"),
)

PLACES: tuple[tuple[str, tuple[Key, ...], tuple[str, ...]], ...] = (
    ("everywhere", APP_LEAVE, ()),
    ("in a book", BOOK_CONTENTS, ()),
    ("in a book", BOOK, ()),
    ("over a large card", CARD, ("table.rules",)),
    ("among all cards", CARDS, ()),
    ("in your career", CAREER, ()),
    ("at the first start", FIRST_START, ()),
    ("in forms", FORM, ()),
    ("in lists of choices", CHOICE, ()),
    ("in the gallery", GALLERY, ()),
    ("in the log", HISTORY, ("table.log", "table.recap", "table.rules")),
    ("over an invitation", INVITATION, ()),
    ("over a QR code", QR, ()),
    ("in this list", KEY_MAP, ()),
    ("in the lobby", LOBBY_LIST, ()),
    ("in the lobby", LOBBY, ()),
    ("in the menu", MENU, ()),
    ("in a moment", MOMENT, ("table.rules", "table.hint")),
    ("over a printed card", PRINTED_CARD, ()),
    ("on this network", NEARBY, ()),
    ("among puzzles", PUZZLES, ()),
    ("among replays", REPLAY_LIST, ()),
    ("in the rules", RULES, ("table.rules", "table.why")),
    ("when a file is saved", SAVE_FILE, ()),
    ("in the waiting room", WAITING_ROOM, ()),
    ("while you search", FIND, ()),
    ("in the gallery", GALLERY_CARDS, ()),
    ("in forms", FORM_LIST, ()),
    ("in forms", FORM_SWITCH, ()),
    ("in tables", ROWS, ()),
)
"""Each place: its name, its keys, and the ids of keys of the table that work there too."""
