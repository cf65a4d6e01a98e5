"""The table of a lesson or a puzzle: the screen of a game with the coach above its prompt."""

from typing import ClassVar

from textual.binding import BindingType

from core.scenario.parts import Lesson, Puzzle
from tui.config.keymap import GUIDED
from tui.lessons.guided_client import GuidedClient
from tui.menus.entries import Entry, Leave, Menu
from tui.scene.table_session import TableSession
from tui.screens.table import TableScreen
from tui.widgets.bound import bound
from tui.widgets.coach import Coach, Saying, with_keys

READ_ON = ("why", "mistake", "failed", "shown")
"""What the coach says and waits for until it has been read."""
_VERBS = {
    "kick": "table.kick", "claim": "table.claim", "flee": "table.run", "roll": "table.run", "loot": "table.loot",
    "trouble": "table.trouble", "sell": "table.sell", "use": "table.use", "offer": "table.deal", "done": "table.again",
    "end_turn": "table.end", "pass": "prompt.pass", "play": "hand.use",
}  # fmt: skip
"""The bindings of the acts that a lesson names; a card in hand has a digit besides."""


class GuidedScreen(TableScreen):
    """A lesson or a puzzle. Returns `done` when it was played to its end, else `left`.

    head: the title of its strip; in a lesson its number, after which the name follows.
    """

    shows_moments = False  # the coach tells what has happened, and waits for the same key
    lacks = ("prompt.autopass",)  # what is passed here is part of the lesson
    BINDINGS: ClassVar[list[BindingType]] = bound(GUIDED)

    def __init__(self, session: TableSession, client: GuidedClient, head: str) -> None:
        super().__init__(session)
        self.guided, self.head = client, head
        self.hinted = False

    def on_mount(self) -> None:
        """Put the coach above the prompt; the handler of TableScreen runs as well."""
        self.mount(Coach("coach"), before="#foot")

    @property
    def puzzle(self) -> Puzzle | None:
        """The puzzle, None in a lesson."""
        told = self.guided.guide.told
        return told if isinstance(told, Puzzle) else None

    # -------------------------------------------------------------------------------------------------------- drawing
    def redraw(self) -> None:
        """Draw the table and what the coach says."""
        super().redraw()
        for coach in self.query(Coach):
            coach.update(self._saying(), self.session.glyphs)

    def _saying(self) -> Saying:
        guide = self.guided.guide
        kind, text = guide.word.kind, guide.word.text
        if self.puzzle is not None and self.hinted and kind == "task":
            text = f"Hint: {self.puzzle.hint}"
        keys = [(self.names["prompt.pass"], _ON[kind])] if kind in _ON else []
        if self.puzzle is not None and kind in ("task", "failed"):
            keys += [(self.names[key.id], key.show) for key in GUIDED]
        return Saying(self._title(), kind, with_keys(text, self._key_of), tuple(keys))

    def _title(self) -> str:
        told = self.guided.guide.told
        if isinstance(told, Lesson):
            step = min(self.guided.guide.at + 1, len(told.tasks))
            return f"{self.head}, step {step} of {len(told.tasks)}: {self.guided.guide.game.scenario.name}"
        return f"{self.head}{' (the solution)' if self.guided.guide.word.kind == 'shown' else ''}"

    def _key_of(self, words: str) -> str:
        """Return the key of an act in brackets: of `kick`, or of `play Pickle Spear`, the act with that card."""
        verb, _, card = words.partition(" ")
        digit = next((key for held, key in self.keyed.hand.items() if card and self.now.title(held) == card), "")
        if digit and not self.keyed.listed:
            return f"[{digit}]"
        if card:  # the digits are those of another question now
            return card
        if self.menus.nested and verb == "play":
            return "below"
        return f"[{self.names[_VERBS[verb]]}]" if verb in _VERBS else verb

    # ----------------------------------------------------------------------------------------------------------- keys
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave the keys of puzzles out of lessons, and what no host does here out of both."""
        if action == "autopass":
            return False
        return self.puzzle is not None or not action.startswith("puzzle_")

    def _pass_alone(self) -> None:
        """Pass for the player only while they play: nothing moves while the coach is being read."""
        if self.guided.guide.word.kind == "task":
            super()._pass_alone()

    def action_space(self) -> None:
        """Read on if the coach waits for it; else as at any table."""
        kind = self.guided.guide.word.kind
        if kind in ("solved", "over"):
            self.dismiss("done")
        elif kind in READ_ON:
            self.session.remark = ""
            self.menus.reset()
            self.guided.go_on()
        else:
            super().action_space()

    def action_again(self) -> None:
        """Begin a scene or a puzzle again whose game is over: nobody else has to be ready."""
        if self.now.view.winners:
            self.action_puzzle_again()
        else:
            super().action_again()

    def action_hint(self) -> None:
        """Show the hint of a puzzle; in a lesson the coach says what to do."""
        if self.puzzle is not None:
            self.action_puzzle_hint()
        else:
            self._tell("The strip above the question says what to do, and which key does it.")

    def action_puzzle_hint(self) -> None:
        """Show the hint of a puzzle, or its goal again."""
        self.hinted = not self.hinted
        self.redraw()

    def action_puzzle_solution(self) -> None:
        """Play the solution of a puzzle, a step for each press of the pass key."""
        self.menus.reset()
        self.hinted = False
        self.guided.show_solution()

    def action_puzzle_again(self) -> None:
        """Begin the puzzle again."""
        self.menus.reset()
        self.hinted = False
        self.guided.again()

    def action_step_back(self) -> None:
        """Take the last act back: nobody else has to agree."""
        self.menus.reset()
        if not self.guided.take_back():
            self.say("There is nothing to take back.")

    def action_quit_table(self) -> None:
        """Ask before leaving."""
        self.menus.enter(_LEAVE, before_votes=True)
        self.redraw()


_ON = {
    "why": "goes on", "mistake": "takes it back", "failed": "again", "shown": "next", "solved": "done",
    "over": "goes on",
}  # fmt: skip
"""What the pass key does after each kind of words."""
_LEAVE = Menu("Leave? What you have learnt so far is kept.", (Entry("leave", "leave", Leave()),))
