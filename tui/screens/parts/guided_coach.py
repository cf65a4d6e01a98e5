"""The coach of a lesson or a puzzle: a scenario that is played to learn."""

from collections.abc import Callable
from typing import ClassVar

from core.scenario.parts import Lesson, Puzzle
from core.state import actions as a
from tui.config.keymap import GUIDED
from tui.lessons.guided_client import GuidedClient
from tui.menus.entries import Entry, Leave, Menu
from tui.menus.keyed import SPACE
from tui.menus.menu_state import sure_menu
from tui.scene.moments import PATIENT
from tui.screens.parts.coach import Coached
from tui.screens.parts.table_parts import TableParts
from tui.widgets.coach import Saying, with_keys

_VERBS = {
    "kick": "table.kick", "claim": "table.claim", "flee": "table.run", "roll": "table.run", "loot": "table.loot",
    "trouble": "table.trouble", "sell": "table.sell", "use": "table.use", "offer": "table.deal", "done": "table.again",
    "end_turn": "table.end", "pass": "prompt.pass", "play": "hand.use",
    "answer": "hand.use",
}  # fmt: skip
"""The bindings of the acts that a lesson names; a card in hand has a digit besides."""
_ON = {
    "why": "goes on", "mistake": "takes it back", "failed": "again", "shown": "next", "solved": "done",
    "over": "goes on",
}  # fmt: skip
"""The words for the pass key after each kind of message."""
PASSES = "The coach asks for something else. Pass all the same?"
_LEAVE = Menu("Leave? What you have learnt so far is kept.", (Entry("leave", "leave", Leave()),))


