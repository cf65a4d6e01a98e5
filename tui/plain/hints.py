"""Hints and rules as lines: words of the plain table."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any

from core.authoring import clauses
from core.state.actions import Action
from tui.lessons.counsel import Counsel
from tui.menus.choices import playable
from tui.menus.hint import hint_words, hints_menu, undecided
from tui.menus.menu_state import MenuState
from tui.plain.conversation import Conversation
from tui.plain.questions import foreseen
from tui.plain.words import sentence, why_lines
from tui.scene.arrival import idle_why
from tui.scene.examples import examples
from tui.scene.outlook import of_card
from tui.scene.rulebook import Example, Topic, topics
from tui.scene.scene import Scene
from tui.scene.table_session import TableSession
from tui.scene.trial import trial_of

VAGUE = ("", "not now")
"""Notes on a card that explain nothing: then the host is asked."""
HINT_S = 30.0
"""The longest wait for a hint (s). Everything else goes on meanwhile."""
FURTHER = 4
"""At most this many further rules of a subject are read; `rule` with its name reads all."""


class HintCommands(Conversation):
    """The words `hint`, `why` and `rule`."""

    session: TableSession
    menus: MenuState
    counsel: Counsel
    _waited_at: int = -1
    """The revision of the view for which the hint was "wait". If asked again, give the best action instead."""
    _beside: set[asyncio.Task[None]]

    @property
    def scene(self) -> Scene:
        """The scene of this moment."""
        raise NotImplementedError

    def card_of(self, rest: str) -> int:
        """Return the card that a number or a letter stands for, 0 for none."""
        raise NotImplementedError

    def _beside_the_game(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    # ----------------------------------------------------------------------------------------------------------- hints
    def hint(self, rest: str = "") -> None:
        """Tell what a good player would do; at a table of several people only if all agree."""
        scene = self.scene
        if scene.you is None or scene.view.winners:
            self.desk.say("Hints are for players, while the game runs.")
        elif undecided(scene) or (rest == "off" and len(scene.people()) > 1):
            self.menus.enter_made(hints_menu)
            self.repeat()
        else:
            self._beside_the_game(self._advise())

    async def _advise(self) -> None:
        veiled = await self.session.client.knowledge()
        view = self.session.client.view
        patient = view is not None and view.rev != self._waited_at
        advice = await self.counsel.advice(view, veiled, patient, HINT_S) if view is not None else None
        if advice is None or view is None or view is not self.session.client.view:
            self.desk.say("The situation has changed; ask for a hint again.")
        else:
            self._waited_at = view.rev if advice.action is None else self._waited_at
            self.desk.say(hint_words(self.scene, advice).replace(" : ", " to "))

    # ---------------------------------------------------------------------------------------------------- why, why not
    def why(self, rest: str = "") -> None:
        """Explain the fight; with a card: what it would do, or why it cannot be played."""
        scene = self.scene
        if not rest:
            self.tell_all(why_lines(scene))
            return
        card = self.card_of(rest)
        if not card:
            self.desk.say("Why what? Say why alone, or with the number of a choice or the letter of a card in hand.")
            return
        words = foreseen(of_card(scene, card))
        idle = idle_why(scene, card) if not words else None
        trial = trial_of(scene, card) if words in VAGUE and card not in playable(scene) else None
        if trial is not None:
            self._beside_the_game(self._ask_why(trial, scene.title(card)))
        elif idle is not None:
            self.desk.say(f"{idle.what}. {idle.text}")
        else:
            self.desk.say(sentence(f"{scene.title(card)}: {words or 'it can be used now, and changes no fight'}"))

    async def _ask_why(self, trial: Action, name: str) -> None:
        """Ask the host why a card cannot be played."""
        refusal = await self.session.why(trial)
        self.desk.say(sentence(f"{name}: {refusal.text if refusal is not None else 'not now'}"))

    # ----------------------------------------------------------------------------------------------------------- rules
    def rule(self, rest: str = "") -> None:
        """Read the rules of what was refused, of a card, of a subject, or of this moment, with an example."""
        card = self.card_of(rest) if rest else 0
        found = topics(self.scene, self.session.refused if not rest else None, card)
        if rest and not card:
            found = [topic for topic in found if rest.lower() in topic.name.lower() or rest in topic.clauses]
        if not found:
            names = ", ".join(topic.name for topic in topics(self.scene) if topic.group == "All subjects")
            self.desk.say(f"There is nothing about {rest}. The subjects are: {names}.")
        else:
            self._beside_the_game(self._read_rule(found[0], bool(rest) and not card))

    async def _read_rule(self, topic: Topic, whole: bool) -> None:
        found = await asyncio.to_thread(examples, self.session.catalog, topic.clauses, topic.card)
        for line in spoken(topic, found[:1], None if whole else FURTHER):
            self.desk.say(line)


def spoken(topic: Topic, found: tuple[Example, ...], further: int | None) -> Iterator[str]:
    """Yield the page of a topic as lines to be read aloud. further: how many of the further rules to read; None:
    all."""
    every = clauses.load()
    yield f"{topic.name}."
    yield from topic.said
    yield from (every[clause].text for clause in topic.clauses)
    for example in found:
        yield f"Example: {example.name}."
        yield from example.lines
    if topic.further and further != 0:
        yield "Further rules of this subject:"
        yield from (every[clause].text for clause in topic.further[:further])
