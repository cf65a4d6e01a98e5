"""A conversation about a table: prints what happens, asks questions, and reads lines, which are answers or words.

A number answers the question that was printed last. A line that was written before that question, or in the first
moment after the question replaced another one, is refused with a sentence, since it was meant for something else.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from itertools import takewhile

from msgspec.structs import replace

from core.state.actions import Action
from core.state.views import View
from netcode.client.state_machine import Message
from netcode.protocol import wire
from tui.config.layouts import latin_line
from tui.config.settings import Settings
from tui.menus.commands import ask_host
from tui.menus.entries import Command, Entry, Leave, Menu, Picker, ShowStrings
from tui.menus.menu_state import MenuState
from tui.plain.lines import Desk, Typed
from tui.plain.questions import VERBS, Question, entry_named, numbers_in, numbers_to, problem_with
from tui.plain.words import sentence
from tui.scene.remarks import remark_keys, remark_of
from tui.scene.scene import LogLine
from tui.scene.table_news import command_of
from tui.scene.table_session import TableSession

TOGETHER_S = 0.05
"""Changes within this time are told together (s)."""
ANSWER_S = 5.0
"""The longest time that an answer on its way holds up the next one (s)."""
TICK_S = 0.5
TURN_S = 0.02
"""The pause between two lines (s), so that many lines at once do not hold up the game."""
NEWS = 100
"""At most this many lines of the log are told at once, the newest ones: a terminal takes its time for each."""
TOLD = 1000
"""The most lines of the log that are repeated."""


class Conversation:
    """What the table and the waiting room have in common."""

    def __init__(self, session: TableSession, desk: Desk, settings: Settings, told: LogLine | None = None) -> None:
        """told: the newest line of the log that has been printed."""
        self.session, self.desk, self.settings, self.told = session, desk, settings, told
        self.menus = MenuState()
        self.here: Menu | Picker = Menu("", ())
        self.how = ""
        """How it ended; empty while it goes on."""
        self.asked: Question | None = None
        """The question that was printed last."""
        self._asked_at = 0.0
        self._replaced = False
        self._sent: View | None = None
        self._sent_at = 0.0
        self._typed = ""
        """The last line as it was typed."""
        self._news = asyncio.Event()
        self.words: dict[str, Callable[[str], None]] = {
            "back": self.go_back, "say": self.talk, "log": self.tell_log, "help": self.tell_help, "?": self.tell_help,
            "quit": self.ask_to_leave, "leave": self.ask_to_leave, "now": self.repeat,
        }  # fmt: skip

    # --------------------------------------------------------------------------------------------------------- running
    async def run(self) -> str:
        """Converse until it is over; return how it ended."""
        session = self.session
        unlisten = session.listen(self._news.set)
        off = session.client.subscribe(self._heard)
        try:
            self.look()
            while not self.how:
                typed = await self.desk.wait(self._news, self._listens(), TICK_S)
                if typed is not None:
                    self._hear(typed)
                    await asyncio.sleep(TURN_S)
                elif not self.how:
                    await asyncio.sleep(TOGETHER_S)
                if not self.how:
                    self.look()
            return self.how
        finally:
            off()
            unlisten()

    def leave(self) -> None:
        """Leave now; the seat is kept."""
        self.how = "left"
        self._news.set()

    def _listens(self) -> bool:
        """Whether to read a line now: always if a person types; from a file only when something is asked."""
        return not self.desk.typing.on_demand or (self.open and self.wanted)

    @property
    def wanted(self) -> bool:
        """Whether something is asked of this player."""
        return self.asked is not None and self.asked.urgent

    @property
    def open(self) -> bool:
        """Whether the printed question can still be answered: no answer to it is on its way."""
        return self.asked is not None and not self.under_way

    @property
    def under_way(self) -> bool:
        """Whether the host has not reacted yet to the last answer."""
        late = time.monotonic() - self._sent_at > ANSWER_S
        return self._sent is not None and self._sent is self.session.client.view and not late

    def _heard(self, message: Message) -> None:
        """Ask the question again if the host has refused the answer."""
        if isinstance(message, wire.Refused):
            self._sent = None
            self._news.set()

    # --------------------------------------------------------------------------------------------------------- telling
    def look(self) -> None:
        """Print what is new, and the question if it has changed."""
        if self.session.client.stage == "closed":
            self.tell_news()
            self.how = "closed"
            return
        self.tell_news()
        self.notice()
        if self.how or self.under_way:
            return
        question = self.question()
        answered, self._sent = self._sent is not None, None
        if question is None:
            self.asked = None
        elif question.urgent and (answered or self.asked is None or question.face != self.asked.face):
            self.ask(question)
        elif self.asked is not None and not question.urgent and question.face != self.asked.face:
            self.asked = None

    def notice(self) -> None:
        """Handle what else has changed."""

    def question(self) -> Question | None:
        """Return what can be chosen now; None if there is nothing to choose."""
        raise NotImplementedError

    def ask(self, question: Question) -> None:
        """Print a question."""
        if self.asked is None or self.asked.face != question.face:
            self._replaced = self.open and self.wanted
            self._asked_at = time.monotonic()
        self.asked = question
        for line in question.lines():
            self.desk.say(line)

    def tell_news(self) -> None:
        """Print what has happened since the last time."""
        log = self.session.log
        news = list(takewhile(lambda line: line is not self.told, reversed(log)))
        self.told = log[-1] if log else self.told
        if len(news) > NEWS:
            left_out, all_of_it = len(news) - NEWS, min(len(news), TOLD)
            self.desk.say(f"{left_out} lines are left out here: say log {all_of_it} to hear them.")
        for line in reversed(news[:NEWS]):
            self.desk.say(spoken_line(line))

    def tell_all(self, lines: list[str]) -> None:
        """Print some lines."""
        for line in lines:
            self.desk.say(line)

    def repeat(self, rest: str = "") -> None:
        """Print what can be chosen now, asked or not."""
        question = self.question()
        if question is not None:
            self.ask(question)
            self._replaced = False

    # --------------------------------------------------------------------------------------------------------- hearing
    def _hear(self, typed: Typed) -> None:
        if typed.end:
            self.at_end_of_input()
            return
        if not typed.text:
            self.empty_line()
            return
        self._typed = typed.text
        first, blank, rest = typed.text.partition(" ")
        word = latin_line(first)  # what follows may be a name or talk
        number = numbers_in(latin_line(typed.text))
        if number is None and self._word(word.lower(), rest.strip()):
            return
        refused = self._stale(typed)
        if refused:
            self.desk.say(refused)
            if self.asked is not None and not self.under_way:
                self.repeat()
        elif number is not None:
            self._numbers(number)
        else:
            self.named(word + blank + rest)

    def at_end_of_input(self) -> None:
        """Leave politely: nobody can answer any more."""
        self.how = "left"

    def empty_line(self) -> None:
        """Repeat the question."""
        self.repeat()

    def _word(self, word: str, rest: str) -> bool:
        """Carry out a line that begins with a known word; return whether it does."""
        found = self.words.get(word)
        if found is not None:
            found(rest)
        return found is not None

    def _stale(self, typed: Typed) -> str:
        """Return why an answer is refused; empty if it belongs to the question that is open now."""
        if self.under_way:
            return "Not taken: your last answer is still on its way."
        if self.asked is None:
            return "Nothing is asked of you now. Say now to hear what you could do all the same."
        if self.desk.typing.on_demand:
            return ""
        after = self.settings.key_pause if self._replaced else 0.0  # an answer was meant for the question before
        if typed.at < self._asked_at + after:
            return "Not taken: the question has changed since."
        question = self.question()
        if question is None or question.face != self.asked.face:
            return "Not taken: the choices have just changed."
        return ""

    def _numbers(self, numbers: tuple[int, ...]) -> None:
        if isinstance(self.here, Picker):
            self._hand_in(self.here, numbers)
        elif len(numbers) != 1:
            self.desk.say("Choose one number here.")
        elif not 1 <= numbers[0] <= len(self.here.entries):
            self.desk.say(f"There is no {numbers[0]}: {numbers_to(len(self.here.entries))}.")
        else:
            self.take(self.here.entries[numbers[0] - 1])

    def take(self, entry: Entry) -> None:
        """Choose an entry. That answers the question; it is asked again if it is still the same afterwards."""
        self.asked = None
        self.choose(entry)

    def named(self, text: str) -> None:
        """Take an entry by its verb."""
        word = text.lower()
        if isinstance(self.here, Picker):
            if word in ("all", "none"):
                every = range(1, 1 + len(self.here.pick.among)) if word == "all" else ()
                self._hand_in(self.here, tuple(every))
                return
        else:
            entry = entry_named(self.here, {"ready": "again"}.get(word, word))
            if entry is not None:
                self.take(entry)
                return
            if word == "no" and self.here.grave:
                self.go_back()
                return
        how = self.asked.how if self.asked is not None else ""
        wrong = f"There is no choice {word} now" if word in VERBS else f"Not understood: {self._typed[:40]}"
        self.desk.say(f"{wrong}. {how} Say help for all words.")

    def _hand_in(self, picker: Picker, numbers: tuple[int, ...]) -> None:
        problem = problem_with(picker, numbers)
        if problem:
            self.desk.say(problem)
            return
        picker = replace(picker, holders=())  # who gets what is asked next, in lines of its own
        self.menus.picked = [picker.pick.among[number - 1] for number in numbers]
        self.asked = None
        self.send(self.menus.confirm(picker))

    def choose(self, entry: Entry) -> None:
        """Take an entry."""
        raise NotImplementedError

    def send(self, action: Action | Command | None) -> None:
        """Send an action to the host or run a command. None: the answer led to another question instead."""
        if isinstance(action, Command):
            self.run_command(action)
        elif action is not None:
            self._sent, self._sent_at = self.session.client.view, time.monotonic()
            if not self.session.act(action):
                self._sent = None
                self.desk.say("Not taken: the host has just refused that, and nothing has changed since.")

    def run_command(self, command: Command) -> None:
        """Run a menu entry that is not an action of the game."""
        self.asked = None
        if isinstance(command, Leave):
            self.how = command.how
        elif isinstance(command, ShowStrings):
            self.tell_all([command_of(text) for text in self.session.strings[0]])
            if self.session.words:
                self.desk.say(self.session.words)
        else:
            ask_host(self.session, command)

    def go_back(self, rest: str = "") -> None:
        """Go one step back in the menus."""
        raise NotImplementedError

    def talk(self, rest: str) -> None:
        """Say something to the table. rest: the words, or the digit of a remark."""
        if not rest:
            self.desk.say(f"Say what? For example: say good luck. Or say a number: {remark_keys()}")
        elif not self.session.talk(remark_of(rest) or rest):
            self.desk.say("Not sent: there is no connection.")

    def tell_log(self, rest: str = "") -> None:
        """Repeat the last lines of the log. rest: how many."""
        many = min(TOLD, int(rest)) if rest.isdecimal() and len(rest) < 6 else 20
        for line in self.session.log[-many:] if many else []:
            self.desk.say(spoken_line(line))

    def ask_to_leave(self, rest: str = "") -> None:
        """Ask before leaving."""
        raise NotImplementedError

    def tell_help(self, rest: str = "") -> None:
        """Print every word."""
        for line in self.help_lines():
            self.desk.say(line)

    def help_lines(self) -> Iterator[str]:
        """Yield what can be said, a line for each word."""
        yield "Answer a question with the number of a choice. Other words:"
        yield "an empty line: go on where the game waits for you; otherwise hear the question again."
        yield "now: hear what you can do now. back: one step back. say TEXT: talk to the table."
        yield f"say and a number: {remark_keys()}"
        yield "log 20: the last 20 things that happened. quit: leave; you are asked how."


def spoken_line(line: LogLine) -> str:
    """Return a line of the log as it is printed."""
    if line.kind == "talk" and line.who:
        return f"{line.who.removesuffix(':')} says: {line.text.removeprefix(line.who).strip()}"
    return sentence(line.text)