class GuidedCoach:
    """The coach of a lesson or a puzzle, which ends as `done` when it was played to its end, else as `left`."""

    lacks: ClassVar[tuple[str, ...]] = ("prompt.autopass",)  # passing is part of the lesson

    def __init__(self, parts: TableParts, leave: Callable[[str], None], client: GuidedClient, head: str) -> None:
        """head: the title of its strip; in a lesson its number, which the name follows."""
        self._parts, self._leave, self._client, self._head = parts, leave, client, head
        self._hinted = False
        parts.model.session.moments.most = PATIENT

    @property
    def waits(self) -> bool:
        """Whether the pass key makes the coach go on."""
        return self._client.guide.word.kind in _ON

    @property
    def shows_moments(self) -> bool:
        """Whether doors, dice and the like are shown: not during a solution, which the coach tells."""
        return self._client.guide.word.kind != "shown"

    @property
    def _puzzle(self) -> Puzzle | None:
        """The puzzle, None in a lesson."""
        told = self._client.guide.told
        return told if isinstance(told, Puzzle) else None

    def lacks_action(self, name: str) -> bool:
        """Leave out the keys of puzzles in lessons, and in both the keys that need a host."""
        return name == "autopass" or (self._puzzle is None and name.startswith("puzzle_"))

    def wanted(self, usual: str) -> str:
        """Ask wherever the player could play something, since that is part of the lesson. Pass nothing while the coach
        is being read."""
        return "playable" if self._client.guide.word.kind == "task" else "always"

    def asks(self) -> str:
        """Return the words that wait for the pass key. Questions of the table come after them."""
        word = self._client.guide.word
        return f"coach:{word.kind}:{word.text}" if word.kind in _ON else ""

    # --------------------------------------------------------------------------------------------------------- saying
    def saying(self) -> Saying:
        """Return what the coach says now."""
        names = self._parts.model.names
        kind, text = self._client.guide.word.kind, self._client.guide.word.text
        if self._puzzle is not None and self._hinted and kind == "task":
            text = f"Hint: {self._puzzle.hint}"
        keys = [(names["prompt.pass"], _ON[kind])] if kind in _ON else []
        if self._puzzle is not None and kind in ("task", "failed"):
            keys += [(names[key.id], key.show) for key in GUIDED]
        return Saying(self._title(), kind, with_keys(text, self._key_of), tuple(keys))

    def _title(self) -> str:
        guide = self._client.guide
        if isinstance(guide.told, Lesson):
            step = min(guide.at + 1, len(guide.told.tasks))
            return f"{self._head}, step {step} of {len(guide.told.tasks)}: {guide.game.scenario.name}"
        return f"{self._head}{' (the solution)' if guide.word.kind == 'shown' else ''}"

    def _key_of(self, words: str) -> str:
        """Return the key of an act in brackets. words: `kick`, or with a card `play Pickle Spear`."""
        model = self._parts.model
        verb, _, card = words.partition(" ")
        digit = next((key for held, key in model.keyed.hand.items() if card and model.now.title(held) == card), "")
        if digit and not model.keyed.listed:
            return f"[{digit}]"
        if card:  # the digits belong to another question now
            return card
        if model.menus.nested and verb == "play":
            return "below"
        return f"[{model.names[_VERBS[verb]]}]" if verb in _VERBS else verb

    # ----------------------------------------------------------------------------------------------------------- keys
    def action_space(self) -> None:
        """Go on if the coach waits for it; else do as at any table, but in a lesson ask before passing."""
        model, kind = self._parts.model, self._client.guide.word.kind
        if kind not in _ON:
            if not self._asks_to_pass():
                self._parts.answers.action_space()
        elif model.too_early(SPACE):
            return
        elif kind in ("solved", "over"):
            self._leave("done")
        else:
            model.session.remark = ""
            model.menus.reset()
            self._client.go_on()

    def _asks_to_pass(self) -> bool:
        """Ask before SPACE passes in a lesson, which never wants that; return whether it would have."""
        model = self._parts.model
        entry = model.keyed.of_binding(SPACE)
        if self._puzzle is not None or model.menus.nested or model.voting or entry is None:
            return False
        if not isinstance(entry.go, a.Pass):
            return False
        if model.too_early(SPACE):
            return True
        model.menus.enter(sure_menu(PASSES, entry.label, entry.go))
        model.redraw()
        return True

    def action_again(self) -> None:
        """Begin a finished scene or puzzle again: nobody else has to be ready."""
        if self._parts.model.now.view.winners:
            self.action_puzzle_again()
        else:
            self._parts.requests.action_again()

    def action_hint(self) -> None:
        """Show the hint of a puzzle; in a lesson the coach says what to do."""
        if self._puzzle is not None:
            self.action_puzzle_hint()
        else:
            self._parts.answers.tell("The strip above the question says what to do, and which key does it.")

    def action_puzzle_hint(self) -> None:
        """Show the hint of a puzzle, or its goal again."""
        self._hinted = not self._hinted
        self._parts.model.redraw()

    def action_puzzle_solution(self) -> None:
        """Play the solution of a puzzle, a step for each press of the pass key."""
        self._begin_anew()
        self._client.show_solution()

    def action_puzzle_again(self) -> None:
        """Begin the puzzle again."""
        self._begin_anew()
        self._client.again()

    def _begin_anew(self) -> None:
        self._parts.model.menus.reset()
        self._hinted = False

    def action_step_back(self) -> None:
        """Take the last act back: nobody else has to agree."""
        if self._parts.model.too_early("table.back"):
            return
        self._parts.model.menus.reset()
        if not self._client.take_back():
            self._parts.model.say("There is nothing to take back.")

    def action_quit_table(self) -> None:
        """Ask before leaving, unless the scene or the puzzle is over."""
        if self._client.guide.word.kind in ("solved", "over"):
            self._leave("done")
            return
        self._parts.model.menus.enter(_LEAVE, before_votes=True)
        self._parts.model.redraw()


def guided(client: GuidedClient, head: str) -> Coached:
    """Return what makes the coach of a lesson or a puzzle. head: as for GuidedCoach."""
    return lambda parts, screen, leave: GuidedCoach(parts, leave, client, head)
