"""A game as a conversation: the questions of the table, and the words that read it."""

import asyncio
from collections.abc import Iterator
from typing import cast

from core.state import actions as a
from core.state.model import defn_of
from core.state.views import View
from netcode.protocol import wire
from tui.config.settings import ASKS, WAITS, WAITS_ON_WIRE, Settings
from tui.lessons.counsel import Counsel
from tui.menus.commands import keeps_place
from tui.menus.entries import (
    Command,
    Entry,
    Menu,
    Picker,
)
from tui.menus.owner_menus import ONLY_THE_OWNER_DECIDES, door_menu, knock_menu, mute_menu, owner_menu, player_menu
from tui.menus.prompts import prompt_for
from tui.menus.side_menus import leaving, quit_menu, undo_menu
from tui.menus.windows import Windows, why_unasked
from tui.plain.conversation import TOLD, spoken_line
from tui.plain.ending import AskToLeave, PlayAgain, RevealHands, over_menu, story_lines
from tui.plain.hints import HintCommands
from tui.plain.lines import Desk
from tui.plain.questions import VERBS, Question, listed, question_of
from tui.plain.words import (
    card_lines,
    cards_named,
    hand_lines,
    introduction,
    lettered,
    met_lines,
    presence_lines,
    seal_words,
    seat_lines,
    seats_named,
    table_lines,
)
from tui.scene.acts import Act, act_words
from tui.scene.clock import NO_CLOCK, can_resume, clock_of
from tui.scene.moments import Moment
from tui.scene.scene import FIRST_CARD, LogLine, Scene
from tui.scene.table_session import TableSession
from tui.widgets.table.log import since_last_turn

SOON_MS = 10_000
"""The seconds left at which the clock is told once more."""
SPEEDS = ("slow", "normal", "fast")


