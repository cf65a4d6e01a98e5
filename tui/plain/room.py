"""The waiting room as a conversation: who sits where, who is ready, and what the owner may do."""

from collections.abc import Iterator

from core.state.actions import Action
from netcode.protocol.table_options import options_text
from netcode.protocol.wire import SeatInfo, TableInfo
from tui.config.surroundings import here
from tui.menus.entries import Command, Entry, Menu, MuteTalk, OwnerRequest, ShowStrings
from tui.menus.owner_menus import (
    CLAIMS,
    MUTE_TITLE,
    SHOW_STRINGS,
    START_WITH_BOTS,
    door_requests,
    door_title,
    knock_requests,
    mute_rows,
    seat_requests,
    start_question,
    table_requests,
)
from tui.menus.side_menus import quit_menu
from tui.plain.conversation import Conversation
from tui.plain.questions import Question, bare, how_to_choose
from tui.scene import bots
from tui.scene.scene import called, unready_names


class Ready(Command, frozen=True):
    """Say that the player is ready, or no longer ready."""

    yes: bool


class PlainRoom(Conversation):
    """A table without a running game. It ends as `table`, `left`, `gone` or `closed`."""

    _path: tuple[str, ...] = ()
    """The keys of the entries that led to the open menu."""
    _seats: tuple[str, ...] = ()
    """What was last told about the seats."""
    _base: str = ""

    @property
    def info(self) -> TableInfo:
        """The table as it is now."""
        return self.session.table()

    @property
    def me(self) -> int:
        """The own seat, -1 for a spectator."""
        return self.session.client.seat

    def notice(self) -> None:
        """End when the game begins; until then tell what has changed about the seats."""
        if self.session.playing:
            self.how = "table"
            return
        seats = tuple(seat_words(self.info, at, self.me) for at in range(len(self.info.seats)))
        if not self._seats:
            self.tell_all(self._table())
        for words, before in zip(seats, self._seats or ("",) * len(seats), strict=False):
            if words != before:
                self.desk.say(words)
        self._seats = seats

    def _table(self) -> list[str]:
        heads = {head.id: head.name for head in self.session.catalog.packs}
        packs = ", ".join(heads.get(pack.set_id, pack.set_id) for pack in self.info.packs)
        agreed = f" Agreed: {options_text(self.info.options)}." if self.info.options else ""
        room = f"Waiting room of table {self.info.table}. Cards: {packs}. Pace: {self.info.pace}.{agreed}"
        return [room, *([here().code_words] if here().code_words else [])]

    # -------------------------------------------------------------------------------------------------------- questions
    def question(self) -> Question | None:
        """Return what can be chosen now."""
        menu = self._first()
        for at, key in enumerate(self._path):
            found = next((entry.go for entry in menu.entries if entry.key == key), None)
            if not isinstance(found, Menu):
                self._path = self._path[:at]
                break
            menu = found
        self.here = menu
        words = tuple(bare(entry) for entry in menu.entries)
        keys = tuple(entry.key for entry in menu.entries)
        urgent = bool(self._path or self._base) or (self.me >= 0 and not self._ready)
        how = how_to_choose(len(words), bool(self._path or self._base), False)
        return Question(menu.title, words, how, ("room", self._path, keys, words), urgent)

    def _first(self) -> Menu:
        if self._base == "quit":
            return quit_menu(False, watching=self.me < 0)
        if self._base == "mute":
            rows = mute_rows(self.info, self.me, self.session.muted)
            return Menu(MUTE_TITLE, tuple(Entry(f"mute{at}", words, MuteTalk(at)) for at, words in rows))
        entries = []
        if self.me >= 0:
            words = "not ready after all" if self._ready else "ready"
            entries.append(Entry(f"ready{self._ready}", words, Ready(not self._ready), on="table.again"))
        if 0 <= self.me == self.info.owner:
            entries += self._owner()
        elif self.session.client.knocks:
            claims = tuple(_request(words, asked) for words, asked in knock_requests(self.session.client.knocks))
            entries.append(Entry("claims", "who says that this seat is theirs..", Menu(CLAIMS, claims)))
        return Menu(self._sentence(), tuple(entries))

    def _owner(self) -> list[Entry]:
        info = self.info
        start, question = OwnerRequest("start"), start_question(info)
        sure = Menu(question, (Entry("sure", START_WITH_BOTS, start),))
        words = "begin, bots take free seats.." if question else "begin"
        entries = [Entry("start", words, sure if question else start)]
        entries += [_request(words, asked) for words, asked in table_requests(info)]
        for at, seat in enumerate(info.seats):
            rows = seat_requests(info, at) if at != self.me else []
            if rows:
                name = seat.name or f"free seat {at + 1}"
                menu = Menu(f"{name}:", tuple(_request(words, asked) for words, asked in rows))
                entries.append(Entry(f"seat{at}", f"{name}..", menu))
        knocks = self.session.client.knocks
        door = [_request(words, asked) for words, asked in door_requests(info, knocks, self.session.words)]
        if self.session.strings[0] and not info.acting:
            door.append(Entry("strings", SHOW_STRINGS, ShowStrings()))
        return [*entries, Entry("door", "who comes in..", Menu(door_title(info, knocks), tuple(door)))]

    @property
    def _ready(self) -> bool:
        seats = self.info.seats
        return 0 <= self.me < len(seats) and seats[self.me].ready

    def _sentence(self) -> str:
        free = sum(1 for seat in self.info.seats if seat.state == "open")
        if self.me < 0:
            return "You are a spectator. The game begins when every seat is taken and everybody is ready."
        if not self._ready:
            return "Are you ready to play?"
        if free:
            return f"You are ready. {free} {'seat is' if free == 1 else 'seats are'} still free."
        waiting = unready_names(self.info)
        return f"You are ready. Waiting for {waiting}." if waiting else "The game is about to begin."

    # ---------------------------------------------------------------------------------------------------------- answers
    def choose(self, entry: Entry) -> None:
        """Take an entry of the open menu."""
        if isinstance(entry.go, Menu):
            self._path = (*self._path, entry.key)
        elif isinstance(entry.go, Command):
            self._path, self._base = (), ""
            self.send(entry.go)

    def send(self, action: Action | Command | None) -> None:
        """Run a command; there are no actions here."""
        if isinstance(action, Command):
            self.run_command(action)

    def run_command(self, command: Command) -> None:
        """Run the command of an entry."""
        if isinstance(command, Ready):
            self.asked = None
            self.session.client.set(ready=command.yes)
        else:
            super().run_command(command)

    def go_back(self, rest: str = "") -> None:
        """Go one step back in the menus."""
        if self._path or self._base:
            self._path, self._base = (self._path[:-1], self._base) if self._path else ((), "")
            self.repeat()
        else:
            self.desk.say("There is nothing to go back from.")

    def at_end_of_input(self) -> None:
        """Leave politely; a spectator goes on watching."""
        if self.me >= 0:
            super().at_end_of_input()

    def ask_to_leave(self, rest: str = "") -> None:
        """Ask before leaving."""
        self._path, self._base = (), "quit"
        self.repeat()

    def _mute(self, rest: str = "") -> None:
        self._path, self._base = (), "mute"
        self.repeat()

    def _tell_table(self, rest: str = "") -> None:
        self.tell_all([*self._table(), *self._seats])

    def _word(self, word: str, rest: str) -> bool:
        own = {"table": self._tell_table, "mute": self._mute}.get(word)
        if own is not None:
            own(rest)
        return own is not None or super()._word(word, rest)

    def help_lines(self) -> Iterator[str]:
        """Yield every word of the waiting room."""
        yield from super().help_lines()
        yield "table: who sits where. ready: be ready. mute: whose talk you do not want to read."


def _request(words: str, asked: OwnerRequest) -> Entry:
    return Entry(f"{asked.what}{asked.seat}{asked.value}{asked.number}{asked.pause_s}", words, asked)


def seat_words(info: TableInfo, at: int, me: int) -> str:
    """Return who sits in a seat, and whether they are ready."""
    seat = info.seats[at]
    owner = ("acts for the owner" if info.acting else "owner") if at == info.owner else ""
    parts = [words for words in (owner, _state(seat), f"{seat.wins} won" if seat.wins else "") if words]
    parts += [who] if (who := bots.character(seat)) else []
    name = "You" if at == me else called(seat.name, at)
    return f"{name}: {', '.join(parts)}."


def _state(seat: SeatInfo) -> str:
    words = {
        "open": "free", "here": "ready" if seat.ready else "not ready yet", "bot": f"bot, {bots.kind(seat)}",
        "lost": "offline", "away": "away, a bot sits in", "gone": "gone, a bot plays",
    }  # fmt: skip
    return words.get(seat.state, seat.state)
