"""The parts of a table at which somebody plays, connected to each other."""

import time
from collections.abc import Callable
from typing import Any

from textual.screen import Screen

from tui.config.keymap import help_table
from tui.lessons.counsel import Counsel
from tui.scene.table_session import TableSession
from tui.screens.parts.answers import Answers
from tui.screens.parts.auto_pass import AutoPass
from tui.screens.parts.choices import Choices
from tui.screens.parts.hand_keys import HandKeys
from tui.screens.parts.hints import Hints
from tui.screens.parts.model import TableModel
from tui.screens.parts.news import Ending, News
from tui.screens.parts.reader import Reader
from tui.screens.parts.reading_pause import ReadingPause
from tui.screens.parts.reasons import Reasons
from tui.screens.parts.remarks import Remarks
from tui.screens.parts.requests import Requests
from tui.screens.parts.sharing import Sharing
from tui.screens.parts.talk import Talk
from tui.screens.parts.verbs import Verbs


class TableParts:
    """The parts of a table's screen besides its widgets."""

    clock: Callable[[], float] = staticmethod(time.monotonic)
    """The clock for motions (s)."""

    def __init__(
        self, session: TableSession, screen: Screen[Any], redraw: Callable[[], None], leave: Callable[[str], None],
        run: Callable[[str], None],
    ) -> None:  # fmt: skip
        """redraw: draws what has changed. leave: leaves the screen with this result. run: runs an action of the screen
        that has no arguments."""
        self.model = model = TableModel(session, redraw, self.clock)
        self.remarks = Remarks(model)
        self.choices = Choices(model, self.remarks, screen)
        self.reader = Reader(model, screen, help_table, self.choices.marked_card)
        self.reasons = Reasons(model, screen)
        self.hand = HandKeys(model, self.reader, screen, self.choices)
        self.talk = Talk(model, screen)
        self.requests = Requests(model, screen, leave)
        self.answers = Answers(
            model, self.choices, self.reasons, self.requests, self.talk, screen, self.reader.action_maximise
        )
        self.verbs = Verbs(model, self.answers, self.reasons, lambda: run("again"))
        counsel = Counsel(session)
        self.hints = Hints(model, screen, counsel)
        self.news = News(model, screen)
        self.ending = Ending(model, screen, self.talk, lambda: run("quit_table"))
        self.auto_pass = AutoPass(model, screen, counsel, self.answers.action_hold)
        self.sharing = Sharing(model)
        self.reading_pause = ReadingPause(model, screen)

    @property
    def with_actions(self) -> tuple[object, ...]:
        """The parts that have actions of keys."""
        return (
            self.auto_pass, self.answers, self.verbs, self.hand, self.reader, self.reasons, self.hints, self.talk,
            self.requests, self.ending,
        )  # fmt: skip

    def stop(self) -> None:
        """Stop what runs."""
        self.remarks.stop()
        self.auto_pass.stop()