class PlainTable(HintCommands):
    """A running or finished game. It ends as `left`, `gone`, `closed` or `waiting room`."""

    def __init__(self, session: TableSession, desk: Desk, settings: Settings, told: LogLine | None = None) -> None:
        super().__init__(session, desk, settings, told)
        self._unread: View | None = None
        """The last view in which the player was told that an empty line goes on, or entered one."""
        self._where: tuple[str, ...] = ()
        """The presence of each seat's player when it was last told."""
        self._state = ""
        self.counsel = Counsel(session)
        self._windows = Windows(session, self.counsel)
        self._passed = -1
        self._queued = 0
        self._soon = False
        self._story = False
        self._introduced = -1
        self._acts: tuple[Act, ...] = ()
        """The acts whose sums have been told."""
        self._beside: set[asyncio.Task[None]] = set()
        self.words |= {
            "hand": lambda rest: self.tell_all(hand_lines(self.scene)),
            "table": lambda rest: self.tell_all(table_lines(self.scene)),
            "seals": lambda rest: self.tell_all(seal_words(self.scene)),
            "seat": self.tell_seat, "read": self.read, "why": self.why, "undo": self.undo, "hint": self.hint,
            "rule": self.rule,
            "time": lambda rest: self.desk.say(self._time() or "No clock runs."),
            "recap": self.recap, "since": self.tell_since,
            "hold": self.hold, "auto": self.auto, "speed": self.speed, "waits": self.waits,
            "asks": self.asks, "owner": self.owner, "door": self.door, "mute": self.mute, "story": self.story,
        }  # fmt: skip

    @property
    def scene(self) -> Scene:
        """The scene of this moment."""
        return self.session.scene()

    # ------------------------------------------------------------------------------------------------------- questions
    def question(self) -> Question | None:
        """Return what can be chosen now."""
        scene = self.scene
        here, gone = self.menus.here(scene)
        if gone:
            self.desk.say("That is no longer possible: the situation has changed.")
        over = bool(scene.view.winners) and not self.menus.nested and scene.info.vote is None
        self.here = here = over_menu(scene) if over else listed(scene, here)
        if scene.away and not self.menus.before_votes:
            text = "A bot plays for you. Answer with an empty line to take your seat back."
            return Question(text, (), "Answer with an empty line.", ("away",))
        return question_of(scene, self.menus, here, prompt_for(scene, self.menus, here))

    def ask(self, question: Question) -> None:
        """Print a question, with the time there is for it."""
        super().ask(question)
        self._soon = False
        scene = self.scene
        if question.urgent and not scene.solo and self._time():
            self.desk.say(self._time())
            self._soon = 0 < self._left(scene) <= SOON_MS  # it has just been said

    def tell_news(self) -> None:
        """Print what has happened since the last time; when a game begins, print first who plays."""
        if self.session.playing and self._is_new(self.scene):
            self.tell_all(introduction(self.scene))
        super().tell_news()
        self._tell_sums()

    def _tell_sums(self) -> None:
        """Print what the newest acts have made of the sums of the fight, each once."""
        acts = self.session.acts.now
        new = [act for act in acts if not any(act is told for told in self._acts)]
        self._acts = acts
        self.tell_all([words for act in new if (words := act_words(act))])

    def notice(self) -> None:
        """Pass if nothing else can be done; say what the game waits for, and when time is running out."""
        if not self.session.playing:
            self.how = "waiting room"
            return
        scene = self.scene
        self.session.unasked = self._windows.follow(scene, self.settings.asks, self.menus.nested)
        self.tell_all([*met_lines(scene, self._moments()), *presence_lines(scene, self._where)])
        self._where = tuple(seat.state for seat in scene.info.seats)
        self._pass_alone(scene)
        view = self.session.client.view if scene.timers.waits else None
        if view is not self._unread and view is not None and not self.desk.typing.on_demand:
            self.desk.say("An empty line goes on.")
        self._unread = view
        state = "paused" if scene.info.stage == "paused" else ""
        if state and state != self._state:
            mine = 0 <= scene.me == scene.info.owner
            told = "Say owner to resume it." if mine else f"{can_resume(scene)} Say owner if the pause gets long."
            self.desk.say(f"The table is paused. {told}")
        self._state = state
        waiting, self._queued = self.session.waiting_act not in (0, self._queued), self.session.waiting_act
        if waiting:
            self.desk.say("It waits until the card is resolved; back withdraws it.")
        self._tell_time(scene)
        self._tell_end(scene)

    def _is_new(self, scene: Scene) -> bool:
        """Return whether a new game begins, that is, first cards are laid out. True only once for each game."""
        new, self._introduced = self._introduced != scene.info.game, scene.info.game
        return new and scene.view.top == "setup"

    def _moments(self) -> list[Moment]:
        """Return the moments that have not been told yet, and mark them as told."""
        waiting = self.session.moments
        return [*waiting.overtaken(), *iter(waiting.take, None)]

    def _pass_alone(self, scene: Scene) -> None:
        """Pass for somebody alone with bots where nothing makes sense."""
        window = scene.view.window
        if window is None or self.session.unasked != "passes" or self._passed == window.id:
            return
        self._passed = window.id
        self.desk.say(f"{why_unasked(self.scene)} You pass.")
        self.send(a.Pass(window.id))

    # ----------------------------------------------------------------------------------------------------------- clocks
    def _time(self) -> str:
        """Return whose time runs, and how much is left; empty if no clock runs."""
        clock = clock_of(self.scene, self.session.client.clocks())
        return f"Time: {clock.said or clock.words}." if clock.words not in ("", NO_CLOCK) else ""

    def _left(self, scene: Scene) -> int:
        """Return the time that this player has (ms), -1 without a clock."""
        clocks, window = self.session.client.clocks(), scene.view.window
        if scene.me in clocks.prompts:
            return max(clocks.prompts[scene.me], clocks.banks.get(scene.me, -1))
        return clocks.window if window is not None and not window.passed else -1

    def _tell_time(self, scene: Scene) -> None:
        left = self._left(scene)
        if self.wanted and not scene.solo and not self._soon and 0 < left <= SOON_MS:
            self._soon = True
            self.desk.say(f"{-(-left // 1000)} seconds are left.")

    # ---------------------------------------------------------------------------------------------------------- answers
    def empty_line(self) -> None:
        """Go on where the game waits for this player alone; otherwise repeat the question."""
        scene = self.scene
        if scene.away:
            self.session.client.set()
        elif scene.timers.waits or (scene.timers.beat > 0 and not self.wanted):
            self.session.client.set(skip=True)
        else:
            self.repeat()

    def choose(self, entry: Entry) -> None:
        """Take an entry of the open menu."""
        self.send(self.menus.choose(self.scene, entry))

    def go_back(self, rest: str = "") -> None:
        """Go one step back: leave a menu, or take back an action that waits for a card."""
        if self._queued:
            self.session.client.set(withdraw=True)
            self.session.waiting_act = 0
        elif self.menus.back(self.scene):
            self.repeat()
        else:
            self.desk.say("There is nothing to go back from. Say undo to take back your last choice.")

    def at_end_of_input(self) -> None:
        """Leave politely; a spectator goes on watching."""
        if self.scene.me >= 0:
            super().at_end_of_input()

    def run_command(self, command: Command) -> None:
        """Run a menu entry that is not an action of the game."""
        if not keeps_place(command):
            self.menus.reset()
        self.asked = None
        client = self.session.client
        if isinstance(command, PlayAgain):
            client.set(ready=True)
            self.desk.say("You are ready for another game.")
        elif isinstance(command, RevealHands):
            client.set(open=True)
        elif isinstance(command, AskToLeave):
            self.ask_to_leave()
        else:
            super().run_command(command)

    def ask_to_leave(self, rest: str = "") -> None:
        """Ask before leaving, unless the game is over."""
        leave = leaving(self.scene)
        if leave is not None:
            self.run_command(leave)
            return
        self.menus.enter(quit_menu(self.scene.solo, watching=self.scene.me < 0), before_votes=True)
        self.repeat()

    def undo(self, rest: str = "") -> None:
        """Take the last choice back; at a table of people, ask them to."""
        scene = self.scene
        if scene.me >= 0 and scene.info.solo:
            self.menus.reset()
            self.asked = None
            self.session.client.back()
        elif scene.me < 0 or scene.view.winners:
            self.desk.say("Only players can ask to undo an action, while the game runs.")
        elif scene.undo is None:
            self.session.client.back()  # the host decides, and says why not
        elif scene.info.vote is None:
            self.menus.enter(undo_menu(scene))
            self.repeat()

    def hold(self, rest: str = "") -> None:
        """Hold the table for a moment; where nobody is asked, be asked."""
        scene = self.scene
        window, told = scene.view.window, self._windows.keep(scene)
        if told:
            self.desk.say(told)
        elif window is not None and window.holds > 0 and window.holder < 0 and not window.passed:
            self.send(a.Hold(window.id))
        else:
            self.desk.say("The table cannot be held now.")

    def auto(self, rest: str = "") -> None:
        """Let the host pass for this player until the fight changes; again: stop."""
        now = not self.session.client.auto
        self.session.client.set(auto=now)
        self.desk.say("The host passes for you until this fight changes." if now else "You answer for yourself again.")

    def speed(self, rest: str = "") -> None:
        """Change how long the acts of bots take."""
        if rest in SPEEDS:
            self.session.client.set(speed=cast(wire.Speed, rest))
            self.desk.say(f"Bots play {rest} now.")
        else:
            self.desk.say(f"Say speed and one of {', '.join(SPEEDS)}.")

    def waits(self, rest: str = "") -> None:
        """Change after which acts bots wait for an empty line."""
        if rest in WAITS:
            self.session.client.set(waits=WAITS_ON_WIRE[rest])
            self.desk.say(f"{WAITS[rest].replace('SPACE', 'empty line')}.")
        else:
            self.desk.say(f"Say waits and one of {', '.join(WAITS)}.")

    def asks(self, rest: str = "") -> None:
        """Change in which windows the player is asked while alone with bots."""
        if rest in ASKS:
            self.settings.asks = rest
            self.desk.say(f"{ASKS[rest]}.")
        else:
            self.desk.say(f"Say asks and one of {', '.join(ASKS)}.")

    # ------------------------------------------------------------------------------------------------------ owner, talk
    def owner(self, rest: str = "") -> None:
        """Open the owner's menu; for others, the menu of what everybody may do about a long wait."""
        scene = self.scene
        mine = 0 <= scene.me == scene.info.owner
        if not mine and (scene.me < 0 or not player_menu(scene).entries):
            self.desk.say("Only the owner of the table can do that: pause, pace, seats, admission.")
            return
        self.menus.enter_made(owner_menu if mine else player_menu)
        self.repeat()

    def door(self, rest: str = "") -> None:
        """Open the menu of who comes in."""
        scene = self.scene
        if 0 <= scene.me == scene.info.owner:
            self.menus.enter_made(door_menu)
            self.repeat()
        elif scene.knocks:
            self.menus.enter_made(knock_menu)
            self.repeat()
        else:
            self.desk.say(ONLY_THE_OWNER_DECIDES)

    def mute(self, rest: str = "") -> None:
        """Choose whose talk is not printed here."""
        if mute_menu(self.scene).entries:
            self.menus.enter_made(mute_menu)
            self.repeat()
        else:
            self.desk.say("There is nobody else here who could talk.")

    def named(self, text: str) -> None:
        """Take an entry by its verb, or by its card: `play b`."""
        word, _, rest = text.partition(" ")
        card = self.card_of(rest) or self._in_hand(rest) if word.lower() == "play" and rest else 0
        found = [entry for entry in self.here.entries if entry.card == card] if isinstance(self.here, Menu) else []
        if not card:
            super().named(text)
        elif len(found) == 1:
            self.take(found[0])
        elif self.scene.you is not None and card in self.scene.you.hand and not found:
            self.why(rest)
        else:
            self.desk.say("Say the number of the choice: several are about this card.")

    def _in_hand(self, name: str) -> int:
        """Return the card of the hand whose name begins with this; 0 if there is none, or several."""
        found = [card for card in self.scene.hand() if self.scene.title(card).casefold().startswith(name.casefold())]
        return found[0] if len(found) == 1 else 0

    # ---------------------------------------------------------------------------------------------------------- reading
    def card_of(self, rest: str) -> int:
        """Return a card: of a choice (by its number) or of the hand (by its letter); 0 if there is none."""
        if rest.isdecimal() and len(rest) <= 3 and self.asked is not None:
            at = int(rest) - 1
            cards = [ident if ident >= FIRST_CARD else 0 for ident in self.here.pick.among] \
                if isinstance(self.here, Picker) else [entry.card for entry in self.here.entries]  # fmt: skip
            return cards[at] if 0 <= at < len(cards) else 0
        return lettered(self.scene, rest)

    def read(self, rest: str = "") -> None:
        """Read a card in full: the card of a choice, of the hand, or with this name."""
        scene = self.scene
        card = self.card_of(rest)
        if card:
            self.tell_all(card_lines(scene, defn_of(card)))
            return
        found = cards_named(scene, rest) if len(rest) > 2 else []
        if len(found) == 1:
            self.tell_all(card_lines(scene, found[0]))
        elif found:
            names = ", ".join(scene.printed(number).name for number in found[:20])
            self.desk.say(f"Which one? {names}{' and more' * (len(found) > 20)}.")
        else:
            self.desk.say("Read what? Say read with the number of a choice, the letter of a card in hand, or a name.")

    def tell_seat(self, rest: str = "") -> None:
        """Read a player."""
        found = seats_named(self.scene, rest or "me")
        if len(found) == 1:
            self.tell_all(seat_lines(self.scene, found[0]))
        else:
            names = ", ".join(self.scene.name(seat) for seat in range(len(self.scene.view.seats)))
            self.desk.say(f"Which player? Say seat and one of {names}.")

    def recap(self, rest: str = "") -> None:
        """Repeat what happened since the player's last turn."""
        for line in since_last_turn(self.scene)[-TOLD:]:
            self.desk.say(spoken_line(line))

    def tell_since(self, rest: str = "") -> None:
        """Repeat what others have done since the player's last answer, what matters most first."""
        told = self.scene.since
        self.tell_all([spoken_line(line) for line in told] or ["Nothing has happened since your last answer."])

    # -------------------------------------------------------------------------------------------------------- the end
    def _tell_end(self, scene: Scene) -> None:
        """Tell once how a finished game went."""
        if not scene.view.winners:
            self._story = False
        elif self.session.finished is not None and not self._story:
            self._story = True
            self.story()

    def story(self, rest: str = "") -> None:
        """Tell how the finished game went."""
        finished, scene = self.session.finished, self.scene
        if finished is None or finished.story is None:
            self.desk.say("How it went is told when the game is over, to those who have seen it.")
            return
        self.tell_all(story_lines(finished.story, scene, self.session.catalog))

    def help_lines(self) -> Iterator[str]:
        """Yield every word of the table."""
        yield from super().help_lines()
        yield "hand: your hand. table: everything on the table. seat NAME: one player. seals: the Seals."
        yield "read 2: the card of choice 2; read b: card b of your hand; read NAME: any card of the game."
        yield "why: every number of the fight; why b: what a card would do, or why it cannot be played."
        yield f"{', '.join(VERBS)}: the choice of that kind. play b: what card b of your hand does."
        yield "undo: take your last choice back."
        yield "hint: what a good player would do; among people only if all agree. hint off: no longer."
        yield "rule: the rule of what was refused, or of this moment; rule b: of card b; rule dice: of a subject."
        yield "since: what others did since your last answer, what matters most first."
        yield "recap: since your last turn. time: the clock. story: after the game, how it went."
        yield "hold, auto: stop the clock; pass until the fight changes. speed fast, waits never: how bots play."
        yield "asks useful: alone with bots, in which windows you are asked. hold: be asked in the next one."
        yield "owner, door, mute: the table, who comes in, whose talk you do not want to read."
