"""Menus and requests of the waiting room: what the owner of the table decides, and whose talk is hidden."""

from collections.abc import Callable, Sequence

from textual.screen import Screen

from netcode.protocol.paces import PACES
from netcode.protocol.wire import TableInfo
from tui.menus.entries import OwnerRequest
from tui.menus.owner_menus import (
    CLAIMS,
    MUTE_TITLE,
    SHOW_STRINGS,
    START_WITH_BOTS,
    Request,
    consequence,
    danger_of_request,
    door_requests,
    door_title,
    knock_requests,
    mute_rows,
    seat_requests,
    seat_words,
    start_question,
    table_requests,
)
from tui.scene.cells import Glyphs
from tui.scene.scene import shape
from tui.scene.table_session import TableSession
from tui.screens.forms import ChoiceScreen
from tui.screens.invitation import InvitationScreen
from tui.widgets.entry.choices import Choice


class RoomMenus:
    """Asks the host for what the owner of a table decides before the deal."""

    def __init__(self, session: TableSession, screen: Screen[str], redraw: Callable[[], None]) -> None:
        """screen: the menus open over it. redraw: draws what has changed."""
        self.session, self._screen, self.redraw = session, screen, redraw

    @property
    def info(self) -> TableInfo:
        """The table as it is now."""
        return self.session.table()

    @property
    def glyphs(self) -> Glyphs:
        """The characters to draw with."""
        return self.session.glyphs

    @property
    def me(self) -> int:
        """The own seat, -1 for a spectator."""
        return self.session.client.seat

    def action_bot(self) -> None:
        """Put a bot into a free seat, for the owner."""
        free = [at for at, seat in enumerate(self.info.seats) if seat.state == "open"]
        self._owner("bot", free[0] if free else -1, "" if free else "Every seat is taken.")

    def action_remove(self) -> None:
        """Free the last seat that somebody else has. Sending a person away is asked once more."""
        taken = [at for at in range(len(self.info.seats)) if self.removable(at)]
        if not taken or not self.decides or self.info.seats[taken[-1]].state == "bot":
            self._owner("kick", taken[-1] if taken else -1, "" if taken else "Every other seat is free.")
            return
        asked = OwnerRequest("kick", taken[-1])
        words = f"free the seat of {self.info.seats[taken[-1]].name}"
        self._ask(f"Send {self._who(taken[-1])} away?", [], [(words, asked)])

    def removable(self, at: int) -> bool:
        """Return whether the owner can free a seat."""
        return self.info.seats[at].state != "open" and at != self.me

    def action_pace(self) -> None:
        """Change the pace, for the owner."""
        at = PACES.index(self.info.pace) if self.info.pace in PACES else -1
        self._owner("pace", -1, "", PACES[(at + 1) % len(PACES)])

    def action_start(self) -> None:
        """Begin, for the owner; bots take free seats only after a question that says which."""
        question = start_question(self.info)
        if not question or not self.decides:
            self._owner("start")
            return

        def chosen(answer: str | None) -> None:
            if answer == "yes":
                moved = start_question(self.info) != question
                self._owner("start", trouble="Nothing was done: other seats are free now." if moved else "")

        rows = [Choice("no", "no, wait for others"), Choice("yes", START_WITH_BOTS)]
        self._screen.app.push_screen(ChoiceScreen(question, rows, self.glyphs), chosen)

    def _owner(self, what: str, seat: int = -1, trouble: str = "", value: str = "") -> None:
        self._request(OwnerRequest(what, seat, value), trouble)

    def _request(self, asked: OwnerRequest, trouble: str = "") -> None:
        """Send a request of the owner to the host, unless this player may not, or there is trouble."""
        if not self.decides:
            trouble = "Only the owner of the table can do that."
        self.session.remark = trouble
        if not trouble:
            self.session.client.admin(asked.what, asked.seat, asked.value, number=asked.number, pause_s=asked.pause_s)
        self.redraw()

    @property
    def decides(self) -> bool:
        """Whether this player decides for the table."""
        return 0 <= self.me == self.info.owner

    def action_owner(self) -> None:
        """Open the owner's menu: a row for each seat, then the requests for the table."""
        if not self.decides:
            self._owner("")
            return
        seats = [at for at in range(len(self.info.seats)) if at != self.me and seat_requests(self.info, at)]
        rows = [Choice(f"seat{at}", seat_words(self._who(at), seat_requests(self.info, at))) for at in seats]

        def chosen(answer: str | None) -> None:
            if answer is not None and answer == "door":
                self.action_door()
            elif answer is not None and answer.startswith("seat"):
                at = int(answer[4:])
                self._ask(self._who(at), [], seat_requests(self.info, at))

        title = "You act for the owner, who is away" if self.info.acting else "The table is yours"
        self._ask(title, rows, table_requests(self.info), [Choice("door", "who comes in..")], chosen)

    def _who(self, at: int) -> str:
        return f"{shape(at, self.glyphs.ascii)} {self.info.seats[at].name or 'free seat'}"

    def action_door(self) -> None:
        """Open the menu of who comes in: strings, knocks, admission."""
        knocks = self.session.client.knocks
        if not self.decides and knocks:
            self._ask(CLAIMS, [], knock_requests(knocks))
            return
        if not self.decides:
            self._owner("")
            return
        show = [Choice("strings", SHOW_STRINGS)] if self.session.strings[0] and not self.info.acting else []

        def chosen(answer: str | None) -> None:
            if answer == "strings":
                self._screen.app.push_screen(InvitationScreen(self.session.strings, self.glyphs, self.session.words))

        requests = door_requests(self.info, knocks, self.session.words)
        begin = next((at for at, (_, asked) in enumerate(requests) if asked.what == "admit"), 0)
        self._ask(door_title(self.info, knocks), [], requests, show, chosen, begin)

    def action_mute(self) -> None:
        """Choose whose talk is not shown here."""
        rows = [Choice(str(at), words) for at, words in mute_rows(self.info, self.me, self.session.muted)]

        def chosen(answer: str | None) -> None:
            if answer is not None:
                self.session.mute(int(answer))
                self.redraw()

        if rows:
            self._screen.app.push_screen(ChoiceScreen(MUTE_TITLE, rows, self.glyphs), chosen)
        else:
            self.session.remark = "There is nobody else here who could talk."
            self.redraw()

    def _ask(
        self, title: str, rows: list[Choice], requests: list[Request], last: Sequence[Choice] = (),
        otherwise: Callable[[str | None], None] = lambda answer: None, begin: int = 0,
    ) -> None:  # fmt: skip
        """Show a list of requests between other rows, with the cursor on one of them; send the chosen one to the
        host."""
        more = [Choice(str(at), words, consequence(self.info, asked)) for at, (words, asked) in enumerate(requests)]
        about = [self._there(asked.seat) for _, asked in requests]

        def chosen(answer: str | None) -> None:
            if answer is not None and answer.isdigit():
                self._make_sure(*requests[int(answer)], about[int(answer)])
            else:
                otherwise(answer)

        self._screen.app.push_screen(ChoiceScreen(title, [*rows, *more, *last], self.glyphs, begin), chosen)

    def _there(self, at: int) -> tuple[str, str]:
        """Return who sits there: the name, and "bot" or "open" if it is nobody."""
        if at < 0:
            return "", ""
        seat = self.info.seats[at]
        return seat.name, seat.state if seat.state in ("bot", "open") else ""

    def _make_sure(self, words: str, asked: OwnerRequest, about: tuple[str, str]) -> None:
        """Ask once more about a request that cannot be taken back. Then send it to the host, if the seat still has the
        player who sat there when it was offered."""
        question = danger_of_request(asked, self.info.seats[asked.seat].name if asked.seat >= 0 else "")

        def chosen(answer: str | None) -> None:
            if answer == "yes":
                send()

        def send() -> None:
            moved = self._there(asked.seat) != about
            self._request(asked, "Nothing was done: somebody else sits there now." if moved else "")

        if question:
            rows = [Choice("no", "no, go back"), Choice("yes", words)]
            self._screen.app.push_screen(ChoiceScreen(question, rows, self.glyphs), chosen)
        else:
            send()
