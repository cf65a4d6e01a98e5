"""What the keys of the table do: every `action_...` of keys.TABLE, on top of the drawing in table.py."""

import asyncio
from dataclasses import replace
from typing import cast

from textual.screen import Screen
from textual.widgets import Input

from core import actions as a
from core.actions import Action
from core.view import You
from netcode.wire import Speed
from tui import quitting
from tui.bargains import Draft, can_offer, concerns, counter, help_draft
from tui.choices import Command, Entry, Menu, Picker
from tui.nav import Nav
from tui.present_detail import Detail, readable
from tui.present_hand import pages
from tui.prompts import Prompt
from tui.scene import Scene
from tui.session import Session

DEAD_S = 0.25
"""After the table has put another question, keys that answer are ignored this long: they were meant for the old one."""
SPEEDS: tuple[Speed, ...] = ("slow", "normal", "fast")


class TableKeys(Screen[str]):
    """The keys of the table. table.TableScreen has the panes."""

    session: Session
    nav: Nav
    cursor: int = 0
    reading: Detail = Detail()
    dead_until: float = 0.0
    speed: Speed = "normal"
    pick_card = False
    current: Prompt
    here: Menu | Picker
    now: Scene

    def redraw(self) -> None:
        """Draw everything that has changed."""
        raise NotImplementedError

    # -------------------------------------------------------------------------------------------------------- helpers
    @property
    def dead(self) -> bool:
        """Whether an answer pressed now was meant for the question before."""
        return asyncio.get_running_loop().time() < self.dead_until

    def send(self, action: Action | Command | None) -> None:
        """Send an action to the host, or run a command of the screen."""
        if isinstance(action, Command):
            self.run_command(action.name)
        elif action is not None:
            self.session.act(action)
        self.redraw()

    def run_command(self, name: str) -> None:
        """What entries that are no actions do."""
        self.nav.home()
        if name == "leave":
            self.dismiss("left")
        elif name == "give-up":
            self.dismiss("gone")

    def read(self, detail: Detail) -> None:
        """Open a detail, or close it if it is open already."""
        same = (detail.kind, detail.arg) == (self.reading.kind, self.reading.arg)
        self.reading = Detail() if same and detail.kind != "card" else detail
        self.session.remark = ""
        self.redraw()

    # -------------------------------------------------------------------------------------------------------- answers
    def action_digit(self, number: int) -> None:
        """A digit answers the prompt, 0 turns the page."""
        if self.pick_card:
            self._read_entry(number)
            return
        if self.reading.kind == "seat" and not self.nav.nested and not self.here_is_asked():
            self.read(Detail("seat", min(number - 1, len(self.now.view.seats) - 1) if number else 0))
            return
        if self.dead:
            return
        if number == 0:
            self._turn_page()
        else:
            self.choose_entry(self._place(number))

    def here_is_asked(self) -> bool:
        """Whether something is wanted of this player."""
        return self.current.urgent

    def _pages(self) -> list[range]:
        size = self.query_one("#prompt").size
        return pages(self.now, self.current, self.nav, self.here, size.width, max(1, size.height - 1))

    def _place(self, number: int) -> int:
        """Which entry the digit stands for on this page, -1 if none."""
        found = self._pages()
        page = found[self.nav.page % len(found)] if found else range(0)
        return page[number - 1] if 1 <= number <= len(page) else -1

    def _turn_page(self) -> None:
        self.nav.page = (self.nav.page + 1) % max(1, len(self._pages()))
        self.redraw()

    def choose_entry(self, at: int) -> None:
        """Take an entry of the open menu, or pick a member of the set (put it back)."""
        if isinstance(self.here, Picker):
            if 0 <= at < len(self.here.labels):
                self.nav.toggle(self.here, at)
            self.redraw()
        elif 0 <= at < len(self.here.entries):
            self.session.remark = ""
            self.send(self.nav.choose(self.now, self.here.entries[at]))

    def action_space(self) -> None:
        """Pass, go on, skip the pause: never anything that spends."""
        you, view = self.now.you, self.now.view
        self.session.remark = ""
        if self.dead or self.nav.nested:
            self.redraw()
        elif you is not None and view.window is not None and (not view.window.passed or _holds(you)):
            self.send(a.Pass(view.window.id))
        else:
            self.session.client.set(skip=True)
            self.redraw()

    def action_enter(self) -> None:
        """Hand a set in, or open what can be done with the selected card."""
        if isinstance(self.here, Picker):
            if self.dead:
                return
            if self.here.ready(self.nav.picked):
                self.send(self.nav.confirm(self.here))
            else:
                self.redraw()
            return
        if self.nav.draft is not None:
            draft = self.nav.draft
            self.nav.home()
            self.send(draft.action())
            return
        card = self.now.selected()
        if not card or self.nav.nested:
            return
        self.nav.enter_card(card)
        here, gone = self.nav.here(self.now)
        if gone or not here_entries(here):
            self.nav.home()
            self._why_not(card)
        self.redraw()

    def action_back(self) -> None:
        """One step back: out of talking, choosing, reading, waiting."""
        self.pick_card = False
        if self.has_class("talking"):
            self.close_talk()
            return
        if self.session.waiting_act:
            self.session.client.set(withdraw=True)
            self.session.waiting_act = 0
        self.session.remark = ""
        if not self.nav.back(self.now):
            self.reading = Detail()
            self.set_class(False, "max")
        self.redraw()

    # ---------------------------------------------------------------------------------------------------- the window
    def action_hold(self) -> None:
        """Hold the table for a moment."""
        window = self.now.view.window
        if window is not None and not self.dead:
            self.send(a.Hold(window.id))

    def action_autopass(self) -> None:
        """Let the host pass for this seat until the fight changes; again: stop."""
        self.session.client.set(auto=not self.session.client.auto)
        self.redraw()

    # ------------------------------------------------------------------------------------------------------- bargains
    def action_bargain(self) -> None:
        """Help: answer an offer, ask for help, offer it."""
        scene = self.now
        for deal in scene.view.offers:
            if deal.kind == "help" and concerns(scene, deal):
                label = f"{scene.label(deal.frm)} offers terms:"
                entries = (
                    Entry("accept", "accept", a.Accept(deal.no)),
                    Entry("counter", "other terms..", counter(scene, deal)),
                    Entry("decline", "decline", a.Decline(deal.no)),
                )
                self.nav.enter(Menu(label, entries if deal.to == scene.me else entries[:2]))
                self.reading = Detail("offers")
                self.redraw()
                return
        draft = help_draft(scene)
        if draft is None:
            self._say("There is nobody to help now: help is for a fight without a helper.")
        elif not can_offer(scene, "help"):
            self.ask_why(draft.action(), "Help cannot be offered now")
        else:
            self.nav.enter_draft(draft)
            self.redraw()

    def action_trade(self) -> None:
        """Trade Items with another seat."""
        scene = self.now
        partner = next((seat.seat for seat in scene.view.seats if seat.seat != scene.me and not seat.dead), -1)
        if scene.me < 0 or partner < 0:
            self._say("There is nobody to trade with.")
        elif not can_offer(scene, "trade"):
            self.ask_why(Draft("trade", partner).action(), "No trade now: Items change hands only outside fights")
        else:
            self.nav.enter_draft(Draft("trade", partner))
            self.redraw()

    def action_gear(self) -> None:
        """The own gear: put on, take off, discard; to read if nothing can be changed."""
        self.nav.enter_gear()
        here, gone = self.nav.here(self.now)
        if gone or not here_entries(here):
            self.nav.home()
        self.read(Detail("seat", max(0, self.now.me)))

    def action_end_turn(self) -> None:
        """End the turn, after asking."""
        you = self.now.you
        if you is None or not any(isinstance(option.action, a.EndTurn) for option in you.legal):
            self.ask_why(a.EndTurn(), "Your turn cannot end now")
            return
        self.nav.enter(Menu("End your turn?", (Entry("yes", "end the turn", a.EndTurn()),)))
        self.redraw()

    def action_again(self) -> None:
        """Ready for another game."""
        self.session.client.set(ready=True)
        if self.now.view.winners:
            self._say("You are ready for another game; waiting for the others.")

    # -------------------------------------------------------------------------------------------------------- reading
    def action_read(self) -> None:
        """Read the selected card, then in turn what lies on the table; in a choice the digit says which."""
        if self.nav.nested and any(entry_cards(self.here)):
            self.pick_card = True
            self.redraw()
            return
        cards = readable(self.now)
        if not cards:
            return
        at = cards.index(self.reading.arg) + 1 if self.reading.kind == "card" and self.reading.arg in cards else 0
        self.read(Detail("card", cards[at % len(cards)]))

    def _read_entry(self, number: int) -> None:
        self.pick_card = False
        cards = entry_cards(self.here)
        at = self._place(number)
        self.session.remark = ""
        if 0 <= at < len(cards) and cards[at]:
            self.read(Detail("card", cards[at]))
        else:
            self.redraw()

    def action_why(self) -> None:
        """Every term of the fight; without one: the strengths, and why the selected card cannot be played."""
        card = self.now.selected()
        if self.now.fight is None and card and self.now.you is not None:
            self._why_not(card)
        self.read(Detail("why"))

    def _why_not(self, card: int) -> None:
        trial = trial_of(self.now, card)
        if trial is not None:
            self.ask_why(trial, f"{self.now.title(card)}: not now")

    def ask_why(self, action: Action, otherwise: str) -> None:
        """Ask the host what forbids an action and show its sentence."""
        self.run_worker(self._reason(action, otherwise), group="why", exclusive=True)

    async def _reason(self, action: Action, otherwise: str) -> None:
        refusal = await self.session.why(action)
        if refusal is not None:
            clause = f" ({refusal.clause})" if "." in refusal.clause else ""
            self._say(f"{otherwise}. {refusal.text}{clause}")
        elif not self.session.remark:
            self._say(f"{otherwise}.")

    def action_others(self) -> None:
        """Another seat's gear, the next one with each press."""
        seats = len(self.now.view.seats)
        first = (self.now.me + 1) % seats
        seat = (self.reading.arg + 1) % seats if self.reading.kind == "seat" else first
        self.read(Detail("seat", seat))

    def action_recap(self) -> None:
        """What happened since the own last turn."""
        self.read(Detail("recap"))

    def action_log(self) -> None:
        """The whole log, with more room."""
        self.set_class(self.reading.kind != "log", "max")
        self.read(Detail("log"))

    def action_keys(self) -> None:
        """Every key."""
        self.set_class(self.reading.kind != "keys", "max")
        self.read(Detail("keys"))

    def action_maximise(self) -> None:
        """More room for what is being read."""
        if not self.reading.kind:
            self.reading = Detail("why" if self.now.fight is not None else "card", self.now.selected())
        self.toggle_class("max")
        self.redraw()

    def action_scroll(self, pages: int) -> None:
        """Scroll what is being read by a few lines; the log runs the other way."""
        by = -pages if self.reading.kind == "log" else pages
        scroll = max(0, self.reading.scroll + by * 4)
        self.reading = replace(self.reading, scroll=scroll)
        self.redraw()

    def action_move(self, across: int, down: int) -> None:
        """Move in the hand; while seats are read, left and right go to the next seat, up and down scroll."""
        if self.reading.kind == "seat" and across:
            seats = len(self.now.view.seats)
            self.read(Detail("seat", (self.reading.arg + across) % seats))
        elif self.reading.kind in ("log", "recap", "keys", "why", "seat") and down:
            self.action_scroll(down)
        else:
            self.move_cursor(across, down)

    def move_cursor(self, across: int, down: int) -> None:
        """Move the cursor in the hand by columns and rows."""
        total = len(self.now.hand())
        if not total:
            return
        rows = max(1, self.query_one("#hand").size.height - 1)
        self.cursor = max(0, min(total - 1, min(self.cursor, total - 1) + across * rows + down))
        if self.reading.kind == "card":
            self.reading = Detail("card", self.now.hand()[self.cursor])
        self.redraw()

    # -------------------------------------------------------------------------------------------- talk, speed, leaving
    def action_talk(self) -> None:
        """Open the line to talk."""
        self.set_class(True, "talking")
        self.query_one("#talk-line", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Say it and close the line."""
        if event.value.strip():
            self.session.client.say(event.value.strip())
        self.close_talk()

    def close_talk(self) -> None:
        """Back from the talk line to the table's keys."""
        line = self.query_one("#talk-line", Input)
        line.value = ""
        self.set_class(False, "talking")
        self.set_focus(None)

    def action_speed(self) -> None:
        """How long bots' visible acts stay: slow, normal, fast."""
        self.speed = SPEEDS[(SPEEDS.index(self.speed) + 1) % len(SPEEDS)]
        self.session.client.set(speed=cast(Speed, self.speed))
        self._say(f"Bots play {self.speed} now (s: next speed).")

    def action_quit_table(self) -> None:
        """Ask before leaving; say how to come back."""
        self.session.remark = ""
        self.nav.enter(quitting.question(self.now.solo))
        self.redraw()

    def action_repaint(self) -> None:
        """Draw the whole screen anew."""
        self.refresh(layout=True)

    def _say(self, text: str) -> None:
        self.session.remark = text
        self.redraw()


def _holds(you: You) -> bool:
    """Whether this seat holds the table."""
    return any(ask.kind == "hold" for ask in you.asks)


def here_entries(here: Menu | Picker) -> tuple[Entry, ...]:
    """The entries of a menu; none for a set."""
    return here.entries if isinstance(here, Menu) else ()


def entry_cards(here: Menu | Picker) -> list[int]:
    """The card each entry (or member of a set) is about, 0 where it is about none."""
    if isinstance(here, Picker):
        return [ident if ident >= 65536 else 0 for ident in here.pick.among]
    return [entry.card for entry in here.entries]


def trial_of(scene: Scene, card: int) -> Action | None:
    """An action to ask about: playing this card the way it is most often played."""
    fight, definition = scene.fight, scene.card(card)
    if definition.kind == "monster":
        return a.Trouble(card)
    monster = fight.monsters[0].id if fight is not None and fight.monsters else 0
    if definition.kind == "enhancer":
        return a.Play(card, target=monster)
    if definition.kind == "item" and definition.one_shot and definition.target in (None, "side"):
        return a.Play(card, side="heroes")
    if definition.kind in ("curse", "level"):
        return a.Play(card, seat=scene.me)
    return a.Play(card)
