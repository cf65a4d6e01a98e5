"""What can be chosen at the table: as rows of the prompt, or in a list where they do not fit; the line of keys."""

import asyncio

from textual.widgets import OptionList

from tui.menus.entries import Picker
from tui.menus.hint import undecided
from tui.menus.keyed import Choice
from tui.menus.owner_menus import knocking_words
from tui.scene.scene import Scene, seat_colour, shape
from tui.scene.situation import has_seals
from tui.screens.table_details import TableDetails
from tui.widgets.choice_list import ChoiceList, Item
from tui.widgets.table.prompt import Row, fits, pages, room, said_lines, turned

PINNED = (
    "prompt.pass", "hand.use", "prompt.back", "table.kick", "table.claim", "table.run", "table.end", "table.again",
)  # fmt: skip
"""Bindings whose choices stand on every page of the prompt."""

FOOT_ROWS, REMARK_ROWS = 3, 2
"""The rows of the foot where there are few, and the most that it gets for a longer remark."""


class TableChoices(TableDetails):
    """The state of what is being chosen."""

    in_hand = False
    """Whether the player has moved in the hand since the question came: reading means the selected card, and ENTER uses
    it although a list is open."""

    _more_rows = 0
    """By how many rows the foot is higher than usual."""

    def choose_entry(self, at: int) -> None:
        """Take an entry of the open menu, or pick a member of the set (put it back)."""
        raise NotImplementedError

    def has_changed(self, key: str) -> bool:
        """Whether the meaning of a key has just changed; say so, for it does nothing then."""
        raise NotImplementedError

    # --------------------------------------------------------------------------------------------------------- prompt
    @property
    def listing(self) -> bool:
        """Whether the choices stand in a list, since there are more than the prompt has room for."""
        if not self.keyed.listed:
            return False
        size = self.query_one("#prompt").size
        if not size.width:  # the window is too small for the table: the gate lists everything
            return False
        if isinstance(self.here, Picker) or self.keyed.slot_pages > 1:
            return True
        return not fits(self.shown, self._all_rows(), *size, self.now.glyphs)

    def _all_rows(self) -> list[Row]:
        """Return a row for every choice on this page of digits, and for the keys beside them."""
        now = asyncio.get_running_loop().time()
        here = [one for one in self.keyed.choices if one.key and one.page == self.keyed.slot_page]
        lettered = [one.entry.go for one in here if one.entry is not None and one.entry.on]
        here = [one for one in here if one.entry is None or one.entry.on or one.entry.go not in lettered]
        passing = [one for one in here if one.key == "prompt.pass"]
        beside = [Row(self.names[ident], words, pinned=ident in PINNED) for ident, words in self.current.keys]
        before = sorted((one for one in here if one not in passing), key=lambda one: one.asks)
        return [*(self._row(one, now) for one in before), *beside, *(self._row(one, now) for one in passing)]

    def _row(self, choice: Choice, now: float) -> Row:
        key = choice.key if choice.key.isdigit() else self.names[choice.key]
        pinned = choice.key in PINNED
        dead = self.keyed.dead(choice.key, now)
        return Row(key, choice.words, choice.outlook, choice.asks, dead, pinned, choice.seat, self._rank(choice))

    def _rank(self, choice: Choice) -> int:
        """Return where a choice comes among those that do not all fit on a page."""
        fights = self.now.fight is not None or not choice.key.isdigit()
        if choice.outlook.verdict == "good" and choice.outlook.sums and fights:
            return 0
        return 2 if choice.key.isdigit() else 3 if choice.key == "table.gear" else 1

    def rows(self) -> list[Row]:
        """Return the rows of the prompt on all its pages: every choice, or those beside the list."""
        rows = self._all_rows()
        return [row for row in rows if not row.key.isdigit()] if self.listing else rows

    def page_rows(self, width: int, height: int) -> list[Row]:
        """Return the rows on the page that is turned up."""
        rows = self.rows()
        lines = room(self.shown, rows, width, height, self.now.glyphs)
        return turned(rows, self.menus.page, lines, width, self.keyed.slot_pages > 1)

    def turn_page(self) -> None:
        """Turn to the next page of choices, after the last one to the next digits."""
        size = self.query_one("#prompt").size
        rows = self.rows()
        lines = room(self.shown, rows, *size, self.now.glyphs)
        further = self.keyed.slot_pages > 1
        self.menus.turn(len(pages(rows, lines, size.width, further)), self.keyed.slot_pages)
        self.redraw()

    def make_room(self) -> None:
        """Give the foot a row for each further line of a remark where it has few, so that choices keep theirs."""
        width = self.query_one("#prompt").size.width
        few = width and (self.has_class("-short") or self.has_class("-low"))
        more = min(said_lines(self.shown, width, self.now.glyphs) - 1, REMARK_ROWS) if few else 0
        if more != self._more_rows:
            self._more_rows = more
            self.query_one("#foot").styles.height = FOOT_ROWS + more if more else None
            self.call_after_refresh(self.redraw)

    # ----------------------------------------------------------------------------------------------------------- list
    def show_choices(self) -> None:
        """Show the choices of a question in the list, if they do not fit in the prompt."""
        listing = self.listing
        if listing != self.has_class("listing"):
            self.in_hand = False
        self.set_class(listing, "listing")
        if not listing:
            return
        now = asyncio.get_running_loop().time()
        pick = isinstance(self.here, Picker)
        found = self._listed()
        items = [
            Item(
                one.key if one.page == self.keyed.slot_page else "", one.words, self.keyed.dead(one.key, now),
                one.picked if pick else None, one.asks, one.outlook,
                shape(one.seat, self.now.glyphs.ascii) if one.seat >= 0 else "", seat_colour(one.seat),
            )
            for one in found
        ]  # fmt: skip
        first = next((at for at, one in enumerate(found) if one.page == self.keyed.slot_page), 0)
        self.choice_list.show("Pick" if pick else "Choose", items, first)

    @property
    def choice_list(self) -> ChoiceList:
        """The list of choices, which comes when it is first wanted."""
        if not self.query("#choices"):
            self.query_one("#middle").mount(ChoiceList("choices"), before="#reader")
        return self.query_one("#choices", ChoiceList)

    def _listed(self) -> list[Choice]:
        """Return the choices that the list shows, in the order of their digits."""
        found = [one for one in self.keyed.choices if one.key.isdigit()]
        return sorted(found, key=lambda one: (one.page, one.key))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the choice of the list that was clicked, or that ENTER was pressed on."""
        found = self._listed()
        if isinstance(event.option_list, ChoiceList) and event.option_index < len(found):
            choice = found[event.option_index]
            if not self.has_changed(choice.key):
                self.choose_entry(choice.at)

    def marked_card(self) -> int:
        """Return the card under the cursor: of the list that is open, or of the hand if it was moved there; 0 without
        one."""
        if self.in_hand:
            return self.now.selected()
        at = self.choice_list.highlighted if self.listing else None
        return self._listed()[at].card if at is not None else 0

    def action_move(self, across: int, down: int) -> None:
        """Move in the list that is open, or in the hand; left and right pick and put back in a set, or go to the
        next seat while seats are read."""
        if not self.listing:
            self.in_hand = True
        if not self.listing or (across and self.reading.kind == "seat"):
            super().action_move(across, down)
        elif down:
            self.in_hand = False
            move = self.choice_list.action_cursor_down if down > 0 else self.choice_list.action_cursor_up
            move()
        elif isinstance(self.here, Picker):
            self.choice_list.action_select()

    def action_step(self, by: int) -> None:
        """Move to the next or previous card of the hand; after the last one comes the first."""
        cards = len(self.now.hand())
        if cards:
            self.in_hand = True
            self.select((self.cursor + by) % cards)


def key_line(scene: Scene, nested: bool, reading: str, covered: bool = False) -> list[tuple[str, str]]:
    """Return the bindings whose keys do something now, with short words, most useful first; the last one stands at the
    end of the line. covered: the hand is out of sight."""
    knocks = knocking_words(scene.knocks)
    keys: list[tuple[str, str]] = [("table.door", knocks)] if knocks else []
    if reading:
        keys += [("prompt.back", "close"), ("table.max", "larger")]  # the heading says when there is more to scroll to
    if scene.hand() and not covered:
        keys += [("hand.next", "card")] if len(scene.hand()) > 1 else []
        keys += [("hand.use", "use")] if not nested else []
        keys += [("table.read", "read")]
    keys += [("table.why", "why"), ("table.rules", "rules")]
    if scene.me >= 0 and not scene.view.winners and not scene.replay:
        keys += [("table.hint", "hints" if undecided(scene) else "hint")]
    window, you = scene.view.window, scene.you
    if window is not None and you is not None and not window.passed:
        keys += [("prompt.hold", "hold")] if window.holds > 0 and window.holder < 0 else []
        keys += [("prompt.autopass", "pass until it changes")] if scene.fight is not None else []
    keys += [("table.seals", "Seals")] if has_seals(scene) else []
    keys += [("table.log", "log"), ("table.recap", "recap"), ("table.others", "others"), ("table.talk", "talk")]
    if scene.me >= 0 and not scene.view.winners and scene.undo is not None and scene.info.vote is None:
        keys += [("table.back", "undo")]
    if scene.me >= 0 and scene.me == scene.info.owner and not nested:
        keys += [("table.owner", "owner")]
    return [*keys, ("app.palette", "all"), ("app.quit", "leave"), ("app.keys", "keys")]
