"""The waiting room: a table before the deal and between games, with its seats and how others join."""

from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Button

from netcode.protocol.wire import TableInfo
from tui.config.keymap import pressed
from tui.config.places import WAITING_ROOM
from tui.config.surroundings import here
from tui.menus.owner_menus import knocking_words, mute_rows
from tui.scene.cells import Glyphs, Line, clip, count, flow, rule, wrap
from tui.scene.scene import LogLine, unready_names
from tui.scene.table_session import TableSession
from tui.screens.actions import Actions, bound_to_parts
from tui.screens.copying import copied
from tui.screens.forms import ChoiceScreen
from tui.screens.invitation import QrScreen
from tui.screens.opening import close, look_of
from tui.screens.room_menus import RoomMenus
from tui.screens.updates import Updates
from tui.widgets.bound import key_names
from tui.widgets.entry.choices import Choice
from tui.widgets.entry.key_line import KeyLine
from tui.widgets.entry.room import Room, draw, draw_game, lacking
from tui.widgets.pane import Pane
from tui.widgets.table.talk_line import TalkLine

ROOMY = (100, 34)
"""From this many columns and rows on, the game and the talk stand beside the seats."""


class WaitingRoomScreen(Screen[str]):
    """A table without a running game. Returns `table` when one begins, or `left`, `gone` or `closed`."""

    CSS_PATH = "entry.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bound_to_parts(WAITING_ROOM)
    AUTO_FOCUS = ""

    def __init__(self, session: TableSession) -> None:
        super().__init__()
        self.session = session
        self._unlisten: Callable[[], None] = lambda: None
        self._updates = Updates(self, self.look)
        self._menus = RoomMenus(session, self, self.redraw)
        self._actions = Actions(self, self._menus)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does something here."""
        return action != "act" or self._actions.find(str(parameters[0])) is not None

    def action_act(self, name: str, given: tuple[object, ...]) -> None:
        """Do an action, or pass it to the menus."""
        self._actions.run(name, *given)

    @property
    def info(self) -> TableInfo:
        """The table as it is now."""
        return self.session.table()

    @property
    def me(self) -> int:
        """The own seat, -1 for a spectator."""
        return self.session.client.seat

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return self.session.glyphs

    @property
    def invitation(self) -> tuple[str, ...]:
        """The join strings for others, if they are known here."""
        return self.session.strings[0]

    @property
    def names(self) -> dict[str, str]:
        """How the key of each binding is written."""
        return key_names(self.app)

    def compose(self) -> ComposeResult:
        """Seats, invitation, talk, prompt, keys."""
        with Container(id="room-middle"):
            yield Pane("waiting-room")
            with Container(id="room-side"):
                yield Pane("room-game")
                yield Pane("log")
        start = Button("", id="start", compact=True)
        start.can_focus = False
        yield start
        yield Pane("prompt")
        with Container(id="last"):
            yield KeyLine(self.glyphs)
            yield TalkLine(self.names["room.back"])

    def on_mount(self) -> None:
        """Subscribe to the session."""
        self._unlisten = self.session.listen(self._updates.soon)
        self.set_interval(1.0, self._tick)
        self.call_after_refresh(self._updates.soon)

    def on_unmount(self) -> None:
        """Unsubscribe."""
        self._unlisten()

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self._updates.resized()

    def on_screen_resume(self) -> None:
        """Redraw after another screen has closed."""
        self._updates.resumed()

    def _tick(self) -> None:
        if self.session.counting:
            self._updates.soon()

    def look(self) -> None:
        """Go to the game if it has begun, otherwise redraw."""
        width, height = self.app.size
        self.set_class(width >= ROOMY[0] and height >= ROOMY[1], "-roomy")
        if self.session.ring:
            self.session.ring = False
            self.app.bell()
        if self.session.client.stage == "closed":
            close(self, "closed")
        elif self.session.playing:
            close(self, "table")
        else:
            self.redraw()

    # -------------------------------------------------------------------------------------------------------- drawing
    def redraw(self) -> None:
        """Redraw what has changed."""
        room = self.room
        self.query_one("#waiting-room", Pane).show(lambda width, height: draw(room, width, height))
        self.query_one("#room-game", Pane).show(lambda width, height: draw_game(room, width, height))
        self.query_one("#start", Button).label = self._button()
        self.query_one("#log", Pane).show(self._log)
        self.query_one("#prompt", Pane).show(self._prompt)
        self.query_one(KeyLine).set_keys(self._key_names())

    @property
    def room(self) -> Room:
        """What there is to draw."""
        heads = {head.id: head.name for head in self.session.catalog.packs}
        packs = ", ".join(heads.get(pack.set_id, pack.set_id) for pack in self.info.packs)
        packs += " (where books differ the first decides)" if len(self.info.packs) > 1 else ""
        return Room(
            self.info, self.me, self.session.muted, packs, self.invitation, self.glyphs, look_of(self.app),
            self.names, self.session.words, here().code_words,
        )

    def _log(self, width: int, height: int) -> list[Line]:
        lines: list[Line] = []
        for entry in self.session.log[-height * 2 :]:
            lines += [((f"  {text}", _tone(entry)),) for text in wrap(entry.text, width - 4, self.glyphs, "  ")]
        lines = [rule("Talk", self.names["room.talk"], width, self.glyphs), *lines[-(height - 1) :]]
        return [clip(line, width, self.glyphs) for line in lines + [()] * (height - len(lines))]

    def _prompt(self, width: int, height: int) -> list[Line]:
        mine = self.me >= 0 and not self._ready and self.session.client.stage == "synced"
        asked = "READY?  " if mine else ""
        texts = wrap(asked + (self.session.remark or self._sentence()), width - 3, self.glyphs)
        named = [(self.names[ident], words) for ident, words in self._choices()]
        parts = [((key, f"bold gold|{key}"), (f" {words}", f"|{key}")) for key, words in named]
        lines, _ = flow(parts, width - 3, max(1, height - len(texts)), self.glyphs)
        bar = "|" if self.glyphs.ascii else "▌"
        mark = (bar, "gold") if mine else (" ", "")
        first: list[Line] = [((text, "bold gold" if mine else "bold"),) for text in texts]
        shown: list[Line] = [(mark, (" ", ""), *line) for line in (*first, *lines)]
        return [clip(line, width, self.glyphs) for line in (shown + [()] * height)[:height]]

    @property
    def _ready(self) -> bool:
        seats = self.info.seats
        return 0 <= self.me < len(seats) and seats[self.me].ready

    def _sentence(self) -> str:
        if self.session.client.stage != "synced":
            return f"No connection: {self.session.client.reason or 'trying again'}."
        free = sum(1 for seat in self.info.seats if seat.state == "open")
        if self.me < 0:
            return "You are a spectator. The game begins when every seat is taken and everybody is ready."
        if not self._ready:
            return f"Press {self.names['room.ready']} when you are ready to play."
        if free:
            return f"You are ready. {free} {'seat is' if free == 1 else 'seats are'} still free."
        waiting = unready_names(self.info)
        return f"You are ready. Waiting for {waiting}." if waiting else "The game is about to begin."

    def _button(self) -> str:
        """Return what the button does, and who is waited for: by name if there is room for all names."""
        number, words = lacking(self.info, self.me)
        says = self._next()
        named = f"{says} (missing: {', '.join(words)})"
        if not number:
            return says
        return named if cell_len(named) + 4 <= self.app.size.width else f"{says} (not ready: {count(number, 'seat')})"

    def _next(self) -> str:
        if self.me < 0:
            return "The game has not begun"
        if not self._ready:
            return f"{self.names['room.enter']}  I AM READY"
        if not self._menus.decides:
            return "Waiting for the others" if lacking(self.info, self.me)[0] else "The game is about to begin"
        free = any(seat.state == "open" for seat in self.info.seats)
        return f"{self.names['room.enter']}  START{', bots take free seats' if free else ''}"

    def action_enter(self) -> None:
        """Do what the button says."""
        if self.me >= 0 and not self._ready:
            self.action_ready()
        elif self._menus.decides:
            self._menus.action_start()

    def on_button_pressed(self) -> None:
        """Do what the button says."""
        self.action_enter()

    def _choices(self) -> list[tuple[str, str]]:
        keys = [("room.ready", "not ready after all" if self._ready else "ready")] if self.me >= 0 else []
        knocks = knocking_words(self.session.client.knocks)
        if knocks and not 0 <= self.me == self.info.owner:
            keys = [("room.door", knocks), *keys]
        if self.me >= 0 and self.me == self.info.owner:
            keys = [("room.door", knocks), *keys] if knocks else keys
            seats = self.info.seats
            free = any(seat.state == "open" for seat in seats)
            last = next((seat.name for at, seat in reversed(list(enumerate(seats))) if self._menus.removable(at)), "")
            keys += [("room.bot", "bot into a free seat")] if free else []
            keys += [("room.remove", f"free the seat of {last}")] if last else []
            keys += [("room.pace", "pace"), ("room.start", "begin, bots take free seats" if free else "begin")]
            keys += [("room.owner", "more"), *([] if knocks else [("room.door", "newcomers")])]
        return [*keys, ("room.talk", "talk")]

    def _key_names(self) -> list[tuple[str, str]]:
        seated = self.me >= 0
        seat = [("room.give-up", "give the seat up")] if seated else []
        copy = [("room.copy", "copy string" if here().ways is None else "copy command")] if self.invitation else []
        mute = [("room.mute", "mute")] if mute_rows(self.info, self.me, self.session.muted) else []
        leave = ("room.leave", f"leave{' (your seat is kept)' if seated else ''}")
        return [leave, *seat, *copy, *mute, ("ctrl+p", "commands")]

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_ready(self) -> None:
        """Become ready, or take that back."""
        self.session.remark = ""
        if self.me >= 0:
            self.session.client.set(ready=not self._ready)
        self.redraw()

    def action_copy(self) -> None:
        """Copy the join string to the clipboard, if the terminal allows it."""
        if self._invites():
            self.session.remark = copied(self.app, self.invitation[0])
        self.redraw()

    def action_qr(self) -> None:
        """Show the join string as a QR code."""
        if self._invites():
            self.app.push_screen(QrScreen(self.invitation[0], self.glyphs))
        else:
            self.redraw()

    def _invites(self) -> bool:
        """Return whether the strings of the table are known here; if not, tell the player."""
        if not self.invitation:
            self.session.remark = "The owner of the table has its strings; a host prints them."
        return bool(self.invitation)

    def action_talk(self) -> None:
        """Open the talk line."""
        self.set_class(True, "talking")
        self.query_one(TalkLine).focus()

    def on_talk_line_said(self, event: TalkLine.Said) -> None:
        """Send what was said, and close the talk line."""
        if self.session.talk(event.text):
            self.action_back()
        self.redraw()

    def action_back(self) -> None:
        """Close the talk line."""
        self.query_one(TalkLine).value = ""
        self.set_class(False, "talking")
        self.set_focus(None)

    def action_leave(self) -> None:
        """Leave the table; the seat is kept."""
        close(self, "left")

    def action_give_up(self) -> None:
        """Ask, then leave and give the seat up."""
        if self.me < 0:
            close(self, "gone")
            return

        def chosen(answer: str | None) -> None:
            if answer is not None:
                close(self, "gone")

        also = " and the table" if self.me == self.info.owner and not self.info.acting else ""
        row = Choice("gone", f"give the seat{also} up", "Somebody else can take it then.")
        self.app.push_screen(ChoiceScreen("Give your seat up for good?", [row], self.glyphs), chosen)

    def on_pane_pressed(self, event: Pane.Pressed) -> None:
        """Handle a click on a key."""
        self.app.simulate_key(pressed(event.key))


def _tone(entry: LogLine) -> str:
    return {"talk": "talk", "note": "warn"}.get(entry.kind, "")
