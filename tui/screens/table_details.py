"""The part of the table's screen that reads: cards, seats, reasons and the log, each by one key."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual import work

from core.state.actions import Action
from tui.config.keymap import help_table
from tui.menus.entries import Menu, Picker
from tui.menus.keyed import Keys
from tui.menus.menu_state import MenuState
from tui.menus.prompts import Prompt, not_asked, prompt_for
from tui.render.details import Detail, asking_card, page, scrolled
from tui.scene.arrival import idle_why
from tui.scene.scene import FIRST_CARD, Refused, Scene
from tui.scene.table_session import TableSession
from tui.scene.trial import trial_of
from tui.screens.live_screen import LiveScreen
from tui.widgets.bound import own_keys
from tui.widgets.table.hand import Hand

if TYPE_CHECKING:
    from tui.scene.rulebook import Topic
    from tui.screens.history import What

FEW = 4
"""Lines that an arrow scrolls."""


class TableDetails(LiveScreen[str]):
    """The state of the table's screen, and the keys that only read. What opens over it is loaded then."""

    session: TableSession
    menus: MenuState
    cursor: int = 0
    selected: int = 0
    """The card under the cursor, which follows it; 0: none."""
    reading: Detail = Detail()
    spent: int = -1
    """The remark after which a key has been pressed."""
    keyed: Keys
    names: Mapping[str, str] = MappingProxyType({})
    """How the key of each binding is written."""
    current: Prompt
    here: Menu | Picker
    now: Scene

    def redraw(self) -> None:
        """Draw everything that has changed."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        """Show a remark in the prompt until the next key."""
        self.session.remark = text
        self.redraw()

    def read(self, detail: Detail) -> None:
        """Open a detail, or close it if it is already open."""
        same = (detail.kind, detail.arg) == (self.reading.kind, self.reading.arg)
        over = self.menus.visit if self.menus.nested else -1
        of = self.reading.of and detail.kind == self.reading.kind
        self.reading = Detail() if same else replace(detail, over=over, of=of)
        self.session.remark = ""
        self.redraw()

    def stop_reading(self) -> None:
        """Close what is being read."""
        self.reading = Detail()
        self.set_class(False, "max")

    @property
    def shown(self) -> Prompt:
        """The prompt: the question, with a remark in place of its reason until the next key."""
        session, now = self.session, self.now
        remark = session.remark if session.remarks != self.spent else ""
        if remark and session.refused is not None:
            remark = f"{remark} ({self.names['table.rules']}: the rule)"
        if not remark and session.waiting_act:
            remark = f"Your card waits until the one before is resolved ({self.names['prompt.back']} withdraws it)."
        if not remark or now.info.vote is not None or now.away:
            return self.current
        return replace(self.current, reason=remark, said=True)

    def spend_remark(self) -> None:
        """Take a remark away: a key has been pressed since. What this key does may still ask about it (the rule of a
        refusal); the key after it may not."""
        session = self.session
        if session.remarks == self.spent:
            session.remark = ""
        stood, self.spent = bool(session.remark), session.remarks
        if stood:
            self.redraw()

    def action_read(self) -> None:
        """Read the card under the cursor of a list, the card that asks, the first one to choose from, or the selected
        one; the arrows show the others."""
        from tui.widgets.cards.page import cards_to_read

        found = [self.marked_card(), asking_card(self.now), *self._offered(), self.now.selected()]
        found += [shown.card for shown in cards_to_read(self.now)[:1]]
        card = next(filter(None, found), 0)
        if card:
            self.read_card(card)

    def _offered(self) -> list[int]:
        """Return the cards that the open question is about."""
        asked = self.menus.nested or (isinstance(self.here, Menu) and self.here.asked > 0)
        return [card for card in entry_cards(self.here) if card] if asked else []

    def marked_card(self) -> int:
        """Return the card under the cursor of an open list, 0 without one."""
        return 0

    def read_card(self, card: int) -> None:
        """Show a card large, over the table. Those to choose from come before the others."""
        from tui.screens.card import CardScreen

        first = (asking_card(self.now), *self._offered())
        self.app.push_screen(CardScreen(self.session, lambda: self.now, card, first))

    def action_why(self) -> None:
        """Show the rule by which the selected card cannot be played, or would be of no use; of another one every term
        of the combat, or of the strengths."""
        card = self.now.selected()
        playable = any(entry.card == card for entry in self.keyed.verbs.entries)
        trial = trial_of(self.now, card) if card and not playable and self.now.you is not None else None
        idle = idle_why(self.now, card) if playable else None
        if idle is not None and not self.reading.kind:
            self.open_rules(idle, card, numbers=True)
        elif trial is None or self.reading.kind:
            self.read(Detail("why"))
        else:
            self._rule(trial, card)

    @work(group="why", exclusive=True)
    async def _rule(self, trial: Action, card: int) -> None:
        """Ask the host why a card cannot be played, and open the rule."""
        what = f"{self.now.title(card)}: not now"
        refusal = await self.session.why(trial)
        if refusal is None:
            self.read(Detail("why"))
            self.say(f"{what}.")
        else:
            self.open_rules(Refused(what, refusal.text, refusal.clause), card, numbers=True)

    def why_not(self, card: int) -> None:
        """Ask the host why a card cannot be played."""
        trial = trial_of(self.now, card)
        if trial is not None:
            self.ask_why(trial, f"{self.now.title(card)}: not now")

    def ask_why(self, action: Action, otherwise: str) -> None:
        """Ask the host what forbids an action and show its sentence."""
        self._reason(action, otherwise)

    @work(group="why", exclusive=True)
    async def _reason(self, action: Action, otherwise: str) -> None:
        refusal = await self.session.why(action)
        if refusal is not None and refusal.clause == "stale":
            whom = not_asked(self.now)  # the question says so, unless a menu is open
            self.say(f"{otherwise}. {whom if self.menus.nested else ''}".rstrip())
        elif refusal is not None:
            self.session.refusal = Refused(otherwise, refusal.text, refusal.clause)
            self.say(f"{otherwise}. {refusal.text}")
        elif not self.session.remark:
            self.say(f"{otherwise}.")

    # --------------------------------------------------------------------------------------------------------- rules
    def action_rules(self) -> None:
        """Open the rules: of the refusal that is shown, the card under the cursor, this moment."""
        self.open_rules(self.session.refused, self.now.selected())

    def open_rules(self, refused: Refused | None, card: int, numbers: bool = False) -> None:
        """Open the rules over the table. numbers: as for RulesScreen."""
        from tui.scene.rulebook import topics

        self.show_rules(topics(self.now, refused, card), numbers)

    def look_up(self, what: str) -> None:
        """Open the rules of something on the screen, see rulebook.asked."""
        from tui.scene.rulebook import asked

        self.show_rules(asked(self.now, what))

    def show_rules(self, found: "Sequence[Topic]", numbers: bool = False) -> None:
        """Show these topics over the table."""
        from tui.screens.rules import RulesScreen

        screen = RulesScreen(found, self.session.catalog, self.session.glyphs, numbers)
        self.app.push_screen(screen, self._after_rules)

    def _after_rules(self, result: str | None) -> None:
        from tui.screens.rules import NUMBERS

        if result == NUMBERS:
            self.read(Detail("why"))

    def action_others(self) -> None:
        """Show another seat's gear, the next one with each press."""
        seats = len(self.now.view.seats)
        first = (self.now.me + 1) % seats
        seat = (self.reading.arg + 1) % seats if self.reading.kind == "seat" else first
        self.read(Detail("seat", seat))

    def action_seals(self) -> None:
        """Show the open Seals in full."""
        self.read(Detail("seals"))

    def action_recap(self) -> None:
        """Show what happened since the player's last turn."""
        self._open_history("recap")

    def action_log(self) -> None:
        """Show the whole log."""
        self._open_history("log")

    def _open_history(self, what: "What") -> None:
        from tui.screens.history import HistoryScreen

        self.app.push_screen(HistoryScreen(what, self._newest, self._question))

    def _question(self, scene: Scene) -> str:
        """Return what is asked of the player in this moment; empty if nothing is."""
        asks = prompt_for(scene, self.menus, self.menus.here(scene)[0])
        return asks.text if asks.urgent and not scene.replay else ""

    def _newest(self) -> Scene:
        """Return the newest moment; the last one shown, if the game is over for this screen."""
        return replace(self.session.scene(), replay=self.now.replay) if self.session.playing else self.now

    def action_keys(self) -> None:
        """Show every key."""
        self.set_class(self.reading.kind != "keys", "max")
        self.read(Detail("keys", keys=help_table(own_keys(self.app))))

    def action_maximise(self) -> None:
        """Give more room to what is being read."""
        if not self.reading.kind:
            self.read(Detail("why"))
        self.toggle_class("max")
        self.redraw()

    def action_scroll(self, pages: int) -> None:
        """Scroll what is being read by pages."""
        self._scroll(pages * page(self.query_one("#reader").size.height))

    def _scroll(self, lines: int) -> None:
        width, height = self.query_one("#reader").size
        if width and height:
            self.reading = scrolled(self.now, self.reading, lines, width, height)
            self.redraw()

    def action_move(self, across: int, down: int) -> None:
        """Move in the hand; while seats are read, left and right go to the next seat, up and down scroll."""
        if self.reading.kind == "seat" and across:
            seats = len(self.now.view.seats)
            self.read(Detail("seat", (self.reading.arg + across) % seats))
        elif self.reading.kind in ("keys", "why", "seat", "seals") and down:
            self._scroll(down * FEW)
        else:
            self.move_cursor(across, down)

    def move_cursor(self, across: int, down: int) -> None:
        """Move the cursor in the hand by columns and rows."""
        total = len(self.now.hand())
        if not total:
            return
        rows = self.query_one(Hand).rows
        self.select(max(0, min(total - 1, min(self.cursor, total - 1) + across * rows + down)))

    def select(self, at: int) -> None:
        """Put the cursor on a card of the hand."""
        self.cursor, self.selected = at, self.now.hand()[at]
        self.redraw()


def entry_cards(here: Menu | Picker) -> list[int]:
    """The card each entry (or member of a set) is about, 0 where it is about none."""
    if isinstance(here, Picker):
        return [ident if ident >= FIRST_CARD else 0 for ident in here.pick.among]
    return [entry.card for entry in here.entries]
